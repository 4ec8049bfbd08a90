"""Iowa: wagers past the limits that nobody noticed, found after the roll."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, rail, reason, settled, throws, up

POINT = "ann: pass for 10\nroll 3 2\n"


@pytest.mark.clause("iowa:overmax.7.a")
def test_a_win_over_the_maximum_is_paid_up_to_it() -> None:
    # The field takes 500: 600 on it wins 500, and all 600 come back.
    dealt = deal(POINT + "ann: field for 600 unnoticed\nroll 5 4", "ann 5000", book="iowa")
    assert settled(dealt) == ["ann field return 100", "ann field win 500"]
    assert rail(dealt) == "5490"
    assert notes(dealt)[-1] == "the dealer tells ann that field takes $5 to $500 [overmax.7.a]"


@pytest.mark.clause("iowa:overmax.7.b#2")
def test_a_loss_over_the_maximum_gives_the_excess_back() -> None:
    dealt = deal(POINT + "ann: field for 600 unnoticed\nroll 4 2", "ann 5000", book="iowa")
    assert settled(dealt) == ["ann field return 100", "ann field lose 500"]
    assert {s.cite for s in throws(dealt)[-1].settlements} == {"overmax.7.b#2"}
    assert rail(dealt) == "4490"


@pytest.mark.parametrize(
    ("roll", "after"),
    [pytest.param("5 4", "992", marks=pytest.mark.clause("iowa:undermin.6#2")), ("4 2", "988")],
)
def test_under_the_minimum_it_goes_as_wagered(roll: str, after: str) -> None:
    dealt = deal(POINT + f"ann: field for 2 unnoticed\nroll {roll}", book="iowa")
    assert rail(dealt) == after


def test_a_winner_that_stays_up_stays_within_the_maximum() -> None:
    play = POINT + "ann: place-win-6 for 700 unnoticed\nroll 4 2"
    dealt = deal(play, "ann 5000", book="iowa")
    assert settled(dealt)[1] == "ann place-win-6 win 700"  # 600 at 7 to 6
    assert up(dealt) == {"pass": "10", "place-win-6": "600"}
    assert rail(dealt) == "5090"  # 4290, then 700 and the 100 over


@pytest.mark.parametrize("amount", ["5", "10", "500"])
def test_within_the_limits_there_is_nothing_to_find(amount: str) -> None:
    dealt = deal(POINT + f"ann: field for {amount} unnoticed\nroll 5 4", book="iowa")
    assert settled(dealt) == [f"ann field win {amount}"]
    assert notes(dealt) == ["nine"]


def test_adding_to_a_wager_may_go_unnoticed_too() -> None:
    play = POINT + "ann: field for 300; field for 300 unnoticed\nroll 5 4"
    assert settled(deal(play, "ann 5000", book="iowa"))[1] == "ann field win 500"


def test_an_unnoticed_wager_is_still_made_in_its_time() -> None:
    deal("ann: come for 600 unnoticed", book="iowa", refused=["wagers.3"])


def test_nor_is_it_made_with_chips_that_are_not_there() -> None:
    deal("ann: field for 600 unnoticed", "ann 500", book="iowa", refused=["wagers.intro.2#1"])


def test_it_keeps_its_mark_when_it_travels() -> None:
    play = "ann: pass for 10\nroll 2 2\nann: come for 600 unnoticed\nroll 5 4\nroll 6 3"
    dealt = deal(play, "ann 5000", book="iowa")
    assert settled(dealt) == ["ann come-9 return 100", "ann come-9 win 500"]


def test_other_books_have_no_such_rule() -> None:
    dealt = deal("ann: field for 6000 unnoticed", "ann 9000", refused=["custom"])
    assert reason(dealt) == "limits are checked when the wager is made"


def test_a_book_may_pay_such_a_wager_as_it_lies() -> None:
    but = {"stakes/found_over/is": "as-wagered", "stakes/found_under/is": "as-minimum"}
    over = deal(POINT + "ann: field for 600 unnoticed\nroll 5 4", "ann 5000", book="iowa", but=but)
    assert settled(over) == ["ann field win 600"]
    under = deal(POINT + "ann: field for 2 unnoticed\nroll 5 4", book="iowa", but=but)
    assert settled(under) == ["ann field win 5"]


@pytest.mark.parametrize(
    ("missing", "amount", "won"), [("found_over", 2, 2), ("found_under", 600, 500)]
)
def test_a_book_may_have_a_rule_for_one_side_only(missing: str, amount: int, won: int) -> None:
    dealt = deal(
        POINT + f"ann: field for {amount} unnoticed\nroll 5 4",
        "ann 5000",
        book="iowa",
        but={f"stakes/{missing}": None},
    )
    assert settled(dealt)[-1] == f"ann field win {won}"
    assert notes(dealt)[-1].startswith("the dealer tells ann that field takes $5 to $500 [")


@pytest.mark.parametrize(("missing", "amount"), [("found_over", 600), ("found_under", 2)])
def test_and_limits_are_checked_on_the_other(missing: str, amount: int) -> None:
    play = POINT + f"ann: field for {amount} unnoticed"
    but = {f"stakes/{missing}": None}
    dealt = deal(play, "ann 5000", book="iowa", but=but, refused=["custom"])
    assert reason(dealt) == "limits are checked when the wager is made"


def test_what_is_over_the_maximum_is_not_netted_with_the_center() -> None:
    # Eleven takes 100. Of 150, 50 come back; 1,500 is won, any craps' 5 comes out of it.
    play = "ann: pass for 10; any-craps for 5; eleven for 150 unnoticed\nroll 6 5"
    dealt = deal(play, book="iowa")
    assert up(dealt) == {"any-craps": "5", "eleven": "100"}
    assert rail(dealt) == "2400"  # 835, and 20 + 50 + 1,500 - 5


def test_a_book_may_cap_by_custom() -> None:
    play = POINT + "ann: field for 600 unnoticed\nroll 5 4"
    but = {"stakes/found_over": {"is": "capped", "custom": "as the house does"}}
    dealt = deal(play, "ann 5000", book="iowa", but=but)
    cites = {done.cite for done in throws(dealt)[-1].settlements}
    assert cites == {"custom: as the house does"}
