"""What goes into a store and what comes of it: appends, their outcomes, and what may go wrong.

Those who wait: appends for a commit that they share, readers for news of a table, long works
for their turn.

Stores: where logs are kept, and what every one of them promises.

A store appends entries and reads them back; it folds nothing and knows no rule. ``(table, seq)`` is
unique, so who appends first is right and everybody else catches up and decides again; so is
``(table, role, by, id)``, so a request that is sent twice is written once. What belongs to an entry
(the next throw's sealed secret, tokens given and withdrawn) is written with it or not at all.

An entry's hash covers its time and the hash before it. The writer knows the head that it decided
on, and hands that over with drafts; the store asks its clock, stamps, and appends only if that very
head still stands. So nothing can be appended after anything but what it was decided on.

Clocks: the hall is told the time and told to wait, so that tests can turn it.
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from asyncio import CancelledError, Future, Lock, Task, create_task, get_running_loop, sleep, wait
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from passline.live.entries import (
    EMPTY_LOG_HEAD,
    Draft,
    Entry,
    EntryError,
    Json,
    LogHead,
    encode_canonical,
    entry_from_fields,
    hash_body,
    stamp_with_bytes,
)
from passline.live.tokens import Grant, Holder, hash_token, is_token, token_matches

_TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: Text that every database can hold: no nulls, no half characters.
_STORABLE_TEXT = re.compile("[^\x00\ud800-\udfff]*")

#: An entry as a store keeps it: its hash, and the canonical bytes that the hash covers.
StoredRow = tuple[str, bytes]


class StoreError(Exception):
    """What a store could not do, in a sentence."""


class UnavailableError(StoreError):
    """The store cannot be reached, read or written now. What was to be appended may stand or not:
    whoever asked catches up, and finds it by its id or not at all."""


class CorruptStoreError(UnavailableError):
    """What the store holds is not what was written there. No answer is given from it."""


class UnusableError(StoreError):
    """What cannot be opened as a store: another kind of file, a later version's, no such place."""


class StoreLockedError(UnusableError):
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
    after: LogHead
    drafts: Sequence[Draft]
    secret: Secret | None = None
    grants: Sequence[Grant] = ()
    withdrawn: Sequence[Holder] = ()


class Appended(Struct, frozen=True):
    """It stands, on the disk: the entries as they were stamped."""

    entries: Sequence[Entry]
    #: Their lines of the log, in the same order.
    texts: Sequence[bytes] = ()


class SequenceConflict(Struct, frozen=True):
    """Somebody else appended first, and nothing was written: catch up and decide again."""


class DuplicateRequest(Struct, frozen=True):
    """The id wrote this entry before, and nothing was written now."""

    entry: Entry


AppendOutcome = Appended | SequenceConflict | DuplicateRequest

#: An entry of a log that was written elsewhere: its number, hash, speaker, and bytes.
ImportedRow = tuple[int, str, bytes | None, bytes]


class TableImport(Struct, frozen=True, kw_only=True):
    """What belongs to a table that comes from another store, beside its entries: all its tokens,
    a secret of this store's own, and, where nothing of it is here yet, its settings, guarded."""

    table: str
    grants: Sequence[Grant]
    secret: Secret | None
    settings: bytes | None


def is_table_name(table: str) -> bool:
    """Whether a table can have this name in a store: it stands in addresses and in throws."""
    return _TABLE_NAME.fullmatch(table) is not None


def check_append(append: Append) -> None:
    """Refuse an append that no store could write. ValueError: a programmer's mistake."""
    if not is_table_name(append.table):
        raise ValueError(f"no name for a table: {append.table!r}")
    if not append.drafts:
        raise ValueError("nothing to append")
    if any(draft.id is not None for draft in append.drafts[1:]):
        raise ValueError("only the first entry of an append may have an id")
    for holder in (*append.withdrawn, *(grant.holder for grant in append.grants)):
        if not _STORABLE_TEXT.fullmatch(holder.role + holder.name):
            raise ValueError(f"no name for whom a token speaks for: {holder.name!r}")


class StampedAppend(Struct, frozen=True):
    """An append with its entries stamped, each with the bytes that its hash covers."""

    append: Append
    entries: Sequence[tuple[Entry, bytes]]
    texts: Sequence[bytes]

    @property
    def first(self) -> Entry:
        """The entry that decides whether all of them can stand."""
        return self.entries[0][0]

    @property
    def request_key(self) -> bytes | None:
        """What is unique of the first entry if it has an id; the others have none."""
        return request_key(self.first.role, self.first.by, self.first.id)

    @property
    def is_single(self) -> bool:
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
        if self.append.after != EMPTY_LOG_HEAD:
            return None
        return add_checksum(encode_canonical(self.first.more.get("settings")))

    def make_forked_error(self) -> ForkedError:
        """The outcome where the entry before is not there."""
        before = self.append.after.seq
        return ForkedError(f"table {self.append.table}: entry {before} is not in the store")


def stamp_append(append: Append, now: str) -> StampedAppend | EntryError:
    """An append at a time, or why it cannot be written; the others of its batch can."""
    head, entries, texts = append.after, [], []
    try:
        for draft in append.drafts:
            entry, body, text = stamp_with_bytes(draft, head, now)
            entries.append((entry, body))
            texts.append(text)
            head = entry.head
    except EntryError as wrong:
        return wrong
    return StampedAppend(append, entries, texts)


def request_key(role: str, by: str, request: str | None) -> bytes | None:
    """What is unique of an entry with an id, whatever that is made of: 32 bytes for an index."""
    return None if request is None else sha256(encode_canonical([role, by, request])).digest()


def add_checksum(data: bytes) -> bytes:
    """Bytes with their SHA-256 before them, for what no hash of an entry covers."""
    return sha256(data).digest() + data


def strip_checksum(data: bytes) -> bytes | None:
    """The bytes that were guarded; None where they are not as they were."""
    return data[32:] if add_checksum(data[32:]) == data else None


def decode_row(row: StoredRow, table: str) -> Entry:
    """An entry as it was written, or CorruptStoreError."""
    try:
        if hash_body(row[1]) == row[0]:
            return entry_from_fields({**msgspec.json.decode(row[1]), "hash": row[0]})
    except (TypeError, ValueError, msgspec.MsgspecError):
        pass
    raise CorruptStoreError(f"table {table}: an entry is not as it was written")


def make_duplicate(row: StoredRow, table: str) -> DuplicateRequest | CorruptStoreError:
    """The outcome where an id wrote a row before; damage there spoils nobody else's append."""
    try:
        return DuplicateRequest(decode_row(row, table))
    except CorruptStoreError as wrong:
        return wrong


def decode_rows(rows: Iterable[StoredRow], table: str, after: int) -> list[Entry]:
    """Entries as they were written, the very ones that follow a number, each linked to the last."""
    return check_links([decode_row(row, table) for row in rows], table, after)


def check_links(entries: list[Entry], table: str, after: int) -> list[Entry]:
    """Entries, shown to be the very ones that follow a number, each linked to the last."""
    seq, prev = after, (None if after >= 0 else "")
    for entry in entries:
        if entry.seq != seq + 1 or (prev is not None and entry.prev != prev):
            raise CorruptStoreError(f"table {table}: entry {seq + 1} is not in the store")
        seq, prev = entry.seq, entry.hash
    return entries


#: Appends that share one commit at most.
MAX_BATCH: Final = 500
#: Seconds from one commit to the next at least, where several lines share them.
COMMIT_INTERVAL: Final = 0.004

Job = TypeVar("Job")
JobResult = TypeVar("JobResult")


class FairYield:
    """Lets others speak between the pieces of long works: however many of these are under way, one
    piece is done in a turn of the loop."""

    def __init__(self) -> None:
        self._turn = Lock()

    async def wait_turn(self) -> None:
        """Wait for the next turn."""
        async with self._turn:
            await sleep(0)


class GroupCommit(Generic[Job, JobResult]):
    """Collects what comes while a commit is under way, and writes it together in the next one.

    A commit costs as much as a line or two, whatever it holds. So where lines come close together
    a few more are waited for, ``apart`` seconds from one commit to the next; one by itself, each
    after the answer to the last, never is.

    ``commit`` takes the jobs and gives an answer, or an exception, for each of them; if it fails
    itself, that is the answer to all. Jobs are taken in the order they came.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Job]], Awaitable[Sequence[JobResult | Exception]]],
        interval: float = 0.0,
    ) -> None:
        self._commit, self._interval = commit, interval
        self._waiting: list[tuple[Job, Future[JobResult]]] = []
        self._running: Task[None] | None = None
        self._closed = False
        self._next = 0.0
        #: How many commits there were so far, by how many jobs they took.
        self.batch_sizes: dict[int, int] = {}

    async def submit(self, job: Job) -> JobResult:
        """Have a job written with whatever else is waiting; its answer."""
        if self._closed:
            raise UnavailableError("the store is closed")
        answer: Future[JobResult] = get_running_loop().create_future()
        self._waiting.append((job, answer))
        if self._running is None:
            self._running = create_task(self._run())
        return await answer

    async def _run(self) -> None:
        try:
            while self._waiting:
                if not self._closed and (early := self._next - get_running_loop().time()) > 0:
                    await sleep(early)
                batch = self._waiting[:MAX_BATCH]
                del self._waiting[:MAX_BATCH]
                await self._write(batch)
        finally:
            self._running = None

    async def _write(self, batch: Sequence[tuple[Job, Future[JobResult]]]) -> None:
        self.batch_sizes[len(batch)] = self.batch_sizes.get(len(batch), 0) + 1
        self._next = get_running_loop().time() + self._interval if len(batch) > 1 else 0.0
        try:
            _resolve_futures(batch, await self._commit([job for job, _ in batch]))
        except CancelledError:
            _resolve_futures(batch, [UnavailableError("the store was closed")] * len(batch))
            raise
        except Exception as wrong:
            _resolve_futures(batch, [wrong] * len(batch))

    async def close(self, patience: float) -> None:
        """Take nothing more, and finish what was taken; what takes longer is left unanswered."""
        self._closed = True
        if self._running is not None:
            _, late = await wait([self._running], timeout=patience)
            for task in late:
                task.cancel()
        _resolve_futures(
            self._waiting, [UnavailableError("the store was closed")] * len(self._waiting)
        )


def _resolve_futures(
    batch: Sequence[tuple[Job, Future[JobResult]]], answers: Sequence[JobResult | Exception]
) -> None:
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():
            continue  # who asked has gone
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


class ChangeNotifier:
    """Wakes those who wait for a table's next entry."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}
        self._waiting: dict[str, dict[Future[None], None]] = {}

    def notify(self, table: str, seq: int) -> None:
        """Tell that a table's log goes up to a number. Older news changes nothing."""
        if seq > self._heard.get(table, -1):
            self._heard[table] = seq
            for waiter in self._waiting.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)

    def mark_known(self, table: str, seq: int) -> None:
        """Note that whoever waits here has it already: to be woken for each line of one's own took
        as long as encoding it."""
        if seq > self._heard.get(table, -1):
            self._heard[table] = seq

    async def wait(self, table: str, after: int) -> int:
        """Wait for news beyond a number; the last number heard of."""
        while (heard := self._heard.get(table, -1)) <= after:
            waiter: Future[None] = get_running_loop().create_future()
            self._waiting.setdefault(table, {})[waiter] = None
            try:
                await waiter
            finally:
                self._leave(table, waiter)
        return heard

    def _leave(self, table: str, waiter: Future[None]) -> None:
        waiters = self._waiting.get(table)
        if waiters is not None:
            waiters.pop(waiter, None)
            if not waiters:
                del self._waiting[table]

    def watched_tables(self) -> list[str]:
        """The tables that somebody waits for."""
        return list(self._waiting)

    def clear(self) -> None:
        """Take back all news: what was heard may not stand any more."""
        self._heard.clear()


#: Entries that one read gives at most.
PAGE_SIZE: Final = 1000
#: Entries that are held for one who takes them one by one: he may be slow, and many.
STREAM_PAGE_SIZE: Final = 50
#: Bytes of entries that are decoded before somebody else is let speak.
_DECODE_CHUNK_BYTES: Final = 64 * 1024


class TableListing(Struct, frozen=True):
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
ListingRow = tuple[str, int | None, bytes]
#: A snapshot as it is kept: its table, its seq, and its data, guarded.
SnapshotRow = tuple[str, int, bytes]


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
        self.notifier, self.fair_yield = ChangeNotifier(), FairYield()
        self.closed = False
        self.writer: GroupCommit[Append, AppendOutcome] = GroupCommit(
            self._commit_and_notify, COMMIT_INTERVAL
        )

    async def append(self, append: Append) -> AppendOutcome:
        """Write drafts after the head that they were decided on; they are on the disk when this
        returns. EntryError: a draft holds what no entry may. ForkedError: that head is nowhere."""
        check_append(append)
        return await self.writer.submit(append)

    async def _commit_and_notify(
        self, batch: Sequence[Append]
    ) -> Sequence[AppendOutcome | Exception]:
        """Write a batch and wake the streams that wait for its tables.

        The wake-up comes two steps of the event loop later: by then the server that appended has
        applied the entries itself, so its own streams need not read them from the store.
        """
        outcomes = await self._commit(batch)
        rung = {
            append.table: outcome.entries[-1].seq
            for append, outcome in zip(batch, outcomes, strict=True)
            if isinstance(outcome, Appended)
        }
        later = get_running_loop().call_soon
        later(later, self._notify_all, rung)
        return outcomes

    def _notify_all(self, rung: Mapping[str, int]) -> None:
        for table, seq in rung.items():
            self.notifier.notify(table, seq)

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
            Append(table=table, after=EMPTY_LOG_HEAD, drafts=(draft,), secret=secret, grants=grants)
        )

    async def read(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[Entry]:
        """The entries after a number, in order, each shown to be as it was written."""
        if not is_table_name(table) or limit <= 0:
            return []
        entries: list[Entry] = []
        taken = 0
        for row in await self._read_rows(table, max(after, -1), limit):
            entries.append(decode_row(row, table))
            taken += len(row[1])
            if taken > _DECODE_CHUNK_BYTES:
                taken = 0
                await self.fair_yield.wait_turn()
        return check_links(entries, table, max(after, -1))

    async def log(
        self, table: str, after: int = -1, page: int = STREAM_PAGE_SIZE
    ) -> AsyncIterator[Entry]:
        """Every entry after a number, in flat memory, up to the end that is met. Somebody else is
        let speak after each of them."""
        while True:
            entries = await self.read(table, after, page)
            for entry in entries:
                yield entry
                await self.fair_yield.wait_turn()
            if len(entries) < page:
                return
            after = entries[-1].seq

    async def rows(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[StoredRow]:
        """The entries after a number as they lie there, whatever that is: for an audit."""
        return await self._read_rows(table, after, limit) if is_table_name(table) else []

    async def find(self, table: str, role: str, by: str, request: str) -> Entry | None:
        """The entry that an id wrote for a seat or a post, if it wrote one."""
        key = request_key(role, by, request)
        row = await self._find_row(table, key) if is_table_name(table) and key else None
        return decode_row(row, table) if row else None

    async def head(self, table: str) -> LogHead | None:
        """Where a table's log ends; None where there is no such table."""
        row = await self._last_row(table) if is_table_name(table) else None
        return decode_row(row, table).head if row else None

    async def log_end(self, table: str) -> tuple[int, str] | None:
        """The number and hash of a table's last entry; None where there is no such table. What
        every request to a shared store asks first."""
        head = await self.head(table)
        return (head.seq, head.hash) if head else None

    async def table(self, table: str) -> TableListing | None:
        """One table as the store lists it; None where there is no such table."""
        found = await self._list_rows(table) if is_table_name(table) else []
        return _decode_listing(found[0]) if found else None

    async def tables(self) -> list[TableListing]:
        """Every table, by its name in the store; one that is not listed as it was written hides no
        other, and is left out."""
        rows = await self._list_rows(None)
        return [
            _decode_listing(row) for row in rows if row[1] is not None and strip_checksum(row[2])
        ]

    async def ids(self) -> list[str]:
        """Every table's id, whatever is kept of it."""
        return [row[0] for row in await self._list_rows(None)]

    async def holder(self, table: str, token: str) -> Holder | None:
        """Whom a token speaks for at a table; None where it speaks for nobody."""
        granted = await self._find_grant(table, hash_token(token)) if is_table_name(table) else None
        return granted.holder if granted and token_matches(token, granted.hash) else None

    async def is_known_token(self, token: str) -> bool:
        """Whether a token speaks for somebody, at whatever table."""
        granted = await self._find_grant(None, hash_token(token)) if is_token(token) else None
        return granted is not None and token_matches(token, granted.hash)

    async def secret(self, table: str) -> Secret | None:
        """The secret of a table's next throw, sealed; None where there is none."""
        return await self._secret(table) if is_table_name(table) else None

    async def save_snapshots(self, *snapshots: Snapshot) -> None:
        """Keep snapshots, each unless a later one of its kind is kept."""
        if snapshots:
            await self._save_snapshots(
                [(snap.kind, (snap.table, snap.seq, add_checksum(snap.data))) for snap in snapshots]
            )

    async def snapshot(self, table: str, kind: str) -> Snapshot | None:
        """The snapshot of one kind that is kept of a table."""
        found = await self._load_snapshots(kind, table) if is_table_name(table) else []
        return next((snapshot for row in found if (snapshot := _decode_snapshot(kind, row))), None)

    async def snapshots(self, kind: str) -> list[Snapshot]:
        """The snapshots of one kind, of every table that has one."""
        found = await self._load_snapshots(kind, None)
        return [snapshot for row in found if (snapshot := _decode_snapshot(kind, row))]

    async def delete_snapshots(self, kind: str = "") -> None:
        """Drop the snapshots of one kind, or all of them."""
        await self._delete_snapshots(kind)

    async def wait_for_change(self, table: str, after: int) -> int:
        """Wait until a table's log is known to go beyond a number; the last one that is known.

        Wakes come from every server. One may be late or lost and is made good in a second, so a
        reader reads until it finds nothing, and then waits."""
        return await self.notifier.wait(table, after)

    @abstractmethod
    async def grants(self, table: str) -> list[Grant]:
        """Every token that speaks at a table, as it is stored."""

    @abstractmethod
    async def import_table(
        self, adoption: TableImport, pages: AsyncIterator[Sequence[ImportedRow]]
    ) -> None:
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
    async def _read_rows(self, table: str, after: int, limit: int) -> list[StoredRow]: ...

    @abstractmethod
    async def _find_row(self, table: str, key: bytes) -> StoredRow | None: ...

    @abstractmethod
    async def _last_row(self, table: str) -> StoredRow | None: ...

    @abstractmethod
    async def _list_rows(self, table: str | None) -> list[ListingRow]: ...

    @abstractmethod
    async def _find_grant(self, table: str | None, stored: str) -> Grant | None: ...

    @abstractmethod
    async def _secret(self, table: str) -> Secret | None: ...

    @abstractmethod
    async def _save_snapshots(self, all_kept: Sequence[tuple[str, SnapshotRow]]) -> None: ...

    @abstractmethod
    async def _load_snapshots(self, kind: str, table: str | None) -> list[SnapshotRow]: ...

    @abstractmethod
    async def _delete_snapshots(self, kind: str) -> None: ...

    @abstractmethod
    async def _close(self) -> None: ...


def _decode_listing(row: ListingRow) -> TableListing:
    settings = strip_checksum(row[2])
    if settings is None or row[1] is None:
        raise CorruptStoreError(f"table {row[0]}: it is not listed as it was written")
    return TableListing(row[0], row[1], msgspec.json.decode(settings))


def _decode_snapshot(kind: str, row: SnapshotRow) -> Snapshot | None:
    """A snapshot as it was kept; None where it is not any more."""
    data = strip_checksum(row[2])
    return None if data is None else Snapshot(table=row[0], kind=kind, seq=row[1], data=data)


class Clock(Protocol):
    """What time it is (UTC), and how one waits."""

    def now(self) -> datetime:
        """The time."""
        ...

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Wait so many seconds."""
        ...


class SystemClock:
    """This machine's clock."""

    now: Callable[[], datetime] = staticmethod(utc_now)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class StoreClock:
    """The clock that entries are stamped with. Servers that share a store share its clock; a
    machine's own may be ahead of it, and would cut everybody's betting time short."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The time, as far as it was told last."""
        return self._clock.now() - self._ahead

    async def synchronize(self) -> None:
        """Ask the store, where its clock is not this machine's. StoreError where it cannot be."""
        if self._store.shared:
            told = datetime.fromisoformat(await self._store.now())
            self._ahead = self._clock.now() - told

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._clock.sleep(seconds)
