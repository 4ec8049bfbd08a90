"""A composite is its legs: the pay is theirs, net, never typed in twice."""

from __future__ import annotations

import pytest

from passline.game.dice.dice import outcome_index
from tests.layout.felts import felt, throw

DICE = {2: (1, 1), 3: (1, 2), 7: (4, 3), 9: (5, 4), 11: (6, 5), 12: (6, 6)}


@pytest.mark.parametrize(("total", "win"), [(2, 27), (3, 12), (11, 12), (12, 27)])
def test_a_horn_wins_one_leg_less_the_three_others(total: int, win: int) -> None:
    # One unit at 30 to 1 less three is 27; at 15 to 1 it is 12.
    settled = throw(felt(), {"horn": 4}, *DICE[total])
    assert settled == [f"horn win {win} back {win + 4} left 0"]


def test_any_other_total_takes_it() -> None:
    assert throw(felt(), {"horn": 4}, 5, 4) == ["horn lose 4 back 0 left 0"]


@pytest.mark.parametrize(
    ("high", "total", "win"),
    [(12, 12, 57), (12, 2, 26), (12, 3, 11), (11, 11, 27), (3, 3, 27), (2, 11, 11)],
)
def test_a_horn_high_has_two_units_on_its_number(high: int, total: int, win: int) -> None:
    # Two units at 30 to 1 less the three others: 57; at 15 to 1: 27. A low one less four others.
    settled = throw(felt(), {f"horn-high-{high}": 5}, *DICE[total])
    assert settled == [f"horn-high-{high} win {win} back {win + 5} left 0"]


def test_c_and_e() -> None:
    # Any craps 7 to 1 or eleven 15 to 1 on one unit of two, less the other.
    assert throw(felt(), {"c-and-e": 10}, 1, 1) == ["c-and-e win 30 back 40 left 0"]
    assert throw(felt(), {"c-and-e": 10}, 6, 5) == ["c-and-e win 70 back 80 left 0"]
    assert throw(felt(), {"c-and-e": 10}, 4, 3) == ["c-and-e lose 10 back 0 left 0"]


def test_an_iowa_three_way() -> None:
    layout = felt("iowa")
    # Thirty to one on 2 or 12 less two others: 28; fifteen to one on 3 less two others: 13.
    assert throw(layout, {"three-way-craps": 3}, 6, 6) == ["three-way-craps win 28 back 31 left 0"]
    assert throw(layout, {"three-way-craps": 3}, 1, 2) == ["three-way-craps win 13 back 16 left 0"]


def test_a_whirl_comes_out_level_on_a_seven() -> None:
    # Any seven at 4 to 1 wins four units and the four others are lost.
    assert throw(felt("dealer-school"), {"whirl": 5}, 4, 3) == ["whirl push 5 back 5 left 0"]
    assert throw(felt("maryland-crapless"), {"whirl": 5}, 4, 3) == ["whirl win 0 back 5 left 0"]


@pytest.mark.parametrize(("level", "settled"), [("win", "win 0"), ("push", "push 5")])
def test_level_is_a_win_of_nothing_or_a_push_and_comes_down(level: str, settled: str) -> None:
    layout = felt("dealer-school", but={"wager/whirl/level": level})
    assert throw(layout, {"whirl": 5}, 4, 3) == [f"whirl {settled} back 5 left 0"]


def test_a_composite_that_wins_less_than_it_loses_gives_that_part_back() -> None:
    # A whirl in a book that pays any seven 3 to 1: 3 won, 4 lost, so 1 of 5 is gone.
    pays = [{"is": "3 to 1", "custom": "another book"}]
    layout = felt("dealer-school", but={"wager/any-seven/pays": pays})
    assert throw(layout, {"whirl": 5}, 4, 3) == ["whirl lose 5 back 4 left 0"]


def test_raising_a_legs_payout_raises_the_composite() -> None:
    layout = felt(elect={"pays.eleven": "16 to 1"})
    assert throw(layout, {"horn": 4}, 6, 5) == ["horn win 13 back 17 left 0"]


@pytest.mark.parametrize(
    ("slug", "total", "cite"),
    [
        ("horn", 2, "horn/2"),
        ("horn", 11, "horn/11"),
        ("horn-high-12", 12, "horn-high/high-30"),
        ("horn-high-12", 2, "horn-high/low-30"),
        ("horn-high-12", 3, "horn-high/low-15"),
        ("horn-high-11", 11, "horn-high/high-15"),
    ],
)
def test_the_school_has_a_clause_for_each_total(slug: str, total: int, cite: str) -> None:
    cell = felt("dealer-school").spots[slug].tables[0][outcome_index(*DICE[total])]
    assert cell is not None
    assert cell.cite == cite


def test_a_composite_holds_no_more_than_its_tightest_leg() -> None:
    # Iowa: 50 on the 2 and the 12 straight, so a horn of four units holds 200.
    spot = felt("iowa").spots["horn"]
    assert spot.maximum == 20000
    assert felt("iowa").spots["horn-high-11"].maximum == 25000
    assert felt("iowa").spots["horn-high-12"].maximum == 12500


@pytest.mark.parametrize(
    ("book", "slug", "cite"),
    [
        ("new-jersey", "horn", "19:47-1.4(f)"),
        ("new-jersey", "horn-high-2", "19:47-1.2(a)20#4"),
        ("iowa", "three-way-craps", "def.three-way-craps"),
    ],
)
def test_the_clause_that_asks_for_whole_units_is_its_minimums_too(
    book: str, slug: str, cite: str
) -> None:
    spot = felt(book).spots[slug]
    assert (spot.step_cite, spot.minimum_cite, spot.minimum) == (cite, cite, spot.step)


def test_under_a_higher_minimum_the_house_is_named() -> None:
    spot = felt(elect={"limits.center_min": 4}).spots["horn"]
    assert (spot.minimum, spot.minimum_cite[:8]) == (400, "custom: ")


def test_it_comes_in_whole_units() -> None:
    steps = {slug: felt().spots[slug].step for slug in ("c-and-e", "horn", "horn-high-2", "whirl")}
    assert steps == {"c-and-e": 200, "horn": 400, "horn-high-2": 500, "whirl": 500}
