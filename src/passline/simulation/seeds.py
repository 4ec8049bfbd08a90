"""Seeds: every piece of the work has its own, made from the run's seed and the piece's number."""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

#: Seeds are under this: two words of the generator's 64 bits would be no better.
SEEDS = 2**64


def fresh_seed() -> int:
    """A seed that nobody chose, short enough to be typed again."""
    return secrets.randbelow(2**32)


def generator(seed: int, piece: int) -> NDArray[np.uint64]:
    """The state of the piece's own xoshiro256++.

    >>> generator(1, 0).shape, bool((generator(1, 0) == generator(1, 1)).any())
    ((4,), False)
    """
    if not 0 <= seed < SEEDS:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    seeds = np.random.SeedSequence(seed, spawn_key=(piece,))
    return seeds.generate_state(4, np.uint64).astype(np.uint64)
