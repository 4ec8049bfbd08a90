"""The stores: in memory, in SQLite for one server, in PostgreSQL for any number of them.

Each brings its own library, so it is imported when it is opened.
"""

from __future__ import annotations

from pathlib import Path

from passline.live.store import Store
from passline.school.reviews import Reviews

__all__ = ["Reviews", "Store", "open_reviews", "open_store"]


async def open_store(
    data: Path | None = None, database: str | None = None, *, read_only: bool = False
) -> Store:
    """The store of a folder or of a database, brought up to date; read-only, as it stands.

    UnusableError where there is none that can be used, OccupiedError where another server has it,
    UnavailableError where a database cannot be reached.
    """
    if database is not None:
        from passline.live.stores.postgres import PostgresStore

        return await PostgresStore.open(database, read_only=read_only)
    if data is None:
        raise ValueError("a store is in a folder or in a database")
    from passline.live.stores.sqlite import SqliteStore

    return await SqliteStore.open(data, read_only=read_only)


def open_reviews(data: Path | None = None, database: str | None = None) -> Reviews:
    """Where a server keeps what learners answer: in its database, or in files of its folder.

    Every call waits for the disk: make it in a thread (``asyncio.to_thread``). A database has been
    brought up to date by ``open_store``.
    """
    if database is not None:
        from passline.live.stores.postgres_reviews import PostgresReviews

        return PostgresReviews(database)
    if data is None:
        raise ValueError("answers are kept in a folder or in a database")
    from passline.school.review_files import FileReviews

    return FileReviews(data / "school")
