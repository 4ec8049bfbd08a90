"""The live table under simulated faults: some hundred worlds, and that they would tell."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.simulated.mutants import MUTANTS, Mutant, mutated
from tests.simulated.plan import planned
from tests.simulated.run_seeds import show_failure
from tests.simulated.world import run

ROOT = Path(__file__).parent.parent.parent
#: Worlds that are run here, in pieces that two processes share, and those of them that each run of
#: the tests has; ``make simulate-faults`` runs more.
PIECES, PIECE = 10, 20
OFTEN = 5
#: Seeds within which every mutant is found.
SOON = 12
#: Seeds that once found something wrong.
#: A server whose clock is ahead of the database's cut the betting time short; one that began after
#: a restore without a fresh commit everywhere left a known secret to the next; one whose clock was
#: set while it dealt threw one throw after the other; `same bet` is the line that it comes to.
FOUND = (70, 123, 244, 579, 4564, 7844, 9167)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Servers log what fails; here everything does."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.system
@pytest.mark.parametrize(
    "piece",
    [*range(OFTEN), *(pytest.param(n, marks=pytest.mark.long) for n in range(OFTEN, PIECES))],
)
def test_worlds_keep_every_promise(piece: int) -> None:
    for seed in range(piece * PIECE, (piece + 1) * PIECE):
        outcome = run(seed)
        assert not outcome.wrong, show_failure(outcome)


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found_stays_mended(seed: int) -> None:
    outcome = run(seed)
    assert not outcome.wrong, show_failure(outcome)


@pytest.mark.system
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_promise_is_found(mutant: Mutant) -> None:
    disk, first = MUTANTS[mutant]
    with mutated(mutant):
        for seed in range(first, first + SOON):
            if run(seed, plan=planned(seed, disk)).wrong:
                return
    raise AssertionError(f"{SOON} seeds do not find it")


@pytest.mark.system
def test_a_seed_is_the_same_world_everywhere() -> None:
    """In another process, with other hashes, everything happens again, to the microsecond."""
    seeds = (3, 307, 310, 332, 1018)  # each disk among them
    assert {planned(seed).disk for seed in seeds} == {"shelf", "shared", "sqlite"}
    again = [
        "import logging; logging.disable(logging.CRITICAL)",
        "from tests.simulated.world import run",
        f"print(*(run(seed).digest for seed in {seeds}))",
    ]
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    there = subprocess.run(
        [sys.executable, "-c", "\n".join(again)],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": hashes},
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    assert there == [run(seed).digest for seed in seeds]


def test_other_seeds_are_other_worlds_and_a_trace_can_be_read() -> None:
    outcome = run(5, traced=True)
    assert outcome.digest != run(6).digest
    assert outcome.digest == run(5).digest
    assert "Plan(seed=5" in outcome.trace[0]
    assert all(line.isprintable() for line in outcome.trace)
