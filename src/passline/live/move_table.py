"""Move a table to another store, with its tokens and its unchanged log.

The last entry in the old store has the act ``moved`` and names the new store by a hash. After it no
server writes to the table there, and the old log remains as proof. If a move is interrupted after
that entry, move the table again to finish it. The first entry in the new store has the act
``arrived`` and a new dice commitment, because the old dice secret is sealed with the old server's
key.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal

from msgspec.structs import asdict

from passline.live.audit.audit import Audit
from passline.live.live_table import LiveTable
from passline.live.log_entries import Draft, EntryError, LogError, LogHead, encode_canonical
from passline.live.schema import ServiceError
from passline.live.store import (
    PAGE_SIZE,
    Append,
    Appended,
    ImportedRow,
    Store,
    StoredRow,
    TableImport,
    add_checksum,
    decode_rows,
    request_key,
    stamp_append,
)
from passline.live.table_cache import is_older_version, load_table
from passline.live.throw_with_proof import HouseDice
from passline.version import VERSION


class MoveError(LogError):
    """The table was not moved and goes on in the old store. The message says why."""


async def move_table(
    source: Store, target: Store, table: str, dice: HouseDice, target_id: str = ""
) -> LogHead:
    """Move a table from one store to another and return the head of its log in the new one.

    ``dice`` makes the new dice commitment and ``target_id`` names the target (see
    `open_store.hash_place`). Raise MoveError or StoreError if it fails. It is safe to call this
    again after that, or after the process was killed.
    """
    there = await _find_target_end(source, target, table)
    await _audit_source(source, table)
    live = await _mark_moved(source, table, target_id)
    fresh = dice.new_secret(table)[1] if live.settings.dice == "secure" else None
    more = {"act": "arrived", **({"commit": fresh.commit} if fresh else {})}
    draft = Draft(role="operator", by="house", more=more)
    arrival = Append(table=table, after=live.head, drafts=[draft])
    ready = stamp_append(arrival, await target.now())
    assert not isinstance(ready, EntryError)
    first = await source.read(table, -1, 1)
    settings = add_checksum(encode_canonical(first[0].more.get("settings")))
    imported = TableImport(
        table=table,
        grants=await source.grants(table),
        secret=fresh,
        settings=settings if there < 0 else None,
    )
    last = [(entry.hash, body) for entry, body in ready.entries]
    await target.import_table(imported, _iter_pages(source, table, there, last))
    return ready.first.head


#: How far a table's move is. ``here``: not begun. ``unfinished``: the old store says ``moved``, but
#: the target does not have the whole table. ``done``. ``elsewhere``: moved to another store.
MoveStatus = Literal["here", "unfinished", "done", "elsewhere"]


async def find_move_status(source: Store, target: Store, table: str, target_id: str) -> MoveStatus:
    """Return how far the move of a table to the store ``target`` is (see `MoveStatus`).

    ``target_id`` is the hash by which the log names ``target`` (`open_store.hash_place`).
    """
    head = await source.head(table)
    last = await source.read(table, head.seq - 1, 1) if head is not None else []
    if not last or last[0].act != "moved":
        return "here"
    if await target.read(table, last[0].seq, 1):
        return "done"
    return "unfinished" if last[0].more.get("to") == target_id else "elsewhere"


async def _find_target_end(source: Store, target: Store, table: str) -> int:
    """Return the number of the last entry of a table in the target store, or -1 if it has none.

    Raise MoveError if the target has a different log under this id, or if the table is in use
    there.
    """
    head = await target.head(table)
    if head is None:
        return -1
    mine = await source.read(table, head.seq - 1, 1)
    last = await target.read(table, head.seq - 1, 1)
    if last[0].act == "moved" and mine and mine[0].head == head:
        return head.seq  # The table was there before and comes back.
    raise MoveError("move-exists", table=table)


async def _audit_source(source: Store, table: str) -> None:
    """Audit a table's log in its old store. Raise MoveError if it is missing or damaged."""
    audit, after = Audit(table), -1
    while page := await source.rows(table, after, PAGE_SIZE):
        for row in page:
            audit.add_row(row)
        after += len(page)
    if after < 0:
        raise MoveError("move-unknown", table=table)
    wrong = audit.end().first
    if wrong is not None:
        raise MoveError("move-damaged", table=table, **asdict(wrong))


async def _mark_moved(source: Store, table: str, target_id: str) -> LiveTable:
    """Append the entry ``moved`` to the old store if it is missing. Return the state after it.

    Raise MoveError if the log cannot be read or was written by a later version.
    """
    while True:
        try:
            live = (await load_table(source, table)).live
        except ServiceError as wrong:
            raise MoveError("said", words=wrong) from None
        if is_older_version(VERSION, live.version):
            raise MoveError("move-version", table=table, needed=live.version, version=VERSION)
        if live.moved:
            return live
        draft = Draft(role="operator", by="house", more={"act": "moved", "to": target_id})
        outcome = await source.append(Append(table=table, after=live.head, drafts=[draft]))
        if isinstance(outcome, Appended):
            return live.apply_entry(outcome.entries[0])


async def _iter_pages(
    source: Store, table: str, after: int, last: Sequence[StoredRow]
) -> AsyncIterator[list[ImportedRow]]:
    """Yield the entries after number ``after`` in checked pages, then the rows in ``last``."""
    while rows := await source.rows(table, after, PAGE_SIZE):
        yield _check_rows(rows, table, after)
        after += len(rows)
    yield _check_rows(last, table, after)


def _check_rows(rows: Sequence[StoredRow], table: str, after: int) -> list[ImportedRow]:
    """Return stored rows in the form that `Store.import_table` takes.

    ``after`` is the number of the entry before the first row. Raise CorruptStoreError if a row was
    changed or an entry is missing.
    """
    return [
        (entry.seq, entry.hash, request_key(entry.role, entry.by, entry.id), row[1])
        for entry, row in zip(decode_rows(rows, table, after), rows, strict=True)
    ]
