"""Odd houses and odd strategies, through every question: the same answer from each."""

from fractions import Fraction

import pytest

from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.lab.compare import compare
from passline.lab.costs import find_strategy_cost
from passline.lab.house_shift import PlayerGroup, find_shift_win
from passline.lab.machines.bettor import View
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulate import simulate
from passline.lab.strategy_machine import machine

ROLLS = 6


def never(view: View) -> None:
    return None


def quits(view: View) -> tuple[list[str], str]:
    """Bets the line once, and no more."""
    return ([] if view.memory else ["pass for 5"]), "done"


HOUSES = {
    "crapless": house_for("maryland-crapless"),
    "mini": house_for("new-jersey", "mini-craps"),
    "quarters": house_for("iowa", None, (("limits.smallest_chip", "0.25"), ("limits.min", "0.25"))),
}


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES.keys())
@pytest.mark.parametrize("strategy", [never, quits, "field"])
def test_the_mean_is_one_whoever_is_asked(house: House, strategy: object) -> None:
    played = machine(house, strategy)  # type: ignore[arg-type]
    rich = session(played, Plan(10**9, ROLLS), arithmetic="fractions")
    mean = rich.final.mean - 10**9
    fair = session(played, Plan(10**9, ROLLS), open_wagers="fair", arithmetic="fractions")
    assert fair.final.mean - 10**9 == mean
    both = compare(house, [strategy, never], ROLLS)  # type: ignore[list-item]
    assert float(both.contenders[0].session.final.mean) == pytest.approx(float(mean), abs=1e-6)
    assert float(both.pairs[0].lead.mean) == pytest.approx(float(mean), abs=1e-6)
    found = find_strategy_cost(house, strategy)  # type: ignore[arg-type]
    long_run = simulate(played, 1_000, seed=1, workers=1)
    assert long_run.exact_mean_per_roll == (0 if found.replayed else -found.theoretical)
    assert found.replayed == (strategy is quits)
    if strategy is never:
        assert not any((mean, found.handle, long_run.net, rich.ruin))
    if strategy == "field":
        assert mean == ROLLS * -found.theoretical
        shift = find_shift_win(house, [PlayerGroup("field", 2)], ROLLS)
        assert float(shift.win.mean) == pytest.approx(float(-2 * mean), abs=1e-6)


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES.keys())
def test_who_bets_more_than_he_has_is_short_at_once_or_bets_what_he_has(house: House) -> None:
    played = machine(house, lambda view: None if view.up("pass") else "pass for 50")
    stops = session(played, Plan(2_000, 3))
    assert (stops.ruin, stops.short, stops.broke, stops.rolls) == (1, 1, 0, 0)
    plays = session(played, Plan(2_000, 1), when_short="reduce", open_wagers="stake")
    assert plays.ever_short == 1
    assert set(plays.final.worths) <= {0, 2_000, 4_000}
    final = plays.final
    lost = Fraction(final.weights[0]) / Fraction(final.whole) if final.worths[0] == 0 else 0
    assert plays.ruin == plays.broke == lost
