"""Ids that are used once: held for a whole log in flat memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from struct import Struct
from tempfile import SpooledTemporaryFile
from typing import IO, Final

#: So many heaps, by the first byte of what is kept, each looked through by itself at the end.
_HEAPS: Final = 32
#: Bytes of a heap that stay in memory; more of it goes to a file that has no name.
_AT_HAND: Final = 128 * 1024
_KEPT = Struct("16sQ")


class Ids:
    """Speakers' ids by their digests, each with its entry's number."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._heaps: list[IO[bytes]] = [
            self._open.enter_context(SpooledTemporaryFile(_AT_HAND))  # type: ignore[arg-type]
            for _ in range(_HEAPS)
        ]

    def add(self, speaker: bytes, seq: int) -> None:
        """Keep one: 32 bytes that stand for a role, a speaker and an id."""
        self._heaps[speaker[0] % _HEAPS].write(_KEPT.pack(speaker[:16], seq))

    def repeated(self) -> tuple[int, int] | None:
        """The first entry whose id an earlier one has, and that one; the heaps are gone then."""
        with self._open:
            return min((pair for heap in self._heaps for pair in _pairs(heap)), default=None)


def _pairs(heap: IO[bytes]) -> Iterator[tuple[int, int]]:
    heap.seek(0)
    first: dict[bytes, int] = {}
    for digest, seq in _KEPT.iter_unpack(heap.read()):
        if digest in first:
            yield seq, first[digest]
        else:
            first[digest] = seq
