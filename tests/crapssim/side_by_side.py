"""The same strategy on the same throws: at crapssim's own table, and at ours."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from passline.game.house.house import House
from passline.lab.machines.bettor import Turn, View
from passline.lab.machines.next_states import OPENING, MachineSeat, build_table
from passline.lab.strategies.ask import ask_in_process
from passline.lab.strategies.crapssim.bets import find_slug, to_cents
from passline.lab.strategies.table_adapter import SpokenMove, StrategyBettor

_LOOKS = frozenset({"last", "settled", "new_shooter"})
DEEP = 1_000_000  # dollars: their player is never short either
Pair = tuple[int, int]


class _AskedOnce(StrategyBettor):
    """A machine asks twice; the throws are enough to tell here."""

    def take_turn(self, view: View) -> Turn:
        ((says, memory),) = ask_in_process(self.strategy, view, 1)
        return Turn(moves=tuple(map(SpokenMove, says)), memory=memory)


class Moment(NamedTuple):
    """The dice are about to fly: what is in the rail (cents, from nothing) and what is up."""

    rail: int
    up: dict[str, int]


def throws(seed: int, count: int) -> list[Pair]:
    dice = random.Random(seed)
    return [(dice.randint(1, 6), dice.randint(1, 6)) for _ in range(count)]


def at_ours(house: House, strategy: Any, dice: Sequence[Pair]) -> Iterator[Moment]:
    """Before each throw, at our table."""
    seat = MachineSeat(house, _AskedOnce(strategy), _LOOKS)
    state, rail = OPENING, 0
    for pair in dice:
        start = build_table(seat.layout, state).seats[0].rail
        spoken = seat.play_turn(state)
        player = spoken.table.seats[0]
        up = {seat.layout.floor(slug): stake.amount for slug, stake in player.wagers.items()}
        yield Moment(rail + player.rail - start, up)
        state, table, _ = seat.roll(spoken, *pair)
        rail += table.seats[0].rail - start


def at_theirs(
    strategy: Any, dice: Sequence[Pair], settings: dict[str, Any], crapless: bool = False
) -> Iterator[tuple[Moment, Any]]:
    """Before each throw, at their table; and that table."""
    tables: Any = import_module("crapssim.table")
    rules: Any = import_module("crapssim.rules")
    table = tables.Table(rules=rules.CraplessRules() if crapless else None)
    table.settings.update(settings)
    player = table.add_player(DEEP, strategy)
    steps = tables.TableUpdate()
    for pair in dice:
        steps.run_strategies(table)
        up: dict[str, int] = {}
        for bet in player.bets:
            slug = find_slug(bet)
            up[slug] = up.get(slug, 0) + to_cents(bet)
        yield Moment(round((player.bankroll - DEEP) * 100), up), table
        steps.before_roll(table)
        steps.update_table_stats(table)
        steps.roll(table, pair)
        steps.after_roll(table)
        steps.update_bets(table)
        steps.set_new_shooter(table)
        steps.update_numbers(table, False)
