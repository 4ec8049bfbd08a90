"""Shifts of the dealer school, ``/api/school/shifts``: deal to players who make mistakes.

A shift is a live table with players that the server plays. While it is under way it is in this
server's memory. After each action its state and marks (the grades so far) are stored, so that it
can go on after a restart or on another server of the same store. The token of the post lets its
holder deal the shift; the shift's id is enough to read the report.

The shift of an audition (exam) has a token of its own until the audition is over, because the
table's token would show the log, in which the learner's work is graded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from secrets import token_hex
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.felt.layout_contents import find_layout_contents, list_shares
from passline.felt.svg import draw_chip_symbols
from passline.game.layout.spots import Spot
from passline.game.money.amounts import to_dollars
from passline.game.table.dice_custody import is_automated
from passline.game.table.open_close import unopened_table
from passline.game.table.state import Table
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name
from passline.game.words.web import say_web
from passline.live.live_table import LiveTable
from passline.live.schema import OpenTableRequest, ServiceError
from passline.live.service import TableService
from passline.school.answer_log import AnswerRecord, LearnerError
from passline.school.audition_attempts import (
    SHIFT_START,
    VISITOR,
    AttemptStart,
    AttemptStore,
    is_attempt_over,
    is_audition_id,
)
from passline.school.question_index import keep_asked_clauses
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
    ShiftState,
    load_shift,
    open_shift,
)
from passline.school.shift_players import PlayerCall, ShiftPost, find_void_side
from passline.school.shift_report import ShiftEnd, ShiftMark, ShiftStart, make_shift_report
from passline.school.throw_work import list_post_wagers
from passline.text import escape_unprintable
from passline.web.auth import find_token
from passline.web.request_body import read_json
from passline.web.request_limits import (
    LogBudget,
    RateLimiter,
    ServerLimits,
    client_address,
    limit_error,
)
from passline.web.responses import JSON, body_response, json_response, prepare_body
from passline.web.school.api import SchoolApi
from passline.web.school.learners import make_storage_error
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    HouseChoice,
    check_house,
    check_seed,
    compile_house_layout,
    felt_json,
    stack_json,
)

log = logging.getLogger("passline.web")

#: How many shifts one address may start, in how many seconds.
_MAX_STARTS, _STARTS_SECONDS = 60, 3600.0
#: A shift that nobody has touched for this long may be ended for another one, and one that began
#: so long ago is reported as broken off; its marks stay.
_END_AFTER, _BROKEN_OFF_AFTER = timedelta(minutes=30), timedelta(hours=24)
_MARK, _STATE = "shift-mark-", "shift-state"
#: The shift of an audition: its post, its rolls and its pace.
AUDITION_SHIFT: Final[dict[str, Any]] = {"post": "base", "rolls": 5, "pace": 60}
_VARY: Final = {"Vary": "Accept-Encoding"}
_POSTS: Final[dict[str, ShiftPost]] = {
    **{post: post for post in POST_ROLES},
    **{role: post for post, role in POST_ROLES.items()},
}


class ShiftRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/shifts``: the post to work, the house, and how to deal.

    ``house`` is a house file and overrides ``rulebook``. ``rolls`` is the number of rolls, ``pace``
    is rolls per hour, and ``seed`` decides the bets and the dice.
    """

    post: str = "base"
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    rolls: int = 20
    pace: int = 60
    seed: str | int = ""


_Result = TypeVar("_Result")


class _OpenShift(Struct):
    """A shift under way, the address that started it, and the time of its last use."""

    shift: Shift
    address: str
    used_at: datetime


class _Stored(Struct, frozen=True):
    """A shift as last stored: how it began, the marks of the learner's work, and its state."""

    start: ShiftStart
    marks: tuple[ShiftMark, ...]
    state: ShiftState

    @property
    def end(self) -> ShiftEnd:
        """How much of the shift was dealt: the throws, the seconds, and when it ended."""
        state = self.state
        return ShiftEnd(state.thrown, state.finished, state.seconds)


class ShiftApi:
    """The handlers of shifts. ``store`` saves them; without it they exist only in memory.

    The entries that a shift writes to its table's log count against the ``log_budget`` of the
    address that started it.
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
        self._loading = asyncio.Lock()

    async def start(self, request: Request) -> Response:
        """``POST /api/school/shifts``: open a table with players.

        The response has the post's token.
        """
        self.require_on()
        body = await read_json(request, ShiftRequest)
        start = self._check(body)
        holder = await self._school.learners.find_holder(request)
        if holder is not None and holder.role == "learner":
            start = msgspec.structs.replace(start, learner=holder.name)
        address = client_address(request)
        self._starts.check(address, "rate.shift")
        self._log_budget.check(address)
        house = await self._school.background.run(lambda: check_house(body.rulebook, body.house))
        shift, token = await self._open(house, start, address)
        answer = {"shift": start.shift, "table": shift.start.table, "token": token}
        return json_response(answer, 201)

    async def _open(self, house: HouseChoice, start: ShiftStart, address: str) -> tuple[Shift, str]:
        """Open a shift for an address and store it. Return (shift, token of its post).

        Raise ServiceError if the house's game has no dealers, or if there are too many shifts.
        """
        opening = OpenTableRequest(
            name="Shift",
            rulebook="" if house.house else house.rulebook,
            house=house.house,
        )
        if not has_dealers(house):
            raise ServiceError("invalid", say_web("no-dealers"))
        # Not the host's id: of an address, shifts have a limit of their own; in all they count.
        host = self._service.hosting.host_id(f"shift {address}")
        async with self._opening:
            await self._make_room("" if start.audition else address)
            hosting = self._service.hosting
            async with hosting.lock:
                await hosting.check_total(self._limits.hosted_tables)
                shift, token = await open_shift(self._service, opening, start, host)
            self._shifts[start.shift] = _OpenShift(shift, address, self._service.clock.now())
        self._spend(address, shift.start.table, -1)
        await self._save(shift, 0)
        return shift, token

    @property
    def are_off(self) -> bool:
        """Return whether the operator has turned shifts off."""
        return self._limits.shifts is None

    def require_on(self) -> None:
        """Raise ServiceError if the operator has turned shifts off."""
        if self.are_off:
            raise ServiceError("forbidden", say_web("shifts-off"))

    async def open_for_audition(self, attempt: AttemptStart, address: str) -> str:
        """Open the shift of an audition under way and return the shift's id."""
        self.require_on()
        self._log_budget.check(address)
        start = ShiftStart(
            shift=token_hex(16),
            table="",
            **AUDITION_SHIFT,
            rulebook=attempt.rulebook,
            seed=token_hex(8),
            at=self._service.clock.now(),
            learner=attempt.learner,
            audition=attempt.audition,
            deadline=attempt.deadline,
        )
        await self._open(HouseChoice(attempt.rulebook, attempt.house), start, address)
        return start.shift

    async def invite_to(self, shift_id: str) -> dict[str, str]:
        """Return a shift's id, its table, and a token for the learner whose audition it is part of.

        The token deals the shift. When the shift is over, it only reads the table.
        """
        shift = (await self._find(shift_id)).shift
        start = shift.start
        token = make_audition_token(start)
        if shift.phase == "over":
            token = await self._service.invite(start.table, shift.role)
        return {"shift": start.shift, "table": start.table, "token": token}

    async def is_over(self, shift_id: str) -> bool:
        """Return whether a shift is over: dealt to its end, or its table was deleted."""
        try:
            return (await self._find(shift_id)).shift.phase == "over"
        except ServiceError as error:
            if error.code != "not_found":
                raise
            return True

    async def finish(self, shift_id: str) -> tuple[dict[str, Any], Sequence[AnswerRecord]]:
        """End the shift of an audition that is over. Return (report, learner's graded answers).

        If the operator has deleted the shift's table, return what was stored last.
        """
        try:
            shift = (await self._find(shift_id)).shift
            async with shift.lock:
                if shift.phase != "over":
                    await self._end(shift)
        except ServiceError as error:
            stored = await self._read_stored(shift_id)
            if error.code != "not_found" or stored is None:
                raise
            report = make_shift_report(stored.start, stored.marks, stored.end)
            return report, stored.state.answers
        return make_shift_report(shift.start, shift.marks, shift.outcome), shift.answers

    async def _end(self, shift: Shift) -> None:
        """End a shift and store it. The caller holds its lock."""
        before = len(shift.marks)
        await _end_shift(shift)
        await self._save(shift, before)

    def _check(self, body: ShiftRequest) -> ShiftStart:
        if body.post not in _POSTS:
            raise ServiceError("invalid", say_web("post-choice", posts=POST_ROLES))
        if not MIN_PACE <= body.pace <= MAX_PACE:
            raise ServiceError("invalid", say_web("pace-range", least=MIN_PACE, most=MAX_PACE))
        if not MIN_ROLLS <= body.rolls <= MAX_ROLLS:
            raise ServiceError(
                "invalid", say_web("shift-rolls-range", least=MIN_ROLLS, most=MAX_ROLLS)
            )
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
        """End shifts that nobody used for 30 minutes, and remove those that are over from memory.

        Raise ServiceError if there is no room for one more shift of ``address``. The shifts of
        auditions count for no address: a whole class may share one, and takes the test at once.
        """
        oldest = self._service.clock.now() - _END_AFTER
        for shift_id, opened in list(self._shifts.items()):
            shift = opened.shift
            if opened.used_at <= oldest and not shift.lock.locked():
                try:
                    async with shift.lock:
                        await self._end(shift)
                except ServiceError as wrong:  # Such as a table that the operator deleted.
                    log.warning("shift %s was not ended: %s", shift_id, wrong)
                    del self._shifts[shift_id]
        self._shifts = {
            shift_id: opened
            for shift_id, opened in self._shifts.items()
            if opened.shift.phase != "over"
        }
        most, total = self._limits.shifts, self._limits.shifts_total
        mine = [one for one in self._shifts.values() if one.address == address]
        if most and address and sum(not one.shift.start.audition for one in mine) >= most:
            raise limit_error("too_many_requests", "address-shifts", 60, most=most)
        if total and len(self._shifts) >= total:
            raise limit_error("unavailable", "all-shifts", 60)

    def _spend(self, address: str, table: str, after: int) -> None:
        """Count the bytes of a table's entries after number ``after`` in an address's budget."""
        cached = self._service.tables.get_cached(table)
        if cached is not None:
            written = (len(entry.text) for entry in cached.recent if entry.seq > after)
            self._log_budget.spend(address, sum(written))

    async def show(self, request: Request) -> Response:
        """``GET /api/school/shifts/S``: the report, or while the shift runs, how far it is."""
        self._school.check_rate(request)
        stored = await self._read(request.path_params["shift"])
        if stored is None:
            raise ServiceError("not_found", say_web("no-shift"))
        start, end, store = stored.start, stored.end, self._store
        old = start.at + _BROKEN_OFF_AFTER < self._service.clock.now()
        over = stored.state.phase == "over" or old
        if over and start.audition and store is not None:
            over = await self._run(lambda: is_attempt_over(store, start.audition))
        if over:
            return json_response(make_shift_report(start, stored.marks, end))
        shown = msgspec.to_builtins(start)
        for secret in ("seed", "audition", "deadline"):
            del shown[secret]
        return json_response({**shown, "thrown": end.thrown, "over": False})

    async def state(self, request: Request) -> Response:
        """``GET /api/school/shifts/S/state``: what the page of the post shows."""
        return await self._act(request, _do_nothing)

    async def answer_call(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/calls``: book or refuse a bet that a player called."""
        body = await read_json(request, CallAnswer)
        return await self._act(request, lambda shift: shift.answer_call(body))

    async def dice_out(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/dice-out``: send the dice out, so that they may be thrown."""
        return await self._act(request, lambda shift: shift.dice_out())

    async def finish_phase(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/done``: grade the learner's work on the throw and go on."""
        body = await read_json(request, DoneRequest)
        return await self._act(request, lambda shift: shift.finish_phase(body))

    async def end(self, request: Request) -> Response:
        """``POST /api/school/shifts/S/end``: end the shift before its last roll."""
        return await self._act(request, _end_shift)

    async def _act(self, request: Request, action: Callable[[Shift], Awaitable[None]]) -> Response:
        """Perform an action on a shift, store the marks, and return the new state as the response.

        If the players have waited too long for the dice, or the audition's time is over, the shift
        goes on by itself and ``action`` is not performed. Raise ServiceError without the token of
        the post.
        """
        self._school.check_rate(request)
        opened = await self._require_shift(request)
        shift, opened.used_at = opened.shift, self._service.clock.now()
        async with shift.lock:
            before, answers, sent = len(shift.marks), len(shift.answers), False
            if action is not _end_shift:
                self._log_budget.check(opened.address)
            head = (await shift.live()).head.seq
            deadline = shift.start.deadline
            try:
                if deadline and self._service.clock.now() > deadline:
                    await _end_shift(shift)
                else:
                    sent = await shift.keep_pace()
                    if not sent:
                        await action(shift)
            finally:
                self._spend(opened.address, shift.start.table, head)
                try:
                    # First: after a crash the action is repeated, and its answers count once.
                    await self._save_answers(shift, answers)
                finally:
                    if action is not _do_nothing or sent or shift.phase == "over":
                        await self._save(shift, before)
            told = say_school("shift.sent-out") if sent else ""
            body = msgspec.json.encode(await self._describe(shift, told))
            return body_response(request, prepare_body(body, JSON), 200, _VARY)

    async def _require_shift(self, request: Request) -> _OpenShift:
        """Return the shift that a request's path names.

        Raise ServiceError if there is none, or if the request does not have its post's token.
        """
        opened = await self._find(request.path_params["shift"], client_address(request))
        shift = opened.shift
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", say_web("shift-token"))
        if shift.start.audition and compare_digest(
            token.token.encode("utf-8", "surrogatepass"), make_audition_token(shift.start).encode()
        ):
            return opened
        holder = await self._service.holder(shift.start.table, token.token)
        if holder.role != shift.role:
            raise ServiceError("forbidden", say_web("shift-post"))
        return opened

    async def _find(self, shift_id: str, address: str = "") -> _OpenShift:
        """Return a shift, from memory or from the store. Raise ServiceError if there is none.

        One that is loaded from the store counts for the address ``address``.
        """
        async with self._loading:
            opened, store = self._shifts.get(shift_id), self._store
            data = None
            if store is not None and is_audition_id(shift_id):
                data = await self._run(lambda: store.read_part(shift_id, _STATE))
            if data is not None:
                state = msgspec.json.decode(data, type=ShiftState)
                # Another server may have gone on with the shift since.
                if opened is None or opened.shift.saves < state.saves:
                    stored = await self._read_stored(shift_id)
                    assert stored is not None
                    shift = await load_shift(
                        self._service, stored.start, stored.state, stored.marks
                    )
                    address = opened.address if opened is not None else address
                    opened = _OpenShift(shift, address, self._service.clock.now())
                    self._shifts[shift_id] = opened
            if opened is None:
                raise ServiceError("not_found", say_web("no-shift"))
            return opened

    async def _save(self, shift: Shift, before: int) -> None:
        """Store a shift's state and its marks from index ``before`` on."""
        store, start = self._store, shift.start
        state = await shift.save()
        if store is None:
            return
        learner = start.learner or VISITOR
        parts: dict[str, bytes] = {} if before else {SHIFT_START: msgspec.json.encode(start)}
        for mark in shift.marks[before:]:
            parts[f"{_MARK}{mark.n:05}"] = msgspec.json.encode(mark)
        parts[_STATE] = msgspec.json.encode(state)  # The last one: it counts the marks.

        def write() -> None:
            for name, data in parts.items():
                store.replace(start.shift, name, learner, data)

        await self._run(write)

    async def _save_answers(self, shift: Shift, before: int) -> None:
        """Add what the learner did to the learner's saved answers, so that practice repeats it.

        Do nothing in an audition, whose answers are saved when it is over. ``before`` is how many
        answers were saved already.
        """
        if shift.start.learner and not shift.start.audition:
            for answer in shift.answers[before:]:
                await self._school.learners.save_answer(shift.start.learner, answer)

    async def _read(self, shift_id: str) -> _Stored | None:
        """Return a shift from the store, or else from memory; None if it is in neither."""
        stored, opened = await self._read_stored(shift_id), self._shifts.get(shift_id)
        if stored is None and opened is not None:
            shift = opened.shift
            return _Stored(shift.start, tuple(shift.marks), await shift.save())
        return stored

    async def _read_stored(self, shift_id: str) -> _Stored | None:
        """Return a shift from the store, or None if it is not there."""
        store = self._store
        parts: dict[str, bytes] = {}
        if store is not None and is_audition_id(shift_id):
            parts = await self._run(lambda: store.read(shift_id))
        if SHIFT_START not in parts or _STATE not in parts:
            return None
        state = msgspec.json.decode(parts[_STATE], type=ShiftState)
        marks = [
            msgspec.json.decode(data, type=ShiftMark)
            for part, data in sorted(parts.items())
            if part.startswith(_MARK)
        ]
        start = msgspec.json.decode(parts[SHIFT_START], type=ShiftStart)
        return _Stored(start, tuple(marks[: state.marks]), state)

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` in the background. Raise ServiceError if the store fails."""
        try:
            return await self._school.background.run(work)
        except LearnerError as error:
            raise make_storage_error(error) from None

    async def _describe(self, shift: Shift, told: str) -> dict[str, Any]:
        """Return what the page of the post shows, as JSON. Nothing in it gives an answer away.

        ``told`` is a message to the learner, such as that the dice were sent out, or "".
        """
        live, start = await shift.live(), shift.start
        table, last = live.table, live.last_throw
        working, void = shift.phase == "work", shift.phase == "work" and shift.void
        shown, dice = table, None
        if working and not void and last is not None:
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
            "seconds": round(start.seconds),
            "gone": round(shift.gone, 1),
            "hurry": dict(zip(("player", "say"), shift.find_hurry(), strict=True)),
            "told": told,
            "void_call": _describe_void_throw(shift, table) if void else "",
            **await self._describe_audition(shift),
            "puck": shown.puck,
            "dice": list(dice) if dice else None,
            "shooter": live.next_shooter,
            "calls": [_call_json(live, call) for call in shift.calls],
            "targets": await self._school.background.run(lambda: _list_targets(live, start.post)),
            "symbols": draw_chip_symbols(table.house.rack.chips),
            "bank": [[chip.color, chip.value] for chip in table.house.rack.chips],
            "wagers": _list_work(shown, shift) if working else [],
            "steps": [format_step(step.to_json()) for step in shift.shown],
            "felt": felt,
        }

    async def _describe_audition(self, shift: Shift) -> dict[str, Any]:
        """Return what the page needs for a shift in an audition, such as the seconds left.

        Outside auditions, when a visitor's shift is over, return its answers; the browser builds
        the visitor's practice on them.
        """
        start = shift.start
        if start.deadline is not None:
            left = (start.deadline - self._service.clock.now()).total_seconds()
            return {"audition": True, "left": max(0, int(left))}
        if shift.phase == "over" and not start.learner:  # Practice goes on for the visit.
            answers = list(shift.answers)
            kept = await self._school.background.run(lambda: [*map(keep_asked_clauses, answers)])
            return {"audition": False, "answers": kept}
        return {"audition": False}


def has_dealers(house: HouseChoice) -> bool:
    """Return whether people deal the game of a house, and not a machine."""
    return not is_automated(unopened_table(compile_house_layout(house).house))


def make_audition_token(start: ShiftStart) -> str:
    """Return the token that deals the shift of an audition.

    The token is made from the ids of the audition and the shift, so only those who know both can
    make it.
    """
    return sha256(f"{start.audition} {start.shift}".encode()).hexdigest()[:48]


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


def _list_targets(live: LiveTable, post: ShiftPost) -> list[dict[str, Any]]:
    """Return the wagers that can be set at a post, as JSON, in the order of the layout.

    The list has also wagers that players make themselves, since a player may call for a bet that no
    rule allows. ``shares`` are [rail position, x, y]: where the chips of each position are on the
    felt.
    """
    table = live.table
    spots = [spot for spot in table.layout.spots.values() if _can_be_set_at(post, spot)]
    shares = list_shares(table, spots, "left" if post == "base" else "")
    return [
        {
            "wager": spot.slug,
            "name": layout_name(spot.slug),
            "shares": [[place, at.x, at.y] for place, at in shares[spot.slug].items()],
        }
        for spot in spots
    ]


def _can_be_set_at(post: ShiftPost, spot: Spot) -> bool:
    """Return whether chips for a wager can be set at a post.

    The stick sets the bets in the center, a base dealer the others, the box all. Bets that arise
    only when a come bet travels can be set by nobody.
    """
    in_center = spot.rule.area == "center"
    return not spot.only_travels and (post == "box" or in_center == (post == "stick"))


def _describe_void_throw(shift: Shift, table: Table) -> str:
    """Return in words where the die fell (for the stick), or what the stick calls (for others)."""
    if shift.start.post == "stick":
        side = find_void_side(shift.start.seed, shift.thrown)
        return say_school("shift.void-fell", side=side)
    calls = ", ".join(one.words for one in shift.list_void_calls(table))
    return say_school("shift.void-called", calls=calls)


def _list_work(table: Table, shift: Shift) -> list[dict[str, Any]]:
    """Return, as JSON, the bets that the shift's post takes and pays; [] for the box."""
    if shift.start.post == "box":
        return []
    return [
        {**bet.to_json(), "piles": list(bet.chips.items())}
        for bet in list_post_wagers(table, shift.role)
    ]
