"""Who is offered the dice, who may throw them, and when they pass."""

from __future__ import annotations

import pytest

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.words.refusals import describe_refusal, name_ground
from tests.table.games import deal, notes, reason, settled, shooter, throws

THREE = "ann 1000, bob 1000, cat 1000"
ALL_PASS = "ann: pass for 10\nbob: pass for 10\ncat: pass for 10\n"
#: A point of six, and a seven-out.
OUT = "roll 3 3\nroll 4 3\n"


@pytest.mark.clause("new-jersey:19:47-1.7(b)1#1")
def test_the_first_offer_goes_to_the_boxpersons_left() -> None:
    assert shooter(deal(ALL_PASS + "roll 3 3", THREE)) == "ann"


def test_the_offer_goes_by_a_player_without_a_line_wager() -> None:
    assert shooter(deal("ann: field for 5\nbob: dont-pass for 10\nroll 3 3", THREE)) == "bob"


def test_a_first_offer_on_the_right_begins_with_the_last_seat() -> None:
    dealt = deal(ALL_PASS + "roll 3 3", THREE, but={"dice/first/craps/is": "right"})
    assert shooter(dealt) == "cat"


def test_a_turn_counter_clockwise_goes_back_from_the_last_shooters_right() -> None:
    but = {"dice/turn/craps/is": "counter-clockwise", "dice/after_pass/is": "right"}
    dealt = deal(ALL_PASS + "bob takes the dice\n" + OUT + ALL_PASS + "roll 3 3", THREE, but=but)
    assert [throw.shooter for throw in throws(dealt)] == ["bob", "bob", "ann"]


@pytest.mark.clause("new-jersey:19:47-1.11(c)#1")
def test_after_a_seven_out_the_last_shooters_left_is_offered_first() -> None:
    dealt = deal(ALL_PASS + OUT + ALL_PASS + OUT + ALL_PASS + OUT + ALL_PASS + "roll 3 3", THREE)
    assert [throw.shooter for throw in throws(dealt)[::2]] == ["ann", "bob", "cat", "ann"]


def test_a_player_who_declines_is_left_out_of_one_offer() -> None:
    dealt = deal(f"{ALL_PASS}ann declines the dice\n{OUT}{ALL_PASS}{OUT}{ALL_PASS}{OUT}", THREE)
    assert [throw.shooter for throw in throws(dealt)[::2]] == ["bob", "cat", "ann"]


def test_whoever_takes_the_dice_shows_that_those_before_let_them_go_by() -> None:
    assert shooter(deal(ALL_PASS + "cat takes the dice", THREE)) == "cat"


def test_once_a_decline_is_spoken_the_offers_are_held_to_their_order() -> None:
    play = "ann declines the dice\ncat takes the dice\nbob takes the dice"
    dealt = deal(play, THREE, refused=["19:47-1.7(b)1#2"])
    assert shooter(dealt) == "bob"
    assert "bob first" in reason(dealt)


def test_when_everybody_has_declined_anybody_may_take_the_dice_after_all() -> None:
    play = "ann declines the dice\nbob declines the dice\ncat declines the dice\n"
    assert shooter(deal(play + "bob takes the dice", THREE)) == "bob"


def test_when_everybody_declines_the_game_is_dead() -> None:
    play = ALL_PASS + "".join(f"{name} declines the dice\n" for name in ("ann", "bob", "cat"))
    dealt = deal(play + "roll 3 3", THREE, refused=["19:47-1.8#1"])
    assert shooter(dealt) is None
    assert "declined the dice" in reason(dealt)


def test_dice_that_somebody_holds_are_not_taken() -> None:
    dealt = deal("ann takes the dice\nbob takes the dice", THREE, refused=["19:47-1.7(b)1#2"])
    assert shooter(dealt) == "ann"
    assert reason(dealt) == "ann holds the dice"


def test_a_player_who_left_is_neither_offered_the_dice_nor_takes_them() -> None:
    play = "ann: pass for 10\nbob: pass for 10\nann takes the dice\nroll 3 3\nann leaves\n"
    dealt = deal(play + "ann takes the dice\nroll 3 3", THREE, refused=["custom"])
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "bob"]


def test_the_taker_is_offered_the_whole_set_and_two_are_chosen() -> None:
    dealt = deal("ann takes the dice", elect={"dice.set_of": "7"})
    assert notes(dealt) == ["ann takes the dice: 7 offered, 2 chosen, 5 put back"]


# Who may throw


@pytest.mark.clause("new-jersey:19:47-1.8#1")
def test_a_come_out_roll_needs_the_shooters_line_wager() -> None:
    deal("ann takes the dice\nann: field for 5\nroll 3 3", refused=["19:47-1.8#1"])


def test_with_a_point_on_the_line_wager_is_needed_no_more() -> None:
    dealt = deal("ann: dont-pass for 10\nroll 3 3\nann: dont-pass down\nroll 5 4\nroll 3 3")
    assert [throw.puck for throw in throws(dealt)] == [6, 6, 0]


STALLED = "ann: dont-pass for 10\nroll 3 3\nann: dont-pass down\n"


@pytest.mark.custom("dice.stalled")
def test_in_iowa_a_game_never_stalls() -> None:
    """Nobody has the line wager that every throw needs, and with a point on none can be made."""
    dealt = deal(f"{STALLED}roll 5 4\nroll 6 5\nroll 3 3", THREE, book="iowa")
    assert [throw.shooter for throw in throws(dealt)] == ["ann"] * 4
    assert not dealt.table.puck


@pytest.mark.custom("dice.stalled")
def test_in_iowa_the_next_in_turn_throws_where_nobody_has_the_dice() -> None:
    dealt = deal(f"{STALLED}ann passes the dice\nroll 5 4\nroll 4 3", THREE, book="iowa")
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "bob", "bob"]


@pytest.mark.clause("iowa:general.4")
def test_once_the_point_is_decided_a_line_wager_is_asked_for_again() -> None:
    deal(f"{STALLED}roll 3 3\nroll 5 4", THREE, book="iowa", refused=["general.4"])


def test_where_one_is_left_who_has_a_line_wager_that_one_throws() -> None:
    dealt = deal(f"cat: pass for 10\n{STALLED}roll 5 4", THREE, book="iowa")
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "cat"]


def test_a_book_may_have_the_game_wait() -> None:
    but = {"dice/stalled": {"is": "waits", "custom": "nobody throws for nothing"}}
    deal(f"{STALLED}roll 5 4", THREE, book="iowa", but=but, refused=["general.4"])


def test_where_a_line_wager_can_still_be_put_up_it_is_asked_for() -> None:
    but = {"wager/pass/made/is": "any"}
    play = f"{STALLED}roll 5 4\nann: pass for 10\nroll 5 4"
    deal(play, THREE, book="iowa", but=but, refused=["general.4"])


def test_a_shooter_who_bets_no_line_again_loses_the_dice_to_one_who_does() -> None:
    play = "ann: pass for 10\nroll 4 3\ncat: dont-pass for 10\nroll 3 3"
    dealt = deal(play, THREE)
    assert notes(dealt)[0] == "ann passes the dice, without a line wager [19:47-1.11(c)#1]"
    assert shooter(dealt) == "cat"


def test_in_iowa_that_happens_with_a_point_on_too() -> None:
    play = "ann: dont-pass for 10\nbob: pass for 10\nroll 3 3\nann: dont-pass down\nroll 5 4"
    dealt = deal(play, THREE, book="iowa")
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "bob"]
    assert dealt.table.shootout is not None
    assert not dealt.table.shootout.open


# Giving the dice up


def test_a_loser_seven_passes_the_dice() -> None:
    dealt = deal("ann: pass for 10\n" + OUT)
    assert shooter(dealt) is None
    assert notes(dealt)[-1] == "ann passes the dice, on a loser seven [19:47-1.11(a)1]"


@pytest.mark.clause("new-jersey:19:47-1.11(a)1")
def test_a_come_out_seven_does_not() -> None:
    dealt = deal("ann: pass for 10\nroll 4 3\nann: pass for 10\nroll 3 3")
    assert (shooter(dealt), dealt.table.turn) == ("ann", 2)


def test_where_any_seven_passes_the_dice_a_come_out_seven_does() -> None:
    but = {"dice/must_pass/is": "any-seven"}
    assert shooter(deal("ann: pass for 10\nroll 4 3", but=but)) is None
    assert shooter(deal("ann: pass for 10\nroll 5 6", but=but)) == "ann"


@pytest.mark.clause("new-jersey:19:47-1.11(a)")
def test_dice_passed_by_choice_go_left_and_the_point_stands() -> None:
    dealt = deal("ann: pass for 10\nroll 3 3\nann passes the dice\nroll 5 4\nroll 4 2", THREE)
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "bob", "bob"]
    assert settled(dealt) == ["ann pass win 10"]
    assert shooter(dealt) == "bob"


def test_only_the_holder_passes_the_dice() -> None:
    play = "ann takes the dice\nbob passes the dice"
    assert shooter(deal(play, THREE, refused=["19:47-1.11(a)"])) == "ann"


def test_a_book_may_forbid_passing_by_choice() -> None:
    dealt = deal(
        "ann takes the dice\nann passes the dice\nann leaves",
        but={"dice/may_pass/is": False},
        refused=["19:47-1.11(a)", "19:47-1.11(a)"],
    )
    assert shooter(dealt) == "ann"
    assert dealt.table.seats[0].here


def test_the_holder_who_declines_passes_the_dice() -> None:
    dealt = deal("ann takes the dice\nann declines the dice", THREE)
    assert notes(dealt) == ["ann passes the dice, declined [19:47-1.11(a)]"]
    assert shooter(dealt) is None


def test_a_shooter_who_leaves_passes_the_dice() -> None:
    dealt = deal("ann: pass for 10\nroll 3 3\nann leaves\nroll 4 2", THREE)
    assert [throw.shooter for throw in throws(dealt)] == ["ann", "bob"]
    assert settled(dealt) == ["ann pass win 10"]


def test_in_iowa_passed_dice_go_first_to_those_with_a_line_wager() -> None:
    play = "ann: pass for 10\ncat: pass for 10\nroll 3 3\nann passes the dice\n"
    dealt = deal(play + "bob takes the dice\nroll 5 4", THREE, book="iowa", refused=["stick.18#1"])
    assert shooter(dealt) == "cat"
    assert "cat has a line wager" in reason(dealt)


def test_in_iowa_somebody_without_one_takes_them_where_nobody_has_one() -> None:
    play = "ann: dont-pass for 10\nroll 3 3\nann: dont-pass down\nann passes the dice\n"
    assert shooter(deal(play + "bob takes the dice", THREE, book="iowa")) == "bob"


# Orders to pass


@pytest.mark.parametrize(
    ("ground", "cite"),
    [
        ("delay", "19:47-1.11(a)2#1"),
        ("invalid-rolls", "19:47-1.11(a)2#2"),
        ("violation", "19:47-1.11(a)2#3"),
    ],
)
def test_the_boxperson_orders_the_shooter_to_pass(ground: str, cite: str) -> None:
    dealt = deal(f"ann takes the dice\nboxperson orders ann to pass for {ground}", THREE)
    assert notes(dealt) == [
        f"ann passes the dice, by order of the boxperson, for {name_ground(ground)} [{cite}]"
    ]


def test_at_mini_craps_the_dealer_orders_it() -> None:
    play = "ann takes the dice\nboxperson orders ann to pass for delay\n"
    dealt = deal(
        play + "dealer orders ann to pass for delay",
        game="mini-craps",
        refused=["19:47-1.11(a)2#1"],
    )
    assert reason(dealt) == "the boxperson may not order that: dealer may"
    assert shooter(dealt) is None


def test_only_the_shooter_is_ordered_to_pass() -> None:
    play = "ann takes the dice\nboxperson orders bob to pass for delay"
    assert shooter(deal(play, THREE, refused=["19:47-1.11(a)"])) == "ann"


def test_an_order_needs_a_ground_that_the_book_has() -> None:
    table = deal("ann takes the dice").table
    answer = decide(table, cmd.OrderPass("boxperson", "ann", "bad-luck"))
    assert isinstance(answer, Refusal)
    assert describe_refusal(answer) == (
        "bad luck is no ground to order a pass: delay, invalid rolls, violation"
    )


def test_where_a_game_names_nobody_to_order_it_nobody_may() -> None:
    dealt = deal(
        "ann takes the dice\nboxperson orders ann to pass for delay",
        but={"dice/order_by/craps": None},
        refused=["19:47-1.11(a)"],
    )
    assert reason(dealt) == "nobody orders a pass at craps"


# The dice themselves


@pytest.mark.clause("iowa:shooting.7")
def test_after_a_die_left_the_table_the_shooter_may_ask_for_the_same_dice() -> None:
    play = "ann: pass for 10\nann takes the dice\nno roll off-table\nann asks for the same dice"
    assert notes(deal(play, book="iowa")) == ["ann asks for the same dice [shooting.7]"]
    another = play.replace("ann asks", "bob asks")
    assert notes(deal(another, "ann 1000, bob 1000", book="iowa", refused=["shooting.7"])) == []


@pytest.mark.parametrize(
    "before",
    [
        "ann takes the dice",
        "ann: pass for 10\nno roll not-together",
        "ann: pass for 10\nno roll off-table\nroll 3 3",
        "ann: pass for 10\nno roll off-table\nann asks for the same dice",
        "ann: pass for 10\nno roll off-table\nann asks for new dice",
        "ann: pass for 10\nno roll off-table\nnew dice die-lost",
    ],
)
def test_without_a_die_off_the_table_there_is_nothing_to_ask_for(before: str) -> None:
    dealt = deal(f"{before}\nann asks for the same dice", book="iowa", refused=["shooting.7"])
    assert reason(dealt) == "no die has left the table"


def test_the_next_shooter_has_no_die_to_ask_for() -> None:
    play = "ann: pass for 10\nbob: pass for 10\nno roll off-table\nann passes the dice\n"
    said = "bob takes the dice\nbob asks for the same dice"
    deal(play + said, THREE, book="iowa", refused=["shooting.7"])


def test_nobody_else_asks_for_the_same_dice() -> None:
    play = "ann: pass for 10\nno roll off-table\nbob asks for the same dice"
    dealt = deal(play, THREE, book="iowa", refused=["shooting.7"])
    assert reason(dealt) == "only the shooter may ask for the same dice"


def test_where_a_book_says_nothing_of_it_the_shooter_may_ask_by_custom() -> None:
    play = "ann: pass for 10\nno roll off-table\nbob asks for the same dice\n"
    dealt = deal(play + "ann asks for the same dice", THREE, refused=["custom"])
    assert notes(dealt)[0].startswith("ann asks for the same dice [custom: ")


def test_a_book_may_let_anyone_ask_for_the_same_dice() -> None:
    play = "ann: pass for 10\nno roll off-table\nbob asks for the same dice"
    dealt = deal(play, THREE, book="iowa", but={"dice/same_dice/is": "anyone"})
    assert notes(dealt) == ["bob asks for the same dice [shooting.7]"]


def test_the_shooter_and_nobody_else_asks_for_new_dice() -> None:
    play = "ann takes the dice\nbob asks for new dice\nann asks for new dice"
    dealt = deal(play, THREE, book="iowa", refused=["shooting.1#3"])
    assert notes(dealt) == ["ann asks for new dice [shooting.1#3]"]
    assert reason(dealt) == "bob does not hold the dice"


def test_a_book_may_forbid_asking_for_new_dice() -> None:
    play = "ann takes the dice\nann asks for new dice"
    deal(play, book="iowa", but={"dice/ask_new/is": False}, refused=["shooting.1#3"])


def test_asking_for_new_dice_is_a_custom_where_the_book_is_silent() -> None:
    dealt = deal("ann takes the dice\nann asks for new dice")
    assert notes(dealt)[0].startswith("ann asks for new dice [custom: ")


@pytest.mark.parametrize(
    ("reason", "cite"),
    [
        ("age", "7.E"),
        ("reopen", "7.F(1)"),
        ("die-lost", "7.F(2)"),
        ("tampering", "7.F(3)"),
        ("damage", "7.F(4)"),
    ],
)
def test_maryland_names_when_a_new_set_comes_in(reason: str, cite: str) -> None:
    dealt = deal(f"new dice {reason}", book="maryland-crapless")
    assert notes(dealt) == [f"a new set of dice: {name_ground(reason)} [{cite}]"]


def test_a_house_may_always_bring_in_a_new_set() -> None:
    assert notes(deal("new dice damage"))[0].startswith("a new set of dice: damage [custom: ")


# The machine throws


@pytest.mark.parametrize(
    "line",
    [
        "ann takes the dice",
        "ann declines the dice",
        "ann passes the dice",
        "boxperson orders ann to pass for delay",
        "ann asks for the same dice",
        "ann asks for new dice",
        "new dice damage",
        "no roll off-table",
        "ruling 3 4 by boxperson",
    ],
)
def test_automated_craps_has_no_dice_to_hold(line: str) -> None:
    dealt = deal(line, game="automated-craps", refused=["custom"])
    assert dealt.table == dealt.opening


def test_automated_craps_throws_without_shooter_or_line_wager() -> None:
    dealt = deal("ann: field for 5\nroll 2 2\nroll 4 3", game="automated-craps")
    assert [(throw.shooter, throw.puck) for throw in throws(dealt)] == [("", 4), ("", 0)]
    assert shooter(dealt) is None
