"""Streams: whoever follows a table gets its entries in order, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from passline.live.appends import StoreError
from passline.live.tables import Tables, store_errors
from passline.live.tokens import Holder
from passline.live.warm import RECENT, ToldEntries, WarmTable, told_entries


class Followers:
    """Everybody who follows, and one listener for each table that is followed."""

    def __init__(
        self, tables: Tables, stopping: asyncio.Event, look: Callable[[WarmTable], None]
    ) -> None:
        self._tables, self._stopping, self._look = tables, stopping, look
        self._listening: dict[WarmTable, asyncio.Task[None]] = {}

    async def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[ToldEntries]:
        """Entries from the one after a number. HallError 404, 503."""
        warm = await self._tables.get(table)
        self._look(warm)
        begun, caught_up = warm.live.head.seq, False
        warm.followers += 1
        self._listen(warm)
        try:
            while not (self._stopping.is_set() or warm.gone):
                near = warm.since(after)
                if near is None and caught_up:
                    return  # a thousand behind: it resumes
                for one in near if near is not None else await self._older(table, after):
                    after = one.seq
                    yield one
                    if one.seq > begun and one.withdrawn == holder:
                        return
                if after >= warm.live.head.seq:
                    caught_up = True
                    if not (self._stopping.is_set() or warm.gone):  # meanwhile
                        await warm.news()
        finally:
            warm.followers -= 1
            if not warm.followers:
                self._hush(warm)

    async def _older(self, table: str, after: int) -> list[ToldEntries]:
        async with store_errors():
            entries = await self._tables.store.read(table, after, RECENT)
        return [told_entries(entry) for entry in entries]

    def _listen(self, warm: WarmTable) -> None:
        if warm not in self._listening:
            self._listening[warm] = asyncio.create_task(self._heed(warm))

    async def _heed(self, warm: WarmTable) -> None:
        """Fold in what others append, as the store tells of it."""
        store, table = self._tables.store, warm.live.id
        while True:
            try:
                if await store.changed(table, warm.live.head.seq) > warm.live.head.seq:
                    await warm.catch_up(store)
            except StoreError:
                await asyncio.sleep(1)

    def _hush(self, warm: WarmTable) -> None:
        listener = self._listening.pop(warm, None)
        if listener is not None:
            listener.cancel()

    async def close(self) -> None:
        """Let everybody go."""
        tasks = list(self._listening.values())
        self._listening.clear()
        for warm in self._tables.warm():
            warm.wake()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
