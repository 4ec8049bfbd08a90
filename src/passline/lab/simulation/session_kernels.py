"""Compiled loops that play sampled sessions and count the results.

They play roll by roll, or several rolls per draw. A worth is rail plus bets, in units of money,
counted from the starting bankroll. Apart from the dice (``roll_kernels``), loops use only constants
of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.compile_loops import compile_helper, compile_loop
from passline.lab.simulation.roll_kernels import Word, draw_bits, draw_outcome

#: The rows of a session: its state, its worth, its highest and lowest worth so far; and for ended
#: sessions, how it ended and after how many rolls.
STATE, WORTH, HIGH, LOW, END_CODE, ROLLS = range(6)
#: The entries of ``counters``: sessions still playing, sessions ended; and for an interrupted
#: ``play_sessions``, the next session to play, how many before it play on, and the rolls left for
#: it (-1: not started).
PLAYING_COUNT, ENDED_COUNT, NEXT_SEAT, KEPT_COUNT, ROLLS_LEFT = range(5)

_LOW_32_BITS = np.uint64(0xFFFFFFFF)
#: The low bits of a key hold the kind of state, the others the worth. The same as in ``trials``.
KIND_BITS = 24
#: Half draws (32 bits) that are made at once.
_BLOCK = 512


@compile_helper
def _end_session(
    ended: IntArray, counters: IntArray, state: Word, worth: Word, high: Word, low: Word, rolls: Word,  # noqa: E501
    stops: IntArray, end_codes: IntArray,
) -> None:  # fmt: skip
    """Append a session that ended at the win limit, at the loss limit or in ruin to ``ended``.

    ``counters`` holds the number of ended sessions, and is updated too. ``high`` and ``low`` are
    the highest and lowest worth on the way. ``stops`` is (goal, floor), the two limits;
    ``end_codes`` are the codes for the three ends.
    """
    at = counters[ENDED_COUNT]
    ended[STATE, at], ended[WORTH, at], ended[HIGH, at], ended[LOW, at] = state, worth, high, low
    end = 0 if worth >= stops[0] else 1 if worth <= stops[1] else 2
    ended[END_CODE, at] = end_codes[end]
    ended[ROLLS, at] = rolls
    counters[ENDED_COUNT] = at + 1


@compile_loop(
    "i8(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8, i8, u8[::1], i8[:, ::1], "
    "i8[:, ::1], i8[::1])"
)
def play_sessions(
    next_: Int32Array, money: Int32Array, low: IntArray, stops: IntArray, end_codes: IntArray, rolls_before: int, rolls: int,  # noqa: E501
    rng: WordArray, playing: IntArray, ended: IntArray, counters: IntArray,
) -> Word:  # fmt: skip
    """Play ``rolls`` rolls of each session in ``playing``, after ``rolls_before`` rolls.

    ``next_[state, outcome]`` is the next state and ``money[state, outcome]`` the change of money.
    Sessions that end move to ``ended``. A session ends when its worth reaches the goal, or is below
    ``low[state]``: the worth that covers the state's bets, or one above the floor if that is more.
    For an unexplored state, ``low`` is a number that no worth reaches. ``stops`` is (goal, floor).
    ``end_codes`` are the codes for ending at the goal, at the floor and in ruin. Return -1, or the
    unexplored state that stopped the play; ``counters`` then say where the next call continues.
    """
    wide: Word = uint64(next_.shape[1])
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    goal, floor = stops
    at, kept, left = counters[NEXT_SEAT], counters[KEPT_COUNT], counters[ROLLS_LEFT]
    unknown: Word = int64(-1)
    while at < counters[PLAYING_COUNT]:
        state, worth, highest, lowest = playing[:, at]
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
            playing[STATE, to], playing[WORTH, to] = state, worth
            playing[HIGH, to], playing[LOW, to] = highest, lowest
            kept += unknown < 0
        else:
            rolled = rolls_before + rolls - left
            _end_session(ended, counters, state, worth, highest, lowest, rolled, stops, end_codes)
        if unknown >= 0:
            break
        left = int64(-1)
        at += 1
    counters[NEXT_SEAT], counters[KEPT_COUNT], counters[ROLLS_LEFT] = at, kept, left
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return unknown


@compile_loop(
    "void(i4[:, ::1], i4[:, ::1], i8[::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, "
    "u8[::1], i8[:, ::1], i8[:, ::1])"
)
def play_reduced_bets(
    next_: Int32Array,
    money: Int32Array,
    need: IntArray,
    reduced: Int32Array,
    limits: IntArray,
    end_codes: IntArray,
    kinds: IntArray,
    checkpoints: IntArray,
    first: int,
    last: int,
    rng: WordArray,
    worths: IntArray,
    ends: IntArray,
) -> None:
    """Play the trials ``first`` to ``last``. Players who are short of chips reduce their bets.

    A player is short if the worth is less than ``need[state]`` cents. Such a player goes on in
    state ``reduced[state, column]``, where the column is (worth - least worth) // reduced unit.
    If that is -1, or its bets need too much as well, the session ends in ruin.

    ``limits`` is (goal, floor, bankroll, unit, start state, least worth, reduced unit). Goal and
    floor are in units of money above the bankroll; the amounts after them are in cents.
    ``end_codes`` are the codes for ending at the goal, at the floor, in ruin and after the last
    roll. Write to ``worths`` the worth and the state's kind at each checkpoint, and to ``ends``
    (end code, rolls, highest worth, lowest worth, whether ever short) of each trial.
    """
    wide: Word = uint64(next_.shape[1])
    short = uint64(2**32) % wide
    goal, floor, bankroll, unit, start, least, reduced_unit = limits
    s0, s1, s2, s3 = rng
    for trial in range(first, last):
        worth, state = int64(0), start
        highest, lowest, rolled, checkpoint, ever_short = worth, worth, 0, 0, 0
        while True:
            if worth >= goal:
                end_code = end_codes[0]
                break
            if worth <= floor:
                end_code = end_codes[1]
                break
            cents = bankroll + worth * unit
            if cents < need[state]:
                ever_short = 1
                place = (cents - least) // reduced_unit
                if place < reduced.shape[1] and reduced[state, place] >= 0:
                    state = int64(reduced[state, place])
                if cents < need[state]:
                    end_code = end_codes[2]
                    break
            if rolled == checkpoints[-1]:
                end_code = end_codes[3]
                break
            drawn, s0, s1, s2, s3 = draw_outcome(s0, s1, s2, s3, wide, short)
            worth += money[state, drawn]
            state = int64(next_[state, drawn])
            rolled += 1
            highest, lowest = max(highest, worth), min(lowest, worth)
            if rolled == checkpoints[checkpoint]:
                worths[trial, checkpoint] = (bankroll + worth * unit << KIND_BITS) | kinds[state]
                checkpoint += 1
        for at in range(checkpoint, len(checkpoints)):
            worths[trial, at] = (bankroll + worth * unit << KIND_BITS) | kinds[state]
        ends[trial, 0], ends[trial, 1], ends[trial, 4] = end_code, rolled, ever_short
        ends[trial, 2], ends[trial, 3] = bankroll + highest * unit, bankroll + lowest * unit
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compile_loop("i8(u8[::1], i8)")
def draw_below(rng: WordArray, ways: int) -> Word:
    """Return a random number below ``ways``, all equally likely, and update ``rng`` in place.

    It draws again if a draw is too large. This is slow, but rarely called.
    """
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
    """Fill each entry of ``halves`` with 32 random bits, and update ``rng`` in place."""
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
    """Draw a sequence of rolls by weight. Return its number, from ``first`` to ``last`` (excluded).

    ``sums`` are the cumulative weights of all sequences.
    """
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
    next_: Int32Array, money: Int32Array, low: IntArray, stops: IntArray, end_codes: IntArray, rolls_before: int, strides: int,  # noqa: E501
    rng: WordArray, playing: IntArray, ended: IntArray, counters: IntArray,
    depth: int, column_bits: int, whole: int, cells: WordArray, rests: IntArray, moves: IntArray, safe: IntArray,  # noqa: E501
    bounds: IntArray, first: IntArray, sums: IntArray, throws: IntArray,
) -> None:  # fmt: skip
    """Play ``strides`` times ``depth`` rolls of each session on a complete machine.

    A stride is ``depth`` rolls played with 32 random bits. If it may have ended its session, its
    rolls are played one by one. The first arguments are those of ``play_sessions``, and those from
    ``depth`` on are the fields of the ``StrideTable``.
    """
    goal, columns = stops[0], uint64(column_bits)
    below_bits: Word = uint64(32 - column_bits)
    mask = (uint64(1) << below_bits) - uint64(1)
    states, worths, highs, lows = playing[STATE], playing[WORTH], playing[HIGH], playing[LOW]
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
                    rolled += rolls_before + stride * depth
                    _end_session(ended, counters, here, worth, high, down, rolled, stops, end_codes)
        counters[PLAYING_COUNT] = kept


@compile_loop("void(i8[::1], i8, i8[::1], i8[::1], i8[::1])")
def fill_alias_columns(
    weights: IntArray, whole: int, shares: IntArray, owns: IntArray, others: IntArray
) -> None:
    """Fill Walker's alias columns in place. A column has ``whole`` chances for one or two outcomes.

    Of a column's chances, ``shares[column]`` belong to the outcome ``owns[column]`` and the rest to
    ``others[column]``. All are integers: each outcome's weight is multiplied by the number of
    columns.
    """
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
    playing: IntArray, ended: IntArray, counters: IntArray, kinds: IntArray, kind_count: int, bankroll: int, unit: int,  # noqa: E501
    buckets: IntArray, keys: IntArray, many: IntArray,
) -> Word:  # fmt: skip
    """Count the sessions that have the same worth and the same open bets.

    Write the sorted keys to ``keys`` and the number of sessions for each to ``many``. A key is one
    integer for a worth in cents and ``kinds[state]``, which is below ``kind_count`` and equal for
    states with the same open bets. In ``playing`` and ``ended``, a worth is in units of ``unit``
    cents, counted from ``bankroll``; ``counters`` says how many sessions each has. Return the
    number of keys, or -1 if the range of worths does not fit into the scratch array ``buckets``.
    """
    least, most = int64(2**62), int64(-(2**62))
    parts = (playing, counters[PLAYING_COUNT]), (ended, counters[ENDED_COUNT])
    for sessions, count in parts:
        for seat in range(count):
            least, most = min(least, sessions[WORTH, seat]), max(most, sessions[WORTH, seat])
    size, found = (most - least + 1) * kind_count, int64(0)
    if size > len(buckets):
        return int64(-1)
    buckets[:size] = 0
    for sessions, count in parts:
        for seat in range(count):
            level, kind = sessions[WORTH, seat] - least, kinds[sessions[STATE, seat]]
            buckets[level * kind_count + kind] += 1
    for place in range(size):
        if buckets[place]:
            cents = bankroll + (least + place // kind_count) * unit
            keys[found], many[found] = cents << KIND_BITS | place % kind_count, buckets[place]
            found += 1
    return found


@compile_loop("void(i8[:, ::1], i8[:, ::1], i8[::1], i8, i8, i8, i8, i8[:, ::1])")
def write_ends(
    playing: IntArray, ended: IntArray, counters: IntArray, played: int, rolled: int, bankroll: int, unit: int,  # noqa: E501
    ends: IntArray,
) -> None:  # fmt: skip
    """Write to ``ends[trial]`` how it ended, its rolls, and its highest and lowest worth in cents.

    The other arrays hold worths in units of ``unit`` cents from the bankroll. Sessions still
    playing get the end code ``played``, and have made all ``rolled`` rolls so far.
    """
    for at in range(counters[ENDED_COUNT]):
        ends[at, 0], ends[at, 1] = ended[END_CODE, at], ended[ROLLS, at]
        high, low = ended[HIGH, at], ended[LOW, at]
        ends[at, 2], ends[at, 3] = bankroll + high * unit, bankroll + low * unit
    for seat in range(counters[PLAYING_COUNT]):
        at = counters[ENDED_COUNT] + seat
        high, low = playing[HIGH, seat], playing[LOW, seat]
        ends[at, 0], ends[at, 1] = played, rolled
        ends[at, 2], ends[at, 3] = bankroll + high * unit, bankroll + low * unit


#: The entries of ``sums`` after the four counts of ends: the sum of rolls, of squared rolls, the
#: most rolls, the sums of the highest and of the lowest worths; and the length of ``sums``.
ROLL_SUM, SQUARED_ROLL_SUM, MOST_ROLLS, HIGH_SUM, LOW_SUM, SUM_COUNT = range(4, 10)
#: 2**64 divided by the golden ratio: a multiplicative hash.
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@compile_loop("void(i8[:, :], i8, i8[::1], i8[::1], i8[::1])")
def sum_ends(
    ends: IntArray, ruined: int, checkpoints: IntArray, sums: IntArray, ruined_by: IntArray
) -> None:
    """Add the ends of trials to ``sums``, and count the ruined by checkpoint in ``ruined_by``.

    ``ruined_by[i]`` counts all that were ruined up to checkpoint i. ``ruined`` is the end code of
    ruin, and ``checkpoints`` are numbers of rolls. The sum of squared rolls may overflow a word;
    the caller must check that with ``MOST_ROLLS``.
    """
    for trial in range(len(ends)):
        rolls = ends[trial, 1]
        sums[ends[trial, 0]] += 1
        sums[ROLL_SUM] += rolls
        sums[SQUARED_ROLL_SUM] += rolls * rolls
        sums[MOST_ROLLS] = max(sums[MOST_ROLLS], rolls)
        sums[HIGH_SUM] += ends[trial, 2]
        sums[LOW_SUM] += ends[trial, 3]
        if ends[trial, 0] == ruined:
            low, high = 0, len(checkpoints)
            while low < high:
                middle = (low + high) // 2
                if checkpoints[middle] < rolls:
                    low = middle + 1
                else:
                    high = middle
            if low < len(checkpoints):
                ruined_by[low] += 1
    for checkpoint in range(1, len(checkpoints)):
        ruined_by[checkpoint] += ruined_by[checkpoint - 1]


@compile_loop("void(i8[::1], i8[::1], i8[::1], i8[::1])")
def count_keys(keys: IntArray, many: IntArray, slots: IntArray, counts: IntArray) -> None:
    """Add up the counts ``many`` of equal ``keys`` in a hash table, in place.

    The table stores its keys in ``slots`` and their sums in ``counts``. Both have the same length,
    a power of two above the number of keys.
    ``counts`` must be zero before; afterwards a slot with a count other than zero holds a key.
    """
    last: Any = uint64(len(slots) - 1)
    for place in range(len(keys)):
        key = keys[place]
        mixed: Any = uint64(key) * _HASH_MULTIPLIER
        slot = (mixed ^ (mixed >> uint64(32))) & last
        while counts[slot] and slots[slot] != key:
            slot = (slot + uint64(1)) & last
        slots[slot] = key
        counts[slot] += many[place]
