"""The right answers to a shift: what a student who knows the manual does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec

from passline.crew.cut_payoff import cut_payoff
from passline.crew.learner_steps import list_crew_work
from passline.crew.motions import APRON
from passline.crew.stick import make_stick_call
from passline.live.live_table import LiveTable, fold_log
from passline.live.log_entries import read_entry
from passline.live.scheduled_actions import find_owed_work
from passline.live.schema import OpenTableRequest
from passline.school.shift import (
    POST_ROLES,
    CallAnswer,
    DoneRequest,
    Shift,
    ShiftState,
    open_shift,
)
from passline.school.shift_players import PlayerCall, ShiftPost, find_void_side
from passline.school.shift_report import ShiftStart
from tests.live.floor import Floor

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def said_back(call: PlayerCall) -> str:
    """The call, with all that any book has a dealer add."""
    more = [f"vig ${call.vig // 100}"] if call.vig else []
    more += [f"change ${call.change // 100}"] if call.change else []
    return ", ".join([call.say, f"position {call.place}", *more])


def right_answer(call: PlayerCall) -> CallAnswer:
    """What the rules want of a call."""
    if call.kind == "bet":
        dollars = {slug: f"{amount / 100:.2f}" for slug, amount in call.due.items()}
        at = dict.fromkeys(dollars, call.place)
        return CallAnswer(call=call.id, action="book", set=dollars, at=at, say=said_back(call))
    amount = f"{call.amount / 100:.2f}" if call.right[0] == "pay" else None
    return CallAnswer(call=call.id, action=call.right[0], amount=amount)


def work_out(live: LiveTable, post: ShiftPost, state: ShiftState, seed: str) -> DoneRequest:
    """The work of the post on the last throw, done right."""
    if state.void or state.phase == "out":
        side = find_void_side(seed, state.thrown)
        wrong = tuple(range(1, len(state.shown) + 1))
        return DoneRequest(say=f"No roll, one down {side}!", wrong=wrong)
    assert live.last_throw is not None
    before, rolled = live.last_throw.before, live.last_throw.rolled
    if post == "box":
        due = list_crew_work(before, rolled).money
        pairs = enumerate(zip(due, state.shown, strict=True), 1)
        return DoneRequest(wrong=tuple(n for n, (a, b) in pairs if a != b))
    work, steps = find_owed_work(live, POST_ROLES[post]), list[Any]()
    rack, settled = live.table.house.rack, {(s.player, s.wager): s for s in rolled.settlements}
    for step in work.money if work else ():
        told: dict[str, Any] = {"act": step.act, "player": step.player, "wager": step.wager}
        if step.act == "pay":
            told["chips"] = dict(rack.divide(step.amount)[0].counts)
            done = msgspec.structs.replace(settled[step.player, step.wager], vig=0)
            motions = cut_payoff(live.table.layout, done).motions
            told["to"] = "hand" if motions and motions[-1].target == APRON else "beside"
        steps.append(told)
    return DoneRequest(steps=steps, say=make_stick_call(before, rolled) if post == "stick" else "")


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


async def right_work(shift: Shift) -> DoneRequest:
    """The work of the post on the last throw, done right."""
    state = await shift.save()
    return work_out(await shift.live(), shift.start.post, state, shift.start.seed)


class ShiftSolver:
    """Reads from a server's folder what is right in a shift. ``key`` is its house key."""

    def __init__(self, data: Path, http: httpx.Client, key: str, shift: str) -> None:
        self._http, self._headers = http, {"Authorization": f"Bearer {key}"}
        (start,) = data.glob(f"**/{shift}/shift-start.json")
        self.start = msgspec.json.decode(start.read_bytes(), type=ShiftStart)
        self._folder = start.parent

    @property
    def state(self) -> ShiftState:
        """The state of the shift as it is stored."""
        return msgspec.json.decode(
            (self._folder / "shift-state.json").read_bytes(), type=ShiftState
        )

    def read_live(self) -> LiveTable:
        """The table, dealt again from its log."""
        table = self.start.table
        log = self._http.get(f"/api/tables/{table}/log", headers=self._headers).text
        live = fold_log(table, [read_entry(line) for line in log.splitlines()])
        assert live is not None
        return live

    def right_calls(self) -> list[tuple[PlayerCall, CallAnswer]]:
        """The calls that are open, and what is right."""
        return [(call, right_answer(call)) for call in self.state.calls]

    def right_work(self) -> DoneRequest:
        """The work on the last throw, done right."""
        return work_out(self.read_live(), self.start.post, self.state, self.start.seed)
