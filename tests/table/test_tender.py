"""How a wager comes in: chips, cash, coupons; before the throw, in the air, refused aloud."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, rail, reason, settled, up

# In the air


@pytest.mark.parametrize(
    ("book", "game", "roles", "cite"),
    [
        ("new-jersey", "craps", "dealer, boxperson", "19:47-1.3(a)1"),
        ("new-jersey", "mini-craps", "dealer, floorperson", "19:47-1.3(a)2"),
        ("section-2", "craps", "dealer, boxperson", "2(c)(1)(i)"),
        ("section-2", "mini-craps", "dealer, floorperson", "2(c)(1)(ii)"),
    ],
)
def test_a_wager_in_the_air_is_taken_once_both_confirm_it(
    book: str, game: str, roles: str, cite: str
) -> None:
    late = "ann: field for 5 in the air"
    play = f"{late}\n{late} confirmed by dealer\n{late} confirmed by {roles}"
    dealt = deal(play, book=book, game=game, refused=[cite, cite])
    assert up(dealt) == {"field": "5"}
    assert reason(dealt).endswith(f"needs the {roles.replace(', ', ' and ')} to confirm it")


@pytest.mark.parametrize(
    ("book", "game", "cite"),
    [
        ("new-jersey", "automated-craps", "19:47-1.3(a)#1"),
        ("maryland-crapless", "crapless", "4.A"),
        ("iowa", "craps", "wagers.intro.3#1"),
        ("dealer-school", "craps", "custom"),
    ],
)
def test_elsewhere_none_is_taken_in_the_air(book: str, game: str, cite: str) -> None:
    play = "ann: field for 5 in the air confirmed by dealer, boxperson, floorperson"
    assert up(deal(play, book=book, game=game, refused=[cite])) == {}


def test_where_betting_closes_when_the_dice_rest_none_needs_confirming() -> None:
    dealt = deal("ann: field for 5 in the air", but={"tender/closes/is": "rest"})
    assert up(dealt) == {"field": "5"}


def test_dice_sent_out_but_not_thrown_are_not_in_the_air() -> None:
    assert up(deal("ann: hard-8 for 5 dice out")) == {"hard-8": "5"}


def test_a_book_may_close_betting_with_the_dice_out() -> None:
    but = {"tender/dice_out/is": False}
    assert up(deal("ann: hard-8 for 5 dice out", but=but, refused=["19:47-1.3(a)#1"])) == {}


# Refused aloud


@pytest.mark.parametrize(
    ("book", "cite"), [("dealer-school", "base.9.a#2"), ("new-jersey", "custom")]
)
def test_a_wager_the_dealer_refuses_aloud_has_no_action(book: str, cite: str) -> None:
    dealt = deal("ann: field for 5 no bet", book=book, refused=[cite])
    assert (up(dealt), rail(dealt)) == ({}, "1000")


def test_a_book_may_give_it_action_all_the_same() -> None:
    dealt = deal("ann: field for 5 no bet", book="dealer-school", but={"tender/no_bet/is": False})
    assert up(dealt) == {"field": "5"}


# Cash and calls


@pytest.mark.clause("new-jersey:19:47-1.3(b)#3")
def test_a_spoken_wager_with_cash_is_changed_into_chips_once_the_dealer_confirms() -> None:
    play = "ann: field for 25 in cash\nann: field for 25 in cash confirmed by dealer"
    dealt = deal(play, refused=["19:47-1.3(b)#3"])
    assert notes(dealt) == ["ann buys in for $25", "ann: field for $25"]
    assert (rail(dealt), up(dealt)) == ("1000", {"field": "25"})
    assert dealt.table.drop == 102500


def test_cash_behind_a_buy_wager_covers_its_vigorish_too() -> None:
    dealt = deal("ann: buy-4 for 100 in cash confirmed by dealer")
    assert notes(dealt) == ["ann buys in for $105", "ann: buy 4 for $100, vigorish $5"]
    assert rail(dealt) == "1000"


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("section-2", "2(c)(2)#1"),
        ("maryland-crapless", "4.C"),
        ("iowa", "def.call-bet#2"),
        ("new-jersey", "19:47-1.3(b)#1"),
        ("dealer-school", "custom"),
    ],
)
def test_call_bets_are_refused_everywhere(book: str, cite: str) -> None:
    assert up(deal("ann: field for 5 on call", book=book, refused=[cite])) == {}


@pytest.mark.parametrize(
    ("book", "cite"), [("new-jersey", "19:47-1.3(b)#1"), ("iowa", "wagers.intro.2#1")]
)
def test_nobody_bets_more_than_the_rail_holds(book: str, cite: str) -> None:
    dealt = deal("ann: pass for 21\nann: pass for 20", "ann 20", book=book, refused=[cite])
    assert (up(dealt), rail(dealt)) == ({"pass": "20"}, "0")
    assert reason(dealt) == "ann needs $21 and has $20 in the rail"


def test_nor_raises_by_more() -> None:
    dealt = deal("ann: pass for 10; pass to 21", "ann 20", refused=["19:47-1.3(b)#1"])
    assert reason(dealt) == "ann needs $11 and has $10 in the rail"
    assert up(dealt) == {"pass": "10"}


def test_the_last_chip_may_be_bet_or_raised_with() -> None:
    assert rail(deal("ann: pass for 10; pass to 20", "ann 20")) == "0"


def test_vigorish_counts_among_what_the_rail_must_hold() -> None:
    dealt = deal("ann: buy-4 for 20", "ann 20", refused=["19:47-1.3(b)#1"])
    assert reason(dealt) == "ann needs $21 and has $20 in the rail"


# Match play


@pytest.mark.clause("new-jersey:19:47-1.3(b)#2")
@pytest.mark.parametrize("wager", ["pass", "dont-pass"])
def test_a_match_play_coupon_is_paid_with_the_line_wager_it_lies_with(wager: str) -> None:
    winner = {"pass": "roll 4 3", "dont-pass": "roll 1 2"}[wager]
    dealt = deal(f"ann: {wager} for 10 match 10\n{winner}")
    assert settled(dealt) == [f"ann {wager} win 20"]
    assert rail(dealt) == "1020"
    assert (dealt.table.win, dealt.table.promo) == (-2000, 1000)


def test_it_is_surrendered_with_a_loss_and_costs_nothing() -> None:
    dealt = deal("ann: pass for 10 match 10\nroll 1 2\nann: pass for 10\nroll 4 3")
    assert rail(dealt) == "1000"  # lost 10, then won 10 without a coupon
    assert dealt.table.promo == 0


def test_it_is_surrendered_with_a_win() -> None:
    dealt = deal("ann: pass for 10 match 5\nroll 4 3\nann: pass for 10\nroll 4 3")
    assert rail(dealt) == "1025"


def test_it_is_kept_on_a_push() -> None:
    dealt = deal("ann: dont-pass for 10 match 5\nroll 6 6\nroll 1 2")
    assert settled(dealt) == ["ann dont-pass win 15"]


def test_coupons_add_up_on_one_wager() -> None:
    dealt = deal("ann: pass for 10 match 5; pass for 10 match 10\nroll 4 3")
    assert settled(dealt) == ["ann pass win 35"]  # 20 and 15 of coupons


@pytest.mark.custom("tender.match_face")
@pytest.mark.parametrize("book", ["new-jersey", "section-2"])
def test_a_coupons_face_is_no_more_than_its_wager(book: str) -> None:
    play = "ann: pass for 10 match 11\nann: pass for 10 match 5; pass for 5 match 10\nroll 4 3"
    dealt = deal(play, book=book, refused=["custom"])
    told = "a match play coupon of $11 goes with at least as much on pass line: "
    assert reason(dealt) == f"{told}$10 is the most here"
    assert settled(dealt) == ["ann pass win 30"]


@pytest.mark.custom("tender.match_face")
def test_nor_is_the_wager_made_smaller_than_its_coupon() -> None:
    play = "ann: dont-pass for 20 match 15\nann: dont-pass to 10\nann: dont-pass to 15\nroll 1 1"
    assert settled(deal(play, refused=["custom"])) == ["ann dont-pass win 30"]


def test_a_book_may_take_any_coupon() -> None:
    but = {"tender/match_face": {"is": "any", "custom": "coupons are good for their face"}}
    dealt = deal("ann: pass for 10 match 25\nroll 4 3", but=but)
    assert settled(dealt) == ["ann pass win 35"]


@pytest.mark.parametrize(
    ("book", "wager", "cite"),
    [
        ("new-jersey", "field", "19:47-1.3(b)#2"),
        ("section-2", "place-win-6", "2(c)(2)#2"),
        ("maryland-crapless", "pass", "4.B"),
        ("iowa", "pass", "custom"),
        ("dealer-school", "pass", "custom"),
    ],
)
def test_coupons_are_taken_with_nothing_else_and_nowhere_else(
    book: str, wager: str, cite: str
) -> None:
    assert up(deal(f"ann: {wager} for 12 match 5", book=book, refused=[cite])) == {}


def test_a_house_may_take_no_coupons() -> None:
    elect = {"offers.match_play": "false"}
    dealt = deal("ann: pass for 10 match 5", elect=elect, refused=["custom"])
    assert reason(dealt) == "this house takes no match play coupons"
