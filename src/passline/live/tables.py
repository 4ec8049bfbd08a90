"""The tables that a hall has in use: found, folded, kept up with the store, and written to."""

from __future__ import annotations

from asyncio import CancelledError, get_running_loop, sleep
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Final

from passline.live import waking
from passline.live.appends import (
    Append,
    Appended,
    AppendOutcome,
    ForkedError,
    Secret,
    StoreError,
)
from passline.live.asks import HallError
from passline.live.entries import Draft, EntryError
from passline.live.live_table import MACHINE, LiveTable
from passline.live.store import Store
from passline.live.tokens import Grant, Holder
from passline.live.warm import WarmTable, load
from passline.table import Table
from passline.table import events as ev
from passline.version import VERSION

#: Tables that are kept folded at most; others are folded again when somebody asks.
MOST_WARM: Final = 2000


@asynccontextmanager
async def store_errors() -> AsyncIterator[None]:
    """What goes wrong in a store, as a hall tells it."""
    try:
        yield
    except StoreError as wrong:
        raise unstorable(wrong) from None


def unstorable(wrong: StoreError) -> HallError:
    """A store's trouble, as a hall tells it."""
    return HallError(503, f"the store: {wrong}", retry_after=1)


class Tables:
    """Tables by id, the last used last."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._warm: OrderedDict[str, WarmTable] = OrderedDict()

    def warm(self) -> list[WarmTable]:
        """Those that are in use."""
        return list(self._warm.values())

    async def get(self, table: str) -> WarmTable:
        """A table, with everything that was acknowledged before. HallError 404, 503."""
        warm = self._warm.get(table)
        if warm is not None and not (warm.stale or warm.doubted or self.store.shared):
            self._warm.move_to_end(table)
            return warm
        async with store_errors():
            if warm is not None:
                warm = await self._up_to_date(warm)
            if warm is None:
                loaded = await load(self.store, table)
                warm = self._warm.setdefault(table, loaded)
                self._make_room()
            if table in self._warm:
                self._warm.move_to_end(table)
        return warm

    def at_hand(self, table: str) -> WarmTable | None:
        """A table as it was last brought up to date; None where nothing can be said of that."""
        warm = self._warm.get(table)
        return None if warm is None or warm.stale or warm.doubted else warm

    async def refresh(self, warm: WarmTable) -> None:
        """Fold what others appended."""
        async with store_errors():
            await warm.catch_up(self.store)

    async def _up_to_date(self, warm: WarmTable) -> WarmTable | None:
        """A table with all that stands in the store; None: the store holds another log now, or
        less of it, and nothing that was folded stands."""
        known = warm.live.head
        tip = await self.store.tip(warm.live.id)
        if tip is None or tip[0] < known.seq or (tip[0] == known.seq and tip[1] != known.hash):
            self.drop(warm)
            return None
        if tip[0] > known.seq:
            await warm.catch_up(self.store)
        warm.stale = False
        return warm

    def drop(self, warm: WarmTable) -> None:
        """Forget a table: it is folded again when somebody asks."""
        if self._warm.get(warm.live.id) is warm:
            del self._warm[warm.live.id]
        warm.gone = True
        warm.wake()

    def _make_room(self) -> None:
        for warm in self.warm()[: max(0, len(self._warm) - MOST_WARM)]:
            if not warm.followers and not warm.lock.locked():
                self.drop(warm)

    async def append(
        self,
        warm: WarmTable,
        live: LiveTable,
        drafts: Sequence[Draft],
        told: Sequence[Sequence[ev.AnyEvent]] = (),
        *,
        secret: Secret | None = None,
        grants: Sequence[Grant] = (),
        withdrawn: Sequence[Holder] = (),
        folded: Table | None = None,
    ) -> AppendOutcome:
        """Write drafts that were decided on ``live``, and fold them in; ``folded`` is the table
        after the first of them, where it is at hand. HallError 422, 503."""
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
            warm.stale = warm.doubted = True
            raise
        except EntryError as wrong:
            raise HallError(422, f"no entry can hold that: {wrong}") from None
        except StoreError as wrong:
            warm.stale = True  # it may stand or not
            if isinstance(wrong, ForkedError):
                self.drop(warm)
            raise unstorable(wrong) from None
        if isinstance(outcome, Appended):
            for number, entry in enumerate(outcome.entries):
                if entry.seq == warm.live.head.seq + 1:
                    known = told[number] if number < len(told) else None
                    text = outcome.texts[number] if outcome.texts else b""
                    warm.extend(entry, known, folded if warm.live is live else None, text)
        if not isinstance(outcome, Appended) or warm.live.head.seq < outcome.entries[-1].seq:
            warm.stale = True
            return outcome
        warm.turns.own(began, get_running_loop().time())
        self.store.bell.known(live.id, warm.live.head.seq)
        if waking.awake(live) != waking.awake(warm.live):
            await waking.note_played(self.store, warm.live)
        return outcome

    async def writable(self, warm: WarmTable) -> LiveTable:
        """A table as it stands, where this version may write to it. HallError 503 where not."""
        if self.store.shared and (wait := warm.turns.wait(get_running_loop().time())):
            await sleep(wait)
            warm.stale = True
        while True:
            if warm.stale:
                await self.refresh(warm)
            live = warm.live
            if live.moved:
                raise HallError(503, "the table has moved to another store, and goes on there")
            if older(VERSION, live.version):
                raise HallError(
                    503, f"the table is dealt by version {live.version}, and this is {VERSION}"
                )
            if not older(live.version, VERSION):
                return live
            more = {"act": "version", "version": VERSION}
            await self.append(warm, live, [Draft(role=MACHINE, by=MACHINE, more=more)])


def older(version: str, other: str) -> bool:
    """Whether a version came before another.

    >>> older("0.9.2", "0.10.0"), older("1.0", "1.0")
    (True, False)
    """
    return _numbers(version) < _numbers(other)


@lru_cache(64)
def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))
