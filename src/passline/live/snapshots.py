"""Snapshots of folded tables: caches, so that a long log is not folded again from its beginning.

A snapshot that is damaged, of another version or of entries that the log does not hold (any more)
is left alone, and the log is folded.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from passline.house.elections import value_of
from passline.house.house import make_house
from passline.house.terms import elections_of
from passline.layout import Layout, lay_felt
from passline.live.entries import Entry
from passline.live.live_table import LiveTable, ThrowKept, opening
from passline.live.store import Snapshot, Store
from passline.table import Table
from passline.table.events import Rolled
from passline.version import VERSION

#: So many entries apart.
EVERY: Final = 1000
Kind = TypeVar("Kind", bound=Struct)


def _names(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind))


#: Snapshots of this kind: of this version, and of these very fields.
_KIND: Final = f"state {VERSION} {len(_names(LiveTable))}-{len(_names(Table))} limits"


def pack(live: LiveTable) -> bytes:
    """A table as a snapshot holds it: of its layout only what is elected; entry 0 tells the
    rest."""
    last = None
    if live.last is not None:
        rolled = msgspec.to_builtins(live.last.rolled)
        before = live.last.before
        elected = elections_of(before.house)
        last = {"before": _packed(before, "layout"), "rolled": rolled, "elected": elected}
    return msgspec.json.encode(
        {
            "live": _packed(live, "table", "last"),
            "table": _packed(live.table, "layout"),
            "elected": elections_of(live.table.house),
            "last": last,
        }
    )


def unpack(table: str, first: Entry, data: bytes) -> LiveTable:
    """The table of a snapshot; ValueError, LookupError or TypeError where it is none of ours."""
    found = msgspec.json.decode(data)
    opened = opening(table, first).table
    last: ThrowKept | None = None
    if found["last"] is not None:
        layout = _layout(opened, found["last"]["elected"])
        before = _unpacked(Table, found["last"]["before"], layout=layout)
        last = ThrowKept(before, msgspec.convert(found["last"]["rolled"], Rolled))
    state = _unpacked(Table, found["table"], layout=_layout(opened, found["elected"]))
    return _unpacked(LiveTable, found["live"], table=state, last=last)


def _layout(opened: Table, elected: dict[str, str]) -> Layout:
    """The layout under the limits of the day: entry 0's, unless others were posted since."""
    house = opened.house
    if elected == elections_of(house):
        return opened.layout
    values = {key: value_of(text) for key, text in elected.items()}
    return lay_felt(make_house(house.book, house.game, values, house.name))


def _packed(value: Struct, *without: str) -> dict[str, Any]:
    names = [name for name in _names(type(value)) if name not in without]
    return {name: msgspec.to_builtins(getattr(value, name)) for name in names}


def _unpacked(kind: type[Kind], data: dict[str, Any], **given: Any) -> Kind:
    fields = {
        field.name: msgspec.convert(data[field.name], field.type)
        for field in msgspec.structs.fields(kind)
        if field.name not in given
    }
    return kind(**fields, **given)


async def keep_snapshot(store: Store, live: LiveTable) -> None:
    """Keep a snapshot of a table."""
    await store.keep(Snapshot(table=live.id, kind=_KIND, seq=live.head.seq, data=pack(live)))


async def kept_snapshot(store: Store, table: str, first: Entry) -> LiveTable | None:
    """A table as it was kept, if the log holds what was folded into it."""
    snapshot = await store.snapshot(table, _KIND)
    if snapshot is None:
        return None
    there = await store.read(table, snapshot.seq - 1, 1)
    try:
        live = unpack(table, first, snapshot.data)
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return live if there and there[0].head == live.head else None
