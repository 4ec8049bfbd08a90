"""The edges of side bets, from the rules as published. Imports nothing of Passline.

Each function plays a bet through every sequence of rolls by its own reading and returns the
expected loss of one unit, as an exact fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
WHOLE = 36


def muggsys_corner(come_out: int, after_point: int) -> Fraction:
    """Lose a unit unless a seven comes at once, or right after the point."""
    point = Fraction(sum(WAYS[n] for n in POINTS), WHOLE)
    seven = Fraction(WAYS[7], WHOLE)
    won = seven * come_out + point * seven * after_point
    return 1 - seven - point * seven - won


def totals_before_seven(needs: tuple[int, ...], pays: dict[int, int]) -> Fraction:
    """Every total in ``needs`` is paid at once, fewer when the seven comes; pays by the count."""
    top = len(needs)

    @cache
    def value(missing: frozenset[int]) -> Fraction:
        have = top - len(missing)
        if not missing:
            return Fraction(pays[top])
        whole = WAYS[7] + sum(WAYS[n] for n in missing)
        found = Fraction(WAYS[7] * pays.get(have, -1), whole)
        return found + sum(Fraction(WAYS[n], whole) * value(missing - {n}) for n in missing)

    return -value(frozenset(needs))


#: The published edge in percent, to two places, and the program that computes it.
PUBLISHED: dict[str, tuple[str, Callable[[], Fraction]]] = {
    "muggsys-corner": ("5.56", lambda: muggsys_corner(2, 3)),
    "flaming-four": ("18.55", lambda: totals_before_seven((2, 3, 11, 12), {4: 70})),
    "sizzling-six": ("19.18", lambda: totals_before_seven(POINTS, {6: 12})),
    "hot-hand": ("18.02", lambda: totals_before_seven((2, 3, *POINTS, 11, 12), {9: 20, 10: 80})),
}
