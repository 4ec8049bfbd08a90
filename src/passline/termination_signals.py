"""Handle the signals that end a program: Ctrl-C, a closed terminal, a shutdown."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class TerminationExit(SystemExit):
    """The terminal was closed, or the system is ending the process: exit without a message."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


#: The signals that may end a program from outside.
TERMINATION_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class SignalGuard:
    """A context manager that turns signals into exceptions, and defers them inside ``defer``.

    ``names`` are the signals to handle. Ctrl-C raises KeyboardInterrupt; a hang-up or termination
    raises TerminationExit. Signals that the process ignores (as under nohup) stay ignored. With
    ``only_default``, handle only Ctrl-C, and only if Python's own handler is in place. Outside the
    main thread the guard does nothing.
    """

    def __init__(self, *names: str, only_default: bool = False) -> None:
        self._numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        self._only_default = only_default
        self._before: dict[int, object] = {}
        self._depth = 0
        self._waiting = 0

    def __enter__(self) -> Self:
        try:
            for number in self._numbers:
                if self._may_handle(signal.getsignal(number)):
                    self._before[number] = signal.signal(number, self._on_signal)
        except ValueError:  # not the main thread
            self._before.clear()
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before or signal.SIG_DFL)  # type: ignore[arg-type]
        self._before.clear()

    def _may_handle(self, listener: object) -> bool:
        if self._only_default:
            return listener is signal.default_int_handler
        return listener is not signal.SIG_IGN

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._depth:
            self._waiting = number
        else:
            self._end(number)

    def _end(self, number: int) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise TerminationExit(number)

    @contextmanager
    def defer(self, *, forget: bool = False) -> Iterator[None]:
        """Defer signals until the block ends, then raise the exception for the last that arrived.

        ``forget`` drops the signal instead, for a program that is ending anyway.
        """
        self._depth += 1
        try:
            yield
        finally:  # Deliver the waiting signal even if the body raised.
            self._depth -= 1
            number = 0 if self._depth else self._waiting
            if not self._depth:
                self._waiting = 0
            if number and not forget:
                self._end(number)


class StopRequest(SignalGuard):
    """A context manager that calls ``on_stop`` at the first signal. A second one kills the process.

    The handler raises nothing, because its exception could be lost: Python discards exceptions in
    finalizers, and each response of ``http.client`` has one. ``on_stop`` runs between any two steps
    of the main thread, so it must not wait for a lock. ``number`` is the signal's number, or 0
    before any signal.
    """

    def __init__(self, *names: str, on_stop: Callable[[], None]) -> None:
        super().__init__(*names)
        self.number = 0
        self._on_stop = on_stop

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.number = number
        for handled in self._before:
            signal.signal(handled, signal.SIG_DFL)
        self._on_stop()
