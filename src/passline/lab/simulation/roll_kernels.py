"""Compiled loops that play rolls: draw dice, look up transitions, add up money.

The dice come from xoshiro256++ (Blackman and Vigna). Each half of a 64-bit draw becomes one of
``ways`` outcomes by Lemire's multiplication. To make all outcomes equally likely, a few draws are
repeated.

Loops use only constants of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from passline.lab.machines.arrays import FloatArray, Int32Array, IntArray, WordArray
from passline.lab.machines.compile_loops import compile_helper, compile_loop

#: A machine word. The compiler takes its type from the signatures.
Word = Any

#: The games that ``play_lanes`` plays side by side, to hide the latency of look-ups.
LANES = 8
_LOW_32_BITS = np.uint64(0xFFFFFFFF)


@compile_helper
def draw_bits(s0: Word, s1: Word, s2: Word, s3: Word) -> tuple[Word, Word, Word, Word, Word]:
    """Draw from xoshiro256++. Return (64 random bits, and the four words of its next state).

    The arguments are the four words of the generator's state.
    """
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


@compile_helper
def draw_two_outcomes(
    s0: Word, s1: Word, s2: Word, s3: Word, ways: Word, short: Word
) -> tuple[Word, ...]:
    """Return (first, second, and the next state of the generator): two outcomes below ``ways``.

    Each outcome is uniform. ``s0`` to ``s3`` are the state of the generator. ``short`` is 2**32 mod
    ``ways``: draws below it are repeated, so that no outcome is favored.
    """
    bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
    first = (bits & _LOW_32_BITS) * ways
    second = (bits >> uint64(32)) * ways
    while (first & _LOW_32_BITS) < short or (second & _LOW_32_BITS) < short:
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        first = (bits & _LOW_32_BITS) * ways
        second = (bits >> uint64(32)) * ways
    return int64(first >> uint64(32)), int64(second >> uint64(32)), s0, s1, s2, s3


@compile_helper
def draw_outcome(
    s0: Word, s1: Word, s2: Word, s3: Word, ways: Word, short: Word
) -> tuple[Word, ...]:
    """Return (outcome, and the next state of the generator): one outcome, uniform below ``ways``.

    ``s0`` to ``s3`` are the state of the generator. ``short`` is 2**32 mod ``ways``: draws below it
    are repeated, so that no outcome is favored.
    """
    bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
    drawn = (bits >> uint64(32)) * ways
    while (drawn & _LOW_32_BITS) < short:
        bits, s0, s1, s2, s3 = draw_bits(s0, s1, s2, s3)
        drawn = (bits >> uint64(32)) * ways
    return int64(drawn >> uint64(32)), s0, s1, s2, s3


@compile_loop("void(i8[::1], i8, i8, i8, i8, i8, u8[::1], i8[::1], i8[:, ::1], f8[:, ::1])")
def play_lanes(
    cells: IntArray, ways: int, state_bits: int, square_bits: int, most: int, steps: int,
    rng: WordArray, at: IntArray, nets: IntArray, squares: FloatArray,
) -> None:  # fmt: skip
    """Play LANES games side by side, with ``steps`` table look-ups of each game in each batch.

    Add each batch's money to ``nets[batch, game]`` and its squared changes to ``squares``. ``rng``,
    the generator, and ``at``, the state of each game, are updated in place. ``cells`` and the
    numbers after it are those of a ``LookupTable``: a cell packs money, sum of squares and next
    state into one word. Words are added up for at most ``most`` look-ups and then unpacked, so that
    the squares never overflow into the money.
    """
    wide = uint64(ways)
    short = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    state_mask = (int64(1) << state_bits) - 1
    square_mask = (int64(1) << square_bits) - 1
    sums = np.zeros(LANES, np.int64)
    # A local copy avoids false sharing: the caller's array may share a cache line with another
    # worker's.
    places = at.copy()
    for batch in range(len(nets)):
        left = steps
        while left > 0:
            now = min(left, most)
            left -= now
            sums[:] = 0
            for _ in range(now):
                for lane in range(0, LANES, 2):
                    first, second, s0, s1, s2, s3 = draw_two_outcomes(s0, s1, s2, s3, wide, short)
                    cell = cells[places[lane] * ways + first]
                    sums[lane] += cell >> state_bits
                    places[lane] = cell & state_mask
                    cell = cells[places[lane + 1] * ways + second]
                    sums[lane + 1] += cell >> state_bits
                    places[lane + 1] = cell & state_mask
            for lane in range(LANES):
                nets[batch, lane] += sums[lane] >> square_bits
                squares[batch, lane] += sums[lane] & square_mask
    at[:] = places
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compile_loop("void(i8[::1], i8, i8, i8, i8, i8, u8[::1], i8[::1], i8[:, ::1], f8[:, ::1])")
def play_single_game(
    cells: IntArray, ways: int, state_bits: int, square_bits: int, most: int, steps: int,
    rng: WordArray, at: IntArray, nets: IntArray, squares: FloatArray,
) -> None:  # fmt: skip
    """Play one game as ``play_lanes`` plays several, with the same arguments.

    Add its results to column 0 of ``nets`` and ``squares``.
    """
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
                drawn, s0, s1, s2, s3 = draw_outcome(s0, s1, s2, s3, wide, short)
                cell = cells[state * ways + drawn]
                total += cell >> state_bits
                state = cell & state_mask
            nets[batch, 0] += total >> square_bits
            squares[batch, 0] += total & square_mask
    at[0] = state
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@compile_loop("i8(i4[:, ::1], i4[:, ::1], i8, i8, u8[::1], i8[::1], i8[::1], f8[::1])")
def play_states(
    next_: Int32Array, money: Int32Array, rolls: int, batch: int,
    rng: WordArray, place: IntArray, nets: IntArray, squares: FloatArray,
) -> int:  # fmt: skip
    """Continue one game until it has ``rolls`` rolls, on arrays that are not fully explored.

    ``next_[state, outcome]`` is the next state (negative: not explored yet), and ``money[state,
    outcome]`` the change in cents. ``place`` is (state, rolls played), updated in place like
    ``rng``. Add the money of the k-th ``batch`` rolls to ``nets[k]`` and its squares to
    ``squares[k]``; rolls after the last batch go to the last entry. Return the unexplored state
    that stopped the game, or -1.
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
            drawn, s0, s1, s2, s3 = draw_outcome(s0, s1, s2, s3, wide, short)
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
