"""What a live table says to people: why a request failed, and what a player may do now.

``LIVE_SENTENCES`` has one sentence for each code, in the notation of ``refusals``; `live.schema`
says what kind of failure each code is.
"""

from __future__ import annotations

from passline.game.words.refusals import format_words

#: What the form that opens a table calls the house rules that it sets.
FORM_LABELS = {"limits.min": "Minimum", "limits.max": "Maximum", "odds.multiple": "Odds"}

LIVE_SENTENCES = {
    # Tokens and invitations
    "invalid-token": "Invalid token for this table.",
    "private-table": "This table is private. Open your invitation, or ask the host for its link.",
    "invitation-missing": "This table is private. Sit down with the link of an invitation.",
    "invitation-invalid": "This invitation is not valid here. Ask the host for a new link.",
    "token-taken": "That token belongs to somebody else here. Choose another.",
    "token-form": "token: use 32 to 64 letters and digits.",
    "unknown-role": "role: use one of {roles:,}.",
    "floor-gives-tokens": "The {role} may not give or withdraw tokens; the floor may.",
    # Names and seats
    "reserved-name": "The name {name!r} is reserved for the house. Choose another name.",
    "similar-name": "{name!r} looks too much like {known!r}, who plays here. Choose another name.",
    "name-taken": "There is a player {known!r} already. Choose another name.",
    "invited-name": "{name!r} is reserved. Use its invitation.",
    "buy-in-amount": "Buy in with an amount such as 500: {error}",
    "buy-in-too-high": "Buy in for at most $10,000,000.",
    "place-number": "Choose another place: they are numbered from 1.",
    "buy-in-declined": "{name}'s buy-in was declined{reason:: {reason}|}. Ask for another amount, "
    "or watch.",
    # Opening a table
    "rulebook-or-house": "Give either rulebook (an id) or house (TOML text).",
    "unknown-rulebook": "There is no rulebook {rulebook:q}. Choose one of: {books:,}.",
    "table-name": "name: use at most {most} characters, on one line.",
    "pace-seconds": "pace.{key}: give seconds from 0 to {most}.",
    "machine-dice": "dice: a machine throws the dice at {game}. Use 'secure'.",
    "typed-dice-stick": "Typed dice need a person at the stick. Set stick in posts to 'person'.",
    "unknown-zone": "zone: there is no time zone {zone:q}. Use a name such as Europe/Berlin.",
    "too-many-hosted": "One address may have {most:#table} open. Close one first, or wait until it "
    "closes by itself after a day without anybody.",
    "all-hosted": "This server has all the {most:#hosted table} open that it takes. Try again "
    "later.",
    "operator-opens": "Only the operator opens tables with typed dice, people at the posts, or a "
    "box that approves buy-ins. Leave those out, or use the house key.",
    # The table and its log
    "unknown-table": "There is no table {table:q}.",
    "table-moved": "This table has moved to another server.",
    "newer-version": "This table needs version {needed}; this server is {version}.",
    "unreadable-log": "The log of table {table} cannot be read: {error:.150}",
    "not-loggable": "The log cannot hold that: {error}.",
    "store-failed": "The store failed: {error}. Try again.",
    "store-unusable": "The server can't use its store right now. Try again in a moment.",
    "session-extra": "This server can't compute sessions, because passline[{extra}] is not "
    "installed there. Ask its operator to install it, or use the command 'passline session'.",
    # A request to say a line
    "request-id": "id: use 1 to {most} printable characters.",
    "repeated-id": "This id was used for another line. Use a new id.",
    "nonce-form": "nonce: use at most 64 letters, digits, - and _.",
    "long-line": "The line has {count} characters; use at most {most}",
    "empty-line": "The line is empty. Say something such as 'pass for 10'.",
    "line-comment": "Leave out the '#': a line has no comment.",
    "separate-line": "Say {words:q} in a line of its own.",
    "missing-bet": "Say after the name what {player} bets.",
    "no-buy-in-asked": "{player:q} asked for no buy-in here.",
    # Who may do what
    "no-seat": "You have no seat here yet. Sit down first.",
    "only-yourself": "You can only act for yourself{player:, not for {player}|}.",
    "daily-chips": "You can't buy more chips: everyone plays a Daily with the same.",
    "dice-are-real": "The dice are real here. The stickperson types them in.",
    "house-throws": "The house throws the dice here. The shooter says 'roll'.",
    "throw-proven": "The house throws the dice here: a throw is proven, and nobody corrects it.",
    "token-watches": "A {role} token can only watch. Use the token of a seat or a post.",
    "no-post": "A {role} token has no post here. Use a token of the crew.",
    "post-missing": "{game} has no {role}",
    "learner-at-post": "A learner is the {post} here. Send the work at {where} instead of lines.",
    "machine-at-post": "The machine is the {post} here. This token can only watch.",
    "post-relieved": "{name} has relieved the {post}. This token can only watch.",
    "unknown-player": "There is no player {player!r} here.{players: Choose one of: {players:,}.|}",
    "crew-tenders": "Only the crew says how a bet was tendered. Say the bet and its amount.",
    "other-roles": "The {role} may not do that; the {roles:or} may.",
    "named-roles": "The {role} may not do that; only the {roles:or} may.",
    "never-by-role": "The {role} may never do that.",
    "dice-uncalled": "Nobody may touch the dice until the throw is called.",
    "other-end": "{player} is at the {end} end: the {end} base dealer deals there.",
    "center-only": "The stick books center bets only, not {wager}.",
    # The Daily
    "daily-full": "Today's Daily is full. Try again tomorrow.",
    "daily-played": "{name!r} has played today already. Each name has one try a day.",
    "daily-published": "The secret of {day} was published, so that its throws are known. This "
    "Daily is over: come back for the next one.",
    "unknown-day": "There is no such day. Use a date such as 2026-11-16.",
    # What a player may do now
    "table-closed": "The table is closed.",
    "seat-left": "You have left. Buy in to come back.",
    "left-with-chips": "You have left with {rail:$}. Come back with it, or buy in.",
    "bubble-roll": "Press Roll and the machine throws.",
    "bubble-bet": "Make a bet.",
    "your-dice": "The dice are yours: press Roll, or bet first.",
    "your-dice-soon": "The dice are yours soon: {reason}.",
    "your-dice-betting": "The dice are yours when the betting time ends. Bet, or press Ready.",
    "your-dice-ready": "You are ready. The dice are yours when the betting time ends, or the "
    "others are ready: {players:,}.",
    "your-dice-stick": "The dice are yours when the stick sends them. Bet, or wait.",
    "throw-yours": "The dice are out: throw them, and the stick tells what they show.",
    "throw-theirs": "The dice are out: wait for the throw.",
    "bet-line-later": "Make a bet. The line opens with the next come-out.",
    "bet-line": "Make a bet. Most begin on the pass line.",
    "other-shooter": "{shooter} is to throw. Bet, or wait.",
    "no-shooter": "Nobody may throw yet: a shooter needs a line bet. Make one on the pass line.",
    "sit-or-watch": "Sit down to play, or watch.",
    "box-asked": "The box is asked for your {amount:$}. One moment.",
    "box-declined": "The box turned your {amount:$} down{reason:: {reason}|}. Ask again, or watch.",
    "daily-over": "Your fifty throws are made, and your bets have come back.",
    "daily-played-out": "Your chips do not make a line bet any more: this Daily is played out.",
    "rail-empty": "Your rail is empty: buy in for more.",
    "rail-short": "Your rail holds {rail:$}, and a line bet is {least:$}: buy in for more.",
    "throw-corrected": "The {by} corrected the throw: it was {now:and}, not {was:and}.",
    "late-bet": "{player}, {wager} for {amount:$}",
    "lowest-place": "lowest free",
    # Why a session has no rank, after a colon
    "log-too-long": "this table's log is too long to rank your session",
    "rank-extra": "passline[{extra}] is not installed on this server",
    "session-rank": "{below} of 100 sessions like yours end below your {worth:$}, {level} level "
    "with it. Like yours: {throws:,} throws from {bankroll:$} with {wagers} up.",
}


def say_live(code: str, /, **figures: object) -> str:
    """Return the sentence of a code in ``LIVE_SENTENCES`` with its figures filled in.

    >>> say_live("unknown-table", table="abc")
    "There is no table 'abc'."
    """
    return format_words(LIVE_SENTENCES[code], figures)
