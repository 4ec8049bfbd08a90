"""Short sessions by plain enumeration: every run of totals, in cents and fractions.

Worth is the rail and what is up. After each roll, the last one too, the player leaves at once when
the worth has reached a stop; otherwise the strategy's next wagers must be covered, or it is ruin.
A line wager whose point stands at the end is played out: it wins before a seven, or loses.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .pips import SIX, TEN, WAYS, before_seven

UNIT = 1000


class Night(NamedTuple):
    """What is planned, in cents."""

    bankroll: int
    rolls: int
    stop_win: int | None = None
    stop_loss: int | None = None


#: A throw's total and the puck before it: the change of worth, and the puck after it.
Throw = Callable[[int, int], tuple[int, int]]


def field(total: int, puck: int) -> tuple[int, int]:
    """$10 in the field on every roll; the puck does not matter."""
    if total in {5, 6, 7, 8}:
        return -UNIT, 0
    return (2 * UNIT if total in {2, 12} else UNIT), 0


def pass_line(total: int, puck: int) -> tuple[int, int]:
    """$10 on the line on every come-out roll."""
    if puck:
        if total == 7:
            return -UNIT, 0
        return (UNIT, 0) if total == puck else (0, puck)
    if total in {7, 11}:
        return UNIT, 0
    return (0, total) if total in SIX else (-UNIT, 0)


def crapless(total: int, puck: int) -> tuple[int, int]:
    """The same, where every total but seven is a point."""
    if puck:
        return pass_line(total, puck)
    return (0, total) if total in TEN else (UNIT, 0)


class Ends(NamedTuple):
    """How the sessions end: by worth, and by why they ended. All chances are exact."""

    worths: dict[int, Fraction]
    ruin: Fraction
    goal: Fraction
    stopped: Fraction
    rolls: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean final worth."""
        return sum((p * worth for worth, p in self.worths.items()), Fraction())

    @property
    def sd(self) -> float:
        """The standard deviation of the final worth."""
        square = sum((p * worth**2 for worth, p in self.worths.items()), Fraction())
        return math.sqrt(square - self.mean**2)

    def quantile(self, percent: int) -> int:
        """The least worth that this percentage of the sessions do not pass."""
        so_far = Fraction()
        for worth in sorted(self.worths):
            so_far += self.worths[worth]
            if so_far * 100 >= percent:
                return worth
        raise AssertionError("the chances do not add up to one")


def play(throw: Throw, night: Night) -> Ends:
    """All ways the night can go: eleven totals after each roll, until an end."""
    worths: dict[int, Fraction] = defaultdict(Fraction)
    why: dict[str, Fraction] = defaultdict(Fraction)
    played = Fraction()
    nights = [(night.bankroll, 0, 0, Fraction(1))]
    while nights:
        worth, puck, rolls, chance = nights.pop()
        end = _ended(night, worth, rolls)
        if end:
            won = before_seven(puck) if puck else Fraction(0)
            worths[worth + UNIT if puck else worth] += chance * (won if puck else 1)
            if puck:
                worths[worth - UNIT] += chance * (1 - won)
            why[end] += chance
            played += chance * rolls
            continue
        for total, ways in WAYS.items():
            change, then = throw(total, puck)
            nights.append((worth + change, then, rolls + 1, chance * Fraction(ways, 36)))
    assert sum(worths.values()) == 1
    return Ends(
        worths=dict(worths),
        ruin=why["ruin"],
        goal=why["goal"],
        stopped=why["stopped"],
        rolls=played,
    )


def _ended(night: Night, worth: int, rolls: int) -> str:
    if night.stop_win is not None and worth >= night.bankroll + night.stop_win:
        return "goal"
    if night.stop_loss is not None and worth <= night.bankroll - night.stop_loss:
        return "stopped"
    if worth < UNIT:
        return "ruin"
    return "over" if rolls == night.rolls else ""
