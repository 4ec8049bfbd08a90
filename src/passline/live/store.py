"""Stores of logs: what every store promises, and the parts that all of them share.

A store appends entries and reads them back; it knows no rules of the game. ``(table, seq)`` is
unique: the server that appends first wins, and the others catch up and decide again. ``(table,
role, by, id)`` is unique too: a request that is sent twice is written once. What belongs to an
entry (the next throw's sealed secret, tokens granted and withdrawn) is written with it or not at
all.

A writer passes its drafts and the head of the log on which it decided them. The store stamps the
drafts with its own clock and appends them only if that head is still the last entry.

The group commit, the change notifier and the clocks are here too; the stores are in `live.stores`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from abc import ABC, abstractmethod
from asyncio import CancelledError, Future, Lock, Task, create_task, get_running_loop, sleep, wait
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from passline.game.words.log import say_log
from passline.live.hash_chain import hash_body, stamp_with_bytes
from passline.live.log_entries import (
    EMPTY_LOG_HEAD,
    Draft,
    Entry,
    EntryError,
    Json,
    LogHead,
    encode_canonical,
    entry_from_fields,
    format_time,
)
from passline.live.tokens import Grant, Holder, hash_token, is_token, token_matches

log = logging.getLogger("passline.live")
_TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: Text that every database can hold: no null characters, no unpaired surrogates.
_STORABLE_TEXT = re.compile("[^\x00\ud800-\udfff]*")

#: A stored entry: its hash, and the canonical bytes that the hash covers.
StoredRow = tuple[str, bytes]


class StoreError(Exception):
    """A store could not do what was asked. The message says what and why."""


class UnavailableError(StoreError):
    """The store cannot be reached, read or written now.

    If this happens during an append, the entry may have been written or not. The caller must catch
    up and search for its request id.
    """


class CorruptStoreError(UnavailableError):
    """The stored bytes differ from those that were written."""


class UnusableError(StoreError):
    """The path or URL is no store: it does not exist, is another file, or has a later version."""


class StoreLockedError(UnusableError):
    """Another server has the store of this folder open."""


class ForkedError(StoreError):
    """An append follows an entry that is not in the store: the log was cut or replaced.

    The caller must load the table again.
    """


class Secret(Struct, frozen=True):
    """The stored secret of a table's next throw: the commitment to it and its encrypted bytes."""

    commit: str
    sealed: bytes


class Append(Struct, frozen=True, kw_only=True):
    """Drafts to write after the entry ``after`` in one transaction, with their tokens and secret.

    Only the first draft may have a request id: a request writes one entry, and those of the auto
    dealer follow it. Granting a token that the table already has changes nothing.

    The entries get the store's time plus ``lead``, by which the table's log is ahead of the clock.
    ``yields`` is for the auto dealer: if another server has a lease of the table (for a while only
    it may write there), nothing is written and the outcome is a SequenceConflict.
    """

    table: str
    after: LogHead
    drafts: Sequence[Draft]
    secret: Secret | None = None
    grants: Sequence[Grant] = ()
    withdrawn: Sequence[Holder] = ()
    lead: timedelta = timedelta()
    yields: bool = False


class Appended(Struct, frozen=True):
    """Outcome of an append: the entries were written and synced to disk."""

    entries: Sequence[Entry]
    #: The entries as lines of the log, in the same order.
    texts: Sequence[bytes] = ()


class SequenceConflict(Struct, frozen=True):
    """Outcome of an append: another server appended first. Nothing was written; decide again."""


class DuplicateRequest(Struct, frozen=True):
    """Outcome of an append: the request id wrote ``entry`` before. Nothing was written now."""

    entry: Entry


AppendOutcome = Appended | SequenceConflict | DuplicateRequest

#: An entry of an imported log: its number, hash, request key and bytes.
ImportedRow = tuple[int, str, bytes | None, bytes]


class TableImport(Struct, frozen=True, kw_only=True):
    """What is copied with a table from another store, besides its entries.

    That is all its tokens, a secret sealed for this store and, if the table is new here, its
    settings with a checksum.
    """

    table: str
    grants: Sequence[Grant]
    secret: Secret | None
    settings: bytes | None


def is_table_name(table: str) -> bool:
    """Return whether a table may have this id. Ids appear in URLs and in dice proofs."""
    return _TABLE_NAME.fullmatch(table) is not None


def check_append(append: Append) -> None:
    """Raise ValueError for an append that no store can write, which is a programming error."""
    if not is_table_name(append.table):
        raise ValueError(f"not a table id: {append.table!r}")
    if not append.drafts:
        raise ValueError("nothing to append")
    if any(draft.id is not None for draft in append.drafts[1:]):
        raise ValueError("only the first entry of an append may have an id")
    for holder in (*append.withdrawn, *(grant.holder for grant in append.grants)):
        if not _STORABLE_TEXT.fullmatch(holder.role + holder.name):
            raise ValueError(f"a token's holder cannot be named {holder.name!r}")


class StampedAppend(Struct, frozen=True):
    """An append whose entries have numbers, times and hashes.

    Each of ``entries`` comes with the bytes that its hash covers; ``texts`` are their lines of the
    log.
    """

    append: Append
    entries: Sequence[tuple[Entry, bytes]]
    texts: Sequence[bytes]

    @property
    def first(self) -> Entry:
        """The first entry. If the store can write this one, it can write all the others."""
        return self.entries[0][0]

    @property
    def request_key(self) -> bytes | None:
        """The key under which the first entry's request is unique in its log.

        The key is a hash of the author and the request id, or None without a request id.
        """
        return request_key(self.first.role, self.first.by, self.first.id)

    @property
    def is_single(self) -> bool:
        """Whether the append is one entry alone: not a log's first, no tokens, no secret.

        The SQLite store writes all such appends of a batch in one statement.
        """
        more = self.append.secret or self.append.grants or self.append.withdrawn
        return not more and len(self.entries) == 1 and self.first.seq > 0

    @property
    def appended(self) -> Appended:
        """The outcome to return if the entries are written."""
        return Appended([entry for entry, _ in self.entries], self.texts)

    @property
    def settings(self) -> bytes | None:
        """The table's settings with a checksum if this append opens it, else None."""
        if self.append.after != EMPTY_LOG_HEAD:
            return None
        return add_checksum(encode_canonical(self.first.more.get("settings")))

    def make_forked_error(self) -> ForkedError:
        """Return the error to raise if the entry that this append follows is not in the store."""
        before = self.append.after.seq
        return ForkedError(say_log("entry-not-stored", table=self.append.table, seq=before))


def stamp_append(append: Append, now: str) -> StampedAppend | EntryError:
    """Give an append's entries numbers, hashes, and ``now`` plus its lead as their time.

    If a draft cannot be an entry, return (and do not raise) its EntryError.
    """
    head, entries, texts = append.after, [], []
    if append.lead:
        now = format_time(datetime.fromisoformat(now) + append.lead)
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
    """Return the 32-byte key under which a request is unique in a table's log.

    ``role`` and ``by`` are the entry's author and ``request`` is the request id. Return None if
    there is no request id.
    """
    return None if request is None else sha256(encode_canonical([role, by, request])).digest()


def add_checksum(data: bytes) -> bytes:
    """Return bytes with their SHA-256 in front, for data that no entry's hash covers."""
    return sha256(data).digest() + data


def strip_checksum(data: bytes) -> bytes | None:
    """Remove the checksum that `add_checksum` put in front. Return None if the data was changed."""
    return data[32:] if add_checksum(data[32:]) == data else None


def decode_row(row: StoredRow, table: str) -> Entry:
    """Return the entry of a stored row (hash, bytes). ``table`` is named in the error.

    Raise CorruptStoreError if the row was changed.
    """
    try:
        if hash_body(row[1]) == row[0]:
            return entry_from_fields({**msgspec.json.decode(row[1]), "hash": row[0]})
    except (TypeError, ValueError, msgspec.MsgspecError):
        pass
    raise CorruptStoreError(say_log("entry-damaged", table=table))


def make_duplicate(row: StoredRow, table: str) -> DuplicateRequest | CorruptStoreError:
    """Return DuplicateRequest for a repeated request id. ``row`` is the entry written before.

    If that row is damaged, return (and do not raise) CorruptStoreError.
    """
    try:
        return DuplicateRequest(decode_row(row, table))
    except CorruptStoreError as wrong:
        return wrong


def decode_rows(rows: Iterable[StoredRow], table: str, after: int) -> list[Entry]:
    """Return the entries of stored rows. The first must have the number ``after`` plus 1.

    Raise CorruptStoreError if a row was changed or an entry is missing.
    """
    return check_links([decode_row(row, table) for row in rows], table, after)


def check_links(entries: list[Entry], table: str, after: int) -> list[Entry]:
    """Return ``entries`` unchanged if they follow entry ``after`` without a gap.

    Each must have the next number and the hash of the entry before it. Raise CorruptStoreError if
    one does not.
    """
    seq, prev = after, (None if after >= 0 else "")
    for entry in entries:
        if entry.seq != seq + 1 or (prev is not None and entry.prev != prev):
            raise CorruptStoreError(say_log("entry-not-stored", table=table, seq=seq + 1))
        seq, prev = entry.seq, entry.hash
    return entries


#: The largest number of appends in one commit.
MAX_BATCH: Final = 500
#: The shortest time, in seconds, from a shared commit to the next one.
COMMIT_INTERVAL: Final = 0.004

Job = TypeVar("Job")
JobResult = TypeVar("JobResult")


class FairYield:
    """Lets other tasks run between pieces of long work.

    All callers share its turns: in each turn of the event loop only one of them does a piece of
    work.
    """

    def __init__(self) -> None:
        self._turn = Lock()

    async def wait_turn(self) -> None:
        """Let other tasks run, then return."""
        async with self._turn:
            await sleep(0)


class GroupCommit(Generic[Job, JobResult]):
    """Collects the jobs that arrive during a commit and writes them together in the next one.

    A commit takes about as long for many jobs as for one. When several jobs share a commit, the
    next commit starts ``interval`` seconds later at the earliest, so that more jobs can join. A
    single job never waits for that.

    ``commit`` takes a list of jobs and returns a result or an exception for each. If it raises, all
    of them get that exception. Jobs stay in order.
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
        #: How many commits there were, by their number of jobs.
        self.batch_sizes: dict[int, int] = {}

    async def submit(self, job: Job) -> JobResult:
        """Write a job together with the other waiting jobs, and return its result.

        Raise UnavailableError after `close`.
        """
        if self._closed:
            raise UnavailableError(say_log("store-closed"))
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
            closed = UnavailableError(say_log("store-was-closed"))
            _resolve_futures(batch, [closed] * len(batch))
            raise
        except Exception as wrong:
            _resolve_futures(batch, [wrong] * len(batch))

    async def close(self, timeout: float) -> None:
        """Accept no more jobs, and finish the waiting ones within ``timeout`` seconds.

        Jobs that are not finished by then raise UnavailableError for their callers.
        """
        self._closed = True
        if self._running is not None:
            _, late = await wait([self._running], timeout=timeout)
            for task in late:
                task.cancel()
        closed = UnavailableError(say_log("store-was-closed"))
        _resolve_futures(self._waiting, [closed] * len(self._waiting))


def _resolve_futures(
    batch: Sequence[tuple[Job, Future[JobResult]]], answers: Sequence[JobResult | Exception]
) -> None:
    """Give each waiting caller its result, or raise its exception there."""
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():
            continue  # The caller was cancelled.
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


class ChangeNotifier:
    """Wakes tasks that wait for a table's next entry."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        self._waiting: dict[str, dict[Future[None], None]] = {}
        #: Called with the id of each table whose log has grown.
        self.listeners: list[Callable[[str], None]] = []

    def notify(self, table: str, seq: int) -> None:
        """Record that a table's log has reached entry ``seq``, and wake the tasks that wait."""
        if seq > self._newest.get(table, -1):
            self.mark_known(table, seq)
            for waiter in self._waiting.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)

    def mark_known(self, table: str, seq: int) -> None:
        """Record that a log has reached entry ``seq`` and call the listeners.

        Wake no waiting task. Use it for this server's own entries, which its streams have already.
        """
        if seq > self._newest.get(table, -1):
            self._newest[table] = seq
            for listener in self.listeners:
                listener(table)

    async def wait(self, table: str, after: int) -> int:
        """Wait until a table's log has an entry after number ``after``.

        Return the last entry's number.
        """
        while (newest := self._newest.get(table, -1)) <= after:
            waiter: Future[None] = get_running_loop().create_future()
            self._waiting.setdefault(table, {})[waiter] = None
            try:
                await waiter
            finally:
                waiters = self._waiting.get(table, {})
                waiters.pop(waiter, None)
                if not waiters:
                    self._waiting.pop(table, None)
        return newest

    def watched_tables(self) -> list[str]:
        """Return the ids of the tables for which a task waits."""
        return list(self._waiting)

    def forget(self, table: str) -> None:
        """Forget which entry a table's log has reached, because the log went back."""
        self._newest.pop(table, None)

    def clear(self) -> None:
        """Forget which entries the logs have reached, because the database may have lost some."""
        self._newest.clear()


#: The most entries that one read returns.
PAGE_SIZE: Final = 1000
#: How many entries `Store.log` reads at a time. It is small, since each slow reader holds a page.
STREAM_PAGE_SIZE: Final = 50
#: Bytes of entries to decode before other tasks may run.
_DECODE_CHUNK_BYTES: Final = 64 * 1024


class TableListing(Struct, frozen=True):
    """A table as the store lists it: its last entry's number and the settings of its entry 0."""

    table: str
    seq: int
    settings: Json


class Snapshot(Struct, frozen=True):
    """A cached value that was computed from a table's log up to entry ``seq``.

    ``kind`` says what the value is, such as the table's state or its row of the lobby.
    """

    table: str
    kind: str
    seq: int
    data: bytes


#: A stored listing: the table's id, its last entry's number, its settings with a checksum.
ListingRow = tuple[str, int | None, bytes]
#: A stored snapshot: its table, its seq, and its data with a checksum.
SnapshotRow = tuple[str, int, bytes]


#: A clock that is set by more than this much has jumped.
MAX_CLOCK_STEP: Final = timedelta(minutes=1)


def read_elapsed() -> float:
    """Return seconds from a clock that nobody can set and that counts suspended time too."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class JumpGuard:
    """Corrects a clock that is set by more than a minute, forward or back.

    A jump must neither freeze tables, whose entries never go back in time, nor publish the secret
    of a day that is not over. So time goes on as if there had been no jump, until the clock is
    right again or the server starts again. ``elapsed`` counts seconds that no setting of the clock
    changes.
    """

    def __init__(self, elapsed: Callable[[], float] = read_elapsed) -> None:
        self._elapsed = elapsed
        self._anchor: tuple[datetime, float] | None = None
        self._jumped = False

    def check(self, shown: datetime) -> datetime:
        """Return the time ``shown`` by the clock, corrected if the clock has jumped."""
        passed = self._elapsed()
        if self._anchor is not None:
            expected = self._anchor[0] + timedelta(seconds=passed - self._anchor[1])
            if abs(shown - expected) > MAX_CLOCK_STEP:
                if not self._jumped:
                    seconds = (shown - expected).total_seconds()
                    log.warning("the clock jumped by %+.0f s: time goes on without it", seconds)
                self._jumped = True
                return expected
        self._anchor, self._jumped = (shown, passed), False
        return shown


_machine_clock = JumpGuard()


def utc_now() -> datetime:
    """Return the UTC time of this machine's clock, corrected for jumps (`JumpGuard`)."""
    return _machine_clock.check(datetime.now(UTC))


#: The fact (`Store.fact`) of how often an operator has deleted the last tables of a store.
EMPTIED: Final = "emptied"


class Store(ABC):
    """The base class of stores. Every method may raise UnavailableError.

    A store belongs to the event loop that opened it. Reading a table that does not exist gives no
    entries.
    """

    #: True if other servers may append to the same tables.
    shared = True
    #: How much `check_writable` writes. On a full disk a little may fit where no entry does.
    ready_bytes = 0

    def __init__(self) -> None:
        self.notifier, self.fair_yield = ChangeNotifier(), FairYield()
        self.closed = False
        #: The fact ``EMPTIED`` when the store was last seen with entries.
        self._emptied_before: int | None = None
        #: Called with the words of each message that another server sent with `send_message`.
        self.message_listeners: list[Callable[[Sequence[str]], None]] = []
        self.writer: GroupCommit[Append, AppendOutcome] = GroupCommit(
            self._commit_and_notify, COMMIT_INTERVAL
        )

    async def append(self, append: Append) -> AppendOutcome:
        """Write drafts after the head that they were decided on, and return once they are on disk.

        Raise EntryError for a draft that cannot be an entry, and ForkedError if the head is not in
        the log.
        """
        check_append(append)
        return await self.writer.submit(append)

    @abstractmethod
    async def send_message(self, *words: str) -> None:
        """Send words to the other servers of this store. A word must not contain white space.

        A message may be lost, and it may come back to its sender.
        """

    async def _commit_and_notify(
        self, batch: Sequence[Append]
    ) -> Sequence[AppendOutcome | Exception]:
        """Write a batch and wake the streams that wait for its tables.

        The streams wake two turns of the event loop later. By then this server has applied the
        entries itself, so that its own streams need not read them from the store.
        """
        outcomes = await self._commit(batch)
        rung = {
            append.table: outcome.entries[-1].seq
            for append, outcome in zip(batch, outcomes, strict=True)
            if isinstance(outcome, Appended)
        }

        def notify() -> None:
            for table, seq in rung.items():
                self.notifier.notify(table, seq)

        later = get_running_loop().call_soon
        later(later, notify)
        return outcomes

    async def create(
        self,
        table: str,
        draft: Draft,
        *,
        secret: Secret | None = None,
        grants: Sequence[Grant] = (),
    ) -> AppendOutcome:
        """Write entry 0, which opens a table. Return SequenceConflict if the table exists."""
        return await self.append(
            Append(table=table, after=EMPTY_LOG_HEAD, drafts=(draft,), secret=secret, grants=grants)
        )

    async def read(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[Entry]:
        """Return at most ``limit`` entries after number ``after``.

        Raise CorruptStoreError if one is damaged or missing.
        """
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
        """Yield every entry after number ``after``, and let other tasks run after each.

        ``page`` is how many entries are read from the store at a time.
        """
        while True:
            entries = await self.read(table, after, page)
            for entry in entries:
                yield entry
                await self.fair_yield.wait_turn()
            if len(entries) < page:
                return
            after = entries[-1].seq

    async def rows(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[StoredRow]:
        """Return the stored rows after number ``after`` without checking them, for an audit."""
        return await self._read_rows(table, after, limit) if is_table_name(table) else []

    async def find(self, table: str, role: str, by: str, request: str) -> Entry | None:
        """Return the entry that a request wrote before, or None. ``request`` is the request id.

        ``role`` and ``by`` are the author's, as in entries.
        """
        key = request_key(role, by, request)
        row = await self._find_row(table, key) if is_table_name(table) and key else None
        return decode_row(row, table) if row else None

    async def head(self, table: str) -> LogHead | None:
        """Return the head of a table's log (its last entry's number, hash and time), or None."""
        row = await self._last_row(table) if is_table_name(table) else None
        return decode_row(row, table).head if row else None

    async def log_end(self, table: str) -> tuple[int, str] | None:
        """Return (number, hash) of a table's last entry, or None. Faster than `head`."""
        head = await self.head(table)
        return (head.seq, head.hash) if head else None

    async def table(self, table: str) -> TableListing | None:
        """Return a table's last entry number and settings, or None if there is no such table.

        Raise CorruptStoreError if the settings are damaged.
        """
        found = await self._list_rows(table) if is_table_name(table) else []
        return _decode_listing(found[0]) if found else None

    async def tables(self) -> list[TableListing]:
        """Return a listing of every table, sorted by id. Damaged ones are left out."""
        rows = [row for row in await self._list_rows(None) if row[1] is not None]
        return [_decode_listing(row) for row in rows if strip_checksum(row[2])]

    async def ids(self) -> list[str]:
        """Return the id of every table that has an entry, even if it is damaged."""
        return [row[0] for row in await self._list_rows(None)]

    async def holder(self, table: str, token: str) -> Holder | None:
        """Return who holds a token at a table, or None if nobody does."""
        granted = await self._find_grant(table, hash_token(token)) if is_table_name(table) else None
        return granted.holder if granted and token_matches(token, granted.hash) else None

    async def is_known_token(self, token: str) -> bool:
        """Return whether a token is valid at any table."""
        granted = await self._find_grant(None, hash_token(token)) if is_token(token) else None
        return granted is not None and token_matches(token, granted.hash)

    async def secret(self, table: str) -> Secret | None:
        """Return the sealed (encrypted) secret of a table's next throw, or None."""
        return await self._secret(table) if is_table_name(table) else None

    async def save_snapshots(self, *snapshots: Snapshot) -> None:
        """Store snapshots, each in place of the older one of the same table and kind.

        Skip a snapshot that is older than the stored one.
        """
        if snapshots:
            await self._save_snapshots(
                [(snap.kind, (snap.table, snap.seq, add_checksum(snap.data))) for snap in snapshots]
            )

    async def snapshot(self, table: str, kind: str) -> Snapshot | None:
        """Return a table's stored snapshot of one kind, such as its row of the lobby, or None."""
        found = await self._load_snapshots(kind, table) if is_table_name(table) else []
        return next((snapshot for row in found if (snapshot := _decode_snapshot(kind, row))), None)

    async def snapshots(self, kind: str) -> list[Snapshot]:
        """Return the stored snapshots of one kind, such as rows of the lobby, of all tables."""
        found = await self._load_snapshots(kind, None)
        return [snapshot for row in found if (snapshot := _decode_snapshot(kind, row))]

    async def check_writable(self) -> None:
        """Test the store: write a snapshot that nobody reads. Raise StoreError if that fails."""
        now, data = int(datetime.now(UTC).timestamp()), bytes(self.ready_bytes)
        await self.save_snapshots(Snapshot(table="", kind="ready", seq=now, data=data))

    async def has_entries(self) -> bool:
        """Return whether the store has an entry of any table. A listed table may have none."""
        for table in await self.ids():
            if await self.head(table) is not None:
                return True
        return False

    async def check_not_emptied(self) -> None:
        """Raise UnavailableError if the store has no entries, but had some at an earlier call.

        Do not raise it if an operator has deleted the tables since (`delete_table`).
        """
        emptied, before = await self.fact(EMPTIED), self._emptied_before
        if await self.has_entries():
            self._emptied_before = emptied
        elif before is not None and await self.fact(EMPTIED) <= before:
            raise UnavailableError(say_log("store-emptied"))

    def write_lease(self, table: str) -> int:
        """Return the number of this server's lease of a table in a shared store, or 0 without one.

        During a lease only this server can write to the table. As long as the number stays the
        same, no other server has written.
        """
        return 0

    async def wait_for_change(self, table: str, after: int) -> int:
        """Wait until a table's log has an entry after number ``after``.

        Return the last known number. Every server sends notifications, and polling finds an entry
        within a second if one is lost. A reader should read until no entry is left, then wait.
        """
        return await self.notifier.wait(table, after)

    @abstractmethod
    async def grants(self, table: str) -> list[Grant]:
        """Return every token of a table as it is stored: its hash and its holder."""

    @abstractmethod
    async def import_table(
        self, imported: TableImport, pages: AsyncIterator[Sequence[ImportedRow]]
    ) -> None:
        """Store a table that comes from another store, in one synced commit.

        ``pages`` yields the entries that this store does not have yet. Raise UnavailableError if
        another server wrote to the table meanwhile.
        """

    @abstractmethod
    async def delete_table(self, table: str) -> None:
        """Delete a table for good: entries, tokens, secret and snapshots, in one synced commit.

        If the store has no entries then, the same commit raises the fact ``EMPTIED`` by one.
        """

    @abstractmethod
    async def fact(self, name: str) -> int:
        """Return a number that the store has for the whole house, or 0.

        Facts are no caches: backups have them, and nothing else can say them.
        """

    @abstractmethod
    async def raise_fact(self, name: str, number: int) -> None:
        """Store a fact, in a synced commit, unless the stored number is as high."""

    @abstractmethod
    async def now(self) -> str:
        """Return the time of the store's clock, in the format of entries."""

    async def close(self, timeout: float = 3.0) -> None:
        """Wait at most ``timeout`` seconds for unfinished appends, then close the store."""
        await self.writer.close(timeout)
        if not self.closed:
            self.closed = True
            await self._close()

    # What each store implements.

    @abstractmethod
    async def _commit(self, batch: Sequence[Append]) -> Sequence[AppendOutcome | Exception]:
        """Write a batch in one synced commit. Return each append's outcome.

        An append that cannot be written does not prevent the others.
        """

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
    async def _close(self) -> None: ...


def _decode_listing(row: ListingRow) -> TableListing:
    """Return the listing in a stored row. Raise CorruptStoreError if it was damaged."""
    settings = strip_checksum(row[2])
    if settings is None or row[1] is None:
        raise CorruptStoreError(say_log("listing-damaged", table=row[0]))
    return TableListing(row[0], row[1], msgspec.json.decode(settings))


def _decode_snapshot(kind: str, row: SnapshotRow) -> Snapshot | None:
    """Return the snapshot in a stored row, or None if it was damaged."""
    data = strip_checksum(row[2])
    return None if data is None else Snapshot(table=row[0], kind=kind, seq=row[1], data=data)


class Clock(Protocol):
    """Gives the UTC time, and waits. Tests replace it."""

    def now(self) -> datetime:
        """Return the time."""
        ...

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Wait for this many seconds."""
        ...


class SystemClock:
    """This machine's clock."""

    now: Callable[[], datetime] = staticmethod(utc_now)

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        await asyncio.sleep(seconds)


class StoreClock:
    """The store's clock, which all servers share, so that no fast server cuts betting short.

    ``clock`` is this machine's clock. Its difference from the store's clock is measured.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._ahead = timedelta()

    def now(self) -> datetime:
        """Return the store's time, by the offset that `synchronize` measured last."""
        return self._clock.now() - self._ahead

    async def synchronize(self) -> None:
        """Measure how far this machine's clock is ahead of the store's, if the store is shared.

        Raise StoreError if the store fails.
        """
        if self._store.shared:
            store_time = datetime.fromisoformat(await self._store.now())
            self._ahead = self._clock.now() - store_time

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        await self._clock.sleep(seconds)
