"""Signals: a player leaves with Ctrl-C, a terminal is closed, a system shuts down."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType


class Gone(SystemExit):
    """The terminal was closed, or the system ends us: leave without a word."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


class Interrupts:
    """While it is entered, signals end the game; within ``held`` they wait.

    Ctrl-C raises KeyboardInterrupt, a hang-up or termination ``Gone``.
    """

    _SIGNALS = tuple(
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    )

    def __init__(self) -> None:
        self._before: dict[int, object] = {}
        self._depth = 0
        self._waiting = 0

    def __enter__(self) -> Interrupts:
        try:
            for number in self._SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
                    self._before[number] = signal.signal(number, self._came)
        except ValueError:  # not the main thread: whoever runs us there looks after signals
            self._before.clear()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before or signal.SIG_DFL)  # type: ignore[arg-type]
        self._before.clear()

    def _came(self, number: int, _frame: FrameType | None) -> None:
        if self._depth:
            self._waiting = number
        else:
            self._end(number)

    def _end(self, number: int) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise Gone(number)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let what is begun be finished; a signal that came meanwhile counts at the end of it."""
        self._depth += 1
        try:
            yield
        finally:  # also when what was begun has failed: the signal came, and counts
            self._depth -= 1
            if self._waiting and not self._depth:
                number, self._waiting = self._waiting, 0
                self._end(number)
