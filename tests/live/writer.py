"""A server that is killed: appends to a few tables for ever, and tells what was acknowledged.

``python -m tests.live.writer sqlite FOLDER`` or ``postgres URL``.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from passline.live.store import Append, Appended, SequenceConflict, Store
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore
from tests.live.helpers import OPENING, line_draft

TABLES = 5


async def write(store: Store, table: str) -> None:
    """Append, and say so only once it stands."""
    await store.create(table, OPENING)
    head = await store.head(table)
    assert head is not None
    while True:
        draft = line_draft("place 6 for 12" * 20, f"{os.getpid()} {head.seq}")
        outcome = await store.append(Append(table=table, after=head, drafts=[draft]))
        if isinstance(outcome, SequenceConflict):
            caught_up = await store.head(table)
            assert caught_up is not None
            head = caught_up
            continue
        assert isinstance(outcome, Appended)
        head = outcome.entries[-1].head
        os.write(1, f"{table} {head.seq} {head.hash}\n".encode())


async def main(kind: str, address: str) -> None:
    """Write until killed."""
    store: Store
    if kind == "sqlite":
        store = await SqliteStore.open(Path(address))
    else:
        store = await PostgresStore.open(address)
    await asyncio.gather(*(write(store, f"t{number}") for number in range(TABLES)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
