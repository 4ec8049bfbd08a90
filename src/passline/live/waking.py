"""Waking tables after a restart: a note in the store of those that somebody plays at, so that they
are tended before anybody reads them, and the others cost nothing.

The note is a cache, as every snapshot: without it, a table wakes when somebody asks for it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from passline.live.appends import StoreError
from passline.live.live_table import LiveTable
from passline.live.store import Snapshot, Store

_KIND: Final = "awake"
_AWAKE, _ASLEEP = b"1", b"0"


def awake(live: LiveTable) -> bool:
    """Whether there is anything for the machine to tend: somebody here, or a wager up."""
    return bool(live.table.playing)


async def note_played(store: Store, live: LiveTable) -> None:
    """Note that somebody came to a table where nobody was, or that the last one has gone."""
    with suppress(StoreError):
        data = _AWAKE if awake(live) else _ASLEEP
        await store.keep(Snapshot(table=live.id, kind=_KIND, seq=live.head.seq, data=data))


async def noted(store: Store) -> list[str]:
    """The tables that were awake when they were last written to."""
    return [snap.table for snap in await store.snapshots(_KIND) if snap.data == _AWAKE]
