"""Compiled loops that advance the distribution over (state, bankroll) by one roll.

``now[row, limb, column]`` is the weight of state ``row`` at level ``column + base``. A level counts
units of money from the starting bankroll (see ``bankroll_grid``). A weight is a probability in one
double, or an exact integer split into limbs (words) of ``bits`` bits, lowest first.

Loops use only constants of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

import numpy as np

from passline.lab.machines.arrays import IntArray, WeightArray
from passline.lab.machines.compile_loops import compile_loop

#: A level that no session reaches, for limits that are not set.
UNREACHABLE = 2**40

#: The source row, the shift in levels and the weight of each arc; then the target rows, and where
#: the arcs into each target begin.
ArcArrays = tuple[IntArray, IntArray, WeightArray, IntArray, IntArray]
#: The first and the end level of each row before the roll, then after it.
RowRanges = tuple[IntArray, IntArray, IntArray, IntArray]
#: Where sessions end: ``need`` of each row, the goal, the floor; and the kind of each row.
SessionLimits = tuple[IntArray, int, int, IntArray]
#: The weights of ended sessions: ruined, at the goal, at the loss limit; each [kind, limb, level].
EndedWeights = tuple[WeightArray, ...]

#: Levels that are processed at a time, so that they stay in the processor's cache.
_BLOCK = 1024


@compile_loop()
def _add_arcs(
    lane: WeightArray, now: WeightArray, limb: int, levels: tuple[int, int], base: int,
    arcs: ArcArrays, place: int, ranges: RowRanges,
) -> None:  # fmt: skip
    """Write to ``lane`` the weight that a roll brings to one state at some bankroll levels.

    Compute only word number ``limb`` of each weight. Add up the transitions (arcs) into the state
    ``target[place]``. ``levels`` is (first, end) of the levels. ``now`` has the weights before the
    roll; its column c is level ``base`` + c.
    """
    source, shift, weight, _target, first = arcs
    low, high = ranges[0], ranges[1]
    begin, end = levels
    lane[: end - begin] = 0
    for step in range(first[place], first[place + 1]):
        row, by = source[step], shift[step]
        bottom = max(begin, low[row] + by)
        top = min(end, high[row] + by)
        if bottom < top:
            times = weight[step]
            here = lane[bottom - begin : top - begin]
            there = now[row, limb, bottom - by - base : top - by - base]
            for level in range(top - bottom):
                here[level] += times * there[level]


@compile_loop()
def roll_doubles(
    now: WeightArray, then: WeightArray, base: int, arcs: ArcArrays, ranges: RowRanges
) -> None:
    """Advance one roll in doubles: fill ``then`` from ``now``.

    ``arcs`` are the fields of a ``BankrollGrid``. ``ranges`` holds the first and the end bankroll
    level of each state, before and after the roll. Column c is level ``base`` + c.
    """
    for place, row in enumerate(arcs[3]):
        for begin in range(ranges[2][row], ranges[3][row], _BLOCK):
            end = min(begin + _BLOCK, ranges[3][row])
            lane = then[row, 0, begin - base : end - base]
            _add_arcs(lane, now, 0, (begin, end), base, arcs, place, ranges)


@compile_loop()
def roll_integers(
    now: WeightArray, then: WeightArray, base: int, arcs: ArcArrays, ranges: RowRanges,
    limbs: int, more: int, bits: int,
) -> None:  # fmt: skip
    """Advance one roll in exact integers: fill ``then`` from ``now``, as ``roll_doubles`` does.

    A weight is split into limbs (machine words) of ``bits`` bits: ``limbs`` of them in ``now``, and
    ``more`` in ``then``. Column c is level ``base`` + c.
    """
    mask, over = np.uint64((1 << bits) - 1), np.uint64(bits)
    lane, carry = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint64)
    for place, row in enumerate(arcs[3]):
        for begin in range(ranges[2][row], ranges[3][row], _BLOCK):
            end = min(begin + _BLOCK, ranges[3][row])
            carry[:] = 0
            for limb in range(more):
                if limb < limbs:
                    _add_arcs(lane, now, limb, (begin, end), base, arcs, place, ranges)
                else:
                    lane[:] = 0
                out = then[row, limb, begin - base : end - base]
                for level in range(end - begin):
                    value = lane[level] + carry[level]
                    out[level] = value & mask
                    carry[level] = value >> over


@compile_loop()
def _move_ended(
    here: WeightArray, ends: WeightArray, first_level: int, base: int, begin: int, end: int
) -> None:
    """Add a state's weights at bankroll levels ``begin`` to ``end`` to ``ends``, word by word.

    Column 0 of ``here`` is level ``base``, and column 0 of ``ends`` is ``first_level``.
    """
    for limb in range(len(here)):
        for level in range(begin, end):
            ends[limb, level - first_level] += here[limb, level - base]


@compile_loop()
def remove_ended(
    then: WeightArray, limbs: int, base: int, limits: SessionLimits, ends: EndedWeights,
    first_levels: tuple[int, ...], low: IntArray, high: IntArray,
) -> None:  # fmt: skip
    """End the sessions that reached the goal, then those at the loss limit, then the ruined ones.

    Take their weights out of ``then``, whose column c is level ``base`` + c, and add them to
    ``ends``: three arrays (ruined, winners, losers), each indexed by the kind of open bets;
    ``first_levels`` are the levels of their first columns. Narrow ``low`` and ``high``, each
    state's range of bankroll levels, to the sessions that play on. All arrays change in place.
    ``limits`` is (need, goal, floor, kinds) of the ``BankrollGrid``.
    """
    need, goal, floor, kinds = limits
    ruined, winners, losers = ends
    over = floor + 1
    for row in range(len(need)):
        begin, end, kind = low[row], high[row], kinds[row]
        if begin >= end:
            continue
        here, short = then[row, :limbs], min(end, need[row], goal)
        _move_ended(here, winners[kind], first_levels[1], base, max(begin, goal), end)
        _move_ended(here, losers[kind], first_levels[2], base, begin, min(end, over))
        _move_ended(here, ruined[kind], first_levels[0], base, max(begin, over), short)
        low[row] = max(begin, over, need[row])
        high[row] = min(end, goal)
        if low[row] >= high[row]:
            low[row], high[row] = UNREACHABLE, -UNREACHABLE


@compile_loop()
def scale_ended(
    now: WeightArray, then: WeightArray, limbs: int, more: int, bits: int, times: int
) -> None:
    """Multiply the weights of ended sessions by ``times``, from ``now`` into ``then``.

    Each roll multiplies the total weight by the grid's ``whole``, also that of ended sessions.
    Weights are integers, split into words (limbs): ``limbs`` each in ``now``, ``more`` in ``then``.
    Carry what exceeds ``bits`` bits of a word. With ``times`` 1, only carry.
    """
    mask, over, factor = np.uint64((1 << bits) - 1), np.uint64(bits), np.uint64(times)
    for kind in range(now.shape[0]):
        for place in range(now.shape[2]):
            carry = np.uint64(0)
            for limb in range(more):
                value = carry
                if limb < limbs:
                    value += now[kind, limb, place] * factor
                then[kind, limb, place] = value & mask
                carry = value >> over


@compile_loop()
def trim_rows(then: WeightArray, base: int, tiny: float, low: IntArray, high: IntArray) -> None:
    """Drop bankroll levels with little weight at both ends of each state's range.

    The total weight dropped at an end is below ``tiny``. Narrow ``low`` and ``high``, the first and
    end level of each state, in place. ``then`` has the weights; its column c is level ``base`` + c.
    """
    for row in range(len(low)):
        lane = then[row, 0]
        begin, end = low[row], high[row]
        left = 0.0
        while begin < end and left + lane[begin - base] < tiny:
            left += lane[begin - base]
            begin += 1
        left = 0.0
        while begin < end and left + lane[end - 1 - base] < tiny:
            left += lane[end - 1 - base]
            end -= 1
        low[row], high[row] = (begin, end) if begin < end else (UNREACHABLE, -UNREACHABLE)


@compile_loop()
def add_by_kind(
    now: WeightArray, base: int, kinds: IntArray, low: IntArray, high: IntArray, into: WeightArray
) -> None:
    """Add the doubles of each state in ``now`` in place to ``into[kinds[row], column]``.

    States with the same open bets have the same number in ``kinds``. Row r has bankroll levels
    ``low[r]`` to ``high[r]``; column c is level ``base`` + c.
    """
    for row in range(len(low)):
        begin, end = low[row] - base, high[row] - base
        mine, there = now[row, 0], into[kinds[row]]
        for place in range(begin, end):
            there[place] += mine[place]


@compile_loop()
def roll_many_doubles(
    now: WeightArray, then: WeightArray, base: int, arcs: ArcArrays, limits: SessionLimits,
    ends: EndedWeights, first_levels: tuple[int, ...], low: IntArray, high: IntArray,
    tiny: float, rolling: WeightArray,
) -> None:  # fmt: skip
    """Advance ``len(rolling)`` rolls in doubles.

    ``now`` and ``then`` take turns as the source, so after an odd number of rolls the result is in
    ``then``. The arrays must cover all bankroll levels; column c is level ``base`` + c. Set
    ``rolling[k]`` to the probability of still playing at roll k. Add the ended sessions to ``ends``
    and update ``low`` and ``high``, as ``remove_ended`` does. ``tiny`` is the probability that may
    be dropped at either end of a row. The other arguments are those of ``roll_doubles`` and
    ``remove_ended``.
    """
    source, shift, _weight, target, first = arcs
    new_low, new_high = np.empty_like(low), np.empty_like(high)
    for roll in range(len(rolling)):
        rolling[roll] = 1.0 - ends[0].sum() - ends[1].sum() - ends[2].sum()
        new_low[:], new_high[:] = UNREACHABLE, -UNREACHABLE
        for place, row in enumerate(target):
            for step in range(first[place], first[place + 1]):
                new_low[row] = min(new_low[row], low[source[step]] + shift[step])
                new_high[row] = max(new_high[row], high[source[step]] + shift[step])
        roll_doubles(now, then, base, arcs, (low, high, new_low, new_high))
        remove_ended(then, 1, base, limits, ends, first_levels, new_low, new_high)
        trim_rows(then, base, tiny, new_low, new_high)
        low[:], high[:] = new_low, new_high
        now, then = then, now
