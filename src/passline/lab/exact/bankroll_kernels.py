"""The kernels: one roll of everybody on the ladder of worths at once.

``now[row, limb, place]`` weighs a row's rung ``place + base``. Counted weights are whole numbers
in limbs of ``bits`` bits, least first; measured ones are doubles in a single limb.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.
"""

from __future__ import annotations

import numpy as np

from passline.lab.machines.arrays import IntArray, WeightArray
from passline.lab.machines.compile_loops import compile_loop

#: Further than any rung: what stands for "never".
UNREACHABLE = 2**40

#: The arcs' sources, shifts and weights.
ArcArrays = tuple[IntArray, IntArray, WeightArray]
#: Where rows stand now, from the lowest rung up to the highest (left out), and after the roll.
RowRanges = tuple[IntArray, IntArray, IntArray, IntArray]

#: Rungs that are worked on at a time, so that they stay close to the processor.
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
    among: tuple[int, int],
    low: IntArray,
    high: IntArray,
) -> None:
    """Add up in ``lane`` what some of the arcs bring to the rungs begin to end."""
    source, shift, weight = arcs
    lane[: end - begin] = 0
    for step in range(among[0], among[1]):
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
    """One roll in doubles: ``then`` is filled between the new low and high of each row."""
    low, high, new_low, new_high = ranges
    for place in range(len(target)):
        row = target[place]
        among = first[place], first[place + 1]
        for begin in range(new_low[row], new_high[row], _BLOCK):
            end = min(begin + _BLOCK, new_high[row])
            lane = then[row, 0, begin - base : end - base]
            _add_arcs(lane, now, 0, begin, end, base, arcs, among, low, high)


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
    """One roll in whole numbers of ``limbs`` limbs, which become ``more``."""
    low, high, new_low, new_high = ranges
    mask = np.uint64((1 << bits) - 1)
    over = np.uint64(bits)
    lane = np.empty(_BLOCK, np.uint64)
    carry = np.empty(_BLOCK, np.uint64)
    for place in range(len(target)):
        row = target[place]
        among = first[place], first[place + 1]
        for begin in range(new_low[row], new_high[row], _BLOCK):
            end = min(begin + _BLOCK, new_high[row])
            carry[:] = 0
            for limb in range(more):
                if limb < limbs:
                    _add_arcs(lane, now, limb, begin, end, base, arcs, among, low, high)
                else:
                    lane[:] = 0
                out = then[row, limb, begin - base : end - base]
                for rung in range(end - begin):
                    value = lane[rung] + carry[rung]
                    out[rung] = value & mask
                    carry[rung] = value >> over


@compile_loop()
def _move_ended(
    then: WeightArray,
    row: int,
    ends: WeightArray,
    kind: int,
    under: int,
    span: tuple[int, int, int, int],
) -> None:
    """Sessions of a row that end on some rungs, added to those that ended so before."""
    begin, end, limbs, base = span
    if begin >= end:
        return
    for limb in range(limbs):
        here = then[row, limb, begin - base : end - base]
        there = ends[kind, limb, begin - under : end - under]
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
    first_rungs: tuple[int, int, int],
    low: IntArray,
    high: IntArray,
) -> None:
    """Take off the ladder who reached the goal, then who fell to the floor, then who is ruined.

    They are added to ``ends``: of the ruined, the winners and the losers, each by the kind of the
    row that they leave; ``unders`` are the rungs at which these begin.
    """
    ruined, winners, losers = ends
    for row in range(len(need)):
        begin, end = low[row], high[row]
        if begin >= end:
            continue
        over = floor + 1
        kind = kinds[row]
        _move_ended(then, row, winners, kind, first_rungs[1], (max(begin, goal), end, limbs, base))
        _move_ended(then, row, losers, kind, first_rungs[2], (begin, min(end, over), limbs, base))
        short = min(end, need[row], goal)
        _move_ended(then, row, ruined, kind, first_rungs[0], (max(begin, over), short, limbs, base))
        low[row] = max(begin, over, need[row])
        high[row] = min(end, goal)
        if low[row] >= high[row]:
            low[row], high[row] = UNREACHABLE, -UNREACHABLE


@compile_loop()
def scale_ended(
    now: WeightArray, then: WeightArray, limbs: int, more: int, bits: int, whole: int
) -> None:
    """Ended sessions one roll later: whichever way the dice fall, they stay as they are."""
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
    """Bring the limbs of ended sessions, to which others were added, below ``bits`` bits."""
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
    """Leave out the rungs at both ends of each row that together weigh less than ``tiny``."""
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
    """Add every row's doubles to those of its kind: ``into[kind, place]``, places as in ``now``."""
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
    first_rungs: tuple[int, int, int],
    low: IntArray,
    high: IntArray,
    tiny: float,
    rolling: WeightArray,
) -> None:
    """As many rolls in doubles as ``rolling`` has places: from one array to the other and back, all
    of whose rungs have their places. What those weigh who make each roll stands in ``rolling``."""
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
        remove_ended(then, 1, base, need, goal, floor, kinds, ends, first_rungs, new_low, new_high)
        trim_rows(then, base, tiny, new_low, new_high)
        low[:], high[:] = new_low, new_high
        now, then = then, now
