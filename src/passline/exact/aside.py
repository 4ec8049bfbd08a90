"""Who is short and plays on: taken from the row he stands on to the one beside it."""

from __future__ import annotations

import numpy as np

from passline.exact.limbs import carry
from passline.exact.steps import Steps
from passline.machines.arrays import Ints, Weights
from passline.machines.short import Aside


class StepsAside:
    """From which row, at which rung, to which row: as a ladder of steps has them."""

    def __init__(self, steps: Steps, aside: Aside, bankroll: int) -> None:
        rows, places = np.nonzero(aside.to >= 0)
        rungs = (aside.least - bankroll) // aside.unit + places
        rungs = rungs * (aside.unit // steps.unit)
        plays = (rungs > steps.floor) & (rungs < steps.goal)  # at a stop he leaves
        self._rows, self._rungs = rows[plays], rungs[plays]
        self._to = aside.to[rows, places][plays].astype(np.int64)

    @property
    def moves(self) -> tuple[Ints, Ints, Ints]:
        """The rows, the rungs, and the rows beside them."""
        return self._rows, self._rungs, self._to

    def step(self, then: Weights, limbs: int, base: int, low: Ints, high: Ints, bits: int) -> None:
        """Everybody who is short steps aside. ``bits`` of a counted limb; 0: chances."""
        there = (low[self._rows] <= self._rungs) & (self._rungs < high[self._rows])
        if not there.any():
            return
        rows, rungs, to = self._rows[there], self._rungs[there], self._to[there]
        for row in np.unique(to).tolist():
            mine = rungs[to == row]
            _widen(then[row], base, low, high, row, (int(mine.min()), int(mine.max()) + 1))
        at = rungs - base
        moved = then[rows, :limbs, at]
        every = np.arange(limbs)
        np.add.at(then, (to[:, None], every[None, :], at[:, None]), moved)
        then[rows, :limbs, at] = 0
        if bits:
            cells = np.unique(np.stack([to, at]), axis=1)
            summed = then[cells[0], :limbs, cells[1]].T.copy()
            carry(summed, bits)
            then[cells[0], :limbs, cells[1]] = summed.T


def _widen(
    mine: Weights, base: int, low: Ints, high: Ints, row: int, span: tuple[int, int]
) -> None:
    """Let a row stand on these rungs too, with nobody on those that are new."""
    begin, end = int(low[row]), int(high[row])
    if begin >= end:
        begin = end = span[0]
    if span[0] < begin:
        mine[:, span[0] - base : begin - base] = 0
    if span[1] > end:
        mine[:, end - base : span[1] - base] = 0
    low[row], high[row] = min(begin, span[0]), max(end, span[1])
