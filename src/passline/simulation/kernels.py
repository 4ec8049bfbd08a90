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
#: The rows of the seats in ``play_sessions``: one column for each session being played.
STATE, WORTH, LEFT, MARK, TRIAL, HIGH, LOW = range(7)
NEXT, NOTED = range(2)  # its tray: the next trial, and whether worths were noted lately
#: Worths are noted with the kind of state that they were left in, in the lowest bits.
KIND_BITS = 24
#: Sessions whose worths are noted at least so often are begun in step, to be noted together.
IN_STEP = 100

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
    cells: Ints,
    ways: int,
    state_bits: int,
    square_bits: int,
    most: int,
    steps: int,
    rng: Words,
    at: Ints,
    nets: Ints,
    squares: Floats,
) -> None:
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
    cells: Ints,
    ways: int,
    state_bits: int,
    square_bits: int,
    most: int,
    steps: int,
    rng: Words,
    at: Ints,
    nets: Ints,
    squares: Floats,
) -> None:
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
    next_: Cells,
    money: Cells,
    rolls: int,
    batch: int,
    rng: Words,
    place: Ints,
    nets: Ints,
    squares: Floats,
) -> int:
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
def _key(seats: Ints, lane: int, kinds: Ints) -> Word:  # a worth, and the kind of its state
    return (seats[WORTH, lane] << KIND_BITS) | kinds[seats[STATE, lane]]


@helper
def _note(seats: Ints, kinds: Ints, marks: Ints, worths: Ints) -> bool:
    """Note the worths of sessions that have come to a mark; whether there were any."""
    noted = False
    for lane in range(LANES):
        if seats[LEFT, lane] == 0 and seats[TRIAL, lane] >= 0 and seats[MARK, lane] < len(marks):
            mark = seats[MARK, lane]
            worths[seats[TRIAL, lane], mark] = _key(seats, lane, kinds)
            seats[MARK, lane] = mark + 1
            seats[LEFT, lane] = marks[mark + 1] - marks[mark] if mark + 1 < len(marks) else 0
            noted = True
    return noted


@helper
def _leave(
    seats: Ints, lane: int, how: int, kinds: Ints, marks: Ints, worths: Ints, ends: Ints
) -> None:
    """A session is over: how, after how many rolls, its extremes; its worth from now on."""
    mark, trial = seats[MARK, lane], seats[TRIAL, lane]
    ends[trial, 0] = how
    ends[trial, 1] = marks[mark] - seats[LEFT, lane] if mark < len(marks) else marks[-1]
    ends[trial, 2] = seats[HIGH, lane]
    ends[trial, 3] = seats[LOW, lane]
    for at in range(mark, len(marks)):
        worths[trial, at] = _key(seats, lane, kinds)
    seats[TRIAL, lane] = -1


@helper
def _settle(
    seats: Ints,
    next_: Cells,
    low: Ints,
    stops: Ints,
    hows: Ints,
    kinds: Ints,
    marks: Ints,
    worths: Ints,
    ends: Ints,
) -> Word:
    """End the sessions that end here: goal, floor, ruin, the last roll, in this order; a state that
    is not explored yet, or -1."""
    for lane in range(LANES):
        state, worth = seats[STATE, lane], seats[WORTH, lane]
        over = seats[MARK, lane] == len(marks)
        if seats[TRIAL, lane] < 0 or not (over or worth < low[state] or worth >= stops[0]):
            continue
        if worth >= stops[0]:
            how = hows[0]
        elif worth <= stops[1]:
            how = hows[1]
        elif next_[state, 0] < 0:
            return state
        elif worth < low[state]:
            how = hows[2]
        else:
            how = hows[3]
        _leave(seats, lane, how, kinds, marks, worths, ends)
    return int64(-1)


@helper
def _seat(seats: Ints, tray: Ints, stops: Ints, marks: Ints, trials: int) -> bool:
    """Let the next sessions sit down at empty seats, if it is time; whether anybody did.

    Those whose worths are noted often begin in step. An empty seat (trial -1) rolls for nobody."""
    join = tray[NOTED] > 0 or marks[0] > IN_STEP or seats[TRIAL].max() < 0
    tray[NOTED] = 0
    seated = False
    for lane in range(LANES):
        if seats[TRIAL, lane] >= 0:
            continue
        seats[STATE, lane], seats[WORTH, lane] = stops[3], stops[2]
        seats[HIGH, lane] = seats[LOW, lane] = stops[2]
        seats[MARK, lane], seats[LEFT, lane] = 0, marks[-1]
        if join and tray[NEXT] < trials:
            seats[LEFT, lane], seats[TRIAL, lane] = marks[0], tray[NEXT]
            tray[NEXT] += 1
            seated = True
    return seated


@compiled(
    "i8(i4[:, ::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, u8[::1], "
    "i8[:, ::1], i8[::1], i8[:, ::1], i8[:, ::1])"
)
def play_sessions(
    next_: Cells,
    money: Cells,
    low: Ints,
    stops: Ints,
    hows: Ints,
    kinds: Ints,
    marks: Ints,
    rounds: int,
    rng: Words,
    seats: Ints,
    tray: Ints,
    worths: Ints,
    ends: Ints,
) -> Word:
    """Play LANES sessions side by side for so many rounds, or until all are over.

    ``stops`` is (goal, floor, bankroll, opening state); ``hows`` is what is noted of a session
    that ends at the goal, at the floor, in ruin, and with the last roll; ``kinds[state]`` is noted
    with a worth. ``low[state]`` is the
    worth under which a session ends: what the state needs, or the floor, and no end of money where
    it is not explored. ``marks`` are the rolls after which ``worths[trial]`` is noted, the last of
    them the end. Returns a state that is not explored yet, or -1.
    """
    wide: Word = uint64(next_.shape[1])
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    states, wealth, left = seats[STATE], seats[WORTH], seats[LEFT]
    highest, lowest = seats[HIGH], seats[LOW]
    drawn = np.zeros(LANES, np.int64)
    unknown: Word = int64(-1)
    while rounds > 0:
        tray[NOTED] += _note(seats, kinds, marks, worths)
        unknown = _settle(seats, next_, low, stops, hows, kinds, marks, worths, ends)
        if unknown >= 0:
            break
        if seats[TRIAL].min() < 0:
            if _seat(seats, tray, stops, marks, len(worths)):
                continue
            if seats[TRIAL].max() < 0:
                break
        tray[NOTED] = 0
        quiet, played, up = min(rounds, left.min()), 0, False
        while played < quiet and not up:
            for lane in range(0, LANES, 2):
                drawn[lane], drawn[lane + 1], s0, s1, s2, s3 = two(s0, s1, s2, s3, wide, short)
            for lane in range(LANES):
                state = states[lane]
                worth = wealth[lane] + money[state, drawn[lane]]
                state = int64(next_[state, drawn[lane]])
                states[lane], wealth[lane] = state, worth
                highest[lane] = max(highest[lane], worth)
                lowest[lane] = min(lowest[lane], worth)
                up |= worth < low[state] or worth >= stops[0]
            played += 1
        for lane in range(LANES):
            left[lane] -= played
        rounds -= played
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return unknown
