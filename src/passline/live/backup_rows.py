"""Read all rows of a store for a backup, as they are at one moment; write them to an empty store.

A row is a list: the name of its table without prefix, then its columns. SQLite and PostgreSQL have
the same columns, so a backup of one can be restored to the other. All functions block.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from passline.game.words.log import say_log
from passline.live.store import UnusableError

BackupRow = list[Any]

#: The columns of each database table about live tables. True marks a column that holds bytes.
LIVE_COLUMNS: Final[dict[str, dict[str, bool]]] = {
    "tables": {"tbl": False, "settings": True},
    "entries": {"tbl": False, "seq": False, "hash": False, "speaker": True, "body": True},
    "tokens": {"tbl": False, "hash": False, "role": False, "name": False},
    "secrets": {"tbl": False, "promise": False, "sealed": True},
    "snapshots": {"tbl": False, "kind": False, "seq": False, "data": True},
    "facts": {"name": False, "number": False},
}
#: The columns of the school's tables in PostgreSQL. `school.school_rows` has the same for folders.
SCHOOL_COLUMNS: Final[dict[str, dict[str, bool]]] = {
    "reviews": {"learner": False, "id": False, "name": False, "body": True},
    "learner_keys": {"learner": False, "hash": False, "name": False, "role": False},
    "auditions": {"audition": False, "part": False, "learner": False, "body": True},
}
_ALL_COLUMNS: Final = {**LIVE_COLUMNS, **SCHOOL_COLUMNS}
_ORDERS: Final = {"entries": "tbl, seq", "reviews": "learner, seq"}
_PREFIX: Final = "passline_"
_BATCH: Final = 500


def read_folder_rows(folder: Path) -> Iterator[BackupRow]:
    """Yield the rows of all live tables in a server's folder, as they are at one moment.

    A server may be running on the folder. Raise UnusableError if there is no store in it.
    """
    import apsw

    from passline.live.stores.sqlite import (
        BUSY_TIMEOUT_MS,
        DATABASE_FILE,
        check_version,
        connect_read_only,
        has_wal_file,
    )

    file = folder / DATABASE_FILE
    try:
        with closing(connect_read_only(file, BUSY_TIMEOUT_MS, not has_wal_file(file))) as db:
            check_version(db, file)
            db.execute("BEGIN")  # All reads see the same moment.
            for name, columns in LIVE_COLUMNS.items():
                if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone():
                    continue  # The file is of an earlier version, which had no facts.
                order = _ORDERS.get(name, "1")
                for row in db.execute(f"SELECT {', '.join(columns)} FROM {name} ORDER BY {order}"):
                    yield [name, *row]
    except apsw.Error as wrong:
        raise UnusableError(say_log("file-unopenable", file=file, error=wrong)) from None


@contextmanager
def open_empty_folder(folder: Path) -> Iterator[Any]:
    """Yield a database connection to a new store in a folder, within one transaction.

    The transaction is committed at the end of the ``with`` block, and rolled back if the block
    raises. Raise UnusableError if the folder has a store with tables, or another server has it
    open.
    """
    import apsw

    from passline.live.stores.sqlite import (
        BUSY_TIMEOUT_MS,
        DATABASE_FILE,
        connect_file,
        lock_folder,
        migrate_file,
    )

    lock = lock_folder(folder)
    try:
        with closing(connect_file(folder / DATABASE_FILE, BUSY_TIMEOUT_MS)) as db:
            migrate_file(db, folder / DATABASE_FILE)
            names = [name for name in LIVE_COLUMNS if name != "facts"]
            if any(db.execute(f"SELECT 1 FROM {name}").fetchone() for name in names):
                raise UnusableError(say_log("restore-not-empty", place=folder))
            with db:
                yield db
    except apsw.Error as wrong:
        words = say_log("file-unopenable", file=folder / DATABASE_FILE, error=wrong)
        raise UnusableError(words) from None
    finally:
        os.close(lock)


def write_folder_rows(db: Any, rows: Iterable[BackupRow]) -> None:
    """Insert rows of live tables. ``db`` is the connection from `open_empty_folder`."""
    from passline.live.stores.sqlite import RAISE_FACT_SQL

    for row in rows:
        if row[0] == "facts":
            db.execute(RAISE_FACT_SQL, row[1:])
            continue
        columns = LIVE_COLUMNS[row[0]]
        places = ", ".join("?" * len(columns))
        db.execute(f"INSERT INTO {row[0]} ({', '.join(columns)}) VALUES ({places})", row[1:])


def read_database_rows(
    url: str, tables: Iterable[str] = tuple(_ALL_COLUMNS)
) -> Iterator[BackupRow]:
    """Yield the rows of a PostgreSQL database, the school's too, as they are at one moment.

    Servers may be running on it. ``tables`` names the database tables to read, such as ``entries``
    (all by default). Raise UnusableError if the database cannot be used or lacks one of them.
    """
    import psycopg

    from passline.live.stores.postgres import add_timeouts

    try:
        with psycopg.connect(add_timeouts(url)) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for name in tables:
                order = _ORDERS.get(name, "1, 2")
                query = f"SELECT {', '.join(_ALL_COLUMNS[name])} FROM {_PREFIX}{name}"
                with connection.cursor(f"backup_{name}", withhold=False) as cursor:
                    cursor.itersize = _BATCH
                    cursor.execute(f"{query} ORDER BY {order}".encode())
                    for row in cursor:
                        yield [name, *row]
    except psycopg.Error as wrong:
        error = str(wrong).strip().split("\n", 1)[0]
        raise UnusableError(say_log("database-unusable", error=error)) from None


def write_database_rows(url: str, rows: Iterable[BackupRow], *, merge: bool = False) -> None:
    """Insert rows into a PostgreSQL database in one transaction. The schema must be there.

    `open_store` makes the schema. Raise UnusableError if the database has rows already. With
    ``merge`` that is allowed, and rows that exist already stay as they are.
    """
    import psycopg

    from passline.live.stores.postgres import RAISE_FACT_SQL, add_timeouts

    try:
        with psycopg.connect(add_timeouts(url)) as connection:
            if not merge:
                for name in [one for one in _ALL_COLUMNS if one != "facts"]:
                    query = f"SELECT 1 FROM {_PREFIX}{name} LIMIT 1".encode()
                    if connection.execute(query).fetchone():
                        raise UnusableError(say_log("restore-not-empty", place="the database"))
            with connection.cursor() as cursor:
                for row in rows:
                    query = _insert_sql(row[0])
                    cursor.execute(RAISE_FACT_SQL if row[0] == "facts" else query, row[1:])
    except psycopg.Error as wrong:
        error = str(wrong).strip().split("\n", 1)[0]
        raise UnusableError(say_log("database-unusable", error=error)) from None


def _insert_sql(name: str) -> bytes:
    """Return the SQL that inserts a row into the table ``name``, unless the row exists already."""
    columns = _ALL_COLUMNS[name]
    places = ", ".join("%b" if binary else "%s" for binary in columns.values())
    into = f"{_PREFIX}{name} ({', '.join(columns)})"
    return f"INSERT INTO {into} VALUES ({places}) ON CONFLICT DO NOTHING".encode()
