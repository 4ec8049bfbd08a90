"""Those who wait: appends for a commit that they share, readers for news of a table, long works
for their turn."""

from __future__ import annotations

from asyncio import CancelledError, Future, Lock, Task, create_task, get_running_loop, sleep, wait
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

from passline.live.appends import UnavailableError

#: Appends that share one commit at most.
MOST_TOGETHER: Final = 500
#: Seconds from one commit to the next at least, where several lines share them.
APART: Final = 0.004

Job = TypeVar("Job")
HeldAnswer = TypeVar("HeldAnswer")


class Breath:
    """Lets others speak between the pieces of long works: however many of these are under way, one
    piece is done in a turn of the loop."""

    def __init__(self) -> None:
        self._turn = Lock()

    async def take(self) -> None:
        """Wait for the next turn."""
        async with self._turn:
            await sleep(0)


class GroupCommit(Generic[Job, HeldAnswer]):
    """Collects what comes while a commit is under way, and writes it together in the next one.

    A commit costs as much as a line or two, whatever it holds. So where lines come close together
    a few more are waited for, ``apart`` seconds from one commit to the next; one by itself, each
    after the answer to the last, never is.

    ``commit`` takes the jobs and gives an answer, or an exception, for each of them; if it fails
    itself, that is the answer to all. Jobs are taken in the order they came.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Job]], Awaitable[Sequence[HeldAnswer | Exception]]],
        apart: float = 0.0,
    ) -> None:
        self._commit, self._apart = commit, apart
        self._waiting: list[tuple[Job, Future[HeldAnswer]]] = []
        self._running: Task[None] | None = None
        self._closed = False
        self._next = 0.0
        #: How many commits there were so far, by how many jobs they took.
        self.sizes: dict[int, int] = {}

    async def submit(self, job: Job) -> HeldAnswer:
        """Have a job written with whatever else is waiting; its answer."""
        if self._closed:
            raise UnavailableError("the store is closed")
        answer: Future[HeldAnswer] = get_running_loop().create_future()
        self._waiting.append((job, answer))
        if self._running is None:
            self._running = create_task(self._run())
        return await answer

    async def _run(self) -> None:
        try:
            while self._waiting:
                if not self._closed and (early := self._next - get_running_loop().time()) > 0:
                    await sleep(early)
                batch = self._waiting[:MOST_TOGETHER]
                del self._waiting[:MOST_TOGETHER]
                await self._write(batch)
        finally:
            self._running = None

    async def _write(self, batch: Sequence[tuple[Job, Future[HeldAnswer]]]) -> None:
        self.sizes[len(batch)] = self.sizes.get(len(batch), 0) + 1
        self._next = get_running_loop().time() + self._apart if len(batch) > 1 else 0.0
        try:
            _answer(batch, await self._commit([job for job, _ in batch]))
        except CancelledError:
            _answer(batch, [UnavailableError("the store was closed")] * len(batch))
            raise
        except Exception as wrong:
            _answer(batch, [wrong] * len(batch))

    async def close(self, patience: float) -> None:
        """Take nothing more, and finish what was taken; what takes longer is left unanswered."""
        self._closed = True
        if self._running is not None:
            _, late = await wait([self._running], timeout=patience)
            for task in late:
                task.cancel()
        _answer(self._waiting, [UnavailableError("the store was closed")] * len(self._waiting))


def _answer(
    batch: Sequence[tuple[Job, Future[HeldAnswer]]], answers: Sequence[HeldAnswer | Exception]
) -> None:
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():
            continue  # who asked has gone
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


class Bell:
    """Wakes those who wait for a table's next entry."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}
        self._waiting: dict[str, dict[Future[None], None]] = {}

    def ring(self, table: str, seq: int) -> None:
        """Tell that a table's log goes up to a number. Older news changes nothing."""
        if seq > self._heard.get(table, -1):
            self._heard[table] = seq
            for waiter in self._waiting.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)

    def known(self, table: str, seq: int) -> None:
        """Note that whoever waits here has it already: to be woken for each line of one's own took
        as long as encoding it."""
        if seq > self._heard.get(table, -1):
            self._heard[table] = seq

    async def wait(self, table: str, after: int) -> int:
        """Wait for news beyond a number; the last number heard of."""
        while (heard := self._heard.get(table, -1)) <= after:
            waiter: Future[None] = get_running_loop().create_future()
            self._waiting.setdefault(table, {})[waiter] = None
            try:
                await waiter
            finally:
                self._leave(table, waiter)
        return heard

    def _leave(self, table: str, waiter: Future[None]) -> None:
        waiters = self._waiting.get(table)
        if waiters is not None:
            waiters.pop(waiter, None)
            if not waiters:
                del self._waiting[table]

    def watched(self) -> list[str]:
        """The tables that somebody waits for."""
        return list(self._waiting)

    def forget(self) -> None:
        """Take back all news: what was heard may not stand any more."""
        self._heard.clear()
