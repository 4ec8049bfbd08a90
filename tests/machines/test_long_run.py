"""Long runs that settle down in one way or in several, against hand and dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.lab.exact.long_run import LongRun, solve_long_run
from passline.lab.machines.bettor import View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.strategy_machine import make_machine

FIELD = Fraction(-1000, 18)  # what $10 on the field comes to, in cents


def once(view: View) -> tuple[list[str], str]:
    """The field once; won: the field for ever; lost: never again."""
    if view.memory is None:
        return ["field for 10"], "asked"
    if view.memory == "asked":
        won = any(seen.result == "win" for seen in view.settled)
        return (["field for 10"], "on") if won else ([], "stop")
    return (["field for 10"] if view.memory == "on" else []), view.memory


def of(strategy: Callable[[View], Any]) -> Chain:
    machine = make_machine(house_for("new-jersey"), strategy)
    assert machine.close()
    return machine.chain()


def squares() -> Fraction:
    """The mean square of a $10 field wager: 14 ways win $10, two win $20."""
    return (14 * Fraction(1000) ** 2 + 2 * Fraction(2000) ** 2 + 20 * Fraction(1000) ** 2) / 36


def test_a_strategy_that_stops_or_goes_on_for_ever() -> None:
    found = solve_long_run(of(once))
    on = Fraction(16, 36)
    assert found.classes == 2
    assert found.mean == on * FIELD
    assert found.need == on * 1000
    assert found.variance == on * squares() - (on * FIELD) ** 2


def test_it_is_what_dice_come_to() -> None:
    """Many short games: the last roll of each, long after all have settled down."""
    chain = of(once)
    found = solve_long_run(chain)
    dice = np.random.default_rng(3)
    ways = [[arc for arc in arcs for _ in range(arc.weight)] for arcs in chain.arcs]
    next_ = np.array([[arc.next for arc in row] for row in ways])
    money = np.array([[arc.money for arc in row] for row in ways])
    games = 200_000
    state = np.full(games, chain.start)
    for _ in range(5):
        outcome = dice.integers(36, size=games)
        changed, state = money[state, outcome], next_[state, outcome]
    assert changed.mean() == pytest.approx(float(found.mean), abs=4 * found.sd / games**0.5)
    assert changed.std() == pytest.approx(found.sd, rel=0.02)
    assert abs(float(found.mean)) > 8 * found.sd / games**0.5  # so it is not what "never" comes to


def test_one_class_is_no_matter_of_chance() -> None:
    """Passing states before it change nothing: after three rolls of nothing, the field for ever."""

    def later(view: View) -> Any:
        count = view.memory or 0
        return (["field for 10"], count) if count == 3 else ([], count + 1)

    assert solve_long_run(of(later)) == LongRun(
        mean=FIELD, variance=squares() - FIELD**2, need=Fraction(1000), classes=1
    )


def test_classes_behind_states_that_come_back_for_a_while() -> None:
    """From 0 and 1, to and fro, to classes {2, 3} and {4}; a fifth state that nobody reaches.

    From 0 it stays with 18/36, goes to 1 with 12/36 and to 2 with 6/36; from 1 to 0 with 24/36
    and to 4 with 12/36. By first steps: p = 1/2 p + 1/3 q + 1/6 and q = 2/3 p, so p = 3/5.
    """
    chain = Chain(
        (
            (Arc(0, 700, 18), Arc(1, 0, 12), Arc(2, 0, 6)),
            (Arc(0, -700, 24), Arc(4, 0, 12)),
            (Arc(3, 100, 36),),
            (Arc(2, -300, 36),),
            (Arc(4, 60, 36),),
            (Arc(5, 10**6, 36),),
        ),
        (1, 1, 10, 30, 50, 7),
    )
    found = solve_long_run(chain)
    assert found.classes == 2
    assert found.mean == Fraction(3, 5) * -100 + Fraction(2, 5) * 60
    assert found.need == Fraction(3, 5) * 20 + Fraction(2, 5) * 50
    square = Fraction(3, 5) * (100**2 + 300**2) / 2 + Fraction(2, 5) * 60**2
    assert found.variance == square - found.mean**2


@pytest.mark.parametrize(
    ("start", "mean", "classes"), [(0, Fraction(-5), 1), (1, Fraction(3), 1), (2, Fraction(1), 2)]
)
def test_where_it_starts_counts(start: int, mean: Fraction, classes: int) -> None:
    """A quarter of 2 goes to -5 for ever, the rest to 3."""
    parting = (Arc(0, 0, 9), Arc(1, 0, 27))
    chain = Chain(((Arc(0, -5, 36),), (Arc(1, 3, 36),), parting), (0, 0, 0), start)
    found = solve_long_run(chain)
    assert (found.mean, found.classes) == (mean, classes)
