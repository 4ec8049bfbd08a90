"""Find request ids that a log uses twice, in little memory for a log of any length.

Ids go into buckets by their first byte; large buckets go to temporary files.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from tempfile import TemporaryFile
from typing import IO, Final

#: The number of buckets. Each is searched by itself at the end.
_BUCKETS: Final = 32
#: Bytes of a bucket that stay in memory; the rest goes to a temporary file.
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
        """Yield entries that repeat an earlier id, with the earlier entry. Empty the bucket."""
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
    """The request keys of a log, each with its entry's number."""

    def __init__(self) -> None:
        self._buckets = [_IdBucket() for _ in range(_BUCKETS)]

    def add(self, speaker: bytes, seq: int) -> None:
        """Add a 32-byte request key (see `store.request_key`)."""
        self._buckets[speaker[0] % _BUCKETS].add(_ID_RECORD.pack(speaker[:16], seq))

    def find_repeated(self) -> tuple[int, int] | None:
        """Return the first entry number that repeats a request id, and the earlier one, or None."""
        return min((pair for bucket in self._buckets for pair in bucket.pairs()), default=None)
