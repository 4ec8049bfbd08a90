"""A store in PostgreSQL, for any number of servers. Unique keys decide who appends first.

A batch of appends is one statement, so no lock outlives it and a server that stalls delays no
other. If another server took an append's number, that append writes nothing, and the rest of the
batch is written. A server that alone writes to a table takes a lease of it (`leases`), which saves
reads; it gives the lease up when another server needs to write.

Notifications to other servers follow the commit. Each table has its own notification channel, so
that a server hears only of the tables that its clients follow. It also polls those tables. Once a
second all servers hear which tables have changed, for their lobbies.
"""

from __future__ import annotations

import re
from asyncio import CancelledError, Lock, Task, create_task, sleep, timeout, wait
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, Final, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from passline.game.words.log import say_log
from passline.live.log_entries import format_time
from passline.live.store import (
    EMPTIED,
    Append,
    Appended,
    AppendOutcome,
    CorruptStoreError,
    GroupCommit,
    ImportedRow,
    JumpGuard,
    SequenceConflict,
    SnapshotRow,
    StampedAppend,
    TableImport,
    UnavailableError,
    UnusableError,
    is_table_name,
    make_duplicate,
)
from passline.live.stores.leases import (
    IS_VALID_SQL,
    LEASE_SECONDS,
    RENEW_SECONDS,
    LeaseHeldError,
    TableLeases,
)
from passline.live.stores.sql_store import TABLES_BY_TABLE, SqlStore

QueryValues = Sequence[Any] | None

#: Defaults for what the URL does not set, so that a lost server is noticed within seconds.
_CONNECTION_DEFAULTS: Final[dict[str, str | int]] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "passline",
}
_SESSION_SQL: Final = """
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET statement_timeout = '10s'; SET lock_timeout = '8s'; SET client_encoding = 'UTF8'"""
#: Entries are synced to disk whatever the database's setting.
_SYNC_SQL: Final = """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'"""
#: Snapshots and notifications may be lost in a crash, so they are not synced.
_NO_SYNC_SQL: Final = "SET synchronous_commit = off"
_WRITE_VERSION_SQL: Final = sql.SQL("""
    CREATE TABLE IF NOT EXISTS passline_schema (version int NOT NULL);
    DELETE FROM passline_schema;
    INSERT INTO passline_schema VALUES ({})""")
#: The key of the lock under which servers that start together migrate one after another.
_MIGRATION_LOCK: Final = 0x50415353

#: The steps from each schema version to the next. Steps are added, never changed. The school uses
#: the tables passline_reviews, passline_learner_keys and passline_auditions.
MIGRATIONS: tuple[str, ...] = (
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
    -- Whose a learner's name is: the hash of the token that was made with it.
    CREATE TABLE passline_learner_keys (
        learner text COLLATE "C" PRIMARY KEY, hash text COLLATE "C" NOT NULL UNIQUE,
        name text NOT NULL, role text NOT NULL
    );
    """,
    """
    -- Proctored auditions of the school: each part of an attempt is stored once, never changed.
    CREATE TABLE passline_auditions (
        audition text COLLATE "C" NOT NULL, part text COLLATE "C" NOT NULL,
        learner text COLLATE "C" NOT NULL, body bytea NOT NULL, PRIMARY KEY (audition, part)
    );
    CREATE INDEX passline_auditions_learner ON passline_auditions (learner, audition);
    """,
    """
    -- Which server alone writes to a table, and until when.
    CREATE TABLE passline_leases (
        tbl text COLLATE "C" PRIMARY KEY, holder text NOT NULL, since timestamptz NOT NULL,
        until timestamptz NOT NULL
    );
    """,
    """
    -- Numbers of the whole house, such as the last day whose Daily was told. They only grow.
    CREATE TABLE passline_facts (name text COLLATE "C" PRIMARY KEY, number bigint NOT NULL);
    """,
)


class DatabaseConnection:
    """One connection, opened at the first query and opened again after it was lost.

    ``synced`` means that a commit returns only when it is on disk.
    """

    def __init__(self, url: str, *, synced: bool) -> None:
        self._url, self._synced = url, synced
        self._connection: AsyncConnection[Any] | None = None
        self._making = Lock()
        self._ended = False
        #: How often the connection was lost.
        self.losses = 0

    async def connection(self) -> AsyncConnection[Any]:
        """Return the open connection, opening one if needed. Raise psycopg.Error if that fails."""
        async with self._making:
            if self._ended:
                raise UnavailableError(say_log("store-closed"))
            if self._connection is None or self._connection.closed:
                self._connection = await _connect(self._url, self._synced)
            return self._connection

    async def run(self, query: str, values: QueryValues = None) -> list[Any]:
        """Run a query and return its rows. Raise UnavailableError if it fails.

        If the database could not answer (a lost connection, a timeout), run it a second time. So
        the query must be safe to run twice.
        """
        try:
            return await self._ask(query, values)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            await self.drop()
        try:
            return await self._ask(query, values)
        except psycopg.Error as wrong:
            await self.drop()
            raise make_store_error(wrong) from None

    async def _ask(self, query: str, values: QueryValues) -> list[Any]:
        connection = await self.connection()
        try:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchall() if cursor.description else []
        except (psycopg.OperationalError, psycopg.InterfaceError):
            raise
        except psycopg.Error as wrong:
            raise make_store_error(wrong) from None

    async def close(self) -> None:
        """Close the connection for good."""
        self._ended = True
        await self.drop()

    async def drop(self) -> None:
        """Close the connection and count it as lost. The next query opens another."""
        connection, self._connection = self._connection, None
        self.losses += 1
        if connection:
            with suppress(psycopg.Error, OSError):
                await connection.close()


def add_timeouts(url: str) -> str:
    """Return a database URL with default timeouts for those that it does not set."""
    defaults = {**_CONNECTION_DEFAULTS, **conninfo_to_dict(url)}
    return make_conninfo(url, **{key: defaults[key] for key in _CONNECTION_DEFAULTS})


async def _connect(url: str, synced: bool) -> AsyncConnection[Any]:
    connection = await AsyncConnection.connect(add_timeouts(url), autocommit=True)
    try:
        await connection.execute(_SESSION_SQL)
        await connection.execute(_SYNC_SQL if synced else _NO_SYNC_SQL)
    except BaseException:
        await connection.close()
        raise
    return connection


async def migrate_database(line: DatabaseConnection, read_only: bool) -> str:
    """Bring a database's schema up to date and return the name of its notification channel.

    With ``read_only``, change nothing. Raise UnusableError if the schema is of a later version or,
    when read-only, if there are no Passline tables.
    """
    try:
        connection = await line.connection()
        async with connection.transaction():
            if not read_only:
                await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            if await _read_value(connection, "SELECT current_setting('server_encoding')") != "UTF8":
                raise UnusableError(say_log("database-encoding"))
            version = 0
            if await _read_value(connection, "SELECT to_regclass('passline_schema')"):
                version = await _read_value(connection, "SELECT version FROM passline_schema") or 0
            if version > len(MIGRATIONS):
                raise UnusableError(say_log("database-later"))
            if read_only and version == 0:
                raise UnusableError(say_log("database-foreign"))
            if version < len(MIGRATIONS) and not read_only:
                for step in MIGRATIONS[version:]:
                    await connection.execute(sql.SQL(step))
                await connection.execute(_WRITE_VERSION_SQL.format(len(MIGRATIONS)))
        return f"passline {await _read_value(connection, 'SELECT current_schema()') or ''}"
    except psycopg.ProgrammingError as wrong:
        raise UnusableError(say_log("database-unusable", error=_first_line(wrong))) from None
    except psycopg.Error as wrong:
        raise make_store_error(wrong) from None


async def _read_value(connection: AsyncConnection[Any], query: LiteralString) -> Any:
    """Return the first column of a query's first row, or None if there is no row."""
    row = await (await connection.execute(query)).fetchone()
    return row[0] if row else None


def make_store_error(wrong: psycopg.Error) -> UnavailableError:
    """Return the StoreError that stands for an error of the database."""
    if isinstance(wrong, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted):
        return CorruptStoreError(say_log("database-damaged", error=_first_line(wrong)))
    return UnavailableError(say_log("database-unusable", error=_first_line(wrong)))


def _first_line(wrong: psycopg.Error) -> str:
    return str(wrong).strip().split("\n", 1)[0]


#: Writes a whole batch. ``new`` holds the first entries that were inserted. Everything else joins
#: it, so it is written with them or not at all. Rows are sorted, so that two servers cannot
#: deadlock.
_APPEND_SQL: Final = f"""
    WITH given AS (
        SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::bytea[],
            %b::bytea[]) WITH ORDINALITY AS g (tbl, seq, hash, prev, speaker, body, number)
    ), new AS (
        INSERT INTO passline_entries (tbl, seq, hash, speaker, body)
        SELECT tbl, seq, hash, speaker, body FROM given
        WHERE (seq = 0 OR EXISTS (
            SELECT 1 FROM passline_entries AS e
            WHERE e.tbl = given.tbl AND e.seq = given.seq - 1 AND e.hash = given.prev))
        AND NOT EXISTS (
            SELECT 1 FROM passline_leases AS l
            WHERE l.tbl = given.tbl AND l.holder <> %b AND {IS_VALID_SQL})
        ORDER BY tbl COLLATE "C", number
        ON CONFLICT DO NOTHING RETURNING tbl, hash
    ), follow AS (
        INSERT INTO passline_entries (tbl, seq, hash, body)
        SELECT f.tbl, f.seq, f.hash, f.body
        FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::text[], %b::bytea[])
            AS f (tbl, first, seq, hash, body)
        JOIN new ON new.tbl = f.tbl AND new.hash = f.first
    ), opened AS (
        INSERT INTO passline_tables (tbl, settings)
        SELECT o.tbl, o.settings FROM unnest(%b::text[], %b::text[], %b::bytea[])
            AS o (tbl, first, settings)
        JOIN new ON new.tbl = o.tbl AND new.hash = o.first
    ), promised AS (
        INSERT INTO passline_secrets (tbl, promise, sealed)
        SELECT s.tbl, s.promise, s.sealed
        FROM unnest(%b::text[], %b::text[], %b::text[], %b::bytea[])
            AS s (tbl, first, promise, sealed)
        JOIN new ON new.tbl = s.tbl AND new.hash = s.first
        ON CONFLICT (tbl) DO UPDATE SET promise = excluded.promise, sealed = excluded.sealed
    ), granted AS (
        INSERT INTO passline_tokens (tbl, hash, role, name)
        SELECT t.tbl, t.hash, t.role, t.name
        FROM unnest(%b::text[], %b::text[], %b::text[], %b::text[], %b::text[])
            AS t (tbl, first, hash, role, name)
        JOIN new ON new.tbl = t.tbl AND new.hash = t.first
        ON CONFLICT DO NOTHING
    ), withdrawn AS (
        DELETE FROM passline_tokens AS t
        USING unnest(%b::text[], %b::text[], %b::text[], %b::text[]) AS w (tbl, first, role, name),
            new
        WHERE new.tbl = w.tbl AND new.hash = w.first
            AND t.tbl = w.tbl AND t.role = w.role AND t.name = w.name
            AND t.hash <> ALL (%b::text[])
    )
    SELECT tbl, hash FROM new"""
#: For appends that were not inserted: which entry has their number, what their request id wrote
#: before, whether the entry that they follow exists, and whether another server has a lease.
_EXPLAIN_FAILED_SQL: Final = """
    SELECT there.hash, seen.hash, seen.body, g.seq = 0 OR before.hash IS NOT NULL,
        lease.tbl IS NOT NULL
    FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[])
        WITH ORDINALITY AS g (tbl, seq, prev, speaker, number)
    LEFT JOIN passline_entries AS there ON there.tbl = g.tbl AND there.seq = g.seq
    LEFT JOIN passline_entries AS seen ON seen.tbl = g.tbl AND seen.speaker = g.speaker
    LEFT JOIN passline_entries AS before
        ON before.tbl = g.tbl AND before.seq = g.seq - 1 AND before.hash = g.prev
    LEFT JOIN passline_leases AS lease ON lease.tbl = g.tbl AND lease.holder <> %b
    ORDER BY g.number"""

#: A table that comes from another store.
_IMPORT_ENTRY_SQL: Final = """
    INSERT INTO passline_entries (tbl, seq, hash, speaker, body) VALUES (%s, %s, %s, %b, %b)"""
_IMPORT_SETTINGS_SQL: Final = "INSERT INTO passline_tables (tbl, settings) VALUES (%s, %b)"
_IMPORT_TOKEN_SQL: Final = (
    "INSERT INTO passline_tokens (tbl, hash, role, name) VALUES (%s, %s, %s, %s)"
)
_IMPORT_SECRET_SQL: Final = """
    INSERT INTO passline_secrets (tbl, promise, sealed) VALUES (%s, %s, %b)
    ON CONFLICT (tbl) DO UPDATE SET promise = excluded.promise, sealed = excluded.sealed"""

_FIND_LEASE_SQL: Final = f"SELECT 1 FROM passline_leases AS l WHERE tbl = %s AND {IS_VALID_SQL}"


async def insert_batch(
    connection: DatabaseConnection, batch: Sequence[StampedAppend], holder: str = ""
) -> list[AppendOutcome | Exception]:
    """Write a batch and return an outcome for each append.

    ``holder`` identifies this server in leases. If another server has a lease of an append's table,
    the outcome is LeaseHeldError.

    If the connection is lost meanwhile, the batch is sent again. Entries that the first attempt
    wrote are then recognized by their hashes and not written twice.
    """
    if not batch:
        return []
    lost_before = connection.losses
    arrays = _batch_arrays(batch)
    values = [*arrays[:6], holder, *arrays[6:]]
    won = {tuple(row) for row in await connection.run(_APPEND_SQL, values)}
    again = connection.losses > lost_before
    lost = []
    for one in batch:
        if (one.append.table, one.first.hash) in won:
            # An equal append later in the batch must lose.
            won.remove((one.append.table, one.first.hash))
        else:
            lost.append(one)
    became = await _find_outcomes(connection, lost, again, holder)
    return [became.get(id(one), one.appended) for one in batch]


async def _find_outcomes(
    connection: DatabaseConnection, lost: Sequence[StampedAppend], again: bool, holder: str
) -> dict[int, AppendOutcome | Exception]:
    """Return the outcomes of appends that were not inserted, as a dict by ``id(append)``.

    ``again`` means that the batch was sent twice, because the first answer was lost.
    """
    if not lost:
        return {}
    given = [(one.append.table, one.first.seq, one.first.prev, one.request_key) for one in lost]
    try:
        rows = await connection.run(_EXPLAIN_FAILED_SQL, [*_transpose_rows(given, 4), holder])
    except UnavailableError as wrong:  # The other appends were written nevertheless.
        return {id(one): wrong for one in lost}
    return {id(one): _find_outcome(one, again, *row) for one, row in zip(lost, rows, strict=True)}


def _find_outcome(
    one: StampedAppend,
    again: bool,
    there: str | None,
    seen: str | None,
    body: bytes | None,
    stands: bool,
    leased: bool,
) -> AppendOutcome | Exception:
    """Return the outcome of one append that was not inserted.

    The last five arguments are a row of ``_EXPLAIN_FAILED_SQL``. ``there`` is the hash of the entry
    that has the append's number. ``seen`` and ``body`` are the entry with the same request id.
    ``stands`` says whether the entry that the append follows exists, and ``leased`` whether another
    server has a lease of the table.
    """
    if again and there == one.first.hash:
        return one.appended  # Written by the first attempt, whose answer was lost.
    if seen is not None and body is not None:
        return make_duplicate((seen, body), one.append.table)
    if leased and there is None and stands:
        return LeaseHeldError(say_log("table-leased", table=one.append.table))
    return SequenceConflict() if stands else one.make_forked_error()


def _batch_arrays(batch: Sequence[StampedAppend]) -> list[list[Any]]:
    """Return the values of `_APPEND_SQL` for a batch: an array for each column."""
    firsts, follow, opened, secrets, grants, withdrawn = [], [], [], [], [], []
    for one in batch:
        first, append = one.first, one.append
        of = (append.table, first.hash)
        key, body = one.request_key, one.entries[0][1]
        firsts.append((append.table, first.seq, first.hash, first.prev, key, body))
        follow += [(*of, entry.seq, entry.hash, body) for entry, body in one.entries[1:]]
        if one.settings is not None:
            opened.append((*of, one.settings))
        if append.secret:
            secrets.append((*of, append.secret.commit, append.secret.sealed))
        grants += [
            (*of, grant.hash, grant.holder.role, grant.holder.name) for grant in append.grants
        ]
        withdrawn += [(*of, holder.role, holder.name) for holder in append.withdrawn]
    tables = ((firsts, 6), (follow, 5), (opened, 3), (secrets, 4), (grants, 5), (withdrawn, 4))
    columns = [column for rows, width in tables for column in _transpose_rows(rows, width)]
    return [*columns, [row[2] for row in grants]]


def _transpose_rows(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Return ``width`` columns, each a list of one value per row."""
    return [[row[column] for row in rows] for column in range(width)]


#: Seconds between two polls for entries that no notification reported.
POLL_SECONDS: Final = 0.5
#: Seconds that notifications wait for others to join.
NOTIFY_DELAY: Final = 0.003
#: Seconds between two messages about all tables that changed, and the most bytes in one.
NEWS_SECONDS: Final = 1.0
_MAX_PAYLOAD_BYTES: Final = 7900
#: Seconds until the server listens to the channel of a table that a client begins to follow, and
#: until it stops listening after the last one left.
_LISTEN_SECONDS: Final = 0.05
_UNLISTEN_SECONDS: Final = 60.0
#: Seconds between two attempts to append while another server has a lease. Those that yield wait
#: longer, since the holder of the lease deals too.
_LEASE_RETRY_SECONDS: Final = 0.05
_YIELD_SECONDS: Final = 0.2
#: The word that begins a message to release the leases of the tables that it names.
_RELEASE_WORD: Final = "release"
#: The word that begins a message of `send_message`.
_MESSAGE_WORD: Final = "message"
#: Seconds between two queries for the ends of logs, when several callers ask.
TIP_QUERY_INTERVAL: Final = 0.002

_CLOCK_SQL: Final = """
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_HEADS_SQL: Final = """
    SELECT w.tbl, (SELECT max(seq) FROM passline_entries AS e WHERE e.tbl = w.tbl)
    FROM unnest(%b::text[]) AS w (tbl)"""
#: The ends of several logs in one query.
_TIPS_SQL: Final = """
    SELECT e.seq, e.hash FROM unnest(%b::text[]) WITH ORDINALITY AS w (tbl, number)
    LEFT JOIN LATERAL (
        SELECT seq, hash FROM passline_entries WHERE tbl = w.tbl ORDER BY seq DESC LIMIT 1
    ) AS e ON true ORDER BY w.number"""
_NOTIFY_SQL: Final = """
    SELECT pg_notify(n.channel, n.payload) FROM unnest(%b::text[], %b::text[])
    AS n (channel, payload)"""
_SAVE_SNAPSHOT_SQL: Final = """
    INSERT INTO passline_snapshots AS s (tbl, kind, seq, data) VALUES (%s, %s, %s, %b)
    ON CONFLICT (tbl, kind) DO UPDATE SET seq = excluded.seq, data = excluded.data
    WHERE excluded.seq >= s.seq"""
RAISE_FACT_SQL: Final = """
    INSERT INTO passline_facts AS f (name, number) VALUES (%s, %s)
    ON CONFLICT (name) DO UPDATE SET number = greatest(f.number, excluded.number)"""
#: Part of the statement that deletes a table: the entries of that table are still there.
_COUNT_EMPTIED_SQL: Final = """
    INSERT INTO passline_facts AS f (name, number)
    SELECT %s, 1 WHERE NOT EXISTS (SELECT 1 FROM passline_entries WHERE tbl <> %s)
    ON CONFLICT (name) DO UPDATE SET number = f.number + 1"""


class PostgresStore(SqlStore):
    """The store of a database. Create it with ``open``.

    ``poll`` is the seconds between two polls for entries that no notification reported.
    """

    prefix = "passline_"

    def __init__(self, url: str, poll: float) -> None:
        super().__init__()
        self._poll, self._clock_guard = poll, JumpGuard()
        self._writing = DatabaseConnection(url, synced=True)
        self._reading = DatabaseConnection(url, synced=False)
        self._hearing = DatabaseConnection(url, synced=False)
        self._asking = DatabaseConnection(url, synced=False)
        self._tips: GroupCommit[str, tuple[int, str] | None] = GroupCommit(
            self._ask_tips, TIP_QUERY_INTERVAL
        )
        self._channel = ""
        #: The last entries that other servers have not been notified of, by table.
        self._news: dict[str, int] = {}
        #: The same for the message to all servers.
        self._lobby_news: dict[str, int] = {}
        #: When somebody last waited for a table, and the tables whose channels are listened to.
        self._waited_at: dict[str, float] = {}
        self._channels: dict[str, str] = {}
        self._tasks: list[Task[None]] = []
        self._notifier: Task[None] | None = None
        self.leases = TableLeases(self._asking.run)

    @classmethod
    async def open(
        cls, url: str, *, read_only: bool = False, poll: float = POLL_SECONDS
    ) -> PostgresStore:
        """Open the store of a database. Create its schema or bring it up to date if needed.

        A read-only store creates nothing and gets no notifications. ``poll`` is the seconds between
        two polls for new entries. Raise UnusableError if the database cannot be used as a store,
        UnavailableError if it cannot be reached.
        """
        store = cls(url, poll)
        try:
            line = store._reading if read_only else store._writing
            store._channel = await migrate_database(line, read_only)
        except BaseException as wrong:
            await store._close()
            if isinstance(wrong, psycopg.Error):
                raise UnusableError(say_log("database-url", error=wrong)) from None
            raise
        if not read_only:
            runs = (store._listen(), store._send_news(), store._renew_leases())
            store._tasks = [create_task(run) for run in runs]
        return store

    async def now(self) -> str:
        """Return the time of the database's clock."""
        return self._read_clock(await self._reading.run(_CLOCK_SQL))

    async def _commit_time(self) -> str:
        return self._read_clock(await self._writing.run(_CLOCK_SQL))

    def _read_clock(self, rows: list[Any]) -> str:
        """Return the time in the result of ``_CLOCK_SQL``, corrected if that clock has jumped."""
        return format_time(self._clock_guard.check(datetime.fromisoformat(str(rows[0][0]))))

    async def delete_table(self, table: str) -> None:
        """Delete a table for good, in one statement. See the base class."""
        names = [f"{self.prefix}{name}" for name in (*TABLES_BY_TABLE, "leases")]
        parts = [f"d{n} AS (DELETE FROM {name} WHERE tbl = %s)" for n, name in enumerate(names)]
        parts.append(f"counted AS ({_COUNT_EMPTIED_SQL})")
        values = [*[table] * len(names), EMPTIED, table]
        await self._writing.run(f"WITH {', '.join(parts)} SELECT 1", values)

    async def raise_fact(self, name: str, number: int) -> None:
        """Store a fact, in a synced commit. See the base class."""
        await self._writing.run(RAISE_FACT_SQL, (name, number))

    async def _insert(self, ready: Sequence[StampedAppend]) -> Sequence[AppendOutcome | Exception]:
        outcomes = await insert_batch(self._writing, ready, self.leases.holder)
        for outcome, one in zip(outcomes, ready, strict=True):
            table = one.append.table
            if isinstance(outcome, Appended):
                self.leases.count_own(table)
                self._notify_soon(table, outcome.entries[-1].seq)
            elif isinstance(outcome, SequenceConflict):
                self.leases.note_rival(table)
        return outcomes

    def write_lease(self, table: str) -> int:
        """Return the number of the lease that this server may use now; 0 if none. See `Store`."""
        return self.leases.number(table)

    async def append(self, append: Append) -> AppendOutcome:
        """Write drafts, and return once they are on disk. See `Store.append`.

        If another server has a lease of the table, ask it to release the lease and try again. An
        append that ``yields`` gives way instead.
        """
        give_up_at = monotonic() + LEASE_SECONDS + 1
        while True:
            try:
                return await super().append(append)
            except LeaseHeldError:
                if append.yields:
                    await sleep(_YIELD_SECONDS)
                    return SequenceConflict()
                if monotonic() > give_up_at:
                    raise
            self.leases.note_rival(append.table)
            await self._reading.run(
                "SELECT pg_notify(%s, %s)", (self._channel, f"{_RELEASE_WORD} {append.table}")
            )
            await sleep(_LEASE_RETRY_SECONDS)

    async def _renew_leases(self) -> None:
        """Renew the leases once a second."""
        while True:
            await sleep(RENEW_SECONDS)
            with suppress(UnavailableError):
                await self.leases.renew()

    async def wait_for_change(self, table: str, after: int) -> int:
        """Wait until a table's log has an entry after number ``after``. See the base class."""
        self._waited_at[table] = monotonic()
        return await super().wait_for_change(table, after)

    async def send_message(self, *words: str) -> None:
        """Send words to the other servers of this database. See the base class."""
        payload = " ".join((_MESSAGE_WORD, *words))
        await self._reading.run("SELECT pg_notify(%s, %s)", (self._channel, payload))

    def _notify_soon(self, table: str, seq: int) -> None:
        """Notify the other servers soon that a table's log has reached entry ``seq``."""
        self._news[table] = max(seq, self._news.get(table, -1))
        if self._notifier is None:
            self._notifier = create_task(self._notify())

    async def _query(self, query: str, *values: object) -> list[Any]:
        return await self._reading.run(query.replace("?", "%s"), values)

    async def _notify(self) -> None:
        """Send the notifications that `_notify_soon` collected, each to its table's channel."""
        try:
            while self._news:
                await sleep(NOTIFY_DELAY)
                news, self._news = self._news, {}
                self._lobby_news |= news
                channels = [_table_channel(self._channel, table) for table in news]
                payloads = [f"{table}:{seq} {self.leases.holder}" for table, seq in news.items()]
                with suppress(UnavailableError):  # The other servers also poll.
                    await self._reading.run(_NOTIFY_SQL, (channels, payloads))
        finally:
            self._notifier = None

    async def _send_news(self) -> None:
        """Once a second, tell all servers which tables have changed, for their lobbies."""
        while True:
            await sleep(NEWS_SECONDS)
            news, self._lobby_news = self._lobby_news, {}
            payloads = list(_make_payloads(news))
            if payloads:
                with suppress(UnavailableError):
                    channels = [self._channel] * len(payloads)
                    await self._reading.run(_NOTIFY_SQL, (channels, payloads))

    async def _listen(self) -> None:
        """Listen for other servers' notifications, and poll for those that were lost."""
        while True:
            try:
                await self._hear()
            except (psycopg.Error, UnavailableError):
                await self._hearing.drop()
                self.notifier.clear()  # The database may have lost its last entries.
                self.leases.forget()
                await sleep(min(self._poll, 1.0))

    async def _hear(self) -> None:
        """Receive notifications until the connection is lost, and poll the watched tables."""
        connection = await self._hearing.connection()
        self._channels.clear()
        await _listen_to(connection, [self._channel])
        polled_at = -inf
        while True:
            added = await self._change_channels(connection)
            if monotonic() - polled_at >= self._poll:
                polled_at, added = monotonic(), self.notifier.watched_tables()
            for table, seq in await self._hearing.run(_HEADS_SQL, (added,)) if added else ():
                if seq is not None:
                    self.notifier.notify(table, seq)
            if connection.closed or connection is not await self._hearing.connection():
                return  # A new connection, which must LISTEN first.
            async for notice in connection.notifies(timeout=min(self._poll, _LISTEN_SECONDS)):
                self._receive(notice.payload)

    def _receive(self, payload: str) -> None:
        """Handle a notification from another server.

        It asks for the release of leases, carries a message, or says to which entry logs have
        grown.
        """
        first, *rest = payload.split() or [""]
        if first == _RELEASE_WORD:
            held = [table for table in rest if self.leases.is_stored(table)]
            for table in rest:
                self.leases.note_rival(table)
            if held:
                self._release_soon(held)
            return
        if first == _MESSAGE_WORD:
            for listener in self.message_listeners:
                listener(rest)
            return
        for table, seq in _read_payload(payload):
            if rest and rest[-1] != self.leases.holder and _SERVER_NAME.fullmatch(rest[-1]):
                self.leases.note_rival(table)
            self.notifier.notify(table, seq)

    def _release_soon(self, tables: Sequence[str]) -> None:
        async def release() -> None:
            with suppress(UnavailableError):  # Otherwise the leases end by themselves.
                await self.leases.release(tables)

        task = create_task(release())
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    async def _change_channels(self, connection: AsyncConnection[Any]) -> list[str]:
        """Listen to the channels of the tables that are followed now, and to no others.

        Return the ids of tables that were added. The caller must look up what happened at them
        before.
        """
        now, watched = monotonic(), self.notifier.watched_tables()
        for table in watched:
            self._waited_at[table] = now
        gone = [table for table, at in self._waited_at.items() if now - at > _UNLISTEN_SECONDS]
        for table in gone:
            del self._waited_at[table]
        gone = [table for table in gone if table in self._channels]
        added = [table for table in self._waited_at if table not in self._channels]
        for table in added:
            self._channels[table] = _table_channel(self._channel, table)
        await _listen_to(connection, [self._channels[table] for table in added])
        unheard = [self._channels.pop(table) for table in gone]
        await _listen_to(connection, unheard, stop=True)
        return added

    async def log_end(self, table: str) -> tuple[int, str] | None:
        """Return (number, hash) of the last entry of a table's log, or None.

        Calls that arrive during a query share the next query.
        """
        return await self._tips.submit(table) if is_table_name(table) else None

    async def _ask_tips(self, tables: Sequence[str]) -> list[tuple[int, str] | Exception | None]:
        """Return (number, hash) of each table's last entry, or None for a table without entries."""
        found = await self._asking.run(_TIPS_SQL, (list(tables),))
        return [None if seq is None else (seq, hash_) for seq, hash_ in found]

    async def _save_snapshots(self, all_kept: Sequence[tuple[str, SnapshotRow]]) -> None:
        for kind, snapshot in all_kept:
            await self._reading.run(_SAVE_SNAPSHOT_SQL, (snapshot[0], kind, *snapshot[1:]))

    async def check_writable(self) -> None:
        """Write and sync a snapshot that nobody reads, or raise StoreError."""
        now = int((await self._writing.run("SELECT extract(epoch FROM now())::bigint"))[0][0])
        await self._writing.run(_SAVE_SNAPSHOT_SQL, ("", "ready", now, b""))

    async def import_table(
        self, imported: TableImport, pages: AsyncIterator[Sequence[ImportedRow]]
    ) -> None:
        """Store a table that comes from another store, in one transaction.

        A failure is not retried: the caller checks what was written and starts again.
        """
        table, secret = imported.table, imported.secret
        tokens = [(table, one.hash, one.holder.role, one.holder.name) for one in imported.grants]
        connection = await self._writing.connection()
        try:
            async with connection.transaction(), connection.cursor() as cursor:
                async for page in pages:
                    await cursor.executemany(_IMPORT_ENTRY_SQL, [(table, *one) for one in page])
                if imported.settings is not None:
                    await cursor.execute(_IMPORT_SETTINGS_SQL, (table, imported.settings))
                await cursor.execute("DELETE FROM passline_tokens WHERE tbl = %s", (table,))
                await cursor.executemany(_IMPORT_TOKEN_SQL, tokens)
                if secret is not None:
                    await cursor.execute(_IMPORT_SECRET_SQL, (table, secret.commit, secret.sealed))
                await cursor.execute(_FIND_LEASE_SQL, (table,))
                if await cursor.fetchone():
                    raise UnavailableError(say_log("written-meanwhile", table=table))
        except psycopg.errors.UniqueViolation:
            raise UnavailableError(say_log("written-meanwhile", table=table)) from None
        except psycopg.Error as error:
            raise make_store_error(error) from None

    async def _close(self) -> None:
        if self._notifier:
            await wait([self._notifier], timeout=0.5)
        with suppress(UnavailableError, psycopg.Error, TimeoutError):
            async with timeout(1.0):
                await self.leases.release_all()
        for task in (self._notifier, *self._tasks):
            if task:
                task.cancel()
                with suppress(CancelledError):
                    await task
        for connection in (self._hearing, self._asking, self._reading, self._writing):
            await connection.close()


#: The name of a server in leases and notifications.
_SERVER_NAME = re.compile("[0-9a-f]{16}")


def _table_channel(channel: str, table: str) -> str:
    """Return the notification channel of a table. ``channel`` is the one of the whole schema.

    The name is a hash, since the database limits the length of names.
    """
    return f"passline {sha256(f'{channel} {table}'.encode()).hexdigest()[:32]}"


async def _listen_to(
    connection: AsyncConnection[Any], channels: Sequence[str], *, stop: bool = False
) -> None:
    """Listen to channels, or stop listening to them."""
    if channels:
        word = sql.SQL("UNLISTEN {}" if stop else "LISTEN {}")
        commands = [word.format(sql.Identifier(channel)) for channel in channels]
        await connection.execute(sql.SQL("; ").join(commands))


def _make_payloads(news: dict[str, int]) -> Iterable[str]:
    """Yield messages with each table's last entry number, as few messages as possible."""
    payload = ""
    for table, seq in news.items():
        word = f"{table}:{seq}"
        if payload and len(payload) + 1 + len(word) > _MAX_PAYLOAD_BYTES:
            yield payload
            payload = ""
        payload = f"{payload} {word}" if payload else word
    if payload:
        yield payload


def _read_payload(payload: str) -> Iterable[tuple[str, int]]:
    """Yield (table, entry number) for each table in a notification.

    Ignore other programs' messages.
    """
    for word in payload.split():
        table, _, seq = word.rpartition(":")
        if seq.isdecimal():
            yield table, int(seq)
