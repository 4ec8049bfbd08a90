"""The compiled loops of sampled sessions: roll by roll, and several rolls a draw.

Their dice are those of ``kernels``. All else of the loops stands here: compiled code is made anew
when this file changes.

The compiled loops of counting what sampled sessions came to: one waits for them, all else plays.

All of the loops stands here: compiled code is made anew when this file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.compile_loops import compile_helper, compile_loop
from passline.lab.simulation.roll_kernels import Word, draw_bits, draw_outcome

#: The rows of sessions being played: where each stands, how far up and down it was on the way; and
#: of those that are over how they ended, after how many rolls.
STATE, WORTH, HIGH, LOW, END_CODE, ROLLS = range(6)
#: Their tray: how many play, how many are over; of ``play_sessions``, the next to play, how many
#: play on of those before it, and the rolls left to the next, or -1 where it was not begun.
PLAYING_COUNT, ENDED_COUNT, NEXT_SEAT, KEPT_COUNT, ROLLS_LEFT = range(5)

_LOW_32_BITS = np.uint64(0xFFFFFFFF)
#: How worths and kinds are noted, as in ``trials``: the kind of state in the lowest bits.
KIND_BITS = 24
#: Halves of draws that are made at once.
_BLOCK = 512


@compile_helper
def _end_session(
    over: IntArray, counters: IntArray, state: Word, worth: Word, high: Word, low: Word, rolls: Word,  # noqa: E501
    stops: IntArray, end_codes: IntArray,
) -> None:  # fmt: skip
    """A session is over: at the goal, at the floor, or in ruin."""
    at = counters[ENDED_COUNT]
    over[STATE, at], over[WORTH, at], over[HIGH, at], over[LOW, at] = state, worth, high, low
    over[END_CODE, at] = (
        end_codes[0] if worth >= stops[0] else end_codes[1] if worth <= stops[1] else end_codes[2]
    )
    over[ROLLS, at] = rolls
    counters[ENDED_COUNT] = at + 1


@compile_loop(
    "i8(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8, i8, u8[::1], i8[:, ::1], "
    "i8[:, ::1], i8[::1])"
)
def play_sessions(
    next_: Int32Array, money: Int32Array, low: IntArray, stops: IntArray, end_codes: IntArray, begun: int, rolls: int,  # noqa: E501
    rng: WordArray, seats: IntArray, over: IntArray, counters: IntArray,
) -> Word:  # fmt: skip
    """Play the sessions in ``seats`` on for ``rolls`` rolls each, ``begun`` before these; those
    that end go to ``over``.

    Worths are in units from the bankroll. ``low[state]`` is the worth under which a session ends:
    what the state needs, or the floor, and no end of money where it is not explored. ``stops`` is
    (goal, floor); ``hows`` is what is noted of a session that ends at the goal, at the floor and in
    ruin. Returns a state that is not explored yet, where ``tray`` says how to go on, or -1.
    """
    wide: Word = uint64(next_.shape[1])
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    goal, floor = stops
    at, kept, left = counters[NEXT_SEAT], counters[KEPT_COUNT], counters[ROLLS_LEFT]
    unknown: Word = int64(-1)
    while at < counters[PLAYING_COUNT]:
        state, worth, highest, lowest = seats[0, at], seats[1, at], seats[2, at], seats[3, at]
        left = rolls if left < 0 else left
        while left > 0 and low[state] <= worth < goal:
            drawn, s0, s1, s2, s3 = draw_outcome(s0, s1, s2, s3, wide, short)
            worth += money[state, drawn]
            state = int64(next_[state, drawn])
            highest, lowest = max(highest, worth), min(lowest, worth)
            left -= 1
        on = low[state] <= worth < goal
        if not on and floor < worth < goal and next_[state, 0] < 0:
            unknown = state
        if on or unknown >= 0:
            to = at if unknown >= 0 else kept
            seats[0, to], seats[1, to], seats[2, to], seats[3, to] = state, worth, highest, lowest
            kept += unknown < 0
        else:
            rolled = begun + rolls - left
            _end_session(over, counters, state, worth, highest, lowest, rolled, stops, end_codes)
        if unknown >= 0:
            break
        left = int64(-1)
        at += 1
    counters[NEXT_SEAT], counters[KEPT_COUNT], counters[ROLLS_LEFT] = at, kept, left
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return unknown


@compile_loop("i8(u8[::1], i8)")
def draw_below(rng: WordArray, ways: int) -> Word:
    """One of so many ways, with equal chances: as many bits as they take, and again where those
    come to more. It is seldom asked."""
    mask: Word = uint64(ways - 1)
    for by in (1, 2, 4, 8, 16, 32):
        mask |= mask >> uint64(by)
    s0, s1, s2, s3 = rng
    drawn: Word = uint64(ways)
    while drawn >= uint64(ways):
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        drawn = bits & mask
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return int64(drawn)


@compile_loop("void(u8[::1], u4[::1])")
def _draw_halves(rng: WordArray, halves: Any) -> None:
    """Fill with 32 random bits each."""
    s0, s1, s2, s3 = rng
    for place in range(0, len(halves) - 1, 2):
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        halves[place], halves[place + 1] = bits & _LOW_32_BITS, bits >> uint64(32)
    if len(halves) & 1:
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        halves[-1] = bits >> uint64(32)
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compile_helper
def _draw_way(rng: WordArray, sums: IntArray, first: Word, last: Word) -> Word:
    """One of the ways from the first up to the last, by what each weighs."""
    way = first
    if last - first > 1:
        before = sums[first - 1] if first else int64(0)
        drawn = before + draw_below(rng, sums[last - 1] - before)
        while sums[way] <= drawn:
            way += 1
    return way


@compile_loop(
    "void(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8, i8, u8[::1], i8[:, ::1], "
    "i8[:, ::1], i8[::1], i8, i8, i8, u8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], "
    "i8[::1], i8[::1])"
)
def play_strides(
    next_: Int32Array, money: Int32Array, low: IntArray, stops: IntArray, end_codes: IntArray, begun: int, strides: int,  # noqa: E501
    rng: WordArray, seats: IntArray, over: IntArray, counters: IntArray,
    depth: int, column_bits: int, whole: int, cells: WordArray, rests: IntArray, moves: IntArray, safe: IntArray,  # noqa: E501
    bounds: IntArray, first: IntArray, sums: IntArray, throws: IntArray,
) -> None:  # fmt: skip
    """As ``play_sessions``, of a closed machine: so many strides of each session (``Strides``), one
    from each half of a draw. Whom a stride may have ended goes through it roll by roll."""
    goal, columns = stops[0], uint64(column_bits)
    below_bits: Word = uint64(32 - column_bits)
    mask = (uint64(1) << below_bits) - uint64(1)
    states, worths, highs, lows = seats[STATE], seats[WORTH], seats[HIGH], seats[LOW]
    halves = np.empty(_BLOCK, np.uint32)
    for stride in range(strides):
        kept: Word = uint64(0)
        for block in range(0, counters[PLAYING_COUNT], _BLOCK):
            size = min(_BLOCK, counters[PLAYING_COUNT] - block)
            _draw_halves(rng, halves[:size])
            for place in range(size):
                seat, half = uint64(block + place), uint64(halves[place])
                state, worth = uint64(states[seat]), worths[seat]
                row = state << columns
                at = row | (half >> below_bits)
                cell, under = cells[at], half & mask
                cut = cell >> uint64(32)
                way = row | (cell >> (uint64(under >= cut) << uint64(4)) & uint64(0xFFFF))
                if under == cut and draw_below(rng, whole) < rests[at]:
                    way = row | (cell & uint64(0xFFFF))
                move = moves[way]
                high, down = worth + (move << 16 >> 48), worth + (move << 32 >> 48)
                if high < goal and (down >= safe[state] or worth >= bounds[way]):
                    states[kept], worths[kept] = move & 0xFFFF, worth + (move >> 48)
                    highs[kept], lows[kept] = max(highs[seat], high), min(lows[seat], down)
                    kept += uint64(1)
                    continue
                thrown = _draw_way(rng, sums, first[way], first[way + uint64(1)]) * depth
                here, high, down, rolled = int64(state), highs[seat], lows[seat], int64(0)
                while rolled < depth and low[here] <= worth < goal:
                    outcome = throws[thrown + rolled]
                    worth += money[here, outcome]
                    here = int64(next_[here, outcome])
                    high, down = max(high, worth), min(down, worth)
                    rolled += 1
                if low[here] <= worth < goal:
                    states[kept], worths[kept], highs[kept], lows[kept] = here, worth, high, down
                    kept += uint64(1)
                else:
                    rolled += begun + stride * depth
                    _end_session(over, counters, here, worth, high, down, rolled, stops, end_codes)
        counters[PLAYING_COUNT] = kept


@compile_loop("void(i8[::1], i8, i8[::1], i8[::1], i8[::1])")
def fill_alias_columns(
    weights: IntArray, whole: int, shares: IntArray, owns: IntArray, others: IntArray
) -> None:
    """Walker's columns of ``whole`` chances each, as many as ``shares`` has places: how many are
    one kind's, which, and whose the rest is. In whole numbers: each weight times the columns."""
    columns, kinds = len(shares), len(weights)
    left = weights * columns
    small, large = np.empty(columns + kinds, np.int64), np.empty(kinds, np.int64)
    smalls = larges = 0
    for kind in range(kinds):
        if left[kind] < whole:
            small[smalls] = kind
            smalls += 1
        else:
            large[larges] = kind
            larges += 1
    for column in range(columns):
        giver = large[larges - 1] if larges else small[smalls - 1]
        if smalls:
            smalls -= 1
            kind = small[smalls]
            shares[column], owns[column], others[column] = left[kind], kind, giver
            left[giver] -= whole - left[kind]
        else:
            shares[column], owns[column], others[column] = whole, giver, giver
            left[giver] -= whole
        if larges and left[giver] < whole:
            larges -= 1
            if left[giver]:
                small[smalls] = giver
                smalls += 1


@compile_loop("i8(i8[:, ::1], i8[:, ::1], i8[::1], i8[::1], i8, i8, i8, i8[::1], i8[::1], i8[::1])")
def count_worths(
    seats: IntArray, over: IntArray, counters: IntArray, kinds: IntArray, apart: int, bankroll: int, unit: int,  # noqa: E501
    room: IntArray, keys: IntArray, many: IntArray,
) -> Word:  # fmt: skip
    """Count sessions, those that play and those that are over, by worth and kind (which are under
    ``apart``): their ``keys`` in rising order, in cents, and how many had each.

    Returns the number of keys; -1 where what lies between the least and the most worth does not fit
    into ``room``, which is counted in.
    """
    least, most = int64(2**62), int64(-(2**62))
    for seat in range(counters[PLAYING_COUNT]):
        least, most = min(least, seats[WORTH, seat]), max(most, seats[WORTH, seat])
    for seat in range(counters[ENDED_COUNT]):
        least, most = min(least, over[WORTH, seat]), max(most, over[WORTH, seat])
    size, found = (most - least + 1) * apart, int64(0)
    if size > len(room):
        return int64(-1)
    room[:size] = 0
    for seat in range(counters[PLAYING_COUNT]):
        room[(seats[WORTH, seat] - least) * apart + kinds[seats[STATE, seat]]] += 1
    for seat in range(counters[ENDED_COUNT]):
        room[(over[WORTH, seat] - least) * apart + kinds[over[STATE, seat]]] += 1
    for place in range(size):
        if room[place]:
            cents = bankroll + (least + place // apart) * unit
            keys[found], many[found] = cents << KIND_BITS | place % apart, room[place]
            found += 1
    return found


@compile_loop("void(i8[:, ::1], i8[:, ::1], i8[::1], i8, i8, i8, i8, i8[:, ::1])")
def write_ends(
    seats: IntArray, over: IntArray, counters: IntArray, played: int, rolled: int, bankroll: int, unit: int,  # noqa: E501
    ends: IntArray,
) -> None:  # fmt: skip
    """How each trial ended: how, after how many rolls, its highest and lowest worth in cents. Who
    plays on has made all rolls so far."""
    for at in range(counters[ENDED_COUNT]):
        ends[at, 0], ends[at, 1] = over[END_CODE, at], over[ROLLS, at]
        ends[at, 2], ends[at, 3] = bankroll + over[HIGH, at] * unit, bankroll + over[LOW, at] * unit
    for seat in range(counters[PLAYING_COUNT]):
        at = counters[ENDED_COUNT] + seat
        high, low = seats[HIGH, seat], seats[LOW, seat]
        ends[at, 0], ends[at, 1] = played, rolled
        ends[at, 2], ends[at, 3] = bankroll + high * unit, bankroll + low * unit


#: What ends are summed up to, after how many ended in each way: rolls, their squares and the most
#: of them, the highest and the lowest worths.
ROLL_SUM, SQUARED_ROLL_SUM, MOST_ROLLS, HIGH_SUM, LOW_SUM, SUM_COUNT = range(4, 10)
#: Two to the 64th by the golden ratio: what is multiplied by it is spread.
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@compile_loop("void(i8[:, :], i8, i8[::1], i8[::1], i8[::1])")
def sum_ends(ends: IntArray, ruined: int, looks: IntArray, sums: IntArray, fell: IntArray) -> None:
    """Add up how trials ended: to ``sums``, and to ``fell`` those ruined by each look. Squares too
    large for a word are wrong: ``sums`` tells the most rolls."""
    for trial in range(len(ends)):
        rolls = ends[trial, 1]
        sums[ends[trial, 0]] += 1
        sums[ROLL_SUM] += rolls
        sums[SQUARED_ROLL_SUM] += rolls * rolls
        sums[MOST_ROLLS] = max(sums[MOST_ROLLS], rolls)
        sums[HIGH_SUM] += ends[trial, 2]
        sums[LOW_SUM] += ends[trial, 3]
        if ends[trial, 0] == ruined:
            low, high = 0, len(looks)
            while low < high:
                middle = (low + high) // 2
                if looks[middle] < rolls:
                    low = middle + 1
                else:
                    high = middle
            if low < len(looks):
                fell[low] += 1
    for look in range(1, len(looks)):
        fell[look] += fell[look - 1]


@compile_loop("void(i8[::1], i8[::1], i8[::1], i8[::1])")
def count_keys(keys: IntArray, many: IntArray, slots: IntArray, counts: IntArray) -> None:
    """Add up what goes with equal keys: each has one of the ``slots``, a power of two of them and
    more than there are keys; ``counts``, zeros at first, tell which are taken."""
    last: Any = uint64(len(slots) - 1)
    for place in range(len(keys)):
        key = keys[place]
        mixed: Any = uint64(key) * _HASH_MULTIPLIER
        slot = (mixed ^ (mixed >> uint64(32))) & last
        while counts[slot] and slots[slot] != key:
            slot = (slot + uint64(1)) & last
        slots[slot] = key
        counts[slot] += many[place]
