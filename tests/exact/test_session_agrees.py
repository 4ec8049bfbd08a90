"""The library's session: exact and sampled answers agree within their error."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from passline.game.house.load import house_for
from passline.lab.machines.bettor import View
from passline.lab.machines.machine import Machine, load_machine
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan, Session, SessionTooLargeError
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import explore_machine, make_machine


def machine(name: str, book: str, *elections: tuple[str, str]) -> Machine:
    return make_machine(house_for(book, None, elections), BUILT_IN[name], name)


@pytest.mark.parametrize(
    ("name", "book", "elections", "plan"),
    [
        ("pass-odds", "new-jersey", (), Plan(50000, 300, stop_win=20000)),
        ("pass-odds", "iowa", (), Plan(100000, 150, stop_win=50000, stop_loss=40000)),
        ("dont-pass-odds", "section-2", (("odds.multiple", "2"),), Plan(20000, 200)),
        ("three-point-molly", "dealer-school", (), Plan(40000, 120, stop_loss=25000)),
        ("iron-cross", "maryland-crapless", (), Plan(30000, 100, stop_win=10000)),
        ("pass-martingale", "new-jersey", (), Plan(64000, 200, stop_win=30000)),
        ("press-6-8", "iowa", (), Plan(30000, 80, stop_win=15000, stop_loss=15000)),
    ],
)
def test_sampled_and_exact_agree(
    name: str, book: str, elections: tuple[tuple[str, str], ...], plan: Plan
) -> None:
    made = machine(name, book, *elections)
    exact = session(made, plan)
    drawn = session(made, plan, exact=False, trials=40_000, seed=20_240_817, workers=2)
    assert (exact.method, drawn.method) == ("exact", "simulated")
    assert exact.states == drawn.states == made.states
    for key, ours, theirs in (
        ("mean", exact.final.mean, drawn.final.mean),
        ("ruin", exact.ruin, drawn.ruin),
        ("goal", exact.goal, drawn.goal),
        ("stopped", exact.stopped, drawn.stopped),
        ("rolls", exact.rolls, drawn.rolls),
    ):
        apart = abs(float(ours) - float(theirs))
        assert apart <= 5 * drawn.errors.get(key, 0) + 1e-3, key
    assert drawn.final.sd == pytest.approx(exact.final.sd, rel=0.03)
    assert_same_fan(exact, drawn)


def assert_same_fan(exact: Session, drawn: Session) -> None:
    """The sampled quantiles hold, within their error, the share that they should."""
    assert [band.roll for band in exact.fan] == [band.roll for band in drawn.fan]
    for ours, theirs in zip(exact.ruined, drawn.ruined, strict=True):
        assert abs(ours - theirs) < 5 * (ours * (1 - ours) / 40_000) ** 0.5 + 1e-3
    for percent in (5, 25, 50, 75, 95):
        reached = drawn.final.quantile(percent)
        weights = zip(exact.final.worths, exact.final.weights, strict=True)
        below = sum(
            float(weight / exact.final.whole) for worth, weight in weights if worth < reached
        )
        assert below < percent / 100 + 0.012


def test_an_unseeded_session_says_its_seed() -> None:
    made = machine("field", "new-jersey")
    plan = Plan(10000, 20)
    drawn = session(made, plan, exact=False, trials=500)
    again = session(made, plan, exact=False, trials=500, seed=drawn.seed)
    assert drawn.final == again.final


def test_a_saved_machine_gives_the_same_session(tmp_path: Path) -> None:
    made = machine("pass-odds", "new-jersey")
    plan = Plan(20000, 50, stop_win=5000)
    whole = session(made, plan)
    made.save(tmp_path / "it.npz")
    loaded = session(load_machine(tmp_path / "it.npz"), plan)
    assert (loaded.final, loaded.ruin, loaded.goal) == (whole.final, whole.ruin, whole.goal)
    drawn = session(load_machine(tmp_path / "it.npz"), plan, exact=False, trials=100, seed=1)
    assert drawn.final == session(made, plan, exact=False, trials=100, seed=1).final


def endless(view: View) -> tuple[str, int]:
    return ("field for 10", (view.memory or 0) + 1)


def test_a_machine_that_does_not_close_cannot_be_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore_machine, "__defaults__", (None, 30))
    made = make_machine(house_for("new-jersey", None, ()), endless, "endless")
    with pytest.raises(
        SessionTooLargeError, match=r"the strategy has [0-9]+ states or more, too many"
    ):
        session(made, Plan(10000, 10))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Plan(0, 10), "a bankroll of 0 cents"),
        (Plan(-5, 10), "a bankroll of -5 cents"),
        (Plan(10**13, 10), "a bankroll of"),
        (Plan(100, 0), "0 rolls"),
        (Plan(100, 10**11), "100,000,000,000 rolls"),
        (Plan(100, 1, stop_win=0), "a stop-win of 0 cents"),
        (Plan(100, 1, stop_loss=-1), "a stop-loss of -1 cents"),
    ],
)
def test_a_plan_that_makes_no_sense(plan: Plan, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        session(machine("field", "new-jersey"), plan)


def test_no_trials() -> None:
    with pytest.raises(ValueError, match="0 trials: expected a whole number from 1 to"):
        session(machine("field", "new-jersey"), Plan(100, 1), exact=False, trials=0)


def test_the_examples_in_the_docs() -> None:
    page = Path(__file__).parents[2] / "docs" / "play" / "sessions.md"
    told = doctest.testfile(str(page), module_relative=False)
    assert told.attempted > 8
    assert told.failed == 0
