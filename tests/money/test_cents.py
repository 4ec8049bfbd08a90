"""Dollars as people write them, cents as we keep them."""

from __future__ import annotations

import pytest

from passline.game.money.amounts import AmountError, parse_dollars, show_dollars, to_dollars


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("12", 1200),
        ("$12", 1200),
        (" 12 ", 1200),
        ("12.5", 1250),
        ("12.50", 1250),
        ("0.05", 5),
        ("1,500", 150000),
        ("$1,234,567.89", 123456789),
        ("007", 700),
    ],
)
def test_amounts_are_read(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "ten", "-5", "+5", "12.", ".5", "12.505", "1e5", "1,50", "12,5000", "5$", "1 2", "0x10"],
)
def test_what_is_no_amount_is_never_guessed(text: str) -> None:
    with pytest.raises(AmountError, match="is not a valid amount: use dollars, such as 12"):
        parse_dollars(text)


@pytest.mark.parametrize("text", ["0", "0.00", "$0", "000"])
def test_nothing_is_no_amount(text: str) -> None:
    with pytest.raises(AmountError, match="above zero"):
        parse_dollars(text)


def test_a_very_long_amount_is_refused_and_shown_short() -> None:
    with pytest.raises(AmountError) as caught:
        parse_dollars("9" * 5000)
    assert str(caught.value).startswith(f"'{'9' * 20}...' is not a valid amount")
    assert parse_dollars("9" * 20) == int("9" * 20) * 100


@pytest.mark.parametrize(
    ("cents", "plain", "shown"),
    [
        (0, "0.00", "$0"),
        (5, "0.05", "$0.05"),
        (1200, "12.00", "$12"),
        (1250, "12.50", "$12.50"),
        (-1250, "-12.50", "-$12.50"),
        (-5, "-0.05", "-$0.05"),
        (123456700, "1234567.00", "$1,234,567"),
    ],
)
def test_amounts_are_written(cents: int, plain: str, shown: str) -> None:
    assert (to_dollars(cents), show_dollars(cents)) == (plain, shown)


@pytest.mark.parametrize("cents", [1, 99, 100, 101, 1250, 9999999])
def test_what_is_written_is_read_back(cents: int) -> None:
    assert parse_dollars(to_dollars(cents)) == parse_dollars(show_dollars(cents)) == cents
