"""Clocks: the hall is told the time and told to wait, so that tests can turn it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

from passline.live.store import Store, utc_now


class HallClock(Protocol):
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


class StoreClock:
    """The clock that entries are stamped with. Servers that share a store share its clock; a
    machine's own may be ahead of it, and would cut everybody's betting time short."""

    def __init__(self, store: Store, clock: HallClock) -> None:
        self._store, self._clock = store, clock
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The time, as far as it was told last."""
        return self._clock.now() - self._ahead

    async def put_right(self) -> None:
        """Ask the store, where its clock is not this machine's. StoreError where it cannot be."""
        if self._store.shared:
            told = datetime.fromisoformat(await self._store.now())
            self._ahead = self._clock.now() - told

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._clock.sleep(seconds)
