"""Random numbers from a seed, the same on every machine and in every version of Python.

The methods of Python's ``random`` may change between versions; these use a hash and a counter.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

_T = TypeVar("_T")
_DRAW_BITS = 64


class SeededRandom:
    """A sequence of random numbers from a seed.

    >>> draws = SeededRandom("7", "payoffs")
    >>> [draws.below(6) for _ in range(5)]
    [4, 4, 1, 3, 2]
    """

    def __init__(self, *seed: object) -> None:
        self._key = "\x1f".join(map(str, seed)).encode("utf-8", "replace")
        self._count = 0

    def below(self, number: int) -> int:
        """Return a whole number from 0 up to but not including ``number``, each equally likely."""
        most = (1 << _DRAW_BITS) - (1 << _DRAW_BITS) % number
        while True:
            self._count += 1
            drawn = sha256(self._key + b"\x1f%d" % self._count).digest()
            found = int.from_bytes(drawn[: _DRAW_BITS // 8], "big")
            if found < most:
                return found % number

    def between(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[_T]) -> _T:
        """Return a random one of the items, which must not be empty."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[_T], count: int) -> list[_T]:
        """Return ``count`` different items in random order, or all of them if there are fewer."""
        return self.shuffled(items)[:count]

    def shuffled(self, items: Sequence[_T]) -> list[_T]:
        """Return all items in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def one_in(self, number: int) -> bool:
        """Return True with a chance of one in ``number``."""
        return self.below(number) == 0
