"""Compiled loops that advance the distribution over (state, bankroll) by one roll.

``now[row, limb, column]`` is the weight of state ``row`` at level ``column + base``. A level is a
bankroll in units of money from the start (see ``bankroll_grid``). Weights are either exact integers
in limbs of ``bits`` bits, lowest first, or probabilities as doubles in a single limb.

Loops use only constants of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

import numpy as np

from passline.lab.machines.arrays import IntArray, WeightArray
from passline.lab.machines.compile_loops import compile_loop

#: A level that no session reaches, for limits that are not set.
UNREACHABLE = 2**40

#: The source row, the shift in levels and the weight of each arc.
ArcArrays = tuple[IntArray, IntArray, WeightArray]
#: The first and the end level of each row before the roll, then after it.
RowRanges = tuple[IntArray, IntArray, IntArray, IntArray]

#: Levels that are processed at a time, so that they stay in the processor's cache.
_BLOCK = 1024


@compile_loop()
def _add_arcs(
    lane: WeightArray,
    now: WeightArray,
    limb: int,
    begin: int,
    end: int,
    base: int,
    arcs: ArcArrays,
    arc_range: tuple[int, int],
    low: IntArray,
    high: IntArray,
) -> None:
    """Set ``lane`` to the weight that a range of arcs brings to the levels ``begin`` to ``end``."""
    source, shift, weight = arcs
    lane[: end - begin] = 0
    for step in range(arc_range[0], arc_range[1]):
        row = source[step]
        by = shift[step]
        bottom = max(begin, low[row] + by)
        top = min(end, high[row] + by)
        if bottom < top:
            times = weight[step]
            here = lane[bottom - begin : top - begin]
            there = now[row, limb, bottom - by - base : top - by - base]
            for place in range(top - bottom):
                here[place] += times * there[place]


@compile_loop()
def roll_doubles(
    now: WeightArray,
    then: WeightArray,
    base: int,
    arcs: ArcArrays,
    target: IntArray,
    first: IntArray,
    ranges: RowRanges,
) -> None:
    """Advance one roll in doubles: fill ``then`` between the new limits of each row."""
    low, high, new_low, new_high = ranges
    for place in range(len(target)):
        row = target[place]
        arc_range = first[place], first[place + 1]
        for begin in range(new_low[row], new_high[row], _BLOCK):
            end = min(begin + _BLOCK, new_high[row])
            lane = then[row, 0, begin - base : end - base]
            _add_arcs(lane, now, 0, begin, end, base, arcs, arc_range, low, high)


@compile_loop()
def roll_integers(
    now: WeightArray,
    then: WeightArray,
    base: int,
    arcs: ArcArrays,
    target: IntArray,
    first: IntArray,
    ranges: RowRanges,
    limbs: int,
    more: int,
    bits: int,
) -> None:
    """Advance one roll in integers, from ``limbs`` to ``more`` limbs per weight."""
    low, high, new_low, new_high = ranges
    mask = np.uint64((1 << bits) - 1)
    over = np.uint64(bits)
    lane = np.empty(_BLOCK, np.uint64)
    carry = np.empty(_BLOCK, np.uint64)
    for place in range(len(target)):
        row = target[place]
        arc_range = first[place], first[place + 1]
        for begin in range(new_low[row], new_high[row], _BLOCK):
            end = min(begin + _BLOCK, new_high[row])
            carry[:] = 0
            for limb in range(more):
                if limb < limbs:
                    _add_arcs(lane, now, limb, begin, end, base, arcs, arc_range, low, high)
                else:
                    lane[:] = 0
                out = then[row, limb, begin - base : end - base]
                for level in range(end - begin):
                    value = lane[level] + carry[level]
                    out[level] = value & mask
                    carry[level] = value >> over


@compile_loop()
def _move_ended(
    then: WeightArray,
    row: int,
    ends: WeightArray,
    kind: int,
    first_level: int,
    span: tuple[int, int, int, int],
) -> None:
    """Move the weights of a row, on a range of levels, to the ended sessions of ``kind``."""
    begin, end, limbs, base = span
    if begin >= end:
        return
    for limb in range(limbs):
        here = then[row, limb, begin - base : end - base]
        there = ends[kind, limb, begin - first_level : end - first_level]
        for place in range(end - begin):
            there[place] += here[place]


@compile_loop()
def remove_ended(
    then: WeightArray,
    limbs: int,
    base: int,
    need: IntArray,
    goal: int,
    floor: int,
    kinds: IntArray,
    ends: tuple[WeightArray, WeightArray, WeightArray],
    first_levels: tuple[int, int, int],
    low: IntArray,
    high: IntArray,
) -> None:
    """End the sessions that reached the goal, then those at the loss limit, then the ruined ones.

    Add their weights to ``ends`` (ruined, winners, losers), by the kind of their row.
    ``first_levels`` are the levels of the first column of each array in ``ends``.
    """
    ruined, winners, losers = ends
    for row in range(len(need)):
        begin, end = low[row], high[row]
        if begin >= end:
            continue
        over = floor + 1
        kind = kinds[row]
        _move_ended(then, row, winners, kind, first_levels[1], (max(begin, goal), end, limbs, base))
        _move_ended(then, row, losers, kind, first_levels[2], (begin, min(end, over), limbs, base))
        short = min(end, need[row], goal)
        _move_ended(
            then, row, ruined, kind, first_levels[0], (max(begin, over), short, limbs, base)
        )
        low[row] = max(begin, over, need[row])
        high[row] = min(end, goal)
        if low[row] >= high[row]:
            low[row], high[row] = UNREACHABLE, -UNREACHABLE


@compile_loop()
def scale_ended(
    now: WeightArray, then: WeightArray, limbs: int, more: int, bits: int, whole: int
) -> None:
    """Multiply the weights of ended sessions by ``whole``, as a roll does to the total weight."""
    mask = np.uint64((1 << bits) - 1)
    over = np.uint64(bits)
    times = np.uint64(whole)
    for kind in range(now.shape[0]):
        for place in range(now.shape[2]):
            carry = np.uint64(0)
            for limb in range(more):
                value = carry
                if limb < limbs:
                    value += now[kind, limb, place] * times
                then[kind, limb, place] = value & mask
                carry = value >> over


@compile_loop()
def carry_ends(ends: WeightArray, limbs: int, bits: int) -> None:
    """Carry what exceeds ``bits`` bits of a limb of ended sessions into the next limb."""
    mask = np.uint64((1 << bits) - 1)
    over = np.uint64(bits)
    for kind in range(ends.shape[0]):
        for place in range(ends.shape[2]):
            carry = np.uint64(0)
            for limb in range(limbs):
                value = ends[kind, limb, place] + carry
                ends[kind, limb, place] = value & mask
                carry = value >> over


@compile_loop()
def trim_rows(then: WeightArray, base: int, tiny: float, low: IntArray, high: IntArray) -> None:
    """Drop levels at both ends of each row as long as their total weight is below ``tiny``."""
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
    """Add the doubles of each row to ``into[kind, column]``."""
    for row in range(len(low)):
        begin, end = low[row] - base, high[row] - base
        mine, there = now[row, 0], into[kinds[row]]
        for place in range(begin, end):
            there[place] += mine[place]


@compile_loop()
def roll_many_doubles(
    now: WeightArray,
    then: WeightArray,
    base: int,
    arcs: ArcArrays,
    target: IntArray,
    first: IntArray,
    stops: tuple[IntArray, int, int, IntArray],
    ends: tuple[WeightArray, WeightArray, WeightArray],
    first_levels: tuple[int, int, int],
    low: IntArray,
    high: IntArray,
    tiny: float,
    rolling: WeightArray,
) -> None:
    """Advance ``len(rolling)`` rolls in doubles. ``now`` and ``then`` take turns as the source.

    The arrays must cover all levels. Set ``rolling[k]`` to the probability of still playing at roll
    k.
    """
    need, goal, floor, kinds = stops
    source, shift, _weight = arcs
    new_low, new_high = np.empty_like(low), np.empty_like(high)
    for roll in range(len(rolling)):
        rolling[roll] = 1.0 - ends[0].sum() - ends[1].sum() - ends[2].sum()
        new_low[:], new_high[:] = UNREACHABLE, -UNREACHABLE
        for place in range(len(target)):
            row = target[place]
            for step in range(first[place], first[place + 1]):
                new_low[row] = min(new_low[row], low[source[step]] + shift[step])
                new_high[row] = max(new_high[row], high[source[step]] + shift[step])
        roll_doubles(now, then, base, arcs, target, first, (low, high, new_low, new_high))
        remove_ended(then, 1, base, need, goal, floor, kinds, ends, first_levels, new_low, new_high)
        trim_rows(then, base, tiny, new_low, new_high)
        low[:], high[:] = new_low, new_high
        now, then = then, now
