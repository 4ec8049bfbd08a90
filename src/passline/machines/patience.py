"""A strategy that never answers is stopped, where the system can do that."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from passline.machines.errors import StrategyError

#: Seconds to answer in: a strategy looks at a few numbers.
SECONDS = 5.0


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Raise StrategyError in what goes on too long.

    Only the main thread can be interrupted, and only where there is an alarm clock for it;
    elsewhere there is no limit.
    """
    if not hasattr(signal, "setitimer") or not _in_main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise StrategyError(f"the strategy did not answer within {SECONDS:.0f} seconds")
