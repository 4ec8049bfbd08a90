"""A store in PostgreSQL, for any number of servers: unique keys decide, and nobody owns a table.

A batch is one statement, so no lock outlives it and no server that stalls holds up the others.
Who loses a place in it writes nothing, and the rest is written all the same. Wake-ups go out after
the commit, many in one, and every server also looks by itself.
"""

from __future__ import annotations

from asyncio import CancelledError, Task, create_task, sleep, wait
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from typing import Final

import psycopg
from psycopg import sql

from passline.live.appends import (
    Adoption,
    Append,
    Appended,
    AppendOutcome,
    MovedRow,
    Secret,
    Stamped,
    StoredRow,
    UnavailableError,
    UnusableError,
    is_table,
    stamped,
)
from passline.live.store import KeptSnapshot, Listed, Store
from passline.live.stores import postgres_schema
from passline.live.stores.postgres_batch import adopt_table, inserted
from passline.live.stores.postgres_schema import DatabaseLine
from passline.live.tokens import Grant, Holder
from passline.live.waiting import GroupCommit

#: Seconds between looks for entries that no wake-up told of.
POLL: Final = 0.5
#: Seconds that wake-ups wait for others to go with them, and the bytes that one may hold.
TOGETHER: Final = 0.003
_PAYLOAD: Final = 7900
#: Seconds from one question for the ends of logs to the next, where several ask.
ASKED: Final = 0.002

_CLOCK: Final = """
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_LISTED: Final = """
    SELECT tbl, (SELECT max(seq) FROM passline_entries AS e WHERE e.tbl = t.tbl), settings
    FROM passline_tables AS t"""
_HEADS: Final = """
    SELECT w.tbl, (SELECT max(seq) FROM passline_entries AS e WHERE e.tbl = w.tbl)
    FROM unnest(%b::text[]) AS w (tbl)"""
#: The ends of logs, those that are asked for together in one question.
_TIPS: Final = """
    SELECT e.seq, e.hash FROM unnest(%b::text[]) WITH ORDINALITY AS w (tbl, number)
    LEFT JOIN LATERAL (
        SELECT seq, hash FROM passline_entries WHERE tbl = w.tbl ORDER BY seq DESC LIMIT 1
    ) AS e ON true ORDER BY w.number"""
_KEEP: Final = """
    INSERT INTO passline_snapshots AS s (tbl, kind, seq, data) VALUES (%s, %s, %s, %b)
    ON CONFLICT (tbl, kind) DO UPDATE SET seq = excluded.seq, data = excluded.data
    WHERE excluded.seq >= s.seq"""


class PostgresStore(Store):
    """The store of a database. ``open`` it."""

    def __init__(self, url: str, poll: float) -> None:
        super().__init__()
        self._poll = poll
        self._writing = DatabaseLine(url, synced=True)
        self._reading = DatabaseLine(url, synced=False)
        self._hearing = DatabaseLine(url, synced=False)
        self._asking = DatabaseLine(url, synced=False)
        self._tips: GroupCommit[str, tuple[int, str] | None] = GroupCommit(self._ask_tips, ASKED)
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
            store._channel = await postgres_schema.database_up_to_date(line, read_only)
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

    async def _commit(self, batch: Sequence[Append]) -> list[AppendOutcome | Exception]:
        now = str((await self._writing.run(_CLOCK))[0][0])
        ready = [stamped(append, now) for append in batch]
        good = [one for one in ready if isinstance(one, Stamped)]
        written = iter(await inserted(self._writing, good))
        outcomes = [next(written) if isinstance(one, Stamped) else one for one in ready]
        for outcome, append in zip(outcomes, batch, strict=True):
            if isinstance(outcome, Appended):
                self._tell(append.table, outcome.entries[-1].seq)
        return outcomes

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

    async def _rows(self, table: str, after: int, limit: int) -> list[StoredRow]:
        return await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s AND seq > %s"
            " ORDER BY seq LIMIT %s",
            (table, after, limit),
        )

    async def _row(self, table: str, key: bytes) -> StoredRow | None:
        found = await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s AND speaker = %b", (table, key)
        )
        return found[0] if found else None

    async def _last(self, table: str) -> StoredRow | None:
        found = await self._reading.run(
            "SELECT hash, body FROM passline_entries WHERE tbl = %s ORDER BY seq DESC LIMIT 1",
            (table,),
        )
        return found[0] if found else None

    async def tip(self, table: str) -> tuple[int, str] | None:
        """What is asked while a question is under way goes together in the next: no question began
        before whoever waits for it asked."""
        return await self._tips.submit(table) if is_table(table) else None

    async def _ask_tips(self, tables: Sequence[str]) -> list[tuple[int, str] | Exception | None]:
        found = await self._asking.run(_TIPS, (list(tables),))
        return [None if seq is None else (seq, hash_) for seq, hash_ in found]

    async def _listed(self, table: str | None) -> list[Listed]:
        if table is None:
            return await self._reading.run(f"{_LISTED} ORDER BY tbl")
        return await self._reading.run(f"{_LISTED} WHERE tbl = %s", (table,))

    async def _granted(self, table: str | None, stored: str) -> Grant | None:
        query = "SELECT hash, role, name FROM passline_tokens WHERE hash = %s"
        where = "" if table is None else " AND tbl = %s"
        values = (stored,) if table is None else (stored, table)
        found = await self._reading.run(f"{query}{where} LIMIT 1", values)
        return Grant(found[0][0], Holder(*found[0][1:])) if found else None

    async def _secret(self, table: str) -> Secret | None:
        found = await self._reading.run(
            "SELECT promise, sealed FROM passline_secrets WHERE tbl = %s", (table,)
        )
        return Secret(*found[0]) if found else None

    async def _keep(self, all_kept: Sequence[tuple[str, KeptSnapshot]]) -> None:
        for kind, kept in all_kept:
            await self._reading.run(_KEEP, (kept[0], kind, *kept[1:]))

    async def _kept(self, kind: str, table: str | None) -> list[KeptSnapshot]:
        query = "SELECT tbl, seq, data FROM passline_snapshots WHERE kind = %s"
        if table is None:
            return await self._reading.run(f"{query} ORDER BY tbl", (kind,))
        return await self._reading.run(f"{query} AND tbl = %s", (kind, table))

    async def _forget(self, kind: str) -> None:
        where, values = ("WHERE kind = %s", (kind,)) if kind else ("", None)
        await self._reading.run(f"DELETE FROM passline_snapshots {where}", values)

    async def grants(self, table: str) -> list[Grant]:
        """Every token that speaks at a table."""
        query = "SELECT hash, role, name FROM passline_tokens WHERE tbl = %s"
        found = await self._reading.run(query, (table,))
        return [Grant(row[0], Holder(*row[1:])) for row in found]

    async def adopt(self, adoption: Adoption, pages: AsyncIterator[Sequence[MovedRow]]) -> None:
        """Take a table over from another store."""
        await adopt_table(self._writing, adoption, pages)

    async def _close(self) -> None:
        if self._notifier:
            await wait([self._notifier], timeout=0.5)
        for task in (self._notifier, self._listener):
            if task:
                task.cancel()
                with suppress(CancelledError):
                    await task
        for line in (self._hearing, self._asking, self._reading, self._writing):
            await line.end()


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
