"""How a fraction of a chip is rounded."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game.money.rounding import ROUNDINGS, Rounding, round_to_unit


@pytest.mark.parametrize(
    ("cents", "down", "half_up", "up", "exact"),
    [
        (Fraction(200), 200, 200, 200, 200),
        (Fraction(201), 200, 200, 300, 201),
        (Fraction(249), 200, 200, 300, 249),
        (Fraction(250), 200, 300, 300, 250),
        (Fraction(299), 200, 300, 300, 299),
        (Fraction(0), 0, 0, 0, 0),
        (Fraction(1, 3), 0, 0, 100, 0),
        (Fraction(500, 3), 100, 200, 200, 166),
    ],
)
def test_to_whole_units(cents: Fraction, down: int, half_up: int, up: int, exact: int) -> None:
    wanted = {"down": down, "half-up": half_up, "up": up, "exact": exact}
    assert {how: round_to_unit(cents, 100, how) for how in ROUNDINGS} == wanted


@pytest.mark.parametrize("how", ROUNDINGS)
def test_rounding_what_is_rounded_changes_nothing(how: Rounding) -> None:
    once = round_to_unit(Fraction(1234, 7), 25, how)
    assert round_to_unit(Fraction(once), 1 if how == "exact" else 25, how) == once
