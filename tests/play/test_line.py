"""A winning line bet that is left up, and dice that are never lost without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.play.game import resume_game
from passline.play.session import TerminalSession, wants_line_left_up
from passline.record.deal import deal_text

from .tables import sit, told, words

WON = [(4, 3), (3, 3), (4, 2), (4, 3)]


def wagers(sitting: TerminalSession) -> dict[str, int]:
    return {slug: s.amount for slug, s in sitting.game.table.seat("ann").wagers.items()}


def test_a_line_bet_that_wins_is_said_again_as_a_line_of_the_record() -> None:
    sitting = sit(throws=WON)
    shown = words(sitting, "pass for 10; roll")
    assert sitting.game.written[-3:] == ["ann: pass for 10", "roll 4 3", "ann: pass for 10"]
    assert "Pass for $10. $500 in your rail." in shown
    assert 'Your line bet is up again. Say "leave my line down" to stop that.' in shown
    assert wagers(sitting) == {"pass": 1000}
    shown = words(sitting, "roll; odds for 10; roll")  # the point is made
    assert sitting.game.written[-1] == "ann: pass for 10"
    assert wagers(sitting) == {"pass": 1000}  # the odds are not made again
    assert "Your line bet is up again" not in shown  # once is enough
    assert deal_text(sitting.game.text).table == sitting.game.table


@pytest.mark.parametrize("book", ["iowa", "section-2", "dealer-school"])
def test_the_dont_side_is_left_up_too(book: str) -> None:
    sitting = sit(book, [(1, 1)])
    words(sitting, "don't pass for 10; roll")
    assert sitting.game.written[-1] == "ann: dont-pass for 10"


def test_what_loses_or_is_no_line_bet_is_not_made_again() -> None:
    sitting = sit(throws=[(1, 2), (3, 3), (5, 4)])
    words(sitting, "pass for 10; roll")
    assert wagers(sitting) == {}
    words(sitting, "pass for 10; roll; field for 5; come for 10; roll")
    assert "field" not in wagers(sitting)


def test_it_can_be_undone_and_raised() -> None:
    sitting = sit(throws=WON)
    words(sitting, "pass for 10; roll")
    assert "Taken back: pass for 10" in words(sitting, "undo")
    assert wagers(sitting) == {}
    words(sitting, "pass for 10; roll")
    sitting = sit(throws=WON)
    words(sitting, "pass for 10; roll; pass to 25")
    assert wagers(sitting) == {"pass": 2500}


def test_saying_it_as_it_stands_does_not_double_it() -> None:
    sitting = sit(throws=WON)
    words(sitting, "pass for 10; roll")
    shown = words(sitting, "pass line for 10; field for 5")
    assert 'Your pass line is up for $10: it was left up for you. Say "pass line to $20"' in shown
    assert wagers(sitting) == {"pass": 1000, "field": 500}
    words(sitting, "pass line to $20")
    assert wagers(sitting)["pass"] == 2000
    sitting = sit(throws=WON)
    words(sitting, "pass for 10; roll; pass for 5")  # another sum is more of it
    assert wagers(sitting) == {"pass": 1500}


def test_a_line_that_is_left_down() -> None:
    sitting = sit(throws=[(4, 3)] * 3)
    words(sitting, "pass for 10; roll")
    shown = words(sitting, "leave my line down")
    assert "Pass down. $510 in your rail." in shown  # also the one that was just left up
    assert wagers(sitting) == {}
    words(sitting, "pass for 10; roll")
    assert sitting.game.written[-1] == "roll 4 3"
    words(sitting, "leave my line up", "pass for 10; roll")
    assert sitting.game.written[-1] == "ann: pass for 10"
    assert deal_text(sitting.game.text).table == sitting.game.table


@pytest.mark.parametrize(
    ("said", "up"),
    [
        ("leave my line down", False),
        ("please leave the line down", False),
        ("leave the pass line down", False),
        ("keep my line down", False),
        ("leave my line up", True),
        ("leave my line bet up", True),
    ],
)
def test_ways_to_say_so_and_the_record_keeps_it(said: str, up: bool) -> None:
    sitting = sit()
    words(sitting, "field for 5", said)
    assert sitting.line.wanted is up
    again = resume_game(sitting.game.text, Path(), lambda _: None)
    assert wants_line_left_up(again.text) is up
    assert TerminalSession(again, "ann", [], None, sitting.look).line.wanted is up


def test_what_is_wanted_alone_is_no_game() -> None:
    sitting = sit()
    list(sitting.begin())
    words(sitting, "leave my line down")
    assert not sitting.played


# The dice


def test_the_dice_are_not_lost_without_a_word() -> None:
    sitting = sit(throws=[(1, 2), (3, 3)], rail=("pass",))
    list(sitting.begin())
    words(sitting, "pass for 10; roll")  # craps: the line is lost, the dice are still ann's
    shown = words(sitting, "roll; roll")
    assert shown.startswith("You have no line bet: the dice go to sam.")
    assert 'Say "pass line for 10" to keep them, or "roll" again to let them go.' in (
        shown.replace("\n  ", " ")
    )
    assert sitting.game.throws == 1
    words(sitting, "pass for 10; roll")
    assert sitting.game.table.shooter == "ann"


def test_they_go_on_where_that_is_wanted() -> None:
    sitting = sit(throws=[(1, 2), (3, 3)], rail=("pass",))
    list(sitting.begin())
    words(sitting, "pass for 10; roll", "roll")
    shown = words(sitting, "roll")
    assert sitting.game.throws == 2
    assert sitting.game.table.shooter == "sam"
    assert "You pass the dice, without a line wager" in shown


def test_typed_dice_have_been_thrown_and_are_told() -> None:
    sitting = sit(throws=None, rail=("pass",))
    list(sitting.begin())
    shown = words(sitting, "pass for 10", "1 2", "3 3")
    assert "You pass the dice, without a line wager" in shown


def test_the_stick_never_says_same_shooter_after_a_seven_out() -> None:
    for rail in ((), ("pass",)):
        sitting = sit("dealer-school", [(3, 3), (4, 3), (3, 3)], rail)
        list(sitting.begin())
        shown = words(sitting, "pass for 10; roll; roll", "pass for 10; table")
        assert "same shooter" not in shown
    sitting = sit("dealer-school", [(3, 3), (4, 2)])
    assert "same shooter" in words(sitting, "pass for 10; roll; roll")  # a point was made


def test_what_is_refused_stops_what_stands_after_it() -> None:
    sitting = sit(throws=[(3, 3), (3, 3)])
    told(sitting, "roll; field for 5")
    assert wagers(sitting) == {}
    told(sitting, "take the dice; pass the dice; pass the dice; field for 5")
    assert wagers(sitting) == {}
