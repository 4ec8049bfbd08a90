"""A shift: a live table whose post a learner holds, dealt from the first call to the report."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from passline.crew.stick import make_stick_call
from passline.crew.work_steps import list_crew_work
from passline.live.audit.audit import Audit
from passline.live.requests import OpenTableRequest
from passline.live.schedule import find_owed_work
from passline.school.shift import (
    CallAnswer,
    DoneRequest,
    Shift,
    ShiftMark,
    ShiftStart,
    make_shift_report,
    open_shift,
)
from passline.school.shift_players import PlayerCall, ShiftPost
from passline.school.table_work import register_audit_check
from tests.live.floor import Floor

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


async def start(
    post: ShiftPost = "base", seed: str = "1", rolls: int = 10, book: str = "dealer-school"
) -> tuple[Floor, Shift]:
    floor = Floor(3)
    kept = list[ShiftMark]()
    chosen = ShiftStart(
        shift="s1", table="", post=post, rulebook=book, rolls=rolls, pace=60, seed=seed, at=NOON
    )
    shift, _ = await open_shift(floor.service, OpenTableRequest(rulebook=book), chosen, kept.append)
    floor.table = shift.start.table
    return floor, shift


def right_answer(call: PlayerCall) -> CallAnswer:
    """What the rules want of a call."""
    if call.kind == "bet":
        dollars = {slug: f"{amount / 100:.2f}" for slug, amount in call.due.items()}
        return CallAnswer(call=call.id, action="book", set=dollars, say=call.say)
    amount = f"{call.amount / 100:.2f}" if call.right[0] == "pay" else None
    return CallAnswer(call=call.id, action=call.right[0], amount=amount)


async def right_work(shift: Shift) -> DoneRequest:
    """The work of the post on the last throw, done right."""
    live = await shift.live()
    if shift.void or shift.phase == "out":
        return DoneRequest()
    assert live.last_throw is not None
    if shift.start.post == "box":
        due = list_crew_work(live.last_throw.before, live.last_throw.rolled).money
        wrong = [n for n, (a, b) in enumerate(zip(due, shift.shown, strict=True), 1) if a != b]
        return DoneRequest(wrong=tuple(wrong))
    work, steps, rack = find_owed_work(live, shift.role), list[Any](), live.table.house.rack
    for step in work.money if work else ():
        told: dict[str, Any] = {"act": step.act, "player": step.player, "wager": step.wager}
        if step.act == "pay":
            told["chips"] = dict(rack.divide(step.amount)[0].counts)
        steps.append(told)
    say = ""
    if shift.start.post == "stick":
        say = make_stick_call(live.last_throw.before, live.last_throw.rolled)
    return DoneRequest(steps=steps, say=say)


async def deal(shift: Shift) -> None:
    """Deal a whole shift without a mistake."""
    for _ in range(10 * shift.start.rolls):
        for call in tuple(shift.calls):
            await shift.answer_call(right_answer(call))
        if shift.phase == "betting":
            await shift.dice_out()
        elif shift.phase == "over":
            return
        else:
            await shift.done(await right_work(shift))
    raise AssertionError("the shift did not end")


@pytest.mark.parametrize("post", ["base", "stick", "box"])
@pytest.mark.parametrize("book", ["dealer-school", "iowa", "new-jersey"])
async def test_a_shift_without_a_mistake(post: ShiftPost, book: str) -> None:
    floor, shift = await start(post, seed=f"{post} {book}", rolls=25, book=book)
    await deal(shift)
    assert [mark.words for mark in shift.marks if not mark.right] == []
    report = make_shift_report(shift.start, shift.marks, shift.thrown, shift.finished)
    assert (report["house_lost"], report["players_lost"]) == ("0.00", "0.00")
    assert (report["thrown"], report["mistakes"], report["ended"]) == (25, [], "finished")
    assert report["of"] == report["right"] >= 10
    register_audit_check()
    audit = Audit()
    audit.add_lines([entry.text() for entry in await floor.log()])
    assert audit.end().findings == ()
