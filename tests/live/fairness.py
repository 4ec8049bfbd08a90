"""Whether throws are fair: the 36 outcomes, pairs of throws and runs, each to 99 percent.

``python -m tests.live.fairness`` draws ten million throws from the secure source, as a table does.
A fair draw passes each bound 99 times in 100, so a miss is drawn again, and fails if it misses the
same bound twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import repeat
from math import sqrt
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from passline.live.dice_proofs import derive_faces, new_secret

Outcomes = NDArray[np.uint8]
#: What 99 percent of fair draws stay below, in standard deviations: one side, and both.
ONE_SIDE, BOTH_SIDES = 2.3263, 2.5758


def outcomes(secrets: Iterable[bytes], count: int) -> Outcomes:
    """Throws of a table, as it serves them, each outcome a number from 0 to 35."""
    thrown = (derive_faces(secret, "t1", number, "nonce") for number, secret in enumerate(secrets))
    return np.fromiter((6 * a + b - 7 for a, b in thrown), np.uint8, count)


def most(freedom: int) -> float:
    """What chi-square stays below 99 times in 100 (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    cube = 1 - part + ONE_SIDE * sqrt(part)
    return freedom * cube * cube * cube


def chi_square(counts: NDArray[np.int64]) -> float:
    """How far counts are from being alike."""
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


def misses(drawn: Outcomes) -> list[str]:
    """The bounds that a draw does not keep."""
    found = []
    singles = chi_square(np.bincount(drawn, minlength=36))
    if singles > most(35):
        found.append(f"36 outcomes: chi-square {singles:.1f}, at most {most(35):.1f}")
    # Throws that overlap are not independent, so each is in one pair.
    half = len(drawn) // 2
    joined = drawn[: 2 * half : 2].astype(np.int64) * 36 + drawn[1 : 2 * half : 2]
    pairs = chi_square(np.bincount(joined, minlength=36 * 36))
    if pairs > most(36 * 36 - 1):
        found.append(f"pairs: chi-square {pairs:.1f}, at most {most(36 * 36 - 1):.1f}")
    runs = runs_score((drawn // 6 + drawn % 6 + 2) == 7)
    if abs(runs) > BOTH_SIDES:
        found.append(f"runs of sevens: {runs:.2f} deviations, at most {BOTH_SIDES}")
    runs = runs_score(drawn >= 18)
    if abs(runs) > BOTH_SIDES:
        found.append(f"runs of high first dice: {runs:.2f} deviations, at most {BOTH_SIDES}")
    return found


def runs_score(hits: NDArray[np.bool_]) -> float:
    """Wald and Wolfowitz: how many deviations the number of runs is from a fair one."""
    yes = float(hits.sum())
    no = len(hits) - yes
    if not yes or not no:
        return float("inf")
    runs = 1 + int((hits[1:] != hits[:-1]).sum())
    expected = 1 + 2 * yes * no / (yes + no)
    variance = (expected - 1) * (expected - 2) / (yes + no - 1)
    return (runs - expected) / sqrt(variance)


def main(count: int) -> int:
    """Draw, and say what was found."""
    began = perf_counter()
    first = misses(outcomes((new_secret() for _ in repeat(None)), count))
    took = perf_counter() - began
    print(f"{count:,} throws in {took:.0f} s: {'; '.join(first) or 'every bound kept'}")
    if not first:
        return 0
    names = {miss.split(":")[0] for miss in first}
    second = misses(outcomes((new_secret() for _ in repeat(None)), count))
    again = [miss for miss in second if miss.split(":")[0] in names]
    print(f"drawn again: {'; '.join(again) or 'kept this time, so the first was chance'}")
    return 1 if again else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000))
