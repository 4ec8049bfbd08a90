"""A house's colours: the rack they make, and what lint refuses."""

from __future__ import annotations

from typing import Any

import pytest

from passline.game.house.elections import (
    ElectionError,
    read_election,
    read_elections,
    show_election,
)
from passline.game.house.house import make_house
from passline.game.house.lint import lint
from passline.game.house.load import HouseError, house_for, parse_house_file
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.money.chips import STANDARD_RACK

NJ = rulebook("new-jersey")


def findings(given: dict[str, Any]) -> list[str]:
    return [f"{f.key} = {f.value}: {f.allowed}" for f in lint(NJ, None, read_elections(NJ, given))]


@pytest.mark.parametrize("book", BOOKS)
def test_without_elections_the_colours_are_the_standard_ones(book: str) -> None:
    assert make_house(rulebook(book)).rack == STANDARD_RACK


def test_a_house_adds_changes_and_drops_colours() -> None:
    given = {"chips": {"pink": 2, "green": 20, "yellow": False}}
    rack = make_house(NJ, given=given).rack
    values = {chip.color: chip.value for chip in rack.chips}
    assert values == {
        "purple": 50_000, "black": 10_000, "green": 2000, "red": 500, "pink": 200, "white": 100
    }  # fmt: skip
    assert str(rack.cut(4700)) == "2 green, 1 red, 1 pink"
    assert findings(given) == []


def test_the_rack_follows_the_smallest_chip() -> None:
    rack = make_house(NJ, given={"limits.smallest_chip": "0.50"}).rack
    assert (rack.smallest, rack.chips[-1].color) == (50, "half")
    assert (
        findings({"limits.smallest_chip": "0.50", "chips.half": False, "chips.tin": "0.50"}) == []
    )


def test_a_house_rules_file_has_a_table_of_chips() -> None:
    read = parse_house_file(b'rulebook = "iowa"\n[chips]\nwhite = false\nblue = 1', "file")
    assert read.elections == {"chips.white": False, "chips.blue": 100}
    house = house_for("iowa", None, [("chips.white", "false"), ("chips.blue", "1")])
    assert house.rack.chips[-1].color == "blue"
    with pytest.raises(HouseError, match=r"chips\.white = false is not allowed"):
        house_for("iowa", None, [("chips.white", "false")])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"chips.pink": 25}, "chips.pink = 25: a value of its own (green is $25)"),
        ({"chips.pink": "2.50"}, "chips.pink = 2.50: a multiple of $1, the smallest chip"),
        ({"chips.tin": "0.25"}, "chips.tin = 0.25: a multiple of $1, the smallest chip"),
        ({"chips.white": False}, "chips.white = false: some color at $1, the smallest chip"),
        (
            {"chips.pink": 2, "chips.white": 3},
            "chips.white = 3: some color at $1, the smallest chip",
        ),
        (
            {"limits.smallest_chip": 5, "chips.white": 1},
            "chips.white = 1: a multiple of $5, the smallest chip",
        ),
    ],
)
def test_a_rack_that_does_not_hold_together_is_refused(given: dict[str, Any], said: str) -> None:
    assert findings(given) == [said]


def test_every_fault_is_told_and_each_once() -> None:
    assert findings({"chips.pink": 25, "chips.white": False}) == [
        "chips.pink = 25: a value of its own (green is $25)",
        "chips.white = false: some color at $1, the smallest chip",
    ]
    assert findings({"chips.white": "0.50"}) == [
        "chips.white = 0.50: a multiple of $1, the smallest chip"
    ]


def test_two_colours_elected_at_one_value_are_both_named() -> None:
    assert findings({"chips.pink": 3, "chips.tan": 3}) == [
        "chips.pink = 3: a value of its own (tan is $3)",
        "chips.tan = 3: a value of its own (pink is $3)",
    ]


@pytest.mark.parametrize("key", ["chips.Pink", "chips.", "chips.a colour", "chips.2", "chips"])
def test_a_colour_is_a_word_in_small_letters(key: str) -> None:
    with pytest.raises(ElectionError):
        read_election(NJ, key, 5)


@pytest.mark.parametrize("value", [0, -5, True, "many", "0.001"])
def test_a_chip_has_a_value_in_dollars_or_is_dropped(value: Any) -> None:
    with pytest.raises(ElectionError, match="expected dollars like 15"):
        read_election(NJ, "chips.pink", value)


def test_a_dropped_colour_is_shown_as_it_was_written() -> None:
    assert show_election("chips.pink", False) == "false"
    assert show_election("chips.pink", 250) == "2.50"
