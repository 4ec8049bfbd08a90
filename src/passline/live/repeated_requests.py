"""The answer to a request that was sent again: the same as the first time, and nothing is written.

A client sends a request again, with the same id, if it did not receive the answer. The answer comes
from memory, or the line is decided again on the table as it was before.
"""

from __future__ import annotations

from passline.game.table import commands as cmd
from passline.live.decide_line import decide_line
from passline.live.live_table import POST_NAMES, LiveTable
from passline.live.log_entries import Entry
from passline.live.parse_line import TableAct, TableCommand, ThrowRequest, parse_line
from passline.live.schema import LineDecision, LineOutcome, LineRequest, ServiceError
from passline.live.seats import make_declined_error
from passline.live.store import Store
from passline.live.table_cache import CachedTable, load_table_at, translate_store_errors
from passline.live.tokens import Holder, entry_author


async def find_earlier_entry(
    store: Store, cached: CachedTable, holder: Holder, request: LineRequest
) -> Entry | None:
    """Return the entry that a request with the same id wrote before, or None."""
    role, by = entry_author(holder)
    async with translate_store_errors():
        return await store.find(cached.live.id, role, by, request.id)


async def repeat_answer(
    store: Store, cached: CachedTable, holder: Holder, request: LineRequest, entry: Entry
) -> LineOutcome:
    """Return the answer to a request that was sent again. ``entry`` is what it wrote before.

    The caller need not hold the lock. Raise ServiceError if the earlier request had another
    line.
    """
    answered = cached.answers.get((*entry_author(holder), request.id))
    if answered is not None and answered[0] == request.say:
        said = answered[1].entries
    else:
        async with translate_store_errors():
            before = await load_table_at(store, cached, entry.seq - 1)
        said = _find_same_answer(before, holder, request.say, entry)
    down = cached.live.declined_buy_ins.get(holder.name)
    if entry.act == "asks" and down is not None and down.seq == entry.seq:
        raise make_declined_error(holder.name, down)
    pending = entry.act == "asks" and holder.name in cached.live.buy_in_requests
    return LineOutcome(seq=entry.seq, hash=entry.hash, entries=said, pending=pending)


def _find_same_answer(
    before: LiveTable, holder: Holder, text: str, entry: Entry
) -> tuple[LineDecision, ...]:
    """Compute the answer to a line again, for a request that was sent again.

    ``entry`` is what the request wrote, and ``before`` the state before it. Raise ServiceError if
    ``text`` is not the line that wrote it.
    """
    if holder.role in POST_NAMES:
        holder = Holder(holder.role)  # Another person may have taken over the post since.
    other = ServiceError("repeated-id")
    try:
        parsed = parse_line(before, holder, text)
        if isinstance(parsed, ThrowRequest):
            if entry.fair is not None or "daily" in entry.more:
                return (LineDecision(parsed.text, entry.line, None),)
            raise other
        if isinstance(parsed, TableAct):
            if entry.more == {"act": parsed.act, **parsed.more}:
                return (LineDecision(parsed.text, parsed.act, None),)
            raise other
        decided = decide_line(before, holder, parsed)
    except ServiceError:
        raise other from None
    request = isinstance(parsed, TableCommand) and isinstance(parsed.command, cmd.BuyIn)
    if request and entry.act == "asks" and entry.more["amount"] == parsed.command.amount:  # type: ignore[union-attr]
        return decided.decisions
    if decided.line != entry.line or not decided.line:
        raise other
    return decided.decisions
