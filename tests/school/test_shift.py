"""A shift: a live table whose post a learner holds, dealt from the first call to the report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from passline.game.house.load import house_for
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Settlement
from passline.live.audit.audit import Audit
from passline.live.live_table import LiveTable
from passline.live.schema import OpenTableRequest, ServiceError
from passline.school.practice import pick_next_question
from passline.school.repetition import build_deck
from passline.school.shift import (
    CallAnswer,
    DoneRequest,
    Shift,
    ShiftState,
    load_shift,
    open_shift,
)
from passline.school.shift_players import CallKind, PlayerCall, ShiftPost, make_error_call
from passline.school.shift_report import ShiftEnd, ShiftStart, make_shift_report
from passline.school.throw_work import register_audit_check
from tests.live.floor import Floor
from tests.school.right_shift import NOON, right_answer, right_work, start

pytestmark = pytest.mark.anyio


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
    report = make_shift_report(shift.start, shift.marks, shift.outcome)
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
        report = make_shift_report(shift.start, shift.marks, ShiftEnd(shift.thrown, NOON))
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
        report = make_shift_report(shift.start, shift.marks, ShiftEnd(shift.thrown, NOON))
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


async def find_call(shift: Shift, *, change: bool = False) -> PlayerCall:
    """Deal until somebody calls a bet (if wanted, a new one with change)."""
    for _ in range(300):
        for call in tuple(shift.calls):
            fits = call.change and call.raised == call.due if change else True
            if call.kind == "bet" and fits:
                return call
            await shift.answer_call(right_answer(call))
        if shift.phase == "betting":
            await shift.dice_out()
        else:
            await shift.finish_phase(await right_work(shift))
    raise AssertionError("nobody called a bet")


async def test_a_booking_is_judged_as_the_drill_judges_it() -> None:
    """Iowa wants the position and the change said; the share on the layout is the player's own."""
    for words, wanted in (
        ("{call}, position {place}", "leaves out the change"),
        ("{call}, change {change}", "leaves out the position"),
        ("{call}, position 16, change {change}", ", not 16"),
        ("{call}, position {place}, change $499", "not $499"),
    ):
        _, shift = await start(seed="parts", rolls=100, book="iowa")
        call = await find_call(shift, change=True)
        parts = {"place": call.place, "change": f"${call.change // 100}"}
        given, said = right_answer(call), words.format(call=call.say, **parts)
        answer = CallAnswer(call=call.id, action="book", set=given.set, at=given.at, say=said)
        await shift.answer_call(answer)
        mark = shift.marks[-1]
        assert (mark.kind, mark.right, wanted in mark.words) == ("not said back", False, True), mark


async def test_a_bet_in_the_share_of_another_is_wrong() -> None:
    for book in ("dealer-school", "iowa", "new-jersey"):
        _, shift = await start(seed="share 1", rolls=100, book=book)
        call = await find_call(shift)
        given = right_answer(call)
        at = dict.fromkeys(given.set, call.place % 8 + 1)
        await shift.answer_call(
            CallAnswer(call=call.id, action="book", set=given.set, at=at, say=given.say)
        )
        mark = shift.marks[-1]
        if book == "new-jersey":  # It fixes no shares.
            assert mark.kind == "booked"
        else:
            assert (mark.kind, mark.right) == ("wrong position", False)
            assert mark.cite in clauses_by_id(book)
        assert (await shift.live()).table.seat(call.player).wagers  # it stands all the same


async def test_the_pace_is_kept() -> None:
    """Past its time a roll is slow; past twice its time the dice go out without the learner."""
    floor, shift = await start(seed="pace", rolls=20)
    floor.clock.turn(seconds=61)
    assert not await shift.keep_pace()
    assert all(shift.find_hurry())
    await shift.dice_out()
    while shift.phase != "betting":
        await shift.finish_phase(await right_work(shift))
    (slow,) = [mark for mark in shift.marks if mark.kind == "pace"]
    assert "61 seconds; the pace gives it 60" in slow.words
    await find_call(shift)
    waiting = len(shift.calls)
    floor.clock.turn(seconds=121)
    assert await shift.keep_pace()
    assert shift.phase in ("out", "work")
    assert sum(mark.kind == "bet missed" for mark in shift.marks) >= 1 <= waiting
    report = make_shift_report(shift.start, shift.marks, ShiftEnd(30, NOON, 1800.0))
    assert (report["rolls_per_hour"], report["slow_rolls"]) == (60.0, 1)


async def test_a_stored_shift_goes_on() -> None:
    """In any phase, another process can go on from the state, and the report is the same."""
    floor, shift = await start(seed="stored", rolls=12)
    phases = set[str]()
    for _ in range(200):
        state = msgspec.json.decode(msgspec.json.encode(await shift.save()), type=ShiftState)
        again = await load_shift(floor.service, shift.start, state, shift.marks)
        assert await again.save() == replace(state, saves=state.saves + 1)
        phases.add(again.phase)
        shift = again
        for call in tuple(shift.calls):
            await shift.answer_call(right_answer(call))
        if shift.phase == "over":
            break
        if shift.phase == "betting":
            await shift.dice_out()
        else:
            await shift.finish_phase(await right_work(shift))
    assert phases >= {"betting", "work", "over"}
    assert [mark.words for mark in shift.marks if not mark.right] == []
    assert make_shift_report(shift.start, shift.marks, shift.outcome)["thrown"] == 12


async def test_what_a_crash_cut_off_is_done_once() -> None:
    """The table has what was done before the state was saved; it is not done again."""
    floor, shift = await start(seed="crash", rolls=30)
    call = await find_call(shift)
    state, marks = await shift.save(), tuple(shift.marks)
    await shift.answer_call(right_answer(call))
    after = await load_shift(floor.service, shift.start, state, marks)
    await after.answer_call(right_answer(call))
    assert after.marks[-1].kind == "booked"
    for one in tuple(after.calls):
        await after.answer_call(right_answer(one))
    while True:
        for one in tuple(after.calls):
            await after.answer_call(right_answer(one))
        state, marks = await after.save(), tuple(after.marks)
        while after.phase != "work":
            await (
                after.dice_out() if after.phase == "betting" else after.finish_phase(DoneRequest())
            )
        if not after.void:
            break
        await after.finish_phase(DoneRequest())
    thrown = await load_shift(floor.service, shift.start, state, marks)
    assert (thrown.phase, thrown.thrown, after.void) == ("work", after.thrown, False)
    work = await right_work(after)
    await after.finish_phase(work)
    for one in tuple(thrown.calls):
        await thrown.answer_call(right_answer(one))
    await thrown.finish_phase(work)
    assert not [mark for mark in thrown.marks[len(marks) :] if not mark.right]


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


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        ("dealer-school", "calling.18.g"),
        ("new-jersey", "19:47-1.9(a)#1"),
        ("maryland-crapless", "8.B#1"),
        ("section-2", "2(i)(1)#1"),
    ],
)
async def test_work_on_a_throw_that_does_not_count_is_a_mistake(book: str, clause: str) -> None:
    for seed in range(20):
        floor, shift = await start(seed=f"void {seed}", rolls=40, book=book)
        for _ in range(100):
            if shift.phase == "betting":
                await shift.dice_out()
            elif shift.phase == "over":
                break
            elif shift.void:
                await shift.finish_phase(DoneRequest(steps=[{"act": "take", "player": "ann"}]))
                (mark,) = [one for one in shift.marks if one.kind == "not due" and not one.right]
                assert mark.cite == clause
                register_audit_check()
                audit = Audit()
                audit.add_lines([entry.text() for entry in await floor.log()])
                assert audit.end().findings == ()
                return
            else:
                await shift.finish_phase(DoneRequest())
    raise AssertionError("no die left the table")


async def test_the_stick_calls_no_roll() -> None:
    for seed in range(20):
        _, shift = await start("stick", seed=f"void {seed}", rolls=40, book="new-jersey")
        for _ in range(100):
            if shift.phase == "betting":
                await shift.dice_out()
            elif shift.phase == "over":
                break
            elif shift.void:
                await shift.finish_phase(DoneRequest(say="Six, easy six!"))
                (mark,) = [one for one in shift.marks if one.kind == "no roll"][-1:]
                assert (mark.right, mark.cite, "no roll" in mark.words) == (
                    False,
                    "19:47-1.9(a)#1",
                    True,
                )
                return
            else:
                await shift.finish_phase(DoneRequest())
    raise AssertionError("no die left the table")


@pytest.mark.parametrize(
    ("book", "kinds"),
    [
        ("dealer-school", {"odds", "late", "claim", "dispute"}),
        ("iowa", {"odds", "dont", "late", "claim", "dispute", "units"}),
        ("new-jersey", {"odds", "dont", "late", "dispute"}),
        ("section-2", {"odds", "dont", "late", "dispute"}),
    ],
)
async def test_a_mistake_of_a_player_has_its_clause(book: str, kinds: set[str]) -> None:
    """Where a book has a clause on such a mistake, it is the one that is cited."""
    known, found = clauses_by_id(book), set[str]()
    for seed in range(30):
        _, shift = await start("base", seed=f"clause {seed}", rolls=30, book=book)
        for _ in range(150 if found != kinds else 0):
            for call in tuple(shift.calls):
                if call.kind in kinds:
                    cites = call.cite in known or "house's chips" in call.cite
                    assert cites, (call.kind, call.cite)
                    found.add(call.kind)
                await shift.answer_call(right_answer(call))
            if shift.phase == "over":
                break
            await (
                shift.dice_out() if shift.phase == "betting" else shift.finish_phase(DoneRequest())
            )
    assert found == kinds


async def test_a_payoff_is_delivered_as_the_clause_says() -> None:
    """A payoff that a clause wants at the bet is not handed off; a place payoff may be."""
    for seed in range(10):
        _, shift = await start(seed=f"deliver {seed}", rolls=40)
        for _ in range(150):
            for call in tuple(shift.calls):
                await shift.answer_call(right_answer(call))
            if shift.phase == "over":
                break
            if shift.phase == "betting":
                await shift.dice_out()
                continue
            work = await right_work(shift)
            for one in work.steps or ():
                if one["act"] == "pay":
                    one["to"] = "hand"
            await shift.finish_phase(work)
            wrong = [mark for mark in shift.marks if mark.kind == "delivery"]
            if wrong:
                assert wrong[0].cite in clauses_by_id("dealer-school")
                assert not wrong[0].wager.startswith("place")
                assert "hand it off" in wrong[0].words
                return
    raise AssertionError("nothing that a clause wants at the bet was paid")


async def test_what_is_out_of_turn_is_told() -> None:
    _, shift = await start()
    with pytest.raises(ServiceError):
        await shift.finish_phase(DoneRequest())
    with pytest.raises(ServiceError):
        await shift.answer_call(CallAnswer(call=999, action="refuse"))
    await shift.end()
    with pytest.raises(ServiceError):
        await shift.dice_out()


async def deal_until(shift: Shift, phase: str = "work", *, void: bool = False) -> LiveTable:
    """Deal without a mistake until a throw that counts (or does not) must be worked."""
    for _ in range(300):
        for call in tuple(shift.calls):
            await shift.answer_call(right_answer(call))
        if shift.phase == "betting":
            await shift.dice_out()
        elif shift.phase == phase and shift.void == void:
            return await shift.live()
        else:
            await shift.finish_phase(await right_work(shift))
    raise AssertionError("no such throw came")


async def find_work(shift: Shift, act: str, *, odds: bool = False) -> tuple[DoneRequest, Any]:
    """Deal until the work has such a step, and return the right work and that step."""
    for _ in range(60):
        await deal_until(shift)
        work = await right_work(shift)
        for step in work.steps or ():
            if step["act"] == act and (not odds or "odds" in step["wager"]):
                return work, step
        await shift.finish_phase(work)
    raise AssertionError("no such step came")


async def test_a_winner_that_is_taken_loses_the_stake_and_the_payoff() -> None:
    _, shift = await start(seed="taken", rolls=100)
    work, step = await find_work(shift, "pay")
    live = await shift.live()
    assert live.last_throw is not None
    settled = live.last_throw.rolled.settlements
    (won,) = [s for s in settled if (s.player, s.wager) == (step["player"], step["wager"])]
    taken = {"act": "take", "player": step["player"], "wager": step["wager"]}
    before = len(shift.marks)
    await shift.finish_phase(DoneRequest(steps=[taken if s is step else s for s in work.steps]))
    (mark, *_) = [one for one in shift.marks[before:] if not one.right]
    assert (mark.kind, mark.house_lost, mark.players_lost) == ("not due", 0, won.stake + won.paid)


async def test_a_bet_that_is_paid_twice_was_dealt_with_already() -> None:
    _, shift = await start(seed="twice", rolls=100)
    work, step = await find_work(shift, "pay")
    before = len(shift.marks)
    await shift.finish_phase(DoneRequest(steps=[*work.steps, step]))
    (mark, *_) = [one for one in shift.marks[before:] if one.kind == "not due"]
    rack = (await shift.live()).table.house.rack
    paid = sum(chip.value * step["chips"].get(chip.color, 0) for chip in rack.chips)
    assert (mark.house_lost, "dealt with already" in mark.words) == (paid, True)


async def test_what_is_paid_on_a_throw_that_does_not_count_is_lost() -> None:
    _, shift = await start(seed="void 1", rolls=100)
    live = await deal_until(shift, void=True)
    name = shift.players[0].name
    mine = live.table.seat(name).wagers
    slug = next(iter(mine))
    steps = [
        {"act": "pay", "player": name, "wager": slug, "chips": {"red": 2}},
        {"act": "take", "player": name, "wager": slug},
    ]
    before = len(shift.marks)
    await shift.finish_phase(DoneRequest(steps=steps))
    mark = shift.marks[before]
    assert (mark.kind, mark.cite, mark.right) == ("not due", "calling.18.g", False)
    assert (mark.house_lost, mark.players_lost) == (1000, mine[slug].amount)


async def test_a_step_out_of_order_is_one_fault_of_a_rule() -> None:
    _, shift = await start(seed="order 1", rolls=100)
    for _ in range(60):
        await deal_until(shift)
        work = await right_work(shift)
        acts = [step["act"] for step in work.steps or ()]
        if acts.count("pay") > 1 and acts.count("take") == 1:
            break
        await shift.finish_phase(work)
    before = len(shift.marks)
    paid = [step for step in work.steps if step["act"] != "take"]
    taken = [step for step in work.steps if step["act"] == "take"]
    await shift.finish_phase(DoneRequest(steps=[*paid, *taken]))
    faults = [mark for mark in shift.marks[before:] if mark.kind == "order"]
    assert [(mark.cite, mark.wager) for mark in faults] == [("base.11", faults[0].wager)]


async def test_a_call_that_nobody_answers_has_its_clause_and_comes_back() -> None:
    _, shift = await start(seed="missed", rolls=100, book="iowa")
    call = await find_call(shift)
    shift.calls, before = [call], len(shift.answers)
    await shift.dice_out()
    mark = next(one for one in shift.marks if one.kind == "bet missed")
    assert mark.cite in clauses_by_id("iowa")
    missed = [answer for answer in shift.answers[before:] if not answer.right]
    assert [(one.drill, f"iowa:{mark.cite}" in one.missed) for one in missed] == [("booking", True)]


@pytest.mark.parametrize(("result", "lost"), [("win", (4500, 0)), ("lose", (0, 500))])
async def test_a_late_bet_that_is_booked_costs_what_the_throw_makes_of_it(
    result: Literal["win", "lose"], lost: tuple[int, int]
) -> None:
    """The clause has no bet: it must not be paid when it wins, nor taken when it loses."""
    for seed in range(40):
        _, shift = await start("stick", seed=f"late {seed}", rolls=2)
        await shift.dice_out()
        if shift.phase == "out":
            break
    (call,) = shift.calls
    await shift.answer_call(CallAnswer(call=call.id, action="book", set={call.wager: "5"}))
    booked = shift.marks[-1]
    assert (booked.kind, booked.right, booked.cite) == ("late bet", False, "base.9.a#2")
    shift.thrown += 1
    paid = 4500 if result == "win" else 0
    settled = Settlement(
        call.player, call.wager, 500, result, odds=None, paid=paid, vig=0, cite="x", back=0, left=0
    )
    shift._mark_late_bets([settled])
    mark = shift.marks[-1]
    assert (mark.kind, mark.right, mark.cite) == ("late bet decided", False, booked.cite)
    assert (mark.house_lost, mark.players_lost) == lost


async def test_players_bet_where_the_minimum_is_high() -> None:
    house = 'rulebook = "iowa"\n[limits]\nmin = 25\n'
    chosen = ShiftStart(
        shift="s1", table="", post="base", rulebook="iowa", rolls=9, pace=60, seed="7", at=NOON
    )
    shift, _ = await open_shift(Floor(3).service, OpenTableRequest(house=house), chosen)
    stakes = [
        stake.amount
        for seat in (await shift.live()).table.seats
        for slug, stake in seat.wagers.items()
        if slug in ("pass", "dont-pass")
    ]
    assert len(stakes) == len(shift.players)
    assert min(stakes) >= 2500


async def test_the_stick_hears_mistakes_about_the_center() -> None:
    _, shift = await start("stick", seed="center", rolls=25)
    table = (await shift.live()).table
    made = [make_error_call(table, "stick", shift.players, n, "x") for n in range(60)]
    found = [call for call in made if call is not None]
    assert {call.kind for call in found} <= {"units", "claim"}
    assert all("hard " in call.say for call in found if call.kind == "units")
    assert len(found) > 9


async def test_players_call_more_than_hardways_to_the_stick() -> None:
    """Bets of one roll are called too, by the names that players have for them."""
    _, shift = await start("stick", seed="slang", rolls=40)
    calls = dict[str, str]()
    for _ in range(200):
        for call in tuple(shift.calls):
            calls |= {slug: call.say for slug in call.due if not slug.startswith("hard-")}
        if shift.phase == "over":
            break
        await (shift.dice_out() if shift.phase == "betting" else shift.finish_phase(DoneRequest()))
    assert len(calls) >= 5
    plain = [f"{slug} for" in say for slug, say in calls.items()]
    assert plain.count(True) < len(plain) / 2


async def test_the_box_rules_alone() -> None:
    """To call the box is no answer for the post that is the box."""
    kinds = set[str]()
    for seed in range(6):
        _, shift = await start("box", seed=f"box {seed}", rolls=30)
        for _ in range(150):
            for call in tuple(shift.calls):
                kinds.add(call.kind)
                assert call.right
                assert "box" not in call.right
                await shift.answer_call(CallAnswer(call=call.id, action="box"))
                assert not shift.marks[-1].right
            if shift.phase == "over":
                break
            await (
                shift.dice_out() if shift.phase == "betting" else shift.finish_phase(DoneRequest())
            )
    assert {"dispute", "claim"} <= kinds


@pytest.mark.parametrize("book", ["dealer-school", "iowa", "new-jersey", "las-vegas"])
async def test_each_mistake_comes_back_in_practice(book: str) -> None:
    """A drill asks about the clause that is kept: the book's own, or else the school manual's."""
    _, shift = await start("base", seed="back", rolls=5, book=book)
    kinds: tuple[CallKind, ...] = (
        *("units", "odds", "dont"),
        *("late", "claim", "short", "dispute"),
    )
    for kind in kinds:
        call = PlayerCall(id=99, kind=kind, player="ann", place=1, say="x")
        shift.calls = [call]
        await shift.answer_call(CallAnswer(call=99, action="book", set={"field": "10"}))
    call = PlayerCall(id=99, kind="bet", player="ann", place=1, say="x", due={"place-win-6": 600})
    shift.calls = [call]
    await shift.answer_call(CallAnswer(call=99, action="refuse"))
    assert len(shift.answers) == len(kinds) + 1
    for answer in shift.answers:
        layout = compile_layout(house_for(answer.rulebook))
        due = pick_next_question(build_deck([answer]), layout, NOON + timedelta(days=900), new=0)
        assert due is not None, answer
        assert due.about[0] in answer.missed
