"""Defer signals (Ctrl-C, a closed terminal, a shutdown) while a block of code must finish."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TerminationExit(SystemExit):
    """The terminal was closed, or the system is ending the process: exit without a message."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


#: The signals that may end a program from outside.
TERMINATION_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class SignalGuard:
    """A context manager that handles signals, and defers them inside ``held``.

    Ctrl-C raises KeyboardInterrupt; a hang-up or termination raises TerminationExit. Ignored
    signals (as under nohup) stay ignored. ``lone`` handles only Python's own Ctrl-C. Outside the
    main thread the guard does nothing.
    """

    def __init__(self, *names: str, only_default: bool = False) -> None:
        self._numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        self._only_default = only_default
        self._before: dict[int, object] = {}
        self._depth = 0
        self._waiting = 0

    def __enter__(self) -> SignalGuard:
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
    def held(self, *, forget: bool = False) -> Iterator[None]:
        """Defer signals until the block ends, then raise the exception for the one that arrived.

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
