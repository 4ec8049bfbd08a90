"""The tables that a server has in memory, kept up to date with the store.

`TableCache` finds, loads and evicts tables and appends to them. `CachedTable` is one table: its
state, its lock, its latest entries, and what the auto dealer does next. `EntryStreams` gives each
reader a table's entries in order as they come. Long logs are loaded from snapshots.

`WriteTurns` makes servers that share a table take turns. The server that wrote last is up to date
and would always win the next append. So one that has written several entries in a row pauses for a
moment.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import CancelledError, get_running_loop, sleep
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from functools import lru_cache
from math import inf
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from passline.game.house.elections import parse_value
from passline.game.house.house import describe_elections, make_house
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.table import events as ev
from passline.game.table.events import Rolled, ThrowCorrected
from passline.game.table.state import CorrectableThrow, Table
from passline.game.words.live import say_live
from passline.game.words.log import say_log
from passline.live.live_table import MACHINE, LiveTable, TableThrow, open_from_entry, parse_time
from passline.live.log_entries import Draft, Entry, EntryError, LogHead, read_entry
from passline.live.scheduled_actions import ScheduledAction, pending_actions
from passline.live.schema import LineOutcome, ServiceError
from passline.live.store import (
    MAX_CLOCK_STEP,
    Append,
    Appended,
    AppendOutcome,
    ForkedError,
    Secret,
    Snapshot,
    Store,
    StoreClock,
    StoreError,
)
from passline.live.tokens import Grant, Holder
from passline.version import VERSION

log = logging.getLogger("passline.live")

#: How many entries in a row one server may write while another server is active (it wrote within
#: RIVAL_SECONDS), and otherwise.
MAX_STREAK: Final = 4
MAX_STREAK_ALONE: Final = 16
RIVAL_SECONDS: Final = 10.0
#: A pause lasts as long as this many of the server's own commits, and at most _MAX_WAIT seconds.
_WAIT_COMMITS: Final = 3
_MAX_WAIT: Final = 0.2


class WriteTurns:
    """Decides when this server pauses, so that other servers can write to a table too.

    While another server writes, it pauses after every MAX_STREAK entries of its own in a row.

    >>> turns = WriteTurns()
    >>> turns.record_other(now=0.0)
    >>> for now in (1.0, 1.1, 1.2, 1.3):
    ...     turns.record_own(now - 0.02, now)
    >>> round(turns.seconds_to_wait(1.31), 3), turns.seconds_to_wait(1.4)
    (0.05, 0.0)
    """

    def __init__(self) -> None:
        self._others, self._row, self._until = -inf, 0, 0.0

    def record_other(self, now: float) -> None:
        """Record that another server wrote an entry at the time ``now``, in seconds."""
        self._others, self._row = now, 0

    def record_own(self, began: float, now: float) -> None:
        """Record that this server wrote an entry between ``began`` and ``now``, in seconds."""
        self._row += 1
        most = MAX_STREAK if now - self._others < RIVAL_SECONDS else MAX_STREAK_ALONE
        if self._row % most == 0:
            self._until = now + min(_WAIT_COMMITS * (now - began), _MAX_WAIT)

    def seconds_to_wait(self, now: float) -> float:
        """Return how many seconds this server must wait before it decides its next entry."""
        return max(0.0, self._until - now)


#: Entries between two snapshots.
SNAPSHOT_INTERVAL: Final = 1000
StructType = TypeVar("StructType", bound=Struct)


#: How many snapshots are written in one commit.
_SNAPSHOT_BATCH: Final = 20
#: At shutdown, tables with this many entries since their last snapshot get another.
STOP_SNAPSHOT_ENTRIES: Final = 100
#: Raise this number in a version that computes another state from the same log, unless the fields
#: of the state changed, too. Versions with the same number load each other's snapshots.
_STATE_FORMAT: Final = 1
_FIELD_COUNTS: Final = f"{len(LiveTable.__struct_fields__)}-{len(Table.__struct_fields__)}"
_SNAPSHOT_KIND: Final = f"state format {_STATE_FORMAT} {_FIELD_COUNTS}"


def encode_snapshot(live: LiveTable) -> bytes:
    """Return a table's state as JSON bytes.

    They hold the house's elections (chosen options) instead of the layout, which is compiled from
    them again.
    """
    last = None
    if live.last_throw is not None:
        rolled = msgspec.to_builtins(live.last_throw.rolled)
        before = live.last_throw.before
        corrected = msgspec.to_builtins(live.last_throw.corrected)
        last = {"before": _encode_table(before), "rolled": rolled, "corrected": corrected}
    state = {
        "law": live.table.house.book.digest,
        "live": _encode_fields(live, "table", "last_throw"),
        "table": _encode_table(live.table),
        "last": last,
    }
    return msgspec.json.encode(state)


def _encode_table(table: Table) -> dict[str, Any]:
    """Return a table's fields and its house's elections as JSON values, without the layout.

    If the last throw may still be corrected, they include the table before that throw.
    """
    fields = _encode_fields(table, "layout", "correctable")
    throw = table.correctable
    if throw is not None:
        before = _encode_table(throw.before)
        fields["correctable"] = {**_encode_fields(throw, "before"), "before": before}
    return {"fields": fields, "elected": describe_elections(table.house)}


def _decode_table(opened: Table, data: dict[str, Any]) -> Table:
    """Return the table that `_encode_table` wrote. ``opened`` is the table after entry 0."""
    fields, layout = data["fields"], _restore_layout(opened, data["elected"])
    throw: CorrectableThrow | None = None
    if (correctable := fields.get("correctable")) is not None:
        before = _decode_table(opened, correctable["before"])
        throw = _decode_struct(CorrectableThrow, correctable, before=before)
    return _decode_struct(Table, fields, layout=layout, correctable=throw)


def decode_snapshot(table: str, first: Entry, data: bytes) -> LiveTable:
    """Return the state in a snapshot. ``first`` is entry 0 of the table's log.

    Raise ValueError, LookupError or TypeError if the snapshot is unreadable, or if it was made
    under another version of the rulebook, since the same log may give another state then.
    """
    found = msgspec.json.decode(data)
    opened = open_from_entry(table, first).table
    if found["law"] != opened.house.book.digest:
        raise ValueError("the snapshot is of another rulebook")
    last: TableThrow | None = None
    if found["last"] is not None:
        before = _decode_table(opened, found["last"]["before"])
        last = TableThrow(
            before,
            msgspec.convert(found["last"]["rolled"], Rolled),
            msgspec.convert(found["last"]["corrected"], ThrowCorrected | None),
        )
    state = _decode_table(opened, found["table"])
    return _decode_struct(LiveTable, found["live"], table=state, last_throw=last)


def _restore_layout(opened: Table, elected: dict[str, str]) -> Layout:
    """Return the layout for the house elections ``elected`` in a snapshot.

    If the limits have not changed since entry 0, return the layout of ``opened``, the table after
    entry 0.
    """
    house = opened.house
    if elected == describe_elections(house):
        return opened.layout
    values = {key: parse_value(text) for key, text in elected.items()}
    return compile_layout(make_house(house.book, house.game, values, house.name))


def _encode_fields(value: Struct, *without: str) -> dict[str, Any]:
    """Return a struct's fields as JSON values by name, without the fields in ``without``."""
    return {
        field.encode_name: msgspec.to_builtins(getattr(value, field.name))
        for field in msgspec.structs.fields(type(value))
        if field.name not in without
    }


def _decode_struct(kind: type[StructType], data: dict[str, Any], **given: Any) -> StructType:
    """Return a struct of type ``kind`` from JSON values by field name.

    The fields in ``given`` are not decoded but used as they are.
    """
    fields = {
        field.name: msgspec.convert(data[field.encode_name], field.type)
        for field in msgspec.structs.fields(kind)
        if field.name not in given
    }
    return kind(**fields, **given)


def make_snapshot(live: LiveTable, kind: str, data: bytes) -> Snapshot:
    """Return a snapshot with ``data``, which was computed from the state ``live``.

    ``kind`` names what the data is; a store has one snapshot of each kind for a table.
    """
    return Snapshot(table=live.id, kind=kind, seq=live.head.seq, data=data)


async def load_snapshot(store: Store, table: str, first: Entry) -> LiveTable | None:
    """Return the state that a table's snapshot holds, or None if there is no usable snapshot.

    ``first`` is entry 0. A snapshot is unusable if it is damaged, has another version, or was made
    from entries that are not in the log.
    """
    snapshot = await store.snapshot(table, _SNAPSHOT_KIND)
    if snapshot is None:
        return None
    there = await store.read(table, snapshot.seq - 1, 1)
    try:
        live = decode_snapshot(table, first, snapshot.data)
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return live if there and there[0].head == live.head else None


#: How many entries stay in memory. A stream that falls further behind is closed.
RECENT_ENTRIES: Final = 1000
#: How many throws stay in memory with the tables before them.
_RECENT_THROWS: Final = 32
#: How many answers stay in memory, for requests that are sent again.
_MAX_ANSWERS: Final = 256
#: A checkpoint is an earlier state that stays in memory. This many entries are between two of
#: them, and this many stay.
CHECKPOINT_INTERVAL: Final = 500
_MAX_CHECKPOINTS: Final = 3
_SMALL_PAGE: Final = 10

#: Identifies a request: role, by, id.
RequestAuthor = tuple[str, str, str]


class StreamEntry(Struct, frozen=True, gc=False):
    """An entry as an event stream sends it: its number and its line of the log.

    ``withdrawn`` names the holder whose tokens this entry withdraws, if it withdraws any.
    """

    seq: int
    text: bytes
    withdrawn: Holder | None = None

    @property
    def entry(self) -> Entry:
        """The decoded entry."""
        return read_entry(self.text)


def make_stream_entry(entry: Entry, text: bytes = b"") -> StreamEntry:
    """Return an entry as an event stream sends it.

    ``text`` is its line of the log, if the caller has it.
    """
    gone = entry.more["holder"] if entry.act == "withdraw" else None
    text = text or entry.text()
    return StreamEntry(entry.seq, text, Holder(gone["role"], gone["name"]) if gone else None)


class CachedTable:
    """One table in memory. A writer must hold the lock; readers may use the state at any time."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.lock = asyncio.Lock()
        self.recent: deque[StreamEntry] = deque(maxlen=RECENT_ENTRIES)
        #: The latest throws and the numbers of their entries, for pages.
        self.recent_throws: deque[tuple[int, TableThrow]] = deque(maxlen=_RECENT_THROWS)
        self.followers = 0
        #: Evicted from the cache: streams must start again on a new object.
        self.is_dropped = False
        #: The store may hold entries that were not applied yet.
        self.stale = True
        #: The write lease (`Store.write_lease`) that this server had when it last read the store.
        self.lease = 0
        #: How far the log is ahead of the clock (`read_time`).
        self.lead = timedelta()
        #: A request was cancelled during an append; its entry may still be committed.
        self.append_pending = False
        #: The number of the entry up to which the store has a snapshot.
        self.snapshot_seq = 0
        self.secret: bytes = b""
        #: The holders of the tokens that were looked up so far, by the tokens' hashes.
        self.holders: dict[str, Holder] = {}
        #: How many withdrawals of tokens were applied.
        self.withdrawn = 0
        self.answers: OrderedDict[RequestAuthor, tuple[str, LineOutcome]] = OrderedDict()
        #: Earlier states, for requests that are sent again, and the lock for computing older ones.
        self.checkpoints: deque[LiveTable] = deque([live], _MAX_CHECKPOINTS)
        self.history_lock = asyncio.Lock()
        self.turns = WriteTurns()
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._pending: tuple[int, list[ScheduledAction]] = (-1, [])

    def apply_entry(
        self,
        entry: Entry,
        events: Sequence[ev.AnyEvent] | None = None,
        table_after: Table | None = None,
        text: bytes = b"",
    ) -> None:
        """Apply the next entry to the state, and wake the tasks that wait for it.

        ``events`` are the entry's events decoded, ``table_after`` is the table after them, and
        ``text`` the log line. A caller that has them saves computing them again. Raise ServiceError
        if the entry cannot be applied.
        """
        last = self.live.last_throw
        try:
            self.live = self.live.apply_entry(entry, events, table_after)
        except _FOLD_ERRORS as wrong:
            raise _make_fold_error(self.live.id, wrong) from None
        if entry.act == "withdraw":
            self.holders.clear()
            self.withdrawn += 1
        if entry.seq - self.checkpoints[-1].head.seq >= CHECKPOINT_INTERVAL:
            self.checkpoints.append(self.live)
        if self.live.last_throw is not None and self.live.last_throw is not last:
            self.recent_throws.append((entry.seq, self.live.last_throw))
        self.recent.append(make_stream_entry(entry, text))
        self.wake()

    def read_time(self, now: datetime) -> datetime:
        """Return the table's time: ``now``, the clock's time, or later if the log is ahead of it.

        Entries never go back in time. A log whose last server's clock was fast by more than a
        minute is ahead; without a later time the table would stand still until this server's clock
        is there.
        """
        ahead = parse_time(self.live.head.at) - now
        if ahead > self.lead + (timedelta() if self.lead else MAX_CLOCK_STEP):
            if not self.lead:
                seconds = ahead.total_seconds()
                log.warning("table %s: its log is %.0f s ahead of the clock", self.live.id, seconds)
            self.lead = ahead
        return now + self.lead

    async def catch_up(self, store: Store) -> None:
        """Read the entries that this server does not have yet from the store, and apply them.

        Raise ForkedError if they do not follow the last entry that this server has.
        """
        while True:
            entries = await store.read(self.live.id, self.live.head.seq)
            for entry in entries:
                if entry.seq == self.live.head.seq + 1:  # Another task may have applied it.
                    if entry.prev != self.live.head.hash:
                        raise ForkedError(say_log("log-replaced", table=self.live.id))
                    self.apply_entry(entry)
                    self.turns.record_other(asyncio.get_running_loop().time())
                if len(entries) >= _SMALL_PAGE:
                    # Entries that other tasks append meanwhile are read in the next page.
                    await store.fair_yield.wait_turn()
            if len(entries) < _SMALL_PAGE:
                break
        self.stale = False

    @property
    def entries_since_snapshot(self) -> int:
        """How many entries after the last snapshot a server that loads it must apply."""
        return self.live.head.seq - self.snapshot_seq

    def entries_after(self, after: int) -> list[StreamEntry] | None:
        """Return the entries after number ``after``, or None if some are not in memory."""
        if after >= self.live.head.seq:
            return []
        if not self.recent or self.recent[0].seq > after + 1:
            return None
        missing = self.live.head.seq - after
        if missing < _SMALL_PAGE:  # Nearly always one entry: no need to copy a thousand.
            return [self.recent[-number] for number in range(missing, 0, -1)]
        return list(self.recent)[after + 1 - self.recent[0].seq :]

    async def wait_for_entry(self) -> None:
        """Wait until another entry arrives or the table is evicted."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            self._waiting.pop(waiter, None)

    def next_action(self) -> ScheduledAction | None:
        """Return the action that the auto dealer takes next at this table, or None."""
        if self._pending[0] != self.live.head.seq:
            self._pending = (self.live.head.seq, list(pending_actions(self.live)))
        return self._pending[1][0] if self._pending[1] else None

    def skip_action(self) -> None:
        """Drop the action that `next_action` returns, until the next entry of the log.

        The auto dealer calls this if the rules do not allow the action now.
        """
        del self._pending[1][:1]

    def wake(self) -> None:
        """Wake the tasks that wait in `wait_for_entry`."""
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    def save_answer(self, asker: RequestAuthor, text: str, answer: LineOutcome) -> None:
        """Save the answer to the line ``text``, in case ``asker`` sends the same request again."""
        self.answers[asker] = (text, answer)
        while len(self.answers) > _MAX_ANSWERS:
            self.answers.popitem(last=False)


#: Errors that a foreign log, or one of a later version, may raise while it is applied.
_FOLD_ERRORS: Final = (AssertionError, LookupError, TypeError, ValueError)


def _make_fold_error(table: str, wrong: Exception) -> ServiceError:
    """Return the ServiceError for a log with an entry that cannot be applied."""
    return ServiceError("unreadable-log", table=table, error=str(wrong))


async def load_table(store: Store, table: str) -> CachedTable:
    """Load a table from the store: from its snapshot, if there is one, and the entries after it.

    Raise ServiceError if there is no such table (``not_found``), or if an entry of its log cannot
    be applied (``unavailable``).
    """
    first = await store.read(table, -1, 1)
    if not first:
        raise ServiceError("unknown-table", table=table)
    live = await load_snapshot(store, table, first[0])
    try:
        cached = CachedTable(live or open_from_entry(table, first[0]))
    except _FOLD_ERRORS as wrong:
        raise _make_fold_error(table, wrong) from None
    if live is None:
        cached.recent.append(make_stream_entry(first[0]))
    cached.snapshot_seq = cached.live.head.seq if live is not None else 0
    await cached.catch_up(store)
    if cached.entries_since_snapshot >= SNAPSHOT_INTERVAL:
        await save_table_snapshots(store, [cached])
    return cached


async def save_table_snapshots(store: Store, tables: Sequence[CachedTable]) -> None:
    """Store snapshots of the states of several tables in one commit. Ignore a StoreError.

    A missing snapshot only means that more of the log must be read later.
    """
    for cached in tables:
        cached.snapshot_seq = cached.live.head.seq
    with suppress(StoreError):
        await store.save_snapshots(
            *(
                make_snapshot(cached.live, _SNAPSHOT_KIND, encode_snapshot(cached.live))
                for cached in tables
            )
        )


async def load_table_at(store: Store, cached: CachedTable, upto: int) -> LiveTable:
    """Return a table's state after entry ``upto``. The caller need not hold the table's lock.

    It starts from the nearest checkpoint. Without one before that entry it starts from entry 0, and
    only one task at a time does that for a table.
    """
    near = next((mark for mark in reversed(cached.checkpoints) if mark.head.seq <= upto), None)
    if near is not None:
        return await _fold_until(store, cached.live.id, near, upto)
    async with cached.history_lock:
        return await _fold_until(store, cached.live.id, None, upto)


async def _fold_until(store: Store, table: str, live: LiveTable | None, upto: int) -> LiveTable:
    """Return the state after entry ``upto``, computed by applying entries from the log.

    ``live`` is the earlier state to begin with, or None to begin at entry 0.
    """
    if live is not None and live.head.seq >= upto:
        return live
    async for entry in store.log(table, live.head.seq if live is not None else -1):
        live = open_from_entry(table, entry) if live is None else live.apply_entry(entry)
        if entry.seq >= upto:
            break
    assert live is not None
    return live


_ACTIVE_KIND: Final = "awake"
_ACTIVE, _INACTIVE = b"1", b"0"


def is_active(live: LiveTable) -> bool:
    """Return whether the auto dealer may have work: somebody is at the table or has a bet there."""
    return bool(live.table.playing)


async def save_activity(store: Store, live: LiveTable) -> None:
    """Store whether a table is active, so that a server knows after a restart to load it.

    An error of the store is ignored.
    """
    with suppress(StoreError):
        data = _ACTIVE if is_active(live) else _INACTIVE
        await store.save_snapshots(make_snapshot(live, _ACTIVE_KIND, data))


async def active_table_ids(store: Store) -> list[str]:
    """Return the ids of the tables that `save_activity` last stored as active.

    A crash may have lost the latest changes.
    """
    return [snap.table for snap in await store.snapshots(_ACTIVE_KIND) if snap.data == _ACTIVE]


#: The most tables in memory; others are loaded again when somebody asks for them.
MAX_CACHED_TABLES: Final = 2000


@asynccontextmanager
async def translate_store_errors() -> AsyncIterator[None]:
    """Turn a StoreError in the ``with`` block into a ServiceError (``unavailable``)."""
    try:
        yield
    except StoreError as wrong:
        raise make_store_unavailable(wrong) from None


def make_store_unavailable(wrong: StoreError) -> ServiceError:
    """Return the ServiceError (``unavailable``) that reports a StoreError."""
    public = say_live("store-unusable")
    return ServiceError("store-failed", error=wrong, retry_after=1, public=public)


class TableCache:
    """The tables in memory by id, in the order of their last use.

    ``clock`` is the service's. ``public_key`` is the house's (see `signing_key`). If a table's log
    has another public key, this server writes an entry with its own before it writes anything else
    there.
    """

    def __init__(self, store: Store, clock: StoreClock, public_key: str) -> None:
        self.store, self._clock, self._public_key = store, clock, public_key
        self._tables: OrderedDict[str, CachedTable] = OrderedDict()
        #: Tables whose log this server saw go back or fork. Secrets of their dice may be known.
        self.rolled_back: set[str] = set()
        #: The last entries of tables that were evicted, to notice such a log when it is loaded.
        self._evicted_heads: dict[str, LogHead] = {}

    def all(self) -> list[CachedTable]:
        """Return the tables in memory."""
        return list(self._tables.values())

    async def get(self, table: str) -> CachedTable:
        """Return a table with every entry that the store has, loading it if needed.

        Raise ServiceError if there is no such table or the store cannot be read.
        """
        cached = self._tables.get(table)
        if cached is not None and self._is_current(cached):
            self._tables.move_to_end(table)
            return cached
        async with translate_store_errors():
            if cached is not None:
                cached = await self._up_to_date(cached)
            if cached is None:
                loaded = await load_table(self.store, table)
                await self._check_known_head(loaded)
                cached = self._tables.setdefault(table, loaded)
                self._make_room()
            if table in self._tables:
                self._tables.move_to_end(table)
        return cached

    def _is_current(self, cached: CachedTable) -> bool:
        """Return whether a table has every entry that any server has committed."""
        if cached.stale or cached.append_pending:
            return False
        if not self.store.shared:
            return True
        return cached.lease != 0 and cached.lease == self.store.write_lease(cached.live.id)

    def get_cached(self, table: str) -> CachedTable | None:
        """Return a table if it is in memory and known to be up to date, else None."""
        cached = self._tables.get(table)
        return None if cached is None or cached.stale or cached.append_pending else cached

    async def refresh(self, cached: CachedTable) -> None:
        """Apply the entries that other servers appended. Raise ServiceError if the store fails."""
        async with translate_store_errors():
            await self._catch_up(cached)

    async def _catch_up(self, cached: CachedTable) -> None:
        try:
            await cached.catch_up(self.store)
        except ForkedError:
            self.note_rollback(cached)
            raise

    async def _up_to_date(self, cached: CachedTable) -> CachedTable | None:
        """Apply the entries that are missing and return the table.

        If the log in the store was replaced or cut, evict the table and return None.
        """
        known, lease = cached.live.head, self.store.write_lease(cached.live.id)
        tip = await self.store.log_end(cached.live.id)
        if tip is None or tip[0] < known.seq or (tip[0] == known.seq and tip[1] != known.hash):
            self.note_rollback(cached)
            return None
        if tip[0] > known.seq:
            try:
                await self._catch_up(cached)
            except ForkedError:
                return None
        cached.stale = False
        cached.lease = lease
        return cached

    def note_rollback(self, cached: CachedTable) -> None:
        """Evict a table whose log was cut or replaced, and add it to ``rolled_back``.

        A table in that set gets a new dice commitment before the next throw.
        """
        log.warning("table %s: its log went back or was replaced", cached.live.id)
        self.rolled_back.add(cached.live.id)
        self.store.notifier.forget(cached.live.id)
        self.drop(cached)

    async def _check_known_head(self, cached: CachedTable) -> None:
        """Add a table to ``rolled_back`` if its log was cut or replaced after it was evicted."""
        known, table = self._evicted_heads.pop(cached.live.id, None), cached.live.id
        if known is None or known == cached.live.head:
            return
        there = await self.store.read(table, known.seq - 1, 1)
        if not there or there[0].head != known:
            log.warning("table %s: its log went back or was replaced", table)
            self.rolled_back.add(table)

    def drop(self, cached: CachedTable) -> None:
        """Evict a table. It is loaded again when somebody asks for it."""
        if self._tables.get(cached.live.id) is cached:
            del self._tables[cached.live.id]
            self._evicted_heads[cached.live.id] = cached.live.head
        cached.is_dropped = True
        cached.wake()

    def _make_room(self) -> None:
        """Evict the least recently used tables beyond the limit, except those in use."""
        for cached in self.all()[: max(0, len(self._tables) - MAX_CACHED_TABLES)]:
            if not cached.followers and not cached.lock.locked():
                self.drop(cached)

    async def append(
        self,
        cached: CachedTable,
        live: LiveTable,
        drafts: Sequence[Draft],
        draft_events: Sequence[Sequence[ev.AnyEvent]] = (),
        *,
        secret: Secret | None = None,
        grants: Sequence[Grant] = (),
        withdrawn: Sequence[Holder] = (),
        table_after: Table | None = None,
        yields: bool = False,
    ) -> AppendOutcome:
        """Append drafts that were decided on the state ``live``, apply them, return the outcome.

        ``draft_events`` holds the events of each draft and ``table_after`` the table after the
        first draft, if the caller knows them. ``yields`` is a field of `Append`. Raise ServiceError
        if the store fails or a draft cannot be an entry.
        """
        cached.read_time(self._clock.now())  # Updates its lead.
        append = Append(
            table=live.id,
            after=live.head,
            drafts=drafts,
            secret=secret,
            grants=grants,
            withdrawn=withdrawn,
            lead=cached.lead,
            yields=yields,
        )
        began = get_running_loop().time()
        try:
            outcome = await self.store.append(append)
        except CancelledError:
            cached.stale = cached.append_pending = True
            raise
        except EntryError as wrong:
            raise ServiceError("not-loggable", error=wrong) from None
        except StoreError as wrong:
            cached.stale = True  # The entry may have been written or not.
            if isinstance(wrong, ForkedError):
                self.note_rollback(cached)
            raise make_store_unavailable(wrong) from None
        if isinstance(outcome, Appended):
            for number, entry in enumerate(outcome.entries):
                if entry.seq == cached.live.head.seq + 1:
                    known = draft_events[number] if number < len(draft_events) else None
                    text = outcome.texts[number] if outcome.texts else b""
                    after = table_after if cached.live is live else None
                    cached.apply_entry(entry, known, after, text)
        if not isinstance(outcome, Appended) or cached.live.head.seq < outcome.entries[-1].seq:
            cached.stale = True
            return outcome
        cached.turns.record_own(began, get_running_loop().time())
        self.store.notifier.mark_known(live.id, cached.live.head.seq)
        if is_active(live) != is_active(cached.live):
            await save_activity(self.store, cached.live)
        if cached.entries_since_snapshot >= SNAPSHOT_INTERVAL:
            await save_table_snapshots(self.store, [cached])
        return outcome

    async def save_snapshots(self) -> None:
        """Store snapshots of the tables in memory that have many entries since their last one."""
        tables = [
            cached
            for cached in self.all()
            if cached.entries_since_snapshot >= min(SNAPSHOT_INTERVAL, STOP_SNAPSHOT_ENTRIES)
        ]
        for start in range(0, len(tables), _SNAPSHOT_BATCH):
            await save_table_snapshots(self.store, tables[start : start + _SNAPSHOT_BATCH])
            await sleep(0)  # Let other tasks run.

    async def require_writable(self, cached: CachedTable) -> LiveTable:
        """Wait for this server's turn and return a table's state, on which to decide an append.

        If this program is newer than the log, deals by a changed rulebook or signs with another
        key, first write an entry that says so. Raise ServiceError (``unavailable``) if the table
        has moved or was written by a later version.
        """
        is_shared = self.store.shared and not self.store.write_lease(cached.live.id)
        if is_shared and (wait := cached.turns.seconds_to_wait(get_running_loop().time())):
            await sleep(wait)
            cached.stale = True
        while True:
            if cached.stale:
                await self.refresh(cached)
            live = cached.live
            if live.moved:
                raise ServiceError("table-moved")
            if is_older_version(VERSION, live.version):
                raise ServiceError("newer-version", needed=live.version, version=VERSION)
            more = self._find_takeover(live)
            if more is None:
                return live
            await self.append(cached, live, [Draft(role=MACHINE, by=MACHINE, more=more)])

    def _find_takeover(self, live: LiveTable) -> dict[str, str] | None:
        """Return the fields of the entry that must precede this server's first line, or None.

        It says that this server has a newer version, a changed rulebook or another public key.
        """
        law = live.table.house.book.digest
        if is_older_version(live.version, VERSION) or live.law != law:
            return {"act": "version", "version": VERSION, "law": law}
        if self._public_key and live.public_key != self._public_key:
            return {"act": "key", "public_key": self._public_key}
        return None


def is_older_version(version: str, other: str) -> bool:
    """Return whether a version came before another.

    >>> is_older_version("0.9.2", "0.10.0"), is_older_version("1.0", "1.0")
    (True, False)
    """
    return _version_numbers(version) < _version_numbers(other)


@lru_cache(64)
def _version_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


class EntryStreams:
    """The open streams of entries, and for each table one task that watches the store.

    ``reschedule`` is called with a table when somebody begins to follow it.
    """

    def __init__(
        self, tables: TableCache, stopping: asyncio.Event, reschedule: Callable[[CachedTable], None]
    ) -> None:
        self._tables, self._stopping, self._reschedule = tables, stopping, reschedule
        self._listening: dict[CachedTable, asyncio.Task[None]] = {}

    async def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[StreamEntry]:
        """Yield a table's entries after number ``after``, then each new one when it is written.

        The stream ends when the server stops, when the holder's token is withdrawn, when the reader
        falls a thousand entries behind, and when the table is evicted from memory. Raise
        ServiceError if the table cannot be read.
        """
        async with self._following(table) as cached:
            begun, caught_up = cached.live.head.seq, False
            while not (self._stopping.is_set() or cached.is_dropped):
                near = cached.entries_after(after)
                if near is None and caught_up:
                    return  # The reader is a thousand entries behind and must reconnect.
                for one in near if near is not None else await self._read_older(table, after):
                    after = one.seq
                    yield one
                    if one.seq > begun and one.withdrawn == holder:
                        return
                if after >= cached.live.head.seq:
                    caught_up = True
                    if not (self._stopping.is_set() or cached.is_dropped):
                        await cached.wait_for_entry()

    async def follow_states(self, table: str) -> AsyncIterator[CachedTable]:
        """Yield a table now, and again whenever it has new entries.

        End when the server stops or the table is evicted. Raise ServiceError if the table cannot be
        read.
        """
        async with self._following(table) as cached:
            seen = -1
            while not (self._stopping.is_set() or cached.is_dropped):
                if cached.live.head.seq == seen:
                    await cached.wait_for_entry()
                else:
                    seen = cached.live.head.seq
                    yield cached

    @asynccontextmanager
    async def _following(self, table: str) -> AsyncIterator[CachedTable]:
        """Keep a table in memory and up to date with the store during the ``with`` block."""
        cached = await self._tables.get(table)
        self._reschedule(cached)
        cached.followers += 1
        if cached not in self._listening:
            self._listening[cached] = asyncio.create_task(self._watch(cached))
        try:
            yield cached
        finally:
            cached.followers -= 1
            if not cached.followers and (listener := self._listening.pop(cached, None)):
                listener.cancel()

    async def _read_older(self, table: str, after: int) -> list[StreamEntry]:
        """Return entries after number ``after`` from the store, for those no longer in memory."""
        async with translate_store_errors():
            entries = await self._tables.store.read(table, after, RECENT_ENTRIES)
        return [make_stream_entry(entry) for entry in entries]

    async def _watch(self, cached: CachedTable) -> None:
        """Apply the entries of other servers when the store notifies this server of them."""
        store, table = self._tables.store, cached.live.id
        while True:
            try:
                if await store.wait_for_change(table, cached.live.head.seq) > cached.live.head.seq:
                    await cached.catch_up(store)
            except ForkedError:
                self._tables.note_rollback(cached)
                return
            except StoreError:
                await asyncio.sleep(1)

    async def close(self) -> None:
        """End all streams."""
        tasks = list(self._listening.values())
        self._listening.clear()
        for cached in self._tables.all():
            cached.wake()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
