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

import msgspec

from passline.live import asks, following, inviting, lobbies, opening, saying, seating, tending
from passline.live.appends import Appended, Seen
from passline.live.asks import HallError, OpenAnswer, OpenAsked, SayAnswer, SayAsked, View
from passline.live.clocks import Clock, SystemClock
from passline.live.dealing import deal
from passline.live.dice import is_nonce
from passline.live.entries import Draft, Entry
from passline.live.live_table import LiveTable
from passline.live.pacing import may_throw
from passline.live.records import record_lines
from passline.live.seal import Sealer
from passline.live.store import PAGE, Store
from passline.live.tables import Tables, store_errors
from passline.live.throws import Chance, HouseDice
from passline.live.tokens import Holder, grant
from passline.live.views import view
from passline.live.warm import Told, WarmTable, folded
from passline.table import codec
from passline.table import commands as cmd

#: Who holds the house key.
OPERATOR: Final = Holder("operator", "house")
#: Whoever reads an open table without a token.
WATCHER: Final = Holder("watcher")
_LONGEST_ID = 200


class _Plan(msgspec.Struct, frozen=True):
    """What a request comes to on a table as it stood: what is answered, and what is written."""

    said: tuple[asks.Taken, ...]
    drafts: tuple[Draft, ...] = ()
    told: tuple[Any, ...] = ()
    secret: Any = None
    next: bytes = b""
    waits: bool = False


class Hall:
    """The server's heart. ``start`` it, and ``stop`` it; the store is its owner's to close."""

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        clock: Clock | None = None,
        chance: Chance = token_bytes,
        restored: bool = False,
    ) -> None:
        self.store, self.clock = store, clock or SystemClock()
        self.tables = Tables(store)
        self.dice = HouseDice(sealer, chance)
        self.stopping = asyncio.Event()
        self._chance, self._restored = chance, restored
        self._tender: asyncio.Task[None] | None = None
        self.tender = tending.Tender(self.tables, self.dice, self.clock)
        self.followers = following.Followers(self.tables, self.stopping)

    # Opening and ending

    async def start(self, tend: bool = True) -> None:
        """Get ready: after a restore, commit anew at every table. ``tend``: the machine deals by
        itself; tests turn it by hand."""
        if self._restored:
            await tending.commit_all(self.tables, self.dice)
        if tend:
            self._tender = asyncio.create_task(self.tender.run(self.stopping))

    async def stop(self) -> None:
        """End the streams and the machine's dealing."""
        self.stopping.set()
        await self.followers.close()
        if self._tender is not None:
            self._tender.cancel()
            with suppress(asyncio.CancelledError):
                await self._tender

    async def open_table(self, asked: OpenAsked) -> OpenAnswer:
        """Open a table: its id, and a token for every role but operator and player."""
        house = await asyncio.to_thread(opening.house_asked, asked)
        settings = opening.settings_asked(asked, house)
        tokens = {role: self._chance(24).hex() for role in inviting.GIVEN}
        grants = [grant(token, role) for role, token in tokens.items()]
        while True:
            table = inviting.new_id(self._chance)
            sealed = self.dice.fresh(table)[1] if settings.dice == "secure" else None
            draft = opening.opening_draft(house, settings, sealed.commit if sealed else "")
            async with store_errors():
                outcome = await self.store.create(table, draft, secret=sealed, grants=grants)
            if isinstance(outcome, Appended):
                return OpenAnswer(table, tokens)

    async def close_table(self, table: str, request: str, holder: Holder = OPERATOR) -> SayAnswer:
        """Close a table: the floor's line."""
        return await self.say(table, holder, SayAsked(id=request, say="table closes"))

    async def reopen_table(self, table: str, request: str, holder: Holder = OPERATOR) -> SayAnswer:
        """Open a closed table again."""
        return await self.say(table, holder, SayAsked(id=request, say="table opens"))

    # Who may speak

    async def holder(self, table: str, token: str) -> Holder:
        """Whom a token speaks for. HallError 404 where there is no such table, 401."""
        await self.tables.get(table)
        async with store_errors():
            found = await self.store.holder(table, token)
        if found is None:
            raise HallError(401, "that token speaks for nobody at this table")
        return found

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
        """Withdraw the tokens of a role, or of one name in it; their streams end at once."""
        warm = await self.tables.get(table)
        await inviting.withdraw(self.tables, warm, by, Holder(role, name))

    async def sit(self, table: str, asked: asks.SeatAsked, invitation: str = "") -> asks.SeatAnswer:
        """Sit down: a name, a buy-in, a place. ``invitation``: the token that came with it."""
        wanted = seating.Wanted.of(asked, invitation, self._chance)
        warm = await self.tables.get(table)
        async with warm.lock:
            answer = await seating.sit(self.tables, warm, wanted)
        self.tender.look(warm)
        return answer

    # Saying

    async def say(self, table: str, holder: Holder, asked: SayAsked) -> SayAnswer:
        """Deal what somebody says. HallError where it is not carried out."""
        if not (0 < len(asked.id) <= _LONGEST_ID and asked.id.isprintable()):
            raise HallError(400, f"id: expected 1 to {_LONGEST_ID} characters")
        if not is_nonce(asked.nonce):
            raise HallError(400, "nonce: expected up to 64 letters, digits, - and _")
        warm = await self.tables.get(table)
        async with warm.lock:
            answer = await self._said(warm, holder, asked)
        self.tender.look(warm)
        return answer

    async def _said(self, warm: WarmTable, holder: Holder, asked: SayAsked) -> SayAnswer:
        asker = (*voice(holder), asked.id)
        while True:
            live = await self.tables.writable(warm)
            try:
                plan = await self._planned(warm, live, holder, asked)
            except HallError:
                seen = await self._seen(warm, holder, asked)
                if seen is None:
                    raise
                return seen
            if plan is None:
                continue
            if not plan.drafts:
                seen = await self._seen(warm, holder, asked)
                return seen or SayAnswer(seq=None, hash=None, entries=plan.said)
            outcome = await self.tables.append(
                warm, live, plan.drafts, plan.told, secret=plan.secret
            )
            if isinstance(outcome, Seen):
                warm.stale = True
                return await self._again(warm, holder, asked, outcome.entry)
            if isinstance(outcome, Appended):
                first = outcome.entries[0]
                if plan.next:
                    warm.secret = plan.next
                answer = SayAnswer(
                    seq=first.seq, hash=first.hash, entries=plan.said, waits=plan.waits
                )
                warm.answered(asker, asked.say, answer)
                return answer

    async def _planned(
        self, warm: WarmTable, live: LiveTable, holder: Holder, asked: SayAsked
    ) -> _Plan | None:
        """What a request comes to; None: the dice were committed anew, and it is asked again."""
        heard = saying.hear(live, holder, asked.say)
        role, by = voice(holder)
        draft = Draft(role=role, by=by, id=asked.id)
        if isinstance(heard, saying.Throws):
            refused = may_throw(live, holder.name, self.clock.now())
            if refused is not None:
                return _Plan((asks.Taken(heard.said, "roll", refused),))
            secret = await self.dice.promised(self.tables, warm, live)
            if secret is None:
                await self.dice.commit_anew(self.tables, warm, live, "commit")
                return None
            thrown = self.dice.thrown(live, secret, asked.nonce, draft)
            said = (asks.Taken(heard.said, thrown.line, None),)
            return _Plan(said, tuple(thrown.drafts), tuple(thrown.told), thrown.secret, thrown.next)
        if isinstance(heard, saying.Acts):
            said = (asks.Taken(heard.said, heard.act, None),)
            return _Plan(said, (msgspec.structs.replace(draft, more={"act": heard.act}),))
        if isinstance(heard, saying.Does) and _waits(live, holder, heard.command):
            return _asks_box(live, draft, heard)
        dealt = deal(live, holder, heard)
        if not dealt.line:
            return _Plan(dealt.said)
        events = [codec.to_plain(event) for event in dealt.events]
        entry = msgspec.structs.replace(draft, line=dealt.line, events=events)
        return _Plan(dealt.said, (entry,), (dealt.events,))

    async def _seen(self, warm: WarmTable, holder: Holder, asked: SayAsked) -> SayAnswer | None:
        """The answer of the entry that an id wrote before, if it wrote one."""
        role, by = voice(holder)
        async with store_errors():
            entry = await self.store.find(warm.live.id, role, by, asked.id)
        return None if entry is None else await self._again(warm, holder, asked, entry)

    async def _again(
        self, warm: WarmTable, holder: Holder, asked: SayAsked, entry: Entry
    ) -> SayAnswer:
        """The same answer once more. HallError 409 where the words are others."""
        kept = warm.answers.get((*voice(holder), asked.id))
        if kept is not None and kept[0] == asked.say:
            said = kept[1].entries
        else:
            async with store_errors():
                before = await folded(self.store, warm.live.id, entry.seq - 1)
            said = _same_words(before, holder, asked.say, entry)
        waits = entry.act == "asks" and holder.name in warm.live.asking
        return SayAnswer(seq=entry.seq, hash=entry.hash, entries=said, waits=waits)

    # Reading

    async def view(self, table: str, holder: Holder = WATCHER) -> View:
        """A table as somebody sees it, everything shown that was acknowledged before."""
        warm = await self.tables.get(table)
        self.tender.look(warm)
        return view(warm.live, holder)

    async def entries(self, table: str, after: int = -1, limit: int = PAGE) -> list[Entry]:
        """The entries after a number, a thousand at most."""
        warm = await self.tables.get(table)
        near = warm.since(after)
        if near is not None:
            return [told.entry for told in near[:limit]]
        async with store_errors():
            return await self.store.read(table, after, min(limit, PAGE))

    def follow(self, table: str, after: int = -1, holder: Holder = WATCHER) -> AsyncIterator[Told]:
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


def voice(holder: Holder) -> tuple[str, str]:
    """Whose words an entry holds: its ``role`` and ``by``. A post speaks with one voice, whatever
    token and whoever's: so an id that wrote an entry is known again."""
    return holder.role, holder.name if holder.role == "player" else _BY.get(
        holder.role, holder.role
    )


_BY: Final = {"operator": "house"}


def _waits(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> bool:
    asks_box = live.settings.buy_ins == "box" and holder.role == "player"
    return asks_box and isinstance(command, cmd.BuyIn)


def _asks_box(live: LiveTable, draft: Draft, heard: saying.Does) -> _Plan:
    """A buy-in that the box is asked for: it waits, unless the table refuses it at once."""
    dealt = deal(live, Holder("player", draft.by), heard)
    if not dealt.line:
        return _Plan(dealt.said)
    assert isinstance(heard.command, cmd.BuyIn)
    more = {"act": "asks", "amount": heard.command.amount, "place": 0}
    return _Plan(dealt.said, (msgspec.structs.replace(draft, more=more),), waits=True)


def _same_words(
    before: LiveTable, holder: Holder, text: str, entry: Entry
) -> tuple[asks.Taken, ...]:
    """What was answered to these words on the table that they were said to, if the entry holds
    what came of them. HallError 409 where it does not."""
    other = HallError(409, "that id wrote another line here: expected an id of its own")
    try:
        heard = saying.hear(before, holder, text)
        if isinstance(heard, saying.Throws):
            if entry.fair is not None:
                return (asks.Taken(heard.said, entry.line, None),)
            raise other
        if isinstance(heard, saying.Acts):
            if entry.act == heard.act:
                return (asks.Taken(heard.said, heard.act, None),)
            raise other
        dealt = deal(before, holder, heard)
    except HallError:
        raise other from None
    asked = isinstance(heard, saying.Does) and isinstance(heard.command, cmd.BuyIn)
    if asked and entry.act == "asks" and entry.more["amount"] == heard.command.amount:  # type: ignore[union-attr]
        return dealt.said
    if dealt.line != entry.line or not dealt.line:
        raise other
    return dealt.said
