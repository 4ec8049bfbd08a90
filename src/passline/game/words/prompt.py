"""What the terminal table says to its player: hints, answers, questions, and what happened.

``PROMPT_SENTENCES`` has one sentence for each code; ``say_prompt`` fills in its figures. The
functions below address the player as "you" and name others. They read tables and events only.
"""

from __future__ import annotations

from collections.abc import Sequence

from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import UncutAmount
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.game.words.events import describe_event, describe_pass_reason, describe_shootout_note
from passline.game.words.refusals import format_sentence
from passline.game.words.wagers import screen_wager_name

PROMPT_SENTENCES = {
    # Hints: what to say next. {roll} and {line} are phrases in quotation marks.
    "hint-away": 'You have left. Say "buy in 200" to come back, or "quit".',
    "hint-broke": 'You have {rail} in your rail. Say "buy in 200" to go on, or "quit".',
    "hint-nobody": "Nobody can shoot yet. Say {line}, then {roll}.",
    "hint-ready": "Say {roll} when you are ready.",
    "hint-line": "Say {line}, then {roll}.",
    "hint-either-line": "Say {line} (or {other}), then {roll}.",
    "hint-odds": 'The point is {point}. Back your line with "{odds}" (no house edge), or {roll}.',
    "hint-wait": "The point is {point}. Say {roll}, or make another bet.",
    "hint-numbers": "The point is {point}. Say {bets}, or {roll}.",
    "hint-keep-dice": "Say {line} to keep them, or {roll} again to let them go.",
    "hint-left-up": 'Your line bet is up again. Say "leave my line down" to stop that.',
    "roll-phrase": '"roll"',
    "typed-roll-phrase": 'the dice that fell ("4 3")',
    # The table and its columns
    "own-rail": "in your rail: {chips}",
    "column-next-roll": "next roll, of 36",
    "column-house-edge": "house edge",
    "column-costs-about": "costs about",
    "limits-of-odds": "by its flat",
    # Answers to questions
    "unknown-wager": 'I know no wager called "{name}". Say "bets" to list them all.',
    "which-wager-pays": 'Which wager? Say "what does the field pay".',
    "more-wagers": 'There are more: say "bets" to see the others.',
    "table-limits": "The minimum is {least:$} and the maximum {most:$}.",
    "table-limits-center": "The minimum is {least:$} and the maximum {most:$}, the center from "
    "{low:$}.",
    "odds-limits": '{wager}: depends on the flat bet; "full odds" takes the most.',
    "wager-limits": "{wager}: {least:$} to {most:$}.",
    "pays": "{wager} pays {pays}.",
    "pays-true-odds": "{wager} pays {pays}: true odds, no house edge.",
    "pays-edge": "{wager} pays {pays}. It wins {wins:.1%} of its decisions; house edge {edge:.3%}.",
    "pays-say": '{wager} pays {pays}. Say "{say}".',
    "no-open-bets": "You have nothing up. passline odds shows every wager.",
    "edge-note": "The edge is the house's, over a bet's whole life; odds have none.",
    "no-such-wager": 'No wager here is called "{name}". Say "bets" to list them all.',
    "bets-more": 'Say "bets hard" or "bets 6" to see what each one pays.',
    "nothing-rolled": "Nothing has been rolled yet.",
    "no-clause": "{book} has no clause {clause}.",
    "refused": "Refused: {reason}",
    "nothing-decided": "The last roll decided none of your bets.",
    # Questions and replies of the prompt
    "unchanged": "Nothing has changed.",
    "nobody-named": "There is no {name} at the table.",
    "bets-by-strategy": "{name} bets by a strategy: speak for yourself.",
    "only-for-yourself": 'That is only for yourself. Say "{name} buys in 200" or "{name} leaves".',
    "did-you-mean": 'I did not understand "{words}". Did you mean "{near}"?',
    "show-help": '{error}. Say "help" or "bets" to see what you can say.',
    "strategy-stopped": "{name} bets no more: {error}",
    "dice-are-rolled": 'The dice are rolled for you here: say "roll".',
    "typed-dice-option": "(passline play --typed lets you type the dice of a real table.)",
    "which-dice": "Which dice fell? Type the two of them, such as 4 3.",
    "dice-faces": "A die has the faces 1 to 6: type the two that fell, such as 4 3.",
    "total-or-dice": "{typed} could be a total or two dice: type them apart, such as {apart}.",
    "buy-in-how-much": 'Buy in for how much? Say "buy in 200".',
    "buy-in-limit": "The most you can buy in for at a time is {most:$}.",
    "taken-back": "Taken back: {words}. You have {rail:$} in your rail.",
    "save-where": 'Save it where? Say "save my-game.craps".',
    "replace-file": "{path} exists already. Replace it?",
    "quit-instead": 'Say "quit" to go and leave everything as it is.',
    "you-go": "You go with {rail:$} ({change:+$}).",
    "you-go-with-bets": "You go with {rail:$} and {up:$} up ({change:+$}).",
    "line-up": "A line bet that wins is left up: it is made again for you.",
    "line-down": 'A line bet that wins comes down with its pay. Say "leave my line up" to have it '
    "made again.",
    "already-up": 'Your {wager} is up for {amount:$}: it was left up for you. Say "{wager} to '
    '{double:$}" for more.',
    "lose-dice": "You have no line bet: the dice go to {next}.",
    "waits-for-box": "Waiting for the boxperson to approve your buy-in.",
    "said-last": "what you said last",
    "speaks-for-self": "{player} speaks for {player}, and you for yourself",
    "no": "No: {reason} [{cite}]",
    "echo-own": "{bets} {vig}{rail:$} in your rail.",
    "echo-other": "{bets} {vig}{rail:$} in {player}'s rail.",
    "dice-plain": "The dice: {first} and {second}. {call}.",
    "hand-over": "  The hand had {hand}",
    "in-all": "  in all {change:+$}",
    "ask-yes": "y or n> ",
    "ask-point": "point {point}> ",
    "ask-come-out": "coming out> ",
    # The table in sentences
    "puck-on": "The puck is on {point}.",
    "puck-off": "The puck is off, coming out.",
    "you-have-up": "You have up: {bets:,}.",
    "nothing-up": "You have nothing up.",
    "your-rail": "Your rail: {rail:$}, {chips}.",
    "your-dice": "You have the dice.",
    "other-player": "{name}{dice:, who has the dice,|} has {rail:$}; {bets}.",
    "dealers-have-up": "{dealers} have up: {bets}.",
    "no-bets": "nothing up",
    "points-made": "points made: {numbers}",
    "totals-thrown": "totals thrown: {numbers}",
    "counted": "{wager}: {count} so far",
    "shootout-made": "shootout {amount:$}, points made: {numbers}",
    # Opening, saving and leaving a game
    "nothing-lost": "Nothing is lost when you go: passline play --resume goes on with this game.",
    "seat-stays": "Your seat stays yours when you go: {command} comes back to it.",
    "not-saved": "this game cannot be saved to {path}: {error}",
    "saved-again": "this game is saved again to {path}",
    "saved-copy": "Saved to {path}. To go on with it: {command}",
    "no-folder": "{path} cannot be written: there is no folder {folder}",
    "not-written": "{path} cannot be written: {error}",
    "said": "{words}",
    "player-name": "--name: {name:q} cannot be a player's name: use letters, digits and spaces",
    "which-player": "--name {name}: expected one of {names}",
    "rail-limit": "--rail: at most {most} others at the rail",
    "rail-unknown": "--rail: nobody in {path} bets by {strategy}",
    "rail-program": "{path}: {name} of the rail bets by {strategy:.200}, a program that is not "
    "loaded on a record's word: give it again with --rail, or take the '# rail:' line out",
    "rail-member": "{path}: {name} of the rail",
    "bankroll-limit": "--bankroll: {most:$} at most",
    "no-home": "PASSLINE_HOME: no folder to keep games in: {error}",
    "record-path": "a record cannot hold a # or a line's end in a path or a house rule",
    "record-dice": "{path}: '# dice: {dice:.40}' is none of typed, seed N",
    "record-unreadable": "{path:q200} cannot be read: {error}",
    "game-open": "{path} is being played in another window",
    "games-open": "every game{book: under {book}|} in {folder} is being played in another window",
    "no-game": "there is no game{book: under {book}|} to resume in {folder}",
}

HELP_TEXT = """\
Say what you would say to a dealer, several at once after a semicolon:
  pass line for 10      odds for 20; full odds    place the six for 12
  come for 10           $44 inside; $64 across    press the six
  hard eight for 5      take down my six          turn me off; turn me on
  buy in 200            pass the dice             same bet; leave my line down
And to the screen:
  roll        {dice}
  table       show the table (or just Enter)
  why         the clauses behind the last roll or refusal, or: why CLAUSE
  odds        what your bets win and cost
  bets        every wager here: pays, limits, how to say it, or: bets WORD
  crew        what the crew did on the last roll, in order
  undo        take back what you said last, before the dice roll
  save FILE   save the record of this game to a file
  leave       take down what may come down, and go; quit goes and leaves it up"""
HELP_DICE = {True: "type the two dice that fell instead: 4 3", False: "roll the dice (or just r)"}

_RESULT_WORDS = {"lose": "loses", "push": "pushes and stays", "return": "comes back"}


def say_prompt(code: str, /, **figures: object) -> str:
    """Return the sentence of a code in ``PROMPT_SENTENCES`` with its figures filled in.

    >>> say_prompt("wager-limits", wager="field", least=500, most=50000)
    'field: $5 to $500.'
    """
    return format_sentence(PROMPT_SENTENCES[code], figures)


def make_sentence(words: str) -> str:
    """Return words as a sentence: a capital first, a period last."""
    return f"{words[:1].upper()}{words[1:]}."


def describe_chips(table: Table, amount: int) -> str:
    """Return an amount in cents as chips of the table's rack, in words: "2 red, 2 white".

    Cents that no chips make are left out. Without any chips, return "no chips".
    """
    found = table.house.rack.cut(amount)
    return str(found.chips) if isinstance(found, UncutAmount) else str(found)


def describe_vigorish(wager: str, cents: int) -> str:
    """Return a sentence about the vigorish charged for a wager, or given back if negative."""
    back = " back" if cents < 0 else ""
    return f"Vigorish {show_dollars(abs(cents))}{back} for {screen_wager_name(wager)}."


def describe_event_to(table: Table, event: ev.AnyEvent, player: str) -> str:
    """Return an event as a sentence to ``player``, or "" if the terminal already shows it."""
    if getattr(event, "player", "") == player:
        return _describe_own_event(table, event)
    match event:
        case ev.DiceTaken(other):
            return f"{other} takes the dice."
        case ev.DicePassed(other):
            return f"{other} passes the dice, {describe_pass_reason(event)}."
        case ev.ShootoutMoved():
            return f"Shootout: {describe_shootout_note(event.note)}." if event.note else ""
        case ev.Rolled() | ev.DiceSent() | ev.DiceDrawnBack():
            return ""
        case _:
            return make_sentence(describe_event(event))


def _describe_own_event(table: Table, event: ev.AnyEvent) -> str:
    match event:
        case ev.Changed():
            return _describe_change(event)
        case ev.Called(_, wager, on):
            word = "works by the rules again" if on is None else "is on" if on else "is off"
            return make_sentence(f"{screen_wager_name(wager)} {word}")
        case ev.BoughtIn(_, amount):
            return f"You buy in for {show_dollars(amount)}: {describe_chips(table, amount)}."
        case ev.ChequesChanged(_, changed, color, count):
            return f"{show_dollars(changed)} changed: {count} {color}."
        case ev.ColoredUp():
            return "Your chips are colored up."
        case ev.LeftTable():
            return "You leave the table."
        case ev.Seated(_, standing):
            return "You stand up." if standing else "You sit down."
        case ev.DiceTaken(_, offered):
            return f"The stick offers you {offered} dice: you take two."
        case ev.DiceDeclined():
            return "You let the dice go by."
        case ev.DicePassed():
            return f"You pass the dice, {describe_pass_reason(event)}."
        case ev.DiceAsked(_, same):
            return f"You ask for {'the same' if same else 'new'} dice."
        case ev.DiceSent():
            return ""
        case _:
            return make_sentence(describe_event(event))


def _describe_change(event: ev.Changed) -> str:
    name = screen_wager_name(event.wager)
    vig = f", vigorish back {show_dollars(-event.vig)}" if event.vig < 0 else ""
    if not event.now:
        return make_sentence(f"{name} down, {show_dollars(event.was)} back to you{vig}")
    return make_sentence(f"{name} to {show_dollars(event.now)}{vig}")


def describe_already_up(bet: cmd.Bet) -> str:
    """Return the sentence for a player who makes a line bet that is already up."""
    return say_prompt(
        "already-up",
        wager=screen_wager_name(bet.wager),
        amount=bet.amount,
        double=2 * bet.amount,
    )


def describe_lost_dice(events: Sequence[ev.AnyEvent], player: str) -> str:
    """Return a warning if the events before the next roll take the player's dice; else ""."""
    lost = any(isinstance(event, ev.DicePassed) and event.player == player for event in events)
    takers = [event.player for event in events if isinstance(event, ev.DiceTaken)]
    return say_prompt("lose-dice", next=(takers or ["another"])[-1]) if lost else ""


def describe_settlement(table: Table, done: Settlement) -> str:
    """Return what a roll did to one bet, in words: the pay, its odds and its chips."""
    lead = f"{screen_wager_name(done.wager)} {show_dollars(done.stake)}"
    if done.result == "win":
        at = f" at {done.odds}" if done.odds else ""
        vig = f", less {show_dollars(done.vig)} vigorish" if done.vig else ""
        cut = f": {describe_chips(table, done.paid)}" if done.paid else ""
        stays = "; stays up" if done.left else ""
        return f"{lead} wins {show_dollars(done.paid)}{at}{cut}{vig}{stays}"
    if done.result == "travel":
        spot = table.layout.spots[done.to or ""]
        where = f"the {spot.number}" if spot.rule.is_come else screen_wager_name(spot.slug)
        return f"{lead} goes to {where}"
    if done.result == "lose" and done.left:
        return f"{lead} loses out of the win and stays up"
    if done.result == "lose" and done.back:
        return f"{lead} loses, {show_dollars(done.back)} back"
    return f"{lead} {_RESULT_WORDS[done.result]}"
