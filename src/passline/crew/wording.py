"""Tasks in words, as a floor supervisor would read them off."""

from __future__ import annotations

from passline.crew.sequence import Step
from passline.layout import Settlement
from passline.money import show_dollars
from passline.money.chips import Rack, Uncut
from passline.words.wagers import layout_name

#: How many of each colour, the largest first.
ChipCounts = tuple[tuple[str, int], ...]


def cut(rack: Rack, amount: int) -> ChipCounts:
    """An amount in chips; what no chip is small enough for is left out.

    >>> from passline.money import RACK
    >>> cut(RACK, 1400)
    (('red', 2), ('white', 4))
    """
    found = rack.cut(amount)
    return found.chips.counts if isinstance(found, Uncut) else found.counts


def chip_words(chips: ChipCounts) -> str:
    """Chips by colour.

    >>> chip_words((("green", 1), ("white", 3)))
    '1 green, 3 white'
    """
    return ", ".join(f"{count} {colour}" for colour, count in chips)


def whose(player: str) -> str:
    """A player's, in the genitive.

    >>> whose("ann"), whose("the dealers")
    ("ann's", "the dealers'")
    """
    return f"{player}'" if player.endswith("s") else f"{player}'s"


def task_words(
    step: Step, done: Settlement, chips: ChipCounts, how: str = "", held: int = 0
) -> str:
    """What is done to one wager; ``how`` a payoff is set, where that is known better, and
    ``held``: what netted losers hold back of it."""
    wager, stake = f"{whose(done.player)} {layout_name(done.wager)}", show_dollars(done.stake)
    where = f": {how}" if how else f", {step.where}" if step.where else ""
    match step.do:
        case "take" if done.back:
            taken = show_dollars(done.stake - done.back)
            return f"takes {taken} of {wager}; {show_dollars(done.back)} goes back{where}"
        case "take":
            return f"takes {wager}, {stake}{where}"
        case "push":
            return f"pushes {wager}, {stake}, {step.where}"
        case "keep":
            return f"leaves {wager}, {stake}, {step.where}"
        case "place":
            return f"moves {wager}, {stake}, to {layout_name(done.to or '')}{where}"
        case "return":
            return f"hands back {stake} of {wager}: {step.where}"
        case _:
            return _paid(done, chips, wager, held) + where


def spoken_words(step: Step, done: Settlement, held: int = 0) -> str:
    """What is announced of a wager as it is taken or paid."""
    wager = layout_name(done.wager)
    if step.do == "take":
        taken = show_dollars(done.stake - done.back)
        return f"announces {whose(done.player)} {wager} taken, {taken}"
    return f"announces {_due(done, held)} for {wager}, to {done.player}"


def _due(done: Settlement, held: int) -> str:
    """What the player gets: all of the pay, or what the losers leave of it."""
    if not held:
        return show_dollars(done.paid)
    paid, lost = show_dollars(done.paid), show_dollars(held)
    return f"{show_dollars(done.paid - held)} ({paid} less {lost} that lost)"


def _paid(done: Settlement, chips: ChipCounts, wager: str, held: int) -> str:
    if done.result == "push":
        return f"{wager} comes out level and comes down, {show_dollars(done.stake)}"
    cut = f" ({chip_words(chips)})" if chips else ""
    odds = f" at {done.odds}" if done.odds else ""
    vig = f", asks for {show_dollars(done.vig)} vigorish" if done.vig else ""
    back = f"; its {show_dollars(done.stake)} comes down with it" if done.stake else ""
    stays = "; the wager stays up" if done.left and done.stake else back
    return f"pays {wager} {_due(done, held)}{odds}{cut}{vig}{stays}"
