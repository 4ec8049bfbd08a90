"""What a card does, in numpy: the same draws of the same table for many games at once."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.chain import Chain
from passline.lab.sessions.plan_and_result import (
    END_GOAL,
    END_ROLLS_PLAYED,
    END_RUIN,
    END_STOP_LOSS,
    Plan,
)
from passline.lab.simulation.gpu.alias_table import DRAW_BITS, AliasTable
from passline.lab.simulation.seeds import make_streams

Words = NDArray[np.uint32]
Numbers = NDArray[np.int64]
FAR = 2**60


class Sat(NamedTuple):
    """How so many sessions ended, by worth and kind, and the rolls of all of them."""

    ended: list[int]
    worths: Counter[tuple[int, int]]
    rolls: int


def spin(words: Words, by: int) -> Words:
    return (words << np.uint32(by)) | (words >> np.uint32(DRAW_BITS - by))


def draw(streams: Words, who: NDArray[np.bool_]) -> Words:
    """xoshiro128++, for those games alone that ``who`` names."""
    s0, s1, s2, s3 = (streams[:, column].copy() for column in range(4))
    bits = spin(s0 + s3, 7) + s0
    shifted = s1 << np.uint32(9)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = spin(s3, 11)
    streams[who] = np.stack([s0, s1, s2, s3], axis=1)[who]
    return bits


def decide(streams: Words, game: int, whole: int, rest: int) -> bool:
    """Whether one of ``whole`` chances is below the rest, by further draws of the game's."""
    alone = np.zeros(len(streams), bool)
    alone[game] = True
    while True:
        high, low = (int(draw(streams, alone)[game]) for _ in range(2))
        product = (high << 32 | low) * whole
        if product % 2**64 >= 2**64 % whole:
            return product >> 64 < rest


def play(
    table: AliasTable, streams: Words, states: Numbers, draws: int
) -> tuple[Numbers, Numbers, Numbers]:
    """The nets and the squares of each game, in units, and where it stands."""
    nets, squares = np.zeros((2, len(streams)), np.int64)
    below_bits = DRAW_BITS - table.column_bits
    everybody = np.ones(len(streams), bool)
    for _ in range(draws):
        bits = draw(streams, everybody)
        column = bits >> np.uint32(below_bits)
        below = bits & np.uint32(2**below_bits - 1)
        cut = table.cuts[states, column]
        first = below < cut
        for game in np.flatnonzero(below == cut):
            rest = int(table.rests[states[game], column[game]])
            first[game] = decide(streams, int(game), table.whole, rest)
        outcomes = table.outcomes[states, column, np.where(first, 0, 1)].astype(np.int64)
        changes = (outcomes >> table.state_bits) + table.least
        nets += changes
        squares += changes**2
        states = outcomes & (2**table.state_bits - 1)
    return nets, squares, states


def sit(table: AliasTable, chain: Chain, plan: Plan, trials: int, seed: int) -> Sat:
    """Sessions one by one, as a card plays them; looks at the end alone."""
    ended, worths, rolls = [0, 0, 0, 0], Counter[tuple[int, int]](), 0
    goal = FAR if plan.goal is None else plan.goal
    floor = -FAR if plan.floor is None else plan.floor
    for trial in range(trials):
        stream, state, worth = make_streams(seed, trial, 1), np.array([table.start]), plan.bankroll
        for rolled in range(plan.rolls + 1):
            at = int(state[0])
            tests = (worth < chain.need[at], worth >= goal, worth <= floor, rolled == plan.rolls)
            how = next(
                (
                    end
                    for end in (END_GOAL, END_STOP_LOSS, END_RUIN, END_ROLLS_PLAYED)
                    if tests[end]
                ),
                None,
            )
            if how is not None:
                ended[how] += 1
                rolls += rolled
                worths[worth, chain.kinds[at]] += 1
                break
            nets, _, state = play(table, stream, state, 1)
            worth += int(nets[0]) * table.unit
    return Sat(ended, worths, rolls)
