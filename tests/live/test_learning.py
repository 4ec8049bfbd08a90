"""A post that a learner holds: the game waits for the work, marks it, and settles as ever."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from passline.crew.learner_steps import CrewWork, list_crew_work
from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.words.refusals import describe_refusal
from passline.live.audit import redeal
from passline.live.audit.audit import Audit
from passline.live.scheduled_actions import WORK_WAIT, find_owed_work
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from passline.school.practice_tables import PracticeTable
from passline.school.question_types import DrillSetup
from passline.school.throw_work import (
    PostWork,
    WorkRequest,
    enter_work,
    is_work_entry_valid,
    make_work_receipt,
    read_work_answers,
    work_page_state,
)

from .floor import NO_WAIT, Floor

pytestmark = pytest.mark.anyio
POST = Holder("left-base")
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


async def thrown(**asked: Any) -> tuple[Floor, CrewWork]:
    """A table at which ann's wagers have come to something for the learner to do."""
    pace = asked.pop("pace", NO_WAIT)
    floor = await Floor(3).open(
        "dealer-school", name="school", posts={"left-base": "learner"}, pace=pace, **asked
    )
    await floor.sit("ann", place=3)
    for _ in range(30):
        await floor.say("ann", "pass for 10; field for 5; place the six for 12")
        await floor.taken("ann", "roll")
        live = (await floor.service.tables.get(floor.table)).live
        work = find_owed_work(live, "left-base")
        if work is not None and any(step.act == "pay" for step in work.money):
            return floor, work
        floor.clock.turn(seconds=WORK_WAIT.seconds + 1)
    raise AssertionError("nothing was to be done in thirty throws")


def steps_of(work: CrewWork, rack: Any) -> list[dict[str, Any]]:
    """The right work, as a learner tells it: payoffs in chips."""
    steps = []
    for step in work.money:
        told: dict[str, Any] = {"act": step.act, "player": step.player, "wager": step.wager}
        if step.act == "pay":
            chips, over = rack.divide(step.amount)
            assert not over
            told["chips"] = dict(chips.counts)
        steps.append(told)
    return steps


async def asked_of(floor: Floor, steps: object, id_: str = "w1", throw: int = -1) -> dict[str, Any]:
    live = (await floor.service.tables.get(floor.table)).live
    number = live.table.throws if throw < 0 else throw
    return await enter_work(
        floor.service, floor.table, POST, WorkRequest(id=id_, throw=number, steps=steps)
    )


async def receipt_of(floor: Floor, done: dict[str, Any], role: str = "left-base") -> str:
    """What the holder of a role could show for some work."""
    grants = await floor.service.store.grants(floor.table)
    (token,) = [one.hash for one in grants if one.holder.role == role]
    return make_work_receipt(token, done["hash"])


async def test_the_game_waits_for_the_work_and_no_longer() -> None:
    floor, work = await thrown()
    rack = (await floor.service.tables.get(floor.table)).live.table.house.rack
    said = await floor.say("ann", "roll")
    assert said.seq is None
    assert said.entries[0].refusal is not None
    assert "a learner works" in describe_refusal(said.entries[0].refusal)
    told = await work_page_state(floor.service, floor.table, POST)
    assert (told["owed"], 0 < told["waits"] <= 30) == (True, True)
    assert {one["wager"] for one in told["wagers"]} >= {step.wager for step in work.money}
    done = await asked_of(floor, steps_of(work, rack))
    assert (done["right"], done["faults"]) == (True, [])
    assert (await work_page_state(floor.service, floor.table, POST))["owed"] is False
    await floor.taken("ann", "roll")


async def test_a_learner_who_does_nothing_keeps_nobody() -> None:
    floor, _ = await thrown()
    assert (await floor.say("ann", "roll")).seq is None
    floor.clock.turn(seconds=WORK_WAIT.seconds + 1)
    await floor.taken("ann", "roll")


async def test_wrong_work_is_marked_and_moves_nothing() -> None:
    floor, work = await thrown()
    live = (await floor.service.tables.get(floor.table)).live
    steps = steps_of(work, live.table.house.rack)
    for step in steps:
        if step["act"] == "pay":
            step["chips"] = {"white": 1}
    done = await asked_of(floor, steps)
    assert done["right"] is False
    assert "is due, not $1" in done["faults"][0]["words"]
    assert await asked_of(floor, steps) == done  # sent twice, it is entered once
    after = (await floor.service.tables.get(floor.table)).live
    assert after.table == live.table
    entry = (await floor.log())[-1]
    assert (entry.act, entry.role, list(entry.events)) == ("worked", "left-base", [])
    await floor.hold()


async def test_what_is_no_work_is_told() -> None:
    floor, _ = await thrown()
    bad: list[object] = [
        "x",
        [{"act": "dance"}],
        [{"act": "pay", "chips": {"red": -1}}],
        [7],
        [[]],
        {},
    ]
    for steps in bad:
        with pytest.raises(ServiceError) as wrong:
            await asked_of(floor, steps)
        assert wrong.value.code == "invalid"
    for holder, throw, code in (
        (Holder("right-base"), -1, "forbidden"),
        (Holder("player", "ann"), -1, "forbidden"),
        (Holder("watcher"), -1, "forbidden"),
        (POST, 999, "conflict"),
    ):
        live = (await floor.service.tables.get(floor.table)).live
        number = live.table.throws if throw < 0 else throw
        asked = WorkRequest(id="w9", throw=number, steps=[])
        with pytest.raises(ServiceError) as wrong:
            await enter_work(floor.service, floor.table, holder, asked)
        assert wrong.value.code == code
    assert (await floor.error(POST, "ann: pass for 10")).code == "forbidden"
    done = await asked_of(floor, [])
    assert done["right"] is False
    with pytest.raises(ServiceError) as twice:
        await asked_of(floor, [], id_="w2")
    assert twice.value.code == "conflict"


async def test_an_audit_judges_the_work_again() -> None:
    """A mark that was made better in the log, by whoever could write its hashes, is found."""
    floor, _ = await thrown()
    await asked_of(floor, [])
    live = (await floor.service.tables.get(floor.table)).live
    entry = (await floor.log())[-1]
    before = replace(live, posts_done=frozenset())
    assert is_work_entry_valid(before, entry)
    better = replace(entry, more={**entry.more, "faults": []})
    assert not is_work_entry_valid(before, better)


async def test_an_audit_that_cannot_judge_the_work_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, _ = await thrown()
    await asked_of(floor, [])
    audit = Audit()
    monkeypatch.delitem(redeal._ACT_CHECKS, "worked")
    audit.add_lines([entry.text() for entry in await floor.log()])
    (wrong,) = audit.end().findings
    assert (wrong.check, "no check is registered" in wrong.why) == ("replay", True)


async def test_every_step_is_marked_and_comes_back() -> None:
    """By clause and kind of question: the payoffs, and the order of it all."""
    floor, work = await thrown()
    rack = (await floor.service.tables.get(floor.table)).live.table.house.rack
    steps = steps_of(work, rack)
    paid = next(step for step in steps if step["act"] == "pay")
    paid["player"] = paid["player"].upper()  # names are written as one likes
    due = next(step.amount for step in work.money if step.act == "pay")
    paid["chips"] = {"white": due // 100}
    done = await asked_of(floor, steps)
    assert done["right"] is True
    assert [one["number"] for one in done["marks"]] == list(range(1, len(steps) + 1))
    assert any(one["because"].startswith("the manual pays") for one in done["marks"])
    answers = await read_work_answers(
        floor.service, floor.table, done["seq"], await receipt_of(floor, done)
    )
    assert [one.drill for one in answers] == ["payoffs"]
    assert all(one.right and one.clauses for one in answers)
    mine = await receipt_of(floor, done)
    other = await receipt_of(floor, done, "player")
    for seq, shown in (
        (done["seq"], done["hash"]),  # any reader of the log knows it
        (done["seq"], other),
        (done["seq"] - 1, mine),
        (10**6, ""),
    ):
        with pytest.raises(ServiceError) as wrong:
            await read_work_answers(floor.service, floor.table, seq, shown)
        assert wrong.value.code == "not_found"


async def test_a_payoff_left_out_is_missed_by_its_clauses() -> None:
    floor, work = await thrown()
    done = await asked_of(floor, [])
    assert {one["number"] for one in done["marks"]} == {0}
    assert len(done["marks"]) == len(work.money)
    answers = await read_work_answers(
        floor.service, floor.table, done["seq"], await receipt_of(floor, done)
    )
    assert not any(one.right for one in answers)
    assert all(one.missed == one.clauses for one in answers)


def test_an_order_of_work_is_kept_with_its_time() -> None:
    setup = DrillSetup(compile_layout(house_for("dealer-school")), 3)
    practice = PracticeTable(setup)
    practice.seat("ann", 2)
    practice.seat("bob", 4)
    for name in ("ann", "bob"):
        assert practice.say(name, "pass for 10")
        assert practice.say(name, "field for 5")
    before, rolled = practice.preview_throw(5, 6)
    work = list_crew_work(before, rolled)
    right = tuple(work.money)
    for steps, good in ((right, True), (right[::-1], False)):
        done = PostWork(work=work, rolled=rolled, steps_done=steps, chips=(None,) * len(steps))
        *payoffs, order = done.answers(at=NOON, seconds=9.0, key="t 1")
        assert (order.drill, order.right, order.seconds) == ("order", good, 9.0)
        assert bool(order.missed) is not good
        assert [one.right for one in payoffs] == [True] * 4
        assert len({one.id for one in (*payoffs, order)}) == 5
