"""A winning line bet that is left up, and dice that are never lost without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.play.game import resume_game
from passline.play.terminal_session import TerminalSession, wants_line_left_up
from passline.record.deal import deal_text

from .tables import play_lines, sit, words

WON = [(4, 3), (3, 3), (4, 2), (4, 3)]


def wagers(session: TerminalSession) -> dict[str, int]:
    return {slug: s.amount for slug, s in session.game.table.seat("ann").wagers.items()}


def test_a_line_bet_that_wins_is_said_again_as_a_line_of_the_record() -> None:
    session = sit(throws=WON)
    shown = words(session, "pass for 10; roll")
    assert session.game.written[-3:] == ["ann: pass for 10", "roll 4 3", "ann: pass for 10"]
    assert "Pass for $10. $500 in your rail." in shown
    assert 'Your line bet is up again. Say "leave my line down" to stop that.' in shown
    assert wagers(session) == {"pass": 1000}
    shown = words(session, "roll; odds for 10; roll")  # the point is made
    assert session.game.written[-1] == "ann: pass for 10"
    assert wagers(session) == {"pass": 1000}  # the odds are not made again
    assert "Your line bet is up again" not in shown  # once is enough
    assert deal_text(session.game.text).table == session.game.table


@pytest.mark.parametrize("book", ["iowa", "section-2", "dealer-school"])
def test_the_dont_side_is_left_up_too(book: str) -> None:
    session = sit(book, [(1, 1)])
    words(session, "don't pass for 10; roll")
    assert session.game.written[-1] == "ann: dont-pass for 10"


def test_what_loses_or_is_no_line_bet_is_not_made_again() -> None:
    session = sit(throws=[(1, 2), (3, 3), (5, 4)])
    words(session, "pass for 10; roll")
    assert wagers(session) == {}
    words(session, "pass for 10; roll; field for 5; come for 10; roll")
    assert "field" not in wagers(session)


def test_it_can_be_undone_and_raised() -> None:
    session = sit(throws=WON)
    words(session, "pass for 10; roll")
    assert "Taken back: pass for $10" in words(session, "undo")
    assert wagers(session) == {}
    words(session, "pass for 10; roll")
    session = sit(throws=WON)
    words(session, "pass for 10; roll; pass to 25")
    assert wagers(session) == {"pass": 2500}


def test_saying_it_as_it_stands_does_not_double_it() -> None:
    session = sit(throws=WON)
    words(session, "pass for 10; roll")
    shown = words(session, "pass line for 10; field for 5")
    assert 'Your pass line is up for $10: it was left up for you. Say "pass line to $20"' in shown
    assert wagers(session) == {"pass": 1000, "field": 500}
    words(session, "pass line to $20")
    assert wagers(session)["pass"] == 2000
    session = sit(throws=WON)
    words(session, "pass for 10; roll; pass for 5")  # another sum is more of it
    assert wagers(session) == {"pass": 1500}


def test_a_line_that_is_left_down() -> None:
    session = sit(throws=[(4, 3)] * 3)
    words(session, "pass for 10; roll")
    shown = words(session, "leave my line down")
    assert "Pass down. $510 in your rail." in shown  # also the one that was just left up
    assert wagers(session) == {}
    words(session, "pass for 10; roll")
    assert session.game.written[-1] == "roll 4 3"
    words(session, "leave my line up", "pass for 10; roll")
    assert session.game.written[-1] == "ann: pass for 10"
    assert deal_text(session.game.text).table == session.game.table


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
    session = sit()
    words(session, "field for 5", said)
    assert session.line.wanted is up
    again = resume_game(session.game.text, Path(), lambda _: None)
    assert wants_line_left_up(again.text) is up
    assert TerminalSession(again, "ann", [], None, session.look).line.wanted is up


def test_what_is_wanted_alone_is_no_game() -> None:
    session = sit()
    list(session.opening_lines())
    words(session, "leave my line down")
    assert not session.played


# The dice


def test_the_dice_are_not_lost_without_a_word() -> None:
    session = sit(throws=[(1, 2), (3, 3)], rail=("pass",))
    list(session.opening_lines())
    words(session, "pass for 10; roll")  # craps: the line is lost, the dice are still ann's
    shown = words(session, "roll; roll")
    assert shown.startswith("You have no line bet: the dice go to sam.")
    assert 'Say "pass line for 10" to keep them, or "roll" again to let them go.' in (
        shown.replace("\n  ", " ")
    )
    assert session.game.throws == 1
    words(session, "pass for 10; roll")
    assert session.game.table.shooter == "ann"


def test_they_go_on_where_that_is_wanted() -> None:
    session = sit(throws=[(1, 2), (3, 3)], rail=("pass",))
    list(session.opening_lines())
    words(session, "pass for 10; roll", "roll")
    shown = words(session, "roll")
    assert session.game.throws == 2
    assert session.game.table.shooter == "sam"
    assert "You pass the dice, without a line wager" in shown


def test_typed_dice_have_been_thrown_and_are_told() -> None:
    session = sit(throws=None, rail=("pass",))
    list(session.opening_lines())
    shown = words(session, "pass for 10", "1 2", "3 3")
    assert "You pass the dice, without a line wager" in shown


def test_the_stick_never_says_same_shooter_after_a_seven_out() -> None:
    for rail in ((), ("pass",)):
        session = sit("dealer-school", [(3, 3), (4, 3), (3, 3)], rail)
        list(session.opening_lines())
        shown = words(session, "pass for 10; roll; roll", "pass for 10; table")
        assert "same shooter" not in shown
    session = sit("dealer-school", [(3, 3), (4, 2)])
    assert "same shooter" in words(session, "pass for 10; roll; roll")  # a point was made


def test_what_is_refused_stops_what_stands_after_it() -> None:
    session = sit(throws=[(3, 3), (3, 3)])
    play_lines(session, "roll; field for 5")
    assert wagers(session) == {}
    play_lines(session, "take the dice; pass the dice; pass the dice; field for 5")
    assert wagers(session) == {}
