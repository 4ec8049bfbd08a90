"""Clocks: the hall is told the time and told to wait, so that tests can turn it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol

from passline.live.store import utc_now


class Clock(Protocol):
    """What time it is (UTC), and how one waits."""

    def now(self) -> datetime:
        """The time."""
        ...

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Wait so many seconds."""
        ...


class SystemClock:
    """This machine's clock."""

    now: Callable[[], datetime] = staticmethod(utc_now)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
