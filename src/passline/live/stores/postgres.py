"""A store in PostgreSQL, for any number of servers: unique keys decide, and nobody owns a table.

A batch is one statement, so no lock outlives it and no server that stalls holds up the others.
Who loses a place in it writes nothing, and the rest is written all the same. Wake-ups go out after
the commit, many in one, and every server also looks by itself.
"""

from __future__ import annotations

from asyncio import CancelledError, Task, create_task, sleep
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg import sql

from passline.live.appends import (
    Append,
    Outcome,
    Row,
    Secret,
    Seen,
    Stamped,
    Taken,
    UnavailableError,
    UnusableError,
    restored,
    stamped,
)
from passline.live.store import Kept, Store
from passline.live.stores import postgres_schema
from passline.live.stores.postgres_schema import Line
from passline.live.tokens import Grant, Holder

#: Seconds between looks for entries that no wake-up told of.
POLL: Final = 0.5
#: Seconds that wake-ups wait for others to go with them, and the bytes that one may hold.
TOGETHER: Final = 0.003
_PAYLOAD: Final = 7900

_CLOCK: Final = """
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
#: All that a batch writes. ``new`` holds the first entries that found their place: everything else
#: joins it, so it is written with them or not at all. Sorted, so that two servers never wait for
#: each other in a circle.
_APPEND: Final = """
    WITH given AS (
        SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::bytea[],
            %b::bytea[]) AS g (tbl, seq, hash, prev, speaker, body)
    ), new AS (
        INSERT INTO passline_entries (tbl, seq, hash, speaker, body)
        SELECT tbl, seq, hash, speaker, body FROM given
        WHERE seq = 0 OR EXISTS (
            SELECT 1 FROM passline_entries AS e
            WHERE e.tbl = given.tbl AND e.seq = given.seq - 1 AND e.hash = given.prev)
        ORDER BY tbl COLLATE "C", seq
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
#: What became of those that found no place: what stands there, what their id wrote, and whether
#: the entry that they follow is there.
_LOST: Final = """
    SELECT there.hash, seen.hash, seen.body, g.seq = 0 OR before.hash IS NOT NULL
    FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[])
        WITH ORDINALITY AS g (tbl, seq, prev, speaker, number)
    LEFT JOIN passline_entries AS there ON there.tbl = g.tbl AND there.seq = g.seq
    LEFT JOIN passline_entries AS seen ON seen.tbl = g.tbl AND seen.speaker = g.speaker
    LEFT JOIN passline_entries AS before
        ON before.tbl = g.tbl AND before.seq = g.seq - 1 AND before.hash = g.prev
    ORDER BY g.number"""
_LISTED: Final = """
    SELECT tbl, (SELECT max(seq) FROM passline_entries AS e WHERE e.tbl = t.tbl), settings
    FROM passline_tables AS t"""
_HEADS: Final = """
    SELECT w.tbl, (SELECT max(seq) FROM passline_entries AS e WHERE e.tbl = w.tbl)
    FROM unnest(%b::text[]) AS w (tbl)"""
_KEEP: Final = """
    INSERT INTO passline_snapshots AS s (tbl, kind, seq, data) VALUES (%s, %s, %s, %b)
    ON CONFLICT (tbl, kind) DO UPDATE SET seq = excluded.seq, data = excluded.data
    WHERE excluded.seq >= s.seq"""


class PostgresStore(Store):
    """The store of a database. ``open`` it."""

    def __init__(self, url: str, poll: float) -> None:
        super().__init__()
        self._poll = poll
        self._writing = Line(url, synced=True)
        self._reading = Line(url, synced=False)
        self._hearing = Line(url, synced=False)
        self._channel = ""
        self._news: dict[str, int] = {}
        self._listener: Task[None] | None = None
        self._notifier: Task[None] | None = None

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False, poll: float = POLL) -> PostgresStore:
        """The store of a database, its schema made or brought up to date where need be.

        Read-only, nothing is made and no wake-ups come. UnusableError where it cannot be used;
        UnavailableError where it cannot be reached.
        """
        store = cls(url, poll)
        try:
            line = store._reading if read_only else store._writing
            store._channel = await postgres_schema.brought_up_to_date(line, read_only)
        except BaseException as wrong:
            await store._close()
            if isinstance(wrong, psycopg.Error):
                raise UnusableError(f"no address of a database: {wrong}") from None
            raise
        if not read_only:
            store._listener = create_task(store._listen())
        return store

    async def now(self) -> str:
        """The database's clock."""
        return str((await self._reading.run(_CLOCK))[0][0])

    async def _commit(self, batch: Sequence[Append]) -> list[Outcome | Exception]:
        now = str((await self._writing.run(_CLOCK))[0][0])
        ready = [stamped(append, now) for append in batch]
        good = [one for one in ready if isinstance(one, Stamped)]
        outcomes = dict(zip(map(id, good), await self._outcomes(good), strict=True))
        return [outcomes[id(one)] if isinstance(one, Stamped) else one for one in ready]

    async def _outcomes(self, batch: list[Stamped]) -> list[Outcome | Exception]:
        """Insert a batch. Over a lost line it is sent again as it is: what stood already is known
        by its hash, and what belongs to it is not written twice."""
        if not batch:
            return []
        won = {(tbl, hash_) for tbl, hash_ in await self._writing.run(_APPEND, _values(batch))}
        lost = [one for one in batch if (one.append.table, one.first.hash) not in won]
        found = dict(zip(map(id, lost), await self._lost(lost), strict=True))
        outcomes = [found.get(id(one), one.appended) for one in batch]
        for one, outcome in zip(batch, outcomes, strict=True):
            if outcome == one.appended:
                self._tell(one.append.table, one.entries[-1][0].seq)
        return outcomes

    async def _lost(self, batch: list[Stamped]) -> list[Outcome | Exception]:
        if not batch:
            return []
        given = [(one.append.table, one.first.seq, one.first.prev, one.key) for one in batch]
        rows = await self._writing.run(_LOST, _columns(given, 4))
        return [_became(one, *row) for one, row in zip(batch, rows, strict=True)]

    def _tell(self, table: str, seq: int) -> None:
        """Have the other servers woken, soon."""
        self._news[table] = max(seq, self._news.get(table, -1))
        if self._notifier is None:
            self._notifier = create_task(self._notify())

    async def _notify(self) -> None:
        try:
            while self._news:
                await sleep(TOGETHER)
                news, self._news = self._news, {}
                for payload in _payloads(news):
                    with suppress(UnavailableError):  # they look by themselves
                        values = (self._channel, payload)
                        await self._reading.run("SELECT pg_notify(%s, %s)", values)
        finally:
            self._notifier = None

    async def _listen(self) -> None:
        """Hear what other servers append, and look now and then for what was not told."""
        while True:
            try:
                await self._hear()
            except (psycopg.Error, UnavailableError):
                await self._hearing.drop()
                self.bell.forget()  # the database may have come back without its last entries
                await sleep(self._poll)

    async def _hear(self) -> None:
        connection = await self._hearing.connection()
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
        while True:
            watched = self.bell.watched()
            for table, seq in await self._hearing.run(_HEADS, (watched,)) if watched else ():
                if seq is not None:
                    self.bell.ring(table, seq)
            if connection.closed or connection is not await self._hearing.connection():
                return  # another line, on which nobody listens yet
            async for notice in connection.notifies(timeout=self._poll):
                for table, seq in _read_payload(notice.payload):
                    self.bell.ring(table, seq)

    async def _rows(self, table: str, after: int, limit: int) -> list[Row]:
        return await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s AND seq > %s"
            " ORDER BY seq LIMIT %s",
            (table, after, limit),
        )

    async def _row(self, table: str, key: bytes) -> Row | None:
        found = await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s AND speaker = %b", (table, key)
        )
        return found[0] if found else None

    async def _last(self, table: str) -> Row | None:
        found = await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s ORDER BY seq DESC LIMIT 1",
            (table,),
        )
        return found[0] if found else None

    async def _listed(self, table: str | None) -> list[tuple[str, int, bytes]]:
        if table is None:
            return await self._reading.run(f"{_LISTED} ORDER BY tbl")
        return await self._reading.run(f"{_LISTED} WHERE tbl = %s", (table,))

    async def _granted(self, table: str, stored: str) -> Grant | None:
        found = await self._reading.run(
            "SELECT hash, role, name FROM passline_tokens WHERE tbl = %s AND hash = %s",
            (table, stored),
        )
        return Grant(found[0][0], Holder(*found[0][1:])) if found else None

    async def _secret(self, table: str) -> Secret | None:
        found = await self._reading.run(
            "SELECT promise, sealed FROM passline_secrets WHERE tbl = %s", (table,)
        )
        return Secret(*found[0]) if found else None

    async def _keep(self, kind: str, kept: Kept) -> None:
        await self._reading.run(_KEEP, (kept[0], kind, *kept[1:]))

    async def _kept(self, kind: str, table: str | None) -> list[Kept]:
        query = "SELECT tbl, seq, data FROM passline_snapshots WHERE kind = %s"
        if table is None:
            return await self._reading.run(f"{query} ORDER BY tbl", (kind,))
        return await self._reading.run(f"{query} AND tbl = %s", (kind, table))

    async def _forget(self, kind: str) -> None:
        where, values = ("WHERE kind = %s", (kind,)) if kind else ("", None)
        await self._reading.run(f"DELETE FROM passline_snapshots {where}", values)

    async def _close(self) -> None:
        if self._notifier:
            await self._notifier
        if self._listener:
            self._listener.cancel()
            with suppress(CancelledError):
                await self._listener
        for line in (self._hearing, self._reading, self._writing):
            await line.drop()


def _became(
    one: Stamped, there: str | None, seen: str | None, body: bytes | None, stands: bool
) -> Outcome | Exception:
    """What became of an append that was not inserted this time."""
    if there == one.first.hash:
        return one.appended  # by the first attempt, whose answer was lost
    if seen is not None and body is not None:
        return Seen(restored((seen, body), one.append.table))
    return Taken() if stands else one.lost()


def _values(batch: list[Stamped]) -> list[list[Any]]:
    """The arrays that the one statement of a batch takes."""
    firsts, follow, opened, secrets, grants, withdrawn = [], [], [], [], [], []  # type: ignore[var-annotated]
    for one in batch:
        first, append = one.first, one.append
        of = (append.table, first.hash)
        firsts.append((append.table, first.seq, first.hash, first.prev, one.key, one.entries[0][1]))
        follow += [(*of, entry.seq, entry.hash, body) for entry, body in one.entries[1:]]
        if one.settings is not None:
            opened.append((*of, one.settings))
        if append.secret:
            secrets.append((*of, append.secret.commit, append.secret.sealed))
        grants += [(*of, grant.hash, *_held(grant.holder)) for grant in append.grants]
        withdrawn += [(*of, *_held(holder)) for holder in append.withdrawn]
    return [
        *_columns(firsts, 6),
        *_columns(follow, 5),
        *_columns(opened, 3),
        *_columns(secrets, 4),
        *_columns(grants, 5),
        *_columns(withdrawn, 4),
        [row[2] for row in grants],
    ]


def _held(holder: Holder) -> tuple[str, str]:
    return holder.role, holder.name


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]


def _payloads(news: dict[str, int]) -> Iterable[str]:
    """Wake-ups in as few messages as hold them."""
    payload = ""
    for table, seq in news.items():
        word = f"{table}:{seq}"
        if payload and len(payload) + 1 + len(word) > _PAYLOAD:
            yield payload
            payload = ""
        payload = f"{payload} {word}" if payload else word
    if payload:
        yield payload


def _read_payload(payload: str) -> Iterable[tuple[str, int]]:
    """The tables and numbers of a message; what is no message of ours tells nothing."""
    for word in payload.split():
        table, _, seq = word.rpartition(":")
        if seq.isdecimal():
            yield table, int(seq)
