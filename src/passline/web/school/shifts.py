"""Shifts of the dealer school, ``/api/school/shifts``: deal a live table with players who err.

A shift under way lives in this server's memory; its marks are stored as they are made, so that the
report of a shift that a stopped server left behind can still be read. Who holds the token of the
post deals the shift; its id reads the report.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.layout_contents import find_layout_contents
from passline.felt.svg import draw_chip_symbols
from passline.game.money.amounts import to_dollars
from passline.game.table.dice_custody import is_automated
from passline.game.table.opening import unopened_table
from passline.game.words.wagers import layout_name
from passline.live.live_table import LiveTable
from passline.live.requests import OpenTableRequest, ServiceError
from passline.live.service import TableService
from passline.school.audition_attempts import SHIFT_START, VISITOR, AttemptStore
from passline.school.question_work import format_step
from passline.school.shift import (
    MAX_PACE,
    MAX_ROLLS,
    MIN_PACE,
    MIN_ROLLS,
    POST_ROLES,
    CallAnswer,
    DoneRequest,
    Shift,
    ShiftMark,
    ShiftStart,
    make_shift_report,
    open_shift,
)
from passline.school.shift_players import PlayerCall, ShiftPost, is_booked_by
from passline.school.table_work import list_post_wagers
from passline.text import escape_unprintable
from passline.web.auth import find_token
from passline.web.request_limits import (
    LogBudget,
    RateLimiter,
    ServerLimits,
    check_rate,
    client_address,
)
from passline.web.responses import JSON, body_response, json_response, prepare_body, read_json
from passline.web.school.api import SchoolApi
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    check_house,
    check_seed,
    compile_house_layout,
    felt_json,
    stack_json,
)

#: How many shifts one address may start, in how many seconds.
_MAX_STARTS, _STARTS_SECONDS = 60, 3600.0
#: A shift that nobody has touched for this long may be ended for another one; its marks stay.
_END_AFTER: Final = timedelta(minutes=30)
_MARK, _END = "shift-mark-", "shift-end"
_VARY: Final = {"Vary": "Accept-Encoding"}
_POSTS: Final[dict[str, ShiftPost]] = {
    **{post: post for post in POST_ROLES},
    **{role: post for post, role in POST_ROLES.items()},
}


class ShiftRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/shifts``. ``house`` is a house file and overrides the book."""

    post: str = "base"
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    rolls: int = 20
    pace: int = 60
    seed: str | int = ""


class _OpenShift(Struct):
    """A shift under way, the address that started it, and when it was used last."""

    shift: Shift
    address: str
    used_at: datetime


class _StoredEnd(Struct, frozen=True):
    thrown: int
    finished: Any


class ShiftApi:
    """The handlers of shifts. ``store`` keeps their marks; without it reports end with memory.

    A shift writes to a log as other clients do, so it spends its address' ``log_budget``.
    """

    def __init__(
        self,
        service: TableService,
        school: SchoolApi,
        store: AttemptStore | None,
        limits: ServerLimits,
        log_budget: LogBudget,
    ) -> None:
        self._service, self._school, self._store = service, school, store
        self._limits, self._log_budget = limits, log_budget
        self._shifts: dict[str, _OpenShift] = {}
        #: Held while shifts are counted and one more is opened.
        self._opening = asyncio.Lock()
        self._starts = RateLimiter(_MAX_STARTS, seconds=_STARTS_SECONDS)

    async def start(self, request: Request) -> Response:
        """``POST /api/school/shifts``: open a table with players, and give the post's token."""
        body = await read_json(request, ShiftRequest)
        start = self._check(body)
        holder = await self._school.learners.find_holder(request)
        if holder is not None and holder.role == "learner":
            start = msgspec.structs.replace(start, learner=holder.name)
        address = client_address(request)
        check_rate(self._starts, address, "start shifts")
        self._log_budget.check(address)
        house = await self._school.background.run(lambda: check_house(body.rulebook, body.house))
        opening = OpenTableRequest(
            name="Shift",
            rulebook="" if house.house else house.rulebook,
            house=house.house,
        )
        if is_automated(unopened_table(compile_house_layout(house).house)):
            raise ServiceError("invalid", "This game has no dealers: a machine deals it.")
        # Not the id of a host: shifts do not count as hosted tables of the address.
        host = self._service.hosting.host_id(f"shift {address}")
        async with self._opening:
            await self._make_room(address)
            shift, token = await open_shift(self._service, opening, start, host)
            self._shifts[start.shift] = _OpenShift(shift, address, self._service.clock.now())
        self._spend(address, shift.start.table, -1)
        await self._save(shift, 0)
        answer = {"shift": start.shift, "table": shift.start.table, "token": token}
        return json_response(answer, 201)

    def _check(self, body: ShiftRequest) -> ShiftStart:
        if body.post not in _POSTS:
            raise ServiceError("invalid", f"'post' must be one of: {', '.join(POST_ROLES)}.")
        if not MIN_PACE <= body.pace <= MAX_PACE:
            raise ServiceError("invalid", f"'pace' must be from {MIN_PACE} to {MAX_PACE}.")
        if not MIN_ROLLS <= body.rolls <= MAX_ROLLS:
            raise ServiceError("invalid", f"'rolls' must be from {MIN_ROLLS} to {MAX_ROLLS}.")
        return ShiftStart(
            shift=token_hex(16),
            table="",
            post=_POSTS[body.post],
            rulebook=body.rulebook,
            rolls=body.rolls,
            pace=body.pace,
            seed=check_seed(str(body.seed)) if body.seed != "" else token_hex(8),
            at=self._service.clock.now(),
        )

    async def _make_room(self, address: str) -> None:
        """End shifts that were left, and forget those that are over.

        Raise ServiceError if there is no room for one more shift of an address.
        """
        oldest = self._service.clock.now() - _END_AFTER
        for opened in list(self._shifts.values()):
            shift = opened.shift
            if opened.used_at <= oldest and not shift.lock.locked():
                async with shift.lock:
                    before = len(shift.marks)
                    await _end_shift(shift)
                    await self._save(shift, before)
        self._shifts = {
            name: opened for name, opened in self._shifts.items() if opened.shift.phase != "over"
        }
        most, total = self._limits.shifts, self._limits.shifts_total
        if most and sum(one.address == address for one in self._shifts.values()) >= most:
            raise ServiceError(
                "too_many_requests",
                f"One address may deal {most} shifts at a time. End one first.",
                retry_after=60,
            )
        if total and len(self._shifts) >= total:
            raise ServiceError(
                "unavailable", "Too many shifts are being dealt here. Try later.", retry_after=60
            )

    def _spend(self, address: str, table: str, after: int) -> None:
        """Count the bytes of a table's entries after number ``after`` for an address."""
        cached = self._service.tables.get_cached(table)
        if cached is not None:
            written = (len(entry.text) for entry in cached.recent if entry.seq > after)
            self._log_budget.spend(address, sum(written))

    async def show(self, request: Request) -> Response:
        """``GET /api/school/shifts/S``: the report; while the shift runs, how far it is."""
        self._school.check_rate(request)
        name = request.path_params["shift"]
        opened = self._shifts.get(name)
        if opened is None:
            return json_response(await self._read_report(name))
        shift = opened.shift
        if shift.phase != "over":
            start = msgspec.to_builtins(shift.start)
            del start["seed"]
            return json_response({**start, "thrown": shift.thrown, "over": False})
        report = make_shift_report(shift.start, shift.marks, shift.thrown, shift.finished)
        return json_response(report)

    async def state(self, request: Request) -> Response:
        """``GET /api/school/shifts/S/state``: what the page of the post shows."""
        return await self._act(request, _do_nothing)

    async def answer_call(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/calls``: book or refuse a call."""
        body = await read_json(request, CallAnswer)
        return await self._act(request, lambda shift: shift.answer_call(body))

    async def dice_out(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/dice-out``: the dice go out, and may be thrown."""
        return await self._act(request, lambda shift: shift.dice_out())

    async def finish_phase(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/done``: the work on the throw is done."""
        body = await read_json(request, DoneRequest)
        return await self._act(request, lambda shift: shift.finish_phase(body))

    async def end(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/end``: end the shift before its last roll."""
        return await self._act(request, _end_shift)

    async def _act(self, request: Request, action: Callable[[Shift], Awaitable[None]]) -> Response:
        """Run an action of the holder of the post, store its marks, and return the new state."""
        self._school.check_rate(request)
        opened = await self._require_shift(request)
        shift, opened.used_at = opened.shift, self._service.clock.now()
        async with shift.lock:
            before, answers = len(shift.marks), len(shift.answers)
            if action is not _end_shift:
                self._log_budget.check(opened.address)
            head = (await shift.live()).head.seq
            try:
                await action(shift)
            finally:
                self._spend(opened.address, shift.start.table, head)
                await self._save(shift, before)
                await self._save_answers(shift, answers)
            body = msgspec.json.encode(await self._describe(shift))
            return body_response(request, prepare_body(body, JSON), 200, _VARY)

    async def _require_shift(self, request: Request) -> _OpenShift:
        """Return the shift that a path names. Raise ServiceError without its post's token."""
        opened = self._shifts.get(request.path_params["shift"])
        if opened is None:
            raise ServiceError("not_found", "There is no such shift under way on this server.")
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", "Send the token of the shift's post.")
        holder = await self._service.holder(opened.shift.start.table, token.token)
        if holder.role != opened.shift.role:
            raise ServiceError("forbidden", "Only the holder of the post deals this shift.")
        return opened

    async def _save(self, shift: Shift, before: int) -> None:
        """Store the marks after number ``before``, and the end of a shift that is over."""
        store, start = self._store, shift.start
        if store is None:
            return
        learner = start.learner or VISITOR
        parts: dict[str, bytes] = {} if before else {SHIFT_START: msgspec.json.encode(start)}
        for mark in shift.marks[before:]:
            parts[f"{_MARK}{mark.n:05}"] = msgspec.json.encode(mark)
        if shift.phase == "over":
            parts[_END] = msgspec.json.encode(_StoredEnd(shift.thrown, shift.finished))

        def write() -> None:
            for name, data in parts.items():
                store.create(start.shift, name, learner, data)

        await self._school.background.run(write)

    async def _save_answers(self, shift: Shift, before: int) -> None:
        """Save what the learner did with the learner's answers, so that practice repeats it."""
        if shift.start.learner:
            for answer in shift.answers[before:]:
                await self._school.learners.save_answer(shift.start.learner, answer)

    async def _read_report(self, name: str) -> dict[str, Any]:
        """Return the report of a stored shift. Raise ServiceError if there is none."""
        store = self._store
        parts: dict[str, bytes] = {}
        if store is not None and len(name) == 32 and name.isalnum() and name.isascii():
            parts = await self._school.background.run(lambda: store.read(name))
        if SHIFT_START not in parts:
            raise ServiceError("not_found", "There is no such shift.")
        start = msgspec.json.decode(parts[SHIFT_START], type=ShiftStart)
        marks = [
            msgspec.json.decode(data, type=ShiftMark)
            for part, data in sorted(parts.items())
            if part.startswith(_MARK)
        ]
        thrown, finished = max((mark.roll for mark in marks), default=0), None
        if _END in parts:
            end = msgspec.json.decode(parts[_END], type=_StoredEnd)
            thrown, finished = end.thrown, msgspec.convert(end.finished, type=type(start.at))
        return make_shift_report(start, marks, thrown, finished)

    async def _describe(self, shift: Shift) -> dict[str, Any]:
        """Return what the page of the post shows, without anything that gives an answer away."""
        live, start = await shift.live(), shift.start
        table, last = live.table, live.last_throw
        working = shift.phase == "work" and not shift.void and last is not None
        shown, dice = table, None
        if working and last is not None:
            shown, dice = last.before, (last.rolled.first, last.rolled.second)
        felt = None
        if shift.phase != "over":
            contents = find_layout_contents(shown, dice, at_rest=dice is not None)
            felt = await self._school.background.run(lambda: felt_json(shown, contents))
        return {
            "shift": start.shift,
            "table": start.table,
            "post": start.post,
            "phase": shift.phase,
            "void": shift.void,
            "roll": shift.thrown + (shift.phase in ("betting", "out")),
            "rolls": start.rolls,
            "seconds": round(3600 / start.pace),
            "puck": shown.puck,
            "dice": list(dice) if dice else None,
            "shooter": live.next_shooter,
            "calls": [_call_json(live, call) for call in shift.calls],
            "targets": _list_targets(live, start.post),
            "symbols": draw_chip_symbols(table.house.rack.chips),
            "bank": [[chip.color, chip.value] for chip in table.house.rack.chips],
            "wagers": _list_work(live, shift) if working else [],
            "steps": [format_step(step.to_json()) for step in shift.shown],
            "felt": felt,
        }


async def _do_nothing(_shift: Shift) -> None:
    return None


async def _end_shift(shift: Shift) -> None:
    if shift.phase != "over":
        await shift.end()


def _call_json(live: LiveTable, call: PlayerCall) -> dict[str, Any]:
    chips, over = live.table.house.rack.divide(call.chips)
    stakes = live.table.seat(call.player).wagers
    return {
        "id": call.id,
        "player": call.player,
        "place": call.place,
        "say": escape_unprintable(call.say),
        "stack": stack_json("", chips, over) if call.chips else None,
        "amount": to_dollars(call.chips),
        "up": {slug: to_dollars(stake.amount) for slug, stake in stakes.items()},
    }


def _list_targets(live: LiveTable, post: ShiftPost) -> list[dict[str, str]]:
    """Return the wagers that a post books, in the order of the layout."""
    spots = live.table.layout.spots.values()
    return [
        {"wager": spot.slug, "name": layout_name(spot.slug)}
        for spot in spots
        if is_booked_by(post, spot)
    ]


def _list_work(live: LiveTable, shift: Shift) -> list[dict[str, Any]]:
    """Return the bets before the throw that the post is responsible for."""
    if shift.start.post == "box":
        return []
    return [
        {**bet.to_json(), "piles": list(bet.chips.items())}
        for bet in list_post_wagers(live, shift.role)
    ]
