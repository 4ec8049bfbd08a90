"""``python -m tests.simulated --seeds 10000``, on every core; ``--seed 123`` with its trace."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

from tests.simulated.run_seeds import quietly, show_failure
from tests.simulated.world import Outcome, run


def main() -> int:
    """Run what is asked for: 0 where nothing went wrong."""
    parser = argparse.ArgumentParser(prog="tests.simulated", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000, help="how many worlds")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--seed", type=int, help="one world, with all that happens in it")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    if asked.seed is not None:
        return _one(asked.seed)
    begun = perf_counter()
    seeds = range(asked.first, asked.first + asked.seeds)
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        outcomes = pool.map(quietly, seeds, chunksize=20)
        failed, entries, requests = _watch(outcomes, asked.seeds)
    print(
        f"{asked.seeds} worlds, {requests} requests, {entries} entries in "
        f"{perf_counter() - begun:.0f} s: {len(failed)} went wrong"
    )
    return 1 if failed else 0


def _watch(outcomes: Iterable[Outcome], many: int) -> tuple[list[int], int, int]:
    failed, entries, requests = [], 0, 0
    for number, outcome in enumerate(outcomes, 1):
        entries, requests = entries + outcome.entries, requests + outcome.requests
        if outcome.wrong:
            failed.append(outcome.seed)
            print(show_failure(outcome), flush=True)
        if number % 500 == 0:
            print(f"{number} of {many} worlds, {len(failed)} went wrong", flush=True)
    return failed, entries, requests


def _one(seed: int) -> int:
    outcome = run(seed, traced=True)
    print("\n".join(outcome.trace))
    print(f"seed {seed}: digest {outcome.digest}")
    for wrong in outcome.wrong:
        print(f"WRONG: {wrong}")
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
