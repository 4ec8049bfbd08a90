"""Who does the work: threads of this process, or whatever executor was handed over."""

from __future__ import annotations

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

from passline.machines.cores import cores
from passline.signals import SignalGuard

#: Seconds to wait for what is being done when a run is broken off.
PATIENCE = 5.0


class Piece(Protocol):
    """A piece of the work, carried to and fro: done, stuck at an unexplored state, or neither."""

    @property
    def done(self) -> bool:
        """Whether nothing of it is left."""

    @property
    def stuck(self) -> int:
        """The state that must be explored before it can go on, or -1."""


_Piece = TypeVar("_Piece", bound=Piece)


class Workers(NamedTuple):
    """An executor, how many workers it is said to have, what messages call it, and whether it was
    handed over to us."""

    executor: Executor
    number: int
    who: str = "the executor"
    lent: bool = True


class WorkersLost(Exception):  # noqa: N818 - they are lost: what was played is not
    """An executor that was handed over plays no more. What was played is kept."""

    def __init__(self, why: BaseException, who: str) -> None:
        words = " ".join(str(why).split())[:200]
        if isinstance(why, CancelledError) and not words:
            words = "it is gone, or cancelled the work"
        super().__init__(f"{who} failed: {type(why).__name__}{words and f': {words}'}")
        self.why = why
        self.under_way: list[Any] = []


@contextmanager
def hire(executor: Executor | Workers | None, workers: int | None) -> Iterator[Workers]:
    """The executor that was handed over, which is left running, or threads of our own."""
    if isinstance(executor, Workers):
        yield executor
        return
    if executor is not None:
        yield Workers(executor, workers or getattr(executor, "_max_workers", None) or cores())
        return
    count = workers or cores()
    with Threads(count, "passline") as threads:
        yield Workers(threads, count, lent=False)


class Shift(NamedTuple):
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


class _Desk(Generic[_Piece]):
    """Where pieces are handed out and taken in."""

    def __init__(self, hired: Workers, shift: Shift, pieces: Iterable[_Piece]) -> None:
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
                self._hand_out()
            if not self.flying:
                return
            wait(self.flying, return_when=until)
            with signals.held():
                self._take_in()
            if shift.explore and self.again:
                shift.explore([piece.stuck for piece in self.again if piece.stuck >= 0])
            if shift.tell:
                shift.tell()

    def _hand_out(self) -> None:
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
        if self.hired.lent and isinstance(wrong, Exception):
            raise WorkersLost(wrong, self.hired.who) from wrong

    def _take_in(self) -> None:
        for future in [future for future in self.flying if future.done()]:
            before = self.flying.pop(future)
            if wrong := _failure(future):
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

    def bring_home(self) -> list[_Piece]:
        """Cancel what was not begun again, wait a while for the rest; what is not done."""
        playing = []
        for future, piece in self.flying.items():
            if future.cancel():
                self.again.append(piece)
            else:
                playing.append(future)
        done, _ = wait(playing, timeout=PATIENCE)
        for future in done:
            if wrong := _failure(future):
                self._keep(self.flying[future], wrong)
            else:
                self._sort(future.result())
        return self.again


def _failure(future: Future[Any]) -> BaseException | None:
    """Why a future that is done has no result, if it has none."""
    try:
        return future.exception()
    except CancelledError as cancelled:
        return cancelled


def work_off(hired: Workers, shift: Shift, pieces: Iterable[_Piece]) -> list[_Piece]:
    """Play all pieces to their end. Returns none, or after Ctrl-C those that were under way.

    What ``explore`` raises is raised here, with the pieces under way as its ``under_way``; so is
    WorkersLost, where an executor that was handed over fails.
    """
    desk = _Desk(hired, shift, pieces)
    with SignalGuard("SIGINT", lone=True) as signals:
        try:
            desk.work(signals)
        except KeyboardInterrupt:
            with signals.held(forget=True):
                return desk.bring_home()
        except (ValueError, WorkersLost) as wrong:
            with signals.held(forget=True):
                wrong.under_way = desk.bring_home()  # type: ignore[union-attr]
            raise
    return []
