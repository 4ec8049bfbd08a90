"""Everybody who could be playing a session, roll by roll: how much weighs each worth in each state.

Counted, the weights are the ways in which the dice fall, 36 to the power of the rolls in all, and
nothing is lost. Measured, they are chances in doubles, and what weighs less than any double beside
1 could show is left out at the far ends.
"""

from __future__ import annotations

import numpy as np

from passline.exact import ladder
from passline.exact.ladder import FAR
from passline.exact.limbs import add_up, bits_for, carry, limbs_for, to_doubles, to_wholes
from passline.exact.steps import Steps
from passline.machines import WHOLE
from passline.machines.arrays import Floats, Ints, Weights
from passline.sessions import Remedy, TooLong

#: Left out of a row at either end, in doubles: a million rolls of a thousand rows lose 1e-17.
TINY = 1e-27


class Climb:
    """A session on its way. ``roll`` plays one roll; what is asked is as of ``rolled`` rolls.

    ``room`` is the memory that the weights may take, in bytes.
    """

    def __init__(self, steps: Steps, rolls: int, counted: bool, room: int) -> None:
        self.steps, self.counted, self.room = steps, counted, room
        self.bits = bits_for(steps.heaviest) if counted else 0
        most = limbs_for(rolls, self.bits) if counted else 1
        kind = np.uint64 if counted else np.float64
        weight = steps.weight.astype(kind) if counted else steps.weight / WHOLE
        self._arrays = (steps.source, steps.shift, weight)
        self.rolled, self.limbs, self.base = 0, 1, 0
        self._now: Weights = np.zeros((steps.rows, most, 1), kind)
        self._then = np.zeros_like(self._now)
        self.low, self.high = np.full(steps.rows, FAR), np.full(steps.rows, -FAR)
        self.low[steps.start], self.high[steps.start] = 0, 1
        self._now[steps.start, 0, 0] = 1
        self._leave(self._now, 1, self.low, self.high)

    def roll(self) -> None:
        """One roll, then those leave who reached a stop or are ruined.

        Interrupted half-way, everything is as it was before the roll.
        """
        steps = self.steps
        low, high = steps.reach(self.low, self.high)
        self._make_room(low, high)
        ranges = (self.low, self.high, low, high)
        bare = (self._now, self._then, self.base, self._arrays, steps.target, steps.first, ranges)
        more = limbs_for(self.rolled + 1, self.bits) if self.counted else 1
        if self.counted:
            ladder.roll_counted(*bare, self.limbs, more, self.bits)
        else:
            ladder.roll_measured(*bare)
        self._leave(self._then, more, low, high)
        self._become(
            _now=self._then, _then=self._now, low=low, high=high, limbs=more, rolled=self.rolled + 1
        )

    def _become(self, **new: object) -> None:
        """All at once, so that Ctrl-C finds the old or the new and nothing between."""
        self.__dict__.update(new)

    def _leave(self, then: Weights, limbs: int, low: Ints, high: Ints) -> None:
        steps = self.steps
        ends = steps.end_rows
        ladder.leave(then, limbs, self.base, steps.need, steps.goal, steps.floor, ends, low, high)
        if self.counted:
            ladder.carry_ends(then, limbs, self.base, steps.states, self.bits, low, high)
        else:
            ladder.trim(then, self.base, steps.states, TINY, low, high)

    def _make_room(self, low: Ints, high: Ints) -> None:
        """See to it that the rungs from the lowest to the highest have their places."""
        lowest = min(int(low.min()), int(self.low.min()))
        highest = max(int(high.max()), int(self.high.max()))
        rows, limbs, width = self._now.shape
        if self.base <= lowest and highest <= self.base + width:
            return
        size = highest - lowest
        most = self.room // (2 * rows * limbs * 8)
        if size > most:
            raise TooLong(
                f"after {self.rolled:,} rolls the worth can have {size:,} values in each of "
                f"{self.steps.states:,} states: more than {self.room // 2**20:,} MB hold",
                Remedy.MEMORY,
                Remedy.ROLLS,
                Remedy.SAMPLE,
            )
        spare = min(size // 4, (most - size) // 2)
        base = lowest - spare
        now = np.empty((rows, limbs, size + 2 * spare), self._now.dtype)
        for row in self._standing():
            begin, end = int(self.low[row]), int(self.high[row])
            now[row, : self.limbs, begin - base : end - base] = self._of(row)
        self._become(_now=now, _then=np.empty_like(now), base=base)

    def _of(self, row: int) -> Weights:
        """A row's weights on the rungs it stands on."""
        begin, end = int(self.low[row]) - self.base, int(self.high[row]) - self.base
        return self._now[row, : self.limbs, begin:end]

    def _standing(self) -> list[int]:
        """The rows that weigh anything."""
        return [int(row) for row in np.flatnonzero(self.low < self.high)]

    def _span(self) -> tuple[int, int]:
        """The lowest rung that anybody stands on, and how many there are to the highest."""
        lowest = int(self.low.min())
        return lowest, int(self.high.max()) - lowest

    def worths(self) -> tuple[int, list[int] | list[float]]:
        """The lowest rung, and what each from there up weighs, over all rows."""
        if not self.counted:
            lowest, chances = self.chances()
            return lowest, chances.tolist()
        lowest, size = self._span()
        added = np.zeros((self.limbs + 1, size), np.uint64)
        for row in self._standing():
            begin = int(self.low[row]) - lowest
            mine = self._of(row)
            added[:-1, begin : begin + mine.shape[1]] += mine
            carry(added, self.bits)
        return lowest, to_wholes(added, self.bits)

    def chances(self) -> tuple[int, Floats]:
        """As ``worths``, in doubles."""
        lowest, size = self._span()
        added = np.zeros(size)
        for row in self._standing():
            begin = int(self.low[row]) - lowest
            mine = self._of(row)
            chances = to_doubles(mine, self.bits, WHOLE**self.rolled) if self.counted else mine[0]
            added[begin : begin + len(chances)] += chances
        return lowest, added

    def ended(self) -> tuple[int | float, int | float, int | float]:
        """What the sessions weigh that ended ruined, at the goal, and stopped."""
        winners, losers, ruined = self.steps.end_rows
        return self._sum(ruined), self._sum(winners), self._sum(losers)

    def _sum(self, row: int) -> int | float:
        if self.low[row] >= self.high[row]:
            return 0 if self.counted else 0.0
        return add_up(self._of(row), self.bits) if self.counted else float(self._of(row).sum())

    @property
    def whole(self) -> int | float:
        """What everything weighs."""
        return WHOLE**self.rolled if self.counted else 1.0

    @property
    def over(self) -> bool:
        """Whether nobody is left to roll on."""
        states = self.steps.states
        return not (self.low[:states] < self.high[:states]).any()
