"""The SQLite file: how it is opened, and its schema, version by version."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Final

import apsw

from passline.live.appends import OccupiedError, UnavailableError, UnusableError

LOCK: Final = "live.lock"
#: Marks the file as ours: "PASS", as bytes.
_OURS: Final = 0x50415353

#: What brings a file from each version to the next. Steps are added, never changed.
STEPS: tuple[str, ...] = (
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
)


def occupied(folder: Path) -> int:
    """A hold on a folder, made for its owner alone where it is not there yet.

    Held until it is closed, or until the process ends in whatever way.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as wrong:
        raise UnusableError(f"{folder} cannot be used: {wrong.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise OccupiedError(f"another server has its tables in {folder}") from None
    except OSError as wrong:
        os.close(handle)
        raise UnusableError(f"{folder} cannot be locked: {wrong.strerror}") from None
    return handle


def looking_on(file: Path, patience: int, alone: bool) -> apsw.Connection:
    """A connection that only reads. ``alone``: nobody writes, and nothing is made beside the file,
    as a reader of a write-ahead log else makes that log's own files."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    address = f"{file.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    connection = apsw.Connection(address, flags=flags)
    connection.set_busy_timeout(patience)
    return connection


def connected(file: Path, patience: int) -> apsw.Connection:
    """A connection to a file that only its owner can read; made where it is not there yet.

    A file that is there is not opened here, not even to look: to close it again would let go of
    the locks that this process's other connections have on it (so POSIX has it), and whoever else
    opens it then, to copy it, takes himself for the last and removes the log they write to.
    """
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if not os.access(file, os.R_OK | os.W_OK):
            raise UnavailableError(f"{file}: {os.strerror(errno.EACCES)}") from None
    except OSError as wrong:
        raise UnavailableError(f"{file}: {wrong.strerror}") from None
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(patience)
    # Marked before anything else is written, so that a file of another kind is left alone.
    if connection.pragma("user_version") == 0 and not _holds_something(connection):
        connection.pragma("application_id", _OURS)
    known(connection, file, fresh=True)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("fullfsync", True)
    # Nobody is answered while a commit copies pages from the log into the file: others do that
    # (sqlite_copying), and only where they never got to the log's end is it done here.
    connection.pragma("wal_autocheckpoint", 50_000)
    return connection


def in_use(file: Path) -> bool:
    """Whether a write-ahead log lies beside the file: a server has it, or had it to the last."""
    return file.with_name(f"{file.name}-wal").exists()


def known(connection: apsw.Connection, file: Path, fresh: bool = False) -> int:
    """The version of a file that is ours. UnusableError where it is not, or is a later one."""
    version = int(str(connection.pragma("user_version")))
    if connection.pragma("application_id") != _OURS or (version == 0 and not fresh):
        raise UnusableError(f"{file} holds no tables of passline")
    if version > len(STEPS):
        raise UnusableError(f"{file} was written by a later version of passline")
    return version


def file_up_to_date(connection: apsw.Connection, file: Path) -> None:
    """Take a file through the steps that it has not taken, each of them whole or not at all."""
    for number, step in enumerate(STEPS, 1):
        if known(connection, file, fresh=True) < number:
            with connection:
                connection.execute(step)
                connection.pragma("user_version", number)


def _holds_something(connection: apsw.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None
