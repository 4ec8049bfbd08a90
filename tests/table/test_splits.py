"""Composites that are booked as their parts: all of them, or none."""

from __future__ import annotations

import pytest

from tests.table.games import deal, rail, reason, settled, up

NO_SPOT = {"layout.horn-high": "false"}


@pytest.mark.clause("new-jersey:19:47-1.2(a)21#4")
def test_a_whirl_is_booked_as_a_horn_and_any_seven() -> None:
    dealt = deal("ann: whirl for 10")
    assert up(dealt) == {"horn": "8", "any-seven": "2"}
    assert rail(dealt) == "990"


def test_its_parts_add_to_what_is_up() -> None:
    assert up(deal("ann: horn for 4; whirl for 5")) == {"horn": "8", "any-seven": "1"}


def test_a_seven_pays_the_one_part_and_takes_the_other() -> None:
    dealt = deal("ann: pass for 5\nann: whirl for 5\nroll 4 3")
    assert settled(dealt) == ["ann pass win 5", "ann any-seven win 4", "ann horn lose 4"]
    assert rail(dealt) == "1005"


@pytest.mark.clause("new-jersey:19:47-1.2(a)20#6")
@pytest.mark.parametrize(
    ("number", "straight"), [(2, "craps-2"), (3, "craps-3"), (11, "eleven"), (12, "craps-12")]
)
def test_without_a_spot_a_horn_high_is_a_horn_and_its_number_straight(
    number: int, straight: str
) -> None:
    dealt = deal(f"ann: horn-high-{number} for 5", elect=NO_SPOT)
    assert up(dealt) == {"horn": "4", straight: "1"}


def test_with_a_spot_it_lies_there_whole() -> None:
    assert up(deal("ann: horn-high-11 for 5")) == {"horn-high-11": "5"}


def test_a_book_may_never_split_it() -> None:
    but = {"wager/horn-high/split/is": "never"}
    assert up(deal("ann: horn-high-11 for 5", elect=NO_SPOT, but=but)) == {"horn-high-11": "5"}


def test_both_ways_of_booking_a_horn_high_win_alike() -> None:
    play = "ann: pass for 5\nann: horn-high-11 for 10\nroll 5 6"
    whole, split = deal(play), deal(play, elect=NO_SPOT)
    # A yo pays 4 units of 2 at 15 to 1 and takes the three others: 60 - 6; and 5 for the pass.
    assert rail(whole) == rail(split) == "1059"


def test_a_stake_that_does_not_split_evenly_is_refused() -> None:
    dealt = deal("ann: whirl for 7", refused=["19:47-1.2(a)21#3"])
    assert up(dealt) == {}


@pytest.mark.parametrize(("rails", "cite"), [("4", "19:47-1.3(b)#1"), ("3", "19:47-1.3(b)#1")])
def test_all_parts_are_booked_or_none(rails: str, cite: str) -> None:
    dealt = deal("ann: whirl for 5", f"ann {rails}", refused=[cite])
    assert (up(dealt), rail(dealt)) == ({}, rails)


def test_a_part_that_is_over_its_maximum_stops_the_whole() -> None:
    elect = {"limits.max_by_wager.horn": "40"}
    dealt = deal("ann: horn for 40; whirl for 5", elect=elect, refused=["custom"])
    assert up(dealt) == {"horn": "40"}
    assert reason(dealt) == "horn takes at most $40"


def test_a_part_that_is_not_dealt_stops_the_whole() -> None:
    but = {"wager/whirl/parts/is": {"horn": 4, "six-seven-eight": 1}}
    dealt = deal("ann: whirl for 5", but=but, refused=["19:47-1.2(a)39#1"])
    assert up(dealt) == {}


def test_cash_behind_a_whirl_pays_for_every_part() -> None:
    dealt = deal("ann: whirl for 5 in cash confirmed by dealer", "ann 1")
    assert (up(dealt), rail(dealt)) == ({"horn": "4", "any-seven": "1"}, "1")
    assert dealt.table.drop == 600
