"""Speaking at a live table: a request becomes at most one entry, and always the same answer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from passline.live import asks, saying
from passline.live.appends import Appended, Secret, SeenBefore
from passline.live.asks import HallError, SayAnswer, SayAsked
from passline.live.clocks import StoreClock
from passline.live.dealing import deal, said_again, taken_down
from passline.live.entries import Draft, Entry
from passline.live.live_table import POSTS, LiveTable
from passline.live.pacing import day_over, may_throw
from passline.live.seating import turned_down
from passline.live.tables import Tables, store_errors
from passline.live.throws import HouseDice, machine_draft
from passline.live.tokens import Holder, voice
from passline.live.warm import WarmTable, stood
from passline.table import Table, codec
from passline.table import commands as cmd
from passline.table import events as ev


class _Plan(msgspec.Struct, frozen=True):
    """What a request comes to on a table as it stood: what is answered, and what is written."""

    said: tuple[asks.SayTaken, ...]
    drafts: tuple[Draft, ...] = ()
    told: tuple[Sequence[ev.AnyEvent], ...] = ()
    #: The table after the first draft's events, where it is at hand.
    folded: Table | None = None
    secret: Secret | None = None
    next: bytes = b""
    waits: bool = False


class Speaker:
    """Deals what is said, with the table's lock held."""

    def __init__(self, tables: Tables, dice: HouseDice, clock: StoreClock) -> None:
        self._tables, self._dice, self._clock = tables, dice, clock

    async def said(self, warm: WarmTable, holder: Holder, asked: SayAsked) -> SayAnswer | Entry:
        """The answer to a request, or the entry that its id wrote before. HallError where it is
        not carried out, and never was."""
        asker = (*voice(holder), asked.id)
        while True:
            live = await self._tables.writable(warm)
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
            outcome = await self._tables.append(
                warm, live, plan.drafts, plan.told, secret=plan.secret, folded=plan.folded
            )
            if isinstance(outcome, SeenBefore):
                warm.stale = True
                return outcome.entry
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
        if isinstance(heard, saying.ThrowSaid):
            async with store_errors():
                await self._clock.put_right()
            now = self._clock.now()
            refused = may_throw(live, holder.name, now) or day_over(live, now)
            if refused is not None:
                return _Plan((asks.SayTaken(heard.said, "roll", refused),))
            daily = bool(live.settings.daily)
            secret = b"" if daily else await self._dice.promised(self._tables, warm, live)
            if secret is None:
                await self._dice.commit_anew(self._tables, warm, live, "commit")
                return None
            thrown = self._dice.thrown(live, secret, asked.nonce, draft)
            said = (asks.SayTaken(heard.said, thrown.line, None),)
            return _Plan(
                said=said,
                drafts=tuple(thrown.drafts),
                told=tuple(thrown.told),
                secret=thrown.secret,
                next=thrown.next,
            )
        if isinstance(heard, saying.Acts):
            said = (asks.SayTaken(heard.said, heard.act, None),)
            down = taken_down(live, holder.name) if heard.act == "line-down" else []
            own = msgspec.structs.replace(draft, more={"act": heard.act, **heard.more})
            drafts = (own, *(machine_draft(one) for one in down))
            return _Plan(said, drafts, ((), *(one.events for one in down)))
        if isinstance(heard, saying.Does) and _waits(live, holder, heard.command):
            return _asks_box(live, draft, heard)
        dealt = deal(live, holder, heard)
        if not dealt.line:
            return _Plan(dealt.said)
        events = [codec.to_plain(event) for event in dealt.events]
        entry = msgspec.structs.replace(draft, line=dealt.line, events=events)
        again = said_again(live, dealt.events)
        drafts = (entry, *(machine_draft(one) for one in again))
        told = (dealt.events, *(one.events for one in again))
        return _Plan(dealt.said, drafts, told, folded=dealt.folded)

    async def _seen(self, warm: WarmTable, holder: Holder, asked: SayAsked) -> Entry | None:
        """The entry that an id wrote before, if it wrote one."""
        role, by = voice(holder)
        async with store_errors():
            return await self._tables.store.find(warm.live.id, role, by, asked.id)

    async def again(
        self, warm: WarmTable, holder: Holder, asked: SayAsked, entry: Entry
    ) -> SayAnswer:
        """The same answer once more, without the table's lock: what was decided stands. HallError
        409 where the words are others."""
        kept = warm.answers.get((*voice(holder), asked.id))
        if kept is not None and kept[0] == asked.say:
            said = kept[1].entries
        else:
            async with store_errors():
                before = await stood(self._tables.store, warm, entry.seq - 1)
            said = _same_words(before, holder, asked.say, entry)
        down = warm.live.turned_down.get(holder.name)
        if entry.act == "asks" and down is not None and down.seq == entry.seq:
            raise turned_down(holder.name, down)
        waits = entry.act == "asks" and holder.name in warm.live.asking
        return SayAnswer(seq=entry.seq, hash=entry.hash, entries=said, waits=waits)


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
) -> tuple[asks.SayTaken, ...]:
    """What was answered to these words on the table that they were said to, if the entry holds
    what came of them. HallError 409 where it does not."""
    if holder.role in POSTS:
        holder = Holder(holder.role)  # whoever has relieved the post since
    other = HallError(409, "that id wrote another line here: expected an id of its own")
    try:
        heard = saying.hear(before, holder, text)
        if isinstance(heard, saying.ThrowSaid):
            if entry.fair is not None or "daily" in entry.more:
                return (asks.SayTaken(heard.said, entry.line, None),)
            raise other
        if isinstance(heard, saying.Acts):
            if entry.more == {"act": heard.act, **heard.more}:
                return (asks.SayTaken(heard.said, heard.act, None),)
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
