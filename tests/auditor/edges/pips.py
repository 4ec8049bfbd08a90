"""Two dice: ways and chances, worked from the 36 pairs."""

from __future__ import annotations

from fractions import Fraction

PAIRS = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
#: How many of the 36 pairs make a total.
WAYS = {total: sum(a + b == total for a, b in PAIRS) for total in range(2, 13)}
SEVENS = WAYS[7]

#: The points of craps, and of crapless craps, where every total but seven is one.
SIX = (4, 5, 6, 8, 9, 10)
TEN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


def chance(*totals: int) -> Fraction:
    """The chance that a throw makes one of these totals."""
    return Fraction(sum(WAYS[total] for total in totals), 36)


def before_seven(number: int) -> Fraction:
    """The chance that a number comes before a seven.

    >>> before_seven(4), before_seven(6)
    (Fraction(1, 3), Fraction(5, 11))
    """
    return Fraction(WAYS[number], WAYS[number] + SEVENS)


def rolls_of(number: int) -> Fraction:
    """The mean number of rolls until a number or a seven comes.

    >>> rolls_of(4), rolls_of(6)
    (Fraction(4, 1), Fraction(36, 11))
    """
    return Fraction(36, WAYS[number] + SEVENS)
