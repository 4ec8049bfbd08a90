"""Odds as posted: exact, kept as written, never "for"."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline.game.money.amounts import Odds


def test_odds_are_kept_as_posted_and_compared_exactly() -> None:
    assert str(Odds.parse(" 25 to 5 ")) == "25 to 5"
    assert Odds.parse("25 to 5").ratio == Odds.parse("5 to 1").ratio == Fraction(5)


@pytest.mark.parametrize(
    "text",
    ["7 for 1", "7:1", "7 to 0", "to 1", "7 to 1 and more", "-7 to 1", "99999 to 1", "", 7, None],
)
def test_anything_else_is_no_odds(text: Any) -> None:
    with pytest.raises(ValueError, match='expected a form like "9 to 5"'):
        Odds.parse(text)


@pytest.mark.parametrize(
    ("odds", "stake", "paid"),
    [
        ("9 to 5", 2500, 4500),
        ("7 to 6", 1200, 1400),
        ("7 to 6", 1000, 1166),
        ("5 to 11", 1100, 500),
    ],
)
def test_a_stake_wins_exactly_but_for_fractions_of_a_cent(odds: str, stake: int, paid: int) -> None:
    assert Odds.parse(odds).paid(stake) == paid


@pytest.mark.parametrize(
    ("odds", "chip", "step"),
    [
        ("1 to 1", 100, 100),
        ("7 to 6", 100, 600),
        ("6 to 5", 100, 500),
        ("3 to 2", 100, 200),
        ("2 to 1", 500, 500),
        ("25 to 5", 100, 100),
        ("7 to 5", 50, 250),
        ("5 to 11", 100, 1100),
    ],
)
def test_the_smallest_stake_that_pays_in_whole_chips(odds: str, chip: int, step: int) -> None:
    posted = Odds.parse(odds)
    assert posted.step(chip) == step
    for stake in range(chip, 3 * step + 1, chip):
        assert posted.pays_exactly(stake, chip) == (stake % step == 0)
