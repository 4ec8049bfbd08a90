"""A store in SQLite, for one server: a folder that one process has to itself.

Through ``apsw``, which brings a current SQLite of its own. Write-ahead log, full sync: a commit is
on the disk when it returns. One thread writes, one reads, one copies the write-ahead log into the
file; none of them waits for another.
"""

from __future__ import annotations

import os
from asyncio import get_running_loop
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw

from passline.live.appends import (
    Adoption,
    Append,
    AppendOutcome,
    DamagedError,
    MovedRow,
    Secret,
    Stamped,
    StoredRow,
    UnavailableError,
    UnusableError,
    stamped,
)
from passline.live.entries import entry_time
from passline.live.store import KeptSnapshot, Listed, Store, utc_now
from passline.live.stores import sqlite_schema
from passline.live.stores.sqlite_batch import rows_of, write_batch
from passline.live.stores.sqlite_copying import WalCopier
from passline.live.stores.sqlite_moving import begin_adoption, end_adoption, write_moved
from passline.live.tokens import Grant, Holder

FILE: Final = "live.sqlite"
#: Milliseconds to wait for somebody else's lock on the file, such as a backup's.
PATIENCE: Final = 2000

RowsFound = TypeVar("RowsFound")

_LISTED: Final = """
    SELECT tbl, (SELECT max(seq) FROM entries WHERE entries.tbl = tables.tbl), settings
    FROM tables"""
_KEEP: Final = """
    INSERT INTO snapshots (tbl, kind, seq, data) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data
    WHERE excluded.seq >= snapshots.seq"""


class SqliteStore(Store):
    """The store of a folder. ``open`` it; nobody else can until it is closed."""

    shared = False

    def __init__(self, folder: Path, read_only: bool, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.file = folder / FILE
        self._read_only, self._clock = read_only, clock
        self._lock: int | None = None
        self._writing = ThreadPoolExecutor(1, "passline-write")
        self._reading = ThreadPoolExecutor(1, "passline-read")
        self._writes: apsw.Connection | None = None
        self._reads: apsw.Connection | None = None
        self._doubtful = False
        self._copier = WalCopier(self.file, PATIENCE)
        #: Nobody wrote when the file was opened to be read: it is opened anew once somebody does.
        self._alone = False

    @classmethod
    async def open(
        cls,
        folder: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] = utc_now,
    ) -> SqliteStore:
        """The store of a folder, made or brought up to date where need be.

        Read-only, it looks on while a server has it. UnusableError where it cannot be opened;
        OccupiedError where another server has it.
        """
        store = cls(folder, read_only, clock)
        try:
            if not read_only:
                store._lock = sqlite_schema.occupied(folder)
                await store._on(store._writing, store._writable)
            await store._on(store._reading, store._readable)
        except BaseException as wrong:
            await store._close()
            if isinstance(wrong, UnavailableError):
                raise UnusableError(f"{store.file} cannot be opened: {wrong}") from None
            raise
        return store

    async def now(self) -> str:
        """This machine's clock: SQLite has no other."""
        return entry_time(self._clock())

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], RowsFound]) -> RowsFound:
        """Have a thread do something; what goes wrong with the file becomes the store's error."""
        if self.closed:
            raise UnavailableError("the store is closed")
        return await get_running_loop().run_in_executor(thread, self._guarded, thread, work)

    def _guarded(self, thread: ThreadPoolExecutor, work: Callable[[], RowsFound]) -> RowsFound:
        try:
            return work()
        except (apsw.Error, UnicodeDecodeError) as wrong:
            self._drop(thread)
            raise _told(wrong) from None

    def _drop(self, thread: ThreadPoolExecutor) -> None:
        """Let go of a connection after an error: the next one sees what the disk holds."""
        if thread is self._writing:
            connection, self._writes, self._doubtful = self._writes, None, True
        else:
            connection, self._reads = self._reads, None
        if connection:
            with suppress(apsw.Error):
                connection.close()

    def _writable(self) -> apsw.Connection:
        if self._writes is None:
            if self._read_only:
                raise UnavailableError("the store was opened to be read")
            # Held at once, so that whatever goes wrong next it is closed.
            self._writes = connection = sqlite_schema.connected(self.file, PATIENCE)
            sqlite_schema.file_up_to_date(connection, self.file)
            if self._doubtful:
                # A commit that failed half-way may lie in the write-ahead log without being on the
                # disk. Copied into the file itself and synced there, it is; or this fails too.
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._doubtful = False
        return self._writes

    def _readable(self) -> apsw.Connection:
        if self._reads is None:
            self._alone = self._read_only and not sqlite_schema.in_use(self.file)
            connection = sqlite_schema.looking_on(self.file, PATIENCE, self._alone)
            sqlite_schema.known(connection, self.file)
            self._reads = connection
        return self._reads

    async def _commit(self, batch: Sequence[Append]) -> list[AppendOutcome | Exception]:
        """Whatever needs the interpreter is done before the thread is asked: it would take it from
        those who deal, and wait for it, once for each thing that it does."""
        now = entry_time(self._clock())
        ready = [stamped(append, now) for append in batch]
        good = [one for one in ready if isinstance(one, Stamped)]
        plain: dict[str, Stamped] = {}  # the first of each table that is nothing but an entry
        for one in good:
            if one.plain:
                plain.setdefault(one.append.table, one)
        together = list(plain.values())
        rows = rows_of(together)
        written = await self._on(self._writing, partial(self._write, good, together, rows))
        self._copier.wrote(len(good))
        return [written.pop(0) if isinstance(one, Stamped) else one for one in ready]

    def _write(
        self, ready: Sequence[Stamped], together: Sequence[Stamped], rows: str
    ) -> list[AppendOutcome | Exception]:
        return write_batch(self._writable(), ready, together, rows)

    async def _query(self, sql: str, *values: object) -> list[Any]:
        return await self._on(self._reading, lambda: self._found(sql, values))

    def _found(self, sql: str, values: tuple[object, ...]) -> list[Any]:
        """The rows of a query. A file that is read alone may get a server meanwhile: what was read
        then is read again."""
        while True:
            if self._joined():
                self._drop(self._reading)
            try:
                rows = list(self._readable().execute(sql, values))
            except apsw.Error:
                if not self._joined():
                    raise
                continue
            if not self._joined():
                return rows

    def _joined(self) -> bool:
        return self._alone and sqlite_schema.in_use(self.file)

    async def _rows(self, table: str, after: int, limit: int) -> list[StoredRow]:
        return await self._query(
            "SELECT hash, body FROM entries WHERE tbl = ? AND seq > ? ORDER BY seq LIMIT ?",
            table,
            after,
            limit,
        )

    async def _row(self, table: str, key: bytes) -> StoredRow | None:
        found = await self._query(
            "SELECT hash, body FROM entries WHERE tbl = ? AND speaker = ?", table, key
        )
        return found[0] if found else None

    async def _last(self, table: str) -> StoredRow | None:
        found = await self._query(
            "SELECT hash, body FROM entries WHERE tbl = ? ORDER BY seq DESC LIMIT 1", table
        )
        return found[0] if found else None

    async def _listed(self, table: str | None) -> list[Listed]:
        if table is None:
            return await self._query(f"{_LISTED} ORDER BY tbl")
        return await self._query(f"{_LISTED} WHERE tbl = ?", table)

    async def _granted(self, table: str | None, stored: str) -> Grant | None:
        query = "SELECT hash, role, name FROM tokens WHERE hash = ?"
        where = "" if table is None else " AND tbl = ?"
        values = (stored,) if table is None else (stored, table)
        found = await self._query(f"{query}{where} LIMIT 1", *values)
        return Grant(found[0][0], Holder(*found[0][1:])) if found else None

    async def _secret(self, table: str) -> Secret | None:
        found = await self._query("SELECT promise, sealed FROM secrets WHERE tbl = ?", table)
        return Secret(*found[0]) if found else None

    async def _keep(self, all_kept: Sequence[tuple[str, KeptSnapshot]]) -> None:
        rows = [(kept[0], kind, *kept[1:]) for kind, kept in all_kept]

        def write() -> None:
            with self._writable() as db:  # one commit for all of them
                db.executemany(_KEEP, rows)

        await self._on(self._writing, write)

    async def _kept(self, kind: str, table: str | None) -> list[KeptSnapshot]:
        return await self._query(
            "SELECT tbl, seq, data FROM snapshots WHERE kind = ?1 AND (?2 IS NULL OR tbl = ?2)"
            " ORDER BY tbl",
            kind,
            table,
        )

    async def _forget(self, kind: str) -> None:
        sql = "DELETE FROM snapshots WHERE ?1 = '' OR kind = ?1"
        await self._on(self._writing, lambda: list(self._writable().execute(sql, (kind,))))

    async def grants(self, table: str) -> list[Grant]:
        """Every token that speaks at a table."""
        found = await self._query("SELECT hash, role, name FROM tokens WHERE tbl = ?", table)
        return [Grant(row[0], Holder(*row[1:])) for row in found]

    async def adopt(self, adoption: Adoption, pages: AsyncIterator[Sequence[MovedRow]]) -> None:
        """In one transaction, however many pages there are: nobody else writes meanwhile."""
        try:
            await self._on(self._writing, lambda: begin_adoption(self._writable()))
            async for page in pages:
                await self._on(self._writing, partial(self._moved, adoption.table, page))
            await self._on(self._writing, lambda: end_adoption(self._writable(), adoption))
        except BaseException:
            with suppress(UnavailableError):
                await self._on(self._writing, lambda: self._drop(self._writing))
            raise

    def _moved(self, table: str, page: Sequence[MovedRow]) -> None:
        write_moved(self._writable(), table, page)

    async def _close(self) -> None:
        await self._copier.close()
        for thread in (self._reading, self._writing):  # the last to go tidies the log away
            await get_running_loop().run_in_executor(thread, self._drop, thread)
            thread.shutdown(wait=False)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _told(wrong: Exception) -> UnavailableError:
    if isinstance(wrong, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError):
        return DamagedError(f"the store's file is damaged: {wrong}")
    return UnavailableError(f"the store's file cannot be used: {wrong}")
