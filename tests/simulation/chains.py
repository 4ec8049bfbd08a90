"""Small chains and strategies to play in tests."""

from __future__ import annotations

from functools import cache

from passline.game.house.load import house_for
from passline.lab.machines.bettor import View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.machines.machine import Machine
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.load import load_strategy
from passline.lab.strategy_machine import make_machine

#: A coin that is a little unfair, and a walk that remembers where it is.
COIN = Chain(((Arc(0, -500, 20), Arc(0, 500, 16)),), (500,))
WALK = Chain(
    (
        (Arc(0, 0, 12), Arc(1, -300, 24)),
        (Arc(0, 900, 6), Arc(1, 0, 6), Arc(2, -100, 24)),
        (Arc(0, -700, 35), Arc(2, 20000, 1)),
    ),
    (300, 400, 700),
)


@cache
def closed(name: str, *options: tuple[str, str]) -> Machine:
    """The closed machine of a built-in in New Jersey."""
    machine = opened(name, *options)
    assert machine.close()
    return machine


def opened(name: str, *options: tuple[str, str]) -> Machine:
    """The same with nothing explored yet."""
    return at_table(load_strategy(name).function, *options)


def at_table(strategy: Strategy, *options: tuple[str, str], memory: int = 100) -> Machine:
    """A strategy's machine, with nothing explored yet."""
    return make_machine(house_for("new-jersey", None, options), strategy, memory=memory)


def looks_back(view: View) -> list[str]:
    """Field after a hard way, whose states are told apart only once it looks at the last throw."""
    if view.puck is None:
        return [] if view.up("pass") else ["pass for 10"]
    last = view.last
    return ["field for 5"] if last and last[0] == last[1] else []


def counts_for_ever(view: View) -> tuple[list[str], int]:
    """Every roll is a new state."""
    return ["field for 5"], (view.memory or 0) + 1
