"""A batch of appends in SQLite: one synced commit, in as few statements as there can be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import apsw
import msgspec

from passline.live.appends import AppendOutcome, NumberTaken, Stamped, seen_before
from passline.live.entries import Head

_APPEND: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body) SELECT ?1, ?2, ?3, ?4, ?5
    WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM entries WHERE tbl = ?1 AND seq = ?2 - 1 AND hash = ?6)
    ON CONFLICT DO NOTHING"""
#: The same for many: one statement and no rows, so that this thread asks for the interpreter once.
_APPEND_ALL: Final = """
    INSERT INTO entries (tbl, seq, hash, speaker, body)
    SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), CAST(value ->> 4 AS BLOB)
    FROM json_each(?) WHERE EXISTS (
        SELECT 1 FROM entries
        WHERE tbl = value ->> 0 AND seq = (value ->> 1) - 1 AND hash = value ->> 5
    ) ON CONFLICT DO NOTHING"""
_STANDS: Final = "SELECT 1 FROM entries WHERE tbl = ? AND seq = ? AND hash = ?"
_FOLLOW: Final = "INSERT INTO entries (tbl, seq, hash, body) VALUES (?, ?, ?, ?)"


def write_batch(
    db: apsw.Connection, ready: Sequence[Stamped], together: Sequence[Stamped], rows: str
) -> list[AppendOutcome | Exception]:
    """Write appends in one synced commit, some of them ``together``, which ``rows`` holds."""
    if len(together) == len(ready) > 0:
        db.execute(_APPEND_ALL, (rows,))  # a commit by itself
        if db.changes() == len(ready):
            return [one.appended for one in ready]
    db.execute("BEGIN IMMEDIATE")
    try:
        stood = _together(db, together, rows)
        outcomes = [one.appended if id(one) in stood else _one(db, one) for one in ready]
        db.execute("COMMIT")
    except BaseException:
        with suppress(apsw.Error):
            db.execute("ROLLBACK")
        raise
    return outcomes


def _together(db: apsw.Connection, plain: Sequence[Stamped], rows: str) -> set[int]:
    """Write appends of one entry each, no two of a table; the ids of those that stand."""
    if not plain:
        return set()
    db.execute(_APPEND_ALL, (rows,))
    if db.changes() == len(plain):
        return {id(one) for one in plain}
    return {id(one) for one in plain if _stands(db, one.append.table, one.first.head)}


def _stands(db: apsw.Connection, table: str, head: Head) -> bool:
    return db.execute(_STANDS, (table, head.seq, head.hash)).fetchone() is not None


def rows_of(plain: Sequence[Stamped]) -> str:
    """Appends of one entry each, as one value."""
    rows = []
    for one in plain:
        entry, body = one.entries[0]
        key = one.key
        stored = key.hex() if key else None
        rows.append((one.append.table, entry.seq, entry.hash, stored, body.decode(), entry.prev))
    return msgspec.json.encode(rows).decode()


def _one(db: apsw.Connection, ready: Stamped) -> AppendOutcome | Exception:
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
    stands = first.seq == 0 or _stands(db, table, ready.append.after)
    return NumberTaken() if stands else ready.lost()


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
