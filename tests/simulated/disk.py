"""Simulated disks: a shelf that one server has or several share, and SQLite on files of its own.

Each has the same interface: ``opened`` for a server that starts, ``died`` for one that is killed.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from passline.live.log_entries import Entry, format_time
from passline.live.store import (
    Append,
    Appended,
    AppendOutcome,
    ListingRow,
    Secret,
    SnapshotRow,
    Store,
    StoredRow,
    UnavailableError,
)
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.tokens import Grant

if TYPE_CHECKING:
    from tests.simulated.servers import Server
    from tests.simulated.world import World

Found = TypeVar("Found")
#: Seconds between looks for entries that no wake-up told of, as with PostgreSQL.
POLL = 0.5


class Disk(Protocol):
    """What servers keep their logs on."""

    full: bool

    async def opened(self, server: Server) -> Store:
        """The store as a server opens it."""
        ...

    def died(self, server: Server) -> None:
        """A server is gone, in whatever way: what it did not sync may be lost."""
        ...

    async def logs(self) -> dict[str, list[Entry]]:
        """What stands in the end, read by nobody's server."""
        ...

    def close(self) -> None:
        """Nothing more is asked of it."""
        ...


class ShelfDisk:
    """A shelf: a commit stands whole or not at all, and whoever asked may not hear which."""

    def __init__(self, world: World, shared: bool) -> None:
        self.world, self.shared = world, shared
        self.chance = world.chance("disk")
        self.memory_disk = MemoryDisk()
        self.full = False
        self.stores: dict[Server, ShelfStore] = {}

    async def opened(self, server: Server) -> Store:
        await asyncio.sleep(self.delay())
        store = self.stores[server] = ShelfStore(self, server)
        if self.shared:
            server.spawn(store.listen())
        return store

    def died(self, server: Server) -> None:
        self.stores.pop(server, None)

    async def logs(self) -> dict[str, list[Entry]]:
        store = MemoryStore(self.memory_disk)
        return {
            table: [entry async for entry in store.log(table)] for table in self.memory_disk.logs
        }

    def close(self) -> None:
        """Nothing is open."""

    def backup(self) -> MemoryDisk:
        """A copy, as a backup makes one."""
        kept, self.memory_disk.stores = self.memory_disk.stores, []
        copied = copy.deepcopy(self.memory_disk)
        self.memory_disk.stores = kept
        return copied

    def replace(self, backup: MemoryDisk) -> None:
        """Put a copy in place, under servers that are there too."""
        self.memory_disk = backup
        for store in self.stores.values():
            store.memory_disk = backup

    def delay(self) -> float:
        """How long a piece of work takes."""
        return self.chance.uniform(0.0002, 0.004) * self.world.plan.slow

    async def work(self, server: Server, what: str) -> None:
        """Wait for a piece of work; it may fail, and the server may die over it."""
        await asyncio.sleep(self.delay())
        if self.world.strikes(f"die_{what}", self.chance):
            server.kill(f"dies {what} a commit")
            await asyncio.sleep(3600)
        if what == "before" and (self.full or self.world.strikes("refuse", self.chance)):
            raise UnavailableError("the disk is full")
        if what == "after" and self.world.strikes("doubt", self.chance):
            raise UnavailableError("the line to the store broke")

    def tell(self, by: ShelfStore, table: str, seq: int) -> None:
        """Have the other servers woken, if the word gets through."""
        for store in self.stores.values():
            if store is not by and not self.world.strikes("deaf", self.chance):
                self.world.loop.call_later(self.delay() * 3, store.notifier.notify, table, seq)


class ShelfStore(MemoryStore):
    """A server's store on a shelf: everything takes its time, and may fail."""

    def __init__(self, disk: ShelfDisk, server: Server) -> None:
        # One database has one clock; a server's own disk has that server's.
        clock = disk.world.clock if disk.shared else server.clock
        super().__init__(disk.memory_disk, clock.now)
        disk.memory_disk.stores.remove(self)
        self.shared = disk.shared
        self.disk, self.server = disk, server

    async def _commit(self, batch: Sequence[Append]) -> list[AppendOutcome | Exception]:
        await self.disk.work(self.server, "before")
        now = format_time(self._clock())
        if self.shared:
            await asyncio.sleep(self.disk.delay())
        if self.server.dead:
            raise UnavailableError("the server is dead")
        outcomes = [self._one(append, now) for append in batch]
        for append, outcome in zip(batch, outcomes, strict=True):
            self._log_append(append, outcome)
        await self.disk.work(self.server, "after")
        return outcomes

    def _log_append(self, append: Append, outcome: AppendOutcome | Exception) -> None:
        told = type(outcome).__name__
        if isinstance(outcome, Appended):
            told = "; ".join(
                f"{entry.seq} {entry.by} {entry.line or entry.act!r}" for entry in outcome.entries
            )
            self.disk.tell(self, append.table, outcome.entries[-1].seq)
        self.disk.world.note(f"{self.server.name} writes {append.table}: {told}")

    async def listen(self) -> None:
        """Look now and then for what no wake-up told of."""
        while True:
            await asyncio.sleep(POLL)
            for table in self.notifier.watched_tables():
                log = self.memory_disk.logs.get(table)
                if log:
                    self.notifier.notify(table, len(log) - 1)

    async def _slowly(self, read: Callable[..., Awaitable[Found]], *what: object) -> Found:
        """Read: it is as it stood somewhere between asking and hearing."""
        await asyncio.sleep(self.disk.delay())
        found = await read(*what)
        await asyncio.sleep(self.disk.delay() / 2)
        if self.disk.world.strikes("unread", self.disk.chance):
            raise UnavailableError("the store cannot be read")
        return found

    async def now(self) -> str:
        """The store's clock, heard a little late."""
        return await self._slowly(super().now)

    async def _read_rows(self, table: str, after: int, limit: int) -> list[StoredRow]:
        return await self._slowly(super()._read_rows, table, after, limit)

    async def _find_row(self, table: str, key: bytes) -> StoredRow | None:
        return await self._slowly(super()._find_row, table, key)

    async def _last_row(self, table: str) -> StoredRow | None:
        return await self._slowly(super()._last_row, table)

    async def _list_rows(self, table: str | None) -> list[ListingRow]:
        return await self._slowly(super()._list_rows, table)

    async def _find_grant(self, table: str | None, stored: str) -> Grant | None:
        return await self._slowly(super()._find_grant, table, stored)

    async def _secret(self, table: str) -> Secret | None:
        return await self._slowly(super()._secret, table)

    async def _load_snapshots(self, kind: str, table: str | None) -> list[SnapshotRow]:
        found = await self._slowly(super()._load_snapshots, kind, table)
        if found and self.disk.world.strikes("rot", self.disk.chance):
            name, seq, data = found[0]
            found[0] = (name, seq, data[: self.disk.chance.randrange(len(data))])
        return found

    async def _save_snapshots(self, all_kept: Sequence[tuple[str, SnapshotRow]]) -> None:
        if self.disk.full:
            raise UnavailableError("the disk is full")
        await self._slowly(super()._save_snapshots, all_kept)
