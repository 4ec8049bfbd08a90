"""Run slow work in a background thread, and cache the values and pages that it makes.

The event loop, which deals every table, must not wait for a slow page. ``BackgroundRunner`` runs
one piece of work at a time in a thread; the caches also store the latest results.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from threading import Thread
from typing import Final, Generic, TypeVar, TypeVarTuple, Unpack

from starlette.requests import Request
from starlette.responses import Response

from passline.web.request_limits import limit_error
from passline.web.responses import CachedBody, cached_response, prepare_body

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

#: How many bytes of pages one cache keeps, and how many requests may wait for their turn.
_CACHE_BYTES: Final = 32 * 1024 * 1024
_MAX_WAITING: Final = 20


class BackgroundRunner:
    """Runs work in a thread, one piece at a time, for at most ``max_waiting`` callers at once."""

    def __init__(self, max_waiting: int = _MAX_WAITING) -> None:
        self._max_waiting, self._waiting = max_waiting, 0
        self._lock = asyncio.Lock()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run ``work`` in the thread and return its result.

        Raise ServiceError if too many callers wait.
        """
        async with self._turn():
            return await _run_in_thread(work)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._waiting >= self._max_waiting:
            raise limit_error("unavailable", "busy", 2)
        self._waiting += 1
        try:
            async with self._lock:
                yield
        finally:
            self._waiting -= 1


class BackgroundCache(BackgroundRunner, Generic[Result]):
    """Computes each value once, in a thread, and stores it until newer ones take its place.

    ``max_size`` is the total size of the stored values; the least recently used are dropped.
    ``size_of`` returns the size of a value, 1 by default.
    """

    def __init__(
        self,
        max_size: int,
        size_of: Callable[[Result], int] = lambda _: 1,
        max_waiting: int = _MAX_WAITING,
    ) -> None:
        super().__init__(max_waiting)
        self._max_size, self._size, self._size_of = max_size, 0, size_of
        self._values: OrderedDict[Hashable, Result] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    async def get(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """Return the value of a key. If it is missing, compute it in the thread and store it.

        Raise ServiceError if too many requests wait.
        """
        if key not in self._values:
            async with self._turn():
                if key not in self._values:
                    return self._store(key, await _run_in_thread(compute))
        self._values.move_to_end(key)
        return self._values[key]

    def _store(self, key: Hashable, value: Result) -> Result:
        self._values[key] = value
        self._size += self._size_of(value)
        while self._size > self._max_size:
            _, oldest = self._values.popitem(last=False)
            self._size -= self._size_of(oldest)
        return value


class BackgroundPageCache(BackgroundCache[CachedBody]):
    """A cache of pages (body, compressed body and ETag), limited to ``max_bytes``."""

    def __init__(self, max_bytes: int = _CACHE_BYTES, max_waiting: int = _MAX_WAITING) -> None:
        super().__init__(max_bytes, lambda page: len(page.body) + len(page.gzipped), max_waiting)

    async def get_page(self, key: Hashable, make: Callable[[], str]) -> CachedBody:
        """Return the page of a key. If it is not in the cache, make its HTML with ``make``."""
        return await self.get(key, lambda: prepare_body(make()))

    async def respond(
        self, request: Request, render: Callable[[Unpack[Arguments]], str], *args: *Arguments
    ) -> Response:
        """Respond with the page ``render(*args)``, from the cache if it was made before."""
        page = await self.get_page((render, *args), lambda: render(*args))
        return cached_response(request, page)


async def _run_in_thread(work: Callable[[], Result]) -> Result:
    """Run ``work`` in a daemon thread and return its result, or raise its exception.

    A stopping server does not wait for a daemon thread.
    """
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
