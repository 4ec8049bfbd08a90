"""A table that comes to SQLite from another store, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import apsw

from passline.live.appends import Adoption, MovedRow

_ENTRY: Final = "INSERT INTO entries (tbl, seq, hash, speaker, body) VALUES (?, ?, ?, ?, ?)"
_TOKEN: Final = "INSERT INTO tokens (tbl, hash, role, name) VALUES (?, ?, ?, ?)"
_SECRET: Final = """
    INSERT INTO secrets (tbl, promise, sealed) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET promise = excluded.promise, sealed = excluded.sealed"""


def begin_adoption(db: apsw.Connection) -> None:
    """Begin: until it is committed nobody sees any of it."""
    db.execute("BEGIN IMMEDIATE")


def write_moved(db: apsw.Connection, table: str, page: Sequence[MovedRow]) -> None:
    """Write some of its entries as they were written elsewhere."""
    db.executemany(_ENTRY, [(table, *one) for one in page])


def end_adoption(db: apsw.Connection, adoption: Adoption) -> None:
    """Write what belongs to them, and commit all of it."""
    table, secret = adoption.table, adoption.secret
    if adoption.settings is not None:
        db.execute("INSERT INTO tables (tbl, settings) VALUES (?, ?)", (table, adoption.settings))
    db.execute("DELETE FROM tokens WHERE tbl = ?", (table,))
    for one in adoption.grants:
        db.execute(_TOKEN, (table, one.hash, one.holder.role, one.holder.name))
    if secret is not None:
        db.execute(_SECRET, (table, secret.commit, secret.sealed))
    db.execute("COMMIT")
