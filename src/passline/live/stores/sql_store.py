"""What the stores in SQLite and PostgreSQL share: their queries and stamping a batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from passline.live.store import (
    Append,
    AppendOutcome,
    ListingRow,
    Secret,
    SnapshotRow,
    StampedAppend,
    Store,
    StoredRow,
    stamp_append,
)
from passline.live.tokens import Grant, Holder

#: The names of the SQL tables that hold a live table, without prefix.
TABLES_BY_TABLE: Final = ("entries", "tables", "tokens", "secrets", "snapshots")


class SqlStore(Store):
    """A store in a SQL database: SQLite or PostgreSQL.

    Both have the same tables. ``prefix`` comes before the name of each table.
    """

    prefix = ""

    @abstractmethod
    async def _query(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a query that only reads.

        Each ``?`` in it stands for one of ``values``.
        """

    @abstractmethod
    async def _commit_time(self) -> str: ...

    @abstractmethod
    async def _insert(self, ready: Sequence[StampedAppend]) -> Sequence[AppendOutcome | Exception]:
        """Write stamped appends in one synced commit. Return each one's outcome."""

    async def _commit(self, batch: Sequence[Append]) -> list[AppendOutcome | Exception]:
        """Stamp a batch with the store's time, write it, and return each append's outcome."""
        now = await self._commit_time()
        ready = [stamp_append(append, now) for append in batch]
        good = [one for one in ready if isinstance(one, StampedAppend)]
        written = iter(await self._insert(good))
        return [next(written) if isinstance(one, StampedAppend) else one for one in ready]

    async def _select(self, columns: str, table: str, more: str = "", **equal: object) -> list[Any]:
        """Return the rows of an SQL table whose columns have the values in ``equal``.

        A column whose value is None is not compared. ``columns`` and ``more`` are SQL: the columns
        to select, and what follows the WHERE clause.
        """
        given = {column: value for column, value in equal.items() if value is not None}
        where = " AND ".join(f"{column} = ?" for column in given)
        where = where and f" WHERE {where}"
        sql = f"SELECT {columns} FROM {self.prefix}{table}{where} {more}"
        return await self._query(sql, *given.values())

    async def _read_rows(self, table: str, after: int, limit: int) -> list[StoredRow]:
        return await self._query(
            f"SELECT hash, body FROM {self.prefix}entries WHERE tbl = ? AND seq > ?"
            " ORDER BY seq LIMIT ?",
            *(table, after, limit),
        )

    async def _find_row(self, table: str, key: bytes) -> StoredRow | None:
        found = await self._select("hash, body", "entries", tbl=table, speaker=key)
        return found[0] if found else None

    async def _last_row(self, table: str) -> StoredRow | None:
        last = "ORDER BY seq DESC LIMIT 1"
        found = await self._select("hash, body", "entries", last, tbl=table)
        return found[0] if found else None

    async def _list_rows(self, table: str | None) -> list[ListingRow]:
        last = f"SELECT max(seq) FROM {self.prefix}entries AS e WHERE e.tbl = t.tbl"
        columns = f"tbl, ({last}), settings"
        return await self._select(columns, "tables AS t", "ORDER BY tbl", tbl=table)

    async def ids(self) -> list[str]:
        """Return the id of every table that has an entry or a listing.

        A table whose listing was deleted is still found by its entries.
        """
        # Reads one entry of each table, not all of them.
        entries, tables = f"{self.prefix}entries", f"{self.prefix}tables"
        found = await self._query(f"""
            WITH RECURSIVE found (tbl) AS (
                SELECT min(tbl) FROM {entries}
                UNION ALL
                SELECT (SELECT min(e.tbl) FROM {entries} AS e WHERE e.tbl > found.tbl)
                FROM found WHERE found.tbl IS NOT NULL
            )
            SELECT tbl FROM found WHERE tbl IS NOT NULL UNION SELECT tbl FROM {tables}
            ORDER BY 1""")
        return [row[0] for row in found]

    async def has_entries(self) -> bool:
        """Return whether the store has an entry of any table, even if it is damaged."""
        return bool(await self._select("1", "entries", "LIMIT 1"))

    async def _find_grant(self, table: str | None, stored: str) -> Grant | None:
        found = await self._find_grants(hash=stored, tbl=table)
        return found[0] if found else None

    async def grants(self, table: str) -> list[Grant]:
        """Return every token of a table as it is stored: its hash and its holder."""
        return await self._find_grants(tbl=table)

    async def _find_grants(self, **equal: object) -> list[Grant]:
        found = await self._select("hash, role, name", "tokens", "", **equal)
        return [Grant(row[0], Holder(*row[1:])) for row in found]

    async def fact(self, name: str) -> int:
        """Return a number that the store has for the whole house, or 0."""
        found = await self._select("number", "facts", name=name)
        return int(found[0][0]) if found else 0

    async def _secret(self, table: str) -> Secret | None:
        found = await self._select("promise, sealed", "secrets", tbl=table)
        return Secret(*found[0]) if found else None

    async def _load_snapshots(self, kind: str, table: str | None) -> list[SnapshotRow]:
        return await self._select(
            "tbl, seq, data", "snapshots", "ORDER BY tbl", kind=kind, tbl=table
        )
