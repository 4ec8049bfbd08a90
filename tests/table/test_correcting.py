"""``NAME: undo``: a correction that names what it corrects. No line is ever lost."""

from __future__ import annotations

import pytest

from passline.game.table.events import Undone
from passline.record.deal import deal_text
from passline.record.write import write_record
from tests.table.games import deal, money, rail, reason, up

PLAY = "ann: pass for 10\nroll 2 2\n"


def test_undo_puts_wagers_and_rail_back() -> None:
    dealt = deal(PLAY + "ann: place-win-6 for 12\nann: undo")
    assert (up(dealt), rail(dealt)) == ({"pass": "10"}, "990")
    (undone,) = [e for entry in dealt.entries for e in entry.events if isinstance(e, Undone)]
    assert undone.corrects == 2


def test_said_again_it_takes_back_the_one_before() -> None:
    play = PLAY + "ann: place-win-6 for 12; place-win-8 for 12\nann: undo; undo\n"
    assert up(deal(play)) == {"pass": "10"}
    assert "nothing since the last throw" in reason(deal(play + "ann: undo", refused=["custom"]))


def test_a_change_a_call_and_taking_down_are_undone_whole() -> None:
    start = PLAY + "ann: place-win-6 for 12; hard-8 for 5; buy-10 for 40\n"
    before = deal(start).table.seat("ann")
    for say in ("place-win-6 to 30", "hard-8 off", "hard-8 down", "all down", "all off"):
        after = deal(start + f"ann: {say}\nann: undo\n").table.seat("ann")
        assert (after.wagers, after.rail) == (before.wagers, before.rail), say


def test_vigorish_comes_back_with_what_is_undone() -> None:
    dealt = deal(PLAY + "ann: buy-10 for 40\nann: undo")
    assert (money(dealt.table.vig), rail(dealt)) == ("0", "990")
    again = deal(PLAY + "ann: buy-10 for 40\nann: buy-10 down\nann: undo")
    assert (money(again.table.vig), up(again)["buy-10"]) == ("2", "40")


def test_a_wager_booked_as_its_parts_is_undone_with_all_of_them() -> None:
    assert up(deal(PLAY + "ann: whirl for 5\nann: undo")) == {"pass": "10"}


def test_a_throw_or_a_no_roll_is_the_end_of_it() -> None:
    said = "ann: place-win-6 for 12\n"
    deal(PLAY + said + "roll 5 4\nann: undo", refused=["custom"])
    deal(PLAY + said + "no roll off-table\nann: undo", refused=["custom"])


def test_nothing_is_undone_once_the_dice_are_out() -> None:
    said = PLAY + "ann: place-win-6 for 12\ndice out\nann: undo"
    assert "the dice are out" in reason(deal(said, refused=["custom"]))
    assert up(deal(said + "\ndice back\nann: undo", refused=["custom"])) == {"pass": "10"}


def test_others_and_buy_ins_and_tokes_stay() -> None:
    play = (
        PLAY + "ann: place-win-6 for 12\nbob joins for 100\nbob: field for 5\nann buys in 50\n"
        "ann: toke 3\nann: undo\n"
    )
    dealt = deal(play)
    assert (rail(dealt), up(dealt, "bob"), money(dealt.table.tokes)) == (
        "1037",
        {"field": "5"},
        "3",
    )


def test_chips_that_were_given_away_meanwhile_are_not_there_to_go_back() -> None:
    play = "ann: field for 995\nann: field down\nann: toke 1000\nann: undo"
    assert "needs $995" in reason(deal(play, refused=["19:47-1.3(b)#1"]))


def test_leaving_stays() -> None:
    play = PLAY + "ann: place-win-6 for 12\nann leaves\nann buys in 50\nann: undo"
    deal(play, refused=["custom"])


def test_a_record_with_corrections_is_written_and_dealt_again() -> None:
    dealt = deal(PLAY + "ann: place-win-6 for 12; field for 5\nann: undo\nroll 5 1")
    again = deal_text(write_record(dealt))
    assert again.table == dealt.table
    assert "ann: undo" in write_record(dealt)


@pytest.mark.parametrize("over", ["dead game", "table closes", "table closes\ntable opens"])
def test_a_wager_of_a_game_that_is_over_does_not_come_back(over: str) -> None:
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-pass down\n" + over
    dealt = deal(play + "\nann: undo", refused=["custom"])
    assert "nothing since the last throw" in reason(dealt)
    assert (up(dealt), rail(dealt), dealt.table.puck) == ({}, "1000", None)
    again = "" if over.endswith("opens") or over == "dead game" else "table opens\n"
    dealt = deal(f"{play}\n{again}ann: pass for 10\nann: undo")  # the next game's does
    assert (up(dealt), rail(dealt)) == ({}, "1000")
