"""Seeds: every piece of the work has its own, made from the run's seed and the piece's number.

Seeds of the games on a card: a game's generator is made of the run's seed and its number.
"""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

#: Seeds are under this: two words of the generator's 64 bits would be no better.
SEED_LIMIT = 2**64


def draw_seed() -> int:
    """A seed that nobody chose, short enough to be typed again."""
    return secrets.randbelow(2**32)


def make_generator(seed: int, piece: int) -> NDArray[np.uint64]:
    """The state of the piece's own xoshiro256++.

    >>> make_generator(1, 0).shape, bool((make_generator(1, 0) == make_generator(1, 1)).any())
    ((4,), False)
    """
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    seeds = np.random.SeedSequence(seed, spawn_key=(piece,))
    return seeds.generate_state(4, np.uint64).astype(np.uint64)


_GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)


def _mix_bits(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finalizer (Steele, Lea and Flood)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def hash_seed(seed: int) -> int:
    """A run's own number, of which its games' are made."""
    with np.errstate(over="ignore"):
        return int(_mix_bits(np.array([seed], np.uint64) + _GOLDEN_RATIO)[0])


def make_streams(seed: int, first: int, games: int) -> NDArray[np.uint32]:
    """The state of xoshiro128++ of each of ``games``, from the number ``first`` on.

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
    streams[:, 0] |= np.uint32((streams == 0).all(axis=1))  # the one state that goes nowhere
    return streams
