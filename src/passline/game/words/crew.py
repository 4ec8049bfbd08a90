"""The crew's work in words: what each member does after a roll, and how a payoff is calculated."""

from __future__ import annotations

from fractions import Fraction

from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.words.wagers import layout_name
from passline.text import show_name

#: The count of each color, the largest chip first.
ChipCounts = tuple[tuple[str, int], ...]

#: What is done to pucks, markers and buttons, by the name of the task in a rulebook's crew data.
MARKER_TASKS = {
    "puck-on": "puts the puck ON {number}",
    "puck-check": "checks that {pucks} on {number}",
    "puck-off": "takes the puck off {number} and turns it OFF",
    "puck-special": "keeps the puck OFF before {player}: only come wagers are decided",
    "fire-marker": "puts fire marker {count} on the {number}",
    "surveillance": "tells surveillance: {count} points made, fire wagers up",
    "fire-clear": "takes the fire markers in",
    "bonus-button": "puts the bonus button on the {number}",
    "bonus-clear": "clears the bonus buttons",
    "shootout-button": "marks the {number} as made",
    "shootout-verify": "is called to verify that all points were made",
    "shootout-inspect": "stops the game and inspects the dice",
}
PUCK_STANDS, PUCKS_STAND = "the puck stands", "both pucks stand"
#: What is done with the ON and OFF buttons of a player's wagers, and what a button covers.
BUTTON_TASKS = {
    "off": "takes the button off",
    "leave": "leaves the {on} button on",
    "put": "puts an {on} button on",
}
BUTTON_COVERS = {
    "numbers": "all of {player}'s bets on the numbers are {on}",
    "hardways": "all of {player}'s hardways are {on}",
}
#: What crew members say and call, and the verdict on dice without a fault.
SAYS, CALLS, NO_FAULT = "says: {words}", "calls: {words}", "nothing is wrong"
#: A machine that does a crew's work; a pile that has no name on the layout.
MACHINE_NAME, PILE_NAME = "the machine", "pile beside the payoff"
#: Why a part of a wager is handed back.
OVER_MAXIMUM = "it is over the maximum"


def format_chips(chips: ChipCounts) -> str:
    """Return chips in words, by color.

    >>> format_chips((("green", 1), ("white", 3)))
    '1 green, 3 white'
    """
    return ", ".join(f"{count} {color}" for color, count in chips)


def format_possessive(player: str) -> str:
    """Return the possessive form of a player's name, as people read it.

    >>> format_possessive("Mary_Ann"), format_possessive("the dealers")
    ("Mary Ann's", "the dealers'")
    """
    name = show_name(player)
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def describe_task(
    verb: str,
    settlement: Settlement,
    chips: ChipCounts,
    where: str = "",
    how: str = "",
    netted: int = 0,
) -> str:
    """Return a sentence: what a dealer does to one wager.

    ``verb`` is the act: take, push, keep (leave it up), place (move it to its number), return or
    pay. ``chips`` is the payoff by color. ``where`` is the place or the reason, and ``how`` says
    how the payoff is set down. ``netted`` is the amount in cents that the player's losing wagers
    take out of the win.

    >>> lost = Settlement("ann", "hard-8", 500, "lose", None, 0, 0, "", 0, 0)
    >>> describe_task("take", lost, ())
    "takes ann's hard 8, $5"
    """
    wager = f"{format_possessive(settlement.player)} {layout_name(settlement.wager)}"
    stake = show_dollars(settlement.stake)
    tail = f": {how}" if how else f", {where}" if where else ""
    match verb:
        case "take" if settlement.back:
            taken = show_dollars(settlement.stake - settlement.back)
            return f"takes {taken} of {wager}; {show_dollars(settlement.back)} goes back{tail}"
        case "take":
            return f"takes {wager}, {stake}{tail}"
        case "push":
            return f"pushes {wager}, {stake}, {where}"
        case "keep":
            return f"leaves {wager}, {stake}, {where}"
        case "place":
            return f"moves {wager}, {stake}, to {layout_name(settlement.to or '')}{tail}"
        case "return":
            return f"hands back {stake} of {wager}: {where}"
        case _:
            return _format_payment(settlement, chips, wager, netted) + tail


def describe_announcement(verb: str, settlement: Settlement, netted: int = 0) -> str:
    """Return the sentence that announces a wager as it is taken (``verb`` "take") or paid (others).

    ``netted`` is the amount in cents that losing wagers take out of the win.
    """
    wager = layout_name(settlement.wager)
    if verb == "take":
        taken = show_dollars(settlement.stake - settlement.back)
        return f"announces {format_possessive(settlement.player)} {wager} taken, {taken}"
    due = _format_due(settlement, netted)
    return f"announces {due} for {wager}, to {show_name(settlement.player)}"


def _format_due(settlement: Settlement, netted: int) -> str:
    """Return what a winner gets in dollars: the pay, less the ``netted`` cents of losing wagers."""
    if not netted:
        return show_dollars(settlement.paid)
    paid, lost = show_dollars(settlement.paid), show_dollars(netted)
    return f"{show_dollars(settlement.paid - netted)} ({paid} less {lost} that lost)"


def _format_payment(settlement: Settlement, chips: ChipCounts, wager: str, netted: int) -> str:
    if settlement.result == "push":
        return f"{wager} breaks even and comes down, {show_dollars(settlement.stake)}"
    cut = f" ({format_chips(chips)})" if chips else ""
    odds = f" at {settlement.odds}" if settlement.odds else ""
    vig = f", asks for {show_dollars(settlement.vig)} vigorish" if settlement.vig else ""
    back = f"; its {show_dollars(settlement.stake)} comes down with it" if settlement.stake else ""
    stays = "; the wager stays up" if settlement.left and settlement.stake else back
    return f"pays {wager} {_format_due(settlement, netted)}{odds}{cut}{vig}{stays}"


#: The steps of a calculation in the head, by the name of the step in the data.
KEY_STEPS = {
    "blackjack": "blackjack the bet",
    "triple": "three times the bet",
    "add-a-zero": "add a zero",
    "half-off": "take half the bet off",
    "bet-off": "take the bet off",
}
_TIMES_WORDS = (
    "nothing", "once", "twice", "three times", "four times", "five times", "six times",
    "seven times", "eight times", "nine times", "ten times", "eleven times", "twelve times",
)  # fmt: skip
_PART_WORDS = {
    1: "the whole",
    2: "a half",
    3: "a third",
    4: "a quarter",
    5: "a fifth",
    6: "a sixth",
}
_COUNT_WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}


def describe_key(bet: int, box: int, share: Fraction) -> str:
    """Return in words how to compute a payoff from the bet and from the chips in the box that won.

    A proposition such as the horn is spread over several boxes of the layout. ``bet`` is how many
    times to take the whole bet. ``box`` is how many times to take the chips in the box that won,
    which are the part ``share`` of the bet.

    >>> describe_key(7, -1, Fraction(1, 4))
    'seven times the bet, less what is in the box (a quarter of it)'
    """
    if not bet and not box:
        return "a push: the bet wins what it loses"
    if not box:
        return f"{_format_times(bet)} the bet" if bet != 1 else "even money"
    bets = f"{_format_times(bet)} the bet" if bet != 1 else "the bet"
    times = "" if abs(box) == 1 else f"{_format_times(abs(box))} "
    if not bet:
        return f"{times}what is in the box ({_format_part(share)} of the bet)"
    sign = "and" if box > 0 else "less"
    return f"{bets}, {sign} {times}what is in the box ({_format_part(share)} of it)"


def describe_key_with_part(whole: int, part: Fraction) -> str:
    """Return the short way to compute a payoff from whole bets and a part of the bet, in words.

    A negative ``part`` is subtracted.

    >>> describe_key_with_part(2, Fraction(-1, 5))
    'twice the bet, less a fifth of it'
    """
    size = _format_part(abs(part))
    if not whole:
        return f"{size} of the bet"
    bets = f"{_format_times(whole)} the bet" if whole > 1 else "the bet"
    return f"{bets}, {'less' if part < 0 else 'and'} {size} of it"


def describe_bet_step(count: int, stake: int) -> str:
    """Return a step of working out a payoff, in words: ``count`` times the bet of ``stake`` cents.

    >>> describe_bet_step(2, 500)
    'twice the bet of $5'
    """
    return f"{_format_times(count)} the bet of {show_dollars(stake)}"


def describe_box_step(count: int, amount: int) -> str:
    """Return the words for one step of computing a payoff: add or subtract the chips in a box.

    The box is the part of the layout that won, such as one number of a horn bet. ``amount`` is the
    cents in it. ``count`` says how many times to add them; a negative count subtracts them.

    >>> describe_box_step(-1, 500)
    'less the $5 in the box'
    """
    times = "" if abs(count) == 1 else f"{_format_times(abs(count))} "
    return f"{'and' if count > 0 else 'less'} {times}the {show_dollars(amount)} in the box"


def describe_part_step(part: Fraction, first: bool) -> str:
    """Return the words for the step that adds a part of the bet, or subtracts a negative one.

    ``first`` is true for the first step of a calculation: then the words leave out "and".

    >>> describe_part_step(Fraction(1, 5), first=False)
    'and a fifth of the bet'
    """
    sign = "less " if part < 0 else "" if first else "and "
    return f"{sign}{_format_part(abs(part))} of the bet"


def _format_times(count: int) -> str:
    return _TIMES_WORDS[count] if 0 <= count < len(_TIMES_WORDS) else f"{count} times"


def _format_part(share: Fraction) -> str:
    if share.numerator == 1 and share.denominator in _PART_WORDS:
        return _PART_WORDS[share.denominator]
    if share.numerator in _COUNT_WORDS and share.denominator in _PART_WORDS:
        ending = _PART_WORDS[share.denominator].partition(" ")[2]
        return f"{_COUNT_WORDS[share.numerator]} {ending}s"
    return str(share)
