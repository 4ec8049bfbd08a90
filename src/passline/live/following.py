"""Streams: whoever follows a table gets its entries in order, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from passline.live.appends import StoreError
from passline.live.tables import Tables, store_errors
from passline.live.tokens import Holder
from passline.live.warm import RECENT, Told, WarmTable


class Followers:
    """Everybody who follows, and one listener for each table that is followed."""

    def __init__(self, tables: Tables, stopping: asyncio.Event) -> None:
        self._tables, self._stopping = tables, stopping
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._bye: asyncio.Task[bool] | None = None

    async def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[Told]:
        """Entries from the one after a number. HallError 404, 503."""
        warm = await self._tables.get(table)
        begun, caught_up = warm.live.head.seq, False
        warm.followers += 1
        self._listen(warm)
        try:
            while not self._stopping.is_set():
                news, near = warm.news(), warm.since(after)
                if near is None and caught_up:
                    return  # a thousand behind: it resumes
                for told in near if near is not None else await self._older(table, after):
                    after = told.seq
                    yield told
                    if told.seq > begun and _withdrawn(told, holder):
                        return
                if after >= warm.live.head.seq:
                    caught_up = True
                    await self._next(news)
        finally:
            warm.followers -= 1
            if not warm.followers:
                self._hush(table)

    async def _older(self, table: str, after: int) -> list[Told]:
        async with store_errors():
            entries = await self._tables.store.read(table, after, RECENT)
        return [Told(entry.seq, entry, entry.text()) for entry in entries]

    async def _next(self, news: asyncio.Event) -> None:
        """Wait for news, or for the end."""
        if self._bye is None:
            self._bye = asyncio.create_task(self._stopping.wait())
        heard = asyncio.create_task(news.wait())
        try:
            await asyncio.wait([heard, self._bye], return_when=asyncio.FIRST_COMPLETED)
        finally:
            heard.cancel()

    def _listen(self, warm: WarmTable) -> None:
        table = warm.live.id
        if table not in self._listening:
            self._listening[table] = asyncio.create_task(self._heed(warm))

    async def _heed(self, warm: WarmTable) -> None:
        """Fold in what others append, as the store tells of it."""
        store, table = self._tables.store, warm.live.id
        while True:
            try:
                if await store.changed(table, warm.live.head.seq) > warm.live.head.seq:
                    await warm.catch_up(store)
            except StoreError:
                await asyncio.sleep(1)

    def _hush(self, table: str) -> None:
        listener = self._listening.pop(table, None)
        if listener is not None:
            listener.cancel()

    async def close(self) -> None:
        """Let everybody go."""
        tasks = [*self._listening.values(), *([self._bye] if self._bye else [])]
        self._listening.clear()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _withdrawn(told: Told, holder: Holder) -> bool:
    """Whether an entry takes a holder's token away."""
    if told.entry.act != "withdraw":
        return False
    return bool(told.entry.more["holder"] == {"role": holder.role, "name": holder.name})
