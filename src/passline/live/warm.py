"""Tables that are in use: folded up to their heads, with the last of their entries at hand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from passline.live.asks import HallError, SayAnswer
from passline.live.dealer import Due, next_due
from passline.live.entries import Entry
from passline.live.live_table import LiveTable, opening
from passline.live.store import PAGE, Store
from passline.table import events as ev

#: Entries that are kept at hand, and how far a stream may fall behind.
RECENT: Final = 1000
#: Answers that are kept at hand for requests that come again.
_ANSWERS: Final = 256

#: Whose request an answer was: role, by, id.
Asker = tuple[str, str, str]


class Told(Struct, frozen=True):
    """An entry as a stream sends it: its number, the entry, and its line of the log."""

    seq: int
    entry: Entry
    text: bytes


class WarmTable:
    """One table, folded. Whoever writes holds the lock; readers find it as it last stood."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.lock = asyncio.Lock()
        self.recent: deque[Told] = deque(maxlen=RECENT)
        self.followers = 0
        #: Something may stand in the store that was not folded yet.
        self.stale = True
        self.secret: bytes = b""
        self.answers: OrderedDict[Asker, tuple[str, SayAnswer]] = OrderedDict()
        self._news: asyncio.Event = asyncio.Event()
        self._due: tuple[int, Due | None] = (-1, None)
        self._tried: tuple[int, Due] | None = None

    def extend(self, entry: Entry, told: Sequence[ev.AnyEvent] | None = None) -> None:
        """Fold the next entry in, and wake those who wait for it."""
        self.live = self.live.after(entry, told)
        self.recent.append(Told(entry.seq, entry, entry.text()))
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def catch_up(self, store: Store) -> None:
        """Fold whatever stands in the store."""
        while True:
            entries = await store.read(self.live.id, self.live.head.seq)
            for entry in entries:
                if entry.seq == self.live.head.seq + 1:  # another reader may have been quicker
                    self.extend(entry)
            if len(entries) < PAGE:
                break
        self.stale = False

    def since(self, after: int) -> list[Told] | None:
        """The entries after a number that are at hand; None: some of them are not."""
        if after >= self.live.head.seq:
            return []
        if not self.recent or self.recent[0].seq > after + 1:
            return None
        return list(self.recent)[after + 1 - self.recent[0].seq :]

    def news(self) -> asyncio.Event:
        """Set once there is another entry."""
        return self._news

    def due(self) -> Due | None:
        """What the machine does next here, unless it was tried in vain."""
        if self._due[0] != self.live.head.seq:
            self._due = (self.live.head.seq, next_due(self.live))
        due = self._due[1]
        return None if due is None or self._tried == (self.live.head.seq, due) else due

    def tried(self, due: Due) -> None:
        """The machine could not do it as the table stands: it is not tried again before it
        stands otherwise."""
        self._tried = (self.live.head.seq, due)

    def answered(self, asker: Asker, text: str, answer: SayAnswer) -> None:
        """Keep an answer at hand."""
        self.answers[asker] = (text, answer)
        while len(self.answers) > _ANSWERS:
            self.answers.popitem(last=False)


async def load(store: Store, table: str) -> WarmTable:
    """A table folded from its log. HallError 404 where there is none."""
    first = await store.read(table, -1, 1)
    if not first:
        raise HallError(404, f"there is no table {table[:40]!r}")
    warm = WarmTable(opening(table, first[0]))
    warm.recent.append(Told(0, first[0], first[0].text()))
    await warm.catch_up(store)
    return warm


async def folded(store: Store, table: str, upto: int) -> LiveTable:
    """A table as it stood after one of its entries."""
    live: LiveTable | None = None
    async for entry in store.log(table):
        live = opening(table, entry) if live is None else live.after(entry)
        if entry.seq >= upto:
            break
    assert live is not None
    return live
