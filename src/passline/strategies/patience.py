"""Waiting for a strategy, and no longer: by a clock of our own, not by the process's alarm.

``deadline`` rings in any thread and on any system. ``patience`` stops what this very process
runs, as soon as it comes back to Python; what may never do that is run in a process of its own
(``strategies/hosted.py``), which a deadline ends.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from passline.machines import StrategyError

#: Seconds to answer in: a strategy looks at a few numbers.
SECONDS = 5.0
_TICK = 0.05  # seconds between two looks at the clock


class TimeUp(BaseException):
    """Not an Exception, so that a strategy that catches those is stopped too."""


class Wait:
    """Somebody who waits: until when, and what to do then."""

    def __init__(self, seconds: float, ring: Callable[[], None]) -> None:
        self.until = time.monotonic() + seconds
        self.ring = ring
        self.rang = False


class _Clock:
    """Rings for those who wait too long. Its thread ends when nobody waits any more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waits: set[Wait] = set()
        self.runs = False

    def add(self, wait: Wait) -> None:
        with self.lock:
            self.waits.add(wait)
            if not self.runs:
                self.runs = True
                threading.Thread(target=self.run, name="patience", daemon=True).start()

    def remove(self, wait: Wait) -> None:
        with self.lock:
            self.waits.discard(wait)

    def run(self) -> None:
        while True:
            time.sleep(_TICK)
            with self.lock:
                if not self.waits:
                    self.runs = False
                    return
                now = time.monotonic()
                for wait in [wait for wait in self.waits if wait.until <= now]:
                    self.waits.remove(wait)
                    wait.rang = True
                    wait.ring()


_clock = _Clock()


def _anew() -> None:
    """A process that was forked has no thread that runs the clock: it gets a clock of its own."""
    global _clock
    _clock = _Clock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_anew)


@contextmanager
def deadline(seconds: float, ring: Callable[[], None]) -> Iterator[Wait]:
    """Call ``ring``, once and from another thread, if what is done meanwhile takes too long."""
    wait = Wait(seconds, ring)
    clock = _clock
    clock.add(wait)
    try:
        yield wait
    finally:
        clock.remove(wait)


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Raise StrategyError in what this thread does too long, when it next runs Python."""
    thread = threading.get_ident()
    try:
        with deadline(seconds, lambda: _raise_in(thread, TimeUp)) as wait:
            yield
        if wait.rang:  # it ended as the clock rang: what has not been raised yet is not
            _raise_in(thread, None)
    except TimeUp:
        if not wait.rang:  # somebody's who waits for us as well
            raise
        raise StrategyError(f"the strategy did not answer within {seconds:g} seconds") from None


def _raise_in(thread: int, wrong: type[BaseException] | None) -> None:
    """Have an exception raised in a thread; None: one that waits to be raised is forgotten."""
    what = None if wrong is None else ctypes.py_object(wrong)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
