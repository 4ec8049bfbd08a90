"""Slow work in a background thread, and a cache of the pages made there.

The event loop, which deals every table, must not wait for a slow page. ``BackgroundRunner`` runs
one piece of work at a time in a thread; ``BackgroundPageCache`` also stores the latest pages.
"""

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

#: How many bytes of pages one cache keeps, and how many requests may wait for their turn.
_CACHE_BYTES: Final = 32 * 1024 * 1024
_MAX_WAITING: Final = 20


class BackgroundRunner:
    """Runs work in a thread, one piece at a time. ``max_waiting`` requests may wait for a turn."""

    def __init__(self, max_waiting: int = _MAX_WAITING) -> None:
        self._max_waiting, self._waiting = max_waiting, 0
        self._lock = asyncio.Lock()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run ``work`` in the thread and return its result. Raise ServiceError when too many
        requests wait.
        """
        async with self._turn():
            return await _run_in_thread(work)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._waiting >= self._max_waiting:
            raise ServiceError(
                "unavailable", "The server is busy. Try again in a moment.", retry_after=2
            )
        self._waiting += 1
        try:
            async with self._lock:
                yield
        finally:
            self._waiting -= 1


class BackgroundPageCache(BackgroundRunner):
    """Makes each page once, in a thread, and keeps the pages used last, up to ``max_bytes``."""

    def __init__(self, max_bytes: int = _CACHE_BYTES, max_waiting: int = _MAX_WAITING) -> None:
        super().__init__(max_waiting)
        self._max_bytes, self._bytes = max_bytes, 0
        self._pages: OrderedDict[Hashable, CachedBody] = OrderedDict()

    async def get_page(self, key: Hashable, make: Callable[[], str]) -> CachedBody:
        """Return the page of a key. Make it with ``make`` if it is not in the cache.

        Raise ServiceError when too many requests wait.
        """
        if key not in self._pages:
            async with self._turn():
                if key not in self._pages:
                    return self._store(key, await _run_in_thread(lambda: prepare_body(make())))
        self._pages.move_to_end(key)
        return self._pages[key]

    def _store(self, key: Hashable, page: CachedBody) -> CachedBody:
        self._pages[key] = page
        self._bytes += _count_bytes(page)
        while self._bytes > self._max_bytes:
            _, oldest = self._pages.popitem(last=False)
            self._bytes -= _count_bytes(oldest)
        return page


def _count_bytes(page: CachedBody) -> int:
    return len(page.body) + len(page.gzipped)


async def _run_in_thread(work: Callable[[], Result]) -> Result:
    """Run work in a daemon thread, so that a stopping server does not wait for it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def finish(result: Result | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # The loop is closed: the server has stopped.
            loop.call_soon_threadsafe(finish, result, error)

    context = copy_context()  # The page is made with the request's navigation.
    Thread(target=context.run, args=(run,), daemon=True).start()
    return await future
