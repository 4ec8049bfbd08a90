"""How long a hand lasts, by the auditor's own count: two dice, the points, the seven that ends."""

from __future__ import annotations

from fractions import Fraction

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def lasts(rolls: int, points: tuple[int, ...]) -> Fraction:
    """The chance that a hand lasts at least so many throws: it ends with a seven after a point."""
    coming_out, on = Fraction(1), dict.fromkeys(points, Fraction(0))
    for _ in range(rolls - 1):
        stays = sum(WAYS[total] for total in WAYS if total not in points)
        after = coming_out * Fraction(stays, 36)
        after += sum((on[p] * Fraction(WAYS[p], 36) for p in points), Fraction(0))
        on = {
            p: coming_out * Fraction(WAYS[p], 36) + on[p] * Fraction(36 - WAYS[p] - 6, 36)
            for p in points
        }
        coming_out = after
    return coming_out + sum(on.values(), Fraction(0))


def mean(points: tuple[int, ...]) -> Fraction:
    """The mean number of throws: come-outs, and throws with a point on until it is decided."""
    sets = {p: Fraction(WAYS[p], 36) for p in points}
    loses = sum((sets[p] * Fraction(6, WAYS[p] + 6) for p in points), Fraction(0))
    each = 1 + sum((sets[p] * Fraction(36, WAYS[p] + 6) for p in points), Fraction(0))
    return each / loses


def all_points(hands_points: tuple[int, ...]) -> list[Fraction]:
    """The chances of 0, 1, ... different points, by every order in which new ones can be made."""
    weight = {p: Fraction(WAYS[p]) * Fraction(WAYS[p], WAYS[p] + 6) for p in hands_points}
    lost = sum((Fraction(WAYS[p] * 6, WAYS[p] + 6) for p in hands_points), Fraction(0))
    found = [Fraction(0)] * (len(hands_points) + 1)

    def go(left: tuple[int, ...], chance: Fraction) -> None:
        whole = lost + sum((weight[p] for p in left), Fraction(0))
        found[len(hands_points) - len(left)] += chance * lost / whole
        for point in left:
            go(tuple(p for p in left if p != point), chance * weight[point] / whole)

    go(hands_points, Fraction(1))
    return found


def all_before_seven(totals: tuple[int, ...]) -> Fraction:
    """The chance that all of these come before a seven, by every order in which they can."""
    if not totals:
        return Fraction(1)
    whole = 6 + sum(WAYS[total] for total in totals)
    return sum(
        (
            Fraction(WAYS[first], whole) * all_before_seven(tuple(t for t in totals if t != first))
            for first in totals
        ),
        Fraction(0),
    )


def decisions(number: int, points: tuple[int, ...]) -> Fraction:
    """The chance of exactly so many decisions: each loses by a point with one chance."""
    loses = sum((Fraction(WAYS[p], 36) * Fraction(6, WAYS[p] + 6) for p in points), Fraction(0))
    return (1 - loses) ** (number - 1) * loses


def points_made(number: int, points: tuple[int, ...]) -> Fraction:
    """The chance of making exactly so many points."""
    decided = sum(Fraction(WAYS[p], 36) for p in points)
    made = sum(
        (Fraction(WAYS[p], 36) * Fraction(WAYS[p], WAYS[p] + 6) for p in points), Fraction(0)
    )
    again = made / decided
    return again**number * (1 - again)
