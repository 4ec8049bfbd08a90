"""A shift: a live table whose post a learner holds, dealt from the first call to the report."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from passline.crew.learner_steps import list_crew_work
from passline.crew.stick import make_stick_call
from passline.live.audit.audit import Audit
from passline.live.auto_dealer_schedule import find_owed_work
from passline.live.requests import OpenTableRequest, ServiceError
from passline.school.shift import (
    CallAnswer,
    DoneRequest,
    Shift,
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
    chosen = ShiftStart(
        shift="s1", table="", post=post, rulebook=book, rolls=rolls, pace=60, seed=seed, at=NOON
    )
    shift, _ = await open_shift(floor.service, OpenTableRequest(rulebook=book), chosen)
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
            await shift.finish_phase(await right_work(shift))
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


async def pay_wrongly(shift: Shift, dollars: int) -> bool:
    """Deal until something is paid, and pay it so many dollars too much (or too little)."""
    for _ in range(200):
        for call in tuple(shift.calls):
            await shift.answer_call(right_answer(call))
        if shift.phase == "betting":
            await shift.dice_out()
            continue
        work = await right_work(shift)
        pays = [step for step in work.steps or () if step["act"] == "pay"]
        if pays and shift.phase == "work":
            rack = (await shift.live()).table.house.rack
            (chip,) = [one for one in rack.chips if one.value == 100]
            counts = dict(pays[0]["chips"])
            whole = sum(one.value * counts.get(one.color, 0) for one in rack.chips)
            pays[0]["chips"] = {chip.color: (whole // 100) + dollars}
            await shift.finish_phase(work)
            return True
        await shift.finish_phase(work)
    return False


async def test_too_much_is_lost_by_the_house_unless_the_box_notices() -> None:
    noticed = set[bool]()
    for seed in range(12):
        _, shift = await start(seed=f"over {seed}", rolls=100)
        assert await pay_wrongly(shift, 3)
        (wrong,) = [mark for mark in shift.marks if not mark.right]
        assert (wrong.kind, wrong.house_lost, wrong.players_lost) == ("amount", 300, 0)
        assert wrong.cite
        found = any(mark.kind == "noticed" for mark in shift.marks)
        noticed.add(found)
        report = make_shift_report(shift.start, shift.marks, shift.thrown, NOON)
        assert report["house_lost"] == ("0.00" if found else "3.00")
    assert noticed == {True, False}


async def test_too_little_is_lost_by_a_player_who_may_speak_up() -> None:
    spoke = set[bool]()
    for seed in range(12):
        _, shift = await start(seed=f"under {seed}", rolls=100)
        assert await pay_wrongly(shift, -1)
        (wrong,) = [mark for mark in shift.marks if not mark.right]
        assert (wrong.kind, wrong.house_lost, wrong.players_lost) == ("amount", 0, 100)
        claims = [call for call in shift.calls if call.kind == "short"]
        spoke.add(bool(claims))
        for claim in claims:
            with pytest.raises(ServiceError):  # it stays open
                await shift.answer_call(CallAnswer(call=claim.id, action="pay", amount="-1"))
            answer = CallAnswer(call=claim.id, action="pay", amount="3")
            await shift.answer_call(answer)  # a dollar is due, and two more go out
            assert (shift.marks[-1].right, shift.marks[-1].house_lost) == (False, 200)
        report = make_shift_report(shift.start, shift.marks, shift.thrown, NOON)
        assert report["players_lost"] == ("0.00" if claims else "1.00")
    assert spoke == {True, False}


async def test_a_bet_that_is_set_elsewhere_stands_there() -> None:
    for seed in range(40):
        _, shift = await start(seed=f"set {seed}", rolls=30)
        call = None
        for _ in range(30):
            call = next((c for c in shift.calls if c.kind == "bet" and len(c.due) == 1), None)
            if call is not None:
                break
            await (
                shift.dice_out() if shift.phase == "betting" else shift.finish_phase(DoneRequest())
            )
        if call is None:
            continue
        (slug,) = call.due
        live = await shift.live()
        other = next(
            one
            for one in live.table.layout.spots
            if one.startswith("place-win-")
            and one != slug
            and one not in live.table.seat(call.player).wagers
        )
        answer = CallAnswer(call=call.id, action="book", set={other: "30"}, say=call.say)
        await shift.answer_call(answer)
        assert (shift.marks[-1].kind, shift.marks[-1].right) == ("set wrong", False)
        stakes = (await shift.live()).table.seat(call.player).wagers
        assert stakes[other].amount == 3000
        return
    raise AssertionError("no player called a single bet")


async def test_a_bet_must_be_said_back() -> None:
    _, shift = await start(seed="said", rolls=30, book="iowa")
    for _ in range(60):
        call = next((one for one in shift.calls if one.kind == "bet"), None)
        if call is not None:
            answer = right_answer(call)
            await shift.answer_call(CallAnswer(call=call.id, action="book", set=answer.set))
            assert (shift.marks[-1].kind, shift.marks[-1].right) == ("not said back", False)
            return
        await (shift.dice_out() if shift.phase == "betting" else shift.finish_phase(DoneRequest()))
    raise AssertionError("nobody called a bet")


async def test_mistakes_of_players_are_refused_by_their_clause() -> None:
    """Every kind of mistake comes, and booking it is marked wrong by the clause that refuses it."""
    kinds, wanted = set[str](), {"bet", "units", "odds", "dont", "late", "claim", "dispute"}
    for seed in range(20):
        _, shift = await start(seed=f"err {seed}", rolls=25)
        for _ in range(200 if wanted - kinds else 0):
            for call in tuple(shift.calls):
                kinds.add(call.kind)
                if call.kind in ("units", "odds", "dont", "late", "claim", "dispute"):
                    action = "pay" if call.kind in ("claim", "dispute") else "refuse"
                    right = call.kind not in ("claim", "dispute")
                    answer = CallAnswer(call=call.id, action=action, amount="5")  # type: ignore[arg-type]
                    await shift.answer_call(answer)
                    mark = shift.marks[-1]
                    assert (mark.right, bool(mark.cite)) == (right, True), call
                else:
                    await shift.answer_call(right_answer(call))
            if shift.phase == "over":
                break
            if shift.phase == "betting":
                await shift.dice_out()
            else:
                await shift.finish_phase(await right_work(shift))
        if not wanted - kinds:
            return
    assert kinds >= wanted


async def test_work_on_a_throw_that_does_not_count_is_a_mistake() -> None:
    for seed in range(20):
        _, shift = await start(seed=f"void {seed}", rolls=40, book="new-jersey")
        for _ in range(100):
            if shift.phase == "betting":
                await shift.dice_out()
            elif shift.phase == "over":
                break
            elif shift.void:
                await shift.finish_phase(DoneRequest(steps=[{"act": "take", "player": "ann"}]))
                assert (shift.marks[-1].right, shift.marks[-1].kind) == (False, "not due")
                return
            else:
                await shift.finish_phase(DoneRequest())
    raise AssertionError("no die left the table")


async def test_what_is_out_of_turn_is_told() -> None:
    _, shift = await start()
    with pytest.raises(ServiceError):
        await shift.finish_phase(DoneRequest())
    with pytest.raises(ServiceError):
        await shift.answer_call(CallAnswer(call=999, action="refuse"))
    await shift.end()
    with pytest.raises(ServiceError):
        await shift.dice_out()
