"""What a server says: why a request or a page was refused, and what to do; titles and labels.

``WEB_SENTENCES`` and ``API_SENTENCES`` have one sentence for each code, in the notation of
``refusals``.
"""

from __future__ import annotations

from passline.game.words.refusals import format_words

#: What the site is, in one sentence: in the footer and where a link to it is shown.
SITE_DESCRIPTION = "Craps by five published rulebooks, with the clause behind every payout."
#: The name that pages show for a table that is not open to everybody.
PRIVATE_TABLE_NAME = "A table"
#: The titles of error pages, by status.
ERROR_TITLES = {
    400: "Something in that address or form is wrong",
    401: "By invitation only",
    403: "You may not do that",
    404: "Page not found",
    405: "Method not allowed",
    429: "Too many requests",
    503: "Not available right now",
}
#: What the status of a clause means.
STATUS_MEANINGS = {
    "enforced": "the engine decides by it",
    "modelled": "the engine represents it",
    "shown": "pages and documents show it to people",
}
#: The headings of the parts of a rulebook that are not wagers. Others have the part's name.
PART_HEADINGS = {
    "games": "The game",
    "points": "The game",
    "odds_word": "Amounts and payoffs",
    "stakes": "Amounts and payoffs",
    "net_center": "Amounts and payoffs",
    "net_down": "Amounts and payoffs",
    "working": "Bets that are up",
    "changes": "Bets that are up",
    "stays": "Bets that are up",
    "vig": "Vigorish",
    "tender": "Making a bet",
    "throw": "The throw",
    "dice": "The dice",
    "crew": "The crew",
    "elect": "What a house may choose",
    "seating": "Players",
    "inspection": "Inspecting the dice",
    "groups": "Groups of bets",
}
#: What the questions of a level of the school are about.
LEVEL_WORDS = {
    1: "one bet, one color",
    2: "mixed stacks, the center, don'ts",
    3: "several players, chips as the manual pays",
    4: "amounts that do not come out even",
    5: "everything",
}
#: The amounts that the page of sessions asks for, by parameter.
SESSION_AMOUNTS = {
    "bankroll": "The bankroll",
    "stop_win": "The win to leave at",
    "stop_loss": "The loss to leave at",
}

WEB_SENTENCES = {
    # The server
    "stopping": "The server is stopping. Try again.",
    "server-failed": "The server failed. You can send the same request, with the same id, again.",
    "busy": "The server is busy. Try again in a moment.",
    "store-slow": "The store did not write within {seconds:.0f} s.",
    "store-not-written": "The store cannot be written: {error}.",
    "store-closed": "The store cannot be written.",
    "disk-full": "The server's disk is nearly full, so that nothing new is taken. Tell the "
    "operator, and try again later.",
    "other-host": "This server does not answer to that host name. Use the address that it printed.",
    "no-listen": "cannot listen at {host}: {error}",
    "no-listen-port": "cannot listen at {host} port {port}: {error}",
    # Limits
    "address-connections": "Too many connections from one address. Try again in {wait} s.",
    "all-connections": "The server has all the connections that it takes. Try again in {wait} s.",
    "slow-request": "The request did not arrive in time. Try again in {wait} s.",
    "too-many-open": "Too many {what}: one address may hold {most} {what}. Close some, or try "
    "again in 10 s.",
    "all-open": "The server has all the {what} open that it allows. Try again in 10 s.",
    "address-wrote": "One address may write {most} MB of log in an hour. Try again in {wait} s.",
    "server-wrote": "This server takes {most} MB of log in an hour. Try again in {wait} s.",
    "address-seats": "One address may hold {most} seats. Leave one, ask the operator for an "
    "invitation, or try again in 60 s.",
    "address-hosts": "One address may open {most} tables in an hour. Try again in {wait} s.",
    "address-names": "One address may take at most {most} seats of a table in an hour. Try again "
    "in {wait} s.",
    "address-shifts": "One address may deal {most:#shift} at a time. End one first.",
    "all-shifts": "Too many shifts are being dealt here. Try again in a minute.",
    "lines-too-fast": "Too fast: at most {most} lines a second. Try again in {wait} s.",
    "wrong-tokens": "Too many wrong keys or tokens from this address. Try again in {wait} s.",
    # Limits of an address; {most} times in {seconds} seconds
    "rate.seat": "One address may ask for a seat at most {most} times in {seconds:.0f} seconds. "
    "Try again in {wait} s.",
    "rate.daily": "One address may start the Daily at most {most} times in {seconds:.0f} seconds. "
    "Try again in {wait} s.",
    "rate.school": "One address may ask the school at most {most} times in {seconds:.0f} seconds. "
    "Try again in {wait} s.",
    "rate.learner": "One address may register names at most {most} times in {seconds:.0f} "
    "seconds. Try again in {wait} s.",
    "rate.shift": "One address may start shifts at most {most} times in {seconds:.0f} seconds. "
    "Try again in {wait} s.",
    "rate.audition": "One address may begin auditions at most {most} times in {seconds:.0f} "
    "seconds. Try again in {wait} s.",
    # Keys
    "house-key-wrong": "That is not the house key. The operator finds it beside the logs, or in "
    "PASSLINE_HOUSE_KEY.",
    "operator-only": "Only the operator may do that: a table's token is not the house key.",
    # Pages
    "title.other": "That did not work",
    "no-page": "There is no page at this address. Check it for typing errors.",
    "no-file": "There is no such file. Reload the page.",
    "no-document": "There is no such document. The list of documents has all of them.",
    "no-rulebook": "There is no such rulebook. Choose one of: {books:,}.",
    "no-clause": "{title} has no clause {clause}.{near: The nearest are: {near:,}.|"
    " Search the rulebook for a word.}",
    "not-a-daily": "That table is not a Daily. Find it in the lobby.",
    "pages-behind": "The pages fell behind the table. Reload the page.",
    "too-many-rules": "An address can hold at most {most} house rules. Leave some out.",
    # Tables
    "no-wager": "This table does not offer that wager. The felt shows those that it does.",
    "sit-first": "Sit down first: only players have bets to value.",
    "not-a-player": "Only a player of this table has a result here. Sit down to play.",
    "place-not-number": "The place must be a number, such as 3.",
    # Luck and sessions
    "still-up": "Still up: {up:$}, worth {worth:$.00}.",
    "log-too-long": "This log is too long to review here. Download the log from the "
    "table's page and run 'passline luck' on it.",
    "no-strategy": "There is no such strategy. Choose one of: {known:,}.",
    "too-many-strategies": "Choose at most {most} strategies.",
    "too-many-parameters": "A session takes at most {most} parameters. Leave some out.",
    "rolls-range": "Rolls must be a whole number from 1 to {most:,}.",
    "too-many-states": "The strategy {strategy} has more than {most:,} states, too many for this "
    "server. Use the command 'passline session'.",
    "session-too-large": "{why} here. Use the command 'passline session'.",
    "fan-chart": "The bankroll of {strategy} over the rolls",
    "final-chart": "The final bankroll of {strategy}",
    "mean": "Mean",
    "mean-change": "{mean:$} ({change:+$})",
    "sd": "Standard deviation",
    "ruin": "Ruin",
    "winner": "Leaves a winner",
    "loser": "Leaves a loser",
    "rolls-played": "Rolls played, on average",
    "method": "Method",
    "exact": "exact, in {arithmetic}",
    "after-rolls": "After rolls",
    "median": "Median",
    "percentile": "{percent}% at or below",
    # A replay
    "other-replay": "This server replays another game. Open the address that it printed.",
    "no-log": "This game was read from a record, which has no log. Download the record.",
    # The school
    "no-lesson": "There is no such lesson. The school's page lists all of them.",
    "no-drill": "There is no such drill. Choose one of: {drills:,}.",
    "no-dealers": "This game has no dealers: a machine deals it. Choose another game.",
    "house-too-long": "A house file may have at most {most:,} characters.",
    "level-range": "The level must be from {least} to {most}.",
    "seed-form": "A seed has 1 to 64 letters, digits and signs.",
    "school-token": "That token is not valid on this server. Choose a name in the school.",
    "learner-name-first": "Choose a name in the school first, or send your own token.",
    "learner-taken": "The name {name} is taken. Choose another.",
    "answers-not-kept": "This server does not save learners' answers. Practice without a name.",
    "answered-otherwise": "Question {number} has another answer already. Go on with the next.",
    "instructors-only": "Only instructors may see the class: this is a learner's token.",
    "no-audition": "There is no such audition. Begin one in the school.",
    "audition-over": "This audition is over: no more answers are accepted. See its report.",
    "audition-key": "Send the key of this audition.",
    "auditions-not-kept": "This server keeps no auditions. Ask its operator for one that does.",
    "no-certificate": "There is no certificate for this audition: it was not passed.",
    "not-a-certificate": "This is not a certificate: it lacks a field, or is not JSON. Paste the "
    "whole file.",
    "shifts-off": "This server deals no shifts, and so holds no auditions, which end in one. The "
    "lessons and drills are at /school.",
    "no-shift": "There is no such shift. Begin one in the school.",
    "shift-post": "Only the holder of the post deals this shift.",
}
#: Sentences for programs, about headers and fields that no page sends wrong.
API_SENTENCES = {
    "house-key-missing": "This needs the house key, in a header 'Authorization: Bearer KEY'.",
    "token-header": "Send one header: 'Authorization: Bearer TOKEN'.",
    "table-token": "Send your token for this table: 'Authorization: Bearer TOKEN'.",
    "instructor-token": "Send an instructor's token: 'Authorization: Bearer TOKEN'.",
    "shift-token": "Send the token of the shift's post.",
    "other-learner": "Send the token that belongs to that name.",
    "token-letters": "A token has 32 to 64 letters and digits.",
    "answer-id": "An id has 1 to 64 letters, digits, - and _.",
    "origin-missing": "A request with a cookie that changes something must name its Origin.",
    "other-origin": "A page of another origin may not do this.",
    "other-site": "A page of another site may not do this.",
    "not-json-type": "The Content-Type must be application/json.",
    "wrong-method": "This address does not take that method. It takes: {allowed}.",
    "body-late": "The request body did not arrive in time.",
    "body-too-large": "The body may have at most {most} bytes.",
    "json-shape": "The JSON body has the wrong shape: {error}.",
    "not-json": "The body is not valid JSON: {error}.",
    "json-nested": "The JSON body is nested too deeply.",
    "answer-nested": "The answer is nested too deeply.",
    "not-a-number": "'{name}' must be a number.",
    "count-range": "'count' must be from 1 to {most}.",
    "question-range": "'n' must be from 1 to {most:,}.",
    "limit-range": "'limit' must be a number of tables from 1 to 9999.",
    "after-range": "'after' (or Last-Event-ID) must be the number of an entry, or -1.",
    "post-choice": "'post' must be one of: {posts:,}.",
    "pace-range": "'pace' must be from {least} to {most}.",
    "zone-range": "'zone' is minutes east of UTC, from -{most} to {most}.",
    "shift-rolls-range": "'rolls' must be from {least} to {most}.",
}
_SENTENCES = WEB_SENTENCES | API_SENTENCES


def say_web(code: str, /, **figures: object) -> str:
    """Return the sentence of a code with its figures filled in.

    >>> say_web("learner-taken", name="Mary_Ann")
    'The name Mary Ann is taken. Choose another.'
    """
    return format_words(_SENTENCES[code], figures)
