"""Speaking at a live table: a request becomes at most one entry, and always the same answer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.live import parse_line, requests
from passline.live.entries import Draft, Entry
from passline.live.house_dice import HouseDice, make_machine_draft
from passline.live.live_table import POST_NAMES, LiveTable
from passline.live.parse_line import decide_line, repeat_line_bets, take_line_bets_down
from passline.live.requests import LineOutcome, LineRequest, ServiceError
from passline.live.schedule import refuse_after_day, refuse_throw
from passline.live.seats import make_declined_error
from passline.live.store import Appended, DuplicateRequest, Secret, StoreClock
from passline.live.table_cache import CachedTable, TableCache, load_table_at, translate_store_errors
from passline.live.tokens import Holder, entry_author


class _LinePlan(msgspec.Struct, frozen=True):
    """What a request comes to on a table as it stood: what is answered, and what is written."""

    said: tuple[requests.LineDecision, ...]
    drafts: tuple[Draft, ...] = ()
    told: tuple[Sequence[ev.AnyEvent], ...] = ()
    #: The table after the first draft's events, where it is at hand.
    folded: Table | None = None
    secret: Secret | None = None
    next: bytes = b""
    waits: bool = False


class LineHandler:
    """Deals what is said, with the table's lock held."""

    def __init__(self, tables: TableCache, dice: HouseDice, clock: StoreClock) -> None:
        self._tables, self._dice, self._clock = tables, dice, clock

    async def said(
        self, warm: CachedTable, holder: Holder, asked: LineRequest
    ) -> LineOutcome | Entry:
        """The answer to a request, or the entry that its id wrote before. ServiceError where it is
        not carried out, and never was."""
        asker = (*entry_author(holder), asked.id)
        while True:
            live = await self._tables.writable(warm)
            try:
                plan = await self._planned(warm, live, holder, asked)
            except ServiceError:
                seen = await self._seen(warm, holder, asked)
                if seen is None:
                    raise
                return seen
            if plan is None:
                continue
            if not plan.drafts:
                seen = await self._seen(warm, holder, asked)
                return seen or LineOutcome(seq=None, hash=None, entries=plan.said)
            outcome = await self._tables.append(
                warm, live, plan.drafts, plan.told, secret=plan.secret, folded=plan.folded
            )
            if isinstance(outcome, DuplicateRequest):
                warm.stale = True
                return outcome.entry
            if isinstance(outcome, Appended):
                first = outcome.entries[0]
                if plan.next:
                    warm.secret = plan.next
                answer = LineOutcome(
                    seq=first.seq, hash=first.hash, entries=plan.said, waits=plan.waits
                )
                warm.answered(asker, asked.say, answer)
                return answer

    async def _planned(
        self, warm: CachedTable, live: LiveTable, holder: Holder, asked: LineRequest
    ) -> _LinePlan | None:
        """What a request comes to; None: the dice were committed anew, and it is asked again."""
        heard = parse_line.parse_line(live, holder, asked.say)
        role, by = entry_author(holder)
        draft = Draft(role=role, by=by, id=asked.id)
        if isinstance(heard, parse_line.ThrowRequest):
            async with translate_store_errors():
                await self._clock.synchronize()
            now = self._clock.now()
            refused = refuse_throw(live, holder.name, now) or refuse_after_day(live, now)
            if refused is not None:
                return _LinePlan((requests.LineDecision(heard.said, "roll", refused),))
            daily = bool(live.settings.daily)
            secret = b"" if daily else await self._dice.promised(self._tables, warm, live)
            if secret is None:
                await self._dice.recommit(self._tables, warm, live, "commit")
                return None
            thrown = self._dice.thrown(live, secret, asked.nonce, draft)
            said = (requests.LineDecision(heard.said, thrown.line, None),)
            return _LinePlan(
                said=said,
                drafts=tuple(thrown.drafts),
                told=tuple(thrown.told),
                secret=thrown.secret,
                next=thrown.next,
            )
        if isinstance(heard, parse_line.TableAct):
            said = (requests.LineDecision(heard.said, heard.act, None),)
            down = take_line_bets_down(live, holder.name) if heard.act == "line-down" else []
            own = msgspec.structs.replace(draft, more={"act": heard.act, **heard.more})
            drafts = (own, *(make_machine_draft(one) for one in down))
            return _LinePlan(said, drafts, ((), *(one.events for one in down)))
        if isinstance(heard, parse_line.TableCommand) and _needs_box(live, holder, heard.command):
            return _plan_box_request(live, draft, heard)
        dealt = decide_line(live, holder, heard)
        if not dealt.line:
            return _LinePlan(dealt.said)
        events = [codec.event_to_builtins(event) for event in dealt.events]
        entry = msgspec.structs.replace(draft, line=dealt.line, events=events)
        again = repeat_line_bets(live, dealt.events)
        drafts = (entry, *(make_machine_draft(one) for one in again))
        told = (dealt.events, *(one.events for one in again))
        return _LinePlan(dealt.said, drafts, told, folded=dealt.folded)

    async def _seen(self, warm: CachedTable, holder: Holder, asked: LineRequest) -> Entry | None:
        """The entry that an id wrote before, if it wrote one."""
        role, by = entry_author(holder)
        async with translate_store_errors():
            return await self._tables.store.find(warm.live.id, role, by, asked.id)

    async def again(
        self, warm: CachedTable, holder: Holder, asked: LineRequest, entry: Entry
    ) -> LineOutcome:
        """The same answer once more, without the table's lock: what was decided stands. ServiceError
        409 where the words are others."""  # noqa: E501
        kept = warm.answers.get((*entry_author(holder), asked.id))
        if kept is not None and kept[0] == asked.say:
            said = kept[1].entries
        else:
            async with translate_store_errors():
                before = await load_table_at(self._tables.store, warm, entry.seq - 1)
            said = _find_same_answer(before, holder, asked.say, entry)
        down = warm.live.turned_down.get(holder.name)
        if entry.act == "asks" and down is not None and down.seq == entry.seq:
            raise make_declined_error(holder.name, down)
        waits = entry.act == "asks" and holder.name in warm.live.asking
        return LineOutcome(seq=entry.seq, hash=entry.hash, entries=said, waits=waits)


def _needs_box(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> bool:
    asks_box = live.settings.buy_ins == "box" and holder.role == "player"
    return asks_box and isinstance(command, cmd.BuyIn)


def _plan_box_request(live: LiveTable, draft: Draft, heard: parse_line.TableCommand) -> _LinePlan:
    """A buy-in that the box is asked for: it waits, unless the table refuses it at once."""
    dealt = decide_line(live, Holder("player", draft.by), heard)
    if not dealt.line:
        return _LinePlan(dealt.said)
    assert isinstance(heard.command, cmd.BuyIn)
    more = {"act": "asks", "amount": heard.command.amount, "place": 0}
    return _LinePlan(dealt.said, (msgspec.structs.replace(draft, more=more),), waits=True)


def _find_same_answer(
    before: LiveTable, holder: Holder, text: str, entry: Entry
) -> tuple[requests.LineDecision, ...]:
    """What was answered to these words on the table that they were said to, if the entry holds
    what came of them. ServiceError (``conflict``) where it does not."""
    if holder.role in POST_NAMES:
        holder = Holder(holder.role)  # whoever has relieved the post since
    other = ServiceError("conflict", "that id wrote another line here: expected an id of its own")
    try:
        heard = parse_line.parse_line(before, holder, text)
        if isinstance(heard, parse_line.ThrowRequest):
            if entry.fair is not None or "daily" in entry.more:
                return (requests.LineDecision(heard.said, entry.line, None),)
            raise other
        if isinstance(heard, parse_line.TableAct):
            if entry.more == {"act": heard.act, **heard.more}:
                return (requests.LineDecision(heard.said, heard.act, None),)
            raise other
        dealt = decide_line(before, holder, heard)
    except ServiceError:
        raise other from None
    asked = isinstance(heard, parse_line.TableCommand) and isinstance(heard.command, cmd.BuyIn)
    if asked and entry.act == "asks" and entry.more["amount"] == heard.command.amount:  # type: ignore[union-attr]
        return dealt.said
    if dealt.line != entry.line or not dealt.line:
        raise other
    return dealt.said
