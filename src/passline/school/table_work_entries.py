"""A learner's work at a live table: what there is to do, and its entry once it is done."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any

from msgspec import Struct, to_builtins

from passline.game.words.wagers import layout_name
from passline.live.entries import Draft, Entry
from passline.live.live_table import LiveTable, parse_time
from passline.live.requests import ServiceError
from passline.live.store import Appended
from passline.live.table_cache import CachedTable, TableCache, load_table_at, translate_store_errors
from passline.live.tokens import Holder, entry_author
from passline.school.answer_log import AnswerRecord
from passline.school.table_work import (
    MarkedWork,
    find_owed_work,
    learner_deadline,
    list_learner_posts,
    list_post_wagers,
    mark_work,
    read_work_steps,
    require_work_allowed,
)


class WorkRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/tables/T/work``: the steps of a throw; a payoff as ``chips`` by colour."""

    id: str
    throw: int
    steps: Any = ()


async def enter_work(
    tables: TableCache, warm: CachedTable, holder: Holder, asked: WorkRequest
) -> dict[str, Any]:
    """Enter a learner's work on the last throw, marked. ServiceError where it is not his to do, or
    too late."""
    role, by = entry_author(holder)
    async with warm.lock:
        while True:
            live = await tables.writable(warm)
            async with translate_store_errors():
                seen = await tables.store.find(live.id, role, by, asked.id)
            if seen is not None and seen.act != "worked":
                raise ServiceError(
                    409, "that id wrote another line here: expected an id of its own"
                )
            if seen is not None:  # sent twice: marked as it was on the table that it was said to
                async with translate_store_errors():
                    before = await load_table_at(tables.store, warm, seen.seq - 1)
                return _mark_json(before, seen, mark_work(before, role, seen.more["steps"]))
            require_work_allowed(live, role, asked.throw)
            mark = mark_work(live, role, read_work_steps(live, asked.steps))
            draft = Draft(role=role, by=by, id=asked.id, more=mark.entered(asked.throw))
            outcome = await tables.append(warm, live, [draft])
            if isinstance(outcome, Appended):
                return _mark_json(live, outcome.entries[0], mark)


def _mark_json(live: LiveTable, entry: Entry, mark: MarkedWork) -> dict[str, Any]:
    """A mark in words, with the clauses."""
    book = live.table.house.book.id
    faults = [
        {"kind": fault.kind, "words": fault.words, "cite": _qualify_cite(book, fault.cite)}
        for fault in mark.faults
    ]
    marks = [
        {**to_builtins(one), "cite": _qualify_cite(book, one.cite)} for one in mark.done.marks()
    ]
    told = {"seq": entry.seq, "hash": entry.hash, "right": not faults, "faults": faults}
    return {**told, "marks": marks}


def make_work_receipt(token_hash: str, entry_hash: str) -> str:
    """What whoever sent some work can show for it, and no reader of the log: it hangs by the hash
    of the post's token, which only the store has."""
    return sha256(f"{token_hash} {entry_hash}".encode()).hexdigest()


async def read_work_answers(
    tables: TableCache, warm: CachedTable, seq: int, receipt: str
) -> tuple[AnswerRecord, ...]:
    """Work that was entered, as answers that a learner repeats. ServiceError 404 where this entry is
    no such work, or the receipt is not that of the post's holder."""  # noqa: E501
    nothing = ServiceError(404, "there is no such work at that table")
    if not 0 < seq <= warm.live.head.seq:
        raise nothing
    async with translate_store_errors():
        entry = await anext(aiter(tables.store.log(warm.live.id, seq - 1, 1)))
        grants = await tables.store.grants(warm.live.id)
        posts = [one.hash for one in grants if one.holder.role == entry.role]
        known = {make_work_receipt(one, entry.hash) for one in posts}
        if entry.act != "worked" or receipt not in known:
            raise nothing
        before = await load_table_at(tables.store, warm, seq - 1)
    done = mark_work(before, entry.role, entry.more["steps"]).done
    at, thrown = parse_time(entry.at), parse_time(before.thrown_at)
    seconds = max(0.0, (at - thrown).total_seconds())
    return tuple(done.answers(at=at, seconds=seconds, key=f"{warm.live.id} {seq}"))


def _qualify_cite(book: str, cite: str) -> str:
    return f"{book}:{cite}" if cite and not cite.startswith("custom") else cite


def work_page_state(live: LiveTable, holder: Holder, now: datetime) -> dict[str, Any]:
    """What a learner's page shows: the throw, the wagers that lay there, how long the game waits.
    Nothing in it tells what is to be done. ServiceError 403 for whoever holds no such post."""
    post = holder.role
    if post not in list_learner_posts(live):
        raise ServiceError(403, "no learner holds that post here")
    rolled = live.last.rolled if live.last is not None else None
    ends, owed = learner_deadline(live), find_owed_work(live, post) is not None
    return {
        "post": post,
        "throw": live.table.throws,
        "dice": [rolled.first, rolled.second] if rolled is not None else None,
        "puck": live.last.before.puck or None if live.last is not None else None,
        "owed": owed and post not in live.worked,
        "waits": max(0, int((ends - now).total_seconds())) if ends is not None else 0,
        "bank": [[chip.colour, chip.value] for chip in live.table.house.rack.chips],
        "wagers": [
            {
                "number": lying.number,
                "player": lying.player,
                "place": lying.place,
                "wager": lying.wager,
                "name": layout_name(lying.wager),
                "chips": ", ".join(f"{count} {colour}" for colour, count in lying.chips.items()),
                "piles": list(lying.chips.items()),
            }
            for lying in list_post_wagers(live, post)
        ],
    }
