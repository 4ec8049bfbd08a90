"""Open the store of a folder (SQLite) or of a database (PostgreSQL).

Each store needs a library of its own, so its module is imported when it is opened.
"""

from __future__ import annotations

from pathlib import Path

from passline.live.store import Store


async def open_store(
    data: Path | None = None, database: str | None = None, *, read_only: bool = False
) -> Store:
    """The store of a folder or of a database, brought up to date; read-only, as it stands.

    UnusableError where there is none that can be used, StoreLockedError where another server has it,
    UnavailableError where a database cannot be reached.
    """  # noqa: E501
    if database is not None:
        from passline.live.stores.postgres import PostgresStore

        return await PostgresStore.open(database, read_only=read_only)
    if data is None:
        raise ValueError("a store is in a folder or in a database")
    from passline.live.stores.sqlite import SqliteStore

    return await SqliteStore.open(data, read_only=read_only)
