"""How many games are played."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_DEEP = int(os.environ.get("PASSLINE_DEEP", "0"))


def effort(examples: int) -> settings:
    """So many examples, always the same ones; many more and at random when asked for."""
    return settings(
        max_examples=examples * (_DEEP or 1),
        derandomize=not _DEEP,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
