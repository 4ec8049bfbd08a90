"""Round amounts: payoffs to whole chips, and vigorish as the house elects. Pure."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

Rounding = Literal["down", "half-up", "up", "exact"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)


def pay_in_chips(cents: int, per: int, chip: int, breakage: str) -> int:
    """Return ``cents / per`` rounded to whole chips, in cents.

    ``chip`` is the chip's value in cents. Round up if ``breakage`` is "up", else down.

    >>> [pay_in_chips(2500, 2, 100, how) for how in ("down", "up")]
    [1200, 1300]
    """
    paid = cents // per
    over = paid % chip
    if not over and cents % per == 0:
        return paid
    return paid - over + (chip if breakage == "up" else 0)


def round_to_unit(cents: Fraction, unit: int, how: Rounding) -> int:
    """Return an exact number of cents, rounded to a multiple of ``unit`` cents as ``how`` says.

    ``exact`` only drops fractions of a cent.

    >>> [round_to_unit(Fraction(250), 100, how) for how in ROUNDINGS]
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
