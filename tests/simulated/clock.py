"""Simulated time: an event loop that never waits, and threads that are only a delay."""

from __future__ import annotations

import asyncio
import math
import selectors
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.simulated.servers import Server

START = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)
#: The server whose code runs; none is at work in clients and in the world itself.
SERVER: ContextVar[Server | None] = ContextVar("server", default=None)

#: Turns of the loop in which no time passes, more than any world needs.
_MOST_TURNS = 20_000


class StuckError(Exception):
    """Nobody is left who would ever do anything again."""


class OverError(Exception):
    """Enough went wrong."""


class _Idle(selectors.SelectSelector):
    """Instead of waiting, turns the clock to when the wait would be over."""

    now = 0.0
    longest = 5_000.0
    over = False
    _turns = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        if self.over:
            raise OverError
        if timeout is None:
            raise StuckError("nothing is left to happen, and the world is not over")
        self._turns = 0 if timeout > 0 else self._turns + 1
        if self._turns > _MOST_TURNS or self.now > self.longest:
            raise StuckError(f"something goes on for ever at {self.now:.4f}")
        self.now += max(0.0, timeout)
        return []


class Loop(asyncio.SelectorEventLoop):
    """Runs what is due in the order in which it falls due. Whoever works in a thread is done after
    a delay that ``pace`` tells, one piece of work after the other, as a thread would be."""

    def __init__(self, pace: Callable[[], float]) -> None:
        self._idle = _Idle()
        super().__init__(self._idle)
        self._pace = pace
        self._busy: dict[int, float] = {}
        #: What went wrong with nobody there to hear of it.
        self.unheard: list[str] = []
        self.set_task_factory(_owned)
        self.set_exception_handler(self._hear)

    def time(self) -> float:
        """The seconds since the world began."""
        return self._idle.now

    def end(self) -> None:
        """Let nothing more happen."""
        self._idle.over = True

    def tidy(self) -> None:
        """Let what is left be ended, however long the world was."""
        self._idle.over, self._idle.longest = False, math.inf

    def _hear(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.unheard.append(f"{context.get('message')}: {context.get('exception')!r}")

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        done: asyncio.Future[Any] = self.create_future()
        begun = max(self.time(), self._busy.get(id(executor), 0.0)) + self._pace()
        self._busy[id(executor)] = begun
        self.call_at(begun, self._work, SERVER.get(), done, lambda: func(*args))
        return done

    def _work(
        self, server: Server | None, done: asyncio.Future[Any], func: Callable[[], Any]
    ) -> None:
        if done.cancelled():
            return
        if server is not None and server.dead:
            done.cancel()  # whoever waits for it is dead too
            return
        tell: tuple[Callable[[Any], None], Any]
        try:
            tell = done.set_result, func()
        except Exception as wrong:
            tell = done.set_exception, wrong
        self.call_later(self._pace(), self._tell, done, *tell)

    def _tell(self, done: asyncio.Future[Any], tell: Callable[[Any], None], found: Any) -> None:
        if not done.done():
            tell(found)


def _owned(loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> asyncio.Task[Any]:
    """A task, noted with the server whose it is: all of them end when it is killed."""
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **more)
    context = more.get("context")
    owner = context.get(SERVER) if context is not None else SERVER.get()
    if owner is not None:
        owner.tasks[task] = None
        task.add_done_callback(lambda task: owner.tasks.pop(task, None))
    return task


class Clock:
    """A machine's clock: it may be ahead or behind, and be put right in a jump."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self.ahead = loop, 0.0

    def now(self) -> datetime:
        """The time."""
        return START + timedelta(microseconds=round((self._loop.time() + self.ahead) * 1e6))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def numbered() -> Iterator[int]:
    """Numbers from 1."""
    number = 0
    while True:
        yield (number := number + 1)
