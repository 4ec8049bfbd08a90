"""Random generators: each piece of a run has its own, made from the run's seed and its number.

A piece is what one worker plays at a time. So the result depends on the seed only, not on the
number of workers.
"""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.arrays import WordArray

#: Seeds are below this.
SEED_LIMIT = 2**64


def draw_seed() -> int:
    """Return a random seed that is short enough to type."""
    return secrets.randbelow(2**32)


def make_generator(seed: int, piece: int) -> WordArray:
    """Return the state of the xoshiro256++ generator for piece number ``piece`` of a run.

    Raise ValueError unless the seed is from 0 to 2**64 - 1.

    >>> make_generator(1, 0).shape, bool((make_generator(1, 0) == make_generator(1, 1)).any())
    ((4,), False)
    """
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed {seed}: expected a whole number from 0 to 2**64 - 1")
    seeds = np.random.SeedSequence(seed, spawn_key=(piece,))
    return seeds.generate_state(4, np.uint64).astype(np.uint64)


_GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)


def _mix_bits(words: WordArray) -> WordArray:
    """Mix the bits of each word: the finalizer of SplitMix64 (Steele, Lea and Flood)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def hash_seed(seed: int) -> int:
    """Return a 64-bit number made from a run's seed, from which its GPU games are seeded."""
    with np.errstate(over="ignore"):
        return int(_mix_bits(np.array([seed], np.uint64) + _GOLDEN_RATIO)[0])


def make_streams(seed: int, first: int, games: int) -> NDArray[np.uint32]:
    """Return the xoshiro128++ states of ``games`` GPU games from number ``first`` on, a row each.

    >>> make_streams(7, 5, 1).tolist() == make_streams(7, 0, 6)[5:].tolist()
    True
    """
    with np.errstate(over="ignore"):
        run = np.uint64(hash_seed(seed))
        numbers = np.arange(first, first + games, dtype=np.uint64) + np.uint64(1)
        words = _mix_bits(run + numbers * _GOLDEN_RATIO)
        pairs = np.stack(
            [_mix_bits(words + _GOLDEN_RATIO), _mix_bits(words + _GOLDEN_RATIO + _GOLDEN_RATIO)],
            axis=1,
        )
    streams = np.ascontiguousarray(pairs).view(np.uint32).reshape(games, 4)
    # A generator whose state is all zeros would return only zeros.
    streams[:, 0] |= np.uint32((streams == 0).all(axis=1))
    return streams
