"""Machines that are explored while they are played: at once, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passline.lab import strategy_machine
from passline.lab.machines import machine as machines
from passline.lab.machines.bettor import View
from passline.lab.machines.machine import Machine
from passline.lab.run_session import session
from passline.lab.sessions.session import Plan, SampledSession
from passline.lab.simulate import simulate
from passline.lab.simulation import trials as trial_sets
from tests.simulation.chains import at_table, opened
from tests.simulation.test_sessions import shape

SMALL = 300


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sets and few states before play, so that a small machine is explored as it plays."""
    monkeypatch.setattr(trial_sets, "MAX_SET_TRIALS", 64)
    monkeypatch.setattr(machines, "MAX_STATES_BEFORE_PLAY", SMALL)
    monkeypatch.setattr(strategy_machine, "MAX_STATES_BEFORE_PLAY", SMALL)


def counts_points(view: View) -> tuple[list[str], int]:
    """Pass and place bets whose size depends on how many points were made, up to 200."""
    made = view.memory or 0
    made += any(done.wager == "pass" and done.result == "win" for done in view.settled)
    says = [] if view.puck or view.up("pass") else [f"pass for {10 + made % 7}"]
    if view.puck and not view.up("place-win-6"):
        says += ["place-win-6 for 12"] * (view.puck != 6) + ["field for 5"]
    return says, min(made, 200)


def play(machine: Machine, workers: int) -> SampledSession:
    found = session(machine, Plan(40_000, 120), exact=False, trials=500, seed=7, workers=workers)
    assert isinstance(found, SampledSession)
    return found


def test_a_large_machine_is_explored_while_it_plays() -> None:
    machine = at_table(counts_points)
    found = play(machine, 1)
    assert SMALL < found.states
    assert machine.explored < machine.states
    assert found.trials == 500


def explored_before(limit: int) -> Machine:
    machine = at_table(counts_points)
    machine.close(limit)
    return machine


@pytest.mark.parametrize(
    "make", [lambda: at_table(counts_points), lambda: explored_before(700), lambda: done()]
)
@pytest.mark.parametrize("workers", [1, 3])
def test_sessions_do_not_depend_on_workers_or_on_what_was_explored(
    make: Callable[[], Machine], workers: int
) -> None:
    assert shape(play(make(), workers)) == shape(play(at_table(counts_points), 2))


def done() -> Machine:
    machine = at_table(counts_points)
    assert machine.close()
    assert machine.states > SMALL
    return machine


def test_rolls_do_not_depend_on_workers_or_on_what_was_explored() -> None:
    runs = [
        simulate(machine, 20_000, seed=5, workers=workers)
        for machine, workers in ((at_table(counts_points), 1), (done(), 3))
    ]
    assert len({(run.net, run.mean_per_roll, run.standard_error) for run in runs}) == 1
    assert runs[1].exact is not None  # It was known before.


def test_a_small_machine_is_explored_first() -> None:
    machine = opened("pass-odds")
    found = session(machine, Plan(40_000, 50), exact=False, trials=100, seed=1)
    assert machine.is_small
    assert found.states == machine.states
