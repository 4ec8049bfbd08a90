"""Measure the simulator on processors: sessions with limits, two workers, exact sessions.

``python -m bench.speed [--against SRC]`` measures everything in turn and prints medians. Ratios are
of measurements of one turn, so that what slows the machine down slows both sides. ``SRC`` is the
``src`` of an older version (a git worktree): its sessions and rolls are measured beside ours, each
in a process of its own. Two workers are measured beside two programs that do the same at once and
share nothing, which shows what the machine allows. docs/play/simulation.md has the figures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from passline.game.house.load import house_for
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.machines.chain import Chain
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.rolls import play_rolls
from passline.lab.simulation.sessions import sample_session
from passline.lab.strategy_machine import resolve_machine

STRATEGIES = ("pass-odds", "iron-cross", "three-point-molly")
#: $500, 400 rolls, leaving at $1,000 or $100.
STOPS = Plan(50_000, 400, 50_000, 40_000)
TRIALS, ROLLS = 400_000, 300_000_000


def chain_of(strategy: str) -> Chain:
    return make_valued_chain(
        resolve_machine(strategy, house_for("dealer-school", None, ())), "played"
    ).chain


def rates(strategy: str) -> tuple[float, float]:
    """Return rolls per second of processor time: (in sessions with limits, in a plain run)."""
    chain = chain_of(strategy)
    sample_session(chain, STOPS, 1000, seed=0, workers=1)
    play_rolls(chain, 1000, seed=0, workers=1)
    start = process_time()
    found = sample_session(chain, STOPS, TRIALS, seed=1, workers=1)
    sessions = float(found.rolls) * TRIALS / (process_time() - start)
    start = process_time()
    play_rolls(chain, ROLLS, seed=1, workers=1)
    return sessions, ROLLS / (process_time() - start)


def rates_of(source: Path, strategy: str) -> tuple[float, float]:
    """Return the `rates` of the version whose ``src`` is ``source``, in a process of its own."""
    words = [sys.executable, "-m", "bench.speed", "--once", strategy]
    there = {**os.environ, "PYTHONPATH": str(source)}
    ran = subprocess.run(words, env=there, capture_output=True, text=True, check=True)
    sessions, rolls = map(float, ran.stdout.split())
    return sessions, rolls


def beside(against: Path, turns: int) -> None:
    ours = Path(__file__).parents[1] / "src"
    print(f"million rolls a second of one core, now and by {against}, ratio of medians' turns")
    for strategy in STRATEGIES:
        pairs = [(rates_of(ours, strategy), rates_of(against, strategy)) for _ in range(turns)]
        for place, what in enumerate(("sessions with stops", "rolls")):
            new, old = ([side[which][place] for side in pairs] for which in (0, 1))
            ratio = median(n / o for n, o in zip(new, old, strict=True))
            print(
                f"  {strategy:<20}{what:<22}{median(new) / 1e6:>9,.1f}{median(old) / 1e6:>9,.1f}"
                f"{ratio:>7.2f}"
            )


def _job(name: str) -> Callable[[int], object]:
    """Return a function that does some seconds of work ("rolls" or "sessions") with n workers."""
    chain = chain_of("pass-odds")
    if name == "rolls":
        play_rolls(chain, 1000, seed=0)
        return lambda many: play_rolls(chain, 8 * ROLLS, seed=1, workers=many)
    sample_session(chain, STOPS, 1000, seed=0)
    return lambda many: sample_session(chain, STOPS, 8 * TRIALS, seed=1, workers=many)


def _alone(name: str, ready: Any, times: Any) -> None:
    """In a process of its own: do the whole job with one worker, at once with the other process."""
    job = _job(name)
    ready.wait()
    times.put(_clocked(job, 1))


def _clocked(job: Callable[[int], object], many: int) -> float:
    start = perf_counter()
    job(many)
    return perf_counter() - start


def _apart(name: str) -> float:
    """Return the seconds that two programs take which do the whole job at once and share nothing.

    It shows what the machine allows: two halves of one core do much less than two cores.
    """
    fresh = get_context("spawn")
    ready, times = fresh.Barrier(2), fresh.Queue()
    both = [fresh.Process(target=_alone, args=(name, ready, times)) for _ in range(2)]
    for one in both:
        one.start()
    longest = max(times.get(), times.get())
    for one in both:
        one.join()
    return float(longest)


def workers(turns: int) -> None:
    """Print how much faster two workers are than one, beside two programs that share nothing."""
    load = os.getloadavg()[0]
    print(f"two workers over one, by the clock, medians of {turns} turns (the load is {load:.1f})")
    for name in ("rolls", "sessions"):
        job = _job(name)
        found = []
        for _ in range(turns):
            alone, shared, apart = _clocked(job, 1), _clocked(job, 2), _apart(name)
            found.append((alone / shared, 2 * alone / apart))
        ratio, allowed = (median(column) for column in zip(*found, strict=True))
        share = median(one / two for one, two in found)
        print(f"  {name:<12}{ratio:>6.2f}, two programs {allowed:.2f}: {share:.2f} of that")


def exact() -> None:
    print("exact sessions, seconds by the clock, the exploring of the machine beside it")
    for strategy, house, plan in (
        ("come-odds", house_for("new-jersey", None, ()), Plan(10_000_000, 10_000)),
        (
            "small-tall-all",
            house_for("maryland-crapless", None, (("offers.bonus", "A"),)),
            Plan(50_000, 300),
        ),
    ):
        start = perf_counter()
        machine = resolve_machine(strategy, house)
        explored = perf_counter()
        session(machine, plan)
        done = perf_counter()
        print(
            f"  {strategy:<20}{plan.rolls:>7,} rolls{done - explored:>7.2f}{explored - start:>7.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument("--against", type=Path, help="the src of an older version")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--once", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        print(*rates(given.once))
        return
    if given.against:
        beside(given.against, given.turns)
    else:
        for strategy in STRATEGIES:
            sessions, rolls = rates(strategy)
            print(f"  {strategy:<20}{sessions / 1e6:>9,.1f}{rolls / 1e6:>9,.1f} million a second")
    workers(given.turns)
    exact()


if __name__ == "__main__":
    main()
