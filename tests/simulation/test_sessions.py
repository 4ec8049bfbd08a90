"""Sampled sessions: beside the exact ones, to the roll, and the same for the same seed."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest

from passline.lab.exact.solve_session import solve_session
from passline.lab.machines.bettor import MachineFull, View
from passline.lab.machines.chain import Arc, Chain
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.sessions.plan_and_result import Plan, SampledSession
from passline.lab.simulation import trials as trial_sets
from passline.lab.simulation.sessions import sample_session
from tests.simulation.chains import COIN, WALK, at_table, closed, counts_for_ever, opened

PLANS = (
    Plan(20_000, 60),
    Plan(bankroll=20_000, rolls=300, stop_win=10_000, stop_loss=15_000),
    Plan(5_000, 1000),
    Plan(5_000, 200, stop_win=2_500),
    Plan(9_000, 75, stop_loss=4_000),
)


def shape(found: SampledSession) -> tuple[object, ...]:
    """All but the time."""
    return (
        found.final,
        found.fan,
        found.ruined,
        found.ruin,
        found.goal,
        found.stopped,
        found.rolls,
        found.highest,
        found.lowest,
        found.errors,
    )


@pytest.fixture
def small_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_sets, "MAX_SET_TRIALS", 64)
    monkeypatch.setattr(trial_sets, "ROLLS_PER_CALL", 64 * 50)


@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("name", ["walk", "three-point-molly"])
def test_sampled_and_exact_agree(name: str, plan: Plan) -> None:
    chain = WALK if name == "walk" else closed(name).chain()
    exact = solve_session(chain, plan)
    found = sample_session(chain, plan, 20_000, seed=1)
    assert (found.method, found.trials, found.interrupted) == ("simulated", 20_000, False)
    for word in ("ruin", "goal", "stopped", "rolls"):
        told, true = float(getattr(found, word)), float(getattr(exact, word))
        assert abs(told - true) <= 5 * found.errors.get(word, 0) + 1e-3, word
    assert abs(float(found.final.mean - exact.final.mean)) <= 5 * found.errors["mean"]
    # Where most are ruined, some dozens that are not make the deviation.
    assert found.final.sd == pytest.approx(exact.final.sd, rel=0.25, abs=1)
    assert set(found.final.worths) <= set(exact.final.worths)
    assert found.fan[0].roll == 0
    assert found.fan[-1].roll == plan.rolls
    for told, true in zip(found.ruined[:3], exact.ruined[:3], strict=True):
        assert abs(told - true) < 0.02
    assert found.ruined[-1] == pytest.approx(float(found.ruin))
    assert list(found.ruined) == sorted(found.ruined)


def test_one_roll_is_one_throw() -> None:
    found = sample_session(COIN, Plan(500, 1), 3_600, seed=1)
    assert found.final.worths == (0, 1000)
    assert found.rolls == 1
    assert (found.ruin, found.goal) == (Fraction(int(found.final.weights[0]), 3_600), 0)
    assert abs(float(found.ruin) - 20 / 36) < 5 * math.sqrt(20 * 16 / 36**2 / 3600)


def test_checked_before_the_first_roll() -> None:
    """Not enough for the first wager: ruined at once, with the bankroll kept."""
    found = sample_session(COIN, Plan(499, 10), 50, seed=1)
    assert (found.ruin, found.rolls, found.final.worths) == (1, 0, (499,))
    assert found.ruined == (1.0,) * 11
    assert (found.highest, found.lowest) == (499, 499)


def test_the_goal_comes_before_the_floor_and_both_before_ruin() -> None:
    """Every roll pays 500: the goal is reached after two rolls, to the cent."""
    rise = Chain(((Arc(0, 500, 36),),), (0,))
    found = sample_session(
        rise, Plan(bankroll=1000, rolls=9, stop_win=1000, stop_loss=500), 10, seed=1
    )
    assert (found.goal, found.rolls, found.final.worths) == (1, 2, (2000,))
    fall = Chain(((Arc(0, -500, 36),),), (501,))
    found = sample_session(fall, Plan(1500, 9, stop_loss=1000), 10, seed=1)
    assert (found.stopped, found.ruin, found.rolls) == (1, 0, 2)
    found = sample_session(fall, Plan(1500, 9), 10, seed=1)
    assert (found.ruin, found.rolls, found.final.worths) == (1, 2, (500,))
    assert found.ruined == (0, 0, 1, 1, 1, 1, 1, 1, 1, 1)


def test_ruin_is_found_after_the_last_roll_too() -> None:
    fall = Chain(((Arc(0, -500, 36),),), (501,))
    found = sample_session(fall, Plan(1500, 2), 10, seed=1)
    assert (found.ruin, found.rolls) == (1, 2)


def test_extremes_are_those_of_the_way() -> None:
    """Down 500, then up 1,200: the lowest and the highest are known."""
    swing = Chain(((Arc(1, -500, 36),), (Arc(2, 1200, 36),), (Arc(2, -1, 36),)), (0, 0, 0))
    found = sample_session(swing, Plan(1000, 5), 9, seed=1)
    assert (found.highest, found.lowest, found.final.worths) == (1700, 500, (1697,))
    assert [band.worths[2] for band in found.fan] == [1000, 500, 1700, 1699, 1698, 1697]


@pytest.mark.parametrize("plan", [PLANS[0], PLANS[1], Plan(4_000, 20_000)], ids=str)
def test_the_seed_alone_decides(small_sets: None, plan: Plan) -> None:
    chain = closed("pass").chain()
    found = [sample_session(chain, plan, 300, seed=2, workers=n) for n in (1, 2, 5)]
    assert shape(found[0]) == shape(found[1]) == shape(found[2])
    with ThreadPoolExecutor(2) as threads:
        assert shape(sample_session(chain, plan, 300, seed=2, executor=threads)) == shape(found[0])
    assert shape(sample_session(chain, plan, 300, seed=3)) != shape(found[0])


def test_a_growing_machine_plays_the_same_sessions(small_sets: None) -> None:
    """The dice do not depend on when a state was explored, nor on who explored it."""
    plan = Plan(20_000, 120, 15_000)
    found = [
        sample_session(opened("three-point-molly"), plan, 400, seed=4, workers=n) for n in (1, 3)
    ]
    assert shape(found[0]) == shape(found[1])
    half = opened("three-point-molly")
    half.close(100)
    assert not half.closed
    assert shape(sample_session(half, plan, 400, seed=4)) == shape(found[0])


def test_a_saved_machine_is_sampled_like_the_one_it_was() -> None:
    machine = closed("pass")
    size = machine.states
    saved = SavedMachine(
        machine.next[:size], machine.money[:size], machine.need[:size], machine.about
    )
    plan = PLANS[0]
    assert shape(sample_session(saved, plan, 100, seed=1)) == shape(
        sample_session(machine, plan, 100, seed=1)
    )


def test_ctrl_c_keeps_the_sets_that_were_played(small_sets: None) -> None:
    """Progress is not reported for what is collected after an interruption."""

    def watch(done: int, asked: int) -> None:
        assert asked == 10_000
        if done > 500:
            raise KeyboardInterrupt

    found = sample_session(COIN, Plan(5_000, 40), 10_000, seed=1, watch=watch)
    assert found.interrupted
    assert found.trials is not None
    assert 500 < found.trials < 10_000
    assert found.final.whole == found.trials


class Impatient(ThreadPoolExecutor):
    """Workers that are interrupted when so many pieces were handed out."""

    def __init__(self, after: int) -> None:
        super().__init__(1)
        self.left = after

    def submit(self, *given: Any, **named: Any) -> Any:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return super().submit(*given, **named)


def broken_off(after: int, plan: Plan, trials: int, seed: int) -> SampledSession:
    """What is kept of a sampling of coins that is interrupted."""
    with Impatient(after) as hands:
        try:
            return sample_session(COIN, plan, trials, seed=seed, executor=hands, workers=1)
        except KeyboardInterrupt:  # which would end the tests, and not only this one
            raise AssertionError("nothing was kept") from None


#: A walk of a hundred million rolls that nobody is ruined in.
LONG = Plan(10**11, 10**8)


def test_ctrl_c_in_a_long_session_answers_for_the_rolls_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No session has ended: all started ones are reported as of the same roll."""
    monkeypatch.setattr(trial_sets, "ROLLS_PER_CALL", 2**21)
    found = broken_off(40, LONG, 1000, 1)
    assert (found.interrupted, found.trials, found.under_way) == (True, 16, 0)
    assert 0 < found.plan.rolls < LONG.rolls
    assert found.plan.rolls in [step * LONG.rolls // 50 for step in range(51)]
    assert [band.roll for band in found.fan][-1] == found.plan.rolls == found.rolls
    assert (found.ruin, found.highest, found.lowest) == (0, None, None)
    # The coin loses 500 * 4 / 36 cents a roll, and nothing was left out.
    assert float(found.final.mean) - 10**11 == pytest.approx(-500 / 9 * found.plan.rolls, rel=0.05)


def test_a_truncated_run_equals_the_full_run_at_that_checkpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sessions that end before a checkpoint are the same in a truncated and in a full run."""
    monkeypatch.setattr(trial_sets, "ROLLS_PER_CALL", 240)
    plan = Plan(8_000, 1000, 90_000)
    cut = broken_off(4, plan, 8, 3)
    look = cut.plan.rolls // 20
    whole = sample_session(COIN, plan, 8, seed=3)
    assert 0 < cut.plan.rolls < 1000
    assert (cut.trials, cut.under_way) == (8, 0)
    assert cut.fan == whole.fan[: look + 1]
    assert cut.ruined == whole.ruined[: look + 1]
    assert 0 < cut.ruin == cut.ruined[-1] < 1
    assert cut.rolls < whole.rolls


def test_finished_sets_alone_are_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half the sessions end at once, the others last: an interrupted run reports both."""
    monkeypatch.setattr(trial_sets, "ROLLS_PER_CALL", 25_000)
    monkeypatch.setattr(trial_sets, "ROLLS_PER_SET", 1)
    monkeypatch.setattr(trial_sets, "MIN_SET_TRIALS", 1)
    fork = Chain(
        ((Arc(1, 0, 18), Arc(2, 0, 18)), (Arc(1, 1, 36),), (Arc(2, 0, 36),)), (0, 0, 10**6)
    )
    with Impatient(30) as hands:
        found = sample_session(fork, Plan(500, 10**6), 40, seed=1, executor=hands, workers=2)
    assert 0 < found.plan.rolls < 10**6
    assert 0 < found.ruin < 1


def test_ctrl_c_within_a_set_keeps_the_sets_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trials of a set are played together, so an unfinished set is dropped."""
    monkeypatch.setattr(trial_sets, "MAX_SET_TRIALS", 40)
    monkeypatch.setattr(trial_sets, "ROLLS_PER_CALL", 40 * 50)
    found = broken_off(62, Plan(50_000, 100), 10_000, 1)
    assert found.trials is not None
    assert (found.trials % 40, found.under_way % 40) == (0, 0)
    assert 1000 < found.trials < 1300
    assert (found.interrupted, found.plan.rolls, found.final.whole) == (True, 100, found.trials)


def test_nothing_played_raises() -> None:
    with Impatient(1) as hands, pytest.raises(KeyboardInterrupt):
        sample_session(COIN, LONG, 100, seed=1, executor=hands, workers=1)


class Failing(Impatient):
    """Workers that fail, instead."""

    def submit(self, *given: Any, **named: Any) -> Any:
        try:
            return super().submit(*given, **named)
        except KeyboardInterrupt:
            raise OSError("gone") from None


def test_an_executor_that_fails_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_sets, "MAX_SET_TRIALS", 100)
    with Failing(4) as hands:
        found = sample_session(COIN, Plan(50_000, 100), 1000, seed=1, executor=hands, workers=1)
    assert (found.interrupted, found.reason) == (True, "the executor failed: OSError: gone")
    # The third set is played, or still waits when the executor fails and is given up with it.
    assert found.trials == found.final.whole in (200, 300)
    assert found.errors["mean"] > 0
    with Failing(1) as hands, pytest.raises(OSError, match="gone"):
        sample_session(COIN, Plan(50_000, 100), 1000, seed=1, executor=hands, workers=1)


def test_a_growing_machine_is_given_to_an_executor() -> None:
    """What is played there is what is played here; what is unknown there is explored here."""
    plan = Plan(50_000, 40)
    with Failing(1) as hands, pytest.raises(OSError, match="gone"):
        sample_session(opened("pass"), plan, 50, seed=1, executor=hands)
    with ThreadPoolExecutor(2) as hands:
        found = sample_session(opened("pass-odds"), plan, 50, seed=1, executor=hands)
    assert shape(found) == shape(sample_session(opened("pass-odds"), plan, 50, seed=1))


def test_the_loops_numbers_are_those_of_the_trials() -> None:
    from passline.lab.simulation import session_kernels

    for name in ("STATE", "WORTH", "KIND_BITS"):
        assert getattr(session_kernels, name) == getattr(trial_sets, name)


def by_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_sets, "build_strides", lambda *_: ())


@pytest.mark.parametrize("plan", [*PLANS, Plan(20_000, 517, 9_000, 9_000)], ids=str)
def test_with_strides_and_without(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends, rolls and extremes are those of sessions played roll by roll, within their errors."""
    chain = closed("pass-odds").chain()
    strode = sample_session(chain, plan, 20_000, seed=5)
    by_singles(monkeypatch)
    walked = sample_session(chain, plan, 20_000, seed=6)
    for word in ("ruin", "goal", "stopped", "rolls"):
        apart = abs(float(getattr(strode, word)) - float(getattr(walked, word)))
        assert apart <= 5 * 1.5 * walked.errors.get(word, 0) + 1e-3, word
    for one, other in ((strode.highest, walked.highest), (strode.lowest, walked.lowest)):
        assert one is not None
        assert other is not None
        assert abs(one - other) <= 5 * 1.5 * max(walked.final.sd, 1) / 20_000**0.5


def test_errors_are_given_only_if_they_exist() -> None:
    assert sample_session(COIN, Plan(5_000, 40), 15, seed=1).errors == {}
    found = sample_session(COIN, Plan(5_000, 40), 400, seed=1)
    assert set(found.errors) == {"mean", "rolls", "ruin"}  # no stop: nobody reached one
    share = float(found.ruin)
    assert found.errors["ruin"] == pytest.approx(math.sqrt(share * (1 - share) / 399))
    assert found.errors["mean"] == pytest.approx(found.final.sd / math.sqrt(399))
    assert "ruin" not in sample_session(COIN, Plan(10**6, 40), 400, seed=1).errors


def endless() -> Machine:
    return at_table(counts_for_ever, memory=1)


def test_states_without_end_raise_where_nothing_was_played() -> None:
    with pytest.raises(MachineFull, match="states"):
        sample_session(endless(), Plan(10**8, 10**6), 10, seed=1)


def test_states_without_end_keep_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of a few short sessions: some are over before the machine is full."""
    monkeypatch.setattr(trial_sets, "MAX_SET_TRIALS", 8)
    rare = at_table(lambda view: (["field for 5"], rarely(view)), memory=1)
    found = sample_session(rare, Plan(10**6, 30), 10**5, seed=1, workers=1)
    assert found.interrupted
    assert "states" in found.reason
    assert found.errors == {}, "what was left out met the rare state: no chance sample"


def rarely(view: View) -> int:
    """A number that grows with every twelve."""
    assert isinstance(view.memory, int | None)
    return (view.memory or 0) + (view.last == (6, 6))


def test_sessions_that_make_no_sense_are_refused() -> None:
    for plan, trials in ((Plan(100, 0), 1), (Plan(100, 1), 0)):
        with pytest.raises(ValueError, match="at least 1"):
            sample_session(COIN, plan, trials, seed=1)


def test_trials_are_all_played(small_sets: None) -> None:
    for trials in (1, 2, 63, 64, 65, 1000):
        found = sample_session(COIN, Plan(2_000, 7), trials, seed=1)
        assert (found.trials, found.final.whole, sum(found.final.weights)) == (trials,) * 3
