"""Seeds of the games on a card: a game's generator is made of the run's seed and its number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finalizer (Steele, Lea and Flood)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def run_of(seed: int) -> int:
    """A run's own number, of which its games' are made."""
    with np.errstate(over="ignore"):
        return int(_mixed(np.array([seed], np.uint64) + _GOLDEN)[0])


def streams_of(seed: int, first: int, games: int) -> NDArray[np.uint32]:
    """The state of xoshiro128++ of each of ``games``, from the number ``first`` on.

    >>> streams_of(7, 5, 1).tolist() == streams_of(7, 0, 6)[5:].tolist()
    True
    """
    with np.errstate(over="ignore"):
        run = np.uint64(run_of(seed))
        numbers = np.arange(first, first + games, dtype=np.uint64) + np.uint64(1)
        words = _mixed(run + numbers * _GOLDEN)
        pairs = np.stack([_mixed(words + _GOLDEN), _mixed(words + _GOLDEN + _GOLDEN)], axis=1)
    streams = np.ascontiguousarray(pairs).view(np.uint32).reshape(games, 4)
    streams[:, 0] |= np.uint32((streams == 0).all(axis=1))  # the one state that goes nowhere
    return streams
