"""What decides each shape of wager: by total, by face, by puck."""

from __future__ import annotations

import pytest

from passline.game.dice.dice import OUTCOMES, outcome_index
from passline.game.law.book_files import BookError
from tests.layout.felts import felt, throw, totals

ALL = set(range(2, 13))
POINTS = {4, 5, 6, 8, 9, 10}


@pytest.mark.parametrize("book", ["new-jersey", "section-2", "iowa", "dealer-school"])
def test_the_come_out_of_the_line(book: str) -> None:
    layout = felt(book)
    assert totals(layout, "pass", "win") == {7, 11}
    assert totals(layout, "pass", "lose") == {2, 3, 12}
    assert totals(layout, "dont-pass", "win") == {2, 3}
    assert totals(layout, "dont-pass", "lose") == {7, 11}
    assert totals(layout, "dont-pass", "push") == {12}


def test_crapless_loses_no_come_out() -> None:
    layout = felt("maryland-crapless")
    assert totals(layout, "pass", "win") == {7}
    assert totals(layout, "pass", "lose") == set()
    assert totals(layout, "come", "travel") == ALL - {7}


@pytest.mark.parametrize("point", sorted(POINTS))
def test_then_the_point_against_the_seven(point: int) -> None:
    layout = felt()
    assert totals(layout, "pass", "win", point) == {point}
    assert totals(layout, "pass", "lose", point) == {7}
    assert totals(layout, "dont-pass", "win", point) == {7}
    assert totals(layout, "dont-pass", "lose", point) == {point}
    assert totals(layout, "pass-odds", "win", point) == {point}
    assert totals(layout, "dont-pass-odds", "win", point) == {7}


@pytest.mark.parametrize("puck", [7, 11])
def test_a_number_that_is_no_point_decides_no_line(puck: int) -> None:
    layout = felt()
    for slug in ("pass", "dont-pass", "pass-odds", "dont-pass-odds"):
        assert set(layout.spots[slug].tables[puck]) == {None}


def test_a_come_wager_meets_its_own_first_roll_whatever_the_puck() -> None:
    layout = felt()
    for puck in (0, 4, 10):
        assert totals(layout, "come", "win", puck) == {7, 11}
        assert totals(layout, "come", "lose", puck) == {2, 3, 12}
        assert totals(layout, "come", "travel", puck) == POINTS
        assert totals(layout, "dont-come", "push", puck) == {12}
        assert totals(layout, "come-9", "win", puck) == {9}
        assert totals(layout, "dont-come-9", "lose", puck) == {9}


def test_it_travels_to_the_number_thrown() -> None:
    layout = felt()
    cell = layout.spots["dont-come"].tables[4][outcome_index(6, 4)]
    assert cell is not None
    assert cell.to == "dont-come-10"


def test_place_and_lay_face_each_other() -> None:
    layout = felt()
    for number in sorted(POINTS):
        assert totals(layout, f"place-win-{number}", "win", 4) == {number}
        assert totals(layout, f"place-win-{number}", "lose", 4) == {7}
        assert totals(layout, f"lay-{number}", "win", 4) == {7}
        assert totals(layout, f"place-lose-{number}", "lose", 4) == {number}


@pytest.mark.parametrize(("number", "pair"), [(4, 2), (6, 3), (8, 4), (10, 5)])
def test_a_hardway_wins_on_the_pair_alone(number: int, pair: int) -> None:
    table = felt().spots[f"hard-{number}"].tables[0]
    for first, second in OUTCOMES:
        cell = table[outcome_index(first, second)]
        total = first + second
        if first == second == pair:
            assert cell is not None
            assert cell.result == "win"
        elif total in {number, 7}:
            assert cell is not None
            assert cell.result == "lose"
        else:
            assert cell is None


@pytest.mark.parametrize("book", ["new-jersey", "iowa"])
def test_a_one_roll_wager_is_decided_by_every_throw(book: str) -> None:
    # New Jersey lists the totals that lose any seven; Iowa says every other.
    layout = felt(book)
    for slug in ("field", "any-seven", "any-craps", "eleven", "hop-1-6"):
        assert None not in layout.spots[slug].tables[0]


def test_the_field_pays_by_total() -> None:
    paid = {3: (1, 2), 4: (1, 3), 9: (4, 5), 10: (4, 6), 11: (5, 6)}
    for dice in paid.values():
        assert throw(felt(), {"field": 5}, *dice) == ["field win 5 back 10 left 0"]
    for dice in ((1, 1), (6, 6)):
        assert throw(felt(), {"field": 5}, *dice) == ["field win 10 back 15 left 0"]
    assert totals(felt(), "field", "lose") == {5, 6, 7, 8}


def test_a_house_may_pay_more_on_one_face_of_a_line() -> None:
    layout = felt(elect={"pays.field-12": "3 to 1"})
    assert throw(layout, {"field": 5}, 6, 6) == ["field win 15 back 20 left 0"]
    assert throw(layout, {"field": 5}, 1, 1) == ["field win 10 back 15 left 0"]


def test_a_book_that_pays_nothing_on_a_winning_face_cannot_be_dealt() -> None:
    pays = [{"is": "1 to 1", "on": [3, 4, 9, 10, 11], "custom": "the 2 and the 12 forgotten"}]
    with pytest.raises(BookError, match=r"wager\.field\.pays: it wins on 1-1, 6-6"):
        felt(but={"wager/field/pays": pays})


def test_pairs_pay_twice_on_six_seven_eight() -> None:
    layout = felt(elect={"offers.six-seven-eight": True})
    assert throw(layout, {"six-seven-eight": 5}, 3, 3) == ["six-seven-eight win 10 back 15 left 0"]
    assert throw(layout, {"six-seven-eight": 5}, 4, 2) == ["six-seven-eight win 5 back 10 left 0"]
    assert throw(layout, {"six-seven-eight": 5}, 5, 4) == ["six-seven-eight lose 5 back 0 left 0"]
