"""What goes into a store and what comes of it: appends, their outcomes, and what may go wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from passline.live.entries import (
    START,
    Draft,
    Entry,
    EntryError,
    Head,
    canonical,
    digest,
    entry_of,
    sealed,
)
from passline.live.tokens import Grant, Holder

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: Text that every database can hold: no nulls, no half characters.
_TEXT = re.compile("[^\x00\ud800-\udfff]*")

#: An entry as a store keeps it: its hash, and the canonical bytes that the hash covers.
StoredRow = tuple[str, bytes]


class StoreError(Exception):
    """What a store could not do, in a sentence."""


class UnavailableError(StoreError):
    """The store cannot be reached, read or written now. What was to be appended may stand or not:
    whoever asked catches up, and finds it by its id or not at all."""


class DamagedError(UnavailableError):
    """What the store holds is not what was written there. No answer is given from it."""


class UnusableError(StoreError):
    """What cannot be opened as a store: another kind of file, a later version's, no such place."""


class OccupiedError(UnusableError):
    """Another server has this folder's store."""


class ForkedError(StoreError):
    """The entry that an append follows is not in the store (any more): after a restore or a
    failover that lost entries. The table is to be folded again from its log."""


class Secret(Struct, frozen=True):
    """The next throw's secret as the store keeps it: its commit, and the sealed bytes."""

    commit: str
    sealed: bytes


class Append(Struct, frozen=True, kw_only=True):
    """What is to be written in one piece: drafts that follow a head, and what belongs to them.

    Only the first draft may have an id: a request writes one entry, the machine's own follow it.
    A token that speaks for somebody at the table already goes on doing so, whatever ``grants`` and
    ``withdrawn`` say beside it. Tokens and secrets change with entries only, so what guards the
    order of the entries guards theirs.
    """

    table: str
    after: Head
    drafts: Sequence[Draft]
    secret: Secret | None = None
    grants: Sequence[Grant] = ()
    withdrawn: Sequence[Holder] = ()


class Appended(Struct, frozen=True):
    """It stands, on the disk: the entries as they were stamped."""

    entries: Sequence[Entry]
    #: Their lines of the log, in the same order.
    texts: Sequence[bytes] = ()


class NumberTaken(Struct, frozen=True):
    """Somebody else appended first, and nothing was written: catch up and decide again."""


class SeenBefore(Struct, frozen=True):
    """The id wrote this entry before, and nothing was written now."""

    entry: Entry


AppendOutcome = Appended | NumberTaken | SeenBefore

#: An entry of a log that was written elsewhere: its number, hash, speaker, and bytes.
MovedRow = tuple[int, str, bytes | None, bytes]


class Adoption(Struct, frozen=True, kw_only=True):
    """What belongs to a table that comes from another store, beside its entries: all its tokens,
    a secret of this store's own, and, where nothing of it is here yet, its settings, guarded."""

    table: str
    grants: Sequence[Grant]
    secret: Secret | None
    settings: bytes | None


def is_table(table: str) -> bool:
    """Whether a table can have this name in a store: it stands in addresses and in throws."""
    return _TABLE.fullmatch(table) is not None


def check(append: Append) -> None:
    """Refuse an append that no store could write. ValueError: a programmer's mistake."""
    if not is_table(append.table):
        raise ValueError(f"no name for a table: {append.table!r}")
    if not append.drafts:
        raise ValueError("nothing to append")
    if any(draft.id is not None for draft in append.drafts[1:]):
        raise ValueError("only the first entry of an append may have an id")
    for holder in (*append.withdrawn, *(grant.holder for grant in append.grants)):
        if not _TEXT.fullmatch(holder.role + holder.name):
            raise ValueError(f"no name for whom a token speaks for: {holder.name!r}")


class Stamped(Struct, frozen=True):
    """An append with its entries stamped, each with the bytes that its hash covers."""

    append: Append
    entries: Sequence[tuple[Entry, bytes]]
    texts: Sequence[bytes]

    @property
    def first(self) -> Entry:
        """The entry that decides whether all of them can stand."""
        return self.entries[0][0]

    @property
    def key(self) -> bytes | None:
        """What is unique of the first entry if it has an id; the others have none."""
        return speaker(self.first.role, self.first.by, self.first.id)

    @property
    def plain(self) -> bool:
        """Whether it is one entry of a log that has begun, with nothing that belongs to it."""
        asked = self.append
        return not (
            len(self.entries) > 1 or asked.secret or asked.grants or asked.withdrawn
        ) and bool(self.first.seq)

    @property
    def appended(self) -> Appended:
        """The outcome if all goes well."""
        return Appended([entry for entry, _ in self.entries], self.texts)

    @property
    def settings(self) -> bytes | None:
        """What the lobby is told of a table that is opened; None for any other append."""
        if self.append.after != START:
            return None
        return guarded(canonical(self.first.more.get("settings")))

    def lost(self) -> ForkedError:
        """The outcome where the entry before is not there."""
        before = self.append.after.seq
        return ForkedError(f"table {self.append.table}: entry {before} is not in the store")


def stamped(append: Append, now: str) -> Stamped | EntryError:
    """An append at a time, or why it cannot be written; the others of its batch can."""
    head, entries, texts = append.after, [], []
    try:
        for draft in append.drafts:
            entry, body, text = sealed(draft, head, now)
            entries.append((entry, body))
            texts.append(text)
            head = entry.head
    except EntryError as wrong:
        return wrong
    return Stamped(append, entries, texts)


def speaker(role: str, by: str, request: str | None) -> bytes | None:
    """What is unique of an entry with an id, whatever that is made of: 32 bytes for an index."""
    return None if request is None else sha256(canonical([role, by, request])).digest()


def guarded(data: bytes) -> bytes:
    """Bytes with their SHA-256 before them, for what no hash of an entry covers."""
    return sha256(data).digest() + data


def unguarded(data: bytes) -> bytes | None:
    """The bytes that were guarded; None where they are not as they were."""
    return data[32:] if guarded(data[32:]) == data else None


def restored(row: StoredRow, table: str) -> Entry:
    """An entry as it was written, or DamagedError."""
    try:
        if digest(row[1]) == row[0]:
            return entry_of({**msgspec.json.decode(row[1]), "hash": row[0]})
    except (TypeError, ValueError, msgspec.MsgspecError):
        pass
    raise DamagedError(f"table {table}: an entry is not as it was written")


def seen_before(row: StoredRow, table: str) -> SeenBefore | DamagedError:
    """The outcome where an id wrote a row before; damage there spoils nobody else's append."""
    try:
        return SeenBefore(restored(row, table))
    except DamagedError as wrong:
        return wrong


def in_line(rows: Iterable[StoredRow], table: str, after: int) -> list[Entry]:
    """Entries as they were written, the very ones that follow a number, each linked to the last."""
    return linked([restored(row, table) for row in rows], table, after)


def linked(entries: list[Entry], table: str, after: int) -> list[Entry]:
    """Entries, shown to be the very ones that follow a number, each linked to the last."""
    seq, prev = after, (None if after >= 0 else "")
    for entry in entries:
        if entry.seq != seq + 1 or (prev is not None and entry.prev != prev):
            raise DamagedError(f"table {table}: entry {seq + 1} is not in the store")
        seq, prev = entry.seq, entry.hash
    return entries
