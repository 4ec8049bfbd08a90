"""Iowa's netting as the crew pays it: losers that stay up come out of their player's wins."""

from __future__ import annotations

from collections.abc import Iterable

from passline.layout import Layout, Settlement

#: What is held back from a winning wager's pay, in cents, by player and wager.
HeldBack = dict[tuple[str, str], int]


def held_back(layout: Layout, settlements: Iterable[Settlement]) -> HeldBack:
    """How much of each win pays for the player's netted losers (prop-payoffs.7#1).

    Only the center's wins do: a place wager that stays up is paid whole.
    """
    found = [done for done in settlements if _center(layout, done.wager)]
    lost: dict[str, int] = {}
    for done in found:
        if done.result == "lose" and done.left:
            lost[done.player] = lost.get(done.player, 0) + done.stake
    held: HeldBack = {}
    for done in found:
        if done.result == "win" and done.left and lost.get(done.player):
            out = min(done.paid, lost[done.player])
            lost[done.player] -= out
            held[done.player, done.wager] = out
    return held


def _center(layout: Layout, wager: str) -> bool:
    """Whether a wager is a proposition; an award is on no spot."""
    return wager in layout.spots and layout.spots[wager].rule.area == "center"
