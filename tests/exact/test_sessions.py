"""Exact sessions: against every fall of the dice, and against themselves."""

from __future__ import annotations

import ast
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import passline
from passline.game.house.load import house_for
from passline.lab.exact import bankroll_grid
from passline.lab.exact.bankroll_evolution import BankrollEvolution
from passline.lab.exact.bankroll_grid import build_grid
from passline.lab.exact.big_integers import choose_limb_bits, count_limbs
from passline.lab.exact.evolution_kernels import UNREACHABLE
from passline.lab.exact.solve_session import solve_session
from passline.lab.machines.chain import Arc, Chain
from passline.lab.machines.machine import Machine
from passline.lab.sessions.plan_and_result import Plan, Session, SessionTooLargeError
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from tests.exact.by_hand import PASS_ODDS, Ends, coin, every_throw, every_worth


def close_to(found: Session, hand: Ends) -> None:
    """Everything that the slow way found, digit by digit."""
    whole = hand.whole
    assert found.arithmetic == "fractions"
    assert found.ruin == Fraction(hand.why.get("ruin", 0), whole)
    assert found.goal == Fraction(hand.why.get("goal", 0), whole)
    assert found.stopped == Fraction(hand.why.get("stopped", 0), whole)
    assert found.rolls == hand.rolls
    shares = {
        worth: Fraction(int(weight), int(found.final.whole))
        for worth, weight in zip(found.final.worths, found.final.weights, strict=True)
    }
    assert shares == {worth: Fraction(ways, whole) for worth, ways in hand.final.items()}
    assert list(found.final.worths) == sorted(hand.final)


def machine(name: str, book: str, **elections: str) -> Machine:
    made = make_machine(house_for(book, None, tuple(elections.items())), BUILT_IN[name], name)
    assert made.close()
    return made


@pytest.mark.parametrize(
    ("name", "book", "plan"),
    [
        ("pass-odds", "new-jersey", Plan(3000, 3)),
        ("pass-odds", "iowa", Plan(15000, 3, stop_win=2000)),
        ("iron-cross", "section-2", Plan(10000, 2, stop_loss=3000)),
        ("three-point-molly", "dealer-school", Plan(8000, 3, stop_win=7000, stop_loss=2500)),
        ("hardways", "maryland-crapless", Plan(4500, 3, stop_loss=2000)),
        ("pass-martingale", "new-jersey", Plan(2500, 3, stop_win=1000)),
    ],
)
def test_every_fall_of_the_dice(name: str, book: str, plan: Plan) -> None:
    made = machine(name, book)
    close_to(solve_session(made.chain(), plan), every_throw(made, plan))


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """A few states, any arcs, any needs; money in steps of some odd size."""
    count = draw(st.integers(1, 5))
    unit = draw(st.sampled_from([1, 25, 100, 350]))
    arcs = []
    for _ in range(count):
        left = 36
        ways: list[Arc] = []
        while left:
            weight = draw(st.integers(1, left)) if len(ways) < 4 else left
            left -= weight
            ways.append(
                Arc(
                    draw(st.integers(0, count - 1)),
                    unit * draw(st.integers(-6, 6)),
                    weight,
                )
            )
        arcs.append(tuple(ways))
    needs = tuple(draw(st.integers(0, 8)) * unit for _ in range(count))
    return Chain(tuple(arcs), needs, draw(st.integers(0, count - 1)))


stops = st.none() | st.integers(1, 5000)
plans = st.builds(Plan, st.integers(1, 4000), st.integers(1, 12), stops, stops)


@given(chains(), plans)
@settings(deadline=None, max_examples=60)
def test_any_chain_worth_by_worth(chain: Chain, plan: Plan) -> None:
    hand = every_worth(chain, plan)
    found = solve_session(chain, plan)
    close_to(found, hand)
    doubles = solve_session(chain, plan, arithmetic="doubles")
    assert doubles.arithmetic == "doubles"
    for ours, theirs in (
        (doubles.ruin, found.ruin),
        (doubles.goal, found.goal),
        (doubles.stopped, found.stopped),
        (doubles.rolls, found.rolls),
        (doubles.final.mean, found.final.mean),
    ):
        assert float(ours) == pytest.approx(float(theirs), rel=1e-12, abs=1e-12)


@given(chains(), plans)
@settings(deadline=None, max_examples=30)
def test_the_fan_ends_where_the_session_does(chain: Chain, plan: Plan) -> None:
    for found in (
        solve_session(chain, plan),
        solve_session(chain, plan, arithmetic="doubles"),
    ):
        assert [band.roll for band in found.fan] == list(range(plan.rolls + 1))
        assert found.fan[0].worths == (plan.bankroll,) * 5
        assert found.fan[-1].worths == tuple(
            found.final.quantile(percent) for percent in (5, 25, 50, 75, 95)
        )
        assert found.ruined[-1] == pytest.approx(float(found.ruin), abs=1e-12)
        assert list(found.ruined) == sorted(found.ruined)


def test_the_fan_on_its_way_is_the_shorter_session() -> None:
    long = solve_session(PASS_ODDS, Plan(20000, 200, stop_win=10000))
    for place in (10, 25, 50):
        roll = long.fan[place].roll
        short = solve_session(PASS_ODDS, Plan(20000, roll, stop_win=10000))
        assert long.fan[place].worths == short.fan[-1].worths
        assert long.ruined[place] == float(short.ruin)


def test_doubles_agree_over_many_rolls() -> None:
    plan = Plan(50000, 400, stop_win=40000, stop_loss=45000)
    counted = solve_session(PASS_ODDS, plan, arithmetic="fractions")
    measured = solve_session(PASS_ODDS, plan, arithmetic="doubles")
    assert sum(counted.final.weights) == counted.final.whole
    assert measured.ruin == pytest.approx(float(counted.ruin), abs=1e-12)
    assert measured.goal == pytest.approx(float(counted.goal), rel=1e-12)
    assert measured.stopped == pytest.approx(float(counted.stopped), rel=1e-12)
    assert measured.rolls == pytest.approx(float(counted.rolls), rel=1e-12)
    assert measured.final.mean == pytest.approx(float(counted.final.mean), rel=1e-12)
    assert measured.final.sd == pytest.approx(counted.final.sd, rel=1e-12)
    assert measured.fan == counted.fan


def test_what_doubles_leave_out_cannot_be_seen() -> None:
    # Far tails of 3,000 rolls weigh less than 1e-27: left out, nothing moves in the 12th place.
    measured = solve_session(PASS_ODDS, Plan(10**9, 3000), arithmetic="doubles")
    assert len(measured.final.worths) < 20_000  # of 45,000 or more that could be reached
    assert sum(measured.final.weights) == pytest.approx(1, abs=1e-12)
    drift = measured.final.mean - 10**9
    early, late = gain(PASS_ODDS, 100), gain(PASS_ODDS, 150)
    assert drift == pytest.approx(float(early + (late - early) * 58), abs=1e-4)
    near = solve_session(PASS_ODDS, Plan(10**9, 400), arithmetic="doubles")
    whole = solve_session(PASS_ODDS, Plan(10**9, 400), arithmetic="fractions")
    assert len(near.final.worths) < len(whole.final.worths)
    assert near.final.sd == pytest.approx(whole.final.sd, rel=1e-9)
    assert near.final.mean == pytest.approx(float(whole.final.mean), rel=1e-13)


def gain(chain: Chain, rolls: int) -> Fraction:
    """The mean change of money over so many rolls with no end to the chips."""
    chances = {chain.start: Fraction(1)}
    total = Fraction(0)
    for _ in range(rolls):
        there: dict[int, Fraction] = {}
        for state, chance in chances.items():
            for arc in chain.arcs[state]:
                way = chance * arc.weight / 36
                total += way * arc.money
                there[arc.next] = there.get(arc.next, Fraction(0)) + way
        chances = there
    return total


def test_with_chips_enough_the_mean_is_the_rolls_times_their_worth() -> None:
    found = solve_session(PASS_ODDS, Plan(10**8, 60))
    assert found.ruin == 0
    assert found.rolls == 60
    assert found.final.mean == 10**8 + gain(PASS_ODDS, 60)


def test_a_coin_is_binomial() -> None:
    found = solve_session(coin(), Plan(100_000, 150))
    assert found.final.worths == tuple(100_000 + 500 * (2 * heads - 150) for heads in range(151))
    assert [Fraction(int(weight), int(found.final.whole)) for weight in found.final.weights] == [
        Fraction(comb(150, heads), 2**150) for heads in range(151)
    ]
    assert found.final.variance == 150 * 500**2


def test_gamblers_ruin() -> None:
    # In the long run a fair coin ends at the goal as often as the bankroll is of the goal.
    found = solve_session(coin(), Plan(1000, 3000, stop_win=1000), arithmetic="doubles")
    assert found.goal == pytest.approx(0.5, abs=1e-12)
    assert found.ruin == pytest.approx(0.5, abs=1e-12)
    assert found.rolls == pytest.approx(4, abs=1e-9)


def test_nobody_left_ends_it_early() -> None:
    down = Chain(((Arc(0, -100, 36),),), (100,))
    found = solve_session(down, Plan(500, 1000))
    assert (found.ruin, found.rolls, found.final.worths) == (1, 5, (0,))
    assert found.fan[-1].roll == 1000
    assert found.fan[-1].worths == (0,) * 5
    assert len(found.ruined) == len(found.fan)
    assert found.ruined[-1] == 1


def test_ruined_at_once() -> None:
    found = solve_session(PASS_ODDS, Plan(999, 50))
    assert (found.ruin, found.rolls, found.final.worths) == (1, 0, (999,))


def test_ruin_counts_after_the_last_roll_too() -> None:
    found = solve_session(coin(1000), Plan(1000, 1))
    assert (found.ruin, found.rolls) == (Fraction(1, 2), 1)


def test_a_bankroll_between_the_chips() -> None:
    plan = Plan(2099, 5, stop_win=1, stop_loss=2099)
    close_to(solve_session(coin(), plan), every_worth(coin(), plan))


def test_a_stop_above_every_need_beats_ruin() -> None:
    # The worth at which he would leave also cannot cover the wager: goal and floor are asked first.
    plan = Plan(500, 1, stop_loss=500)
    found = solve_session(coin(), plan)
    assert (found.stopped, found.ruin) == (Fraction(1, 2), 0)


def test_many_states_take_smaller_limbs() -> None:
    count = 60
    fan_out = tuple(
        tuple(Arc((state * 7 + way) % count, 100 * (way % 5 - 2), 6) for way in range(6))
        for state in range(count)
    )
    into_one = (*fan_out[:-1], (Arc(0, 100, 36),))
    crowded = Chain(
        tuple((Arc(0, 100, 18), *arcs[:3]) for arcs in into_one[:-1]) + into_one[-1:],
        (0,) * count,
    )
    plan = Plan(300, 30, stop_win=600)
    climb = BankrollEvolution(build_grid(crowded, plan), 30, True, 2**28)
    assert climb.bits == 48
    close_to(solve_session(crowded, plan), every_worth(crowded, plan))


def test_fractions_where_they_are_quick_and_doubles_where_not() -> None:
    assert solve_session(PASS_ODDS, Plan(50000, 50)).arithmetic == "fractions"
    assert solve_session(PASS_ODDS, Plan(50000, 2000)).arithmetic == "doubles"


def test_what_takes_hours_is_refused() -> None:
    with pytest.raises(
        SessionTooLargeError, match=r"10,000,000,000 rolls in 4 states.*days: ask for fewer"
    ):
        solve_session(PASS_ODDS, Plan(10**10, 10**10))
    with pytest.raises(SessionTooLargeError, match="in fractions, would take more than an hour"):
        solve_session(PASS_ODDS, Plan(50000, 20000), arithmetic="fractions")


@pytest.mark.parametrize("rolls", [300, 3000, 9000])
@pytest.mark.parametrize(
    "plan", [Plan(10000, 1, 2000), Plan(10000, 1), Plan(10**6, 1, 10**6), Plan(10**7, 1)]
)
def test_the_effort_is_near_what_counting_every_roll_finds(plan: Plan, rolls: int) -> None:
    ladder = build_grid(PASS_ODDS, plan)
    bits = choose_limb_bits(ladder.heaviest)
    low, high = np.full(ladder.states, UNREACHABLE), np.full(ladder.states, -UNREACHABLE)
    low[ladder.start], high[ladder.start] = 0, 1
    additions, widest = 0, 1
    for roll in range(rolls):
        wide = np.maximum(high - low, 0)
        additions += int(wide[ladder.source].sum()) * count_limbs(roll + 1, bits)
        low, high = ladder.next_ranges(low, high)
        widest = max(widest, int(high.max() - low.min()))
        bankroll_grid._drop_ended_ranges(ladder, low, high)
    told = bankroll_grid.estimate_fractions(ladder, rolls, 1e9)
    assert told.seconds == pytest.approx(
        additions / bankroll_grid.LIMB_ADDITIONS_PER_SECOND, rel=0.15
    )
    size = 2 * ladder.states * count_limbs(rolls, bits) * widest * 8
    assert told.size == pytest.approx(size, rel=0.2)


def test_the_effort_of_any_number_of_rolls_is_told_after_a_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten billion rolls, of which some thousands are gone through."""
    gone: list[None] = []
    real = bankroll_grid._drop_ended_ranges

    def leave(*given: Any) -> None:
        gone.append(None)
        real(*given)

    monkeypatch.setattr(bankroll_grid, "_drop_ended_ranges", leave)
    for plan in (Plan(10000, 10**10, 2000), Plan(10**9, 10**10)):
        gone.clear()
        with pytest.raises(SessionTooLargeError, match="more than an hour"):
            solve_session(coin(), plan, arithmetic="fractions")
        assert 0 < len(gone) < 5000


def test_an_arithmetic_that_there_is_not() -> None:
    wrong: Any = "banana"
    with pytest.raises(ValueError, match="'banana': expected 'fractions' or 'doubles'"):
        solve_session(coin(), Plan(1000, 3), arithmetic=wrong)


@pytest.mark.parametrize(
    ("module", "shared"),
    [
        ("exact/evolution_kernels.py", set()),
        ("exact/drawdown.py", set()),
        ("exact/fourier_evolution.py", set()),
        ("exact/goal_solver.py", set()),
        ("simulation/roll_kernels.py", set()),
        ("simulation/session_kernels.py", {"draw_bits", "draw_outcome"}),
    ],
)
def test_compiled_loops_use_only_numbers_of_their_own_module(module: str, shared: set[str]) -> None:
    """numba's cache is renewed only when the loop's own file changes, so a constant that is
    imported from another module would go stale."""
    source = Path(passline.__file__).parent / "lab" / module
    tree = ast.parse(source.read_text("utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("passline")
        for alias in node.names
    }
    loops = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any("compile_" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]
    names = {
        node.id
        for loop in loops
        for statement in loop.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    }
    assert loops
    assert names & imported - {"Word"} <= shared


def test_the_ceiling_on_memory_is_kept() -> None:
    with pytest.raises(SessionTooLargeError, match=r"MB, over the 1 MB allowed: allow more"):
        solve_session(PASS_ODDS, Plan(50000, 300), arithmetic="fractions", memory=1)
    # Where fractions do not fit, doubles may.
    assert solve_session(PASS_ODDS, Plan(50000, 300), memory=1).arithmetic == "doubles"


def test_memory_that_was_not_foreseen_is_refused_on_the_way() -> None:
    plan = Plan(50000, 300)
    climb = BankrollEvolution(build_grid(PASS_ODDS, plan), 300, True, 10**6)

    def climb_on() -> None:
        while climb.rolled < 300:
            climb.roll()

    with pytest.raises(SessionTooLargeError, match=r"after [0-9]+ rolls the bankroll can have"):
        climb_on()


def test_interrupted_it_answers_for_the_rolls_that_were_made() -> None:
    def stop(done: int, asked: int) -> None:
        assert asked == 100
        if done == 37:
            raise KeyboardInterrupt

    plan = Plan(20000, 100, stop_win=5000)
    cut = solve_session(PASS_ODDS, plan, watch=stop)
    whole = solve_session(PASS_ODDS, Plan(20000, 37, stop_win=5000))
    assert cut.interrupted
    assert not whole.interrupted
    assert cut.plan == whole.plan
    assert (cut.ruin, cut.goal, cut.rolls) == (whole.ruin, whole.goal, whole.rolls)
    assert cut.final == whole.final
    assert cut.fan[-1] == whole.fan[-1]
    assert [band.roll for band in cut.fan] == sorted({band.roll for band in cut.fan})


def test_interrupted_within_a_roll_it_stands_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = BankrollEvolution._end_sessions

    def stop(self: BankrollEvolution, *given: object) -> None:
        if self.rolled == 12:
            raise KeyboardInterrupt
        real(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(BankrollEvolution, "_end_sessions", stop)
    cut = solve_session(PASS_ODDS, Plan(20000, 100))
    monkeypatch.undo()
    assert cut.plan.rolls == 12
    assert cut.final == solve_session(PASS_ODDS, Plan(20000, 12)).final


def test_limbs_as_full_as_they_may_be() -> None:
    # Six states and itself lead to one: 222 limbs are added up there, of the 255 that fit.
    crowd = tuple((Arc(0, 100 * (state - 3), 36),) for state in range(6))
    chain = Chain(((*(Arc(way, 0, 6) for way in range(6)),), *crowd), (0,) * 7)
    plan = Plan(2000, 60)
    assert build_grid(chain, plan).heaviest == 222
    found = BankrollEvolution(build_grid(chain, plan), 60, True, 2**28)
    assert found.bits == 56
    close_to(solve_session(chain, plan), every_worth(chain, plan))
