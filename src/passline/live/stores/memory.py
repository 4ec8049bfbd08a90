"""A store in memory, for tests and for the fault simulation.

A `MemoryDisk` holds the bytes that survive a simulated crash. A new store on the same disk
continues from there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Literal

from passline.game.words.log import say_log
from passline.live.log_entries import EntryError, encode_canonical, format_time
from passline.live.store import (
    EMPTIED,
    Append,
    AppendOutcome,
    ImportedRow,
    ListingRow,
    Secret,
    SequenceConflict,
    SnapshotRow,
    StampedAppend,
    Store,
    StoredRow,
    TableImport,
    UnavailableError,
    add_checksum,
    decode_row,
    make_duplicate,
    stamp_append,
    utc_now,
)
from passline.live.tokens import Grant, Holder

#: A test hook that is awaited before and after every commit. An error raised before means that
#: nothing is written; one raised after means that all is written but the caller gets no answer.
CommitHook = Callable[[Literal["before", "after"], Sequence[Append]], Awaitable[None]]


class MemoryDisk:
    """The stored bytes of a store in memory, and the stores that are open on them."""

    def __init__(self) -> None:
        self.logs: dict[str, list[StoredRow]] = {}
        self.ids: dict[tuple[str, bytes], int] = {}
        self.tokens: dict[tuple[str, str], Holder] = {}
        self.secrets: dict[str, Secret] = {}
        self.snapshots: dict[tuple[str, str], SnapshotRow] = {}
        self.facts: dict[str, int] = {}
        self.stores: list[MemoryStore] = []


class MemoryStore(Store):
    """A store on a `MemoryDisk`. Several stores may share a disk, as servers share a database."""

    def __init__(
        self,
        memory_disk: MemoryDisk | None = None,
        clock: Callable[[], datetime] = utc_now,
        step: CommitHook | None = None,
    ) -> None:
        super().__init__()
        self.memory_disk = memory_disk or MemoryDisk()
        self.memory_disk.stores.append(self)
        self._clock, self._step = clock, step

    async def now(self) -> str:
        """Return the time of the clock that the store was made with."""
        return format_time(self._clock())

    async def send_message(self, *words: str) -> None:
        """Send words to all stores of this disk."""
        for store in self.memory_disk.stores:
            for listener in store.message_listeners:
                listener(words)

    async def _commit(self, batch: Sequence[Append]) -> list[AppendOutcome | Exception]:
        if self._step:
            await self._step("before", batch)
        now = format_time(self._clock())
        outcomes = [self._one(append, now) for append in batch]
        if self._step:
            await self._step("after", batch)
        return outcomes

    def _one(self, append: Append, now: str) -> AppendOutcome | Exception:
        """Write one append if possible, and return its outcome."""
        ready = stamp_append(append, now)
        if isinstance(ready, EntryError):
            return ready
        log, seq = self.memory_disk.logs.get(append.table, []), ready.first.seq
        key = ready.request_key
        earlier = self.memory_disk.ids.get((append.table, key)) if key is not None else None
        if earlier is not None:
            return make_duplicate(log[earlier], append.table)
        if len(log) < seq or (seq and log[seq - 1][0] != ready.first.prev):
            return ready.make_forked_error()
        if len(log) > seq:
            return SequenceConflict()
        self._write(ready)
        return ready.appended

    def _write(self, ready: StampedAppend) -> None:
        append, memory_disk, table = ready.append, self.memory_disk, ready.append.table
        log = memory_disk.logs.setdefault(table, [])
        log.extend((entry.hash, body) for entry, body in ready.entries)
        if ready.request_key is not None:
            memory_disk.ids[table, ready.request_key] = ready.first.seq
        if append.secret:
            memory_disk.secrets[table] = append.secret
        for place, holder in list(memory_disk.tokens.items()):
            again = any(grant.hash == place[1] for grant in append.grants)
            if place[0] == table and holder in append.withdrawn and not again:
                del memory_disk.tokens[place]
        for grant in append.grants:
            memory_disk.tokens.setdefault((table, grant.hash), grant.holder)
        for store in memory_disk.stores:
            store.notifier.notify(table, len(log) - 1)

    async def _read_rows(self, table: str, after: int, limit: int) -> list[StoredRow]:
        return self.memory_disk.logs.get(table, [])[after + 1 : after + 1 + limit]

    async def _find_row(self, table: str, key: bytes) -> StoredRow | None:
        seq = self.memory_disk.ids.get((table, key))
        return None if seq is None else self.memory_disk.logs[table][seq]

    async def _last_row(self, table: str) -> StoredRow | None:
        log = self.memory_disk.logs.get(table)
        return log[-1] if log else None

    async def _list_rows(self, table: str | None) -> list[ListingRow]:
        found: list[ListingRow] = []
        for name, log in sorted(self.memory_disk.logs.items()):
            if table in (None, name):
                settings = encode_canonical(decode_row(log[0], name).more.get("settings"))
                found.append((name, len(log) - 1, add_checksum(settings)))
        return found

    async def _find_grant(self, table: str | None, stored: str) -> Grant | None:
        if table is None:
            table = next((table for table, known in self.memory_disk.tokens if known == stored), "")
        holder = self.memory_disk.tokens.get((table, stored))
        return Grant(stored, holder) if holder else None

    async def _secret(self, table: str) -> Secret | None:
        return self.memory_disk.secrets.get(table)

    async def _save_snapshots(self, all_kept: Sequence[tuple[str, SnapshotRow]]) -> None:
        for kind, snapshot in all_kept:
            old = self.memory_disk.snapshots.get((snapshot[0], kind), snapshot)
            if old[1] <= snapshot[1]:
                self.memory_disk.snapshots[snapshot[0], kind] = snapshot

    async def _load_snapshots(self, kind: str, table: str | None) -> list[SnapshotRow]:
        return [
            snapshot
            for (name, of), snapshot in sorted(self.memory_disk.snapshots.items())
            if of == kind and table in (None, name)
        ]

    async def grants(self, table: str) -> list[Grant]:
        """Return every token of a table as it is stored: its hash and its holder."""
        held = self.memory_disk.tokens.items()
        return [Grant(stored, holder) for (of, stored), holder in held if of == table]

    async def import_table(
        self, imported: TableImport, pages: AsyncIterator[Sequence[ImportedRow]]
    ) -> None:
        """Store a table that comes from another store.

        Raise UnavailableError if another store wrote to the table meanwhile.
        """
        memory_disk, table = self.memory_disk, imported.table
        moved = [one async for page in pages for one in page]
        log = memory_disk.logs.setdefault(table, [])
        if moved[0][0] != len(log):
            raise UnavailableError(say_log("written-meanwhile", table=table))
        log.extend((hash_, body) for _, hash_, _, body in moved)
        memory_disk.ids |= {(table, key): seq for seq, _, key, _ in moved if key is not None}
        others = {place: who for place, who in memory_disk.tokens.items() if place[0] != table}
        own = {(table, grant.hash): grant.holder for grant in imported.grants}
        memory_disk.tokens = others | own
        if imported.secret:
            memory_disk.secrets[table] = imported.secret

    async def delete_table(self, table: str) -> None:
        """Delete a table for good."""
        memory_disk = self.memory_disk
        memory_disk.logs.pop(table, None)
        memory_disk.secrets.pop(table, None)
        for request in [one for one in memory_disk.ids if one[0] == table]:
            del memory_disk.ids[request]
        for token in [one for one in memory_disk.tokens if one[0] == table]:
            del memory_disk.tokens[token]
        for snapshot in [one for one in memory_disk.snapshots if one[0] == table]:
            del memory_disk.snapshots[snapshot]
        if not memory_disk.logs:
            memory_disk.facts[EMPTIED] = memory_disk.facts.get(EMPTIED, 0) + 1

    async def fact(self, name: str) -> int:
        """Return a number that the store has for the whole house, or 0."""
        return self.memory_disk.facts.get(name, 0)

    async def raise_fact(self, name: str, number: int) -> None:
        """Store a fact, unless the stored number is as high."""
        self.memory_disk.facts[name] = max(number, self.memory_disk.facts.get(name, 0))

    async def _close(self) -> None:
        if self in self.memory_disk.stores:
            self.memory_disk.stores.remove(self)
