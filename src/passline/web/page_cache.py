"""What takes a while: done beside the loop, one at a time; pages that were made are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from threading import Thread
from typing import Final, TypeVar

from passline.live.requests import ServiceError
from passline.web.responses import CachedBody, prepare_body

Result = TypeVar("Result")

#: Bytes of pages that are kept, and people who may wait for one to be made.
_CACHE_BYTES: Final = 32 * 1024 * 1024
_MAX_WAITING: Final = 20


class BackgroundPageCache:
    """Works in a thread, so that no table waits. A page is made once, and the latest are kept."""

    def __init__(self, kept: int = _CACHE_BYTES, waiting: int = _MAX_WAITING) -> None:
        self._most, self._max_waiting, self._held = kept, waiting, 0
        self._kept: OrderedDict[Hashable, CachedBody] = OrderedDict()
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def made(self, key: Hashable, make: Callable[[], str]) -> CachedBody:
        """The page of a key. ServiceError (``unavailable``) where too many people wait."""
        if key not in self._kept:
            async with self._turn():
                if key not in self._kept:
                    return self._put(key, await _run_in_thread(lambda: prepare_body(make())))
        self._kept.move_to_end(key)
        return self._kept[key]

    async def done(self, work: Callable[[], Result]) -> Result:
        """What comes of some work. ServiceError (``unavailable``) where too many people wait."""
        async with self._turn():
            return await _run_in_thread(work)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._waiting >= self._max_waiting:
            raise ServiceError(
                "unavailable", "too much is asked for at once: try again", retry_after=2
            )
        self._waiting += 1
        try:
            async with self._lock:
                yield
        finally:
            self._waiting -= 1

    def _put(self, key: Hashable, made: CachedBody) -> CachedBody:
        self._kept[key] = made
        self._held += _body_size(made)
        while self._held > self._most:
            _, gone = self._kept.popitem(last=False)
            self._held -= _body_size(gone)
        return made


def _body_size(kept: CachedBody) -> int:
    return len(kept.body) + len(kept.gzipped)


async def _run_in_thread(work: Callable[[], Result]) -> Result:
    """Work done in a thread that nobody waits for when the server ends."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def tell(result: Result | None, wrong: BaseException | None) -> None:
        if future.cancelled():
            return
        if wrong is not None:
            future.set_exception(wrong)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, wrong = None, None
        try:
            result = work()
        except BaseException as raised:
            wrong = raised
        with suppress(RuntimeError):  # the loop is closed: nobody asks any more
            loop.call_soon_threadsafe(tell, result, wrong)

    told = copy_context()  # what the request is told of its server holds for its page too
    Thread(target=told.run, args=(run,), daemon=True).start()
    return await future
