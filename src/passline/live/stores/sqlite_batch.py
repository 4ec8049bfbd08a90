"""A batch of appends to SQLite, within one transaction; and a table that comes from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import apsw
import msgspec

from passline.live.appends import Adoption, Outcome, Secret, Stamped, Taken, seen_before
from passline.live.tokens import Grant

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
_OPEN: Final = "INSERT INTO tables (tbl, settings) VALUES (?, ?)"
#: An entry of a log that was written elsewhere.
MOVED: Final = "INSERT INTO entries (tbl, seq, hash, speaker, body) VALUES (?, ?, ?, ?, ?)"


def together(db: apsw.Connection, plain: Sequence[Stamped]) -> set[str]:
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


def written(db: apsw.Connection, ready: Stamped) -> Outcome | Exception:
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
        db.execute(_OPEN, (table, ready.settings))
    _keep_for(db, table, append.secret, append.grants)
    again = {grant.hash for grant in append.grants}
    for holder in append.withdrawn:
        place = (table, holder.role, holder.name)
        held = "FROM tokens WHERE tbl = ? AND role = ? AND name = ?"
        for (stored,) in list(db.execute(f"SELECT hash {held}", place)):
            if stored not in again:
                db.execute(f"DELETE {held} AND hash = ?", (*place, stored))


def _keep_for(
    db: apsw.Connection, table: str, secret: Secret | None, grants: Sequence[Grant]
) -> None:
    """Write a table's secret, and tokens."""
    if secret:
        db.execute(
            "INSERT INTO secrets (tbl, promise, sealed) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
            " SET promise = excluded.promise, sealed = excluded.sealed",
            (table, secret.commit, secret.sealed),
        )
    for grant in grants:
        db.execute(
            "INSERT INTO tokens (tbl, hash, role, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table, grant.hash, grant.holder.role, grant.holder.name),
        )


def adopted(db: apsw.Connection, adoption: Adoption) -> None:
    """Write what belongs to a table whose entries came from elsewhere, and commit all of it."""
    table = adoption.table
    if adoption.settings is not None:
        db.execute(_OPEN, (table, adoption.settings))
    db.execute("DELETE FROM tokens WHERE tbl = ?", (table,))
    _keep_for(db, table, adoption.secret, adoption.grants)
    db.execute("COMMIT")
