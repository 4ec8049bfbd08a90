"""Who is short and plays on: taken from the row he stands on to the one beside it.

Everybody who could be playing a session, roll by roll: how much weighs each worth in each state.

Counted, the weights are the ways in which the dice fall (with fair dice 36 to the power of the
rolls in all), and nothing is lost. Measured, they are chances in doubles, and what weighs less than
any double beside 1 could show is left out at the far ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from threading import Thread

import numpy as np

from passline.lab.exact import bankroll_kernels
from passline.lab.exact.bankroll_grid import BankrollGrid
from passline.lab.exact.bankroll_kernels import UNREACHABLE
from passline.lab.exact.limbs import (
    carry_limbs,
    choose_limb_bits,
    count_limbs,
    sum_limbs,
    to_doubles,
    to_integers,
)
from passline.lab.machines.arrays import FloatArray, IntArray, WeightArray
from passline.lab.machines.cpu import count_cores
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.session import (
    END_GOAL,
    END_RUIN,
    END_STOP_LOSS,
    Remedy,
    SessionTooLargeError,
)


class ShortBankrollTransfer:
    """From which row, at which rung, to which row: as a ladder of steps has them."""

    def __init__(self, steps: BankrollGrid, aside: ReducedBetStates, bankroll: int) -> None:
        rows, places = np.nonzero(aside.to >= 0)
        rungs = (aside.least - bankroll) // aside.unit + places
        rungs = rungs * (aside.unit // steps.unit)
        plays = (rungs > steps.floor) & (rungs < steps.goal)  # at a stop he leaves
        self._rows, self._rungs = rows[plays], rungs[plays]
        self._to = aside.to[rows, places][plays].astype(np.int64)

    @property
    def moves(self) -> tuple[IntArray, IntArray, IntArray]:
        """The rows, the rungs, and the rows beside them."""
        return self._rows, self._rungs, self._to

    def step(
        self, then: WeightArray, limbs: int, base: int, low: IntArray, high: IntArray, bits: int
    ) -> None:
        """Everybody who is short steps aside. ``bits`` of a counted limb; 0: chances."""
        there = (low[self._rows] <= self._rungs) & (self._rungs < high[self._rows])
        if not there.any():
            return
        rows, rungs, to = self._rows[there], self._rungs[there], self._to[there]
        for row in np.unique(to).tolist():
            mine = rungs[to == row]
            _extend_row(then[row], base, low, high, row, (int(mine.min()), int(mine.max()) + 1))
        at = rungs - base
        moved = then[rows, :limbs, at]
        every = np.arange(limbs)
        np.add.at(then, (to[:, None], every[None, :], at[:, None]), moved)
        then[rows, :limbs, at] = 0
        if bits:
            cells = np.unique(np.stack([to, at]), axis=1)
            summed = then[cells[0], :limbs, cells[1]].T.copy()
            carry_limbs(summed, bits)
            then[cells[0], :limbs, cells[1]] = summed.T


def _extend_row(
    mine: WeightArray, base: int, low: IntArray, high: IntArray, row: int, span: tuple[int, int]
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


#: What doubles may lose at the far ends altogether; and what is as good as nobody.
_MAX_LOST_CHANCE, NEGLIGIBLE_CHANCE = 1e-15, 1e-27

#: Additions of one roll that are worth a thread, and how many threads may share them.
_ADDITIONS_PER_THREAD, _MAX_THREADS = 4_000_000, 8
#: Bytes up to which every rung from ruin to the goal has its place at once.
_FULL_GRID_BYTES = 2**26

#: Ended sessions: ruined, at the goal, stopped; each by kind, limb and rung.
EndedWeights = tuple[WeightArray, WeightArray, WeightArray]


class BankrollEvolution:
    """A session on its way. ``roll`` plays one roll; what is asked is as of ``rolled`` rolls.

    ``room`` is the memory that the weights may take, in bytes. ``aside``: who is short plays on.
    """

    def __init__(
        self,
        steps: BankrollGrid,
        rolls: int,
        counted: bool,
        room: int,
        aside: ShortBankrollTransfer | None = None,
    ) -> None:
        self.steps, self.counted, self.room, self.aside = steps, counted, room, aside
        #: Left out of a row at either end after each roll.
        self._tiny = _MAX_LOST_CHANCE / (2 * steps.states * max(rolls, 1))
        self.kinds = int(steps.kinds.max()) + 1
        self.bits = choose_limb_bits(steps.heaviest) if counted else 0
        most = count_limbs(rolls, self.bits, steps.whole) if counted else 1
        dtype = np.uint64 if counted else np.float64
        weight = steps.weight.astype(dtype) if counted else steps.weight / steps.whole
        self._arrays = (steps.source, steps.shift, weight)
        self.rolled, self.limbs, self.base = 0, 1, 0
        self._now: WeightArray = np.zeros((steps.states, most, 1), dtype)
        self._then = np.zeros_like(self._now)
        spans = steps.end_ranges
        self._first_rungs = spans[0][0], spans[1][0], spans[2][0]

        def nobody(end: int) -> WeightArray:
            return np.zeros((self.kinds, most, spans[end][1] - spans[end][0]), dtype)

        self._ends: EndedWeights = nobody(END_RUIN), nobody(END_GOAL), nobody(END_STOP_LOSS)
        self._ends_then: EndedWeights = nobody(END_RUIN), nobody(END_GOAL), nobody(END_STOP_LOSS)
        self.low, self.high = (
            np.full(steps.states, UNREACHABLE),
            np.full(steps.states, -UNREACHABLE),
        )
        self.low[steps.start], self.high[steps.start] = 0, 1
        self._now[steps.start, 0, 0] = 1
        self._leave(self._now, self._ends, 1, self.low, self.high)

    def roll(self) -> None:
        """One roll, then those leave who reached a stop or are ruined.

        Interrupted half-way, everything is as it was before the roll.
        """
        steps = self.steps
        low, high = steps.reach(self.low, self.high)
        self._make_room(low, high)
        ranges = (self.low, self.high, low, high)
        more = count_limbs(self.rolled + 1, self.bits, steps.whole) if self.counted else 1
        if self.counted:
            bare = (self._now, self._then, self.base, self._arrays, steps.target, steps.first)
            bankroll_kernels.roll_integers(*bare, ranges, self.limbs, more, self.bits)
        else:
            self._roll_measured(ranges)
        for before, after in zip(self._ends, self._ends_then, strict=True):
            if self.counted:
                bankroll_kernels.scale_ended(
                    before, after, self.limbs, more, self.bits, steps.whole
                )
            else:
                after[:] = before
        self._leave(self._then, self._ends_then, more, low, high)
        self._replace_state(
            _now=self._then,
            _then=self._now,
            _ends=self._ends_then,
            _ends_then=self._ends,
            low=low,
            high=high,
            limbs=more,
            rolled=self.rolled + 1,
        )

    def _roll_measured(self, ranges: bankroll_kernels.RowRanges) -> None:
        """The rows of a large machine in parts of equal work, each on a thread of its own."""
        steps, cuts = self.steps, [0, len(self.steps.target)]
        work = np.maximum(self.high - self.low, 0)[steps.source].cumsum()
        parts = min(count_cores(), _MAX_THREADS, int(work[-1]) // _ADDITIONS_PER_THREAD)
        if parts > 1:
            shares = work[-1] * np.arange(1, parts) // parts
            cuts[1:1] = np.searchsorted(work[steps.first[1:] - 1], shares).tolist()

        def roll(begin: int, end: int) -> None:
            rows = steps.target[begin:end], steps.first[begin : end + 1]
            bankroll_kernels.roll_doubles(
                self._now, self._then, self.base, self._arrays, *rows, ranges
            )

        others = [Thread(target=roll, args=each) for each in pairwise(cuts[1:])]
        for other in others:
            other.start()
        try:
            roll(*cuts[:2])
        finally:
            for other in others:
                other.join()

    @property
    def can_batch_rolls(self) -> bool:
        """Whether rolls may be made many at once: in doubles, between a goal and ruin that leave
        room for every rung between them."""
        if self.counted or self.aside is not None or self.steps.goal == UNREACHABLE:
            return False
        low, high = self._between()
        return (high - low) * len(self._now) * 16 <= min(self.room, _FULL_GRID_BYTES)

    def _between(self) -> tuple[int, int]:
        """From the lowest rung that anybody may come to up to the highest."""
        ruined, won, stopped = self.steps.end_ranges
        return min(ruined[0], stopped[0], 0), max(won[1], ruined[1], 1)

    def roll_on(self, rolls: int, rolling: list[int | float]) -> None:
        """So many rolls (``many_at_once``): ``rolling`` has then also what those weigh who make
        each of them. Interrupted, everything is as it was before."""
        steps, (low, high) = self.steps, self._between()
        self._make_room(np.array([low]), np.array([high]))
        now, then, made = self._now.copy(), self._then, np.empty(rolls)
        lows, highs = self.low.copy(), self.high.copy()
        ends = self._ends[0].copy(), self._ends[1].copy(), self._ends[2].copy()
        stops = (steps.need, steps.goal, steps.floor, steps.kinds)
        lists = (self.base, self._arrays, steps.target, steps.first, stops, ends, self._first_rungs)
        bankroll_kernels.roll_many_doubles(now, then, *lists, lows, highs, self._tiny, made)
        rolling.extend(made.tolist())
        if rolls % 2:
            now, then = then, now
        self._replace_state(
            _now=now, _then=then, _ends=ends, low=lows, high=highs, rolled=self.rolled + rolls
        )

    def _replace_state(self, **new: object) -> None:
        """All at once, so that Ctrl-C finds the old or the new and nothing between."""
        self.__dict__.update(new)

    def _leave(
        self, then: WeightArray, ends: EndedWeights, limbs: int, low: IntArray, high: IntArray
    ) -> None:
        steps = self.steps
        if self.aside is not None:
            self.aside.step(then, limbs, self.base, low, high, self.bits)
        stops = (steps.need, steps.goal, steps.floor, steps.kinds)
        bankroll_kernels.remove_ended(
            then, limbs, self.base, *stops, ends, self._first_rungs, low, high
        )
        if self.counted:
            for each in ends:
                bankroll_kernels.carry_ends(each, limbs, self.bits)
        else:
            bankroll_kernels.trim_rows(then, self.base, self._tiny, low, high)

    def _make_room(self, low: IntArray, high: IntArray) -> None:
        """See to it that the rungs from the lowest to the highest have their places."""
        lowest = min(int(low.min()), int(self.low.min()))
        highest = max(int(high.max()), int(self.high.max()))
        rows, limbs, width = self._now.shape
        if self.base <= lowest and highest <= self.base + width:
            return
        size = highest - lowest
        most = self.room // (2 * rows * limbs * 8)
        if size > most:
            raise SessionTooLargeError(
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
        self._replace_state(_now=now, _then=np.empty_like(now), base=base)

    def row(self, row: int) -> FloatArray:
        """A row's doubles, from its lowest rung up."""
        found: FloatArray = self._of(row)[0]
        return found

    def _of(self, row: int) -> WeightArray:
        """A row's weights on the rungs it stands on."""
        begin, end = int(self.low[row]) - self.base, int(self.high[row]) - self.base
        return self._now[row, : self.limbs, begin:end]

    def _standing(self) -> list[int]:
        """The rows that weigh anything."""
        return [int(row) for row in np.flatnonzero(self.low < self.high)]

    def _parts(self) -> Iterator[tuple[int, int, WeightArray]]:
        """Everybody, ended or not: their kind, the lowest rung, and the weights from there."""
        for row in self._standing():
            yield int(self.steps.kinds[row]), int(self.low[row]), self._of(row)
        for under, ends in zip(self._first_rungs, self._ends, strict=True):
            for kind in range(self.kinds):
                mine = ends[kind, : self.limbs]
                there = np.flatnonzero(mine.any(axis=0))
                if there.size:
                    first, last = int(there[0]), int(there[-1])
                    yield kind, under + first, mine[:, first : last + 1]

    def worths(self) -> Iterator[tuple[int, int, list[int]]]:
        """Counted, by kind: the lowest rung, and what each from there up weighs."""
        for kind, lowest, size, parts in self._by_kind():
            added = np.zeros((self.limbs + 1, size), np.uint64)
            for begin, mine in parts:
                added[:-1, begin - lowest : begin - lowest + mine.shape[1]] += mine
                carry_limbs(added, self.bits)
            yield kind, lowest, to_integers(added, self.bits)

    def chances(self) -> Iterator[tuple[int, int, FloatArray]]:
        """As ``worths``, in doubles."""
        if not self.counted:
            yield from self._measured()
            return
        whole = self.steps.whole**self.rolled
        for kind, lowest, size, parts in self._by_kind():
            added = np.zeros(size)
            for begin, mine in parts:
                chances = to_doubles(mine, self.bits, whole)
                added[begin - lowest : begin - lowest + len(chances)] += chances
            yield kind, lowest, added

    def _measured(self) -> Iterator[tuple[int, int, FloatArray]]:
        """Machines of thousands of states are asked this often: their rows are added up at once."""
        places = self._now.shape[2]
        # Ends that nobody came to may be as far away as the largest bankroll.
        ended = [
            (under, ends.shape[2], ends)
            for under, ends in zip(self._first_rungs, self._ends, strict=True)
            if ends.any()
        ]
        lowest = min([self.base, *(under for under, _, _ in ended)])
        highest = max([self.base + places, *(under + size for under, size, _ in ended)])
        added = np.zeros((self.kinds, highest - lowest))
        here = added[:, self.base - lowest : self.base - lowest + places]
        bankroll_kernels.add_by_kind(
            self._now, self.base, self.steps.kinds, self.low, self.high, here
        )
        for under, size, ends in ended:
            added[:, under - lowest : under - lowest + size] += ends[:, 0]
        for kind, mine in enumerate(added):
            there = np.flatnonzero(mine)
            if there.size:
                first, last = int(there[0]), int(there[-1])
                yield kind, lowest + first, mine[first : last + 1]

    def _by_kind(self) -> Iterator[tuple[int, int, int, list[tuple[int, WeightArray]]]]:
        """Each kind's parts, with the lowest rung of them and how many there are to the highest."""
        found: dict[int, list[tuple[int, WeightArray]]] = {}
        for kind, begin, mine in self._parts():
            found.setdefault(kind, []).append((begin, mine))
        for kind, parts in sorted(found.items()):
            lowest = min(begin for begin, _ in parts)
            yield kind, lowest, max(b + mine.shape[1] for b, mine in parts) - lowest, parts

    def ended(self) -> tuple[int | float, ...]:
        """What the sessions weigh that ended ruined, at the goal, and stopped."""
        if not self.counted:
            return tuple(float(ends.sum()) for ends in self._ends)
        limbs = self.limbs
        flat = (ends[:, :limbs].swapaxes(0, 1).reshape(limbs, -1) for ends in self._ends)
        return tuple(sum_limbs(each, self.bits) for each in flat)

    def weigh_ruined_below(self, rungs: Sequence[int]) -> int | float:
        """What those weigh who are ruined under a rung: one for each kind of state."""
        under, found = self._first_rungs[END_RUIN], 0 if self.counted else 0.0
        for kind, rung in enumerate(rungs):
            mine = self._ends[END_RUIN][kind, : self.limbs, : max(rung - under, 0)]
            found += sum_limbs(mine, self.bits) if self.counted else float(mine.sum())
        return found

    @property
    def whole(self) -> int | float:
        """What everything weighs."""
        return self.steps.whole**self.rolled if self.counted else 1.0

    @property
    def over(self) -> bool:
        """Whether nobody is left to roll on."""
        return not (self.low < self.high).any()
