"""A game in progress and its record: what is on disk always deals to the table on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.table.events import Rolled
from passline.play.game import LocalGame, resume_game
from passline.record.deal import deal_text
from passline.talk.errors import RecordError

from .tables import game_at

TWO = (("ann", 50_000), ("bob", 50_000))


def same(game: LocalGame) -> bool:
    return deal_text(game.text).table == game.table


def ignore(_game: LocalGame) -> None:
    """Nobody watches."""


def test_talk_is_written_canonically_and_refusals_are_left_out() -> None:
    game = game_at()
    entries = game.say("ann", "pass line for 10; big 6 for 5; $5 on the field")
    assert [entry.refusal is None for entry in entries] == [True, False, True]
    assert game.written[-1] == "ann: pass for 10; field for 5"
    assert same(game)


def test_nothing_of_a_line_happens_that_is_not_understood() -> None:
    game = game_at()
    before = game.table, game.text
    with pytest.raises(RecordError):
        game.say("ann", "pass for 10; frobnicate the layout")
    assert (game.table, game.text) == before


def test_a_correction_deals_nothing_of_a_line_that_was_not_understood() -> None:
    game = game_at("iowa")
    game.say("ann", "pass for 10")
    game.do_table_line("roll 4 4")
    with pytest.raises(RecordError):
        game.say("ann", "field for 5; qwerty zork")
    game.do_table_line("throw was 5 4 by boxperson")
    assert set(game.table.seat("ann").wagers) <= {"pass"}
    assert same(game)


def test_undo_goes_back_line_by_line_to_the_throw() -> None:
    game = game_at()
    game.say("ann", "pass for 10")
    game.do_table_line("roll 3 3")
    after = game.table.seat("ann")
    game.say("ann", "place the 8 for 12")
    game.say("ann", "field for 5; hard 8 for 1")
    assert game.undo("ann")[0] == "field for $5; hard 8 for $1"
    assert set(game.table.seat("ann").wagers) == {"pass", "place-win-8"}
    assert same(game)
    assert game.undo("ann")[0] == "place 8 for $12"
    assert (game.table.seat("ann").wagers, game.table.seat("ann").rail) == (
        after.wagers,
        after.rail,
    )
    words, entries = game.undo("ann")
    assert words == ""
    assert [entry.refusal.code for entry in entries if entry.refusal] == ["nothing-to-undo"]
    assert same(game)


def test_nothing_is_ever_cut_off() -> None:
    game = game_at()
    game.say("ann", "pass for 10")
    game.say("ann", "field for 5; hard 8 for 1")
    game.undo("ann")
    game.say("ann", "yo for 1")
    lines = ["ann: pass for 10", "ann: field for 5; hard-8 for 1", "ann: undo; undo"]
    assert game.written[-4:] == [*lines, "ann: eleven for 1"]
    assert game.undo("ann")[0] == "yo for $1"
    assert game.undo("ann")[0] == "pass for $10"
    assert game.table.seat("ann").wagers == {}
    assert same(game)


def test_everybody_takes_back_what_they_said_themselves() -> None:
    game = game_at(players=TWO)
    game.say("bob", "pass for 10")
    assert game.undo("ann")[0] == ""
    game.say("ann", "field for 5")
    assert game.undo("bob")[0] == "pass for $10"
    assert set(game.table.seat("ann").wagers) == {"field"}
    assert game.undo("ann")[0] == "field for $5"
    assert same(game)


def test_what_was_given_away_is_not_taken_back() -> None:
    game = game_at()
    game.say("ann", "two-way yo for 5 and 1; toke 2")
    assert game.undo("ann")[0] == "yo for $5"
    assert game.table.seat("ann").rail == 50_000 - 300
    assert game.undo("ann")[0] == ""


def test_the_table_before_a_throw_has_the_dice_taken() -> None:
    game = game_at()
    game.say("ann", "pass for 10")
    entries = game.do_table_line("roll 4 3")
    assert isinstance(game.thrown, Rolled)
    assert game.before.shooter == "ann"
    assert game.before.seat("ann").wagers
    assert [done.wager for done in game.settled("ann")] == ["pass"]
    assert len(entries) == 1


def test_a_line_longer_than_a_record_takes_is_parted() -> None:
    game = game_at(players=(("ann", 5_000_000),))
    game.say("ann", "; ".join(["hard-8 for 1"] * 300))
    assert max(map(len, game.written)) <= 1020
    assert game.table.seat("ann").wagers["hard-8"].amount == 30_000
    assert same(game)
    game.undo("ann")
    assert game.table.seat("ann").wagers == {}
    assert same(game)


def test_it_is_kept_after_every_line_and_every_undo() -> None:
    game = game_at()
    kept: list[str] = []
    game.keep = kept.append
    game.say("ann", "pass for 10")
    game.say("ann", "place-win-7 for 10")  # refused: nothing to keep
    game.do_table_line("roll 2 2")
    game.say("ann", "field for 5")
    game.undo("ann")
    assert len(kept) == 4
    assert kept[-1] == game.text == kept[2] + "ann: undo\n"


RECORD = """\
# a night out
rulebook: iowa
player: ann 500     # that is me
player: bob 300

ann: pass for 10; big-6 for 5000   # the second is refused
roll 3 1
# the point is four
bob: place the 6 for 12
ann: odds for 20
"""


def test_a_record_by_hand_goes_on_as_it_was_written() -> None:
    game = resume_game(RECORD, Path(), ignore)
    assert game.table == deal_text(RECORD).table
    assert game.throws == 1
    game.say("ann", "field for 5")
    assert game.text == RECORD + "ann: field for 5\n"


def test_undo_after_going_on_reaches_back_to_the_throw() -> None:
    game = resume_game(RECORD, Path(), ignore)
    assert game.undo("ann")[0] == "pass odds for $20"
    assert game.undo("ann")[0] == ""
    assert game.text == RECORD + "ann: undo\n"
    again = resume_game(game.text, Path(), ignore)
    assert again.table == game.table
    assert again.undo("ann")[0] == ""
    assert again.undo("bob")[0] == "place 6 for $12"


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_lines_may_end_otherwise(ends: str) -> None:
    game = resume_game("\ufeff" + RECORD.replace("\n", ends), Path(), ignore)
    game.say("ann", "field for 5")
    assert game.text == RECORD + "ann: field for 5\n"


def test_whoever_watches_sees_the_opening_and_every_throw() -> None:
    seen: list[tuple[int, int]] = []

    def watch(game: LocalGame) -> None:
        seen.append((game.throws, len(game.players_who_spoke)))

    resume_game(RECORD + "roll 2 2\nann: pass for 5\nroll 1 1\n", Path(), watch)
    assert seen == [(0, 0), (1, 0), (2, 0), (3, 0)]
