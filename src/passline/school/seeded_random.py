"""Chance that is the same everywhere: a seed's questions are those of every machine and Python.

``random``'s own methods may change from one Python to the next; these are a hash and a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

_T = TypeVar("_T")
_DRAW_BITS = 64


class SeededRandom:
    """Draws from a seed, one after the other.

    >>> draws = SeededRandom("7", "payoffs")
    >>> [draws.below(6) for _ in range(5)]
    [4, 4, 1, 3, 2]
    """

    def __init__(self, *seed: object) -> None:
        self._key = "\x1f".join(map(str, seed)).encode("utf-8", "replace")
        self._count = 0

    def below(self, number: int) -> int:
        """A whole number from zero, below this one; each as likely as the others."""
        most = (1 << _DRAW_BITS) - (1 << _DRAW_BITS) % number
        while True:
            self._count += 1
            drawn = sha256(self._key + b"\x1f%d" % self._count).digest()
            found = int.from_bytes(drawn[: _DRAW_BITS // 8], "big")
            if found < most:
                return found % number

    def between(self, low: int, high: int) -> int:
        """A whole number from one to the other, both included."""
        return low + self.below(high - low + 1)

    def pick(self, those: Sequence[_T]) -> _T:
        """One of these."""
        return those[self.below(len(those))]

    def sample(self, those: Sequence[_T], count: int) -> list[_T]:
        """So many of these, none twice; all of them, where there are fewer."""
        return self.shuffled(those)[:count]

    def shuffled(self, those: Sequence[_T]) -> list[_T]:
        """All of these, in any order."""
        left = list(those)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def one_in(self, number: int) -> bool:
        """True as often as once in this number."""
        return self.below(number) == 0
