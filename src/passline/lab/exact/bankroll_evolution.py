"""Advance the probability distribution over (state, bankroll) one roll at a time.

In the arrays, a row is a state of the chain and a column is a bankroll level (see
``bankroll_grid``). Each cell holds a weight. In exact mode a weight counts the dice sequences that
lead there; otherwise it is a probability in doubles. Levels at the far ends with a negligible
probability are dropped in doubles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from threading import Thread

import numpy as np

from passline.lab.exact import evolution_kernels
from passline.lab.exact.bankroll_grid import BankrollGrid
from passline.lab.exact.big_integers import (
    carry_limbs,
    choose_limb_bits,
    count_limbs,
    sum_limbs,
    to_doubles,
    to_integers,
)
from passline.lab.exact.evolution_kernels import UNREACHABLE, EndedWeights
from passline.lab.machines.arrays import FloatArray, IntArray, WeightArray
from passline.lab.machines.cpu import count_cores
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.plan_and_result import END_RUIN, Remedy, SessionTooLargeError


class ShortBankrollTransfer:
    """Lets players who cannot afford the next bet go on in a state in which they bet less.

    A weight is a probability, or a number of dice sequences. ``moves`` are three parallel arrays:
    the source rows, the bankroll levels and the target rows. A row is a state of the chain. A level
    counts units of money from the starting bankroll.
    """

    def __init__(self, grid: BankrollGrid, reduced: ReducedBetStates, bankroll: int) -> None:
        rows, places = np.nonzero(reduced.to >= 0)
        levels = (reduced.least - bankroll) // reduced.unit + places
        levels = levels * (reduced.unit // grid.unit)
        plays = (levels > grid.floor) & (levels < grid.goal)  # At a stop the session ends instead.
        targets = reduced.to[rows, places].astype(np.int64)
        self.moves: tuple[IntArray, ...] = (rows[plays], levels[plays], targets[plays])

    def step(
        self, then: WeightArray, limbs: int, base: int, low: IntArray, high: IntArray, bits: int
    ) -> None:
        """Apply all moves in place to ``then[row, limb, column]``, the weights after a roll.

        Column c is bankroll level ``base`` + c. A weight is split into ``limbs`` machine words
        (limbs) of ``bits`` bits; ``bits`` is 0 for doubles. Row r has levels ``low[r]`` up to, but
        not including, ``high[r]``; both arrays are extended in place.
        """
        rows, levels, _ = self.moves
        there = (low[rows] <= levels) & (levels < high[rows])
        if not there.any():
            return
        rows, levels, to = (each[there] for each in self.moves)
        for row in np.unique(to).tolist():
            mine = levels[to == row]
            _extend_row(then[row], base, low, high, row, (int(mine.min()), int(mine.max()) + 1))
        at = levels - base
        moved = then[rows, :limbs, at]
        np.add.at(then, (to[:, None], np.arange(limbs)[None, :], at[:, None]), moved)
        then[rows, :limbs, at] = 0
        if bits:
            cells = np.unique(np.stack([to, at]), axis=1)
            summed = then[cells[0], :limbs, cells[1]].T.copy()
            carry_limbs(summed, bits)
            then[cells[0], :limbs, cells[1]] = summed.T


def _extend_row(
    mine: WeightArray, base: int, low: IntArray, high: IntArray, row: int, span: tuple[int, int]
) -> None:
    """Widen one row's range of bankroll levels, ``low[row]`` to ``high[row]``, to include ``span``.

    Change both arrays in place, and set the weights of the new levels to zero. ``mine[limb,
    column]`` are the row's weights in machine words; column c is level ``base`` + c.
    """
    begin, end = int(low[row]), int(high[row])
    if begin >= end:
        begin = end = span[0]
    if span[0] < begin:
        mine[:, span[0] - base : begin - base] = 0
    if span[1] > end:
        mine[:, end - base : span[1] - base] = 0
    low[row], high[row] = min(begin, span[0]), max(end, span[1])


#: The largest total probability of the levels that are dropped, and a probability that counts as
#: zero.
_MAX_LOST_CHANCE, NEGLIGIBLE_CHANCE = 1e-15, 1e-27

#: How many additions per roll are worth another thread, and the most threads.
_ADDITIONS_PER_THREAD, _MAX_THREADS = 4_000_000, 8
#: The largest grid, in bytes, that covers all levels from ruin to the goal at once.
_FULL_GRID_BYTES = 2**26


class BankrollEvolution:
    """The distribution over (state, bankroll) after ``rolled`` rolls. ``roll`` advances it.

    ``rolls`` is the most rolls that will be made. With ``is_exact``, weights are integers,
    otherwise doubles. ``memory_limit`` is the most bytes that the weights may take. With
    ``transfer``, players who cannot afford their next bet make smaller bets instead of leaving.
    """

    def __init__(
        self,
        grid: BankrollGrid,
        rolls: int,
        is_exact: bool,
        memory_limit: int,
        transfer: ShortBankrollTransfer | None = None,
    ) -> None:
        self.grid, self.is_exact = grid, is_exact
        self.memory_limit, self.transfer = memory_limit, transfer
        #: The probability that may be dropped at either end of a row after each roll.
        self._trim_limit = _MAX_LOST_CHANCE / (2 * grid.states * max(rolls, 1))
        self.kinds = int(grid.kinds.max()) + 1
        self.bits = choose_limb_bits(grid.heaviest) if is_exact else 0
        most = count_limbs(rolls, self.bits, grid.whole) if is_exact else 1
        dtype = np.uint64 if is_exact else np.float64
        weight = grid.weight.astype(dtype) if is_exact else grid.weight / grid.whole
        self._arcs = (grid.source, grid.shift, weight, grid.target, grid.first)
        self._limits = (grid.need, grid.goal, grid.floor, grid.kinds)
        self.rolled, self.limbs, self.base = 0, 1, 0
        self._now: WeightArray = np.zeros((grid.states, most, 1), dtype)
        self._then = np.zeros_like(self._now)
        self._first_levels = tuple(first for first, _ in grid.end_ranges)
        shapes = [(self.kinds, most, end - first) for first, end in grid.end_ranges]
        self._ends: EndedWeights = tuple(np.zeros(shape, dtype) for shape in shapes)
        self._ends_then: EndedWeights = tuple(np.zeros(shape, dtype) for shape in shapes)
        self.low = np.full(grid.states, UNREACHABLE)
        self.high = np.full(grid.states, -UNREACHABLE)
        self.low[grid.start], self.high[grid.start] = 0, 1
        self._now[grid.start, 0, 0] = 1
        self._end_sessions(self._now, self._ends, 1, self.low, self.high)

    def roll(self) -> None:
        """Advance one roll, then end the sessions that reached the goal, the loss limit or ruin.

        If interrupted, everything stays as it was before the roll.
        """
        low, high = self.grid.next_ranges(self.low, self.high)
        self._cover_ranges(low, high)
        ranges, more = (self.low, self.high, low, high), 1
        if self.is_exact:
            whole = self.grid.whole
            more = count_limbs(self.rolled + 1, self.bits, whole)
            arrays = (self._now, self._then, self.base, self._arcs, ranges)
            evolution_kernels.roll_integers(*arrays, self.limbs, more, self.bits)
            for before, after in zip(self._ends, self._ends_then, strict=True):
                evolution_kernels.scale_ended(before, after, self.limbs, more, self.bits, whole)
        else:
            self._roll_doubles(ranges)
            for before, after in zip(self._ends, self._ends_then, strict=True):
                after[:] = before
        self._end_sessions(self._then, self._ends_then, more, low, high)
        self._replace_state(
            _now=self._then,
            _ends=self._ends_then,
            _then=self._now,
            _ends_then=self._ends,
            low=low,
            high=high,
            limbs=more,
            rolled=self.rolled + 1,
        )

    def _roll_doubles(self, ranges: evolution_kernels.RowRanges) -> None:
        """Advance one roll in doubles. Threads share the states of a large machine.

        ``ranges`` holds the first and the end bankroll level of each state, before and after the
        roll.
        """
        grid, cuts = self.grid, [0, len(self.grid.target)]
        work = np.maximum(self.high - self.low, 0)[grid.source].cumsum()
        parts = min(count_cores(), _MAX_THREADS, int(work[-1]) // _ADDITIONS_PER_THREAD)
        if parts > 1:
            shares = work[-1] * np.arange(1, parts) // parts
            cuts[1:1] = np.searchsorted(work[grid.first[1:] - 1], shares).tolist()

        def roll(begin: int, end: int) -> None:
            arcs = (*self._arcs[:3], grid.target[begin:end], grid.first[begin : end + 1])
            evolution_kernels.roll_doubles(self._now, self._then, self.base, arcs, ranges)

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
        """Whether ``roll_many`` may be used: doubles, a goal, no ``transfer`` and a small grid."""
        if self.is_exact or self.transfer is not None or self.grid.goal == UNREACHABLE:
            return False
        low, high = self._find_full_range()
        return (high - low) * len(self._now) * 16 <= min(self.memory_limit, _FULL_GRID_BYTES)

    def _find_full_range(self) -> tuple[int, int]:
        """Return (low, high): the lowest bankroll level of any session, its highest plus one."""
        ruined, won, stopped = self.grid.end_ranges
        return min(ruined[0], stopped[0], 0), max(won[1], ruined[1], 1)

    def roll_many(self, rolls: int, rolling: list[int | float]) -> None:
        """Advance ``rolls`` rolls at once. Use it only if ``can_batch_rolls`` is true.

        Append to ``rolling`` the probability of still playing at each of these rolls. If
        interrupted, everything stays as it was before.
        """
        low, high = self._find_full_range()
        self._cover_ranges(np.array([low]), np.array([high]))
        now, then, playing = self._now.copy(), self._then, np.empty(rolls)
        lows, highs = self.low.copy(), self.high.copy()
        ends = tuple(each.copy() for each in self._ends)
        arrays = (self.base, self._arcs, self._limits, ends, self._first_levels, lows, highs)
        evolution_kernels.roll_many_doubles(now, then, *arrays, self._trim_limit, playing)
        rolling.extend(playing.tolist())
        if rolls % 2:
            now, then = then, now
        self._replace_state(
            _now=now, _then=then, _ends=ends, low=lows, high=highs, rolled=self.rolled + rolls
        )

    def _replace_state(self, **new: object) -> None:
        """Replace several attributes at once, so that Ctrl-C leaves all old or all new."""
        self.__dict__.update(new)

    def _end_sessions(
        self, then: WeightArray, ends: EndedWeights, limbs: int, low: IntArray, high: IntArray
    ) -> None:
        if self.transfer is not None:
            self.transfer.step(then, limbs, self.base, low, high, self.bits)
        arrays = (then, limbs, self.base, self._limits, ends, self._first_levels)
        evolution_kernels.remove_ended(*arrays, low, high)
        if self.is_exact:
            for each in ends:
                evolution_kernels.scale_ended(each, each, limbs, limbs, self.bits, 1)
        else:
            evolution_kernels.trim_rows(then, self.base, self._trim_limit, low, high)

    def _cover_ranges(self, low: IntArray, high: IntArray) -> None:
        """Grow the arrays in place, if needed, to hold each state's levels ``low`` to ``high``.

        Raise SessionTooLargeError if the arrays would exceed the memory limit.
        """
        lowest = min(int(low.min()), int(self.low.min()))
        highest = max(int(high.max()), int(self.high.max()))
        rows, limbs, width = self._now.shape
        if self.base <= lowest and highest <= self.base + width:
            return
        size, most = highest - lowest, self.memory_limit // (2 * rows * limbs * 8)
        if size > most:
            raise SessionTooLargeError(
                f"after {self.rolled:,} rolls the bankroll can have {size:,} values in each of "
                f"{self.grid.states:,} states, more than {self.memory_limit // 2**20:,} MB hold",
                *Remedy,
            )
        margin = min(size // 4, (most - size) // 2)
        base = lowest - margin
        now = np.empty((rows, limbs, size + 2 * margin), self._now.dtype)
        for row in self._occupied_rows():
            begin, end = int(self.low[row]), int(self.high[row])
            now[row, : self.limbs, begin - base : end - base] = self._row_weights(row)
        self._replace_state(_now=now, _then=np.empty_like(now), base=base)

    def row(self, row: int) -> FloatArray:
        """Return the probabilities of state ``row``, by bankroll from the lowest up.

        Use it only in doubles.
        """
        probabilities: FloatArray = self._row_weights(row)[0]
        return probabilities

    def _row_weights(self, row: int) -> WeightArray:
        begin, end = int(self.low[row]) - self.base, int(self.high[row]) - self.base
        return self._now[row, : self.limbs, begin:end]

    def _occupied_rows(self) -> list[int]:
        return [int(row) for row in np.flatnonzero(self.low < self.high)]

    def _list_weights(self) -> Iterator[tuple[int, int, WeightArray]]:
        """Yield (kind, lowest bankroll level, weights from there up) for all sessions.

        States with the same open bets are of one kind, which has a number. A kind may be yielded
        several times.
        """
        for row in self._occupied_rows():
            yield int(self.grid.kinds[row]), int(self.low[row]), self._row_weights(row)
        for first_level, ends in zip(self._first_levels, self._ends, strict=True):
            for kind in range(self.kinds):
                mine = ends[kind, : self.limbs]
                there = np.flatnonzero(mine.any(axis=0))
                if there.size:
                    yield kind, first_level + int(there[0]), mine[:, there[0] : there[-1] + 1]

    def worths(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield (kind, lowest bankroll level, exact weights from there up), once for each kind.

        States with the same open bets are of one kind, which has a number. A weight is the number
        of dice sequences that lead to a level.
        """
        for kind, lowest, size, parts in self._group_by_kind():
            added = np.zeros((self.limbs + 1, size), np.uint64)
            for begin, mine in parts:
                added[:-1, begin - lowest : begin - lowest + mine.shape[1]] += mine
                carry_limbs(added, self.bits)
            yield kind, lowest, to_integers(added, self.bits)

    def chances(self) -> Iterator[tuple[int, int, FloatArray]]:
        """Yield (kind, lowest bankroll level, probabilities from there up), once for each kind.

        States with the same open bets are of one kind, which has a number.
        """
        if not self.is_exact:
            yield from self._chances_in_doubles()
            return
        whole = self.grid.whole**self.rolled
        for kind, lowest, size, parts in self._group_by_kind():
            added = np.zeros(size)
            for begin, mine in parts:
                chances = to_doubles(mine, self.bits, whole)
                added[begin - lowest : begin - lowest + len(chances)] += chances
            yield kind, lowest, added

    def _chances_in_doubles(self) -> Iterator[tuple[int, int, FloatArray]]:
        """Yield what ``chances`` yields, in doubles: add up a kind's states in one fast loop."""
        # Skip empty ends: their levels may be as far away as the largest bankroll.
        ended = [
            (first, first + ends.shape[2], ends)
            for first, ends in zip(self._first_levels, self._ends, strict=True)
            if ends.any()
        ]
        first, last = self.base, self.base + self._now.shape[2]
        lowest = min([first, *(begin for begin, _, _ in ended)])
        highest = max([last, *(end for _, end, _ in ended)])
        added = np.zeros((self.kinds, highest - lowest))
        here = added[:, first - lowest : last - lowest]
        evolution_kernels.add_by_kind(
            self._now, self.base, self.grid.kinds, self.low, self.high, here
        )
        for begin, end, ends in ended:
            added[:, begin - lowest : end - lowest] += ends[:, 0]
        for kind, mine in enumerate(added):
            there = np.flatnonzero(mine)
            if there.size:
                yield kind, lowest + int(there[0]), mine[there[0] : there[-1] + 1]

    def _group_by_kind(self) -> Iterator[tuple[int, int, int, list[tuple[int, WeightArray]]]]:
        """Yield (kind, lowest bankroll level, number of levels, parts), once for each kind.

        States with the same open bets are of one kind. A part is (its lowest level, weights from
        there up), as ``_list_weights`` yields them.
        """
        by_kind: dict[int, list[tuple[int, WeightArray]]] = {}
        for kind, begin, mine in self._list_weights():
            by_kind.setdefault(kind, []).append((begin, mine))
        for kind, parts in sorted(by_kind.items()):
            lowest = min(begin for begin, _ in parts)
            yield kind, lowest, max(b + mine.shape[1] for b, mine in parts) - lowest, parts

    def ended(self) -> tuple[int | float, ...]:
        """Return (ruin, goal, loss limit): the total weight of sessions that ended in each way."""
        if not self.is_exact:
            return tuple(float(ends.sum()) for ends in self._ends)
        limbs = self.limbs
        flat = (ends[:, :limbs].swapaxes(0, 1).reshape(limbs, -1) for ends in self._ends)
        return tuple(sum_limbs(each, self.bits) for each in flat)

    def weigh_ruined_below(self, levels: Sequence[int]) -> int | float:
        """Return the total weight of sessions that ended in ruin below a certain bankroll level.

        ``levels[kind]`` is that level, for each kind of states (``grid.kinds``).
        """
        first_level, found = self._first_levels[END_RUIN], 0 if self.is_exact else 0.0
        for kind, level in enumerate(levels):
            mine = self._ends[END_RUIN][kind, : self.limbs, : max(level - first_level, 0)]
            found += sum_limbs(mine, self.bits) if self.is_exact else float(mine.sum())
        return found

    @property
    def whole(self) -> int | float:
        """The total weight of all sessions: the number of dice sequences so far; 1.0 in doubles."""
        return self.grid.whole**self.rolled if self.is_exact else 1.0

    @property
    def is_over(self) -> bool:
        """Whether all sessions have ended."""
        return not (self.low < self.high).any()
