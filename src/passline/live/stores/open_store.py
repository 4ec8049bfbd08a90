"""Open the store of a folder (SQLite) or of a database (PostgreSQL).

Each store needs a library of its own, so its module is imported when it is opened.
"""

from __future__ import annotations

from pathlib import Path

from passline.live.store import Store


async def open_store(
    data: Path | None = None, database: str | None = None, *, read_only: bool = False
) -> Store:
    """Open the store in the folder ``data`` or at the URL ``database``, and update its schema.

    With ``read_only``, the schema stays as it is. Raise UnusableError if there is no usable store,
    StoreLockedError if another server has it open, UnavailableError if the database does not
    answer.
    """
    if database is not None:
        from passline.live.stores.postgres import PostgresStore

        return await PostgresStore.open(database, read_only=read_only)
    if data is None:
        raise ValueError("give a folder or a database URL")
    from passline.live.stores.sqlite import SqliteStore

    return await SqliteStore.open(data, read_only=read_only)
