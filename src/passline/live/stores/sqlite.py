"""A store in SQLite, for one server: a folder that one process has open.

It uses ``apsw``, which brings a current SQLite. The file has a write-ahead log with full sync, so a
commit is on disk when it returns. One thread writes, one reads, and one copies the write-ahead log
into the file (`WalCheckpointer`); none of them waits for another.
"""

from __future__ import annotations

import errno
import os
from asyncio import CancelledError, Future, get_running_loop
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw
import msgspec

from passline.files import lock_file
from passline.game.words.log import say_log
from passline.live.log_entries import LogHead, format_time
from passline.live.store import (
    EMPTIED,
    AppendOutcome,
    CorruptStoreError,
    ImportedRow,
    Secret,
    SequenceConflict,
    SnapshotRow,
    StampedAppend,
    StoreError,
    StoreLockedError,
    TableImport,
    UnavailableError,
    UnusableError,
    make_duplicate,
    utc_now,
)
from passline.live.stores.sql_store import TABLES_BY_TABLE, SqlStore
from passline.live.tokens import Grant

LOCK_FILE: Final = "live.lock"
#: Marks the file as ours: "PASS" in ASCII.
_APPLICATION_ID: Final = 0x50415353

#: The steps from each schema version to the next. Steps are added, never changed.
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE tables (tbl TEXT NOT NULL PRIMARY KEY, settings BLOB NOT NULL) STRICT;
    CREATE TABLE entries (
        tbl TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, speaker BLOB,
        body BLOB NOT NULL, PRIMARY KEY (tbl, seq)
    ) STRICT;
    -- The speaker stands for (role, by, id): a request that is sent twice is written once.
    CREATE UNIQUE INDEX entries_speaker ON entries (tbl, speaker) WHERE speaker IS NOT NULL;
    CREATE TABLE tokens (
        tbl TEXT NOT NULL, hash TEXT NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (tbl, hash)
    ) STRICT;
    CREATE TABLE secrets (
        tbl TEXT NOT NULL PRIMARY KEY, promise TEXT NOT NULL, sealed BLOB NOT NULL
    ) STRICT;
    CREATE TABLE snapshots (
        tbl TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (tbl, kind)
    ) STRICT;
    """,
    """
    -- Numbers of the whole house, such as the last day whose Daily was told. They only grow.
    CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL) STRICT;
    """,
)


def lock_folder(folder: Path) -> int:
    """Lock a folder for this process and return a file handle. Close the handle to end the lock.

    Create the folder if needed. Raise StoreLockedError if another process has the lock,
    UnusableError if the folder cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        words = say_log("folder-unusable", folder=folder, error=wrong.strerror)
        raise UnusableError(words) from None
    try:
        lock_file(handle, wait=False)
    except BlockingIOError:
        os.close(handle)
        raise StoreLockedError(say_log("folder-in-use", folder=folder)) from None
    except OSError as wrong:
        os.close(handle)
        words = say_log("folder-unlockable", folder=folder, error=wrong.strerror)
        raise UnusableError(words) from None
    return handle


def connect_read_only(file: Path, lock_timeout: int, alone: bool) -> apsw.Connection:
    """Return a connection that only reads. It waits up to ``lock_timeout`` ms for a lock.

    ``alone`` means that no server has the file open; then SQLite creates no file beside it.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    address = f"{file.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    connection = apsw.Connection(address, flags=flags)
    connection.set_busy_timeout(lock_timeout)
    return connection


def connect_file(file: Path, lock_timeout: int) -> apsw.Connection:
    """Return a connection that writes. Create the file, for its owner only, if it is missing.

    It waits up to ``lock_timeout`` milliseconds for a lock. An existing file is opened by SQLite
    only, never with ``open``: closing it again would release the POSIX locks of this process's
    other connections, and a backup program could then remove the log that they write to. Raise
    UnavailableError if the file cannot be opened.
    """
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(file, os.R_OK | os.W_OK):
            raise UnavailableError(f"{file}: {os.strerror(errno.EACCES)}") from None
    except OSError as wrong:
        raise UnavailableError(f"{file}: {wrong.strerror}") from None
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(lock_timeout)
    # Marked before anything else is written, so that a file of another kind is left alone.
    empty = connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
    if connection.pragma("user_version") == 0 and empty:
        connection.pragma("application_id", _APPLICATION_ID)
    check_version(connection, file, fresh=True)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("fullfsync", True)
    # Copying pages from the log during a commit delays everyone. The WalCheckpointer does it;
    # this is the limit for when it cannot keep up.
    connection.pragma("wal_autocheckpoint", 50_000)
    return connection


def has_wal_file(file: Path) -> bool:
    """Return whether the file has a write-ahead log: a server has it open, or has crashed."""
    return file.with_name(f"{file.name}-wal").exists()


def check_version(connection: apsw.Connection, file: Path, fresh: bool = False) -> int:
    """Return a file's schema version. ``fresh`` allows version 0, a file without tables.

    Raise UnusableError if the file is not a store or has a later version.
    """
    version = int(str(connection.pragma("user_version")))
    if connection.pragma("application_id") != _APPLICATION_ID or (version == 0 and not fresh):
        raise UnusableError(say_log("file-foreign", file=file))
    if version > len(MIGRATIONS):
        raise UnusableError(say_log("file-later", file=file))
    return version


def migrate_file(connection: apsw.Connection, file: Path) -> None:
    """Bring a file's schema up to date, each step in its own transaction."""
    for number, step in enumerate(MIGRATIONS, 1):
        if check_version(connection, file, fresh=True) < number:
            with connection:
                connection.execute(step)
                connection.pragma("user_version", number)


_APPEND_SQL: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM entries WHERE tbl = ?1 AND seq = ?2 - 1 AND hash = ?6)
    ON CONFLICT DO NOTHING"""
#: Inserts many entries in one statement, so that the thread needs the interpreter lock only once.
_APPEND_MANY_SQL: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body)
    SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), CAST(value ->> 4 AS BLOB)
    FROM json_each(?) WHERE EXISTS (
        SELECT 1 FROM entries
        WHERE tbl = value ->> 0 AND seq = (value ->> 1) - 1 AND hash = value ->> 5
    ) ON CONFLICT DO NOTHING"""
_ENTRY_EXISTS_SQL: Final = "SELECT 1 FROM entries WHERE tbl = ? AND seq = ? AND hash = ?"
_INSERT_ENTRY_SQL: Final = (
    "INSERT INTO entries (tbl, seq, hash, speaker, body) VALUES (?, ?, ?, ?, ?)"
)


def write_batch(
    db: apsw.Connection,
    ready: Sequence[StampedAppend],
    together: Sequence[StampedAppend],
    rows: str,
) -> list[AppendOutcome | Exception]:
    """Write the appends in ``ready`` in one commit, and return each one's outcome.

    ``together`` are those of them that a single statement can write, and ``rows`` is the same as
    JSON (`encode_rows`).
    """
    if len(together) == len(ready) > 0:
        db.execute(_APPEND_MANY_SQL, (rows,))  # One statement is a commit by itself.
        if db.changes() == len(ready):
            return [one.appended for one in ready]
    db.execute("BEGIN IMMEDIATE")
    try:
        appended = _append_many(db, together, rows)
        outcomes = [one.appended if id(one) in appended else _append_one(db, one) for one in ready]
        db.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            db.execute("ROLLBACK")
        raise
    return outcomes


def _append_many(db: apsw.Connection, plain: Sequence[StampedAppend], rows: str) -> set[int]:
    """Insert single-entry appends (at most one per table). Return ``id(append)`` of those written.

    ``rows`` is the same appends as JSON (`encode_rows`).
    """
    if not plain:
        return set()
    db.execute(_APPEND_MANY_SQL, (rows,))
    if db.changes() == len(plain):
        return {id(one) for one in plain}
    return {id(one) for one in plain if _entry_exists(db, one.append.table, one.first.head)}


def _entry_exists(db: apsw.Connection, table: str, head: LogHead) -> bool:
    """Return whether a table's log has an entry with the number and hash of ``head``."""
    return db.execute(_ENTRY_EXISTS_SQL, (table, head.seq, head.hash)).fetchone() is not None


def encode_rows(plain: Sequence[StampedAppend]) -> str:
    """Return single-entry appends as one JSON array for `_APPEND_MANY_SQL`."""
    rows = []
    for one in plain:
        entry, body = one.entries[0]
        key = one.request_key
        stored = key.hex() if key else None
        rows.append((one.append.table, entry.seq, entry.hash, stored, body.decode(), entry.prev))
    return msgspec.json.encode(rows).decode()


def _append_one(db: apsw.Connection, ready: StampedAppend) -> AppendOutcome | Exception:
    """Write one append of a batch and return its outcome, whether or not it could be written."""
    table, (first, body) = ready.append.table, ready.entries[0]
    db.execute(_APPEND_SQL, (table, first.seq, first.hash, ready.request_key, body, first.prev))
    if db.changes():
        _write_attachments(db, ready)
        return ready.appended
    seen: Any = db.execute(
        "SELECT hash, body FROM entries WHERE tbl = ? AND speaker = ?", (table, ready.request_key)
    ).fetchone()
    if seen:
        return make_duplicate(seen, table)
    stands = first.seq == 0 or _entry_exists(db, table, ready.append.after)
    return SequenceConflict() if stands else ready.make_forked_error()


def _write_attachments(db: apsw.Connection, ready: StampedAppend) -> None:
    """Write the rest of an append after its first entry: entries, settings, secret, tokens."""
    append, table = ready.append, ready.append.table
    for entry, body in ready.entries[1:]:
        db.execute(_INSERT_ENTRY_SQL, (table, entry.seq, entry.hash, None, body))
    write_settings(db, table, ready.settings, append.grants, append.secret)
    again = {grant.hash for grant in append.grants}
    for holder in append.withdrawn:
        place = (table, holder.role, holder.name)
        held = "FROM tokens WHERE tbl = ? AND role = ? AND name = ?"
        for (stored,) in list(db.execute(f"SELECT hash {held}", place)):
            if stored not in again:
                db.execute(f"DELETE {held} AND hash = ?", (*place, stored))


def write_settings(
    db: apsw.Connection,
    table: str,
    settings: bytes | None,
    grants: Sequence[Grant],
    secret: Secret | None,
) -> None:
    """Write a table's settings, tokens and secret. None for settings or secret changes nothing."""
    if settings is not None:
        db.execute("INSERT INTO tables (tbl, settings) VALUES (?, ?)", (table, settings))
    for grant in grants:
        db.execute(
            "INSERT INTO tokens (tbl, hash, role, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table, grant.hash, grant.holder.role, grant.holder.name),
        )
    if secret:
        db.execute(
            "INSERT INTO secrets (tbl, promise, sealed) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
            " SET promise = excluded.promise, sealed = excluded.sealed",
            (table, secret.commit, secret.sealed),
        )


#: Entries between two copies of the write-ahead log.
CHECKPOINT_INTERVAL: Final = 1000
#: The first pass copies nearly everything, the second what came meanwhile. Then the next commit
#: finds the whole log copied and starts it again from the beginning; else it would keep growing.
_CHECKPOINT_PASSES: Final = 2


class WalCheckpointer:
    """Copies the write-ahead log into the file after many entries, in its own thread.

    Otherwise SQLite would copy during a commit and delay everyone by 30 to 80 ms. An error here
    loses nothing: the log remains and is copied the next time.
    """

    def __init__(self, file: Path, lock_timeout: int) -> None:
        self._file, self._lock_timeout = file, lock_timeout
        self._thread = ThreadPoolExecutor(1, "passline-copy")
        self._connection: apsw.Connection | None = None
        self._copying: Future[None] | None = None
        self._entries_since_copy = 0

    def count_written(self, entries: int) -> None:
        """Count entries that were written, and start a copy when there are enough."""
        self._entries_since_copy += entries
        if self._entries_since_copy >= CHECKPOINT_INTERVAL and (
            self._copying is None or self._copying.done()
        ):
            self._entries_since_copy = 0
            self._copying = get_running_loop().run_in_executor(self._thread, self.copy)

    def copy(self) -> None:
        """Copy as much as can be copied without blocking readers and writers."""
        try:
            if self._connection is None:
                self._connection = connect_file(self._file, self._lock_timeout)
            for _ in range(_CHECKPOINT_PASSES):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except (apsw.Error, StoreError):
            self.disconnect()

    def disconnect(self) -> None:
        """Close the connection. The next copy opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(apsw.Error):
                connection.close(force=True)

    async def close(self) -> None:
        """Wait for a running copy and close the connection and the thread."""
        if self._copying is not None:
            with suppress(CancelledError):
                await self._copying
        await get_running_loop().run_in_executor(self._thread, self.disconnect)
        self._thread.shutdown(wait=False)


DATABASE_FILE: Final = "live.sqlite"
#: Milliseconds to wait for another program's lock on the file, such as a backup's.
BUSY_TIMEOUT_MS: Final = 2000

WorkResult = TypeVar("WorkResult")

_SAVE_SNAPSHOT_SQL: Final = """
    INSERT INTO snapshots (tbl, kind, seq, data) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data
    WHERE excluded.seq >= snapshots.seq"""
RAISE_FACT_SQL: Final = """
    INSERT INTO facts (name, number) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET number = max(number, excluded.number)"""
_COUNT_EMPTIED_SQL: Final = """
    INSERT INTO facts (name, number) SELECT ?, 1 WHERE NOT EXISTS (SELECT 1 FROM entries)
    ON CONFLICT DO UPDATE SET number = number + 1"""


class SqliteStore(SqlStore):
    """The store of a folder. Create it with ``open``.

    No other server can open the folder until this store is closed.
    """

    shared = False
    ready_bytes = 16 * 1024

    def __init__(self, folder: Path, read_only: bool, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.file = folder / DATABASE_FILE
        self._read_only, self._clock = read_only, clock
        self._lock: int | None = None
        self._writing = ThreadPoolExecutor(1, "passline-write")
        self._reading = ThreadPoolExecutor(1, "passline-read")
        self._writes: apsw.Connection | None = None
        self._reads: apsw.Connection | None = None
        self._commit_failed = False
        #: The files that are written to, as they were when they were opened.
        self._inodes: dict[Path, int] = {}
        #: The bytes of the database file when it was last checked.
        self._size = 0
        self._checkpointer = WalCheckpointer(self.file, BUSY_TIMEOUT_MS)
        #: No server wrote when the file was opened for reading. It is reopened once one does.
        self._alone = False

    @classmethod
    async def open(
        cls,
        folder: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] = utc_now,
    ) -> SqliteStore:
        """Open the store of a folder. Create it or bring it up to date if needed.

        A read-only store can be opened while a server uses it. Raise UnusableError if the folder
        cannot be opened as a store, StoreLockedError if another server has it open.
        """
        store = cls(folder, read_only, clock)
        try:
            if not read_only:
                store._lock = lock_folder(folder)
                await store._run_in(store._writing, store._writable)
            await store._run_in(store._reading, store._readable)
        except BaseException as wrong:
            await store._close()
            if isinstance(wrong, UnavailableError):
                words = say_log("file-unopenable", file=store.file, error=wrong)
                raise UnusableError(words) from None
            raise
        return store

    async def now(self) -> str:
        """Return the time of this machine's clock."""
        return format_time(self._clock())

    async def _run_in(
        self, thread: ThreadPoolExecutor, work: Callable[[], WorkResult]
    ) -> WorkResult:
        """Run ``work`` in a thread and return its result. Turn SQLite's errors into StoreError."""
        if self.closed:
            raise UnavailableError(say_log("store-closed"))
        return await get_running_loop().run_in_executor(thread, self._run_guarded, thread, work)

    def _run_guarded(
        self, thread: ThreadPoolExecutor, work: Callable[[], WorkResult]
    ) -> WorkResult:
        """Run ``work`` and return its result.

        After an error of SQLite, close the connection of ``thread`` and raise a StoreError.
        """
        try:
            return work()
        except (apsw.Error, UnicodeDecodeError) as wrong:
            self._drop(thread)
            raise _make_store_error(wrong) from None

    def _drop(self, thread: ThreadPoolExecutor) -> None:
        """Close a thread's connection after an error. Its next connection reads what is on disk."""
        if thread is self._writing:
            connection, self._writes, self._commit_failed = self._writes, None, True
        else:
            connection, self._reads = self._reads, None
        if connection:
            with suppress(apsw.Error):
                connection.close()

    def _writable(self) -> apsw.Connection:
        """Return the connection that writes, opened and migrated if needed.

        Call it in the writing thread. Raise UnavailableError if the store was opened for reading
        only, or failed.
        """
        if self._writes is None:
            if self._read_only:
                raise UnavailableError(say_log("store-read-only"))
            # Assigned before anything else, so that it is closed if one of the next steps fails.
            self._writes = connection = connect_file(self.file, BUSY_TIMEOUT_MS)
            self._inodes.setdefault(self.file, self.file.stat().st_ino)
            self._inodes.pop(self.file.with_name(f"{self.file.name}-wal"), None)
            migrate_file(connection, self.file)
            if self._commit_failed:
                # A commit that failed half-way may be in the write-ahead log but not on disk.
                # Copying the log into the file and syncing it makes sure, or fails too.
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._commit_failed = False
        return self._writes

    def _readable(self) -> apsw.Connection:
        """Return the connection that reads, opened if needed. Call it in the reading thread."""
        if self._reads is None:
            self._alone = self._read_only and not has_wal_file(self.file)
            connection = connect_read_only(self.file, BUSY_TIMEOUT_MS, self._alone)
            check_version(connection, self.file)
            self._reads = connection
        return self._reads

    async def _commit_time(self) -> str:
        return await self.now()

    async def _insert(self, ready: Sequence[StampedAppend]) -> Sequence[AppendOutcome | Exception]:
        # The writing thread gets no work that needs the interpreter lock.
        plain: dict[str, StampedAppend] = {}  # The first single entry of each table.
        for one in ready:
            if one.is_single:
                plain.setdefault(one.append.table, one)
        together = list(plain.values())
        rows = encode_rows(together)
        written = await self._run_in(self._writing, partial(self._write, ready, together, rows))
        self._checkpointer.count_written(len(ready))
        return written

    def _write(
        self, ready: Sequence[StampedAppend], together: Sequence[StampedAppend], rows: str
    ) -> list[AppendOutcome | Exception]:
        db = self._writable()
        self._check_in_place()
        outcomes = write_batch(db, ready, together, rows)
        self._check_in_place()  # Nothing is acknowledged that went into a removed file.
        return outcomes

    async def check_writable(self) -> None:
        """Write to the file. Raise StoreError if that fails or the file is no longer in place."""
        await super().check_writable()
        await self._run_in(self._writing, self._check_in_place)

    def _check_in_place(self) -> None:
        """Raise UnavailableError if the file or its write-ahead log was removed or replaced.

        Raise it also if the file was cut short, since it never shrinks.
        """
        for path in (self.file, self.file.with_name(f"{self.file.name}-wal")):
            try:
                found = path.stat()
                known = self._inodes.setdefault(path, found.st_ino)
            except FileNotFoundError:
                if path not in self._inodes:
                    continue  # The first commit creates the write-ahead log.
                known = None
            cut = known is not None and path == self.file and found.st_size < self._size
            if known is None or known != found.st_ino or cut:
                raise UnavailableError(say_log("file-removed", file=path))
            if path == self.file:
                self._size = found.st_size

    async def _query(self, sql: str, *values: object) -> list[Any]:
        return await self._run_in(self._reading, lambda: self._fetch(sql, values))

    def _fetch(self, sql: str, values: tuple[object, ...]) -> list[Any]:
        """Return the rows of a query. If a server opens the file meanwhile, run the query again."""
        while True:
            if self._server_started():
                self._drop(self._reading)
            try:
                rows = list(self._readable().execute(sql, values))
            except apsw.Error:
                if not self._server_started():
                    raise
                continue
            if not self._server_started():
                return rows

    def _server_started(self) -> bool:
        """Return whether a server has opened the file since this read-only store did."""
        return self._alone and has_wal_file(self.file)

    async def _save_snapshots(self, all_kept: Sequence[tuple[str, SnapshotRow]]) -> None:
        rows = [(snapshot[0], kind, *snapshot[1:]) for kind, snapshot in all_kept]

        def write() -> None:
            with self._writable() as db:  # One commit for all of them.
                db.executemany(_SAVE_SNAPSHOT_SQL, rows)

        await self._run_in(self._writing, write)

    async def import_table(
        self, imported: TableImport, pages: AsyncIterator[Sequence[ImportedRow]]
    ) -> None:
        """Store a table that comes from another store, in one transaction for all its pages."""

        def write(page: Sequence[ImportedRow]) -> None:
            self._writable().executemany(
                _INSERT_ENTRY_SQL, [(imported.table, *one) for one in page]
            )

        def finish() -> None:
            db, table = self._writable(), imported.table
            db.execute("DELETE FROM tokens WHERE tbl = ?", (table,))
            write_settings(db, table, imported.settings, imported.grants, imported.secret)
            db.execute("COMMIT")

        try:
            await self._run_in(self._writing, lambda: self._writable().execute("BEGIN IMMEDIATE"))
            async for page in pages:
                await self._run_in(self._writing, partial(write, page))
            await self._run_in(self._writing, finish)
        except BaseException:
            with suppress(UnavailableError):
                await self._run_in(self._writing, lambda: self._drop(self._writing))
            raise

    async def send_message(self, *words: str) -> None:
        """Do nothing: no other server can have the folder open."""

    async def delete_table(self, table: str) -> None:
        """Delete a table for good, in one transaction. See the base class."""

        def delete() -> None:
            with self._writable() as db:
                for name in TABLES_BY_TABLE:
                    db.execute(f"DELETE FROM {name} WHERE tbl = ?", (table,))
                db.execute(_COUNT_EMPTIED_SQL, (EMPTIED,))

        await self._run_in(self._writing, delete)

    async def raise_fact(self, name: str, number: int) -> None:
        """Store a fact. Raise StoreError also if the file is no longer in place."""

        def write() -> None:
            self._writable().execute(RAISE_FACT_SQL, (name, number))
            self._check_in_place()

        await self._run_in(self._writing, write)

    async def _close(self) -> None:
        await self._checkpointer.close()
        for thread in (self._reading, self._writing):  # The last to close removes the log file.
            await get_running_loop().run_in_executor(thread, self._drop, thread)
            thread.shutdown(wait=False)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _make_store_error(wrong: Exception) -> UnavailableError:
    while isinstance(wrong.__context__, apsw.Error):
        wrong = wrong.__context__  # The cause; a rollback after it may have failed too.
    if isinstance(wrong, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError):
        return CorruptStoreError(say_log("file-damaged", error=wrong))
    return UnavailableError(say_log("file-unusable", error=wrong))
