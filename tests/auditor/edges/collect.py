"""Fire and bonus wagers by inclusion and exclusion: no chain is walked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations

from .pips import SEVENS, WAYS, before_seven, chance, rolls_of
from .tale import Figures, figures


def _subsets(things: Iterable[int]) -> Iterator[tuple[int, ...]]:
    listed = tuple(things)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def points_made(points: tuple[int, ...]) -> list[Fraction]:
    """The chance that a shooter makes exactly 0, 1, 2 ... different points before sevening out.

    Come-out throws that set no point change nothing, so a hand is a run of rounds, each of which
    makes one point or ends the hand. That no point outside a set is made before the end is a race
    between the end and those points; exactly that set follows by inclusion and exclusion.
    """
    whole = sum(WAYS[n] for n in points)
    made = {n: Fraction(WAYS[n], whole) * before_seven(n) for n in points}
    out = 1 - sum(made.values(), Fraction())
    # within[size]: summed over all sets of that size, the chance that nothing outside is made.
    within = [Fraction(0)] * (len(points) + 1)
    for inside in _subsets(points):
        others = sum((made[n] for n in points if n not in inside), Fraction())
        within[len(inside)] += out / (out + others)
    found = []
    for size in range(len(points) + 1):
        # Each smaller set of `part` lies in (left choose size - part) sets of `size`.
        exact = Fraction(0)
        for part in range(size + 1):
            exact += (-1) ** (size - part) * _choose(len(points) - part, size - part) * within[part]
        found.append(exact)
    return found


def _choose(things: int, some: int) -> int:
    return sum(1 for _ in combinations(range(things), some))


def hand_rolls(points: tuple[int, ...]) -> Fraction:
    """The mean number of rolls of a shooter's hand, to the seven-out.

    >>> float(hand_rolls((4, 5, 6, 8, 9, 10)))
    8.525510204081632
    """
    whole = sum(WAYS[n] for n in points)
    to_a_point = 1 / chance(*points)
    then = sum((Fraction(WAYS[n], whole) * rolls_of(n) for n in points), Fraction())
    out = 1 - sum(Fraction(WAYS[n], whole) * before_seven(n) for n in points)
    return (to_a_point + then) / out


def fire(points: tuple[int, ...], pays: Mapping[int, Fraction]) -> Figures:
    """A fire wager: settled at the seven-out, paid by different points made, the top line open."""
    top = max(pays)
    ends = [
        (odds, pays.get(min(count, top), Fraction(-1)))
        for count, odds in enumerate(points_made(points))
    ]
    return figures(ends, hand_rolls(points))


def bonus(numbers: Iterable[int], pays: Fraction) -> Figures:
    """All of the numbers thrown before a seven, on any rolls; over when complete or at a seven.

    The last of the numbers comes before the seven: by inclusion and exclusion over which of them
    come after it. The time is the longest of the races of each number against the seven.
    """
    win = rolls = Fraction(0)
    for some in _subsets(numbers):
        deciding = SEVENS + sum(WAYS[n] for n in some)
        sign = (-1) ** len(some)
        win += sign * Fraction(SEVENS, deciding)
        if some:
            rolls -= sign * Fraction(36, deciding)
    return figures([(win, pays), (1 - win, Fraction(-1))], rolls)
