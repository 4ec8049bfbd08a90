"""``--short reduce`` of strategies with too many reduced bets: they are explored as they play."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from passline.lab import bets_open_at_end
from passline.lab.machines.bettor import View
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import OpenWagers, Plan, SampledSession
from passline.lab.simulation import reduced_sessions
from passline.lab.strategy_machine import machine


@pytest.fixture(autouse=True)
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bets_open_at_end, "MAX_STATES_BEFORE_PLAY", 1)
    monkeypatch.setattr(reduced_sessions, "MAX_SET_TRIALS", 3_000)


def sample(name: object, plan: Plan, trials: int, how: OpenWagers = "played") -> SampledSession:
    found = session(
        machine("new-jersey", name),  # type: ignore[arg-type]
        plan,
        exact=False,
        when_short="reduce",
        open_wagers=how,
        trials=trials,
        seed=11,
    )
    assert isinstance(found, SampledSession)
    return found


@pytest.mark.parametrize("how", ["played", "stake"])
@pytest.mark.parametrize(
    ("name", "plan"),
    [
        ("pass-odds", Plan(2_500, 30)),
        ("inside", Plan(5_500, 40, stop_win=2_000, stop_loss=4_000)),
        ("iron-cross", Plan(4_200, 25, stop_win=3_000)),
    ],
)
def test_sampled_and_exact_agree(name: str, plan: Plan, how: OpenWagers) -> None:
    exact = session(machine("new-jersey", name), plan, when_short="reduce", open_wagers=how)
    found = sample(name, plan, 8_000, how)
    for word in ("ruin", "goal", "stopped", "rolls", "broke", "ever_short"):
        told, true = float(getattr(found, word)), float(getattr(exact, word))
        assert abs(told - true) <= 4.5 * found.errors.get(word, 0) + 1e-9, word
    assert abs(float(found.final.mean - exact.final.mean)) <= 4.5 * found.errors["mean"]
    assert set(found.final.worths) <= set(exact.final.worths)
    assert [band.roll for band in found.fan] == [band.roll for band in exact.fan]


def test_a_second_program_agrees() -> None:
    """The field for $20 with what the rail holds, the house minimum $5: ruin below $5.

    The second program has only the dice and the amount.
    """

    def bold(view: View) -> str:
        return "field for 20"

    plan, trials = Plan(3_000, 12), 12_000
    found = sample(bold, plan, trials)
    law = {30: Fraction(1)}
    ruined = Fraction(0)
    for _ in range(plan.rolls + 1):
        after: dict[int, Fraction] = {}
        for rail, share in law.items():
            bet = min(20, rail)
            if bet < 5:
                ruined += share
                continue
            for ways, pays in ((20, -1), (14, 1), (2, 2)):
                worth = rail + pays * bet
                after[worth] = after.get(worth, Fraction(0)) + share * Fraction(ways, 36)
        law = after
    # After the last roll nothing more is thrown: whoever cannot bet then is ruined too.
    assert abs(float(found.ruin - ruined)) <= 4.5 * found.errors["ruin"]


def test_the_seed_decides() -> None:
    plan = Plan(3_000, 20)
    first, second = (sample("pass-odds", plan, 5_000) for _ in range(2))
    assert (first.final, first.ruin, first.fan) == (second.final, second.ruin, second.fan)
    assert np.isclose(sum(first.final.weights), 5_000)
