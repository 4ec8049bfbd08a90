"""Who does the work: threads of this process, or whatever executor was handed over.

A Dask cluster as an executor.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from concurrent.futures import ThreadPoolExecutor as Threads
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from passline.extras import missing_extra
from passline.lab.machines.cpu import count_cores
from passline.signals import SignalGuard

#: Seconds to wait for what is being done when a run is broken off.
CANCEL_TIMEOUT = 5.0


class WorkPiece(Protocol):
    """A piece of the work, carried to and fro: done, stuck at an unexplored state, or neither."""

    @property
    def done(self) -> bool:
        """Whether nothing of it is left."""

    @property
    def stuck(self) -> int:
        """The state that must be explored before it can go on, or -1."""


_Piece = TypeVar("_Piece", bound=WorkPiece)


class Workers(NamedTuple):
    """An executor, how many workers it is said to have, what messages call it, and whether it was
    handed over to us."""

    executor: Executor
    number: int
    who: str = "the executor"
    is_external: bool = True


class WorkersLost(Exception):  # noqa: N818
    """An executor that was handed over plays no more. What was played is kept."""

    def __init__(self, why: BaseException, who: str) -> None:
        words = " ".join(str(why).split())[:200]
        if isinstance(why, CancelledError) and not words:
            words = "it is gone, or cancelled the work"
        super().__init__(f"{who} failed: {type(why).__name__}{words and f': {words}'}")
        self.why = why
        self.under_way: list[Any] = []


@contextmanager
def open_workers(executor: Executor | Workers | None, workers: int | None) -> Iterator[Workers]:
    """The executor that was handed over, which is left running, or threads of our own."""
    if isinstance(executor, Workers):
        yield executor
        return
    if executor is not None:
        yield Workers(executor, workers or getattr(executor, "_max_workers", None) or count_cores())
        return
    count = workers or count_cores()
    with Threads(count, "passline") as threads:
        yield Workers(threads, count, is_external=False)


class WorkPlan(NamedTuple):
    """One run of work. ``play(job(), piece)`` plays a piece on and hands it back.

    ``finish`` takes each piece that is done, ``explore`` the states that pieces are stuck at
    (None: the machine is closed). Where it is given, nobody plays meanwhile. ``tell`` is called
    now and then, and not once the work was broken off.
    """

    play: Callable[[Any, Any], Any]
    job: Callable[[], Any]
    finish: Callable[[Any], None]
    explore: Callable[[list[int]], None] | None = None
    tell: Callable[[], None] | None = None


class _Dispatcher(Generic[_Piece]):
    """Where pieces are handed out and taken in."""

    def __init__(self, hired: Workers, shift: WorkPlan, pieces: Iterable[_Piece]) -> None:
        self.hired, self.shift, self.waiting = hired, shift, iter(pieces)
        self.window = hired.number if shift.explore else 2 * hired.number
        self.flying: dict[Future[_Piece], _Piece] = {}
        self.again: list[_Piece] = []

    def work(self, signals: SignalGuard) -> None:
        """Until nothing is left."""
        shift = self.shift
        until = ALL_COMPLETED if shift.explore else FIRST_COMPLETED
        while True:
            with signals.held():
                self._submit_pieces()
            if not self.flying:
                return
            wait(self.flying, return_when=until)
            with signals.held():
                self._collect_finished()
            if shift.explore and self.again:
                shift.explore([piece.stuck for piece in self.again if piece.stuck >= 0])
            if shift.tell:
                shift.tell()

    def _submit_pieces(self) -> None:
        job = self.shift.job()
        while len(self.flying) < self.window:
            piece = self.again.pop() if self.again else next(self.waiting, None)
            if piece is None:
                return
            try:
                future = self.hired.executor.submit(self.shift.play, job, piece)
            except BaseException as wrong:  # nobody took it
                self.again.append(piece)
                self._lose(wrong)
                raise
            self.flying[future] = piece

    def _lose(self, wrong: BaseException) -> None:
        """Raise what it means: an executor that was handed over and fails is lost."""
        if self.hired.is_external and isinstance(wrong, Exception):
            raise WorkersLost(wrong, self.hired.who) from wrong

    def _collect_finished(self) -> None:
        for future in [future for future in self.flying if future.done()]:
            before = self.flying.pop(future)
            if wrong := _find_failure(future):
                self._keep(before, wrong)
                self._lose(wrong)
                raise wrong
            self._sort(future.result())

    def _sort(self, piece: _Piece) -> None:
        if piece.done:
            self.shift.finish(piece)
        else:
            self.again.append(piece)

    def _keep(self, before: _Piece, wrong: BaseException) -> None:
        """A piece whose player was lost is as it was handed out; one that failed may be half done,
        and is left out."""
        if isinstance(wrong, CancelledError | BrokenExecutor):
            self.again.append(before)

    def collect_unfinished(self) -> list[_Piece]:
        """Cancel what was not begun again, wait a while for the rest; what is not done."""
        playing = []
        for future, piece in self.flying.items():
            if future.cancel():
                self.again.append(piece)
            else:
                playing.append(future)
        done, _ = wait(playing, timeout=CANCEL_TIMEOUT)
        for future in done:
            if wrong := _find_failure(future):
                self._keep(self.flying[future], wrong)
            else:
                self._sort(future.result())
        return self.again


def _find_failure(future: Future[Any]) -> BaseException | None:
    """Why a future that is done has no result, if it has none."""
    try:
        return future.exception()
    except CancelledError as cancelled:
        return cancelled


def run_work(hired: Workers, shift: WorkPlan, pieces: Iterable[_Piece]) -> list[_Piece]:
    """Play all pieces to their end. Returns none, or after Ctrl-C those that were under way.

    What ``explore`` raises is raised here, with the pieces under way as its ``under_way``; so is
    WorkersLost, where an executor that was handed over fails.
    """
    desk = _Dispatcher(hired, shift, pieces)
    with SignalGuard("SIGINT", only_default=True) as signals:
        try:
            desk.work(signals)
        except KeyboardInterrupt:
            with signals.held(forget=True):
                return desk.collect_unfinished()
        except (ValueError, WorkersLost) as wrong:
            with signals.held(forget=True):
                wrong.under_way = desk.collect_unfinished()  # type: ignore[union-attr]
            raise
    return []


#: Seconds that a scheduler has to answer in.
SCHEDULER_TIMEOUT = 3
#: What Dask says it with: all that it says of a cluster that is gone is said here, in one line.
_LOGGER_NAMES = ("distributed", "tornado", "asyncio")


class ClusterError(ValueError):
    """A cluster that cannot be used."""


@contextmanager
def open_dask_workers(address: str) -> Iterator[Workers]:
    """An executor on the Dask cluster whose scheduler is at ``address``, and its threads.

    ClusterError, in one line, where Dask is not installed, nobody answers or nobody works there.
    Dask's own log is quiet meanwhile.
    """
    try:
        import distributed
    except ModuleNotFoundError as wrong:
        raise ClusterError(str(missing_extra(wrong, address) or wrong)) from None
    with _silence_logs():
        _check_scheduler(address)
        connect: Any = distributed.Client
        client: Any = None
        try:
            client = connect(address, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
            threads = sum(client.ncores().values())
        except Exception as wrong:  # it answered, and went away or does not understand us
            if client is not None:
                client.close()
            raise ClusterError(
                f"the Dask scheduler at {address} answers, but cannot be used: {_format_error(wrong)}"  # noqa: E501
            ) from None
        try:
            if not threads:
                raise ClusterError(f"the Dask scheduler at {address} has no workers")
            yield Workers(client.get_executor(pure=False), threads, "the cluster")
        finally:
            client.close()


@contextmanager
def _silence_logs() -> Iterator[None]:
    """Dask's loggers hushed, each of which may have a level of its own; and its one warning."""
    found = [
        logging.getLogger(name)
        for name in {*_LOGGER_NAMES, *logging.root.manager.loggerDict}
        if name.split(".")[0] in _LOGGER_NAMES
    ]
    levels = [talk.level for talk in found]
    for talk in found:
        talk.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            # The table of a large machine goes with every chunk: that is known.
            warnings.filterwarnings("ignore", "(?s).*Sending large graph", UserWarning)
            yield
    finally:
        for talk, level in zip(found, levels, strict=True):
            talk.setLevel(level)


def _format_error(wrong: Exception) -> str:
    return " ".join(str(wrong).split())[:150] or type(wrong).__name__


def _check_scheduler(address: str) -> None:
    """Ask who is there, before a client is made: one that cannot connect does not end quietly."""
    try:
        kind = asyncio.run(asyncio.wait_for(_fetch_node_type(address), SCHEDULER_TIMEOUT + 1))
    except Exception as wrong:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r}: expected HOST:PORT ({_format_error(wrong)})"
        ) from None
    if kind != "Scheduler":
        raise ClusterError(f"at {address!r} there is a {kind}, not a Dask scheduler")


async def _fetch_node_type(address: str) -> str:
    from distributed.core import rpc

    caller: Any = rpc
    async with caller(address, timeout=SCHEDULER_TIMEOUT) as remote:
        found = await remote.identity()
    return str(found.get("type"))
