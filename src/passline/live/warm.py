"""Tables that are in use: folded up to their heads, with the last of their entries at hand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from passline.live import snapshots
from passline.live.asks import HallError, SayAnswer
from passline.live.dealer import Due, dues
from passline.live.entries import Entry, read_entry
from passline.live.live_table import LiveTable, opening
from passline.live.store import Store
from passline.live.tokens import Holder
from passline.live.turns import Turns
from passline.table import Table
from passline.table import events as ev

#: Entries that are kept at hand, and how far a stream may fall behind.
RECENT: Final = 1000
#: Answers that are kept at hand for requests that come again.
_ANSWERS: Final = 256
#: The table as it stood is kept at hand so many entries apart, the last few of them.
APART: Final = 500
_MARKS: Final = 3
_FEW: Final = 10

#: Whose request an answer was: role, by, id.
Asker = tuple[str, str, str]


class ToldEntries(Struct, frozen=True, gc=False):
    """An entry as a stream sends it: its number, its line of the log, and whose tokens it takes
    away, if it does."""

    seq: int
    text: bytes
    withdrawn: Holder | None = None

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return read_entry(self.text)


def told_entries(entry: Entry, text: bytes = b"") -> ToldEntries:
    """An entry as a stream sends it; ``text``: its line of the log, if it is at hand."""
    gone = entry.more["holder"] if entry.act == "withdraw" else None
    text = text or entry.text()
    return ToldEntries(entry.seq, text, Holder(gone["role"], gone["name"]) if gone else None)


class WarmTable:
    """One table, folded. Whoever writes holds the lock; readers find it as it last stood."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.lock = asyncio.Lock()
        self.recent: deque[ToldEntries] = deque(maxlen=RECENT)
        self.followers = 0
        #: Folded no more: whoever follows it comes back to another.
        self.gone = False
        #: Something may stand in the store that was not folded yet.
        self.stale = True
        #: Somebody went away in the middle of an append: it may stand at any time from now on.
        self.doubted = False
        self.secret: bytes = b""
        #: Whom tokens speak for, by their hashes, as far as they were looked up.
        self.holders: dict[str, Holder] = {}
        #: How often tokens were withdrawn since it was folded.
        self.withdrawn = 0
        self.answers: OrderedDict[Asker, tuple[str, SayAnswer]] = OrderedDict()
        #: The table as it stood, for requests that come again; and who folds what is older.
        self.marks: deque[LiveTable] = deque([live], _MARKS)
        self.past = asyncio.Lock()
        self.turns = Turns()
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._dues: tuple[int, list[Due]] = (-1, [])

    def extend(
        self,
        entry: Entry,
        events: Sequence[ev.AnyEvent] | None = None,
        folded: Table | None = None,
        text: bytes = b"",
    ) -> None:
        """Fold the next entry in, and wake those who wait for it."""
        try:
            self.live = self.live.after(entry, events, folded)
        except _UNFOLDABLE as wrong:
            raise _unfoldable(self.live.id, wrong) from None
        if entry.act == "withdraw":
            self.holders.clear()
            self.withdrawn += 1
        if entry.seq - self.marks[-1].head.seq >= APART:
            self.marks.append(self.live)
        self.recent.append(told_entries(entry, text))
        self.wake()

    async def catch_up(self, store: Store) -> None:
        """Fold whatever stands in the store."""
        while True:
            entries = await store.read(self.live.id, self.live.head.seq)
            for entry in entries:
                if entry.seq == self.live.head.seq + 1:  # another reader may have been quicker
                    self.extend(entry)
                    self.turns.other(asyncio.get_running_loop().time())
                if len(entries) >= _FEW:
                    await store.breath.take()  # others go on; what they append is read next
            if len(entries) < _FEW:
                break
        self.stale = False

    def since(self, after: int) -> list[ToldEntries] | None:
        """The entries after a number that are at hand; None: some of them are not."""
        if after >= self.live.head.seq:
            return []
        if not self.recent or self.recent[0].seq > after + 1:
            return None
        missing = self.live.head.seq - after
        if missing < _FEW:  # nearly always one: a thousand need not be looked at for it
            return [self.recent[-number] for number in range(missing, 0, -1)]
        return list(self.recent)[after + 1 - self.recent[0].seq :]

    async def news(self) -> None:
        """Wait until there is another entry, or it is gone."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            self._waiting.pop(waiter, None)

    def due(self) -> Due | None:
        """What the machine does next here."""
        if self._dues[0] != self.live.head.seq:
            self._dues = (self.live.head.seq, list(dues(self.live)))
        return self._dues[1][0] if self._dues[1] else None

    def tried(self) -> None:
        """The machine may not do it as the table stands: it is not tried again before that
        changes."""
        del self._dues[1][:1]

    def wake(self) -> None:
        """Wake those who wait for news."""
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    def answered(self, asker: Asker, text: str, answer: SayAnswer) -> None:
        """Keep an answer at hand."""
        self.answers[asker] = (text, answer)
        while len(self.answers) > _ANSWERS:
            self.answers.popitem(last=False)


#: What a log that is none of ours, or a later version's, may meet.
_UNFOLDABLE: Final = (AssertionError, LookupError, TypeError, ValueError)


def _unfoldable(table: str, wrong: Exception) -> HallError:
    return HallError(503, f"the log of table {table} cannot be folded: {wrong}"[:200])


async def load(store: Store, table: str) -> WarmTable:
    """A table folded from its log. HallError 404 where there is none."""
    first = await store.read(table, -1, 1)
    if not first:
        raise HallError(404, f"there is no table {table[:40]!r}")
    live = await snapshots.kept_snapshot(store, table, first[0])
    try:
        warm = WarmTable(live or opening(table, first[0]))
    except _UNFOLDABLE as wrong:
        raise _unfoldable(table, wrong) from None
    if live is None:
        warm.recent.append(told_entries(first[0]))
    begun = warm.live.head.seq
    await warm.catch_up(store)
    if warm.live.head.seq - begun >= snapshots.EVERY:
        await snapshots.keep_snapshot(store, warm.live)
    return warm


async def stood(store: Store, warm: WarmTable, upto: int) -> LiveTable:
    """A table as it stood after one of its entries. What is long ago is folded from the beginning,
    one request at a time, and holds nobody up."""
    near = next((mark for mark in reversed(warm.marks) if mark.head.seq <= upto), None)
    if near is not None:
        return await _folded(store, warm.live.id, near, upto)
    async with warm.past:
        return await _folded(store, warm.live.id, None, upto)


async def _folded(store: Store, table: str, live: LiveTable | None, upto: int) -> LiveTable:
    if live is not None and live.head.seq >= upto:
        return live
    async for entry in store.log(table, live.head.seq if live is not None else -1):
        live = opening(table, entry) if live is None else live.after(entry)
        if entry.seq >= upto:
            break
    assert live is not None
    return live
