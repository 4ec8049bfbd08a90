"""A batch of appends to PostgreSQL: one statement writes what it can; what became of the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import psycopg

from passline.live.appends import (
    Adoption,
    AppendOutcome,
    MovedRow,
    NumberTaken,
    Stamped,
    UnavailableError,
    seen_before,
)
from passline.live.stores.postgres_schema import DatabaseLine, told_by_database
from passline.live.tokens import Holder

#: All that a batch writes. ``new`` holds the first entries that found their place: everything else
#: joins it, so it is written with them or not at all. Sorted, so that two servers never wait for
#: each other in a circle.
_APPEND: Final = """
    WITH given AS (
        SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::bytea[],
            %b::bytea[]) WITH ORDINALITY AS g (tbl, seq, hash, prev, speaker, body, number)
    ), new AS (
        INSERT INTO passline_entries (tbl, seq, hash, speaker, body)
        SELECT tbl, seq, hash, speaker, body FROM given
        WHERE seq = 0 OR EXISTS (
            SELECT 1 FROM passline_entries AS e
            WHERE e.tbl = given.tbl AND e.seq = given.seq - 1 AND e.hash = given.prev)
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

#: A table that comes from another store.
_MOVED: Final = """
    INSERT INTO passline_entries (tbl, seq, hash, speaker, body) VALUES (%s, %s, %s, %b, %b)"""
_OPENED: Final = "INSERT INTO passline_tables (tbl, settings) VALUES (%s, %b)"
_TOKEN: Final = "INSERT INTO passline_tokens (tbl, hash, role, name) VALUES (%s, %s, %s, %s)"
_SECRET: Final = """
    INSERT INTO passline_secrets (tbl, promise, sealed) VALUES (%s, %s, %b)
    ON CONFLICT (tbl) DO UPDATE SET promise = excluded.promise, sealed = excluded.sealed"""


async def inserted(line: DatabaseLine, batch: Sequence[Stamped]) -> list[AppendOutcome | Exception]:
    """Write a batch; an outcome for each append of it.

    Over a line that is lost meanwhile it is sent again as it is: an entry that stood already is
    known by its hash then, and what belongs to it is not written twice.
    """
    if not batch:
        return []
    lost_before = line.lost
    won = {tuple(row) for row in await line.run(_APPEND, _values(batch))}
    again = line.lost > lost_before
    lost = []
    for one in batch:
        if (one.append.table, one.first.hash) in won:
            won.remove((one.append.table, one.first.hash))  # its twin, if it has one, lost
        else:
            lost.append(one)
    became = await _became_of(line, lost, again)
    return [became.get(id(one), one.appended) for one in batch]


async def _became_of(
    line: DatabaseLine, lost: Sequence[Stamped], again: bool
) -> dict[int, AppendOutcome | Exception]:
    """What became of those that were not inserted this time."""
    if not lost:
        return {}
    given = [(one.append.table, one.first.seq, one.first.prev, one.key) for one in lost]
    try:
        rows = await line.run(_LOST, _columns(given, 4))
    except UnavailableError as wrong:  # the others stand all the same
        return {id(one): wrong for one in lost}
    return {id(one): _became(one, again, *row) for one, row in zip(lost, rows, strict=True)}


def _became(
    one: Stamped,
    again: bool,
    there: str | None,
    seen: str | None,
    body: bytes | None,
    stands: bool,
) -> AppendOutcome | Exception:
    """What became of one of them."""
    if again and there == one.first.hash:
        return one.appended  # by the first attempt, whose answer was lost
    if seen is not None and body is not None:
        return seen_before((seen, body), one.append.table)
    return NumberTaken() if stands else one.lost()


def _values(batch: Sequence[Stamped]) -> list[list[Any]]:
    """The arrays that the one statement of a batch takes."""
    firsts, follow, opened, secrets, grants, withdrawn = [], [], [], [], [], []
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


async def adopt_table(
    line: DatabaseLine, adoption: Adoption, pages: AsyncIterator[Sequence[MovedRow]]
) -> None:
    """Write a table that comes from another store, in one transaction: no server here sees a part
    of it. It is not tried twice: whoever moves it sees what stands, and asks again."""
    table, secret = adoption.table, adoption.secret
    tokens = [(table, one.hash, *_held(one.holder)) for one in adoption.grants]
    connection = await line.connection()
    try:
        async with connection.transaction(), connection.cursor() as cursor:
            async for page in pages:
                await cursor.executemany(_MOVED, [(table, *one) for one in page])
            if adoption.settings is not None:
                await cursor.execute(_OPENED, (table, adoption.settings))
            await cursor.execute("DELETE FROM passline_tokens WHERE tbl = %s", (table,))
            await cursor.executemany(_TOKEN, tokens)
            if secret is not None:
                await cursor.execute(_SECRET, (table, secret.commit, secret.sealed))
    except psycopg.errors.UniqueViolation:
        words = f"table {table}: somebody else wrote to it meanwhile"
        raise UnavailableError(words) from None
    except psycopg.Error as wrong:
        raise told_by_database(wrong) from None
