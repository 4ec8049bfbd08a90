"""A strategy that never answers is stopped, where the system can do that."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from passline.machines import StrategyError

#: Seconds to answer in: a strategy looks at a few numbers.
SECONDS = 5.0
_SHORTEST = 1e-6  # seconds; an alarm of none would never ring


class _TooLong(BaseException):
    """Not an Exception, so that a strategy that catches those is stopped too."""


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Raise StrategyError in what goes on too long.

    Only the main thread can be interrupted, and only where there is an alarm clock for it;
    elsewhere there is no limit. An alarm that somebody else has set still rings in its time.
    """
    if not hasattr(signal, "setitimer") or not _in_main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds)
    began = time.monotonic()
    try:
        yield
    except _TooLong:
        raise StrategyError(f"the strategy did not answer within {seconds:g} seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            due = max(left - (time.monotonic() - began), _SHORTEST)
            signal.setitimer(signal.ITIMER_REAL, due, every)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise _TooLong
