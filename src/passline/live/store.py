"""Stores: where logs are kept, and what every one of them promises.

A store appends entries and reads them back; it folds nothing and knows no rule. ``(table, seq)`` is
unique, so who appends first is right and everybody else catches up and decides again; so is
``(table, role, by, id)``, so a request that is sent twice is written once. What belongs to an entry
(the next throw's sealed secret, tokens given and withdrawn) is written with it or not at all.

An entry's hash covers its time and the hash before it. The writer knows the head that it decided
on, and hands that over with drafts; the store asks its clock, stamps, and appends only if that very
head still stands. So nothing can be appended after anything but what it was decided on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from asyncio import get_running_loop
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import Struct

from passline.live.appends import (
    Adoption,
    Append,
    Appended,
    AppendOutcome,
    DamagedError,
    MovedRow,
    Secret,
    StoredRow,
    check,
    guarded,
    is_table,
    linked,
    restored,
    speaker,
    unguarded,
)
from passline.live.entries import START, Draft, Entry, Head, Json
from passline.live.tokens import Grant, Holder, is_token, same_token, token_hash
from passline.live.waiting import APART, Bell, Breath, GroupCommit

#: Entries that one read gives at most.
PAGE: Final = 1000
#: Entries that are held for one who takes them one by one: he may be slow, and many.
FEW: Final = 50
#: Bytes of entries that are decoded before somebody else is let speak.
_MOUTHFUL: Final = 64 * 1024


class Listing(Struct, frozen=True):
    """A table as the store lists it, nothing folded: its last seq, the settings of its entry 0."""

    table: str
    seq: int
    settings: Json


class Snapshot(Struct, frozen=True):
    """A reader's work kept for later: what it made of a table's log up to ``seq``. Only a cache:
    it may be gone at any time, and the log makes it again."""

    table: str
    kind: str
    seq: int
    data: bytes


#: A table as it is listed: its name, its last entry's number if it has one, its settings, guarded.
Listed = tuple[str, int | None, bytes]
#: A snapshot as it is kept: its table, its seq, and its data, guarded.
KeptSnapshot = tuple[str, int, bytes]


def utc_now() -> datetime:
    """This machine's clock."""
    return datetime.now(UTC)


class Store(ABC):
    """Logs, and what belongs to them. Every method may raise UnavailableError.

    A store belongs to the event loop that opened it. A table that is not there has an empty log.
    """

    #: Whether other servers may append to the same tables.
    shared = True

    def __init__(self) -> None:
        self.bell, self.breath = Bell(), Breath()
        self.closed = False
        self.writer: GroupCommit[Append, AppendOutcome] = GroupCommit(self._written, APART)

    async def append(self, append: Append) -> AppendOutcome:
        """Write drafts after the head that they were decided on; they are on the disk when this
        returns. EntryError: a draft holds what no entry may. ForkedError: that head is nowhere."""
        check(append)
        return await self.writer.submit(append)

    async def _written(self, batch: Sequence[Append]) -> Sequence[AppendOutcome | Exception]:
        """Write a batch, and wake those who wait for it: whoever asked may be gone by then.

        The bell rings two steps later, so that whoever asked hears first and has it folded: others
        here need not read it from the store, nor, once it is known to them, be woken for it.
        """
        outcomes = await self._commit(batch)
        rung = {
            append.table: outcome.entries[-1].seq
            for append, outcome in zip(batch, outcomes, strict=True)
            if isinstance(outcome, Appended)
        }
        later = get_running_loop().call_soon
        later(later, self._ring, rung)
        return outcomes

    def _ring(self, rung: Mapping[str, int]) -> None:
        for table, seq in rung.items():
            self.bell.ring(table, seq)

    async def create(
        self,
        table: str,
        draft: Draft,
        *,
        secret: Secret | None = None,
        grants: Sequence[Grant] = (),
    ) -> AppendOutcome:
        """Write entry 0, and with it the table: its ``settings``, tokens and first secret.
        Taken: there is such a table."""
        return await self.append(
            Append(table=table, after=START, drafts=(draft,), secret=secret, grants=grants)
        )

    async def read(self, table: str, after: int = -1, limit: int = PAGE) -> list[Entry]:
        """The entries after a number, in order, each shown to be as it was written."""
        if not is_table(table) or limit <= 0:
            return []
        entries: list[Entry] = []
        taken = 0
        for row in await self._rows(table, max(after, -1), limit):
            entries.append(restored(row, table))
            taken += len(row[1])
            if taken > _MOUTHFUL:
                taken = 0
                await self.breath.take()
        return linked(entries, table, max(after, -1))

    async def log(self, table: str, after: int = -1, page: int = FEW) -> AsyncIterator[Entry]:
        """Every entry after a number, in flat memory, up to the end that is met. Somebody else is
        let speak after each of them."""
        while True:
            entries = await self.read(table, after, page)
            for entry in entries:
                yield entry
                await self.breath.take()
            if len(entries) < page:
                return
            after = entries[-1].seq

    async def rows(self, table: str, after: int = -1, limit: int = PAGE) -> list[StoredRow]:
        """The entries after a number as they lie there, whatever that is: for an audit."""
        return await self._rows(table, after, limit) if is_table(table) else []

    async def find(self, table: str, role: str, by: str, request: str) -> Entry | None:
        """The entry that an id wrote for a seat or a post, if it wrote one."""
        key = speaker(role, by, request)
        row = await self._row(table, key) if is_table(table) and key else None
        return restored(row, table) if row else None

    async def head(self, table: str) -> Head | None:
        """Where a table's log ends; None where there is no such table."""
        row = await self._last(table) if is_table(table) else None
        return restored(row, table).head if row else None

    async def tip(self, table: str) -> tuple[int, str] | None:
        """The number and hash of a table's last entry; None where there is no such table. What
        every request to a shared store asks first."""
        head = await self.head(table)
        return (head.seq, head.hash) if head else None

    async def table(self, table: str) -> Listing | None:
        """One table as the store lists it; None where there is no such table."""
        found = await self._listed(table) if is_table(table) else []
        return _listing(found[0]) if found else None

    async def tables(self) -> list[Listing]:
        """Every table, by its name in the store; one that is not listed as it was written hides no
        other, and is left out."""
        rows = await self._listed(None)
        return [_listing(row) for row in rows if row[1] is not None and unguarded(row[2])]

    async def ids(self) -> list[str]:
        """Every table's id, whatever is kept of it."""
        return [row[0] for row in await self._listed(None)]

    async def holder(self, table: str, token: str) -> Holder | None:
        """Whom a token speaks for at a table; None where it speaks for nobody."""
        granted = await self._granted(table, token_hash(token)) if is_table(table) else None
        return granted.holder if granted and same_token(token, granted.hash) else None

    async def known(self, token: str) -> bool:
        """Whether a token speaks for somebody, at whatever table."""
        granted = await self._granted(None, token_hash(token)) if is_token(token) else None
        return granted is not None and same_token(token, granted.hash)

    async def secret(self, table: str) -> Secret | None:
        """The secret of a table's next throw, sealed; None where there is none."""
        return await self._secret(table) if is_table(table) else None

    async def keep(self, *snapshots: Snapshot) -> None:
        """Keep snapshots, each unless a later one of its kind is kept."""
        if snapshots:
            await self._keep(
                [(snap.kind, (snap.table, snap.seq, guarded(snap.data))) for snap in snapshots]
            )

    async def snapshot(self, table: str, kind: str) -> Snapshot | None:
        """The snapshot of one kind that is kept of a table."""
        found = await self._kept(kind, table) if is_table(table) else []
        return next((snapshot for row in found if (snapshot := _snapshot(kind, row))), None)

    async def snapshots(self, kind: str) -> list[Snapshot]:
        """The snapshots of one kind, of every table that has one."""
        found = await self._kept(kind, None)
        return [snapshot for row in found if (snapshot := _snapshot(kind, row))]

    async def forget(self, kind: str = "") -> None:
        """Drop the snapshots of one kind, or all of them."""
        await self._forget(kind)

    async def changed(self, table: str, after: int) -> int:
        """Wait until a table's log is known to go beyond a number; the last one that is known.

        Wakes come from every server. One may be late or lost and is made good in a second, so a
        reader reads until it finds nothing, and then waits."""
        return await self.bell.wait(table, after)

    @abstractmethod
    async def grants(self, table: str) -> list[Grant]:
        """Every token that speaks at a table, as it is stored."""

    @abstractmethod
    async def adopt(self, adoption: Adoption, pages: AsyncIterator[Sequence[MovedRow]]) -> None:
        """Take a table over from another store: the entries that are not here, and what belongs to
        them, in one synced commit. UnavailableError where somebody else wrote there meanwhile."""

    @abstractmethod
    async def now(self) -> str:
        """The store's clock, as entries are stamped with it."""

    async def close(self, patience: float = 3.0) -> None:
        """Finish what was taken, as far as it can be in so many seconds, and let go."""
        await self.writer.close(patience)
        if not self.closed:
            self.closed = True
            await self._close()

    # What each store does its own way.

    @abstractmethod
    async def _commit(self, batch: Sequence[Append]) -> Sequence[AppendOutcome | Exception]:
        """Write what can be written of a batch, in one synced commit; an outcome for each."""

    @abstractmethod
    async def _rows(self, table: str, after: int, limit: int) -> list[StoredRow]: ...

    @abstractmethod
    async def _row(self, table: str, key: bytes) -> StoredRow | None: ...

    @abstractmethod
    async def _last(self, table: str) -> StoredRow | None: ...

    @abstractmethod
    async def _listed(self, table: str | None) -> list[Listed]: ...

    @abstractmethod
    async def _granted(self, table: str | None, stored: str) -> Grant | None: ...

    @abstractmethod
    async def _secret(self, table: str) -> Secret | None: ...

    @abstractmethod
    async def _keep(self, all_kept: Sequence[tuple[str, KeptSnapshot]]) -> None: ...

    @abstractmethod
    async def _kept(self, kind: str, table: str | None) -> list[KeptSnapshot]: ...

    @abstractmethod
    async def _forget(self, kind: str) -> None: ...

    @abstractmethod
    async def _close(self) -> None: ...


def _listing(row: Listed) -> Listing:
    settings = unguarded(row[2])
    if settings is None or row[1] is None:
        raise DamagedError(f"table {row[0]}: it is not listed as it was written")
    return Listing(row[0], row[1], msgspec.json.decode(settings))


def _snapshot(kind: str, row: KeptSnapshot) -> Snapshot | None:
    """A snapshot as it was kept; None where it is not any more."""
    data = unguarded(row[2])
    return None if data is None else Snapshot(table=row[0], kind=kind, seq=row[1], data=data)
