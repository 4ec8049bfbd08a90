"""What a card does, in numpy: the same draws of the same table for many games at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.simulation.gpu.alias import BITS, AliasTable

Words = NDArray[np.uint32]
Numbers = NDArray[np.int64]


def spin(words: Words, by: int) -> Words:
    return (words << np.uint32(by)) | (words >> np.uint32(BITS - by))


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
    below_bits = BITS - table.column_bits
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
        outs = table.outs[states, column, np.where(first, 0, 1)].astype(np.int64)
        changes = (outs >> table.state_bits) + table.least
        nets += changes
        squares += changes**2
        states = outs & (2**table.state_bits - 1)
    return nets, squares, states
