"""The table as it is drawn and told.

After a change that is meant, look at the new screens and write them with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest tests/play/test_screen.py``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from passline.play.display import Display, strip_colors
from passline.play.table_screen import (
    chip_abbreviations,
    describe_table,
    draw_table,
    shorten_amount,
)
from passline.play.terminal_session import TerminalSession

from .tables import Throw, game_at, play_lines, sit

HERE = Path(__file__).parent / "screens"


def crowded() -> TerminalSession:
    """Everything that a box can hold, and the center besides."""
    session = sit("new-jersey", [(2, 2), (3, 3), (5, 4), (5, 5)], ("three-point-molly", "across"))
    list(session.opening_lines())
    play_lines(session, "pass for 10; roll; come for 10; roll; don't come for 10; roll")
    play_lines(
        session, "full odds; come-odds-6 for 10; dont-come-odds-9 for 12; place the 5 for 15"
    )
    play_lines(session, "place the 8 for 12; buy the 10 for 25; lay-5 for 30; place-lose-8 for 10")
    play_lines(
        session, "all the hards for 1 each; yo for 1; horn for 4; hop 4-4 for 2; field for 5"
    )
    play_lines(session, "place-win-5 off")
    return session


def fire() -> TerminalSession:
    """Two points made with a fire wager up, and a come-out with wagers that rest."""
    throws: list[Throw] = [(2, 2), (3, 1), (4, 4), (6, 2), (5, 4)]
    session = sit("new-jersey", throws, ("pass-odds",), options=(("offers.fire", "A"),))
    list(session.opening_lines())
    play_lines(session, "pass for 10; fire for 5; roll; place the 6 for 12; hard 6 for 1; roll")
    play_lines(session, "pass for 10; roll; roll; hard 6 on")
    return session


def crapless() -> TerminalSession:
    """Ten boxes."""
    session = sit("maryland-crapless", [(1, 1), (6, 6), (5, 6)], ("come-odds",))
    list(session.opening_lines())
    play_lines(session, "pass for 10; roll; come for 10; roll; odds for 10; come-odds-12 for 10")
    play_lines(
        session, "place the 11 for 20; place the 6 for 180; buy the 3 for 100; place-win-6 off"
    )
    return session


def opening() -> TerminalSession:
    """What a new player sees first."""
    session = sit("iowa", [], ("pass-odds", "inside"))
    list(session.opening_lines())
    return session


SCREENS = {"opening": opening, "crowded": crowded, "fire": fire, "crapless": crapless}


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("how", ["drawn", "ascii", "spoken", "wide"])
def test_golden_screen(name: str, how: str) -> None:
    table = SCREENS[name]().game.table
    if how == "spoken":
        lines = describe_table(table, "ann")
    else:
        wide = 119 if how == "wide" else 79
        lines = draw_table(table, "ann", Display(boxes=how != "ascii", width=wide))
        assert max(map(len, lines)) <= wide
        assert len(lines) <= 21
    text = "\n".join(lines) + "\n"
    assert how != "ascii" or text.isascii()
    expected = HERE / f"{name}-{how}.txt"
    if os.environ.get("PASSLINE_GOLDEN") == "write":
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_everything_fits_the_window(name: str, columns: int) -> None:
    session = SCREENS[name]()
    session.look = Display(width=columns - 1)
    asked = ("table", "bets", "help", "odds", "why", "crew", "place the 4 for 7", "bets hard", "x")
    for line in asked:
        shown = play_lines(session, line)
        assert max(map(len, shown)) < columns, line
        assert all(text.isprintable() for text in shown)
        if line in {"table", "help", "bets"} and columns > 60:
            assert len(shown) < 24, line  # the prompt is the last row


def test_a_taller_window_keeps_the_chips() -> None:
    table = crowded().game.table
    low, tall = draw_table(table, "ann", Display()), draw_table(table, "ann", Display(rows=50))
    assert len(low) < len(tall)
    assert any("3r" in line for line in tall)


@pytest.mark.parametrize("name", SCREENS)
def test_colour_changes_no_word(name: str) -> None:
    table = SCREENS[name]().game.table
    painted = draw_table(table, "ann", Display(color=True))
    assert [strip_colors(line) for line in painted] == draw_table(table, "ann", Display())
    assert painted != draw_table(table, "ann", Display())


def test_what_lies_for_the_dealers_is_shown() -> None:
    session = sit()
    play_lines(session, "pass for 10; two-way yo for 1 each")
    assert any(
        "the dealers" in line and "yo $1" in line
        for line in draw_table(session.game.table, "ann", Display())
    )


@pytest.mark.parametrize(
    ("cents", "wide", "shown"),
    [(500, 6, "5"), (1_050, 6, "10.50"), (123_456_700, 6, "~1234k"), (10**15, 4, "lots")],
)
def test_an_amount_fits_its_box(cents: int, wide: int, shown: str) -> None:
    assert shorten_amount(cents, wide) == shown


def test_letters_tell_all_chips_apart() -> None:
    options = (("chips.blue", "10"), ("chips.brown", "20"))
    letters = chip_abbreviations(game_at(options=options).table)
    assert letters["red"] == "r"
    assert letters["blue"] == "blu"[: len(letters["blue"])]
    assert len(set(letters.values())) == len(letters)


@pytest.mark.clause("iowa:wagers.6#5")
@pytest.mark.clause("iowa:buy/on-button")
@pytest.mark.clause("iowa:buy/off-button")
def test_buttons_lie_on_what_was_called_on_or_off() -> None:
    session = sit("iowa", [(2, 2)], ("pass",))
    list(session.opening_lines())
    play_lines(session, "place the 6 for 12; buy the 5 for 50; buy the 9 for 25; place-win-6 on")
    play_lines(session, "buy-5 on; hard 8 for 5; hard 8 off")
    coming_out = "\n".join(draw_table(session.game.table, "ann", Display()))
    for cell in ("12 on", "50 on", "25 off", "hard 8 $5 off"):
        assert cell in coming_out
    play_lines(session, "roll; buy-9 off")
    point_on = "\n".join(draw_table(session.game.table, "ann", Display()))
    assert "25 off" in point_on
    assert "hard 8 $5 off" in point_on


@pytest.mark.clause("iowa:lay/call-off#2")
def test_no_button_lies_on_a_lay() -> None:
    session = sit("iowa")
    play_lines(session, "lay-4 for 50; all off; lay-4 off")
    assert not any(" off" in line for line in draw_table(session.game.table, "ann", Display()))


@pytest.mark.clause("iowa:base.3#1")
def test_the_puck_stands_on_the_point_and_comes_off_before_a_come_out() -> None:
    session = sit("iowa", [(2, 2), (3, 1)])
    play_lines(session, "pass for 10; roll")
    assert draw_table(session.game.table, "ann", Display())[2].split("│")[1].strip() == "[ON]"
    play_lines(session, "roll")
    assert draw_table(session.game.table, "ann", Display())[2].split("│")[0].strip() == "puck OFF"


def test_buy_and_lay_wagers_are_marked_as_such() -> None:
    session = sit("dealer-school")
    play_lines(session, "buy the 4 for 25; lay-5 for 30; place the 6 for 12")
    rows = {
        line.split("│")[0].strip(): line
        for line in draw_table(session.game.table, "ann", Display())
    }
    assert rows["buy"].split("│")[1].strip() == "25 off"
    assert rows["lay"].split("│")[2].strip() == "30"


def test_each_bet_is_said_back() -> None:
    session = sit("iowa")
    shown = play_lines(session, "12 on the six; buy the ten for $50; yo for 5")
    said_back = "Place 6 for $12, buy 10 for $50, yo for $5."
    assert " ".join(map(str.strip, shown)) == (
        f"{said_back} Vigorish $2 for buy 10. $431 in your rail."
    )
    words = [entry.words for entry in session.game.say("ann", said_back)]
    assert words == ["place-win-6 for 12", "buy-10 for 50", "eleven for 5"]
