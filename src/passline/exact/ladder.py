"""The kernels: one roll of everybody on the ladder of worths at once.

``now[row, limb, place]`` weighs a row's rung ``place + base``. Counted weights are whole numbers
in limbs of ``bits`` bits, least first; measured ones are doubles in a single limb.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.
"""

from __future__ import annotations

import numpy as np

from passline.machines.arrays import Ints, Weights
from passline.machines.compiling import compiled

#: Further than any rung: what stands for "never".
FAR = 2**40

#: The arcs' sources, shifts and weights.
Arcs = tuple[Ints, Ints, Weights]
#: Where rows stand now, from the lowest rung up to the highest (left out), and after the roll.
Ranges = tuple[Ints, Ints, Ints, Ints]

#: Rungs that are worked on at a time, so that they stay close to the processor.
_BLOCK = 1024


@compiled()
def _bring(
    lane: Weights,
    now: Weights,
    limb: int,
    begin: int,
    end: int,
    base: int,
    arcs: Arcs,
    among: tuple[int, int],
    low: Ints,
    high: Ints,
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


@compiled()
def roll_measured(
    now: Weights, then: Weights, base: int, arcs: Arcs, target: Ints, first: Ints, ranges: Ranges
) -> None:
    """One roll in doubles: ``then`` is filled between the new low and high of each row."""
    low, high, new_low, new_high = ranges
    for place in range(len(target)):
        row = target[place]
        among = first[place], first[place + 1]
        for begin in range(new_low[row], new_high[row], _BLOCK):
            end = min(begin + _BLOCK, new_high[row])
            lane = then[row, 0, begin - base : end - base]
            _bring(lane, now, 0, begin, end, base, arcs, among, low, high)


@compiled()
def roll_counted(
    now: Weights,
    then: Weights,
    base: int,
    arcs: Arcs,
    target: Ints,
    first: Ints,
    ranges: Ranges,
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
                    _bring(lane, now, limb, begin, end, base, arcs, among, low, high)
                else:
                    lane[:] = 0
                out = then[row, limb, begin - base : end - base]
                for rung in range(end - begin):
                    value = lane[rung] + carry[rung]
                    out[rung] = value & mask
                    carry[rung] = value >> over


@compiled()
def _move(
    then: Weights,
    row: int,
    end_row: int,
    begin: int,
    end: int,
    limbs: int,
    base: int,
    low: Ints,
    high: Ints,
) -> None:
    """Sessions of a row that end, moved to the row that holds their like."""
    if begin >= end:
        return
    if low[end_row] >= high[end_row]:
        low[end_row] = high[end_row] = begin
    for limb in range(limbs):
        there = then[end_row, limb]
        if begin < low[end_row]:
            there[begin - base : low[end_row] - base] = 0
        if end > high[end_row]:
            there[high[end_row] - base : end - base] = 0
        there[begin - base : end - base] += then[row, limb, begin - base : end - base]
    low[end_row] = min(low[end_row], begin)
    high[end_row] = max(high[end_row], end)


@compiled()
def leave(
    then: Weights,
    limbs: int,
    base: int,
    need: Ints,
    goal: int,
    floor: int,
    end_rows: tuple[int, int, int],
    low: Ints,
    high: Ints,
) -> None:
    """Take off the ladder who reached the goal, then who fell to the floor, then who is ruined.

    ``end_rows`` hold who left so: in this order.
    """
    winners, losers, ruined = end_rows
    for row in range(len(need)):
        begin, end = low[row], high[row]
        if begin >= end:
            continue
        over = floor + 1
        _move(then, row, winners, max(begin, goal), end, limbs, base, low, high)
        _move(then, row, losers, begin, min(end, over), limbs, base, low, high)
        short = min(end, need[row], goal)
        _move(then, row, ruined, max(begin, over), short, limbs, base, low, high)
        low[row] = max(begin, over, need[row])
        high[row] = min(end, goal)
        if low[row] >= high[row]:
            low[row], high[row] = FAR, -FAR


@compiled()
def carry_ends(
    then: Weights, limbs: int, base: int, states: int, bits: int, low: Ints, high: Ints
) -> None:
    """Bring the limbs of ended sessions, to which others were added, below ``bits`` bits."""
    mask = np.uint64((1 << bits) - 1)
    over = np.uint64(bits)
    for row in range(states, len(then)):
        for place in range(low[row] - base, high[row] - base):
            carry = np.uint64(0)
            for limb in range(limbs):
                value = then[row, limb, place] + carry
                then[row, limb, place] = value & mask
                carry = value >> over


@compiled()
def trim(then: Weights, base: int, states: int, tiny: float, low: Ints, high: Ints) -> None:
    """Leave out the rungs at both ends of each row that together weigh less than ``tiny``."""
    for row in range(states):
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
        low[row], high[row] = (begin, end) if begin < end else (FAR, -FAR)
