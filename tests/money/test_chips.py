"""Chips: amounts cut exactly, largest first, and money that never changes in a colour change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.game.money.chips import (
    NO_CHIPS,
    STANDARD_RACK,
    Chips,
    ChipsError,
    Rack,
    UncutAmount,
    standard_chip_values,
    sum_chips,
)
from passline.game.words.refusals import describe_chips_error

AMOUNTS = st.integers(1, 50_000).map(lambda dollars: dollars * 100)


def cut(amount: int) -> Chips:
    chips = STANDARD_RACK.cut(amount * 100)
    assert isinstance(chips, Chips)
    return chips


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (1, "1 white"),
        (5, "1 red"),
        (24, "4 red, 4 white"),
        (25, "1 green"),
        (58, "2 green, 1 red, 3 white"),
        (145, "1 black, 1 green, 4 red"),
        (1640, "1 yellow, 1 purple, 1 black, 1 green, 3 red"),
        (4999, "4 yellow, 1 purple, 4 black, 3 green, 4 red, 4 white"),
    ],
)
def test_an_amount_is_cut_largest_first(amount: int, words: str) -> None:
    assert str(cut(amount)) == words
    assert STANDARD_RACK.read(words) == cut(amount)
    assert cut(amount).amount == amount * 100


@given(AMOUNTS)
def test_every_amount_in_whole_chips_is_cut_exactly_in_the_fewest_chips(amount: int) -> None:
    chips = STANDARD_RACK.cut(amount)
    assert isinstance(chips, Chips)
    assert chips.amount == amount
    # Each standard chip is a multiple of the next: fewest means no colour fills the one above.
    for (upper, lower), held in zip(
        zip(STANDARD_RACK.chips, STANDARD_RACK.chips[1:], strict=False),
        (dict(chips.piles).get(chip, 0) for chip in STANDARD_RACK.chips[1:]),
        strict=True,
    ):
        assert lower.value * held < upper.value


@pytest.mark.parametrize("amount", [0, -500, 50, 1250, 101])
def test_what_cannot_be_cut_says_why(amount: int) -> None:
    uncut = STANDARD_RACK.cut(amount)
    assert isinstance(uncut, UncutAmount)
    assert (uncut.code, uncut.figures) == ("not-in-chips", {"amount": amount, "chip": 100})
    assert uncut.chips.amount + uncut.over == max(amount, 0)


def test_an_empty_rack_cuts_nothing() -> None:
    rack = Rack.of({})
    uncut = rack.cut(500)
    assert isinstance(uncut, UncutAmount)
    assert (uncut.code, uncut.figures["amount"]) == ("no-chips", 500)
    assert rack.smallest == 0


@given(AMOUNTS, AMOUNTS)
def test_chips_add_up_as_money_does(one: int, other: int) -> None:
    a, _ = STANDARD_RACK.divide(one)
    b, _ = STANDARD_RACK.divide(other)
    assert (a + b).amount == one + other
    assert (a - b) + (a & b) == a
    assert (a & b) <= a
    assert (a & b) <= b
    assert a <= a + b
    assert a.times(3).amount == 3 * one
    assert sum_chips([a, b, NO_CHIPS]) == a + b


def test_chips_in_words_counts_and_parts() -> None:
    chips = STANDARD_RACK.read("3 white, 2 green and 1 red")
    assert chips.counts == (("green", 2), ("red", 1), ("white", 3))
    assert (chips.chip_count, chips.smallest, chips.one_color) == (6, 100, False)
    assert str(chips.below(500)) == "3 white"
    assert str(NO_CHIPS) == "no chips"
    assert not NO_CHIPS
    assert NO_CHIPS.smallest == 0


@pytest.mark.parametrize("words", ["2 orange", "red", "", "two red"])
def test_words_that_are_no_chips(words: str) -> None:
    with pytest.raises(ChipsError, match=r"^not-a-stack$") as raised:
        STANDARD_RACK.read(words)
    assert describe_chips_error(raised.value).startswith(
        f"{words!r} is not a stack of chips: write a number and a color for each, of yellow, purple"
    )


@pytest.mark.parametrize(
    ("smallest", "colours"),
    [
        (100, "white red green black purple yellow"),
        (50, "half white red green black purple yellow"),
        (25, "quarter white red green black purple yellow"),
        (250, "pink red green black purple yellow"),
        (500, "red green black purple yellow"),
        (2500, "green black purple yellow"),
        (700, "smallest"),
    ],
)
def test_the_standard_colours_that_go_with_a_smallest_chip(smallest: int, colours: str) -> None:
    rack = Rack.of(standard_chip_values(smallest))
    assert [chip.color for chip in reversed(rack.chips)] == colours.split()
    assert rack.smallest == smallest
    assert all(chip.value % smallest == 0 for chip in rack.chips)


def test_commas_may_be_left_out() -> None:
    assert STANDARD_RACK.read("2 red 3 white").amount == 1300
    assert STANDARD_RACK.read("2 green, 1 red and 3 white").amount == 5800
