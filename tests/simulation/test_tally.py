"""What trials came to is added up to the last one, however large the numbers are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from passline.lab.sessions.plan_and_result import END_ROLLS_PLAYED, END_RUIN, Plan
from passline.lab.simulation.sessions import KeyCounts, TrialTally
from passline.lab.simulation.trials import TrialEnds


@pytest.mark.parametrize("longest", [400, 10**6, 5 * 10**9])
def test_ends_are_added_up(longest: int) -> None:
    rng = np.random.default_rng(longest)
    tally = TrialTally(Plan(50_000, longest), 0)
    every = []
    for _ in range(3):
        ends = rng.integers(1, longest + 1, (100, 4))
        ends[:, 0] = rng.integers(END_RUIN, END_ROLLS_PLAYED + 1, 100)
        every.append(ends)
        nothing = tuple((np.array([0]), np.array([100])) for _ in tally.checkpoints[1:])
        tally.add(TrialEnds(ends, nothing))
    told = np.concatenate(every).tolist()
    assert tally.trials == 300
    assert tally.ended == [sum(how == kind for how, *_ in told) for kind in range(4)]
    assert tally.rolls == sum(rolls for _, rolls, *_ in told)
    assert tally.rolls_squared == sum(rolls**2 for _, rolls, *_ in told)
    assert tally.highest == sum(high for _, _, high, _ in told)
    assert tally.lowest == sum(low for *_, low in told)
    assert tally.share(END_RUIN) == Fraction(tally.ended[END_RUIN], 300)
    assert tally.ruined.tolist() == [
        sum(how == END_RUIN and rolls <= roll for how, rolls, *_ in told)
        for roll in tally.checkpoints
    ]


def test_keys_are_counted_whatever_comes_first() -> None:
    rng = np.random.default_rng(7)
    look, counted = KeyCounts(), dict[int, int]()
    for size in (1, 500, 3, 3, 200, 1000, 1, 1, 1):
        keys = np.sort(rng.choice(1500, size, replace=False))
        many = rng.integers(1, 10, size)
        look.add(keys, many)
        for key, more in zip(keys.tolist(), many.tolist(), strict=True):
            counted[key] = counted.get(key, 0) + more
    keys, many = look.counted()
    assert dict(zip(keys.tolist(), many.tolist(), strict=True)) == counted
    assert keys.tolist() == sorted(counted)
