"""The words of table talk brought to one form."""

from __future__ import annotations

import pytest

from passline.record.words import amounts_in_figures, plain_words


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Place the six for $12", "place 6 for 12"),
        ("give me a yo-leven for five dollars, please!", "yo for 5"),
        ("don’t pass line for twenty-five", "dont-pass for 25"),
        ("DONT COME for 10", "dont-come for 10"),
        ("any 7 for 1", "any-seven for 1"),
        ("snake eyes for a buck", "aces for"),
        ("midnight for 1", "boxcars for 1"),
        ("world for 5", "whirl for 5"),
        ("c & e for 2", "c-and-e for 2"),
        ("high low for 2", "hi-lo for 2"),
        ("hard way 8 for 5", "hard 8 for 5"),
        ("place six, eight for 12 each", "place 6 8 for 12 each"),
        ("  press   the eights  ", "press 8"),
    ],
)
def test_small_words_go_and_numbers_are_figures(said: str, plain: str) -> None:
    assert " ".join(plain_words(said)) == plain


@pytest.mark.parametrize(
    ("spelled", "figures"),
    [
        ("five", "5"),
        ("nineteen", "19"),
        ("twenty", "20"),
        ("ninety nine", "99"),
        ("twenty twelve", "20 12"),
        ("twenty ten", "20 10"),
        ("one hundred", "100"),
        ("five hundred", "500"),
        ("hundred", "hundred"),
        ("tens", "10"),
    ],
)
def test_spelled_numbers(spelled: str, figures: str) -> None:
    assert amounts_in_figures(spelled) == figures
