"""Whose turn it is at a table that several servers write to.

Who wrote last knows the table, decides at once, and is first again; who lost has to catch up before
he decides. Flat out, one server's players waited nine seconds for the other's. So who has written a
few entries in a row, where another wrote lately, lets the time of some commits go by; and after
many all the same, as another who never comes to it is not seen.

Snapshots of folded tables: caches, so that a long log is not folded again from its beginning.

A snapshot that is damaged, of another version or of entries that the log does not hold (any more)
is left alone, and the log is folded.

Tables that are in use: folded up to their heads, with the last of their entries at hand.

Waking tables after a restart: a note in the store of those that somebody plays at, so that they
are tended before anybody reads them, and the others cost nothing.

The note is a cache, as every snapshot: without it, a table wakes when somebody asks for it.

The tables that a hall has in use: found, folded, kept up with the store, and written to.

Streams: whoever follows a table gets its entries in order, as they come.
"""

from __future__ import annotations

import asyncio
from asyncio import CancelledError, get_running_loop, sleep
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
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
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.live.entries import Draft, Entry, EntryError, read_entry
from passline.live.live_table import MACHINE, LiveTable, TableThrow, open_from_entry
from passline.live.requests import LineOutcome, ServiceError
from passline.live.schedule import ScheduledAction, pending_actions
from passline.live.store import (
    Append,
    Appended,
    AppendOutcome,
    ForkedError,
    Secret,
    Snapshot,
    Store,
    StoreError,
)
from passline.live.tokens import Grant, Holder
from passline.version import VERSION

#: Entries in a row, with another about and without; and seconds for which his are remembered.
MAX_STREAK: Final = 4
MAX_STREAK_ALONE: Final = 16
RIVAL_SECONDS: Final = 10.0
#: How many of one's own commits are waited for, and seconds at most.
_WAIT_COMMITS: Final = 3
_MAX_WAIT: Final = 0.2


class WriteTurns:
    """The turns of one table, as one of its servers sees them.

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
        """Another server's entry was found."""
        self._others, self._row = now, 0

    def record_own(self, began: float, now: float) -> None:
        """An own entry was written."""
        self._row += 1
        if (
            self._row % (MAX_STREAK if now - self._others < RIVAL_SECONDS else MAX_STREAK_ALONE)
            == 0
        ):
            self._until = now + min(_WAIT_COMMITS * (now - began), _MAX_WAIT)

    def seconds_to_wait(self, now: float) -> float:
        """Seconds until the next own entry may be decided on."""
        return max(0.0, self._until - now)


#: So many entries apart.
SNAPSHOT_INTERVAL: Final = 1000
StructType = TypeVar("StructType", bound=Struct)


def _field_names(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind))


#: Snapshots of this kind: of this version, and of these very fields.
_SNAPSHOT_KIND: Final = (
    f"state {VERSION} {len(_field_names(LiveTable))}-{len(_field_names(Table))} limits"
)


def encode_snapshot(live: LiveTable) -> bytes:
    """A table as a snapshot holds it: of its layout only what is elected; entry 0 tells the
    rest."""
    last = None
    if live.last_throw is not None:
        rolled = msgspec.to_builtins(live.last_throw.rolled)
        before = live.last_throw.before
        elected = describe_elections(before.house)
        last = {"before": _encode_fields(before, "layout"), "rolled": rolled, "elected": elected}
    return msgspec.json.encode(
        {
            "live": _encode_fields(live, "table", "last_throw"),
            "table": _encode_fields(live.table, "layout"),
            "elected": describe_elections(live.table.house),
            "last": last,
        }
    )


def decode_snapshot(table: str, first: Entry, data: bytes) -> LiveTable:
    """The table of a snapshot; ValueError, LookupError or TypeError where it is none of ours."""
    found = msgspec.json.decode(data)
    opened = open_from_entry(table, first).table
    last: TableThrow | None = None
    if found["last"] is not None:
        layout = _restore_layout(opened, found["last"]["elected"])
        before = _decode_struct(Table, found["last"]["before"], layout=layout)
        last = TableThrow(before, msgspec.convert(found["last"]["rolled"], Rolled))
    state = _decode_struct(Table, found["table"], layout=_restore_layout(opened, found["elected"]))
    return _decode_struct(LiveTable, found["live"], table=state, last_throw=last)


def _restore_layout(opened: Table, elected: dict[str, str]) -> Layout:
    """The layout under the limits of the day: entry 0's, unless others were posted since."""
    house = opened.house
    if elected == describe_elections(house):
        return opened.layout
    values = {key: parse_value(text) for key, text in elected.items()}
    return compile_layout(make_house(house.book, house.game, values, house.name))


def _encode_fields(value: Struct, *without: str) -> dict[str, Any]:
    names = [name for name in _field_names(type(value)) if name not in without]
    return {name: msgspec.to_builtins(getattr(value, name)) for name in names}


def _decode_struct(kind: type[StructType], data: dict[str, Any], **given: Any) -> StructType:
    fields = {
        field.name: msgspec.convert(data[field.name], field.type)
        for field in msgspec.structs.fields(kind)
        if field.name not in given
    }
    return kind(**fields, **given)


async def save_snapshot(store: Store, live: LiveTable) -> None:
    """Keep a snapshot of a table."""
    await store.save_snapshots(
        Snapshot(table=live.id, kind=_SNAPSHOT_KIND, seq=live.head.seq, data=encode_snapshot(live))
    )


async def load_snapshot(store: Store, table: str, first: Entry) -> LiveTable | None:
    """A table as it was kept, if the log holds what was folded into it."""
    snapshot = await store.snapshot(table, _SNAPSHOT_KIND)
    if snapshot is None:
        return None
    there = await store.read(table, snapshot.seq - 1, 1)
    try:
        live = decode_snapshot(table, first, snapshot.data)
    except (LookupError, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return live if there and there[0].head == live.head else None


#: Entries that are kept at hand, and how far a stream may fall behind.
RECENT_ENTRIES: Final = 1000
#: Answers that are kept at hand for requests that come again.
_MAX_ANSWERS: Final = 256
#: The table as it stood is kept at hand so many entries apart, the last few of them.
CHECKPOINT_INTERVAL: Final = 500
_MAX_CHECKPOINTS: Final = 3
_SMALL_PAGE: Final = 10

#: Whose request an answer was: role, by, id.
RequestAuthor = tuple[str, str, str]


class StreamEntry(Struct, frozen=True, gc=False):
    """An entry as a stream sends it: its number, its line of the log, and whose tokens it takes
    away, if it does."""

    seq: int
    text: bytes
    withdrawn: Holder | None = None

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return read_entry(self.text)


def make_stream_entry(entry: Entry, text: bytes = b"") -> StreamEntry:
    """An entry as a stream sends it; ``text``: its line of the log, if it is at hand."""
    gone = entry.more["holder"] if entry.act == "withdraw" else None
    text = text or entry.text()
    return StreamEntry(entry.seq, text, Holder(gone["role"], gone["name"]) if gone else None)


class CachedTable:
    """One table, folded. Whoever writes holds the lock; readers find it as it last stood."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.lock = asyncio.Lock()
        self.recent: deque[StreamEntry] = deque(maxlen=RECENT_ENTRIES)
        self.followers = 0
        #: Folded no more: whoever follows it comes back to another.
        self.is_dropped = False
        #: Something may stand in the store that was not folded yet.
        self.stale = True
        #: Somebody went away in the middle of an append: it may stand at any time from now on.
        self.append_pending = False
        self.secret: bytes = b""
        #: Whom tokens speak for, by their hashes, as far as they were looked up.
        self.holders: dict[str, Holder] = {}
        #: How often tokens were withdrawn since it was folded.
        self.withdrawn = 0
        self.answers: OrderedDict[RequestAuthor, tuple[str, LineOutcome]] = OrderedDict()
        #: The table as it stood, for requests that come again; and who folds what is older.
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
        """Fold the next entry in, and wake those who wait for it."""
        try:
            self.live = self.live.apply_entry(entry, events, table_after)
        except _FOLD_ERRORS as wrong:
            raise _make_fold_error(self.live.id, wrong) from None
        if entry.act == "withdraw":
            self.holders.clear()
            self.withdrawn += 1
        if entry.seq - self.checkpoints[-1].head.seq >= CHECKPOINT_INTERVAL:
            self.checkpoints.append(self.live)
        self.recent.append(make_stream_entry(entry, text))
        self.wake()

    async def catch_up(self, store: Store) -> None:
        """Fold whatever stands in the store."""
        while True:
            entries = await store.read(self.live.id, self.live.head.seq)
            for entry in entries:
                if entry.seq == self.live.head.seq + 1:  # another reader may have been quicker
                    self.apply_entry(entry)
                    self.turns.record_other(asyncio.get_running_loop().time())
                if len(entries) >= _SMALL_PAGE:
                    await (
                        store.fair_yield.wait_turn()
                    )  # others go on; what they append is read next
            if len(entries) < _SMALL_PAGE:
                break
        self.stale = False

    def entries_after(self, after: int) -> list[StreamEntry] | None:
        """The entries after a number that are at hand; None: some of them are not."""
        if after >= self.live.head.seq:
            return []
        if not self.recent or self.recent[0].seq > after + 1:
            return None
        missing = self.live.head.seq - after
        if missing < _SMALL_PAGE:  # nearly always one: a thousand need not be looked at for it
            return [self.recent[-number] for number in range(missing, 0, -1)]
        return list(self.recent)[after + 1 - self.recent[0].seq :]

    async def wait_for_entry(self) -> None:
        """Wait until there is another entry, or it is gone."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            self._waiting.pop(waiter, None)

    def next_action(self) -> ScheduledAction | None:
        """What the machine does next here."""
        if self._pending[0] != self.live.head.seq:
            self._pending = (self.live.head.seq, list(pending_actions(self.live)))
        return self._pending[1][0] if self._pending[1] else None

    def skip_action(self) -> None:
        """The machine may not do it as the table stands: it is not tried again before that
        changes."""
        del self._pending[1][:1]

    def wake(self) -> None:
        """Wake those who wait for news."""
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    def save_answer(self, asker: RequestAuthor, text: str, answer: LineOutcome) -> None:
        """Keep an answer at hand."""
        self.answers[asker] = (text, answer)
        while len(self.answers) > _MAX_ANSWERS:
            self.answers.popitem(last=False)


#: What a log that is none of ours, or a later version's, may meet.
_FOLD_ERRORS: Final = (AssertionError, LookupError, TypeError, ValueError)


def _make_fold_error(table: str, wrong: Exception) -> ServiceError:
    return ServiceError("unavailable", f"the log of table {table} cannot be folded: {wrong}"[:200])


async def load_table(store: Store, table: str) -> CachedTable:
    """A table folded from its log. ServiceError (``not_found``) where there is none."""
    first = await store.read(table, -1, 1)
    if not first:
        raise ServiceError("not_found", f"there is no table {table[:40]!r}")
    live = await load_snapshot(store, table, first[0])
    try:
        cached = CachedTable(live or open_from_entry(table, first[0]))
    except _FOLD_ERRORS as wrong:
        raise _make_fold_error(table, wrong) from None
    if live is None:
        cached.recent.append(make_stream_entry(first[0]))
    begun = cached.live.head.seq
    await cached.catch_up(store)
    if cached.live.head.seq - begun >= SNAPSHOT_INTERVAL:
        await save_snapshot(store, cached.live)
    return cached


async def load_table_at(store: Store, cached: CachedTable, upto: int) -> LiveTable:
    """A table as it stood after one of its entries. What is long ago is folded from the beginning,
    one request at a time, and holds nobody up."""
    near = next((mark for mark in reversed(cached.checkpoints) if mark.head.seq <= upto), None)
    if near is not None:
        return await _fold_until(store, cached.live.id, near, upto)
    async with cached.history_lock:
        return await _fold_until(store, cached.live.id, None, upto)


async def _fold_until(store: Store, table: str, live: LiveTable | None, upto: int) -> LiveTable:
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
    """Whether there is anything for the machine to tend: somebody here, or a wager up."""
    return bool(live.table.playing)


async def save_activity(store: Store, live: LiveTable) -> None:
    """Note that somebody came to a table where nobody was, or that the last one has gone."""
    with suppress(StoreError):
        data = _ACTIVE if is_active(live) else _INACTIVE
        await store.save_snapshots(
            Snapshot(table=live.id, kind=_ACTIVE_KIND, seq=live.head.seq, data=data)
        )


async def active_table_ids(store: Store) -> list[str]:
    """The tables that were awake when they were last written to."""
    return [snap.table for snap in await store.snapshots(_ACTIVE_KIND) if snap.data == _ACTIVE]


#: Tables that are kept folded at most; others are folded again when somebody asks.
MAX_CACHED_TABLES: Final = 2000


@asynccontextmanager
async def translate_store_errors() -> AsyncIterator[None]:
    """What goes wrong in a store, as a hall tells it."""
    try:
        yield
    except StoreError as wrong:
        raise make_store_unavailable(wrong) from None


def make_store_unavailable(wrong: StoreError) -> ServiceError:
    """A store's trouble, as a hall tells it."""
    return ServiceError("unavailable", f"the store: {wrong}", retry_after=1)


class TableCache:
    """Tables by id, the last used last."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._tables: OrderedDict[str, CachedTable] = OrderedDict()

    def all(self) -> list[CachedTable]:
        """Those that are in use."""
        return list(self._tables.values())

    async def get(self, table: str) -> CachedTable:
        """A table, with everything that was acknowledged before. ServiceError, 503."""
        cached = self._tables.get(table)
        if cached is not None and not (cached.stale or cached.append_pending or self.store.shared):
            self._tables.move_to_end(table)
            return cached
        async with translate_store_errors():
            if cached is not None:
                cached = await self._up_to_date(cached)
            if cached is None:
                loaded = await load_table(self.store, table)
                cached = self._tables.setdefault(table, loaded)
                self._make_room()
            if table in self._tables:
                self._tables.move_to_end(table)
        return cached

    def get_cached(self, table: str) -> CachedTable | None:
        """A table as it was last brought up to date; None where nothing can be said of that."""
        cached = self._tables.get(table)
        return None if cached is None or cached.stale or cached.append_pending else cached

    async def refresh(self, cached: CachedTable) -> None:
        """Fold what others appended."""
        async with translate_store_errors():
            await cached.catch_up(self.store)

    async def _up_to_date(self, cached: CachedTable) -> CachedTable | None:
        """A table with all that stands in the store; None: the store holds another log now, or
        less of it, and nothing that was folded stands."""
        known = cached.live.head
        tip = await self.store.log_end(cached.live.id)
        if tip is None or tip[0] < known.seq or (tip[0] == known.seq and tip[1] != known.hash):
            self.drop(cached)
            return None
        if tip[0] > known.seq:
            await cached.catch_up(self.store)
        cached.stale = False
        return cached

    def drop(self, cached: CachedTable) -> None:
        """Forget a table: it is folded again when somebody asks."""
        if self._tables.get(cached.live.id) is cached:
            del self._tables[cached.live.id]
        cached.is_dropped = True
        cached.wake()

    def _make_room(self) -> None:
        for cached in self.all()[: max(0, len(self._tables) - MAX_CACHED_TABLES)]:
            if not cached.followers and not cached.lock.locked():
                self.drop(cached)

    async def append(
        self,
        cached: CachedTable,
        live: LiveTable,
        drafts: Sequence[Draft],
        told: Sequence[Sequence[ev.AnyEvent]] = (),
        *,
        secret: Secret | None = None,
        grants: Sequence[Grant] = (),
        withdrawn: Sequence[Holder] = (),
        table_after: Table | None = None,
    ) -> AppendOutcome:
        """Write drafts that were decided on ``live``, and fold them in; ``folded`` is the table
        after the first of them, where it is at hand. ServiceError (``not_understood``), 503."""
        append = Append(
            table=live.id,
            after=live.head,
            drafts=drafts,
            secret=secret,
            grants=grants,
            withdrawn=withdrawn,
        )
        began = get_running_loop().time()
        try:
            outcome = await self.store.append(append)
        except CancelledError:
            cached.stale = cached.append_pending = True
            raise
        except EntryError as wrong:
            raise ServiceError("not_understood", f"no entry can hold that: {wrong}") from None
        except StoreError as wrong:
            cached.stale = True  # it may stand or not
            if isinstance(wrong, ForkedError):
                self.drop(cached)
            raise make_store_unavailable(wrong) from None
        if isinstance(outcome, Appended):
            for number, entry in enumerate(outcome.entries):
                if entry.seq == cached.live.head.seq + 1:
                    known = told[number] if number < len(told) else None
                    text = outcome.texts[number] if outcome.texts else b""
                    cached.apply_entry(
                        entry, known, table_after if cached.live is live else None, text
                    )
        if not isinstance(outcome, Appended) or cached.live.head.seq < outcome.entries[-1].seq:
            cached.stale = True
            return outcome
        cached.turns.record_own(began, get_running_loop().time())
        self.store.notifier.mark_known(live.id, cached.live.head.seq)
        if is_active(live) != is_active(cached.live):
            await save_activity(self.store, cached.live)
        return outcome

    async def require_writable(self, cached: CachedTable) -> LiveTable:
        """A table as it stands, where this version may write to it. ServiceError where not."""
        if self.store.shared and (wait := cached.turns.seconds_to_wait(get_running_loop().time())):
            await sleep(wait)
            cached.stale = True
        while True:
            if cached.stale:
                await self.refresh(cached)
            live = cached.live
            if live.moved:
                raise ServiceError(
                    "unavailable", "the table has moved to another store, and goes on there"
                )
            if is_older_version(VERSION, live.version):
                raise ServiceError(
                    "unavailable",
                    f"the table is dealt by version {live.version}, and this is {VERSION}",
                )
            if not is_older_version(live.version, VERSION):
                return live
            more = {"act": "version", "version": VERSION}
            await self.append(cached, live, [Draft(role=MACHINE, by=MACHINE, more=more)])


def is_older_version(version: str, other: str) -> bool:
    """Whether a version came before another.

    >>> is_older_version("0.9.2", "0.10.0"), is_older_version("1.0", "1.0")
    (True, False)
    """
    return _version_numbers(version) < _version_numbers(other)


@lru_cache(64)
def _version_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


class EntryStreams:
    """Everybody who follows, and one listener for each table that is followed."""

    def __init__(
        self, tables: TableCache, stopping: asyncio.Event, reschedule: Callable[[CachedTable], None]
    ) -> None:
        self._tables, self._stopping, self._reschedule = tables, stopping, reschedule
        self._listening: dict[CachedTable, asyncio.Task[None]] = {}

    async def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[StreamEntry]:
        """Entries from the one after a number. ServiceError (``not_found``), 503."""
        cached = await self._tables.get(table)
        self._reschedule(cached)
        begun, caught_up = cached.live.head.seq, False
        cached.followers += 1
        self._listen(cached)
        try:
            while not (self._stopping.is_set() or cached.is_dropped):
                near = cached.entries_after(after)
                if near is None and caught_up:
                    return  # a thousand behind: it resumes
                for one in near if near is not None else await self._read_older(table, after):
                    after = one.seq
                    yield one
                    if one.seq > begun and one.withdrawn == holder:
                        return
                if after >= cached.live.head.seq:
                    caught_up = True
                    if not (self._stopping.is_set() or cached.is_dropped):  # meanwhile
                        await cached.wait_for_entry()
        finally:
            cached.followers -= 1
            if not cached.followers:
                self._stop_watching(cached)

    async def _read_older(self, table: str, after: int) -> list[StreamEntry]:
        async with translate_store_errors():
            entries = await self._tables.store.read(table, after, RECENT_ENTRIES)
        return [make_stream_entry(entry) for entry in entries]

    def _listen(self, cached: CachedTable) -> None:
        if cached not in self._listening:
            self._listening[cached] = asyncio.create_task(self._watch(cached))

    async def _watch(self, cached: CachedTable) -> None:
        """Fold in what others append, as the store tells of it."""
        store, table = self._tables.store, cached.live.id
        while True:
            try:
                if await store.wait_for_change(table, cached.live.head.seq) > cached.live.head.seq:
                    await cached.catch_up(store)
            except StoreError:
                await asyncio.sleep(1)

    def _stop_watching(self, cached: CachedTable) -> None:
        listener = self._listening.pop(cached, None)
        if listener is not None:
            listener.cancel()

    async def close(self) -> None:
        """Let everybody go."""
        tasks = list(self._listening.values())
        self._listening.clear()
        for cached in self._tables.all():
            cached.wake()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
