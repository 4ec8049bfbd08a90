"""The lobby: every open table in a line, told from what is folded or from what was kept."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from passline.live.asks import HallError
from passline.live.store import Listing, Snapshot
from passline.live.tables import Tables, store_errors
from passline.live.views import listed
from passline.live.warm import load
from passline.version import VERSION

#: Snapshots of this kind hold a table's line; another version tells its own.
_KIND: Final = f"lobby {VERSION}"


async def lobby(tables: Tables) -> list[dict[str, Any]]:
    """The tables that are open to anybody, and not closed."""
    store = tables.store
    async with store_errors():
        listings = [found for found in await store.tables() if _open(found)]
        kept = {snap.table: snap for snap in await store.snapshots(_KIND)}
    warm = {table.live.id: table for table in tables.warm()}
    found: list[dict[str, Any]] = []
    for listing in listings:
        snapshot = kept.get(listing.table)
        here = warm.get(listing.table)
        if here is not None and here.live.head.seq >= listing.seq:
            row = {**listed(here.live), "status": here.live.table.status}
        elif snapshot is not None and snapshot.seq == listing.seq:
            row = msgspec.json.decode(snapshot.data)
        else:
            try:
                row = await _folded(tables, listing)
            except HallError:
                continue  # a log that cannot be folded hides no other table
        if row.pop("status", "live") != "closed":
            found.append(row)
    return found


def _open(listing: Listing) -> bool:
    settings = listing.settings
    return isinstance(settings, dict) and settings.get("open") is True


async def _folded(tables: Tables, listing: Listing) -> dict[str, Any]:
    """A table's line from its log, kept for the next time."""
    async with store_errors():
        live = (await load(tables.store, listing.table)).live
    row = {**listed(live), "status": live.table.status}
    async with store_errors():
        await tables.store.keep(
            Snapshot(
                table=listing.table, kind=_KIND, seq=live.head.seq, data=msgspec.json.encode(row)
            )
        )
    return row
