"""Long sessions far from every end: the frequency domain gives the same result as level by
level.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import ValuedChain, make_valued_chain
from passline.lab.exact import fourier_evolution
from passline.lab.exact.bankroll_grid import build_grid, estimate_doubles, find_roll_deviation
from passline.lab.exact.fourier_evolution import (
    FAINT_CHANCE,
    LevelRange,
    estimate_fourier,
    find_level_range,
    find_safe_range,
)
from passline.lab.exact.solve_session import solve_session
from passline.lab.machines.chain import Arc, Chain
from passline.lab.sessions.distribution import AT_STAKE
from passline.lab.sessions.plan_and_result import OpenWagers, Plan, Session
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine

FAR_PLAN = Plan(2_000_000, 400)
COIN = Chain(((Arc(0, -500, 20), Arc(0, 500, 16)),), (500,))


def opened(name: str, book: str, how: OpenWagers) -> ValuedChain:
    made = make_machine(house_for(book, None, ()), BUILT_IN[name], name)
    made.close()
    return make_valued_chain(made, how)


def both(
    found: ValuedChain, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> tuple[Session, Session]:
    chain, open_bets = found.chain, found.open_bets
    sessions = []
    for slow in (0.0, float("inf")):
        monkeypatch.setattr(fourier_evolution, "_MIN_SECONDS", slow)
        assert (find_safe_range(build_grid(chain, plan), plan) is None) == bool(slow)
        sessions.append(solve_session(chain, plan, open_bets=open_bets, arithmetic="doubles"))
    return sessions[0], sessions[1]


def fair_coins() -> ValuedChain:
    """Two kinds of state, one of which has open bets whose outcome is no whole number of cents."""
    third = ((Fraction(-100, 3), Fraction(1, 2)), (100, Fraction(1, 2)))
    ways = (Arc(1, -500, 20), Arc(0, 500, 16)), (Arc(0, 200, 18), Arc(1, -200, 18))
    return ValuedChain(Chain(ways, (500, 500), kinds=(0, 1)), (AT_STAKE, third), None)


@pytest.mark.parametrize(
    "found",
    [
        lambda: opened("pass-odds", "new-jersey", "played"),
        lambda: opened("iron-cross", "iowa", "stake"),
        fair_coins,
    ],
    ids=["played", "stake", "uneven"],
)
def test_frequencies_give_the_same_result_as_levels(
    found: Callable[[], ValuedChain], monkeypatch: pytest.MonkeyPatch
) -> None:
    far, near = both(found(), FAR_PLAN, monkeypatch)
    assert far.fan == near.fan
    assert (far.ruin, far.goal, far.stopped, far.rolls) == (0, 0, 0, 400)
    assert far.final.mean == pytest.approx(near.final.mean, rel=1e-13)
    assert far.final.sd == pytest.approx(near.final.sd, rel=1e-9)
    ours = dict(zip(far.final.worths, far.final.weights, strict=True))
    theirs = dict(zip(near.final.worths, near.final.weights, strict=True))
    every = sorted(ours.keys() | theirs.keys())
    np.testing.assert_allclose(
        [ours.get(worth, 0.0) for worth in every],
        [theirs.get(worth, 0.0) for worth in every],
        rtol=1e-11,
        atol=2 * FAINT_CHANCE,
    )


def test_the_level_range_is_a_tight_bound() -> None:
    """For a coin, whose chances are known, the bound holds and is not far off."""
    grid = build_grid(COIN, FAR_PLAN)
    level_range = find_level_range(grid, 400, find_roll_deviation(grid))
    weights = {0: 1}
    for _ in range(400):
        after: dict[int, int] = {}
        for level, ways in weights.items():
            for to, times in ((level - 1, 5), (level + 1, 4)):
                after[to] = after.get(to, 0) + ways * times
        weights = after
    for beyond in (
        sum(ways for level, ways in weights.items() if level < level_range.low),
        sum(ways for level, ways in weights.items() if level > level_range.high),
    ):
        assert 1e-33 < beyond / 9**400 < 1e-27


def test_no_frequencies_near_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fourier_evolution, "_MIN_SECONDS", 0.0)
    for plan in (
        Plan(100_000, 400),
        Plan(2_000_000, 400, stop_win=80_000),
        Plan(2_000_000, 400, stop_loss=100_000),
        Plan(2_000_000, 100),
    ):
        assert find_safe_range(build_grid(COIN, plan), plan) is None
    assert find_safe_range(build_grid(COIN, FAR_PLAN), FAR_PLAN) is not None


def test_the_cost_of_frequencies_is_estimated() -> None:
    """A long session of many states takes too much memory level by level, but not in
    frequencies.
    """
    ways = tuple((Arc((row + 1) % 40, -700, 20), Arc(row, 900, 16)) for row in range(40))
    grid, rolls = build_grid(Chain(ways, (0,) * 40), Plan(10**9, 10**6)), 10**6
    levels_cost = estimate_doubles(grid, rolls)
    fourier_cost = estimate_fourier(grid, rolls, LevelRange(-200_000, 200_000))
    assert fourier_cost.size < levels_cost.size / 2
    assert fourier_cost.seconds < levels_cost.seconds / 20


def test_an_interrupted_session_reports_the_rolls_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fourier_evolution, "_MIN_SECONDS", 0.0)

    def watch(done: int, _: int) -> None:
        if done == 300:
            raise KeyboardInterrupt

    found = solve_session(COIN, FAR_PLAN, arithmetic="doubles", watch=watch)
    assert (found.interrupted, found.plan.rolls) == (True, 300)
    assert found.final.mean == pytest.approx(2_000_000 - 300 * 500 / 9, rel=1e-12)
