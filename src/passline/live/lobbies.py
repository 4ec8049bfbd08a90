"""Tables in a line each, told from what is folded or from what was kept: the open ones for the
lobby, all of them for the operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from passline.live.asks import HallError
from passline.live.live_table import LiveTable
from passline.live.store import Listing, Snapshot, Store
from passline.live.tables import Tables, store_errors
from passline.live.views import listed
from passline.live.warm import load
from passline.version import VERSION

#: Snapshots of this kind hold a table's line; another version tells its own.
_KIND: Final = f"lobby {VERSION}"


#: Tables that are folded before what was found is kept.
_TOGETHER: Final = 200

LobbyRow = dict[str, Any]


async def lobby(tables: Tables) -> list[LobbyRow]:
    """The tables that are open to anybody, and not closed."""
    rows = await _told(tables, _open)
    return [row for row in rows if row.pop("status", "live") != "closed"]


async def every_table(tables: Tables) -> list[LobbyRow]:
    """Every table there is, for the operator: ``status`` besides, and whether it is ``open``."""
    async with store_errors():
        opened = {found.table for found in await tables.store.tables() if _open(found)}
    rows = await _told(tables, lambda listing: True)
    return [row | {"open": row["table"] in opened} for row in rows]


async def _told(tables: Tables, which: Callable[[Listing], bool]) -> list[LobbyRow]:
    """A line of each of these tables, with its status."""
    store = tables.store
    async with store_errors():
        listings = [found for found in await store.tables() if which(found)]
        kept = {snap.table: snap for snap in await store.snapshots(_KIND)}
    warm = {table.live.id: table for table in tables.warm()}
    rows: dict[str, LobbyRow] = {}
    cold: list[Listing] = []
    for listing in listings:
        snapshot, here = kept.get(listing.table), warm.get(listing.table)
        if here is not None and here.live.head.seq >= listing.seq:
            rows[listing.table] = _row(here.live)
        elif snapshot is not None and snapshot.seq == listing.seq:
            rows[listing.table] = msgspec.json.decode(snapshot.data)
        else:
            cold.append(listing)
    for start in range(0, len(cold), _TOGETHER):
        rows |= await _folded(tables, cold[start : start + _TOGETHER])
    return [rows[listing.table] for listing in listings if listing.table in rows]


def _open(listing: Listing) -> bool:
    settings = listing.settings
    return isinstance(settings, dict) and settings.get("open") is True


def _row(live: LiveTable) -> LobbyRow:
    return {**listed(live), "status": "closed" if live.moved else live.table.status}


async def keep_rows(store: Store, lives: Iterable[LiveTable]) -> None:
    """Keep what the lobby tells of tables, so that nobody need fold them for it."""
    await store.keep(
        *(
            Snapshot(
                table=live.id,
                kind=_KIND,
                seq=live.head.seq,
                data=msgspec.json.encode(_row(live)),
            )
            for live in lives
        )
    )


async def _folded(tables: Tables, listings: Sequence[Listing]) -> dict[str, LobbyRow]:
    """Tables' lines from their logs, kept for the next time."""
    lives = []
    for listing in listings:
        try:
            async with store_errors():
                lives.append((await load(tables.store, listing.table)).live)
        except HallError:
            continue  # a log that cannot be folded hides no other table
    async with store_errors():
        await keep_rows(tables.store, lives)
    return {live.id: _row(live) for live in lives}
