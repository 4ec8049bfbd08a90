"""Count the processor cores that this process may use."""

from __future__ import annotations

import os


def count_cores() -> int:
    """Return the number of processor cores that this process may use.

    Where the system does not tell, return the number of the computer's cores.
    """
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not have it.
        return os.cpu_count() or 1
