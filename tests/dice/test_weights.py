"""Dice as they are typed, and what is none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game.dice.dice import FAIR, WeightsError, outcome_index, parse_dice


def test_three_ways_to_say_them() -> None:
    fives = parse_dice("1,1,1,1,2,1 x 1 1 1 1 1 1")
    assert fives.whole == 42
    assert fives.weights[outcome_index(5, 1)] == 2 * fives.weights[outcome_index(1, 5)]
    assert parse_dice("1,1,1,1,2,1;1,1,1,1,2,1") == parse_dice("1,1,1,1,2,1")
    assert parse_dice(",".join(["0.5"] * 36)) == FAIR == parse_dice("fair")
    sevens = parse_dice("sevens=1/7")
    assert (sevens.sevens, sevens.whole, sevens.level, fives.level) == (
        Fraction(1, 7),
        210,
        True,
        False,
    )
    assert parse_dice(str(sevens)) == sevens


@pytest.mark.parametrize(
    "text",
    ["", "1,2", "sevens=", "sevens=2", "eights=1/6", "1/0", "0" + ",0" * 35, "-1" + ",1" * 35,
     "1,1,1,1,1,1 x 1,1", "1e9", "0.000000000001" + ",1" * 35, "nan" + ",1" * 35],
)  # fmt: skip
def test_what_is_none(text: str) -> None:
    with pytest.raises(WeightsError):
        parse_dice(text)
