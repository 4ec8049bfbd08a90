"""A hall: tables, those who speak at them, the machine that deals, and one log for each.

Catch up; was the id seen? may this role say it (403)? is it understood (422)? decide; append,
synced, under the next number; fold it in; only then answer. Who loses the number catches up and
decides again. Time, chance and the store come in from outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from secrets import token_bytes
from typing import Any, Final

from passline.live import (
    asks,
    following,
    inviting,
    live_table,
    lobbies,
    opening,
    post_sights,
    seating,
    sights,
    tending,
)
from passline.live.appends import Appended, StoreError
from passline.live.asks import HallError, OpenAnswer, OpenAsked, SayAnswer, SayAsked, ViewTold
from passline.live.clocks import HallClock, StoreClock, SystemClock
from passline.live.dice import is_nonce
from passline.live.entries import Entry
from passline.live.records import record_lines
from passline.live.seal import Sealer
from passline.live.speaking import Speaker
from passline.live.store import PAGE, Store
from passline.live.tables import Tables, store_errors
from passline.live.throws import Chance, HouseDice
from passline.live.tokens import Holder, grant, token_hash
from passline.live.views import view
from passline.live.warm import ToldEntries
from passline.live.working import WorkAsked, work_answers, work_sight, worked
from passline.school.reviews import Answered

#: Who holds the house key.
OPERATOR: Final = Holder("operator", "house")
#: Whoever reads an open table without a token.
WATCHER: Final = Holder("watcher")
_LONGEST_ID = 200
#: Entries of the log that a post's page lists to begin with.
_LISTED: Final = 200


class Hall:
    """The server's heart. ``start`` it, and ``stop`` it; the store is its owner's to close."""

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        clock: HallClock | None = None,
        chance: Chance = token_bytes,
        restored: bool = False,
    ) -> None:
        self.store, self.clock = store, StoreClock(store, clock or SystemClock())
        self.tables = Tables(store)
        self.dice = HouseDice(sealer, chance)
        self.stopping = asyncio.Event()
        self._chance, self._restored = chance, restored
        self._tender: asyncio.Task[None] | None = None
        self.speaker = Speaker(self.tables, self.dice, self.clock)
        self.tender = tending.Tender(self.tables, self.dice, self.clock)
        self.followers = following.Followers(self.tables, self.stopping, self.tender.look)

    # Opening and ending

    async def start(self, tend: bool = True) -> None:
        """Get ready: after a restore, commit anew at every table. ``tend``: the machine deals by
        itself; tests turn it by hand."""
        if self._restored:
            await tending.commit_all(self.tables, self.dice)
        if tend:
            self._tender = asyncio.create_task(self.tender.run(self.stopping))

    async def stop(self) -> None:
        """End the streams and the machine's dealing; keep what the lobby tells."""
        self.stopping.set()
        await self.followers.close()
        with suppress(StoreError):
            await lobbies.keep_rows(self.store, [warm.live for warm in self.tables.warm()])
        if self._tender is not None:
            self._tender.cancel()
            with suppress(asyncio.CancelledError):
                await self._tender

    async def open_table(self, asked: OpenAsked) -> OpenAnswer:
        """Open a table: its id, and a token for every role but operator and player."""
        while (opened := await self._open(inviting.new_id(self._chance), asked)) is None:
            pass  # there is such a table
        return opened

    async def _open(self, table: str, asked: OpenAsked) -> OpenAnswer | None:
        """Open a table under an id; None: there is one."""
        house = opening.house_asked(asked)
        settings = opening.settings_asked(asked, house)
        tokens = {role: self._chance(24).hex() for role in inviting.GIVEN}
        grants = [grant(token, role) for role, token in tokens.items()]
        sealed = self.dice.fresh(table)[1] if settings.dice == "secure" else None
        draft = opening.opening_draft(table, house, settings, sealed.commit if sealed else "")
        async with store_errors():
            outcome = await self.store.create(table, draft, secret=sealed, grants=grants)
        if not isinstance(outcome, Appended):
            return None
        with suppress(StoreError):  # the table stands; its line in the lobby can wait
            opened = live_table.opening(table, outcome.entries[0])
            await lobbies.keep_rows(self.store, [opened])
        return OpenAnswer(table, tokens)

    async def open_practice(self) -> None:
        """Where the store has no table at all, open one that anybody can sit down at. Servers
        that share it, and start together, open it under one id: the first of them does."""
        async with store_errors():
            tables = await self.store.tables()
        if not tables and self.store.shared:
            await self._open("practice", opening.PRACTICE)
        elif not tables:
            await self.open_table(opening.PRACTICE)

    async def close_table(self, table: str, request: str, holder: Holder = OPERATOR) -> SayAnswer:
        """Close a table: the floor's line."""
        return await self.say(table, holder, SayAsked(id=request, say="table closes"))

    async def reopen_table(self, table: str, request: str, holder: Holder = OPERATOR) -> SayAnswer:
        """Open a closed table again."""
        return await self.say(table, holder, SayAsked(id=request, say="table opens"))

    # Who may speak

    async def holder(self, table: str, token: str) -> Holder:
        """Whom a token speaks for. HallError 404 where there is no such table, 401."""
        warm = await self.tables.get(table)
        known = warm.holders.get(token_hash(token))
        if known is not None:
            return known
        withdrawn = warm.withdrawn
        async with store_errors():
            found = await self.store.holder(table, token)
        if found is None:
            raise HallError(401, "that token speaks for nobody at this table")
        if warm.withdrawn == withdrawn:  # else it may have been this one, after it was found
            warm.holders[token_hash(token)] = found
        return found

    async def known(self, token: str) -> bool:
        """Whether a token speaks for somebody at some table."""
        async with store_errors():
            return await self.store.known(token)

    async def reader(self, table: str, token: str = "") -> Holder:
        """Who reads a table: whoever holds a token, or anybody where it is open (a watcher)."""
        if token:
            return await self.holder(table, token)
        warm = await self.tables.get(table)
        if not warm.live.settings.open:
            raise HallError(401, "this table is not open: expected a token of it")
        return WATCHER

    async def invite(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> str:
        """A new token for a role at a table."""
        token = self._chance(24).hex()
        warm = await self.tables.get(table)
        await inviting.invite(self.tables, warm, by, Holder(role, name), token)
        return token

    async def withdraw(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> None:
        """Withdraw the tokens of a role that name nobody, or one name's; their streams end."""
        warm = await self.tables.get(table)
        await inviting.withdraw(self.tables, warm, by, Holder(role, name))

    async def sit(self, table: str, asked: asks.SeatAsked, invitation: str = "") -> asks.SeatAnswer:
        """Sit down: a name, a buy-in, a place. ``invitation``: the token that came with it."""
        wanted = seating.Wanted.of(asked, invitation, self._chance)
        warm = await self.tables.get(table)
        async with warm.lock:
            answer = await seating.take_seat(self.tables, warm, wanted)
        self.tender.look(warm)
        return answer

    # Saying

    async def say(
        self, table: str, holder: Holder, asked: SayAsked, *, found: bool = False
    ) -> SayAnswer:
        """Deal what somebody says. HallError where it is not carried out. ``found``: since it was
        asked the table was brought up to date once, when ``holder`` told who speaks."""
        if not (0 < len(asked.id) <= _LONGEST_ID and asked.id.isprintable()):
            raise HallError(400, f"id: expected 1 to {_LONGEST_ID} characters")
        if not is_nonce(asked.nonce):
            raise HallError(400, "nonce: expected up to 64 letters, digits, - and _")
        warm = (self.tables.at_hand(table) if found else None) or await self.tables.get(table)
        async with warm.lock:
            said = await self.speaker.said(warm, holder, asked)
        self.tender.look(warm)
        if isinstance(said, SayAnswer):
            return said
        return await self.speaker.again(warm, holder, asked, said)

    async def work(self, table: str, holder: Holder, asked: WorkAsked) -> dict[str, Any]:
        """Enter and mark a learner's work on the last throw. HallError where it is none of his."""
        if not (0 < len(asked.id) <= _LONGEST_ID and asked.id.isprintable()):
            raise HallError(400, f"id: expected 1 to {_LONGEST_ID} characters")
        warm = await self.tables.get(table)
        told = await worked(self.tables, warm, holder, asked)
        self.tender.look(warm)
        return told

    async def work_answers(self, table: str, seq: int, receipt: str) -> tuple[Answered, ...]:
        """A learner's work that was entered, as answers to be repeated. HallError 404: none is."""
        return await work_answers(self.tables, await self.tables.get(table), seq, receipt)

    async def owed(self, table: str, holder: Holder) -> dict[str, Any]:
        """What a learner has to do on the last throw."""
        warm = await self.tables.get(table)
        return work_sight(warm.live, holder, self.clock.now())

    # Reading

    async def view(self, table: str, holder: Holder = WATCHER) -> ViewTold:
        """A table as somebody sees it, everything shown that was acknowledged before."""
        warm = await self.tables.get(table)
        self.tender.look(warm)
        return view(warm.live, holder)

    async def sight(self, table: str, holder: Holder = WATCHER) -> dict[str, Any]:
        """Everything that somebody's page shows of a table."""
        warm = await self.tables.get(table)
        self.tender.look(warm)
        return sights.sight(warm.live, holder, self.clock.now())

    async def post(
        self, table: str, holder: Holder, player: str = "", after: int | None = None
    ) -> dict[str, Any]:
        """Everything that the page of somebody's post shows, and the log after a number: unless
        one is given, its last entries. HallError 403 for whoever is not of the crew."""
        warm = await self.tables.get(table)
        live = warm.live
        since = max(-1, live.head.seq - _LISTED if after is None else after)
        log = await self.entries(table, since)
        return post_sights.post_sight(live, holder, self.clock.now(), player, log)

    async def drawn(self, table: str, end: str, place: int) -> dict[str, Any]:
        """The felt of a table as one end sees it."""
        return sights.drawn((await self.tables.get(table)).live, end, place)

    async def entries(self, table: str, after: int = -1, limit: int = PAGE) -> list[Entry]:
        """The entries after a number, a thousand at most."""
        warm = await self.tables.get(table)
        near = warm.since(after)
        if near is None:
            async with store_errors():
                return await self.store.read(table, after, min(limit, PAGE))
        entries = []
        for told in near[:limit]:
            entries.append(told.entry)
            await self.store.breath.take()  # a page of them may be long
        return entries

    async def texts(self, table: str, after: int, limit: int = PAGE) -> list[bytes]:
        """The same as lines of the log: what is at hand is not decoded for it."""
        near = (await self.tables.get(table)).since(after)
        if near is not None:
            return [told.text for told in near[:limit]]
        await self.store.breath.take()
        return [entry.text() for entry in await self.entries(table, after, limit)]

    def follow(
        self, table: str, after: int = -1, holder: Holder = WATCHER
    ) -> AsyncIterator[ToldEntries]:
        """Entries from the one after a number, as they come. It ends when the hall stops, when
        the holder's token is withdrawn, and when who reads falls a thousand behind."""
        return self.followers.follow(table, after, holder)

    async def log(self, table: str) -> AsyncIterator[bytes]:
        """The whole log, one entry a line."""
        await self.tables.get(table)
        async with store_errors():
            async for entry in self.store.log(table):
                yield entry.text() + b"\n"

    async def record(self, table: str) -> str:
        """The game as a ``.craps`` record."""
        await self.tables.get(table)
        lines: list[str] = []
        async with store_errors():
            async for entry in self.store.log(table):
                lines += record_lines([entry])
        return "\n".join(lines) + "\n"

    async def lobby(self) -> list[dict[str, Any]]:
        """The open tables, for whoever comes in."""
        return await lobbies.lobby(self.tables)

    async def every_table(self) -> list[dict[str, Any]]:
        """Every table there is, as the operator sees them."""
        return await lobbies.every_table(self.tables)
