"""A machine takes commands: whoever bets there need not speak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.lab.machines.bettor import StrategyError, Turn, View
from passline.lab.machines.machine import Machine
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from tests.test_structure import MODULES, imports, is_in


class Flat(NamedTuple):
    """A wager for so many cents."""

    wager: str
    cents: int

    def __str__(self) -> str:
        return f"{self.wager} at {self.cents}"

    def commands(self, table: Table, player: str) -> Sequence[cmd.AnyCommand] | Refusal:
        return [cmd.Bet(player, self.wager, self.cents)]


class Silent:
    """Pass on every come-out roll, without a word."""

    name = "silent"

    def __init__(self, cents: int = 1000) -> None:
        self.move = Flat("pass", cents)
        self.checked = 0

    def take_turn(self, view: View) -> Turn:
        return Turn((self.move,)) if view.puck is None and not view.up("pass") else Turn()

    def check_turn(self, view: View, before: Turn) -> None:
        self.checked += 1
        assert self.take_turn(view) == before


def test_a_bettor_without_words_plays_as_the_one_with_them() -> None:
    house, bettor = house_for("new-jersey"), Silent()
    silent, spoken = Machine(house, bettor), make_machine(house, BUILT_IN["pass"])
    assert silent.close()
    assert spoken.close()
    assert (silent.states, silent.about.strategy, bettor.checked) == (spoken.states, "silent", 2000)
    for ours, theirs in ((silent.next, spoken.next), (silent.money, spoken.money)):
        assert np.array_equal(ours, theirs)


def test_a_move_that_is_refused_is_named() -> None:
    with pytest.raises(
        StrategyError, match=r"^silent: the strategy asked for pass at 1, which is refus"
    ):
        Machine(house_for("new-jersey"), Silent(1)).close()


def test_machines_know_nothing_of_talk() -> None:
    named = {name for path in MODULES if is_in(path, ("lab/machines",)) for name in imports(path)}
    assert {n for n in named if n.startswith(("passline.talk", "passline.record"))} == set()


def test_an_unknown_wager_is_not_counted_as_down() -> None:
    """A misspelled name raises: as "not up" it let a strategy raise its bet on every roll."""
    view = View(6, {"pass": 10})
    assert view.up("pass")
    assert not view.up("fire")
    with pytest.raises(StrategyError, match="did you mean place-win-6 or "):
        view.up("place-6")
