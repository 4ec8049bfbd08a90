"""Pages that take a while to make: made beside the loop, one at a time, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from passline.live.asks import HallError
from passline.web.sending import Kept, keep

#: Bytes of pages that are kept, and people who may wait for one to be made.
_KEPT: Final = 32 * 1024 * 1024
_WAITING: Final = 20


class Workshop:
    """Makes pages in a thread. A page is made once, whoever asks, and the latest are kept."""

    def __init__(self, kept: int = _KEPT, waiting: int = _WAITING) -> None:
        self._most, self._longest, self._held = kept, waiting, 0
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def made(self, key: Hashable, make: Callable[[], str]) -> Kept:
        """The page of a key. HallError 503 where too many people wait for pages."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if self._waiting >= self._longest:
            raise HallError(503, "too many pages are being made: try again", retry_after=2)
        self._waiting += 1
        try:
            async with self._turn:
                if key not in self._kept:
                    return self._put(key, await asyncio.to_thread(lambda: keep(make())))
                return self._kept[key]
        finally:
            self._waiting -= 1

    def _put(self, key: Hashable, made: Kept) -> Kept:
        self._kept[key] = made
        self._held += _size(made)
        while self._held > self._most:
            _, gone = self._kept.popitem(last=False)
            self._held -= _size(gone)
        return made


def _size(kept: Kept) -> int:
    return len(kept.body) + len(kept.zipped)
