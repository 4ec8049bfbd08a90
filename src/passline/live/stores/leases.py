"""Leases: a server that is the only writer of a table need not ask the database before each read.

A server that has written several entries of a table, with no other server writing, takes a lease of
it for a few seconds and renews it. While a lease is valid, the database refuses the appends of
other servers (`_APPEND_SQL` of `live.stores.postgres`), so that its holder knows every entry. The
unique key still decides who appends: a lease saves reads, and no entry depends on it.

A server that needs to write asks the holder to release the lease; if the holder has stopped, the
lease ends by itself within `LEASE_SECONDS`. After that nobody takes a lease of the table for a
while, since it has clients on two servers.

A lease is used only after `SETTLE_SECONDS`. By then every append that another server began before
it has ended, since the database stops statements after ten seconds.

A stored lease does not count if it ends later than any lease can. The database's clock was set
back, and the lease would close the table to others until that has caught up.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from secrets import token_hex
from typing import Any, Final

from msgspec import Struct

from passline.live.store import UnavailableError, read_elapsed

#: Seconds that a lease is valid, and between two renewals.
LEASE_SECONDS: Final = 3.0
RENEW_SECONDS: Final = 1.0
#: The holder stops using a lease this much earlier than the database ends it.
_MARGIN_SECONDS: Final = 0.5
#: Seconds from storing a lease to using it: longer than a statement may take.
SETTLE_SECONDS: Final = 11.0
#: A lease is taken after this many own entries in a row.
OWN_ENTRIES: Final = 8
#: Seconds without a lease after another server wrote or asked for the table.
RIVAL_SECONDS: Final = 10.0
#: A lease is given up after this many seconds without an entry.
IDLE_SECONDS: Final = 60.0

RunQuery = Callable[[str, Sequence[Any]], Awaitable[list[Any]]]

#: True of a stored lease ``l`` that is valid now.
IS_VALID_SQL: Final = (
    "l.until > clock_timestamp() AND"
    f" l.until <= clock_timestamp() + {2 * LEASE_SECONDS} * interval '1 second'"
)
_RENEW_SQL: Final = f"""
    INSERT INTO passline_leases AS l (tbl, holder, since, until)
    SELECT tbl, %b, clock_timestamp(), clock_timestamp() + %b * interval '1 second'
    FROM unnest(%b::text[]) AS w (tbl) ORDER BY tbl COLLATE "C"
    ON CONFLICT (tbl) DO UPDATE SET holder = excluded.holder, until = excluded.until,
        since = CASE WHEN l.holder = excluded.holder AND {IS_VALID_SQL}
            THEN l.since ELSE excluded.since END
    WHERE l.holder = excluded.holder OR NOT ({IS_VALID_SQL})
    RETURNING tbl, extract(epoch FROM clock_timestamp() - since)::float8"""
_RELEASE_SQL: Final = "DELETE FROM passline_leases WHERE holder = %b AND tbl = ANY (%b::text[])"


class LeaseHeldError(UnavailableError):
    """Another server has a lease of the table. Ask it to release the lease, and append again."""


class _Lease(Struct):
    """A lease of this server, by its own clock: from when it may be used, and until when.

    ``number`` is unique among the leases of this process.
    """

    number: int
    usable_from: float
    until: float


class TableLeases:
    """The leases of one server. ``run`` runs a query in the database.

    ``settle_seconds`` is how long after storing a lease it is used for the first time.
    """

    def __init__(self, run: RunQuery, settle_seconds: float = SETTLE_SECONDS) -> None:
        self._run, self._settle_seconds = run, settle_seconds
        #: Identifies this server in the database.
        self.holder = token_hex(8)
        self._count = 0
        self._leases: dict[str, _Lease] = {}
        #: Tables of which the database may have a lease of this server.
        self._stored: set[str] = set()
        #: Own entries in a row, and when the last one was written.
        self._own: dict[str, tuple[int, float]] = {}
        self._rivals: dict[str, float] = {}

    def number(self, table: str) -> int:
        """Return the number of this server's lease of a table, or 0 if it has none to use now."""
        lease = self._leases.get(table)
        return lease.number if lease and lease.usable_from <= read_elapsed() < lease.until else 0

    def count_own(self, table: str) -> None:
        """Record that this server wrote an entry of a table."""
        self._own[table] = self._own.get(table, (0, 0.0))[0] + 1, read_elapsed()

    def note_rival(self, table: str) -> None:
        """Record that another server wrote to a table or wants to. Stop using a lease of it."""
        self._leases.pop(table, None)
        self._own.pop(table, None)
        self._rivals[table] = read_elapsed()

    def forget(self) -> None:
        """Stop using all leases until `renew` renews them, because the connection was lost."""
        self._leases.clear()

    def is_stored(self, table: str) -> bool:
        """Return whether the database may have a lease of this server, usable or not."""
        return table in self._stored

    async def release(self, tables: Sequence[str]) -> None:
        """Give up the leases of these tables. Raise UnavailableError if the database fails."""
        for table in tables:
            self._leases.pop(table, None)
        if tables:
            await self._run(_RELEASE_SQL, (self.holder, list(tables)))
            self._stored.difference_update(tables)

    async def release_all(self) -> None:
        """Give up every lease, because the server stops. Raise UnavailableError if that fails."""
        await self.release(list(self._stored))

    async def renew(self) -> None:
        """Renew the leases, take new ones, and give up those of idle tables.

        Raise UnavailableError if that fails; then the leases end by themselves.
        """
        now = read_elapsed()
        self._rivals = {table: at for table, at in self._rivals.items() if now - at < RIVAL_SECONDS}
        idle = [table for table, (_, at) in self._own.items() if now - at > IDLE_SECONDS]
        for table in idle:
            del self._own[table]
        await self.release([table for table in idle if table in self._stored])
        wanted = [
            table
            for table, (count, _) in self._own.items()
            if count >= OWN_ENTRIES and table not in self._rivals
        ]
        if wanted:
            values = (self.holder, LEASE_SECONDS, wanted)
            self._stored.update(wanted)
            rows = dict(await self._run(_RENEW_SQL, values))
            for table in wanted:
                self._set_lease(table, now, rows.get(table))

    def _set_lease(self, table: str, asked_at: float, age: float | None) -> None:
        """Record the lease of a table that was ``age`` seconds old when the database renewed it.

        ``age`` is None if another server has the lease. ``asked_at`` is the time before the query
        was sent: counted from then, this server never trusts a lease for longer than the database
        does.
        """
        if age is None:
            self.note_rival(table)
            return
        if table in self._rivals:
            return  # Another server asked for it meanwhile.
        lease = self._leases.get(table)
        usable_from = read_elapsed() - age + self._settle_seconds
        if lease is None or age < asked_at - lease.usable_from + self._settle_seconds - 1:
            # A new lease, or one that had ended in the database and begins again.
            self._count += 1
            lease = self._leases[table] = _Lease(self._count, usable_from, 0.0)
        lease.until = asked_at + LEASE_SECONDS - _MARGIN_SECONDS
