"""Ids that are used once: held for a whole log in flat memory."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from tempfile import TemporaryFile
from typing import IO, Final

#: So many heaps, by the first byte of what is kept, each looked through by itself at the end.
_BUCKETS: Final = 32
#: Bytes of a heap that stay in memory; the rest of it goes to a file that has no name.
_MEMORY_BYTES: Final = 64 * 1024
_ID_RECORD = Struct("16sQ")


class _IdBucket:
    def __init__(self) -> None:
        self._near = bytearray()
        self._far: IO[bytes] | None = None

    def add(self, kept: bytes) -> None:
        self._near += kept
        if len(self._near) >= _MEMORY_BYTES:
            self._far = self._far or TemporaryFile()  # noqa: SIM115
            self._far.write(self._near)
            self._near.clear()

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Entries with the id of an earlier one, and that one. The heap is gone then."""
        whole = bytes(self._near)
        if self._far is not None:
            with self._far:
                self._far.seek(0)
                whole = self._far.read() + whole
        first: dict[bytes, int] = {}
        for digest, seq in _ID_RECORD.iter_unpack(whole):
            if digest in first:
                yield seq, first[digest]
            else:
                first[digest] = seq


class RequestIdIndex:
    """Speakers' ids by their digests, each with its entry's number."""

    def __init__(self) -> None:
        self._heaps = [_IdBucket() for _ in range(_BUCKETS)]

    def add(self, speaker: bytes, seq: int) -> None:
        """Keep one: 32 bytes that stand for a role, a speaker and an id."""
        self._heaps[speaker[0] % _BUCKETS].add(_ID_RECORD.pack(speaker[:16], seq))

    def repeated(self) -> tuple[int, int] | None:
        """The first entry whose id an earlier one has, and that one; None: there is no such."""
        return min((pair for heap in self._heaps for pair in heap.pairs()), default=None)
