"""A store in SQLite, for one server: a folder that one process has to itself.

Through ``apsw``, which brings a current SQLite of its own. Write-ahead log, full sync: a commit is
on the disk when it returns. One thread writes, one reads; neither waits for the other.
"""

from __future__ import annotations

import os
from asyncio import get_running_loop
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw
import msgspec

from passline.live.appends import (
    Append,
    DamagedError,
    Outcome,
    Row,
    Secret,
    Stamped,
    Taken,
    UnavailableError,
    UnusableError,
    seen_before,
    stamped,
)
from passline.live.entries import moment
from passline.live.store import Kept, Listed, Store, utc_now
from passline.live.stores import sqlite_schema
from passline.live.tokens import Grant, Holder

FILE: Final = "live.sqlite"
#: Milliseconds to wait for somebody else's lock on the file, such as a backup's.
PATIENCE: Final = 2000

Found = TypeVar("Found")

_APPEND: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM entries WHERE tbl = ?1 AND seq = ?2 - 1 AND hash = ?6)
    ON CONFLICT DO NOTHING"""
#: The same for many: one statement, so that this thread asks for the interpreter once.
_APPEND_ALL: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body)
    SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), CAST(value ->> 4 AS BLOB)
    FROM json_each(?) WHERE EXISTS (
        SELECT 1 FROM entries
        WHERE tbl = value ->> 0 AND seq = (value ->> 1) - 1 AND hash = value ->> 5
    ) ON CONFLICT DO NOTHING RETURNING tbl"""
_FOLLOW: Final = "INSERT INTO entries (tbl, seq, hash, body) VALUES (?, ?, ?, ?)"
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
        return moment(self._clock())

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], Found]) -> Found:
        """Have a thread do something; what goes wrong with the file becomes the store's error."""

        def guarded() -> Found:
            try:
                return work()
            except (apsw.Error, UnicodeDecodeError) as wrong:
                self._drop(thread)
                raise _told(wrong) from None

        if self.closed:
            raise UnavailableError("the store is closed")
        return await get_running_loop().run_in_executor(thread, guarded)

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
            sqlite_schema.brought_up_to_date(connection, self.file)
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

    async def _commit(self, batch: Sequence[Append]) -> list[Outcome | Exception]:
        return await self._on(self._writing, lambda: self._write(batch))

    def _write(self, batch: Sequence[Append]) -> list[Outcome | Exception]:
        db = self._writable()
        now = moment(self._clock())
        ready = [stamped(append, now) for append in batch]
        plain: dict[str, Stamped] = {}  # the first of each table that is nothing but an entry
        for one in ready:
            if isinstance(one, Stamped) and one.plain:
                plain.setdefault(one.append.table, one)
        db.execute("BEGIN IMMEDIATE")
        try:
            stood = _together(db, list(plain.values()))
            outcomes: list[Outcome | Exception] = []
            for one in ready:
                if isinstance(one, Stamped):
                    table = one.append.table
                    done = table in stood and plain[table] is one
                    outcomes.append(one.appended if done else _one(db, one))
                else:
                    outcomes.append(one)
            db.execute("COMMIT")
        except BaseException:
            with suppress(apsw.Error):
                db.execute("ROLLBACK")
            raise
        return outcomes

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

    async def _rows(self, table: str, after: int, limit: int) -> list[Row]:
        return await self._query(
            "SELECT hash, body FROM entries WHERE tbl = ? AND seq > ? ORDER BY seq LIMIT ?",
            table,
            after,
            limit,
        )

    async def _row(self, table: str, key: bytes) -> Row | None:
        found = await self._query(
            "SELECT hash, body FROM entries WHERE tbl = ? AND speaker = ?", table, key
        )
        return found[0] if found else None

    async def _last(self, table: str) -> Row | None:
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

    async def _keep(self, all_kept: Sequence[tuple[str, Kept]]) -> None:
        rows = [(kept[0], kind, *kept[1:]) for kind, kept in all_kept]

        def write() -> None:
            with self._writable() as db:  # one commit for all of them
                db.executemany(_KEEP, rows)

        await self._on(self._writing, write)

    async def _kept(self, kind: str, table: str | None) -> list[Kept]:
        return await self._query(
            "SELECT tbl, seq, data FROM snapshots WHERE kind = ?1 AND (?2 IS NULL OR tbl = ?2)"
            " ORDER BY tbl",
            kind,
            table,
        )

    async def _forget(self, kind: str) -> None:
        sql = "DELETE FROM snapshots WHERE ?1 = '' OR kind = ?1"
        await self._on(self._writing, lambda: list(self._writable().execute(sql, (kind,))))

    async def _close(self) -> None:
        for thread in (self._reading, self._writing):  # the last to go tidies the log away
            await get_running_loop().run_in_executor(thread, self._drop, thread)
            thread.shutdown(wait=False)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _together(db: apsw.Connection, plain: Sequence[Stamped]) -> set[str]:
    """Write appends of one entry each, no two of a table; the tables where it stands."""
    if len(plain) < 2:
        return set()
    rows = []
    for one in plain:
        entry, body = one.entries[0]
        key = one.key.hex() if one.key else None
        rows.append((one.append.table, entry.seq, entry.hash, key, body.decode(), entry.prev))
    found: Any = db.execute(_APPEND_ALL, (msgspec.json.encode(rows).decode(),))
    return {table for (table,) in found}


def _one(db: apsw.Connection, ready: Stamped) -> Outcome | Exception:
    """Write one append of a batch, or tell why not; the others go on either way."""
    table, (first, body) = ready.append.table, ready.entries[0]
    db.execute(_APPEND, (table, first.seq, first.hash, ready.key, body, first.prev))
    if db.changes():
        _belongings(db, ready)
        return ready.appended
    seen: Any = db.execute(
        "SELECT hash, body FROM entries WHERE tbl = ? AND speaker = ?", (table, ready.key)
    ).fetchone()
    if seen:
        return seen_before(seen, table)
    stands = (
        first.seq == 0
        or db.execute(
            "SELECT 1 FROM entries WHERE tbl = ? AND seq = ? AND hash = ?",
            (table, first.seq - 1, first.prev),
        ).fetchone()
    )
    return Taken() if stands else ready.lost()


def _belongings(db: apsw.Connection, ready: Stamped) -> None:
    """Write what comes with the first entry of an append."""
    append, table = ready.append, ready.append.table
    for entry, body in ready.entries[1:]:
        db.execute(_FOLLOW, (table, entry.seq, entry.hash, body))
    if ready.settings is not None:
        db.execute("INSERT INTO tables (tbl, settings) VALUES (?, ?)", (table, ready.settings))
    if append.secret:
        db.execute(
            "INSERT INTO secrets (tbl, promise, sealed) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
            " SET promise = excluded.promise, sealed = excluded.sealed",
            (table, append.secret.commit, append.secret.sealed),
        )
    for grant in append.grants:
        db.execute(
            "INSERT INTO tokens (tbl, hash, role, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table, grant.hash, grant.holder.role, grant.holder.name),
        )
    again = {grant.hash for grant in append.grants}
    for holder in append.withdrawn:
        place = (table, holder.role, holder.name)
        held = "FROM tokens WHERE tbl = ? AND role = ? AND name = ?"
        for (stored,) in list(db.execute(f"SELECT hash {held}", place)):
            if stored not in again:
                db.execute(f"DELETE {held} AND hash = ?", (*place, stored))


def _told(wrong: Exception) -> UnavailableError:
    if isinstance(wrong, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError):
        return DamagedError(f"the store's file is damaged: {wrong}")
    return UnavailableError(f"the store's file cannot be used: {wrong}")
