"""The probability of a drawdown, against every path through a small chain."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.exact.bankroll_evolution import ShortBankrollTransfer
from passline.lab.exact.bankroll_grid import build_grid
from passline.lab.exact.drawdown import (
    build_layers,
    estimate_drawdown,
    find_deepest_drawdown,
    find_drawdown_chance,
)
from passline.lab.machines.chain import Arc, Chain
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.path_extremes import sample_extremes
from passline.lab.strategy_machine import machine

#: Two states. The second bets more, needs more, and may win two levels at once.
_WAYS = (
    (Arc(0, -100, 12), Arc(1, 100, 12), Arc(1, 0, 12)),
    (Arc(0, -200, 12), Arc(0, 200, 12), Arc(1, -100, 12)),
)
_CHAIN = Chain(_WAYS, (100, 300))
_ROLLS = 8


def _count_drawdowns(plan: Plan) -> Counter[int]:
    """Return how many paths through the chain have each deepest drawdown, by enumeration."""
    found: Counter[int] = Counter()
    for way in product(range(3), repeat=_ROLLS):
        state, worth, top, drawdown = 0, plan.bankroll, plan.bankroll, 0
        for pick in way:
            goal, floor = plan.goal or 10**9, plan.bankroll - (plan.stop_loss or 10**9)
            if worth >= goal or worth <= floor or worth < _CHAIN.need[state]:
                break
            arc = _WAYS[state][pick]
            state, worth = arc.next, worth + arc.money
            top = max(top, worth)
            drawdown = max(drawdown, top - worth)
        found[drawdown] += 1
    return found


@pytest.mark.parametrize(
    "plan",
    [
        Plan(bankroll=10_000, rolls=_ROLLS),
        Plan(bankroll=300, rolls=_ROLLS),
        Plan(bankroll=500, rolls=_ROLLS, stop_win=300),
        Plan(bankroll=700, rolls=_ROLLS, stop_loss=300),
        Plan(bankroll=600, rolls=_ROLLS, stop_win=400, stop_loss=300),
        Plan(bankroll=50, rolls=_ROLLS),
    ],
)
def test_every_path(plan: Plan) -> None:
    grid, drawdowns = build_grid(_CHAIN, plan), _count_drawdowns(plan)
    assert max(drawdowns) <= find_deepest_drawdown(grid) * grid.unit
    for depth in range(1, 18):
        many = sum(count for drawdown, count in drawdowns.items() if drawdown >= depth * 100)
        found = find_drawdown_chance(grid, _ROLLS, depth)
        assert found == pytest.approx(float(Fraction(many, 3**_ROLLS)), abs=1e-14), depth


def test_peaks_that_do_not_matter_share_a_layer() -> None:
    """With unlimited chips all peaks share one layer."""
    grid = build_grid(_CHAIN, Plan(bankroll=10**9, rolls=1000))
    assert build_layers(grid, 50).size == 1
    assert estimate_drawdown(grid, 1000, 50).size == 2 * 8 * 2 * 50


@pytest.mark.parametrize("short_from", [None, 10_000])
def test_sampled_sessions_agree(short_from: int | None) -> None:
    """With a goal, ruin and reduced bets: 20,000 sampled sessions agree within five standard
    errors.
    """
    plan = Plan(bankroll=10_000, rolls=100, stop_win=15_000)
    found = make_valued_chain(machine("new-jersey", "pass-odds"), "stake", short_from=short_from)
    grid = build_grid(found.chain, plan)
    transfer = (
        None if found.reduced is None else ShortBankrollTransfer(grid, found.reduced, plan.bankroll)
    )
    fallen = sample_extremes(found.chain, plan, 20_000, 1, found.reduced).drawdown
    for cents in (3000, 6000, 9000, 10_500):
        chance = find_drawdown_chance(grid, plan.rolls, cents // grid.unit, transfer)
        off = (chance * (1 - chance) / 20_000) ** 0.5
        assert abs(float((fallen >= cents).mean()) - chance) < 5 * off, cents
