"""Run pieces of work on threads of this process, on any executor, or on a Dask cluster."""

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

from passline.lab.machines.cpu import count_cores
from passline.optional_packages import missing_extra
from passline.termination_signals import SignalGuard

#: Seconds to wait for running pieces when a run is interrupted.
CANCEL_TIMEOUT = 5.0


class WorkPiece(Protocol):
    """A piece of work. It is sent to a worker and comes back with more of it done."""

    @property
    def is_finished(self) -> bool:
        """Whether all work of the piece is done."""

    @property
    def unexplored_state(self) -> int:
        """The state that must be explored before the piece can continue, or -1."""


_Piece = TypeVar("_Piece", bound=WorkPiece)


class Workers(NamedTuple):
    """An executor, its number of workers, and its name in messages.

    ``is_external`` says whether the caller provided it.
    """

    executor: Executor
    number: int
    name: str = "the executor"
    is_external: bool = True


class WorkersLost(Exception):  # noqa: N818
    """Raised when the caller's executor fails. ``why`` is the executor's exception.

    ``under_way`` holds the pieces of work that are not finished.
    """

    def __init__(self, why: BaseException, name: str) -> None:
        words = " ".join(str(why).split())[:200]
        if isinstance(why, CancelledError) and not words:
            words = "it stopped, or canceled the work"
        super().__init__(f"{name} failed: {type(why).__name__}{words and f': {words}'}")
        self.why = why
        self.under_way: list[Any] = []


@contextmanager
def open_workers(executor: Executor | Workers | None, workers: int | None) -> Iterator[Workers]:
    """Yield the workers to use: those of the caller's ``executor``, or threads of our own.

    The caller's executor is left running at the end. ``workers`` is the number of workers, by
    default the number of cores; an ``executor`` of type Workers has its own number.
    """
    if isinstance(executor, Workers):
        yield executor
        return
    if executor is not None:
        yield Workers(executor, workers or count_cores())
        return
    count = workers or count_cores()
    with Threads(count, "passline") as threads:
        yield Workers(threads, count, is_external=False)


class WorkPlan(NamedTuple):
    """How to run pieces of work. ``play(job(), piece)`` works on a piece and returns it.

    ``job`` returns what all pieces need, such as tables, as it is now. ``finish`` is called with
    each finished piece. ``explore`` is called with the unexplored states at which pieces stopped;
    no piece runs meanwhile. It is None if all states are explored. ``notify`` is called from time
    to time, but not after an interruption.
    """

    play: Callable[[Any, Any], Any]
    job: Callable[[], Any]
    finish: Callable[[Any], None]
    explore: Callable[[list[int]], None] | None = None
    notify: Callable[[], None] | None = None


class _Dispatcher(Generic[_Piece]):
    """Submits pieces of work to the executor and collects them.

    ``in_flight`` maps futures to the pieces under way, at most ``window`` at a time. ``unfinished``
    holds the pieces to submit again.
    """

    def __init__(self, pool: Workers, plan: WorkPlan, pieces: Iterable[_Piece]) -> None:
        self.pool, self.plan, self.waiting = pool, plan, iter(pieces)
        self.window = pool.number if plan.explore else 2 * pool.number
        self.in_flight: dict[Future[_Piece], _Piece] = {}
        self.unfinished: list[_Piece] = []

    def work(self, signals: SignalGuard) -> None:
        """Submit and collect pieces until all are finished.

        ``signals`` holds back Ctrl-C while pieces are submitted or collected.
        """
        plan = self.plan
        until = ALL_COMPLETED if plan.explore else FIRST_COMPLETED
        while True:
            with signals.defer():
                self._submit_pieces()
            if not self.in_flight:
                return
            wait(self.in_flight, return_when=until)
            with signals.defer():
                self._collect_finished()
            if plan.explore and self.unfinished:
                states = [piece.unexplored_state for piece in self.unfinished]
                plan.explore([state for state in states if state >= 0])
            if plan.notify:
                plan.notify()

    def _submit_pieces(self) -> None:
        job = self.plan.job()
        while len(self.in_flight) < self.window:
            piece = self.unfinished.pop() if self.unfinished else next(self.waiting, None)
            if piece is None:
                return
            try:
                future = self.pool.executor.submit(self.plan.play, job, piece)
            except BaseException as error:  # The executor did not accept the piece.
                self.unfinished.append(piece)
                self._raise_lost(error)
                raise
            self.in_flight[future] = piece

    def _raise_lost(self, error: BaseException) -> None:
        """Raise WorkersLost from ``error`` if the caller provided the executor.

        Return if the executor is our own, or for an interruption such as KeyboardInterrupt: then
        the method that calls this one raises ``error`` itself.
        """
        if self.pool.is_external and isinstance(error, Exception):
            raise WorkersLost(error, self.pool.name) from error

    def _collect_finished(self) -> None:
        for future in [future for future in self.in_flight if future.done()]:
            piece = self.in_flight.pop(future)
            if error := _find_failure(future):
                self._keep_if_lost(piece, error)
                self._raise_lost(error)
                raise error
            self._take_back(future.result())

    def _take_back(self, piece: _Piece) -> None:
        if piece.is_finished:
            self.plan.finish(piece)
        else:
            self.unfinished.append(piece)

    def _keep_if_lost(self, piece: _Piece, error: BaseException) -> None:
        """Put a piece into ``unfinished`` if its worker was lost; drop it if its work failed.

        ``error`` says which.
        """
        if isinstance(error, CancelledError | BrokenExecutor):
            self.unfinished.append(piece)

    def collect_unfinished(self) -> list[_Piece]:
        """Cancel what has not started, wait for the rest, and return the unfinished pieces."""
        playing = []
        for future, piece in self.in_flight.items():
            if future.cancel():
                self.unfinished.append(piece)
            else:
                playing.append(future)
        done, _ = wait(playing, timeout=CANCEL_TIMEOUT)
        for future in done:
            if error := _find_failure(future):
                self._keep_if_lost(self.in_flight[future], error)
            else:
                self._take_back(future.result())
        return self.unfinished


def _find_failure(future: Future[Any]) -> BaseException | None:
    """Return why a finished future has no result, or None if it has one."""
    try:
        return future.exception()
    except CancelledError as cancelled:
        return cancelled


def run_work(pool: Workers, plan: WorkPlan, pieces: Iterable[_Piece]) -> list[_Piece]:
    """Run all pieces until they are finished. Return [], or after Ctrl-C the unfinished pieces.

    Raise what ``plan.explore`` raises; a ValueError gets the unfinished pieces as ``under_way``.
    Raise WorkersLost if an executor that the caller provided fails.
    """
    dispatcher = _Dispatcher(pool, plan, pieces)
    with SignalGuard("SIGINT", only_default=True) as signals:
        try:
            dispatcher.work(signals)
        except KeyboardInterrupt:
            with signals.defer(forget=True):
                return dispatcher.collect_unfinished()
        except (ValueError, WorkersLost) as error:
            with signals.defer(forget=True):
                error.under_way = dispatcher.collect_unfinished()  # type: ignore[union-attr]
            raise
    return []


#: Seconds that a Dask scheduler has to answer.
SCHEDULER_TIMEOUT = 3
#: The loggers to which Dask gives a level. They are silenced, and with them those below, since
#: ClusterError already says what is wrong.
_LOGGER_NAMES = (
    *("distributed", "distributed.client", "distributed.gc"),
    *("tornado", "tornado.application", "asyncio"),
)


class ClusterError(ValueError):
    """Raised when a Dask cluster cannot be used."""


@contextmanager
def open_dask_workers(address: str) -> Iterator[Workers]:
    """Yield an executor on the Dask cluster whose scheduler is at ``address``.

    Raise ClusterError (message of one line) if Dask is not installed, no scheduler answers
    or the cluster has no workers. Dask prints no log messages meanwhile.
    """
    try:
        import distributed
    except ModuleNotFoundError as error:
        raise ClusterError(str(missing_extra(error, address) or error)) from None
    with _silence_logs():
        _check_scheduler(address)
        connect: Any = distributed.Client
        client: Any = None
        try:
            client = connect(address, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
            threads = sum(client.ncores().values())
        except Exception as error:  # The scheduler answered, then failed or has another version.
            if client is not None:
                client.close()
            raise ClusterError(
                f"the Dask scheduler at {address} answers, but cannot be used: {_format_error(error)}"  # noqa: E501
            ) from None
        try:
            if not threads:
                raise ClusterError(f"the Dask scheduler at {address} has no workers: start one")
            yield Workers(client.get_executor(pure=False), threads, "the cluster")
        finally:
            client.close()


@contextmanager
def _silence_logs() -> Iterator[None]:
    """Silence Dask's loggers and its warning about large graphs, and restore them afterwards."""
    levels = {name: logging.getLogger(name).level for name in _LOGGER_NAMES}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            # The table of a large machine travels with every chunk; that is intended.
            warnings.filterwarnings("ignore", "(?s).*Sending large graph", UserWarning)
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _format_error(error: Exception) -> str:
    return " ".join(str(error).split())[:150] or type(error).__name__


def _check_scheduler(address: str) -> None:
    """Raise ClusterError unless a Dask scheduler answers at ``address``.

    It asks without a Dask client, because that would print errors.
    """
    try:
        kind = asyncio.run(asyncio.wait_for(_fetch_node_type(address), SCHEDULER_TIMEOUT + 1))
    except Exception as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r}: expected HOST:PORT ({_format_error(error)})"
        ) from None
    if kind != "Scheduler":
        raise ClusterError(f"at {address!r} there is a {kind}, not a Dask scheduler")


async def _fetch_node_type(address: str) -> str:
    from distributed.core import rpc

    caller: Any = rpc
    async with caller(address, timeout=SCHEDULER_TIMEOUT) as remote:
        found = await remote.identity()
    return str(found.get("type"))
