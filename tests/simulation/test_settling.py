"""Errors of simulations whose machines settle down in several ways, or slowly."""

import math
from collections.abc import Callable
from statistics import fmean, pstdev

import pytest

from passline.lab.exact.long_run import find_convergence, find_game_mean, solve_long_run
from passline.lab.machines.bettor import View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.simulate import Simulation, simulate
from passline.lab.strategy_machine import machine

Answer = tuple[list[str], object]


def once(view: View) -> Answer:
    """Plays the field for ever, but only if the first bet won."""
    if view.memory == "first":
        won = any(seen.result == "win" for seen in view.settled)
        return (["field for 5"], "on") if won else ([], "out")
    if view.memory == "out":
        return [], "out"
    return ["field for 5"], view.memory or "first"


def mood(view: View) -> Answer:
    """The field or nothing: three twos running end the one mood, three twelves the other."""
    plays, run = view.memory or (True, 0)
    ends = (1, 1) if plays else (6, 6)
    run = run + 1 if view.last == ends else 0
    if run == 3:
        plays, run = not plays, 0
    return ["field for 5"] if plays else [], (plays, run)


def away(strategy: Callable[[View], Answer], rolls: int, seeds: int) -> list[float]:
    """How many errors runs of these seeds are from what such games come to."""
    played = machine("new-jersey", strategy)
    found: list[Simulation] = [
        simulate(played, rolls, seed=seed, workers=1) for seed in range(seeds)
    ]
    assert {each.error_from for each in found} == {"games"}
    return [
        (each.mean_per_roll - (each.mean_of_games or 0)) / (each.standard_error or math.nan)
        for each in found
    ]


@pytest.mark.parametrize(("strategy", "rolls"), [(once, 50_000), (mood, 2_000_000)])
def test_errors_between_games_are_honest(strategy: Callable[[View], Answer], rolls: int) -> None:
    """Over forty seeds the deviations are unbiased and as large as the standard error says."""
    found = away(strategy, rolls, 40)
    assert abs(fmean(found)) < 4 / math.sqrt(40)
    assert 0.6 < pstdev(found) < 1.5
    assert max(map(abs, found)) < 5


def test_convergence_is_reported() -> None:
    forever = simulate(machine("new-jersey", once), 10_000, seed=1, workers=1)
    assert forever.settling is not None
    assert (forever.settling.classes, forever.sd_rate) == (2, None)
    is_slow = find_convergence(machine("new-jersey", mood).chain())
    assert is_slow.classes == 1
    assert is_slow.rolls == pytest.approx(46_656 / 2 * 1.03, rel=0.05)


def test_a_machine_that_settles_soon_has_the_error_of_its_chain() -> None:
    found = simulate(machine("new-jersey", "pass-odds"), 4_000, seed=1, workers=1)
    assert (found.error_from, found.games) == ("chain", 1)
    assert found.standard_error == pytest.approx((found.sd_rate or 0) / math.sqrt(4_000))


def test_alternating_states_are_not_slow() -> None:
    turns = Chain(((Arc(1, 5, 36),), (Arc(0, -5, 36),)), (0, 0))
    assert not find_convergence(turns).is_slow


def test_games_of_a_few_rolls_are_added_up_roll_by_roll() -> None:
    chain = machine("new-jersey", mood).chain()
    here, net = {chain.start: 1.0}, 0.0
    for rolls in range(1, 6):
        after: dict[int, float] = {}
        for state, chance in here.items():
            for arc in chain.arcs[state]:
                net += chance * arc.money * arc.weight / 36
                after[arc.next] = after.get(arc.next, 0.0) + chance * arc.weight / 36
        here = after
        assert find_game_mean(chain, rolls) == pytest.approx(net / rolls)
    assert find_game_mean(chain, 10**12) == pytest.approx(float(solve_long_run(chain).mean))
