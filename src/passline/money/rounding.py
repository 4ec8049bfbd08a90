"""How a fraction of a chip is rounded: a small closed set, chosen by data."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

Rounding = Literal["down", "half-up", "up", "exact"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)


def paid_in_chips(cents: int, per: int, chip: int, breakage: str) -> int:
    """What is paid of ``cents / per`` in whole chips: broken down, or up where the house does so.

    >>> [paid_in_chips(2500, 2, 100, how) for how in ("down", "up")]
    [1200, 1300]
    """
    paid = cents // per
    over = paid % chip
    if not over and cents % per == 0:
        return paid
    return paid - over + (chip if breakage == "up" else 0)


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
