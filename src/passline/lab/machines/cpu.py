"""The processor cores that there are to play a machine."""

from __future__ import annotations

import os


def count_cores() -> int:
    """The processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
