"""The loops that are compiled: dice drawn, tables looked up, money added up.

Dice: xoshiro256++ (Blackman and Vigna), one draw cut into two 32-bit halves; a half becomes one of
``ways`` outcomes by Lemire's multiplication, and is thrown again in the few cases that would
favour some. All of the loops stands here: compiled code is made anew when this file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from passline.machines.arrays import Cells, Floats, Ints, Words
from passline.machines.compiling import compiled, helper

#: A machine word: what the compiler makes of it is in the signatures.
Word = Any

#: The games that one call of ``play_lanes`` plays side by side, so that none waits for the other.
LANES = 8
#: Look-ups of a session that are made before it is seen whether it ended on the way.
STRIDES = 16
#: The rows of sessions being played: where each stands, how far up and down it was on the way; and
#: of those that are over how they ended, after how many rolls.
STATE, WORTH, HIGH, LOW, HOW, ROLLS = range(6)
#: Their tray: how many play, how many are over; of ``play_sessions``, the next to play, how many
#: play on of those before it, and the rolls left to the next, or -1 where it was not begun.
COUNT, ENDED, AT, KEPT, ROLLS_LEFT = range(5)

_HALF = np.uint64(0xFFFFFFFF)


@helper
def draw_bits(s0: Word, s1: Word, s2: Word, s3: Word) -> tuple[Word, Word, Word, Word, Word]:
    """One draw of xoshiro256++: the 64 random bits, and the generator's next state."""
    spun = s0 + s3
    bits = ((spun << uint64(23)) | (spun >> uint64(41))) + s0
    shifted = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << uint64(45)) | (s3 >> uint64(19))
    return bits, s0, s1, s2, s3


@helper
def two(s0: Word, s1: Word, s2: Word, s3: Word, ways: Word, short: Word) -> tuple[Word, ...]:
    """Two outcomes, each one of ``ways`` with equal chances; ``short`` is 2**32 mod ways."""
    bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
    first = (bits & _HALF) * ways
    second = (bits >> uint64(32)) * ways
    while (first & _HALF) < short or (second & _HALF) < short:
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        first = (bits & _HALF) * ways
        second = (bits >> uint64(32)) * ways
    return int64(first >> uint64(32)), int64(second >> uint64(32)), s0, s1, s2, s3


@helper
def one(s0: Word, s1: Word, s2: Word, s3: Word, ways: Word, short: Word) -> tuple[Word, ...]:
    """One outcome."""
    bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
    drawn = (bits >> uint64(32)) * ways
    while (drawn & _HALF) < short:
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        drawn = (bits >> uint64(32)) * ways
    return int64(drawn >> uint64(32)), s0, s1, s2, s3


@compiled("void(i8[::1], i8, i8, i8, i8, i8, u8[::1], i8[::1], i8[:, ::1], f8[:, ::1])")
def play_lanes(
    cells: Ints, ways: int, state_bits: int, square_bits: int, most: int, steps: int,
    rng: Words, at: Ints, nets: Ints, squares: Floats,
) -> None:  # fmt: skip
    """Play LANES games for ``steps`` look-ups a batch, as many batches as ``nets`` has rows.

    A cell is (money, sum of squares, next state) in one word; words are added up for at most
    ``most`` look-ups, so that the squares never run into the money, and then taken apart.
    """
    wide = uint64(ways)
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    state_mask = (int64(1) << state_bits) - 1
    square_mask = (int64(1) << square_bits) - 1
    sums = np.zeros(LANES, np.int64)
    for batch in range(len(nets)):
        left = steps
        while left > 0:
            now = min(left, most)
            left -= now
            sums[:] = 0
            for _ in range(now):
                for lane in range(0, LANES, 2):
                    first, second, s0, s1, s2, s3 = two(s0, s1, s2, s3, wide, short)
                    cell = cells[at[lane] * ways + first]
                    sums[lane] += cell >> state_bits
                    at[lane] = cell & state_mask
                    cell = cells[at[lane + 1] * ways + second]
                    sums[lane + 1] += cell >> state_bits
                    at[lane + 1] = cell & state_mask
            for lane in range(LANES):
                nets[batch, lane] += sums[lane] >> square_bits
                squares[batch, lane] += sums[lane] & square_mask
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compiled("void(i8[::1], i8, i8, i8, i8, i8, u8[::1], i8[::1], i8[:, ::1], f8[:, ::1])")
def play_alone(
    cells: Ints, ways: int, state_bits: int, square_bits: int, most: int, steps: int,
    rng: Words, at: Ints, nets: Ints, squares: Floats,
) -> None:  # fmt: skip
    """Play one game in the same way; its numbers stand in the first column."""
    wide = uint64(ways)
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    state_mask = (int64(1) << state_bits) - 1
    square_mask = (int64(1) << square_bits) - 1
    state = at[0]
    for batch in range(len(nets)):
        left = steps
        while left > 0:
            now = min(left, most)
            left -= now
            total = int64(0)
            for _ in range(now):
                drawn, s0, s1, s2, s3 = one(s0, s1, s2, s3, wide, short)
                cell = cells[state * ways + drawn]
                total += cell >> state_bits
                state = cell & state_mask
            nets[batch, 0] += total >> square_bits
            squares[batch, 0] += total & square_mask
    at[0] = state
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compiled("i8(i4[:, ::1], i4[:, ::1], i8, i8, u8[::1], i8[::1], i8[::1], f8[::1])")
def play_states(
    next_: Cells, money: Cells, rolls: int, batch: int,
    rng: Words, place: Ints, nets: Ints, squares: Floats,
) -> int:  # fmt: skip
    """Play one game on a machine's own arrays until ``rolls`` are played, in all.

    ``place`` is (state, rolls played). ``nets`` gets the sum of each ``batch`` of rolls, what is
    beyond them going to its last. Returns the state that is not explored yet, or -1.
    """
    wide: Word = uint64(next_.shape[1])
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    state, played = place
    last = len(nets) - 1
    unknown = -1
    while played < rolls:
        slot = min(played // batch, last)
        until = rolls if slot == last else min(rolls, (slot + 1) * batch)
        net = int64(0)
        square = 0.0
        while played < until and next_[state, 0] >= 0:
            drawn, s0, s1, s2, s3 = one(s0, s1, s2, s3, wide, short)
            change = int64(money[state, drawn])
            net += change
            square += float(change) * change
            state = int64(next_[state, drawn])
            played += 1
        nets[slot] += net
        squares[slot] += square
        if played < until:
            unknown = state
            break
    place[0], place[1] = state, played
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return unknown


@helper
def _leave(
    over: Ints, tray: Ints, state: Word, worth: Word, high: Word, low: Word, rolls: Word,
    stops: Ints, hows: Ints,
) -> None:  # fmt: skip
    """A session is over: at the goal, at the floor, or in ruin."""
    at = tray[ENDED]
    over[STATE, at], over[WORTH, at], over[HIGH, at], over[LOW, at] = state, worth, high, low
    over[HOW, at] = hows[0] if worth >= stops[0] else hows[1] if worth <= stops[1] else hows[2]
    over[ROLLS, at] = rolls
    tray[ENDED] = at + 1


@compiled(
    "i8(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8, i8, u8[::1], i8[:, ::1], "
    "i8[:, ::1], i8[::1])"
)
def play_sessions(
    next_: Cells, money: Cells, low: Ints, stops: Ints, hows: Ints, begun: int, rolls: int,
    rng: Words, seats: Ints, over: Ints, tray: Ints,
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
    at, kept, left = tray[AT], tray[KEPT], tray[ROLLS_LEFT]
    unknown: Word = int64(-1)
    while at < tray[COUNT]:
        state, worth, highest, lowest = seats[0, at], seats[1, at], seats[2, at], seats[3, at]
        left = rolls if left < 0 else left
        while left > 0 and low[state] <= worth < goal:
            drawn, s0, s1, s2, s3 = one(s0, s1, s2, s3, wide, short)
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
            _leave(over, tray, state, worth, highest, lowest, rolled, stops, hows)
        if unknown >= 0:
            break
        left = int64(-1)
        at += 1
    tray[AT], tray[KEPT], tray[ROLLS_LEFT] = at, kept, left
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return unknown


@compiled("void(i8[::1], i8, i8, u8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def _stride_lanes(
    cells: Ints, ways: int, strides: int, rng: Words, drawn: Ints,
    states: Ints, worths: Ints, highs: Ints, lows: Ints,
) -> None:  # fmt: skip
    """So many strides of every lane: the throws, where it comes to, how high and low it was."""
    wide: Word = uint64(ways)
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    for at in range(0, strides * LANES, LANES):
        for lane in range(0, LANES, 2):
            first, second, s0, s1, s2, s3 = two(s0, s1, s2, s3, wide, short)
            drawn[at + lane], drawn[at + lane + 1] = first, second
        for lane in range(LANES):
            worth = worths[lane]
            cell = cells[uint64(states[lane]) * wide + uint64(drawn[at + lane])]
            highs[lane] = max(highs[lane], worth + (cell << 16 >> 48))
            lows[lane] = min(lows[lane], worth + (cell << 32 >> 48))
            worths[lane] = worth + (cell >> 48)
            states[lane] = cell & 0xFFFF
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@helper
def _replay(
    next_: Cells, money: Cells, low: Ints, goal: int, ways: int, drawn: Ints, lane: Ints
) -> Word:
    """The strides of one session roll by roll, to the first that ends it; how many were made."""
    state, worth, rolled = lane[STATE], lane[WORTH], 0
    for stride in range(len(drawn)):
        part = ways
        while part > 1:
            if not low[state] <= worth < goal:
                break
            part //= next_.shape[1]
            outcome = drawn[stride] // part % next_.shape[1]
            worth += money[state, outcome]
            state = int64(next_[state, outcome])
            lane[HIGH], lane[LOW] = max(lane[HIGH], worth), min(lane[LOW], worth)
            rolled += 1
    lane[STATE], lane[WORTH] = state, worth
    return rolled


@compiled(
    "void(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8, i8, u8[::1], i8[:, ::1], "
    "i8[:, ::1], i8[::1], i8[::1], i8, i8, i8[::1])"
)
def stride_sessions(
    next_: Cells, money: Cells, low: Ints, stops: Ints, hows: Ints, begun: int, rolls: int,
    rng: Words, seats: Ints, over: Ints, tray: Ints,
    cells: Ints, ways: int, depth: int, safe: Ints,
) -> None:  # fmt: skip
    """As ``play_sessions``, for a closed machine and ``rolls`` that are whole strides: LANES
    sessions side by side, ``depth`` rolls a look-up (``Strides``), and after some of them it is
    seen who may have ended on the way: he plays them again, the same throws, one by one.
    """
    goal, drawn = stops[0], np.zeros(STRIDES * LANES, np.int64)
    states, worths = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    highs, lows = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    done = int64(0)
    while done < rolls:
        strides: Word = min((rolls - done) // depth, STRIDES)
        count, kept = tray[COUNT], int64(0)
        for at in range(0, count, LANES):
            for lane in range(LANES):
                states[lane], worth = seats[STATE, at + lane], seats[WORTH, at + lane]
                worths[lane] = highs[lane] = lows[lane] = worth
            _stride_lanes(cells, ways, strides, rng, drawn, states, worths, highs, lows)
            fine = count - at >= LANES
            for lane in range(LANES):
                fine &= (lows[lane] >= safe[seats[STATE, at + lane]]) & (highs[lane] < goal)
            if fine:
                for lane in range(LANES):
                    to, seat = kept + lane, at + lane
                    seats[HIGH, to] = max(seats[HIGH, seat], highs[lane])
                    seats[LOW, to] = min(seats[LOW, seat], lows[lane])
                    seats[STATE, to], seats[WORTH, to] = states[lane], worths[lane]
                kept += LANES
                continue
            for lane in range(min(LANES, count - at)):
                seat = at + lane
                if lows[lane] >= safe[seats[STATE, seat]] and highs[lane] < goal:
                    seats[HIGH, kept] = max(seats[HIGH, seat], highs[lane])
                    seats[LOW, kept] = min(seats[LOW, seat], lows[lane])
                    seats[STATE, kept], seats[WORTH, kept] = states[lane], worths[lane]
                    kept += 1
                    continue
                mine = seats[:, seat].copy()
                made = _replay(
                    next_, money, low, goal, ways, drawn[lane : strides * LANES : LANES], mine
                )
                state, worth = mine[STATE], mine[WORTH]
                if low[state] <= worth < goal:
                    seats[:, kept] = mine
                    kept += 1
                else:
                    made += begun + done
                    _leave(over, tray, state, worth, mine[HIGH], mine[LOW], made, stops, hows)
        tray[COUNT] = kept
        done += strides * depth


@compiled("void(i8[:, ::1], i8, i8[::1], i8, i8, i8[::1])")
def count_worths(seats: Ints, count: int, kinds: Ints, apart: int, least: int, many: Ints) -> None:
    """Count sessions by worth, from ``least`` up, and by kind: ``many[worth * apart + kind]``."""
    for seat in range(count):
        many[(seats[WORTH, seat] - least) * apart + kinds[seats[STATE, seat]]] += 1
