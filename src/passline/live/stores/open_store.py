"""Open the store of a folder (SQLite) or of a database (PostgreSQL).

Each kind needs a library of its own, so its module is imported only when it is opened. A server
also records, in a file beside its keys, which stores had tables. If such a store has none any more,
and no operator deleted them by the command, it was emptied, deleted or replaced.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from passline.files import create_file, replace_file
from passline.game.words.log import say_log
from passline.live.store import EMPTIED, Store, UnusableError

#: The file that names the stores that had tables, by their hashes, each with its fact ``EMPTIED``.
MARKER_FILE: Final = "tables.known"


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


def hash_place(place: str) -> str:
    """Return a short hash that identifies a store: a folder, or a database by its host and name.

    >>> hash_place("postgresql://ann:x@db/live") == hash_place("postgresql://db/live?sslmode=x")
    True
    """
    if "://" in place:
        url = urlsplit(place)
        named = f"{url.hostname or ''}:{url.port or ''}{url.path}"
    else:
        named = str(Path(place).resolve())
    return sha256(named.encode("utf-8", "surrogateescape")).hexdigest()[:16]


async def check_tables_known(store: Store, folder: Path, place: str) -> None:
    """Record in a folder that the store at ``place`` has tables with entries, if it has any.

    Raise UnusableError if the record says that it had some, it has none now, and no operator has
    deleted them since; or if the folder cannot be written.
    """
    marker, name, emptied = folder / MARKER_FILE, hash_place(place), await store.fact(EMPTIED)
    try:
        known = _read_marker(marker)
        if await store.has_entries():
            if known.get(name) != emptied:
                lines = [f"{one}:{count}\n" for one, count in {**known, name: emptied}.items()]
                data = "".join(lines).encode()
                if not create_file(marker, data):
                    replace_file(marker, data)
        elif emptied <= known.get(name, -1):
            words = say_log("tables-gone", place=describe_place(place), marker=marker)
            raise UnusableError(words)
    except OSError as wrong:
        raise UnusableError(f"{marker}: {wrong.strerror or wrong}") from None


def _read_marker(marker: Path) -> dict[str, int]:
    """Return the fact ``EMPTIED`` of each store that the file names, by the store's hash."""
    words = marker.read_text("ascii", "replace").split() if marker.exists() else []
    parts = [word.partition(":") for word in words]
    return {name: int(count) if count.isdecimal() else 0 for name, _, count in parts}


def describe_place(place: str) -> str:
    """Return a store's folder or database URL for a message, without user and password."""
    if "://" not in place:
        return place
    url = urlsplit(place)
    return f"{url.scheme}://{url.hostname or ''}{url.path}"
