"""Buying in, colouring up, tipping, leaving and coming back."""

from __future__ import annotations

import pytest

from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.table.open_close import open_table
from tests.table.games import deal, money, notes, rail, reason, settled, up

TWO = "ann 1000, bob 1000"

# Buying in


def test_a_buy_in_goes_into_the_drop_and_comes_out_as_chips() -> None:
    dealt = deal("ann buys in 200", "ann 500, bob 300")
    assert rail(dealt) == "700"
    assert (dealt.table.drop, dealt.table.seats[0].bought_in) == (100000, 70000)


def test_a_buy_in_is_paid_out_in_whole_chips() -> None:
    dealt = deal(
        "ann buys in 7\nann buys in 10", elect={"limits.smallest_chip": "5"}, refused=["custom"]
    )
    assert rail(dealt) == "1010"


def test_two_players_of_one_name_do_not_sit_down() -> None:
    with pytest.raises(ValueError, match="same name"):
        open_table(make_house(rulebook("iowa")), ("ann", "bob", "ann"))


def test_nobody_is_taken_for_somebody_else() -> None:
    with pytest.raises(ValueError, match="zoe"):
        deal("").table.seat("zoe")


# Colouring up


def test_colouring_up_wins_and_loses_nothing() -> None:
    dealt = deal("ann: pass for 10\nann colours up")
    assert notes(dealt) == ["ann colors up"]
    assert dealt.table == deal("ann: pass for 10").table


# Tokes


@pytest.mark.clause("iowa:tokes.1")
def test_a_tip_goes_into_the_toke_box() -> None:
    dealt = deal("ann: toke 5", book="iowa")
    assert notes(dealt) == ["ann tokes the dealers $5, into the toke box [tokes.1]"]
    assert (rail(dealt), money(dealt.table.tokes)) == ("995", "5")
    assert dealt.table.win == 0


def test_a_tip_is_a_custom_where_the_book_is_silent() -> None:
    assert "[custom: " in notes(deal("ann: toke 5"))[0]


def test_nobody_tips_more_than_the_rail_holds() -> None:
    dealt = deal("ann: toke 6", "ann 5", refused=["19:47-1.3(b)#1"])
    assert reason(dealt) == "ann needs $6 and has $5 in the rail"


def test_the_last_chip_may_be_tipped() -> None:
    assert rail(deal("ann: toke 5", "ann 5")) == "0"


def test_a_tip_is_made_in_whole_chips() -> None:
    assert rail(deal("ann: toke 0.50", refused=["custom"])) == "1000"


def test_a_book_may_take_no_tips() -> None:
    deal("ann: toke 5", book="iowa", but={"tender/toke/is": "refuse"}, refused=["tokes.1"])


# Leaving


def test_what_may_come_down_comes_down_with_a_player_who_leaves() -> None:
    play = "bob: pass for 10\nann: pass for 10\nbob takes the dice\nroll 3 3\n"
    dealt = deal(play + "ann: place-win-8 for 12; buy-4 for 20\nann leaves", TWO)
    assert notes(dealt) == [
        "ann: place 8 down, $12 back",
        "ann: buy 4 down, $20 back, vigorish $1 back",
        "ann leaves the table",
    ]
    assert (up(dealt), rail(dealt)) == ({"pass": "10"}, "990")


def test_a_wager_that_may_not_come_down_plays_on() -> None:
    play = "bob: pass for 10\nann: pass for 10\nbob takes the dice\nroll 3 3\nann leaves\nroll 4 2"
    dealt = deal(play, TWO)
    assert "ann pass win 10" in settled(dealt)
    assert rail(dealt) == "1010"


def test_a_player_without_wagers_simply_leaves() -> None:
    assert notes(deal("ann leaves")) == ["ann leaves the table"]


def test_a_player_who_left_neither_leaves_again_nor_bets() -> None:
    dealt = deal("ann leaves\nann leaves\nann: field for 5", refused=["custom", "custom"])
    assert reason(dealt) == "ann has left the table and must come back first"


def test_a_player_who_left_does_not_raise_what_plays_on() -> None:
    play = "bob: pass for 10\nann: pass for 10\nbob takes the dice\nroll 3 3\nann leaves\n"
    dealt = deal(play + "ann: pass to 20", TWO, book="iowa", refused=["custom"])
    assert up(dealt) == {"pass": "10"}


def test_buying_in_again_brings_a_player_back() -> None:
    dealt = deal("ann leaves\nann buys in 100\nann: field for 5")
    assert (rail(dealt), up(dealt)) == ("1095", {"field": "5"})
    assert dealt.table.seats[0].here
