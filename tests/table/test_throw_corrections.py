"""``throw was A B by ROLE``: a throw that was keyed wrongly, put right."""

from __future__ import annotations

import pytest

from passline.game.house.load import house_for
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.corrections import drop_corrected
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.open_close import open_table
from passline.record.deal import Dealt, deal_text
from passline.record.report import crew_json
from tests.table.games import deal, money, rail, reason, standing, up

BET = "ann: pass for 10\n"


def same(corrected: Dealt, right: Dealt) -> None:
    """Both games ended at the same table."""
    assert standing(corrected.table) == standing(right.table)


def test_the_table_is_as_if_the_right_faces_had_been_keyed() -> None:
    corrected = deal(BET + "roll 4 3\nthrow was 4 2 by boxperson")
    same(corrected, deal(BET + "roll 4 2"))
    assert (up(corrected), rail(corrected)) == ({"pass": "10"}, "990")


def test_lines_since_are_dealt_again_and_those_that_no_longer_hold_are_refused() -> None:
    lines = "ann: pass-odds for 10; field for 5\n"
    corrected = deal(
        BET + "roll 3 3\n" + lines + "throw was 5 6 by floorperson", refused=["19:47-1.6(a)#1"]
    )
    assert (up(corrected), rail(corrected)) == ({"field": "5"}, "1005")
    same(corrected, deal(BET + "roll 5 6\n" + lines, refused=["19:47-1.6(a)#1"]))
    assert (
        reason(corrected) == "pass odds needs a pass line wager that has its number: bet that first"
    )
    (refusal,) = corrected.to_json()["refusals"]
    assert (refusal["line"], refusal["player"], refusal["said"]) == (5, "ann", "pass-odds for 10")


def test_an_undo_since_the_throw_is_dealt_again() -> None:
    lines = "ann: place-win-8 for 12; hard-8 for 5\nann: undo\n"
    corrected = deal(BET + "roll 3 3\n" + lines + "throw was 2 2 by supervisor\nann: undo")
    assert up(corrected) == {"pass": "10"}


def test_a_correction_is_corrected() -> None:
    play = BET + "roll 3 3\nann: field for 5\nthrow was 2 2 by boxperson\n"
    corrected = deal(play + "throw was 6 6 by boxperson")
    same(corrected, deal(BET + "roll 6 6\nann: field for 5"))


def test_the_same_bet_is_what_the_right_throw_decided() -> None:
    play = "ann: pass for 10; field for 5\n"
    corrected = deal(play + "roll 3 3\nthrow was 5 4 by boxperson\nann: same bet")
    assert corrected.entries[-1].words == "field for 5"
    same(corrected, deal(play + "roll 5 4\nann: same bet"))


@pytest.mark.parametrize(
    "between", ["", "roll 3 3\ndice out\n", "roll 3 3\nno roll off-table by stickperson\n"]
)
def test_a_throw_is_corrected_until_the_next_or_until_the_dice_go_out(between: str) -> None:
    dealt = deal(BET + between + "throw was 4 4 by boxperson", refused=["custom"])
    assert "there is no throw to correct" in reason(dealt)


def test_dice_that_came_back_do_not_open_it_again() -> None:
    play = BET + "roll 3 3\ndice out\ndice back\nthrow was 4 4 by boxperson"
    deal(play, refused=["custom"])


@pytest.mark.parametrize("faces", ["3 4", "4 3"])
def test_the_same_faces_correct_nothing(faces: str) -> None:
    dealt = deal(BET + f"roll 3 4\nthrow was {faces} by boxperson", refused=["custom"])
    assert "3 and 4 already" in reason(dealt)


@pytest.mark.parametrize("role", ["stickperson", "dealer"])
def test_the_box_and_the_floor_correct_throws(role: str) -> None:
    dealt = deal(BET + f"roll 3 4\nthrow was 3 3 by {role}", refused=["custom"])
    expected = "does not correct a throw: the boxperson, floorperson or supervisor does"
    assert reason(dealt) == f"the {role} {expected}"


def test_where_a_machine_throws_nothing_is_keyed() -> None:
    play = BET + "roll 3 3\nthrow was 4 4 by floorperson"
    deal(play, game="automated-craps", refused=["custom"])


def test_the_json_has_the_throw_that_counts_with_a_note() -> None:
    play = BET + "roll 3 4\nann: field for 5\nthrow was 3 3 by boxperson\nroll 3 3"
    first, second = deal(play).to_json()["rolls"]
    assert (first["line"], first["dice"], first["puck"]) == (4, [3, 3], 6)
    assert first["corrected"] == {"line": 6, "by": "boxperson", "was": [3, 4]}
    assert "corrected" not in second
    assert [rolled.first for _, _, rolled in deal(play).throws()] == [3, 3]
    assert len(crew_json(deal(play))["rolls"]) == 2


def test_tampered_dice_are_keyed_as_such() -> None:
    play = BET + "roll 2 2\nthrow was 2 2 tampered by supervisor"
    corrected = deal(play, book="iowa", elect={"offers.shootout": "true"}, refused=[])
    right = deal(BET + "roll 2 2 tampered", book="iowa", elect={"offers.shootout": "true"})
    same(corrected, right)


def test_a_throw_in_dispute_keeps_who_ruled_on_it() -> None:
    corrected = deal(BET + "ruling 3 3 by boxperson\nthrow was 4 4 by boxperson")
    assert [rolled.ruled_by for _, _, rolled in corrected.throws()] == ["boxperson"]


def test_the_events_without_what_was_taken_back() -> None:
    lines = "ann: pass-odds for 10; field for 5\n"
    play = BET + "roll 3 3\n" + lines + "throw was 5 6 by floorperson"
    dealt, right = deal(play, refused=["19:47-1.6(a)#1"]), deal(BET + "roll 5 6\nann: field for 5")
    events = [event for entry in dealt.entries for event in entry.events]
    assert list(drop_corrected(events)) == [
        event for entry in right.entries for event in entry.events
    ]


def test_a_player_whose_joining_no_longer_holds_is_told_so() -> None:
    table = open_table(house_for("new-jersey"), ("ann",))
    for command in (cmd.BuyIn("ann", 50000), cmd.Bet("ann", "pass", 1000), cmd.Roll(3, 3)):
        answer = decide(table, command)
        assert isinstance(answer, tuple)
        table = evolve_all(table, answer)
    again = (cmd.Join("zoe", 10000, 99), cmd.Bet("zoe", "field", 500))
    corrected = decide(table, cmd.CorrectThrow(4, 4, "boxperson", again=again))
    assert isinstance(corrected, tuple)
    dropped = [event for event in corrected if isinstance(event, ev.CommandDropped)]
    assert [event.refusal.code for event in dropped] == ["no-such-place", "not-here"]


def test_a_ruling_needs_a_throw_to_rule_on() -> None:
    dealt = deal("ruling void by boxperson", refused=["custom"])
    assert reason(dealt) == "there is no throw to rule on: nobody could have thrown"
    deal(BET + "ruling void by boxperson")


def test_ann_has_her_money_to_the_cent() -> None:
    text = (
        "rulebook: iowa\nplayer: ann 100\nann: pass for 10\nroll 4 3\nthrow was 1 1 by supervisor"
    )
    assert money(deal_text(text).table.seat("ann").rail) == "90"
