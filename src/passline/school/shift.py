"""Deal a shift: a live table whose post the learner holds, with players who call bets and err.

A shift goes from throw to throw in three phases. *Betting*: players call bets, and the learner
books or refuses each. *Out*: the dice are out, and a late bet may be called. *Work*: the dice have
landed, and the learner takes, pays and places (or calls the throw, or watches the dealers).
Nothing is marked aloud: a wrong payoff stays wrong until somebody notices, and the report comes at
the end. The table is a live table of the service: the same engine, log and marks.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.crew.learner_steps import CrewStep, list_crew_work
from passline.crew.procedures import list_between_roll_tasks
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.opening import count_places
from passline.game.table.state import Table
from passline.game.words.refusals import describe_refusal
from passline.game.words.school import SHIFT_ACTIONS, say_school
from passline.game.words.wagers import layout_name
from passline.live.auto_dealer_schedule import find_owed_work
from passline.live.live_table import LiveTable
from passline.live.requests import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import OPERATOR, TableService
from passline.live.tokens import Holder
from passline.school.answer_fields import UnreadableAnswerError, read_cents
from passline.school.answer_log import AnswerRecord, make_answer_record
from passline.school.drills import load_drill
from passline.school.drills.calls import make_call_question
from passline.school.grading import grade_answer
from passline.school.practice_tables import PracticeTable
from passline.school.questions import DrillSetup, Question
from passline.school.seeded_random import SeededRandom
from passline.school.shift_players import (
    CallAction,
    PlayerCall,
    ShiftBettors,
    ShiftPlayer,
    ShiftPost,
    find_buy_in,
    is_called,
    is_void_throw,
    make_bet_call,
    make_dispute,
    make_error_call,
    make_late_call,
    make_short_claim,
    seat_shift_players,
    try_commands,
)
from passline.school.table_work import (
    POST_WORK_LEVEL,
    PostWork,
    WorkRequest,
    enter_work,
    grade_work,
    read_work_steps,
)
from passline.school.work_faults import WorkFault, describe_step
from passline.talk.canonical import format_command
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

#: The role of the table's token for each post of a shift.
POST_ROLES: Final[dict[ShiftPost, str]] = {"base": "left-base", "stick": "stick", "box": "box"}
MIN_PACE, MAX_PACE = 30, 100
MIN_ROLLS, MAX_ROLLS = 1, 200
ShiftPhase = Literal["betting", "out", "work", "over"]
_VOID_LINE: Final = "no roll off-table"
_VOID_CITE: Final = "custom: a throw that does not count moves no chips"
_NAME_WORDS = re.compile(r"\b(?:for|to) (?:you|sir|the gentleman|the lady)\b|\bsir\b|\bbet\b")


class ShiftStart(Struct, frozen=True, kw_only=True):
    """What was chosen for a shift, and its table. ``learner`` is "" for a visitor."""

    shift: str
    table: str
    post: ShiftPost
    rulebook: str
    rolls: int
    pace: int
    seed: str
    at: datetime
    learner: str = ""


class ShiftMark(Struct, frozen=True, kw_only=True):
    """One thing that the learner did or left out, and whether it was right.

    ``roll`` counts the throws of the shift from 1; ``seq`` is the entry of the table's log to
    replay. Losses are cents; those of a mistake that was noticed come off again with a mark of the
    kind "noticed".
    """

    n: int
    roll: int
    seq: int
    kind: str
    right: bool
    words: str
    cite: str = ""
    player: str = ""
    wager: str = ""
    house_lost: int = 0
    players_lost: int = 0


class _ThrownTable(PracticeTable):
    """A live table before a throw, as the drills see practice tables."""

    def __init__(self, setup: DrillSetup, record: str, before: Table, rolled: Any) -> None:
        super().__init__(setup)
        self.table, self._record, self._rolled = before, record, rolled

    @property
    def record_text(self) -> str:
        """Return the record of the game before the throw."""
        return self._record

    def preview_throw(self, first: int, second: int) -> tuple[Table, Any]:
        """Return (table before the throw, roll)."""
        return self.table, self._rolled


class CallAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a learner does about a call.

    ``set`` are the bets as they are set: dollars by wager, each the whole bet. ``say`` is what the
    learner says back. ``amount`` is what is paid on a claim, as dollars.
    """

    call: int
    action: CallAction
    set: dict[str, Any] = {}
    say: str = ""
    amount: Any = None


class DoneRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A learner's work on a throw: steps, the stick's call, or the steps that a box finds wrong."""

    steps: Any = None
    say: str = ""
    wrong: tuple[int, ...] = ()


class Shift:
    """A shift under way. Call its coroutines one at a time, under ``lock``."""

    def __init__(
        self,
        service: TableService,
        start: ShiftStart,
        players: Sequence[ShiftPlayer],
    ) -> None:
        self.start, self.players, self.lock = start, players, asyncio.Lock()
        self.role = POST_ROLES[start.post]
        self.phase: ShiftPhase = "betting"
        self.calls: list[PlayerCall] = []
        self.marks: list[ShiftMark] = []
        self.answers: list[AnswerRecord] = []
        self.thrown = 0
        self.void = False
        self.shown: list[CrewStep] = []
        self.finished: datetime | None = None
        self._shown_due: list[CrewStep] = []
        self._service, self._bettors = service, ShiftBettors(players, start.seed)
        self._next_call, self._seq, self._record = 1, 0, ""

    async def live(self) -> LiveTable:
        """Return the state of the shift's table."""
        return (await self._service.tables.get(self.start.table)).live

    async def begin_betting(self) -> None:
        """Let every player bet: alone where players do, and by calls where the post books them."""
        self.phase, self.void, self.shown = "betting", False, []
        for player in self.players:
            await self._bet(player)
        live = await self.live()
        error = make_error_call(
            live.table, self.start.post, self.players, self._next_call, self.start.seed
        )
        if error is not None:
            self._add_call(error)
        self._seq = (await self.live()).head.seq

    async def _bet(self, player: ShiftPlayer) -> None:
        live = await self.live()
        seat = live.table.find(player.name)
        if seat is None or not seat.here:
            return
        if seat.rail < find_buy_in(live.table.layout) // 10:
            await self._say(player.name, f"buy in {to_dollars(find_buy_in(live.table.layout))}")
            live = await self.live()
        called: list[cmd.AnyCommand] = []
        for command in self._bettors.list_wanted(live, player):
            if is_called(live.table, self.start.post, command):
                called.append(command)
            else:
                await self._say(player.name, format_command(command))
        table = (await self.live()).table
        if called and not isinstance(try_commands(table, called), Refusal):
            self._add_call(make_bet_call(table, player, called, self._next_call, self.start.seed))

    def _add_call(self, call: PlayerCall) -> None:
        self.calls.append(call)
        self._next_call = max(self._next_call, call.id) + 1

    async def leave_line_down(self, player: str) -> None:
        """Tell the table not to repeat a player's line bets: the strategies decide."""
        await self._say(player, "leave my line down")

    async def _say(self, player: str, words: str, nonce: str = "") -> bool:
        """Have a player say something to the table. Return whether the table accepted it."""
        request = LineRequest(id=token_hex(12), say=words, nonce=nonce)
        try:
            told = await self._service.say(self.start.table, Holder("player", player), request)
        except ServiceError:
            return False
        return told.seq is not None

    # What the learner does

    async def answer_call(self, answer: CallAnswer) -> None:
        """Book, refuse or settle a call, and mark it. Raise ServiceError if it is not open."""
        call = next((one for one in self.calls if one.id == answer.call), None)
        if call is None or self.phase == "over":
            raise ServiceError("conflict", say_school("shift.no-call"))
        amounts = _read_amounts(answer.set)
        paid = _read_cents(answer.amount) if answer.action == "pay" else 0
        live = await self.live()
        if answer.action == "book":
            await self._book(call, amounts)
        self.calls.remove(call)
        if call.kind == "bet":
            self._mark_booking(live.table, call, answer, amounts)
        else:
            self._mark_ruling(call, answer.action, paid)

    async def _book(self, call: PlayerCall, amounts: dict[str, int]) -> None:
        """Set the bets on the table as the learner set them. Raise ServiceError if it refuses."""
        table = (await self.live()).table
        commands = _make_commands(table, call.player, amounts)
        refused = try_commands(table, commands)
        if isinstance(refused, Refusal) and call.kind == "bet":
            raise ServiceError("invalid", describe_refusal(refused, call.player))
        if not isinstance(refused, Refusal):
            for command in commands:
                await self._say(call.player, format_command(command))

    def _mark_booking(
        self, table: Table, call: PlayerCall, answer: CallAnswer, amounts: dict[str, int]
    ) -> None:
        cites = _find_booking_clauses(table, call)
        cite = cites[0] if cites else ""
        if answer.action != "book":
            words = say_school("shift.refused-wrongly", player=call.player, say=call.say)
            self._mark("bet missed", False, words, cite=cite, call=call)
        elif amounts != call.due:
            words = say_school(
                "shift.set-wrong",
                player=call.player,
                say=call.say,
                due=_show_bets(call.due),
                given=_show_bets(amounts),
            )
            self._mark("set wrong", False, words, cite=cite, call=call)
        elif cites and not _repeats(table, call, answer.say):
            words = say_school(
                "shift.not-said-back", player=call.player, say=call.say, due=_show_bets(call.due)
            )
            self._mark("not said back", False, words, cite=cite, call=call)
        else:
            words = say_school("shift.booked", player=call.player, bets=_show_bets(call.due))
            self._mark("booked", True, words, cite=cite, call=call)
        self._record_answer("booking", self.marks[-1].right, cites)

    def _mark_ruling(self, call: PlayerCall, action: CallAction, paid: int) -> None:
        """Mark what the learner did about a player's mistake or claim; ``paid`` is in cents."""
        right = action in call.right and (action != "pay" or paid == call.amount)
        owed = call.amount if call.kind == "short" else 0
        back = owed if action == "box" else min(paid, owed)
        words = say_school(
            "shift.ruled",
            player=call.player,
            say=call.say,
            action=SHIFT_ACTIONS[action],
            reason=call.reason,
        )
        self._mark(
            "noticed" if right and owed else "ruling",
            right,
            words,
            cite=call.cite,
            call=call,
            house_lost=max(0, paid - owed),
            players_lost=-back,  # It was owed, and is paid now.
        )
        if call.cite in clauses_by_id(self.start.rulebook):
            self._record_answer("rulings", right, [call.cite])

    async def dice_out(self) -> None:
        """Send the dice out. Calls that the learner left open are missed. The throw may follow."""
        if self.phase != "betting":
            raise ServiceError("conflict", say_school("shift.not-betting"))
        self._miss_open_calls()
        table = (await self.live()).table
        late = make_late_call(
            table, self.start.post, self.players, self._next_call, self.start.seed
        )
        if late is not None:
            self._add_call(late)
            self.phase = "out"
        else:
            await self._throw()

    def _miss_open_calls(self) -> None:
        """Mark the calls that are still open as missed, and forget them."""
        for call in self.calls:
            kind = "bet missed" if call.kind == "bet" else "not answered"
            words = say_school("shift.missed", player=call.player, say=call.say)
            self._mark(kind, False, words, cite=call.cite, call=call)
        self.calls = []

    async def finish_phase(self, request: DoneRequest) -> None:
        """End a phase: throw the dice that are out, or grade the work on the throw."""
        if self.phase == "out":
            self._miss_open_calls()
            await self._throw()
        elif self.phase == "work":
            await self._grade(request)
        else:
            raise ServiceError("conflict", say_school("shift.no-work"))

    async def _throw(self) -> None:
        """Throw the dice, or have one leave the table, and go on to the work."""
        await self._make_shooter_ready()
        live = await self.live()
        if self.start.post == "stick":
            self._record = await self._service.record(self.start.table)
        self.thrown += 1
        self.void = is_void_throw(self.start.seed, self.thrown) and await self._void_throw()
        if not self.void:
            await self._roll(live.next_shooter)
        live = await self.live()
        self._seq = live.head.seq
        self.phase = "work"
        if not self.void:
            self._after_throw(live)

    async def _make_shooter_ready(self) -> None:
        """Make the line bet of a shooter who has none and needs one."""
        for _ in self.players:
            live = await self.live()
            seat = live.table.find(live.next_shooter) if live.next_shooter else None
            if seat is None:
                for player in self.players:
                    await self._bet_line(live.table, player.name)
                return
            if live.table.point or any(
                live.table.layout.spots[slug].rule.is_line for slug in seat.wagers
            ):
                return
            await self._bet_line(live.table, seat.id)

    async def _bet_line(self, table: Table, player: str) -> None:
        amount = -(-max(table.house.minimum, 1000) // table.house.chip) * table.house.chip
        await self._say(player, f"pass for {to_dollars(amount)}")

    async def _roll(self, shooter: str) -> None:
        names = [shooter, *(player.name for player in self.players)]
        for name in names:
            if name and await self._say(name, "roll", token_hex(8)):
                return
        raise ServiceError("unavailable", say_school("shift.no-throw"), retry_after=1)

    async def _void_throw(self) -> bool:
        """Have the box call that a die left the table. Return False if the box may not."""
        if self.start.post == "box":
            return False
        request = LineRequest(id=token_hex(12), say=_VOID_LINE)
        try:
            told = await self._service.say(self.start.table, Holder("box"), request)
        except ServiceError:
            return False
        await self._service.auto_dealer.run_due()  # New dice, where the book wants them.
        return told.seq is not None

    def _after_throw(self, live: LiveTable) -> None:
        """Let a player dispute the call, and show a box the dealers' work."""
        assert live.last_throw is not None
        rolled = live.last_throw.rolled
        dice = rolled.first, rolled.second
        dispute = make_dispute(live.table, dice, self.players, self._next_call, self.start.seed)
        if dispute is not None:
            self._add_call(dispute)
        if self.start.post == "box":
            work = list_crew_work(live.last_throw.before, rolled)
            self._shown_due = list(work.money)
            self.shown = _make_dealers_err(self._shown_due, live, self._random("dealers"))

    def _random(self, *what: object) -> SeededRandom:
        return SeededRandom(self.start.seed, self.thrown, *what)

    async def _grade(self, request: DoneRequest) -> None:
        """Grade the work on a throw, mark it, and begin the next betting, or end the shift."""
        live = await self.live()
        steps = read_work_steps(live, [] if request.steps is None else request.steps)
        self._miss_open_calls()
        if self.void:
            self._grade_void(bool(steps))
        elif self.start.post == "box":
            self._grade_box(request.wrong)
        else:
            if self.start.post == "stick":
                self._grade_stick_call(live, request.say)
            await self._grade_steps(live, steps)
        if self.thrown >= self.start.rolls:
            await self.end()
        else:
            await self.begin_betting()

    def _grade_void(self, worked: bool) -> None:
        """Mark work on a throw that does not count: nothing is taken or paid."""
        if worked:
            self._mark("not due", False, say_school("shift.void-worked"), cite=_VOID_CITE)
        else:
            self._mark("void", True, say_school("shift.void"), cite=_VOID_CITE)

    async def _grade_steps(self, live: LiveTable, steps: list[dict[str, Any]]) -> None:
        """Grade steps at the live table, which writes them to its log, and mark the faults."""
        if find_owed_work(live, self.role) is None:
            if steps:
                self._mark("not due", False, say_school("shift.no-work-due"))
            return
        work = grade_work(live, self.role, steps)
        holder, throw = Holder(self.role), live.table.throws
        request = WorkRequest(id=token_hex(12), throw=throw, steps=steps)
        told = await enter_work(self._service, self.start.table, holder, request)
        at = self._service.clock.now()
        self.answers += work.answers(at=at, seconds=None, key=f"{self.start.shift} {told['seq']}")
        faults = work.faults
        for fault in faults:
            self._mark_fault(live, work, fault)
        if not faults:
            words = say_school("shift.work-right", count=len(work.work.money))
            self._mark("work", True, words)

    def _mark_fault(self, live: LiveTable, work: PostWork, fault: WorkFault) -> None:
        """Mark a fault with what it costs. A player or the box may notice it."""
        house, players = _find_losses(live, work, fault)
        step = fault.steps[0] if fault.steps else None
        kind = "order" if fault.kind in ("order", "flat before odds") else fault.kind
        who, wager = (step.player, step.wager) if step else ("", "")
        self._mark(
            kind,
            False,
            fault.words,
            cite=fault.cite,
            player=who,
            wager=wager,
            house_lost=house,
            players_lost=players,
        )
        random = self._random("notice", fault.words)
        if players and step and not random.one_in(3):
            self._add_call(make_short_claim(live.table, who, wager, players, self._next_call))
        elif house and random.one_in(4):
            words = say_school("shift.box-noticed", words=fault.words)
            self._mark("noticed", True, words, cite=fault.cite, house_lost=-house)

    def _grade_stick_call(self, live: LiveTable, words: str) -> None:
        """Mark the stick's call by the drill of calls."""
        last = live.last_throw
        assert last is not None
        setup = DrillSetup(live.table.layout, POST_WORK_LEVEL)
        thrown = _ThrownTable(setup, self._record, last.before, last.rolled)
        dice = last.rolled.first, last.rolled.second
        work = list_crew_work(last.before, last.rolled)
        question = make_call_question(thrown, dice, work)
        answer = {"call": words} if words.strip() else None
        grade = grade_answer(load_drill("calls"), setup, question, answer)
        cite = question.cite[0].partition(":")[2] if question.cite else ""
        self._mark("call", grade.right, grade.because, cite=cite)
        self.answers.append(self._make_record(question, grade))

    def _make_record(self, question: Question, grade: Any) -> AnswerRecord:
        at = self._service.clock.now()
        made = make_answer_record(question, grade, at=at, level=POST_WORK_LEVEL)
        return replace(made, id=f"shift {self.start.shift} {self.thrown} {question.drill}")

    def _grade_box(self, wrong: tuple[int, ...]) -> None:
        """Mark which of the dealers' steps the learner found wrong."""
        for number, (due, shown) in enumerate(zip(self._shown_due, self.shown, strict=True), 1):
            difference = shown.amount - due.amount
            found, cite = number in wrong, due.settlement_cite
            what = describe_step(due)
            if difference and not found:
                words = say_school("work.due", step=what, due=due.amount, given=shown.amount)
                self._mark(
                    "amount",
                    False,
                    words,
                    cite=cite,
                    player=due.player,
                    wager=due.wager,
                    house_lost=max(0, difference),
                    players_lost=max(0, -difference),
                )
            elif difference or found:
                words = say_school(
                    "shift.box-right" if difference else "shift.box-wrong", step=what
                )
                self._mark("watched", bool(difference), words, cite=cite)
            if difference or found:
                self._record_answer("errors", bool(difference) == found, [cite])
        if self.shown and not wrong and self.shown == self._shown_due:
            self._mark("watched", True, say_school("shift.box-clean"))

    # Marks and the end

    def _mark(
        self,
        kind: str,
        right: bool,
        words: str,
        *,
        cite: str = "",
        call: PlayerCall | None = None,
        player: str = "",
        wager: str = "",
        house_lost: int = 0,
        players_lost: int = 0,
    ) -> None:
        mark = ShiftMark(
            n=len(self.marks) + 1,
            roll=self.thrown + (self.phase in ("betting", "out")),
            seq=self._seq,
            kind=kind,
            right=right,
            words=words,
            cite=cite,
            player=call.player if call else player,
            wager=call.wager if call else wager,
            house_lost=house_lost,
            players_lost=players_lost,
        )
        self.marks.append(mark)

    def _record_answer(self, drill: str, right: bool, cites: Iterable[str]) -> None:
        """Keep an answer for spaced repetition, if any of the citations is a clause."""
        book = self.start.rulebook
        known = clauses_by_id(book)
        clauses = tuple(f"{book}:{cite}" for cite in dict.fromkeys(cites) if cite in known)
        if clauses:
            self.answers.append(
                AnswerRecord(
                    at=self._service.clock.now(),
                    drill=drill,
                    right=right,
                    clauses=clauses,
                    missed=() if right else clauses,
                    rulebook=book,
                    level=POST_WORK_LEVEL,
                    id=f"shift {self.start.shift} {len(self.marks)} {drill}",
                )
            )

    async def end(self) -> None:
        """End the shift: the players get their bets back and leave, and the table closes."""
        self._miss_open_calls()
        self.phase, self.finished = "over", self._service.clock.now()
        lines = []
        for player in self.players:
            lines += [f"{player.name} gets all bets back", f"{player.name} leaves"]
        for line in (*lines, "table closes"):
            request = LineRequest(id=token_hex(12), say=line)
            try:
                await self._service.say(self.start.table, OPERATOR, request)
            except ServiceError:
                continue  # Such as bets back for a player who has none.


async def open_shift(
    service: TableService,
    request: OpenTableRequest,
    start: ShiftStart,
    host: str = "",
) -> tuple[Shift, str]:
    """Open a shift's table, seat its players, and return (shift, the token of its post).

    ``start.table`` is set here. ``host`` identifies who asks (`HostedTables.host_id`): a table that
    they leave behind is closed as hosted tables are. May raise ServiceError.
    """
    role = POST_ROLES[start.post]
    # The school holds the box, which calls a throw void; learners at the box get no such throw.
    posts: Any = {"box": "person", role: "learner"}
    pace: Any = {"betting": 0, "shooter": 0}
    asked = replace(request, posts=posts, pace=pace, open=False)
    opened = await service.open_table(asked, host)
    token = await service.invite(opened.table, role)
    live = (await service.tables.get(opened.table)).live
    start = replace(start, table=opened.table, rulebook=live.table.house.book.id)
    layout = live.table.layout
    players = seat_shift_players(layout, count_places(live.table), start.seed)
    for player in players:
        invitation = await service.invite(opened.table, "player", player.name)
        seat = SeatRequest(
            name=player.name, buy_in=to_dollars(find_buy_in(layout)), place=player.place
        )
        await service.sit(opened.table, seat, invitation)
    shift = Shift(service, start, players)
    for player in players:
        await shift.leave_line_down(player.name)
    await shift.begin_betting()
    return shift, token


def _read_amounts(value: dict[str, Any]) -> dict[str, int]:
    """Return the cents by wager that a learner sets. Raise ServiceError if one can't be read."""
    return {slug: _read_cents(amount) for slug, amount in value.items()}


def _read_cents(value: object) -> int:
    try:
        return read_cents(value, "amount")
    except UnreadableAnswerError as error:
        raise ServiceError("invalid", str(error)) from None


def _make_commands(table: Table, player: str, amounts: dict[str, int]) -> list[cmd.AnyCommand]:
    """Return the commands that make a player's bets these amounts. Raise ServiceError if none."""
    mine, found = table.seat(player).wagers, list[cmd.AnyCommand]()
    for slug, amount in amounts.items():
        if slug not in table.layout.spots:
            raise ServiceError("invalid", say_school("groups.no-wager", value=repr(slug)[:60]))
        if amount <= 0:
            raise ServiceError("invalid", say_school("shift.no-amount"))
        up = slug in mine
        found.append(cmd.Change(player, slug, amount) if up else cmd.Bet(player, slug, amount))
    if not found:
        raise ServiceError("invalid", say_school("shift.nothing-set"))
    return found


def _find_booking_clauses(table: Table, call: PlayerCall) -> list[str]:
    """Return the clauses on how the crew books the bets of a call, in order."""
    found: list[str] = []
    known = clauses_by_id(table.house.book.id)
    for command in _make_commands(table, call.player, call.due) if call.due else ():
        answer = decide(table, command)
        if isinstance(answer, Refusal):
            continue
        for event in answer:
            found += [task.cite for task in list_between_roll_tasks(table, event)]
        table = evolve_all(table, answer)
    return [cite for cite in dict.fromkeys(found) if cite in known]


def _repeats(table: Table, call: PlayerCall, words: str) -> bool:
    """Return whether the learner's words mean the bets of a call."""
    name = re.escape(call.player)
    plain = re.sub(rf"\bfor {name}\b|\b{name}(?:'s)?\b[,:]?", " ", words, flags=re.IGNORECASE)
    for said in (words, plain, _NAME_WORDS.sub(" ", plain)):
        try:
            commands = understand(table, call.player, " ".join(said.split()).strip(" ,.;:!"))
        except (RecordError, UnplayableError):
            continue
        after = try_commands(table, commands)
        if not isinstance(after, Refusal):
            stakes = after.seat(call.player).wagers
            before = table.seat(call.player).wagers
            changed = {s: k.amount for s, k in stakes.items() if before.get(s) != k}
            if changed == call.due:
                return True
    return False


def _show_bets(amounts: dict[str, int]) -> str:
    shown = (f"{layout_name(slug)} {show_dollars(amount)}" for slug, amount in amounts.items())
    return ", ".join(shown) or say_school("work.nothing")


def _find_losses(live: LiveTable, work: PostWork, fault: WorkFault) -> tuple[int, int]:
    """Return the cents that a fault costs (the house, the players)."""
    if not fault.steps:
        return 0, 0
    due = fault.steps[0]
    number = fault.numbers[0] if fault.numbers else 0
    done = work.steps_done[number - 1] if 0 < number <= len(work.steps_done) else None
    given = done.amount if done is not None else 0
    match fault.kind:
        case "amount":
            return max(0, given - due.amount), max(0, due.amount - given)
        case "missed":
            return (due.amount, 0) if due.act == "take" else (0, due.amount * (due.act == "pay"))
        case "loser paid":
            return due.amount + given, 0
        case "not due" if done is not None and done.act == "pay":
            return given, 0
        case "not due" if done is not None and done.act == "take":
            return 0, _find_stake(live, done)
        case _:
            return 0, 0


def _find_stake(live: LiveTable, step: CrewStep) -> int:
    """Return the cents of the bet that a step is about, as it was before the throw."""
    assert live.last_throw is not None
    for player, wagers in live.last_throw.before.everybody():
        if player.lower() == step.player.lower() and step.wager in wagers:
            return wagers[step.wager].amount
    return 0


def _make_dealers_err(
    steps: Sequence[CrewStep], live: LiveTable, random: SeededRandom
) -> list[CrewStep]:
    """Return the dealers' steps, with a wrong amount in some payoffs."""
    chip = live.table.house.chip
    found = []
    for step in steps:
        if step.act == "pay" and random.one_in(6):
            wrong = step.amount + random.pick((-1, 1)) * chip * random.pick((1, 5))
            step = replace(step, amount=wrong if wrong > 0 else step.amount + chip)
        found.append(step)
    return found


def make_shift_report(
    start: ShiftStart, marks: Sequence[ShiftMark], thrown: int, finished: datetime | None
) -> dict[str, Any]:
    """Return the report of a shift as JSON. Losses are dollars as text.

    ``finished`` is None for a shift that was not ended, such as when the server stopped.
    """
    wrong = [mark for mark in marks if not mark.right]
    last = finished or start.at
    hours = max((last - start.at).total_seconds(), 1.0) / 3600
    kinds = Counter(mark.kind for mark in wrong)
    return {
        **msgspec.to_builtins(start),
        "over": True,
        "ended": "finished" if finished and thrown >= start.rolls else "broken off",
        "thrown": thrown,
        "right": sum(mark.right for mark in marks),
        "of": len(marks),
        "house_lost": to_dollars(max(0, sum(mark.house_lost for mark in marks))),
        "players_lost": to_dollars(max(0, sum(mark.players_lost for mark in marks))),
        "bets_missed": kinds["bet missed"],
        "order_faults": kinds["order"],
        "rolls_per_hour": round(thrown / hours, 1) if finished else None,
        "kinds": dict(kinds),
        "clauses": _list_clauses(start.rulebook, wrong),
        "mistakes": [_mark_json(start, mark) for mark in wrong],
    }


def _mark_json(start: ShiftStart, mark: ShiftMark) -> dict[str, Any]:
    known = mark.cite in clauses_by_id(start.rulebook)
    return {
        **msgspec.to_builtins(mark),
        "cite": f"{start.rulebook}:{mark.cite}" if known else mark.cite,
        "house_lost": to_dollars(mark.house_lost),
        "players_lost": to_dollars(mark.players_lost),
        "replay": f"/t/{start.table}/replay#{mark.seq}",
    }


def _list_clauses(book: str, wrong: Sequence[ShiftMark]) -> list[dict[str, Any]]:
    """Return the clauses that mistakes broke, most often first, each with its rule."""
    known = clauses_by_id(book)
    counts = Counter(mark.cite for mark in wrong if mark.cite in known)
    return [
        {"clause": f"{book}:{cite}", "rule": known[cite].rule, "mistakes": count}
        for cite, count in counts.most_common()
    ]
