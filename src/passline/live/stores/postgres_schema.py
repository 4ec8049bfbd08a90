"""The PostgreSQL database: connections that are made again when lost, and the schema."""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from passline.live.appends import DamagedError, UnavailableError, UnusableError

Values = Sequence[Any] | None

#: What is set where the address does not: a server that is gone is noticed in seconds.
_PATIENCE: Final[dict[str, str | int]] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "passline",
}
_SESSION: Final = """
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET statement_timeout = '10s'; SET lock_timeout = '8s'; SET client_encoding = 'UTF8'"""
#: An entry is on the disk before anybody hears of it, whatever the database is set to.
_SYNCED: Final = """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'"""
#: Caches and wake-ups may be lost in a crash, and nobody waits for the disk on their account.
_RELAXED: Final = "SET synchronous_commit = off"
#: Any number; servers that start at once bring the schema up to date one after the other.
_TURN: Final = 0x50415353

#: What brings a database from each version to the next. Steps are added, never changed.
STEPS: tuple[str, ...] = (
    """
    CREATE TABLE passline_tables (tbl text COLLATE "C" PRIMARY KEY, settings bytea NOT NULL);
    CREATE TABLE passline_entries (
        tbl text COLLATE "C" NOT NULL, seq bigint NOT NULL, hash text NOT NULL, speaker bytea,
        body bytea NOT NULL, PRIMARY KEY (tbl, seq)
    );
    -- The speaker stands for (role, by, id): a request that is sent twice is written once.
    CREATE UNIQUE INDEX passline_entries_speaker ON passline_entries (tbl, speaker)
        WHERE speaker IS NOT NULL;
    CREATE TABLE passline_tokens (
        tbl text COLLATE "C" NOT NULL, hash text NOT NULL, role text NOT NULL, name text NOT NULL,
        PRIMARY KEY (tbl, hash)
    );
    CREATE TABLE passline_secrets (
        tbl text COLLATE "C" PRIMARY KEY, promise text NOT NULL, sealed bytea NOT NULL
    );
    CREATE TABLE passline_snapshots (
        tbl text COLLATE "C" NOT NULL, kind text NOT NULL, seq bigint NOT NULL,
        data bytea NOT NULL, PRIMARY KEY (tbl, kind)
    );
    """,
    """
    -- What learners of the school answered: one row an answer, kept once, never changed.
    CREATE TABLE passline_reviews (
        learner text COLLATE "C" NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY,
        id text COLLATE "C" NOT NULL, name text NOT NULL, body bytea NOT NULL,
        PRIMARY KEY (learner, seq), UNIQUE (learner, id)
    );
    """,
)


class Line:
    """One connection, made when it is needed and again when it was lost."""

    def __init__(self, url: str, *, synced: bool) -> None:
        self._url, self._synced = url, synced
        self._connection: AsyncConnection[Any] | None = None
        self._making = Lock()
        self._ended = False
        #: How often it was lost.
        self.lost = 0

    async def connection(self) -> AsyncConnection[Any]:
        """The connection, as far as it is known to stand."""
        async with self._making:
            if self._ended:
                raise UnavailableError("the store is closed")
            if self._connection is None or self._connection.closed:
                self._connection = await _connected(self._url, self._synced)
            return self._connection

    async def run(self, query: str, values: Values = None) -> list[Any]:
        """The rows of a query. On a line that turns out to be lost it is asked once more: what
        runs here can run twice."""
        try:
            return await self._ask(query, values)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            await self.drop()
        try:
            return await self._ask(query, values)
        except psycopg.Error as wrong:
            await self.drop()
            raise told(wrong) from None

    async def _ask(self, query: str, values: Values) -> list[Any]:
        connection = await self.connection()
        try:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchall() if cursor.description else []
        except (psycopg.OperationalError, psycopg.InterfaceError):
            raise
        except psycopg.Error as wrong:
            raise told(wrong) from None

    async def end(self) -> None:
        """Let go of the connection for good."""
        self._ended = True
        await self.drop()

    async def drop(self) -> None:
        """Let go of the connection."""
        connection, self._connection = self._connection, None
        self.lost += 1
        if connection:
            with suppress(psycopg.Error, OSError):
                await connection.close()


def patient(url: str) -> str:
    """An address with what is set where it says nothing else: how long a server is waited for."""
    given = conninfo_to_dict(url)
    return make_conninfo(url, **{key: _PATIENCE[key] for key in _PATIENCE if key not in given})


async def _connected(url: str, synced: bool) -> AsyncConnection[Any]:
    connection = await AsyncConnection.connect(patient(url), autocommit=True)
    try:
        await connection.execute(_SESSION)
        await connection.execute(_SYNCED if synced else _RELAXED)
    except BaseException:
        await connection.close()
        raise
    return connection


async def brought_up_to_date(line: Line, read_only: bool) -> str:
    """Take a database through the steps that it has not taken; the channel of its wake-ups.

    UnusableError where it is a later version's or, to be read, holds nothing of ours.
    """
    try:
        connection = await line.connection()
        async with connection.transaction():
            if not read_only:
                await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN,))
            await _check_encoding(connection)
            version = await _version(connection)
            if version > len(STEPS):
                raise UnusableError("the database was written by a later version of passline")
            if read_only and version == 0:
                raise UnusableError("the database holds no tables of passline")
            if version < len(STEPS) and not read_only:
                for step in STEPS[version:]:
                    await connection.execute(sql.SQL(step))
                await _note_version(connection)
        found = await connection.execute("SELECT current_schema()")
        row = await found.fetchone()
        return f"passline {row[0] if row else ''}"
    except psycopg.ProgrammingError as wrong:
        raise UnusableError(f"the database cannot be used: {_first_line(wrong)}") from None
    except psycopg.Error as wrong:
        raise told(wrong) from None


async def _check_encoding(connection: AsyncConnection[Any]) -> None:
    found = await connection.execute("SELECT current_setting('server_encoding')")
    row = await found.fetchone()
    if row is None or row[0] != "UTF8":
        raise UnusableError("the database is not encoded in UTF8, as names at a table are")


async def _version(connection: AsyncConnection[Any]) -> int:
    there = await connection.execute("SELECT to_regclass('passline_schema')")
    row = await there.fetchone()
    if row is None or row[0] is None:
        return 0
    found = await connection.execute("SELECT version FROM passline_schema")
    row = await found.fetchone()
    return int(row[0]) if row else 0


async def _note_version(connection: AsyncConnection[Any]) -> None:
    await connection.execute("CREATE TABLE IF NOT EXISTS passline_schema (version int NOT NULL)")
    await connection.execute("DELETE FROM passline_schema")
    await connection.execute("INSERT INTO passline_schema VALUES (%s)", (len(STEPS),))


def told(wrong: psycopg.Error) -> UnavailableError:
    """What went wrong with the database, as the store's error."""
    if isinstance(wrong, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted):
        return DamagedError(f"the database is damaged: {_first_line(wrong)}")
    return UnavailableError(f"the database cannot be used: {_first_line(wrong)}")


def _first_line(wrong: psycopg.Error) -> str:
    return str(wrong).strip().split("\n", 1)[0]
