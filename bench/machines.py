"""Measure the simulator of machines: beside plain loops, beside crapssim, on two cores.

A machine is a strategy as a table of states, played by compiled loops. All sides take turns on one
core in one run; the figures are medians of processor time. Two workers are compared with one by the
wall clock. The comparison with crapssim is of its own strategies, which also bet at our table;
first both sides play the same throws, and must agree to the cent.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from bench import bettors, loops, measure, ours, theirs
from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import Machine
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.roll_kernels import LANES, play_lanes, play_single_game
from passline.lab.simulation.rolls import play_rolls
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.sessions import sample_session
from passline.lab.simulation.transition_tables import build_lookup, expand_chain
from passline.lab.strategies.ask import Strategy
from passline.lab.strategy_machine import make_machine

#: What must hold.
PLAIN, PASS_ODDS, OTHERS, TWO_WORKERS = 2.5, 10_000, 20_000, 1.8
#: Commands, and the seconds that they may take.
COMMANDS = {
    "simulate pass --rulebook new-jersey --rolls 1e6": 2.0,
    "odds new-jersey": 2.0,
    "session pass-odds --rulebook new-jersey --bankroll 500 --rolls 400 --exact": 5.0,
}
#: Rolls of one measurement, of our side and of a plain loop.
FAST, LOOP = 300_000_000, 40_000_000
_LEVELS = (
    ("one roll a look-up, one game", 1, False),
    ("one roll a look-up, eight games", 1, True),
    ("two rolls a look-up, eight games", 2, True),
    ("three rolls a look-up, eight games", 3, True),
)

Run = Callable[[int], int]


class Rate(NamedTuple):
    """One way to play, and its rolls a second."""

    name: str
    rate: float


class Beside(NamedTuple):
    """Our rolls a second, theirs, the median of each turn's ratio, and the bound of that ratio."""

    name: str
    ours: float
    theirs: float
    ratio: float
    least: float


def machine(strategy: Strategy) -> Machine:
    """Return a strategy's machine at a New Jersey table, all states found, or exit."""
    found = make_machine(
        make_house(rulebook("new-jersey"), given={"odds.multiple": "3-4-5"}), strategy
    )
    if not found.close():
        raise SystemExit(f"{found.about.strategy} does not close")
    return found


def _timed(run: Run, turn: int) -> float:
    """Run once, and return the rolls per second of processor time."""
    gc.collect()
    start = process_time()
    rolls = run(turn)
    return rolls / (process_time() - start)


def in_turn(runs: dict[str, Run], repetitions: int) -> dict[str, list[float]]:
    """Return {name: rolls a second in each turn}.

    Each turn runs every side once, so that what slows the computer down slows them all.
    """
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(repetitions):
        for name, run in runs.items():
            taken[name].append(_timed(run, turn))
    return taken


def _simulated(chain: Chain, rolls: int) -> Run:
    return lambda turn: play_rolls(chain, rolls, seed=turn, workers=1).rolls


def _sessions(chain: Chain, plan: Plan, trials: int) -> Run:
    def run(turn: int) -> int:
        found = sample_session(chain, plan, trials, seed=turn, workers=1)
        return round(float(found.rolls) * trials)

    return run


def _level(chain: Chain, depth: int, lanes: bool) -> Run:
    table = build_lookup(*expand_chain(chain), depth)
    assert table is not None
    games = LANES if lanes else 1
    steps = (FAST if lanes else LOOP) // depth // games

    def run(turn: int) -> int:
        at = np.full(games, chain.start, np.int64)
        shape = (1, games)
        (play_lanes if lanes else play_single_game)(
            table.cells, table.ways, table.state_bits, table.square_bits, table.most,
            steps, make_generator(turn, 0), at, np.zeros(shape, np.int64), np.zeros(shape),
        )  # fmt: skip
        return steps * depth * games

    return run


def _plain(which: str, mean: float) -> Run:
    """Return a run of a plain loop. It exits if its mean is far from the exact ``mean``."""

    def run(turn: int) -> int:
        if which == "numpy":
            net = loops.numpy_dice(LOOP, turn)
        else:
            net = loops.inline_dice(LOOP, make_generator(turn, 1))
        if abs(net / LOOP - mean) > 6 * 2700 / LOOP**0.5:
            raise SystemExit(f"the plain loop with {which} dice plays another game")
        return LOOP

    return run


def ways_to_play(repetitions: int) -> tuple[list[Rate], list[Beside]]:
    """Measure pass with 3-4-5 odds in every way, and our simulation beside the plain loops."""
    chain = machine(bettors.pass_odds).chain()
    mean = float(solve_long_run(chain).mean)
    whole, numpy_loop, inline_loop = "simulate, one worker", "plain loop, np.random", "plain loop"
    runs = {
        numpy_loop: _plain("numpy", mean),
        inline_loop: _plain("inline", mean),
        **{name: _level(chain, depth, lanes) for name, depth, lanes in _LEVELS},
        whole: _simulated(chain, FAST),
        "sessions of 100,000 rolls, tracked": _sessions(chain, Plan(10**11, 100_000), 400),
        "sessions of 400 rolls, tracked": _sessions(chain, Plan(50_000, 400), 100_000),
    }
    for run in runs.values():
        run(0)  # whatever is loaded or compiled late
    taken = in_turn(runs, repetitions)
    rates = [Rate(name, median(found)) for name, found in taken.items()]
    beside = [
        _beside(f"pass-odds, {loop}", taken[whole], taken[loop], PLAIN)
        for loop in (numpy_loop, inline_loop)
    ]
    return rates, beside


def _beside(name: str, mine: list[float], other: list[float], least: float) -> Beside:
    ratios = [ours_ / theirs_ for ours_, theirs_ in zip(mine, other, strict=True)]
    return Beside(name, median(mine), median(other), median(ratios), least)


def beside_crapssim(rolls: int, repetitions: int) -> list[Beside]:
    """Measure our simulation beside crapssim's table, with the same wagers."""
    found = []
    for bettor, least in (
        (bettors.pass_odds, PASS_ODDS),
        (bettors.iron_cross, OTHERS),
        (bettors.three_point_molly, OTHERS),
    ):
        name = bettor.__name__
        ours_ = machine(bettor)
        strategy = theirs.strategies()[name]
        _agree(name, ours_, strategy, rolls)

        dice = [measure.throws(rolls, turn) for turn in range(repetitions)]

        def deal(turn: int, strategy: object = strategy, dice: list[measure.Dice] = dice) -> int:
            theirs.deal(theirs.new_table(strategy), dice[turn])
            return rolls

        taken = in_turn({"we": _simulated(ours_.chain(), FAST), "they": deal}, repetitions)
        title = f"{name.replace('_', '-')}, crapssim"
        found.append(_beside(title, taken["we"], taken["they"], least))
    return found


def _agree(name: str, ours_: Machine, strategy: object, rolls: int) -> None:
    """Exit unless the machine and crapssim's table win the same money on the same throws."""
    number = {dice: place for place, dice in enumerate(OUTCOMES)}
    throws = measure.throws(rolls, seed=99)
    table = theirs.new_table(strategy)
    theirs.deal(table, throws)
    state = net = 0
    for dice in throws:
        net += int(ours_.money[state, number[dice]])
        state = int(ours_.next[state, number[dice]])
    other = theirs.worth(table) - ours.BANKROLL * 100
    if other != net:
        raise SystemExit(f"{name}: the machine and crapssim disagree: {net} and {other}")


def two_workers(repetitions: int, rounds: int = 3) -> list[float]:
    """Return the wall-clock time of one worker divided by that of two: the median of each round.

    Both cores must be free for it, so a round below the bound is followed by another, up to
    ``rounds``.
    """
    chain = machine(bettors.pass_odds).chain()
    found: list[float] = []
    while len(found) < rounds and (not found or max(found) < TWO_WORKERS):
        ratios = []
        for turn in range(repetitions):
            taken = []
            for workers in (1, 2):
                start = perf_counter()
                play_rolls(chain, 6 * FAST, seed=turn, workers=workers)
                taken.append(perf_counter() - start)
            ratios.append(taken[0] / taken[1])
        found.append(median(ratios))
    return found


def command_seconds(passline: str, repetitions: int = 5) -> dict[str, float]:
    """Return the wall-clock seconds of COMMANDS, each in a new process with its loops compiled."""
    found = {}
    for line in COMMANDS:
        words = [passline, *line.split()]
        measure.run_quietly(words)
        found[line] = measure.median_seconds(lambda: measure.run_quietly(words), repetitions)  # noqa: B023
    return found


def measured(rolls: int, repetitions: int, passline: str | None) -> dict[str, Any]:
    """Measure everything here. Return it as one JSON object."""
    rates, beside = ways_to_play(repetitions)
    beside += beside_crapssim(rolls, min(repetitions, 3))
    return {
        "rates": [rate._asdict() for rate in rates],
        "beside": [each._asdict() for each in beside],
        "two_workers": two_workers(min(repetitions, 5)),
        "commands": command_seconds(passline) if passline else {},
    }


def failures(found: dict[str, Any]) -> list[str]:
    """Return a sentence for each bound that is missed."""
    wrong = [
        f"{each['name']}: {each['ratio']:,.1f} times, at least {each['least']:,}"
        for each in found["beside"]
        if each["ratio"] < each["least"]
    ]
    if max(found["two_workers"]) < TWO_WORKERS:
        shown = ", ".join(f"{ratio:.2f}" for ratio in found["two_workers"])
        busy = getattr(os, "getloadavg", lambda: (0.0,))()[0]  # not on every system
        wrong.append(
            f"two workers: {shown} times one, at least {TWO_WORKERS} "
            f"(both cores must be free: the load is {busy:.1f})"
        )
    wrong += [
        f"passline {line}: {seconds:.2f} s, at most {COMMANDS[line]}"
        for line, seconds in found["commands"].items()
        if seconds > COMMANDS[line]
    ]
    return wrong


def show(found: dict[str, Any]) -> None:
    """Print the figures and their bounds."""
    print("pass with 3-4-5 odds, million rolls a second of one core:")
    for rate in found["rates"]:
        print(f"  {rate['name']:<38}{rate['rate'] / 1e6:>10,.1f}")
    print(f"{'simulate beside':<40}{'passline':>15}{'theirs':>15}{'ratio':>10}{'least':>8}")
    for each in found["beside"]:
        print(
            f"  {each['name']:<38}{each['ours']:>15,.0f}{each['theirs']:>15,.0f}"
            f"{each['ratio']:>10,.1f}{each['least']:>8,}"
        )
    print("(crapssim's own strategies, the same to the cent on the same throws)")
    shown = ", ".join(f"{ratio:.2f}" for ratio in found["two_workers"])
    print(f"two workers: {shown} times one, by the clock (at least {TWO_WORKERS})")
    for line, seconds in found["commands"].items():
        print(f"passline {line}: {seconds:.2f} s (at most {COMMANDS[line]})")
