"""Others at the rail: they bet, they remember, they are never the player's to undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.lab.machines.bettor import View
from passline.play.game import LocalGame, resume_game
from passline.play.rail import RailPlayer, let_rail_bet, let_rail_catch_up
from passline.record.deal import deal_text

from .tables import game_at, sit, words

TWO = (("ann", 50_000), ("sam", 100_000))


def doubling(view: View) -> object:
    """Doubles after a loss, up to four steps: what it says depends on all that went before."""
    step = view.memory or 0
    for seen in view.settled:
        step = 0 if seen.result == "win" else min(step + 1, 4)
    return ([] if view.puck else [f"pass for {10 * 2**step}"]), step


def broken(view: View) -> object:
    raise RuntimeError("no idea")


def chatty(view: View) -> object:
    return ["pass for 10", "what a lovely table", "big-6 for 1000000", "field for 5"]


def test_what_is_refused_or_not_understood_is_dropped() -> None:
    game = game_at(players=TWO)
    let_rail_bet(game, [RailPlayer("sam", "chatty", chatty)])
    assert set(game.table.seat("sam").wagers) == {"pass", "field"}
    assert game.undo("ann")[0] == ""
    assert set(game.table.seat("sam").wagers) == {"pass", "field"}
    assert deal_text(game.text).table == game.table


def test_a_built_in_strategy_bets_no_less_than_the_table_takes() -> None:
    session = sit("las-vegas", [], ("pass",), options=(("limits.min", "15"),))
    let_rail_bet(session.game, session.others)
    assert session.game.table.seat("sam").wagers["pass"].amount == 1500


def test_a_strategy_that_fails_is_told_of_once() -> None:
    session = sit(throws=[(1, 2), (1, 2)])
    session.others.append(RailPlayer("ann", "broken", broken))  # whose seat it is does not matter
    shown = "\n".join(session.opening_lines())
    assert "ann bets no more: the strategy raised RuntimeError: no idea" in shown
    assert "bets no more" not in words(session, "pass for 10; roll", "pass for 10; roll")


@pytest.mark.parametrize(("initial_buy_in", "left"), [(1_000, 0), (2_500, 1_500)])
def test_a_player_who_is_broke_or_too_short_buys_in_again(initial_buy_in: int, left: int) -> None:
    game = game_at(players=(("ann", 50_000), ("sam", initial_buy_in)))
    sam = RailPlayer("sam", "doubling", doubling)
    let_rail_bet(game, [sam])
    game.do_table_line("roll 1 2")
    assert game.table.seat("sam").rail == left
    let_rail_bet(game, [sam])  # wants $20 now
    seat = game.table.seat("sam")
    assert seat.bought_in == 2 * initial_buy_in
    up = seat.wagers["pass"].amount if seat.wagers else 0
    assert up == (2_000 if left + initial_buy_in >= 2_000 else 0)
    assert deal_text(game.text).table == game.table


def test_a_player_with_nothing_to_say_does_not_buy_in() -> None:
    game = game_at(players=TWO)
    let_rail_bet(game, [RailPlayer("sam", "silent", lambda view: None)])
    assert game.written == game_at(players=TWO).written


DICE = ((1, 1), (1, 2), (6, 6), (3, 3), (4, 3), (2, 2), (1, 2), (5, 2), (5, 6), (1, 1))


def played(upto: int) -> tuple[LocalGame, RailPlayer]:
    game, sam = game_at(players=TWO), RailPlayer("sam", "doubling", doubling)
    let_rail_bet(game, [sam])
    for first, second in DICE[:upto]:
        game.say("ann", "field for 5")
        game.do_table_line(f"roll {first} {second}")
        let_rail_bet(game, [sam])
    return game, sam


@pytest.mark.parametrize("upto", range(len(DICE)))
def test_memory_after_going_on_is_what_it_was(upto: int) -> None:
    game, sam = played(upto)
    again = RailPlayer("sam", "doubling", doubling)
    back = resume_game(game.text, Path(), again.choose_bets)
    let_rail_catch_up(back, [again])
    assert again.memory == sam.memory
    assert back.table == game.table
    assert back.text == game.text


def test_whoever_was_cut_off_before_speaking_speaks_after_going_on() -> None:
    game, sam = played(2)
    game.say("ann", "field for 5")
    game.do_table_line("roll 6 6")  # and here the power fails
    again = RailPlayer("sam", "doubling", doubling)
    back = resume_game(game.text, Path(), again.choose_bets)
    let_rail_catch_up(back, [again])
    let_rail_bet(game, [sam])
    assert back.table == game.table
    assert back.text == game.text


@pytest.mark.parametrize("title", ["pass-odds", "inside", "iron-cross", "three-point-molly"])
def test_any_strategy_plays_along(title: str) -> None:
    session = sit(throws=DICE, rail=(title,))
    list(session.opening_lines())
    for _ in DICE:
        words(session, "pass for 10; roll" if not session.game.table.puck else "roll")
    assert session.game.throws == len(DICE)
    assert deal_text(session.game.text).table == session.game.table
