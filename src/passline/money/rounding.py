"""How a fraction of a chip is rounded: a small closed set, chosen by data."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

Rounding = Literal["down", "half-up", "up", "exact"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)


def round_to(cents: Fraction, unit: int, how: Rounding) -> int:
    """Round an exact number of cents to whole units; ``exact`` drops only fractions of a cent.

    >>> [round_to(Fraction(250), 100, how) for how in ROUNDINGS]
    [200, 300, 300, 250]
    """
    if how == "exact":
        return cents.numerator // cents.denominator
    units = cents / unit
    whole = units.numerator // units.denominator
    part = units - whole
    if (how == "up" and part > 0) or (how == "half-up" and part >= Fraction(1, 2)):
        whole += 1
    return whole * unit
