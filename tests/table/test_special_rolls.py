"""Rolling on without a line wager, only to decide come wagers that remain."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, rail, settled, shooter, throws, up

TWO = "ann 1000, bob 1000"
#: Ann makes her four with a come wager on the five left over, and bets no line again.
REMAINS = "ann: pass for 10\nroll 2 2\nann: come for 10\nroll 4 1\nroll 3 1\n"


@pytest.mark.clause("new-jersey:19:47-1.11(b)#2")
def test_alone_the_shooter_rolls_on_without_a_line_wager() -> None:
    dealt = deal(REMAINS + "roll 1 2")
    assert shooter(dealt) == "ann"
    assert dealt.table.special
    assert up(dealt) == {"come-5": "10"}


@pytest.mark.clause("new-jersey:19:47-1.11(b)#3")
def test_a_special_roll_marks_no_point_and_takes_no_new_come_wager() -> None:
    dealt = deal(REMAINS + "roll 4 2\nann: come for 10", refused=["19:47-1.2(a)3"])
    assert dealt.table.puck is None


def test_a_seven_on_it_takes_the_come_wager_but_is_no_loser_seven() -> None:
    dealt = deal(REMAINS + "roll 4 3")
    assert settled(dealt) == ["ann come-5 lose 10"]
    assert shooter(dealt) == "ann"
    assert rail(dealt) == "1000"  # the pass won 10, the come lost 10


@pytest.mark.clause("new-jersey:19:47-1.11(b)#5")
def test_once_the_come_wagers_are_decided_a_line_wager_is_needed_again() -> None:
    dealt = deal(REMAINS + "roll 3 2\nroll 4 2", refused=["19:47-1.8#1"])
    assert settled(dealt) == ["ann come-5 win 10"]
    deal(REMAINS + "roll 3 2\nann: pass for 10\nroll 4 2")


def test_a_book_may_let_the_shooter_roll_on_after_that() -> None:
    but = {"dice/special_ends": [{"is": "line-bet", "cite": "19:47-1.11(b)#6"}]}
    dealt = deal(REMAINS + "roll 3 2\nroll 4 2", but=but)
    assert (dealt.table.puck, dealt.table.special) == (None, True)


@pytest.mark.clause("new-jersey:19:47-1.11(b)#1")
def test_the_dice_go_first_to_the_left_where_somebody_has_a_line_wager() -> None:
    dealt = deal(REMAINS + "bob: pass for 10\nroll 4 2", TWO)
    assert notes(dealt)[:2] == [
        "ann passes the dice, without a line wager [19:47-1.11(b)#1]",
        "bob takes the dice: 5 offered, 2 chosen, 3 put back",
    ]
    assert (shooter(dealt), dealt.table.puck) == ("bob", 6)


def test_a_book_may_leave_out_who_is_offered_them_then() -> None:
    dealt = deal(REMAINS + "bob: pass for 10\nroll 4 2", TWO, but={"dice/special_offer": None})
    assert notes(dealt)[0] == "ann passes the dice, without a line wager [19:47-1.11(c)#1]"


def test_one_who_declines_leaves_them_with_the_old_shooter() -> None:
    dealt = deal(REMAINS + "bob: pass for 10\nbob declines the dice\nroll 4 2", TWO)
    assert (shooter(dealt), dealt.table.puck) == ("ann", None)


@pytest.mark.clause("new-jersey:19:47-1.11(b)#6")
def test_a_line_wager_ends_special_rolling() -> None:
    dealt = deal(REMAINS + "roll 4 2\nbob: pass for 10\nroll 4 2", TWO)
    assert [throw.special for throw in throws(dealt)[3:]] == [True, False]
    assert shooter(dealt) == "bob"


def test_a_book_may_let_special_rolling_go_on_past_a_line_wager() -> None:
    but = {"dice/special_ends": [{"is": "come-decided", "cite": "19:47-1.11(b)#5"}]}
    dealt = deal(REMAINS + "roll 4 2\nbob: pass for 10\nroll 4 2", TWO, but=but)
    assert [throw.special for throw in throws(dealt)[3:]] == [True, True]
    assert shooter(dealt) == "ann"


def test_a_book_may_leave_the_dice_with_the_shooter_first() -> None:
    but = {"dice/special_offer/is": "shooter-first"}
    dealt = deal(REMAINS + "bob: pass for 10\nroll 4 2", TWO, but=but)
    assert (shooter(dealt), dealt.table.special) == ("ann", True)


def test_when_nobody_takes_them_the_last_shooter_rolls_on() -> None:
    dealt = deal(REMAINS + "ann passes the dice\nroll 4 2", TWO)
    assert (shooter(dealt), dealt.table.special) == ("ann", True)


def test_a_last_shooter_who_left_does_not_roll_on() -> None:
    dealt = deal(REMAINS + "ann leaves\nroll 4 2", TWO, refused=["19:47-1.8#1"])
    assert up(dealt) == {"come-5": "10"}


@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_a_book_without_special_rolls_lets_nobody_throw(book: str) -> None:
    cite = {"iowa": "general.4", "dealer-school": "custom"}[book]
    deal(REMAINS + "roll 4 2", book=book, refused=[cite])


def test_come_odds_rest_on_a_special_roll_and_come_back() -> None:
    play = REMAINS.replace("roll 3 1\n", "ann: come-odds-5 for 10\nroll 3 1\n")
    dealt = deal(play + "roll 4 3")
    assert settled(dealt) == ["ann come-5 lose 10", "ann come-odds-5 return 10"]
    assert throws(dealt)[-1].settlements[1].cite == "19:47-1.3(e)#2"
