"""The set of dice: where it is, what keeps it from being thrown, how it comes and goes."""

from __future__ import annotations

import pytest

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from tests.table.games import deal, notes, reason, shooter, throws

PASS = "ann: pass for 10\n"
TWO = "ann 1000, bob 1000"
SIZES = "0.7500 0.7510 0.7511 0.7500 0.7575"


# Out and back


def test_the_dice_go_out_to_whoever_throws_next() -> None:
    dealt = deal(PASS + "dice out", TWO)
    assert notes(dealt)[-1] == "the dice are out, to ann"
    assert (shooter(dealt), dealt.table.dice.out) == ("ann", True)


def test_dice_that_nobody_may_throw_do_not_go_out() -> None:
    deal("dice out", refused=["19:47-1.8#1"])


def test_dice_that_are_out_are_not_sent_again() -> None:
    assert (
        reason(deal(PASS + "dice out\ndice out", refused=["custom"]))
        == "the dice are out: wait until they rest"
    )


def test_a_shooter_who_wants_more_wagers_has_the_dice_drawn_back() -> None:
    dealt = deal(PASS + "dice out\ndice back\nann: field for 5", book="iowa")
    assert not dealt.table.dice.out


def test_only_dice_that_are_out_are_drawn_back() -> None:
    deal(PASS + "dice back", refused=["custom"])


@pytest.mark.parametrize(
    "line",
    [
        "roll 3 3",
        "no roll stacked by stickperson",
        "ann passes the dice",
        "ann asks for new dice",
        "recall dice damage",
    ],
)
def test_what_brings_the_dice_back(line: str) -> None:
    assert not deal(f"{PASS}dice out\n{line}").table.dice.out


def test_wagers_are_open_with_the_dice_out_where_the_book_takes_them() -> None:
    deal(PASS + "dice out\nann: hard-8 for 1")
    shut = {"tender/dice_out/is": False}
    deal(PASS + "dice out\nann: hard-8 for 1", but=shut, refused=["19:47-1.3(a)#1"])


def test_money_is_changed_with_the_dice_out_where_the_book_does_not_mind() -> None:
    deal(PASS + "dice out\nann buys in 100\nann colours up\nann changes 100 to red")
    free = {"tender/change_out/is": True}
    deal(PASS + "dice out\nann buys in 100\nann colours up", book="iowa", but=free)


@pytest.mark.parametrize(
    "command",
    [
        *(cmd.SendDice(), cmd.DrawBack(), cmd.InspectDice("boxperson"), cmd.RecallDice("damage")),
        *(cmd.NewDice("damage"), cmd.CancelDice("4411", "boxperson"), cmd.LoseDie(), cmd.FindDie()),
        *(cmd.Relieve("kim", "stickperson"), cmd.DeadGame()),
    ],
)
def test_a_machine_has_no_dice_to_handle(command: cmd.AnyCommand) -> None:
    dealt = deal("", game="automated-craps")
    refused = decide(dealt.table, command)
    assert isinstance(refused, Refusal)
    assert refused.code == "machine-throws"


# Inspection


@pytest.mark.parametrize("by", ["boxperson", "floorperson", "supervisor"])
def test_any_official_inspects_where_the_book_does_not_say(by: str) -> None:
    dealt = deal(f"inspect dice by {by}")
    assert notes(dealt) == [
        f"the {by} inspects the dice: fit [custom: an official of the table looks the dice over]"
    ]


def test_a_dealer_is_no_official() -> None:
    deal("inspect dice by dealer", refused=["custom"])


def test_nobody_inspects_where_the_book_names_nobody() -> None:
    deal(
        "inspect dice",
        book="iowa",
        but={"inspection/by/is": [], "inspection/in_play_by": None},
        refused=["dice-inspection.intro#2"],
    )


def test_dice_that_are_out_are_brought_in_before_they_are_inspected() -> None:
    deal(PASS + "dice out\ninspect dice", refused=["custom"])
    deal(PASS + f"dice out\ninspect dice {SIZES} serial 4411", book="iowa")


def test_a_set_is_fit_where_nothing_is_seen_and_the_book_measures_nothing() -> None:
    deal("inspect dice serial 4411\nnew dice age serial 4411")
    unmeasured = {"inspection/measured/is": False}
    deal("inspect dice serial 4411\nnew dice age serial 4411", book="iowa", but=unmeasured)


def test_a_book_without_sizes_or_one_number_finds_no_fault_in_either() -> None:
    dealt = deal("inspect dice 0.7000 .8 0.75 1.0 0.7500 serial a b c")
    assert notes(dealt)[-1].startswith("the boxperson inspects set a: fit")
    mixed = {"inspection/one_serial/is": False}
    dealt = deal(f"inspect dice {SIZES} serial a b", book="iowa", but=mixed)
    assert "fit" in notes(dealt)[-1]


def test_a_flaw_that_the_book_does_not_name_is_a_flaw() -> None:
    dealt = deal(PASS + "inspect dice flaw chipped\nroll 3 3", refused=["custom"])
    assert reason(dealt) == "before the next throw the dice need a new set: chipped"


@pytest.mark.clause("iowa:dice-inspection.intro#1")
def test_a_set_is_found_fit_by_all_its_dice_only_in_play_too() -> None:
    four = " ".join(SIZES.split()[:4])
    dealt = deal(f"inspect dice {four}", book="iowa", refused=["dice-inspection.intro#1"])
    assert reason(dealt) == "a set has 5 dice, and 4 were measured"
    deal(f"inspect dice {SIZES} {four[:6]}", book="iowa", refused=["dice-inspection.intro#1"])
    deal("inspect dice", book="iowa")


def test_the_set_in_play_may_be_measured_by_its_number() -> None:
    play = f"inspect dice {SIZES} serial 4411\nnew dice reopen serial 4411\n"
    dealt = deal(
        play + PASS + "inspect dice 0.7600 serial 4411\nroll 3 3",
        book="iowa",
        refused=["dice-inspection.2#2"],
    )
    assert dealt.table.dice.serial == "4411"


def test_an_inspection_of_dice_that_nobody_doubted_changes_nothing() -> None:
    assert throws(deal(PASS + "inspect dice\nroll 3 3"))


def test_dice_are_called_in_on_any_ground_by_custom() -> None:
    deal(PASS + "recall dice switched\nroll 3 3\ninspect dice\nroll 3 3", refused=["custom"])


def test_a_recall_does_not_mend_what_needs_a_new_set() -> None:
    play = "inspect dice flaw chipped\nrecall dice damage\ninspect dice\nroll 3 3"
    deal(PASS + play, book="maryland-crapless", refused=["7.F(4)"])


def test_no_throw_is_void_that_could_not_be_made() -> None:
    deal(PASS + "recall dice damage\nno roll stacked", refused=["custom"])


# Exchange


def test_a_set_is_exchanged_while_the_dice_are_in_by_custom() -> None:
    deal(PASS + "dice out\nnew dice damage", refused=["custom"])


def test_a_book_may_exchange_sets_at_any_time() -> None:
    free = {"inspection/exchange/is": "any-time"}
    dealt = deal(PASS + "dice out\nnew dice damage", book="iowa", but=free)
    assert not dealt.table.dice.out


def test_a_set_goes_into_play_uninspected_where_the_book_does_not_mind() -> None:
    deal("new dice age serial 4411")
    deal("new dice age serial 4411", book="iowa", but={"inspection/first/is": False})


def test_the_set_in_play_is_no_new_set() -> None:
    deal("new dice age serial 4411\nnew dice age serial 4411", refused=["custom"])


def test_a_set_is_inspected_anew_each_time_that_it_comes_in() -> None:
    look = f"inspect dice {SIZES} serial {{}}\nnew dice age serial {{}}\n"
    play = look.replace("{}", "4411") + look.replace("{}", "4412")
    dealt = deal(
        play + "new dice age serial 4411", book="iowa", refused=["dice-inspection.intro#2"]
    )
    assert dealt.table.dice.retired == ("4411",)
    again = deal(play + look.replace("{}", "4411"), book="iowa")
    assert again.table.dice.serial == "4411"
    assert again.table.dice.retired == ("4412",)


# Cancelling


def test_a_cancelled_set_is_never_played_again_by_custom() -> None:
    play = "new dice age serial 4411\nnew dice age serial 4412\ncancel dice 4411\n"
    dealt = deal(
        play + "new dice age serial 4411\ninspect dice serial 4411", refused=["custom"] * 2
    )
    assert dealt.table.dice.cancelled == ("4411",)
    assert reason(dealt) == "set 4411 is canceled"


def test_what_did_not_come_off_is_not_cancelled() -> None:
    deal("cancel dice 4411", refused=["custom"])
    play = "new dice age serial 4411\nnew dice age serial 4412\n"
    deal(play + "cancel dice 4411 on 6\ncancel dice 4411", refused=["custom"])


def test_nobody_cancels_where_the_book_names_nobody() -> None:
    nobody = {"inspection/by/is": [], "inspection/first/is": False}
    play = "new dice age serial 4411\nnew dice age serial 4412\ncancel dice 4411"
    deal(play, book="iowa", but=nobody, refused=["dice-inspection.5#3"])


# Dice down


@pytest.mark.parametrize("line", ["die lost", "die found"])
def test_a_die_that_is_here_is_neither_lost_nor_found(line: str) -> None:
    assert reason(deal(line, refused=["custom"])) == "no die has left the table"


def test_a_game_goes_on_with_the_dice_that_are_left_by_custom() -> None:
    dealt = deal(PASS + "no roll off-table\ndie lost\nroll 3 3")
    assert (dealt.table.dice.lost, len(throws(dealt))) == (1, 1)


def test_two_dice_must_be_left() -> None:
    lost = "no roll off-table\ndie lost\ndie lost\nroll 3 3\nno roll off-table\ndie lost\ndie lost"
    dealt = deal(PASS + lost, refused=["custom"])
    assert (dealt.table.dice.lost, reason(dealt)) == (3, "no two dice would be left")


def test_a_die_that_is_found_later_comes_back_unlooked_at_where_the_book_is_silent() -> None:
    dealt = deal(PASS + "no roll off-table\ndie lost\nroll 3 3\ndie found\nroll 3 3")
    assert dealt.table.dice.lost == 0


def test_with_two_lost_one_found_is_not_enough() -> None:
    play = PASS + "no roll off-table\ndie lost\ndie lost\ndie found\nroll 3 3\ndie found\nroll 3 3"
    dealt = deal(play, book="maryland-crapless", refused=["7.F(2)"])
    assert len(throws(dealt)) == 1


def test_a_lost_die_is_missing_until_it_is_found() -> None:
    play = PASS + "no roll off-table\ndie lost\nroll 3 3\n"
    assert deal(play, book="dealer-school").table.dice.lost == 1
    assert deal(play + "die found", book="dealer-school").table.dice.lost == 0


# Age


def test_a_set_is_as_old_as_the_clock_can_tell() -> None:
    old = PASS + "clock 2007-04-02 09:00\nclock 2007-04-09 09:00\nroll 3 3"
    deal(old, book="maryland-crapless", refused=["7.E"])
    assert throws(deal(old, book="iowa"))
    fresh = PASS + "new dice age\nroll 3 3"
    assert throws(deal(fresh, book="maryland-crapless"))
