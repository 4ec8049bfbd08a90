"""The lobby: a row for every table, in memory. A row is updated when its table changes.

The first reading lists the tables of the store with their stored rows, so that no log has to be
read. From then on the store's notifier names the tables that changed, whichever server wrote to
them, and only their rows are computed again. A shared store is listed again every minute, in case a
notification was lost.
"""

from __future__ import annotations

from asyncio import Lock, get_running_loop
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct, UnsetType

from passline.game.table.dice_custody import is_automated
from passline.live.live_table import LiveTable
from passline.live.schema import ListedTable, ServiceError
from passline.live.store import CorruptStoreError, Snapshot, Store, TableListing
from passline.live.table_cache import (
    TableCache,
    load_table,
    make_snapshot,
    translate_store_errors,
)
from passline.live.views import list_table, player_name

#: How many tables' logs are read before their rows are stored.
_FOLD_BATCH: Final = 200
#: Seconds until a shared store is listed again.
_RELIST_SECONDS: Final = 60.0


class DailyResult(Struct, frozen=True, kw_only=True):
    """A player's result at a Daily, as the ranking needs it, so that no table has to be loaded.

    ``cents`` is how much the player is ahead, with open bets at face value. ``sender`` identifies
    the network address, "" if unknown. ``first_thrown_at`` is the time of the first throw.
    """

    name: str
    cents: int
    throws: int
    here: bool
    sender: str
    first_thrown_at: str


class LobbyRow(Struct, frozen=True, kw_only=True):
    """A table as the lobby knows it after entry ``seq`` of its log.

    ``host`` identifies the address that hosts the table (`live.hosted_tables`), and ``visited`` is
    the time of the last entry that a person wrote. ``shooter`` is "" where a machine throws.
    """

    listed: ListedTable
    seq: int
    status: str
    open: bool
    daily: str = ""
    host: str = ""
    visited: str = ""
    shooter: str | None = None
    names: tuple[str, ...] = ()
    result: DailyResult | None = None

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows the table to everybody: it is open to all and not closed."""
        return self.open and self.status != "closed"

    @property
    def public_fields(self) -> tuple[object, ...]:
        """The fields that people see. `Lobby.version` grows when one of them changes."""
        return self.listed, self.status, self.open, self.shooter, self.names


#: The kind of snapshot that holds a table's row. Raise the number when a field gets another
#: meaning; otherwise a new version can read the rows of the version before.
_ROW_KIND: Final = f"lobby format 2 {len(LobbyRow.__struct_fields__)}"


def make_row(live: LiveTable) -> LobbyRow:
    """Return the lobby's row of a table, from the table's state."""
    table, settings = live.table, live.settings
    return LobbyRow(
        listed=list_table(live),
        seq=live.head.seq,
        status="closed" if live.is_closed else table.status,
        open=settings.open,
        daily=settings.daily,
        host=settings.host_id,
        visited=live.visited,
        shooter="" if is_automated(table) else player_name(table, table.shooter),
        names=tuple(seat.name for seat in table.playing if seat.here),
        result=_make_daily_result(live) if settings.daily else None,
    )


def _make_daily_result(live: LiveTable) -> DailyResult | None:
    """Return the result at a table of a Daily so far, or None before its first throw."""
    if not (live.table.seats and live.table.throws):
        return None
    seat, sender = live.table.seats[0], live.settings.sender
    return DailyResult(
        name=seat.name,
        cents=seat.rail + sum(up.amount for up in seat.wagers.values()) - seat.bought_in,
        throws=live.table.throws,
        here=seat.here,
        sender="" if isinstance(sender, UnsetType) else sender,
        first_thrown_at=live.first_thrown_at,
    )


async def save_rows(store: Store, lives: Iterable[LiveTable]) -> None:
    """Store the lobby's rows of tables, so that a server that starts need not read their logs."""
    rows = [(live, msgspec.json.encode(make_row(live))) for live in lives]
    await store.save_snapshots(*(make_snapshot(live, _ROW_KIND, row) for live, row in rows))


def _decode_row(snapshot: Snapshot | None, listing: TableListing) -> LobbyRow | None:
    """Return the row in a snapshot, or None if there is no snapshot or it cannot be used.

    ``listing`` has the number of the table's last entry, with which the snapshot must agree.
    """
    if snapshot is None or snapshot.seq != listing.seq:
        return None
    try:
        return msgspec.json.decode(snapshot.data, type=LobbyRow)
    except msgspec.MsgspecError:
        return None


class Lobby:
    """The lobby's rows of all tables of a store.

    ``version`` grows whenever people would see a row change.
    """

    def __init__(self, tables: TableCache) -> None:
        self._tables, self._store = tables, tables.store
        self._rows: dict[str, LobbyRow] = {}
        self._changed: set[str] = set()
        self._relist_at = 0.0
        self._is_loaded = False
        self._lock = Lock()
        self.version = 0
        self._listed: tuple[int, list[ListedTable]] = (-1, [])
        self._store.notifier.listeners.append(self._changed.add)

    async def rows(self) -> dict[str, LobbyRow]:
        """Return the rows of all tables by table id, up to date. The caller must not change them.

        Raise ServiceError if the store cannot be read.
        """
        async with self._lock:
            if self._is_loaded and get_running_loop().time() < self._relist_at:
                await self._update_changed()
            else:
                await self._list_all()
        return self._rows

    async def listed(self) -> list[ListedTable]:
        """Return the tables that everybody sees, sorted by id."""
        rows = await self.rows()
        if self._listed[0] != self.version:
            listed = [row.listed for row in rows.values() if row.is_listed]
            self._listed = self.version, sorted(listed, key=lambda one: one.table)
        return self._listed[1]

    def _set_row(self, row: LobbyRow) -> None:
        """Store a row in memory unless a later one is known.

        Increase ``version`` if people would see a change.
        """
        table = row.listed.table
        known = self._rows.get(table)
        if known is None or known.public_fields != row.public_fields:
            self.version += 1
        if known is None or known.seq <= row.seq:
            self._rows[table] = row

    async def _update_changed(self) -> None:
        """Compute the rows of those tables again that the store reported as changed."""
        while self._changed:
            table = self._changed.pop()
            try:
                cached = self._tables.get_cached(table)
                if cached is None or self._store.shared:
                    cached = await self._tables.get(table)
            except ServiceError:
                self._changed.add(table)
                await self._check_store(table)
                self._changed.discard(table)  # Only this table is damaged.
            else:
                self._set_row(make_row(cached.live))

    async def _check_store(self, table: str) -> None:
        """Raise ServiceError if the store does not answer when one table is read.

        Do nothing if only the table itself is damaged.
        """
        async with translate_store_errors():
            with suppress(CorruptStoreError):
                await self._store.table(table)

    async def _list_all(self) -> None:
        """Update the rows of all tables of the store, from memory, stored rows, or their logs."""
        store = self._store
        self._changed.clear()
        async with translate_store_errors():
            listings = await store.tables()
            stored_rows = {}
            if not self._is_loaded:
                stored_rows = {
                    snapshot.table: snapshot for snapshot in await store.snapshots(_ROW_KIND)
                }
        cached = {table.live.id: table.live for table in self._tables.all()}
        cold: list[str] = []
        for listing in listings:
            known, live = self._rows.get(listing.table), cached.get(listing.table)
            if known is not None and known.seq >= listing.seq:
                continue
            if live is not None and live.head.seq >= listing.seq:
                self._set_row(make_row(live))
            elif row := _decode_row(stored_rows.get(listing.table), listing):
                self._set_row(row)
            else:
                cold.append(listing.table)
        for start in range(0, len(cold), _FOLD_BATCH):
            await self._fold_rows(cold[start : start + _FOLD_BATCH])
        self._is_loaded = True
        wait = _RELIST_SECONDS if store.shared else float("inf")
        self._relist_at = get_running_loop().time() + wait

    async def _fold_rows(self, tables: Sequence[str]) -> None:
        """Compute the rows of these tables from their logs, and store them."""
        lives = []
        for table in tables:
            try:
                async with translate_store_errors():
                    lives.append((await load_table(self._store, table)).live)
            except ServiceError:
                continue  # A damaged log must not hide the other tables.
        async with translate_store_errors():
            await save_rows(self._store, lives)
        for live in lives:
            self._set_row(make_row(live))


def row_json(row: LobbyRow) -> dict[str, Any]:
    """Return a row as the operator's list shows it, with ``status`` and ``open``."""
    return msgspec.structs.asdict(row.listed) | {"status": row.status, "open": row.open}
