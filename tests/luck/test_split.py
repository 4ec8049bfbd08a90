"""Luck split from decisions: it adds up exactly, and dice bring nothing on average."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from passline.game.dice.dice import OUTCOMES
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.lab.luck.bet_values import OpenBetValuer
from passline.lab.luck.review import (
    NO_WAGER,
    LuckSplit,
    LuckSplitter,
    list_throws,
    replay_strategy,
    split_luck,
)
from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.load import load_strategy
from passline.record.deal import Dealt, deal_text
from tests.auditor.figures import BOOKS
from tests.auditor.random_games import random_game

GOLDEN = Path(__file__).parent.parent / "golden"


@cache
def golden(book: str) -> tuple[Dealt, OpenBetValuer]:
    """A book's golden game, and what lies there: walked once for all tests."""
    return deal_text((GOLDEN / f"{book}.craps").read_text("utf-8")), OpenBetValuer()


def game(*lines: str, book: str = "new-jersey") -> LuckSplit:
    dealt = deal_text("\n".join((f"rulebook: {book}", "player: ann 500", *lines)))
    assert not dealt.refusals
    return split_luck(dealt, ["ann"])["ann"]


def adds_up(dealt: Dealt, valuer: OpenBetValuer | None = None) -> None:
    for name, split in split_luck(dealt, [s.id for s in dealt.table.seats], valuer).items():
        seat = dealt.table.seat(name)
        assert split.net == split.decisions + split.luck
        assert split.net == seat.rail + split.worth - seat.bought_in
        parts = split.by_wager.values()
        assert split.decisions == sum((part.decisions for part in parts), Fraction(0))
        assert split.luck == sum((part.luck for part in parts), Fraction(0))
        if not seat.wagers:
            assert split.net == seat.rail - seat.bought_in


@pytest.mark.parametrize("book", BOOKS)
def test_the_golden_games_add_up(book: str) -> None:
    adds_up(*golden(book))


@pytest.mark.parametrize("book", BOOKS)
def test_random_games_add_up(book: str) -> None:
    adds_up(deal_text(random_game(book, 2, lines=40)))


def lucks(before: Table, player: str, valuer: OpenBetValuer) -> list[Fraction]:
    """A player's luck on each of the 36 outcomes, were it thrown now."""
    found = []
    for dice in OUTCOMES:
        answer = decide(before, cmd.Roll(*dice))
        assert not isinstance(answer, Refusal)
        rolled = next(event for event in answer if isinstance(event, Rolled))
        splitter = LuckSplitter(player, valuer)
        at = answer.index(rolled)
        ready = evolve_all(before, answer[:at])
        splitter.record_throw(ready, rolled.settlements, evolve_all(ready, [rolled]))
        found.append(splitter.luck)
    return found


@pytest.mark.parametrize("book", BOOKS)
def test_dice_bring_nothing_on_average(book: str) -> None:
    """On every throw of a game, whatever lies there: the mean over the 36 outcomes is nought."""
    dealt, valuer = golden(book)
    for _, before, rolled in dealt.throws():
        if rolled.special:
            continue
        for seat in before.seats:
            if seat.wagers:
                assert sum(lucks(before, seat.id, valuer)) == 0


def test_by_hand() -> None:
    """Pass for $10 expects -14/99 of a dollar; the come-out point of 6 wins 5 times in 11."""
    made = game("ann: pass for 10", "roll 4 2")
    assert (made.decisions, made.luck) == (
        Fraction(-1400, 99),
        Fraction(-1000, 11) + Fraction(1400, 99),
    )
    assert (made.net, made.up, made.worth) == (Fraction(-1000, 11), 1000, Fraction(10_000, 11))
    lost = game("ann: pass for 10", "roll 4 2", "ann: pass-odds for 10", "roll 3 4")
    assert lost.by_wager["pass-odds"].decisions == 0  # true odds: nothing decided, all luck
    assert (lost.net, lost.decisions) == (Fraction(-2000), Fraction(-1400, 99))


def test_a_wager_that_is_left_up_is_made_again() -> None:
    """Place 6 for $12 expects -2/11 of a dollar each time it goes."""
    one = game("ann: pass for 5", "roll 2 2", "ann: place-win-6 for 12", "roll 3 3")
    assert one.by_wager["place-win-6"].decisions == 2 * Fraction(-200, 11)
    down = game(
        "ann: pass for 5",
        "roll 2 2",
        "ann: place-win-6 for 12",
        "roll 3 3",
        "ann: place-win-6 down",
    )
    assert down.by_wager["place-win-6"].decisions == Fraction(-200, 11)


def test_taking_down_a_dont_that_is_ahead_is_a_bad_decision() -> None:
    """With the point on 4 a don't pass of $10 is worth $10 and a third of it more."""
    found = game("ann: dont-pass for 10", "roll 2 2", "ann: dont-pass down")
    assert found.decisions == Fraction(-1000 * 3, 220) - Fraction(1000, 3)
    assert found.net == 0


def test_what_is_called_off_waits_and_costs_nothing() -> None:
    lines = ("ann: pass for 5", "roll 2 2", "ann: place-win-6 for 12", "ann: place-win-6 off")
    assert game(*lines).by_wager.get("place-win-6") is None
    again = game(*lines, "roll 3 3", "ann: place-win-6 on")
    assert again.by_wager["place-win-6"].decisions == Fraction(-200, 11)
    assert again.by_wager["place-win-6"].luck == 0


def test_tokes_are_no_wagers() -> None:
    found = game("ann: pass for 5; toke 5", "roll 4 3")
    assert found.by_wager[NO_WAGER].decisions == -500


def test_buying_in_is_neither() -> None:
    assert game("ann buys in 300", "ann: field for 5; undo").by_wager == {}


@pytest.mark.parametrize("book", BOOKS)
def test_every_strategy_on_the_same_throws(book: str) -> None:
    """Each adds up, and tells what it needed."""
    dealt, valuer = golden(book)
    throws, played = list_throws(dealt), 0
    for name in BUILT_IN:
        if name == "fire-and-pass" and "crapless" in book:
            continue  # its walk takes seconds, and another is in the golden game
        try:
            found = replay_strategy(dealt.table.house, throws, load_strategy(name), valuer)
        except StrategyError:
            continue  # a wager that is not dealt here
        assert found.split.net == found.split.decisions + found.split.luck
        assert found.bankroll > 0
        played += 1
    assert played >= 10


def test_a_strategy_on_throws_of_old() -> None:
    """Pass for $10: a six made, a seven-out, a natural: down by nothing but what the house has."""
    lines = ("roll 4 2", "roll 5 1", "roll 2 2", "roll 3 4", "roll 5 6")
    dealt = deal_text(
        "rulebook: iowa\nplayer: ann 500\nann: pass for 5\n" + "\nann: pass for 5\n".join(lines)
    )
    throws = list_throws(dealt)
    assert [(t.first + t.second, t.puck, t.fresh) for t in throws] == [
        (6, 0, True),
        (6, 6, False),
        (4, 0, False),
        (7, 4, False),
        (11, 0, True),
    ]
    found = replay_strategy(dealt.table.house, throws, load_strategy("pass"))
    assert (found.split.net, found.bankroll) == (Fraction(1000), 1000)
    laid = replay_strategy(dealt.table.house, throws, load_strategy("dont-pass"))
    assert (laid.split.net, laid.bankroll) == (Fraction(-1000), 2000)
