"""Vigorish as a wager is made, raised, reduced, taken down, won and lost."""

from __future__ import annotations

import pytest

from passline.record.deal import Dealt
from tests.table.games import deal, money, notes, rail, throws, up

#: A point is on, so that a buy wager works; ann has 990 left.
POINT = "ann: pass for 10\nroll 3 2\n"


def vig(dealt: Dealt) -> str:
    return money(dealt.table.vig)


def test_five_percent_of_a_buy_is_taken_when_it_is_made() -> None:
    dealt = deal(POINT + "ann: buy-4 for 100")
    assert (rail(dealt), vig(dealt)) == ("885", "5")


@pytest.mark.parametrize(("stake", "charge"), [("19", "0"), ("20", "1"), ("39", "1"), ("40", "2")])
def test_it_is_rounded_down_to_the_smallest_chip(stake: str, charge: str) -> None:
    assert vig(deal(f"ann: buy-10 for {stake}")) == charge


@pytest.mark.parametrize(
    ("book", "charge"),
    [("new-jersey", "2"), ("section-2", "1"), ("iowa", "1"), ("dealer-school", "1")],
)
def test_a_lay_is_charged_on_its_stake_or_on_its_win(book: str, charge: str) -> None:
    # Forty laid against the four wins 20: five percent of 40 is 2, of 20 is 1.
    assert vig(deal("ann: lay-4 for 40", book=book)) == charge


def test_a_raise_is_charged_on_the_whole_less_what_was_paid() -> None:
    # 30 costs 1 (1.50 rounded down); 50 costs 2 (2.50 rounded down): 1 more.
    dealt = deal("ann: buy-4 for 30; buy-4 to 50")
    assert notes(dealt)[-1] == "ann: buy 4 up to $50, vigorish $1"
    assert (rail(dealt), vig(dealt)) == ("948", "2")


def test_a_raise_needs_the_chips_for_its_vigorish_too() -> None:
    # Forty costs 2 where twenty cost 1: the raise takes 21.
    short = deal("ann: buy-4 for 20; buy-4 to 40", "ann 41", refused=["19:47-1.3(b)#1"])
    assert rail(short) == "20"
    assert rail(deal("ann: buy-4 for 20; buy-4 to 40", "ann 42")) == "0"


def test_adding_to_it_is_a_raise() -> None:
    dealt = deal("ann: buy-4 for 30; buy-4 for 20")
    assert (rail(dealt), vig(dealt)) == ("948", "2")


def test_a_reduction_hands_back_what_is_no_longer_owed() -> None:
    dealt = deal("ann: buy-4 for 100; buy-4 to 30")
    assert notes(dealt)[-1] == "ann: buy 4 down to $30, vigorish $4 back"
    assert (rail(dealt), vig(dealt)) == ("969", "1")


@pytest.mark.clause("iowa:buy/vig-return")
def test_taken_down_undecided_it_comes_back_whole() -> None:
    dealt = deal("ann: buy-4 for 100\nann: buy-4 down", book="iowa")
    assert notes(dealt) == ["ann: buy 4 down, $100 back, vigorish $5 back"]
    assert (rail(dealt), vig(dealt)) == ("1000", "0")


def test_a_book_may_keep_it_on_a_reduction_and_a_removal() -> None:
    but = {"vig/buy/refund/is": False}
    reduced = deal("ann: buy-4 for 100; buy-4 to 40", but=but)
    assert (rail(reduced), vig(reduced)) == ("955", "5")
    removed = deal("ann: buy-4 for 100; buy-4 down", but=but)
    assert (rail(removed), vig(removed)) == ("995", "5")


def test_what_was_kept_counts_towards_a_later_raise() -> None:
    dealt = deal("ann: buy-4 for 100; buy-4 to 40; buy-4 to 100", but={"vig/buy/refund/is": False})
    assert vig(dealt) == "5"


@pytest.mark.clause("iowa:buy/vig-renew")
def test_a_buy_that_wins_stays_up_and_pays_for_its_next_decision() -> None:
    play = "ann: pass for 10\nroll 3 2\nann: buy-4 for 100\nroll 2 2"
    dealt = deal(play, book="iowa")
    (won,) = throws(dealt)[-1].settlements
    assert (won.paid, won.vig) == (20000, 500)
    assert up(dealt) == {"pass": "10", "buy-4": "100"}
    assert rail(dealt) == "1080"  # 885, and 200 less 5
    assert rail(deal(play + "\nann: buy-4 down", book="iowa")) == "1185"


def test_where_it_does_not_renew_the_next_decision_is_free_and_nothing_comes_back() -> None:
    play = POINT + "ann: buy-4 for 100\nroll 2 2\n"
    dealt = deal(play + "ann: buy-4 down", but={"vig/buy/renews/is": False})
    assert throws(dealt)[-1].settlements[0].vig == 0
    assert (rail(dealt), vig(dealt)) == ("1185", "5")


def test_a_lost_buy_keeps_no_more_than_was_paid() -> None:
    dealt = deal(POINT + "ann: buy-4 for 100\nroll 4 3")
    assert (rail(dealt), vig(dealt), money(dealt.table.win)) == ("885", "5", "110")


@pytest.mark.clause("dealer-school:buy.vig/4-10-on-win")
@pytest.mark.parametrize(("stake", "charge"), [("25", 100), ("50", 300), ("75", 400)])
def test_the_school_takes_it_on_the_four_and_ten_only_when_they_win(
    stake: str, charge: int
) -> None:
    made = deal(POINT + f"ann: buy-10 for {stake}", book="dealer-school")
    assert vig(made) == "0"
    won = deal(POINT + f"ann: buy-10 for {stake}\nroll 5 5", book="dealer-school")
    assert throws(won)[-1].settlements[0].vig == charge
    assert rail(won) == str(990 - int(stake) + 2 * int(stake) - charge // 100)


def test_taken_when_won_it_is_neither_charged_nor_returned_by_a_change() -> None:
    play = POINT + "ann: buy-4 for 50; buy-4 to 100; buy-4 to 25; buy-4 down"
    dealt = deal(play, book="dealer-school")
    assert (rail(dealt), vig(dealt)) == ("990", "0")


def test_taken_when_won_nothing_of_it_comes_back_later() -> None:
    dealt = deal(POINT + "ann: buy-4 for 100\nroll 2 2\nann: buy-4 down", elect={"buy.when": "won"})
    assert (rail(dealt), vig(dealt)) == ("1185", "5")  # 890, then 200 less 5, then 100


def test_taken_when_won_a_second_win_is_charged_again() -> None:
    play = POINT + "ann: buy-4 for 100\nroll 2 2\nroll 3 1"
    dealt = deal(play, elect={"buy.when": "won"})
    assert [throw.settlements[0].vig for throw in throws(dealt)[1:]] == [500, 500]
    assert rail(dealt) == "1280"  # 890, and twice 195


def test_a_winning_lay_comes_down_and_its_vigorish_is_gone() -> None:
    dealt = deal(POINT + "ann: lay-4 for 40\nroll 4 3")
    assert rail(dealt) == "1008"  # 990 less 42, then 40 and 20
    assert up(dealt) == {}
