"""Handle a line that a client sends to a live table, and write the entry that it causes.

One request writes at most one entry of its own; entries of the machine may follow it, such as
repeated line bets. A request that is sent again gets the same answer. This module reads the store
and the clock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.live import parse_line, schema
from passline.live.decide_line import decide_line
from passline.live.decided_line import make_machine_draft
from passline.live.line_bet_repeats import repeat_line_bets, take_line_bets_down
from passline.live.live_table import LiveTable
from passline.live.log_entries import Draft, Entry
from passline.live.repeated_requests import find_earlier_entry
from passline.live.scheduled_actions import (
    refuse_after_day,
    refuse_published_day,
    refuse_throw,
)
from passline.live.schema import LineOutcome, LineRequest, ServiceError
from passline.live.store import Appended, DuplicateRequest, Secret, StoreClock
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors
from passline.live.throw_with_proof import HouseDice
from passline.live.tokens import Holder, entry_author


class _LinePlan(msgspec.Struct, frozen=True):
    """The entries and the answer that a request leads to, if the table does not change first.

    ``drafts`` are the entries to write, if any, and ``draft_events`` the events of each, if known.
    A throw has the new dice secret in ``next``, and in ``secret`` its commitment and the encrypted
    secret; a Daily's throw has neither. ``pending`` means that the boxperson must agree first.
    """

    decisions: tuple[schema.LineDecision, ...]
    drafts: tuple[Draft, ...] = ()
    draft_events: tuple[Sequence[ev.AnyEvent], ...] = ()
    #: The table after the first draft's events, if it is known.
    table_after: Table | None = None
    secret: Secret | None = None
    next: bytes = b""
    pending: bool = False


class LineHandler:
    """Decides and appends the lines that clients send. The caller must hold the table's lock.

    ``check_reopening`` raises ServiceError if the holder may not open a closed table again.
    """

    def __init__(
        self,
        tables: TableCache,
        dice: HouseDice,
        clock: StoreClock,
        check_reopening: Callable[[LiveTable, Holder], Awaitable[None]],
    ) -> None:
        self._tables, self._dice, self._clock = tables, dice, clock
        self._check_reopening = check_reopening

    async def handle(
        self, cached: CachedTable, holder: Holder, request: LineRequest
    ) -> LineOutcome | Entry:
        """Decide a line, append it to the log, and return the answer.

        If the same request id wrote an entry before, write nothing and return that entry;
        `repeated_requests` makes the answer from it. Raise ServiceError if the holder may not say
        the line, or it was not understood.
        """
        asker = (*entry_author(holder), request.id)
        while True:
            live = await self._tables.require_writable(cached)
            try:
                plan = await self._plan(cached, live, holder, request)
            except ServiceError:
                seen = await find_earlier_entry(self._tables.store, cached, holder, request)
                if seen is None:
                    raise
                return seen
            if plan is None:
                continue
            if not plan.drafts:
                seen = await find_earlier_entry(self._tables.store, cached, holder, request)
                return seen or LineOutcome(seq=None, hash=None, entries=plan.decisions)
            outcome = await self._tables.append(
                cached,
                live,
                plan.drafts,
                plan.draft_events,
                secret=plan.secret,
                table_after=plan.table_after,
            )
            if plan.secret is not None:
                self._dice.record_outcome(live.id, outcome, plan.secret)
            if isinstance(outcome, DuplicateRequest):
                cached.stale = True
                return outcome.entry
            if isinstance(outcome, Appended):
                cached.secret = plan.next or cached.secret
                seq, hash_ = outcome.entries[0].seq, outcome.entries[0].hash
                decisions, pending = plan.decisions, plan.pending
                answer = LineOutcome(seq=seq, hash=hash_, entries=decisions, pending=pending)
                cached.save_answer(asker, request.say, answer)
                return answer

    async def _plan(
        self, cached: CachedTable, live: LiveTable, holder: Holder, request: LineRequest
    ) -> _LinePlan | None:
        """Decide what a request writes and answers on the state ``live``.

        Return None if a new dice commitment had to be written first. The state has changed then, so
        that the caller must plan again.
        """
        parsed = parse_line.parse_line(live, holder, request.say)
        role, by = entry_author(holder)
        draft = Draft(role=role, by=by, id=request.id)
        if isinstance(parsed, parse_line.ThrowRequest):
            async with translate_store_errors():
                await self._clock.synchronize()
            now = cached.read_time(self._clock.now())
            refused = refuse_throw(live, holder.name, now) or refuse_after_day(live, now)
            if refused is not None:
                return _LinePlan((schema.LineDecision(parsed.text, "roll", refused),))
            daily, store = live.settings.daily, self._tables.store
            if daily:
                # Asked after the state was read: a bet that is made later changes the log's head,
                # and then this throw is not written.
                async with translate_store_errors():
                    if await self._dice.is_published(store, daily):
                        refused = refuse_published_day(daily)
                        return _LinePlan((schema.LineDecision(parsed.text, "roll", refused),))
            secret = b"" if daily else await self._dice.find_secret(self._tables, cached, live)
            if secret is None and await find_earlier_entry(store, cached, holder, request):
                return _LinePlan(())  # The request was sent again: it writes nothing.
            if secret is None:
                await self._dice.recommit(self._tables, cached, live, "commit")
                return None
            thrown = self._dice.make_throw(live, secret, request.nonce, draft)
            said = (schema.LineDecision(parsed.text, thrown.line, None),)
            return _LinePlan(
                decisions=said,
                drafts=tuple(thrown.drafts),
                draft_events=tuple(thrown.draft_events),
                secret=thrown.secret,
                next=thrown.next,
            )
        if isinstance(parsed, parse_line.TableAct):
            said = (schema.LineDecision(parsed.text, parsed.act, None),)
            down = take_line_bets_down(live, holder.name) if parsed.act == "line-down" else []
            own = msgspec.structs.replace(draft, more={"act": parsed.act, **parsed.more})
            drafts = (own, *(make_machine_draft(one) for one in down))
            return _LinePlan(said, drafts, ((), *(one.events for one in down)))
        if isinstance(parsed, parse_line.TableCommand) and _needs_box(live, holder, parsed.command):
            return _plan_box_request(live, draft, parsed)
        decided = decide_line(live, holder, parsed)
        if not decided.line:
            return _LinePlan(decided.decisions)
        if isinstance(parsed, parse_line.TableCommand) and isinstance(
            parsed.command, cmd.OpenTable
        ):
            await self._check_reopening(live, holder)
        events = [codec.event_to_builtins(event) for event in decided.events]
        entry = msgspec.structs.replace(draft, line=decided.line, events=events, more=decided.more)
        again = repeat_line_bets(live, decided.events)
        drafts = (entry, *(make_machine_draft(one) for one in again))
        draft_events = (decided.events, *(one.events for one in again))
        return _LinePlan(decided.decisions, drafts, draft_events, table_after=decided.table_after)


def _needs_box(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> bool:
    """Return whether a command is a player's buy-in to which the boxperson must agree first."""
    asks_box = live.settings.buy_ins == "box" and holder.role == "player"
    return asks_box and isinstance(command, cmd.BuyIn)


def _plan_box_request(live: LiveTable, draft: Draft, parsed: parse_line.TableCommand) -> _LinePlan:
    """Return the plan of an entry that asks the boxperson to accept a buy-in.

    If the engine refuses the buy-in at once, the plan writes nothing and has the refusal.
    """
    decided = decide_line(live, Holder("player", draft.by), parsed)
    if not decided.line:
        return _LinePlan(decided.decisions)
    assert isinstance(parsed.command, cmd.BuyIn)
    more = {"act": "asks", "amount": parsed.command.amount, "place": 0}
    return _LinePlan(decided.decisions, (msgspec.structs.replace(draft, more=more),), pending=True)
