"""Machines that are explored while they are played: at once, and the same for the same seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from passline.cli.main import cli
from passline.lab import strategy_machine
from passline.lab.compare import Comparison, compare
from passline.lab.house_shift import PlayerGroup, find_shift_win
from passline.lab.machines import machine as machines
from passline.lab.machines.bettor import View
from passline.lab.machines.machine import Machine
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan, SampledSession
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
    """Pass and place bets whose size depends on how many points were made, up to 80."""
    made = view.memory or 0
    made += any(done.wager == "pass" and done.result == "win" for done in view.settled)
    says = [] if view.puck or view.up("pass") else [f"pass for {10 + made % 7}"]
    if view.puck and not view.up("place-win-6"):
        says += ["place-win-6 for 12"] * (view.puck != 6) + ["field for 5"]
    return says, min(made, 80)


def play(machine: Machine, workers: int) -> SampledSession:
    found = session(machine, Plan(40_000, 120), exact=False, trials=500, seed=7, workers=workers)
    assert isinstance(found, SampledSession)
    return found


def test_a_large_machine_is_explored_while_it_plays() -> None:
    machine = at_table(counts_points)
    found = play(machine, 1)
    assert found.states > SMALL
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
    assert shape(play(make(), workers)) == two_workers()


@cache
def two_workers() -> object:
    return shape(play(at_table(counts_points), 2))


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


#: Pass and place bets, with a memory that grows to 200.
OWN = """
def play(view):
    made = view.memory or 0
    made += any(d.wager == "pass" and d.result == "win" for d in view.settled)
    says = [] if view.puck or view.up("pass") else [f"pass for {10 + made % 7}"]
    if view.puck and not view.up("field"):
        says.append("field for 5")
    return says, min(made, 200)
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN, "utf-8")
    return str(path)


def test_a_shift_is_explored_while_it_is_sampled(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [PlayerGroup(own, 2), PlayerGroup("pass", 1, 30_000)]
    grown = find_shift_win("new-jersey", groups, 100, trials=300, seed=4)
    monkeypatch.setattr(strategy_machine, "MAX_STATES_BEFORE_PLAY", 50_000)
    monkeypatch.setattr(machines, "MAX_STATES_BEFORE_PLAY", 50_000)
    before = find_shift_win("new-jersey", groups, 100, trials=300, seed=4)
    assert (grown.win, grown.reserve) == (before.win, before.reserve)
    assert grown.method == before.method == "simulated"


def test_strategies_without_end_are_compared_by_sampling(own: str) -> None:
    found = compare("new-jersey", [own, "pass"], 100, trials=300, seed=4)
    assert found == compare_again(found, own)
    assert found.method == found.pairs[0].method == "simulated"
    assert (found.trials, found.seed) == (300, 4)
    lead = found.pairs[0].lead
    means = [each.session.final.mean for each in found.contenders]
    assert lead.mean == means[0] - means[1]


def compare_again(found: Comparison, own: str) -> Comparison:
    """The same comparison once more, with the seconds of the first."""
    again = compare("new-jersey", [own, "pass"], 100, trials=300, seed=4)
    pairs = zip(again.contenders, found.contenders, strict=True)
    contenders = tuple(
        replace(now, session=replace(now.session, seconds=before.session.seconds))
        for now, before in pairs
    )
    return replace(again, contenders=contenders)


def test_a_sampled_comparison_is_near_the_exact_one() -> None:
    exact = compare("new-jersey", ["pass-odds", "field"], 30)
    found = compare("new-jersey", ["pass-odds", "field"], 30, trials=4_000, seed=1)
    for one, other in zip(exact.contenders, found.contenders, strict=True):
        error = other.session.errors["mean"]
        assert abs(float(one.session.final.mean - other.session.final.mean)) <= 4 * error
        assert float(one.ahead) == pytest.approx(float(other.ahead), abs=0.035)
    first, second = exact.pairs[0], found.pairs[0]
    assert float(first.ahead) == pytest.approx(float(second.ahead), abs=0.035)
    assert first.correlation == pytest.approx(second.correlation, abs=0.1)


def test_the_command_compares_what_cannot_be_solved(own: str) -> None:
    words = ["compare", own, "pass", "--rulebook", "new-jersey", "--rolls", "40", "--trials", "64"]
    found = json.loads(CliRunner().invoke(cli, [*words, "--seed", "2", "--json"]).stdout)
    assert (found["method"], found["trials"], found["seed"]) == ("simulated", 64, 2)
    assert found["strategies"][0]["handle_per_roll"] is None
    assert set(found["strategies"][0]["standard_errors"]) == {"mean", "ahead"}
    shown = CliRunner().invoke(cli, words)
    assert shown.exit_code == 0, shown.stderr
    assert "simulated: 64 sequences of throws, seed " in shown.stdout
    refused = CliRunner().invoke(cli, [*words[:-2], "--seed", "2"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--seed goes with --trials" in refused.stderr
