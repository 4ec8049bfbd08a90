"""Deal a shift: a learner works one post (stick, base dealer or box) at a live table.

Simulated players call bets and make mistakes. Each throw has three phases. *Betting*: players call
bets, and the learner books or refuses each. *Out*: the dice are out, and a player may call a late
bet. *Work*: the dice have landed, and the learner takes, pays and places (or calls the throw, or
watches the dealers). The learner sees no marks (grades of single actions) before the report at the
end: a wrong payoff stays wrong until somebody notices. The table is a live table of the service.

The pace gives each roll its seconds. After them the players hurry the crew; after twice as many the
dice go out without the learner.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.crew.cut_payoff import cut_payoff
from passline.crew.learner_steps import CrewStep, list_crew_work
from passline.crew.motions import APRON
from passline.crew.post_names import name_stickperson
from passline.crew.procedures import list_between_roll_tasks
from passline.crew.stick import Announcement, list_announcements
from passline.game.law.book_files import SCHOOL_BOOK
from passline.game.law.clauses import clauses_by_id
from passline.game.law.no_roll_and_dice_grounds import no_roll_grounds
from passline.game.layout.stakes import Refusal, Settlement
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import NoRoll
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.game.table.table_ends import count_places, find_end
from passline.game.table.throws import OFF_TABLE
from passline.game.words.refusals import describe_refusal
from passline.game.words.school import SHIFT_ACTIONS, SHIFT_DELIVERIES, say_school
from passline.game.words.wagers import layout_name
from passline.live.live_table import LiveTable
from passline.live.scheduled_actions import find_owed_work
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import OPERATOR, TableService
from passline.live.tokens import Holder
from passline.school.answer_fields import UnreadableAnswerError, read_cents
from passline.school.answer_log import AnswerRecord, make_answer_record
from passline.school.booking_details import (
    IGNORED_PHRASES,
    describe_parts,
    find_part_error,
    list_due_parts,
    list_readings,
)
from passline.school.drills import load_drill
from passline.school.drills.calls import make_call_question
from passline.school.explanations import describe_booked_position, find_booked_position_clauses
from passline.school.practice_tables import PracticeTable
from passline.school.question_types import DrillSetup, Question
from passline.school.question_work import read_steps
from passline.school.questions_and_grades import grade_answer
from passline.school.seeded_random import SeededRandom
from passline.school.shift_players import (
    CallAction,
    PlayerCall,
    ShiftBettors,
    ShiftPlayer,
    ShiftPost,
    find_buy_in,
    find_void_side,
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
from passline.school.shift_report import MISTAKE_DRILLS, ShiftEnd, ShiftMark, ShiftStart
from passline.school.throw_work import (
    POST_WORK_LEVEL,
    PostWork,
    WorkRequest,
    enter_work,
    grade_work,
    read_work_steps,
)
from passline.school.work_faults import WorkFault, describe_step, load_school_data
from passline.talk.canonical import format_command
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

#: The role of the table's token for each post of a shift.
POST_ROLES: Final[dict[ShiftPost, str]] = {"base": "left-base", "stick": "stick", "box": "box"}
MIN_PACE, MAX_PACE = 30, 100
MIN_ROLLS, MAX_ROLLS = 1, 200
ShiftPhase = Literal["betting", "out", "work", "over"]
#: Past so many times the seconds of a roll, the dice go out without the learner.
_PATIENCE: Final = 2
#: What players say to a crew that keeps them waiting, by code.
_HURRY_CODES: Final = ("shift.hurry-1", "shift.hurry-2", "shift.hurry-3", "shift.hurry-4")
_NO_ROLL = re.compile(r"\bno[ -]?roll\b", re.IGNORECASE)


class _ThrownTable(PracticeTable):
    """Presents a live table just before a throw as a practice table, for the drills."""

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
    """A learner's response to a call: book, refuse or settle it.

    ``set`` is the dollars by wager that the learner sets, each the whole bet. ``at`` is the rail
    position whose share of the layout each wager is set in; wagers without one are not checked.
    ``say`` is what the learner repeats, and ``amount`` the dollars paid on a claim.
    """

    call: int
    action: CallAction
    set: dict[str, Any] = {}
    at: dict[str, int] = {}
    say: str = ""
    amount: Any = None


class DoneRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A learner's work on a throw: steps, the stick's call, or the steps that a box finds wrong."""

    steps: Any = None
    say: str = ""
    wrong: tuple[int, ...] = ()


class ShiftState(Struct, frozen=True, kw_only=True):
    """A shift's state besides its table and marks, stored so that another server can go on.

    ``saves`` counts how often the state was saved, and ``marks`` the marks so far. ``gone`` is the
    seconds of this roll, and ``seconds`` the seconds of the rolls before. ``throws`` counts the
    table's throws. The memory of the players' strategies is not stored: they begin anew.
    """

    saves: int
    marks: int
    phase: ShiftPhase
    calls: tuple[PlayerCall, ...]
    thrown: int
    void: bool
    shown: tuple[CrewStep, ...]
    shown_due: tuple[CrewStep, ...]
    next_call: int
    seq: int
    gone: float
    seconds: float
    throws: int
    finished: datetime | None = None
    answers: tuple[AnswerRecord, ...] = ()


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
        self.seconds, self.saves = 0.0, 0
        self._service, self._bettors = service, ShiftBettors(players, start.seed, start.post)
        self._next_call, self._seq = 1, 0
        self._roll_at = service.clock.now()

    async def live(self) -> LiveTable:
        """Return the state of the shift's table."""
        return (await self._service.tables.get(self.start.table)).live

    async def save(self) -> ShiftState:
        """Count a save, and return the state of the shift to store.

        It has the answers only if the dealer is a visitor, or the shift is part of an audition.
        """
        self.saves += 1
        table = (await self.live()).table
        keeps = not self.start.learner or self.start.audition
        return ShiftState(
            saves=self.saves,
            marks=len(self.marks),
            phase=self.phase,
            calls=tuple(self.calls),
            thrown=self.thrown,
            void=self.void,
            shown=tuple(self.shown),
            shown_due=tuple(self._shown_due),
            next_call=self._next_call,
            seq=self._seq,
            gone=self.gone,
            seconds=self.seconds,
            throws=table.throws,
            finished=self.finished,
            answers=tuple(self.answers) if keeps else (),
        )

    async def load(self, state: ShiftState, marks: Sequence[ShiftMark]) -> None:
        """Go on from a stored state and marks.

        If the table has a throw that the state lacks, since a server crashed after it, go on with
        the work on that throw.
        """
        self.phase, self.calls, self.marks = state.phase, list(state.calls), list(marks)
        self.thrown, self.void, self.saves = state.thrown, state.void, state.saves
        self.shown, self._shown_due = list(state.shown), list(state.shown_due)
        self.answers, self._next_call, self._seq = list(state.answers), state.next_call, state.seq
        self.seconds, self.finished = state.seconds, state.finished
        self._roll_at = self._service.clock.now() - timedelta(seconds=state.gone)
        live = await self.live()
        if live.table.throws > state.throws and self.phase in ("betting", "out"):
            self.thrown, self.phase, self._seq = self.thrown + 1, "work", live.head.seq
            self._after_throw(live)

    @property
    def outcome(self) -> ShiftEnd:
        """Return the number of throws and the seconds so far, and when the shift ended."""
        return ShiftEnd(self.thrown, self.finished, self.seconds)

    # The pace

    @property
    def gone(self) -> float:
        """Return the seconds since this roll began, 0 after the shift."""
        if self.phase == "over":
            return 0.0
        return max(0.0, (self._service.clock.now() - self._roll_at).total_seconds())

    async def keep_pace(self) -> bool:
        """Send the dice out if the players have waited too long. Return whether they had."""
        if self.phase != "betting" or self.gone <= _PATIENCE * self.start.seconds:
            return False
        await self.dice_out()
        return True

    def find_hurry(self) -> tuple[str, str]:
        """Return (player, words) for a player to hurry the crew; the caller checks the time."""
        random = SeededRandom(self.start.seed, "hurry", self.thrown)
        return random.pick(self.players).name, say_school(random.pick(_HURRY_CODES))

    def _mark_pace(self) -> None:
        """Add the roll's seconds to the total, and mark the roll if it was slower than the pace."""
        gone, due = self.gone, self.start.seconds
        self.seconds += gone
        if gone > due:
            words = say_school("shift.slow", seconds=round(gone), due=round(due))
            self._mark("pace", False, words)

    # What players do

    async def begin_betting(self) -> None:
        """Let every player bet: by a call if the learner's post books the bet, else directly.

        A player may also make a mistake, which becomes a call.
        """
        self.phase, self.void, self.shown = "betting", False, []
        self._roll_at = self._service.clock.now()
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
        """Add a call to those that the learner must answer.

        If the learner holds the box, to call the boxperson is no right answer: the learner must
        rule.
        """
        if self.start.post == "box" and "box" in call.right:
            right = tuple(one for one in call.right if one != "box")
            call = replace(call, right=right or ("refuse",))
            if call.kind == "dispute":
                call = replace(call, reason=say_school("shift.dispute-box"))
        self.calls.append(call)
        self._next_call = max(self._next_call, call.id) + 1

    async def leave_line_down(self, player: str) -> None:
        """Tell the table not to repeat a player's line bets, since the strategies make them."""
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
        """Book, refuse or settle a call, and mark whether that was right.

        Raise ServiceError if the call is not open, an amount can't be read, or the table refuses
        the bets of a plain bet call.
        """
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
        """Make the bets that the learner set for a call.

        If the table refuses them, raise ServiceError for a plain bet; do nothing for a player's
        mistake.
        """
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
        elif share := _find_share_error(table, call, answer.at):
            words = say_school("shift.other-share", player=call.player, say=call.say, **share)
            cites = [share["cite"]]
            self._mark("wrong position", False, words, cite=cites[0], call=call)
        elif cites and (error := _find_repeat_error(table, call, answer.say, cites)):
            words = say_school("shift.not-said-back", player=call.player, say=call.say, error=error)
            self._mark("not said back", False, words, cite=cite, call=call)
        else:
            words = say_school("shift.booked", player=call.player, bets=_show_bets(call.due))
            self._mark("booked", True, words, cite=cite, call=call)
        drill = "positions" if self.marks[-1].kind == "wrong position" else "booking"
        self._record_answer(drill, self.marks[-1].right, cites)

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
        kind = "late bet" if call.kind == "late" and action == "book" else "ruling"
        self._mark(
            "noticed" if right and owed else kind,
            right,
            words,
            cite=call.cite,
            call=call,
            house_lost=max(0, paid - owed),
            players_lost=-back,  # It was owed, and is paid now.
            drill=_find_ruling_drill(call),
        )
        self._record_ruling(call, right)

    async def dice_out(self) -> None:
        """Send the dice out; mark open calls as missed. Throw unless a late bet is called.

        Raise ServiceError if the players are not betting.
        """
        if self.phase != "betting":
            raise ServiceError("conflict", say_school("shift.not-betting"))
        await self._miss_open_calls()
        table = (await self.live()).table
        late = make_late_call(
            table, self.start.post, self.players, self._next_call, self.start.seed
        )
        if late is not None:
            self._add_call(late)
            self.phase = "out"
        else:
            await self._throw()

    async def _miss_open_calls(self) -> None:
        """Mark the open calls as missed, and remove them."""
        table = (await self.live()).table
        for call in self.calls:
            is_bet = call.kind == "bet"
            cites = _find_booking_clauses(table, call) if is_bet else [call.cite]
            words = say_school("shift.missed", player=call.player, say=call.say)
            kind, cite = "bet missed" if is_bet else "not answered", cites[0] if cites else ""
            drill = "" if is_bet else _find_ruling_drill(call)
            self._mark(kind, False, words, cite=cite, call=call, drill=drill)
            if is_bet:
                self._record_answer("booking", False, cites)
            else:
                self._record_ruling(call, False)
        self.calls = []

    async def finish_phase(self, request: DoneRequest) -> None:
        """End a phase: throw the dice that are out, or grade the work on the throw.

        Raise ServiceError if the players are still betting.
        """
        if self.phase == "out":
            await self._miss_open_calls()
            await self._throw()
        elif self.phase == "work":
            await self._grade(request)
        else:
            raise ServiceError("conflict", say_school("shift.no-work"))

    async def _throw(self) -> None:
        """Throw the dice, or have a die leave the table, and go on to the work."""
        await self._make_shooter_ready()
        live = await self.live()
        self.thrown += 1
        self.void = is_void_throw(self.start.seed, self.thrown) and await self._void_throw()
        if not self.void:
            await self._roll(live.next_shooter)
        live = await self.live()
        self._seq = live.head.seq
        self.phase = "work"
        if not self.void:
            self._after_throw(live)
        elif self.start.post == "box":
            self.shown = _make_needless_work(live.table, self._random("void dealers"))

    async def _make_shooter_ready(self) -> None:
        """Bet the line for a shooter who needs a line bet and has none."""
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

    def list_void_calls(self, table: Table) -> tuple[Announcement, ...]:
        """Return what the stick calls when a die leaves the table on this throw, with clauses."""
        cite, side = _find_void_clause(table), find_void_side(self.start.seed, self.thrown)
        by = name_stickperson(table)
        event = NoRoll(OFF_TABLE, by, cite, off_table=True, side=side)
        return list_announcements(table, "no-roll", happened=event)

    async def _roll(self, shooter: str) -> None:
        names = [shooter, *(player.name for player in self.players)]
        for name in names:
            if name and await self._say(name, "roll", token_hex(8)):
                return
        raise ServiceError("unavailable", say_school("shift.no-throw"), retry_after=1)

    async def _void_throw(self) -> bool:
        """Have a die leave the table. Return False if the table does not allow that now."""
        dealer, side = self._service.auto_dealer, find_void_side(self.start.seed, self.thrown)
        if not await dealer.call_die_off(self.start.table, side):
            return False
        await dealer.run_due()  # New dice, where the book wants them.
        return True

    def _after_throw(self, live: LiveTable) -> None:
        """Mark late bets that were decided; let a player dispute the call; show a box the work."""
        assert live.last_throw is not None
        rolled = live.last_throw.rolled
        dice = rolled.first, rolled.second
        self._mark_late_bets(rolled.settlements)
        dispute = make_dispute(live.table, dice, self.players, self._next_call, self.start.seed)
        if dispute is not None:
            self._add_call(dispute)
        if self.start.post == "box":
            work = list_crew_work(live.last_throw.before, rolled)
            self._shown_due = list(work.money)
            self.shown = _make_dealers_err(self._shown_due, live, self._random("dealers"))

    def _mark_late_bets(self, settlements: Iterable[Settlement]) -> None:
        """Mark the cost of each late bet that the learner booked and this throw decided."""
        late = [one for one in self.marks if one.kind == "late bet" and one.roll == self.thrown]
        for mark in late:
            mine = [s for s in settlements if (s.player, s.wager) == (mark.player, mark.wager)]
            paid = sum(one.paid for one in mine if one.result == "win")
            taken = sum(one.stake for one in mine if one.result == "lose")
            if paid or taken:
                words = say_school("shift.late-decided", wager=mark.wager, paid=paid, taken=taken)
                self._mark(
                    "late bet decided",
                    False,
                    words,
                    cite=mark.cite,
                    player=mark.player,
                    wager=mark.wager,
                    house_lost=paid,
                    players_lost=taken,
                )

    def _random(self, *what: object) -> SeededRandom:
        return SeededRandom(self.start.seed, self.thrown, *what)

    async def _grade(self, request: DoneRequest) -> None:
        """Grade the learner's work on a throw, and add marks for it and for the pace.

        Then begin the next betting, or end the shift if this was its last roll.
        """
        live = await self.live()
        steps = read_work_steps(live, [] if request.steps is None else request.steps)
        await self._miss_open_calls()
        if self.void:
            self._grade_void(live, steps, request)
        elif self.start.post == "box":
            self._grade_box(request.wrong)
        else:
            if self.start.post == "stick":
                await self._grade_stick_call(live, request.say)
            await self._grade_steps(live, steps, request.steps)
        self._mark_pace()
        if self.thrown >= self.start.rolls:
            await self.end()
        else:
            await self.begin_betting()

    def _grade_void(
        self, live: LiveTable, steps: list[dict[str, Any]], request: DoneRequest
    ) -> None:
        """Mark work on a void throw: nobody takes or pays, and the stick calls no roll."""
        cite, before, post = _find_void_clause(live.table), len(self.marks), self.start.post
        for number, step in enumerate(self.shown, 1):  # What the dealers do before a box.
            found = number in request.wrong
            code = "shift.box-right" if found else "shift.void-overlooked"
            self._mark(
                "watched" if found else "overlooked",
                found,
                say_school(code, step=describe_step(step)),
                cite=cite,
                player=step.player,
                wager=step.wager,
                players_lost=0 if found else step.amount,
                drill="rulings",
            )
        if steps:
            words = say_school("shift.void-worked")
            self._mark_needless(live.table, steps, words, cite, "rulings")
        calls = self.list_void_calls(live.table) if post == "stick" else ()
        error = _find_void_call_error(self.start.rulebook, calls, request.say) if calls else None
        if error is not None:
            self._mark("no roll", False, error[0], cite=error[1])
        if len(self.marks) == before:
            self._mark("void", True, say_school("shift.void"), cite=cite)
        right = all(mark.right for mark in self.marks[before:])
        self._record_answer("rulings", right, [cite], "off-table")

    def _mark_needless(
        self,
        table: Table,
        steps: list[dict[str, Any]],
        words: str,
        cite: str = "",
        drill: str = "order",
    ) -> None:
        """Mark steps done on a throw when nothing was due, with what they cost.

        ``table`` has the bets that were taken.
        """
        done = read_steps(steps)
        house = sum(step.amount for step in done if step.act == "pay")
        taken = sum(_find_stake(table, step) for step in done if step.act == "take")
        self._mark(
            "not due",
            False,
            words,
            cite=cite,
            house_lost=house,
            players_lost=taken,
            drill=drill,
        )

    async def _grade_steps(
        self, live: LiveTable, steps: list[dict[str, Any]], sent: object
    ) -> None:
        """Grade steps at the live table, which writes them to its log, and mark the faults.

        ``sent`` are the steps as the learner sent them, with how each payoff was delivered.
        """
        if find_owed_work(live, self.role) is None:
            if steps:
                assert live.last_throw is not None
                self._mark_needless(live.last_throw.before, steps, say_school("shift.no-work-due"))
                self._record_answer("order", False, [])
            return
        work = grade_work(live, self.role, steps)
        holder, throw = Holder(self.role), live.table.throws
        if self.role not in live.posts_done:  # After a crash, the table may have the work already.
            request = WorkRequest(id=token_hex(12), throw=throw, steps=steps)
            await enter_work(self._service, self.start.table, holder, request)
        at = self._service.clock.now()
        answers = [*work.answers(at=at, seconds=None, key=f"{self.start.shift} {throw}")]
        self.answers += answers
        kept = {answer.drill for answer in answers if not answer.right}
        faults = _merge_order_faults(work.faults)
        for fault in faults:
            self._mark_fault(live, work, fault)
            drill = MISTAKE_DRILLS.get(fault.kind, "order")
            if drill not in kept:  # The book has no clause that this drill asks about.
                self._record_answer(drill, False, [fault.cite])
                kept.add(drill)
        deliveries = [*self._find_wrong_deliveries(live, sent)]
        for step, words, cite in deliveries:
            self._mark("delivery", False, words, cite=cite, player=step.player, wager=step.wager)
            self._record_answer("payoffs", False, [cite, step.settlement_cite])
        if not faults and not deliveries:
            words = say_school("shift.work-right", count=len(work.work.money))
            self._mark("work", True, words)

    def _find_wrong_deliveries(
        self, live: LiveTable, sent: object
    ) -> Iterator[tuple[CrewStep, str, str]]:
        """Yield (due step, words, clause) of payoffs that the learner put in the wrong place.

        A sent step may say where in ``to``: beside the bet, on top of it (a cap), or handed off.
        Only what a clause fixes can be wrong.
        """
        owed, last = find_owed_work(live, self.role), live.last_throw
        assert owed is not None
        assert last is not None
        ways = {
            (one.get("player"), one.get("wager")): one.get("to")
            for one in (sent if isinstance(sent, list) else ())
            if isinstance(one, dict) and one.get("act") == "pay"
        }
        settled = {(one.player, one.wager): one for one in last.rolled.settlements if one.paid}
        for step in owed.money:
            done, way = settled.get((step.player, step.wager)), ways.get((step.player, step.wager))
            if step.act == "pay" and done is not None and way in SHIFT_DELIVERIES:
                motions = cut_payoff(live.table.layout, replace(done, vig=0)).motions
                cites = motions[-1].cites if motions else ()
                known = [one for one in cites if one in clauses_by_id(self.start.rulebook)]
                if known and (way == "hand") != (motions[-1].target == APRON):
                    words = say_school(
                        "shift.delivered",
                        step=describe_step(step),
                        way=SHIFT_DELIVERIES[way],
                        due=motions[-1].words,
                    )
                    yield step, words, known[0]

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

    async def _grade_stick_call(self, live: LiveTable, words: str) -> None:
        """Grade the stick's call with the drill ``calls``, and mark it."""
        last = live.last_throw
        assert last is not None
        setup = DrillSetup(live.table.layout, POST_WORK_LEVEL)
        record, _, _ = (await self._service.record(self.start.table)).rpartition("\nroll ")
        thrown = _ThrownTable(setup, f"{record}\n", last.before, last.rolled)
        dice = last.rolled.first, last.rolled.second
        work = list_crew_work(last.before, last.rolled)
        question = make_call_question(thrown, dice, work)
        answer = {"call": words} if words.strip() else None
        grade = grade_answer(load_drill("calls"), setup, question, answer)
        cite = question.cite[0].partition(":")[2] if question.cite else ""
        self._mark("call", grade.right, grade.because, cite=cite)
        if question.cite:
            self.answers.append(self._make_record(question, grade))
        else:
            self._record_answer("calls", grade.right, [])

    def _make_record(self, question: Question, grade: Any) -> AnswerRecord:
        at = self._service.clock.now()
        made = make_answer_record(question, grade, at=at, level=POST_WORK_LEVEL)
        return replace(made, id=f"shift {self.start.shift} {self.thrown} {question.drill}")

    def _grade_box(self, wrong: tuple[int, ...]) -> None:
        """Mark whether the learner, as box, found the dealers' wrong steps."""
        for number, (due, shown) in enumerate(zip(self._shown_due, self.shown, strict=True), 1):
            difference = shown.amount - due.amount
            found, cite = number in wrong, due.settlement_cite
            what = describe_step(due)
            if difference and not found:
                words = say_school("work.due", step=what, due=due.amount, given=shown.amount)
                self._mark(
                    "overlooked",
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
        drill: str = "",
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
            drill=drill or MISTAKE_DRILLS.get(kind, "order"),
        )
        self.marks.append(mark)

    def _record_ruling(self, call: PlayerCall, right: bool) -> None:
        """Record a ruling on a player's mistake as an answer of the drill that practices it."""
        drill, own = _find_ruling_drill(call), load_school_data(self.start.rulebook).practice
        cite = call.cite if drill == "limits" else own.get(call.kind, "")
        self._record_answer(drill, right, [cite], "" if drill == "limits" else call.kind)

    def _record_answer(
        self, drill: str, right: bool, cites: Iterable[str], manual: str = ""
    ) -> None:
        """Record an answer for spaced repetition.

        If none of ``cites`` is a clause of the rulebook, cite the manual's clause for the mistake
        ``manual``, or else for the drill.
        """
        book = self.start.rulebook
        known = clauses_by_id(book)
        clauses = tuple(f"{book}:{cite}" for cite in dict.fromkeys(cites) if cite in known)
        if not clauses:
            book = SCHOOL_BOOK
            clauses = (f"{book}:{load_school_data(book).practice[manual or drill]}",)
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
        """End the shift: the players get their bets back and leave, and the table closes.

        Calls still open are marked as missed.
        """
        await self._miss_open_calls()
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

    The shift gets a copy of ``start`` with the table's id and rulebook. ``host`` identifies who
    asks (`HostedTables.host_id`); a table that they abandon is closed like other hosted tables. May
    raise ServiceError.
    """
    role = POST_ROLES[start.post]
    posts: Any = {role: "learner"}
    pace: Any = {"betting": 0, "shooter": 0}
    asked = replace(request, posts=posts, pace=pace, open=False)
    opened = await service.open_table(asked, host, shift=True)
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


async def load_shift(
    service: TableService, start: ShiftStart, state: ShiftState, marks: Sequence[ShiftMark]
) -> Shift:
    """Restore a shift from its stored start, state and marks. May raise ServiceError."""
    table = (await service.tables.get(start.table)).live.table
    players = seat_shift_players(table.layout, count_places(table), start.seed)
    shift = Shift(service, start, players)
    await shift.load(state, marks)
    return shift


def _find_ruling_drill(call: PlayerCall) -> str:
    """Return the drill that practices the answer to a player's mistake."""
    return "limits" if call.kind == "odds" else "rulings"


def _find_void_clause(table: Table) -> str:
    """Return the clause (or custom) by which a throw does not count if a die leaves the table."""
    grounds = no_roll_grounds(table.house.book)
    mine = [one for one in grounds if one.name == OFF_TABLE]
    found = [cite for one in mine for cite in one.clauses or (f"custom: {one.custom}",)]
    return found[0] if found else "custom: a throw that does not count moves no chips"


def _find_void_call_error(
    book: str, calls: Sequence[Announcement], words: str
) -> tuple[str, str] | None:
    """Return (message, clause) if the stick's words leave out a call that a clause wants, or None.

    A throw with a die off the table is no roll in every book. The side on which the die fell must
    be said where the rulebook prints that call.
    """
    no_roll, *others = calls
    if not _NO_ROLL.search(words):
        return say_school("shift.void-not-called"), no_roll.cite
    said, known = set(re.findall(r"[a-z]+", words.lower())), clauses_by_id(book)
    for other in others:
        side, wrong = ("outside", "inside") if "outside" in other.words else ("inside", "outside")
        clause = known.get(other.cite)
        printed = clause is not None and "call=" in clause.figures
        if printed and (side not in said or wrong in said):
            return say_school("shift.void-no-side", call=other.words), other.cite
    return None


def _read_amounts(value: dict[str, Any]) -> dict[str, int]:
    """Convert the dollars by wager that a learner set to cents. May raise ServiceError."""
    return {slug: _read_cents(amount) for slug, amount in value.items()}


def _read_cents(value: object) -> int:
    try:
        return read_cents(value, "amount")
    except UnreadableAnswerError as error:
        raise ServiceError("invalid", str(error)) from None


def _make_commands(table: Table, player: str, amounts: dict[str, int]) -> list[cmd.AnyCommand]:
    """Return the commands that bring a player's bets to these amounts.

    Raise ServiceError if a wager or amount is invalid, or none is given.
    """
    mine, found = table.seat(player).wagers, list[cmd.AnyCommand]()
    if not amounts:
        raise ServiceError("invalid", say_school("shift.nothing-set"))
    for slug, amount in amounts.items():
        if slug not in table.layout.spots:
            raise ServiceError("invalid", say_school("groups.no-wager", value=repr(slug)[:60]))
        if amount <= 0:
            raise ServiceError("invalid", say_school("shift.no-amount"))
        up = mine.get(slug)
        if up is None:
            found.append(cmd.Bet(player, slug, amount))
        elif up.amount != amount:  # After a crash, the table may have it already.
            found.append(cmd.Change(player, slug, amount))
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


def _find_share_error(table: Table, call: PlayerCall, at: dict[str, int]) -> dict[str, Any] | None:
    """Return a message's figures for a bet that was set in another player's share, or None.

    A share is one player's part of a box on the layout. ``at`` is the rail position by wager. Where
    no clause fixes the shares, none is wrong.
    """
    book = table.house.book.id
    for slug in call.due:
        spot, place = table.layout.spots[slug], at.get(slug, call.place)
        found = find_booked_position_clauses(table, spot, call.player)
        known = [
            cite
            for cite in (*found, *load_school_data(book).positions)
            if cite in clauses_by_id(book)
        ]
        if place != call.place and known:
            where = describe_booked_position(table, spot, call.player)
            return {"wager": slug, "given": place, "where": where, "cite": known[0]}
    return None


def _find_repeat_error(table: Table, call: PlayerCall, words: str, cites: Sequence[str]) -> str:
    """Return what is wrong with the words in which the learner repeats a call, or "".

    The words must mean the call's bets, and add what the clauses ``cites`` ask for.
    """
    bets = [cmd.Bet(call.player, slug, cents) for slug, cents in call.raised.items() if cents > 0]
    asked = list_due_parts(table, bets, cites, call.place)
    facts = {"position": call.place, "vig": call.vig, "change": call.change}
    errors, repeat = list[str](), ""
    for said, parts in list_readings(words, call.place):
        due = {part: value for part, value in facts.items() if part in asked or part in parts}
        repeat = ", ".join([_show_bets(call.due), *describe_parts(due)])
        if _repeats(table, call, words) or _repeats(table, call, said):
            figures = {"value": words[:80], "repeat": repeat}
            errors.append(find_part_error(due, parts, call.place, figures))
    if not errors:
        return say_school("shift.say-bets", repeat=repeat)
    return "" if "" in errors else errors[0]


def _repeats(table: Table, call: PlayerCall, words: str) -> bool:
    """Return whether words mean the bets of a call."""
    name = re.escape(call.player)
    plain = re.sub(rf"\bfor {name}\b|\b{name}(?:'s)?\b[,:]?", " ", words, flags=re.IGNORECASE)
    for said in (words, plain, IGNORED_PHRASES.sub(" ", plain)):
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


def _merge_order_faults(faults: Iterable[WorkFault]) -> list[WorkFault]:
    """Return the faults, but only one for each rule and step that came too late."""
    found: dict[object, WorkFault] = {}
    for n, fault in enumerate(faults):
        in_order = fault.kind not in ("order", "flat before odds")
        found.setdefault(n if in_order else (fault.kind, fault.cite, fault.numbers[1]), fault)
    return list(found.values())


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
            assert live.last_throw is not None
            unpaid = due.amount if due.act == "pay" else 0
            return 0, _find_stake(live.last_throw.before, done) + unpaid
        case _:
            return 0, 0


def _find_stake(table: Table, step: CrewStep) -> int:
    """Return the cents of the bet that a step is about, 0 if the table has no such bet."""
    for player, wagers in table.everybody():
        if player.lower() == step.player.lower() and step.wager in wagers:
            return wagers[step.wager].amount
    return 0


def _make_needless_work(table: Table, random: SeededRandom) -> list[CrewStep]:
    """Return the dealers' work on a throw that does not count: one wrongly taken bet, or [].

    It is [] half of the time, and if no bet is on the layout.
    """
    up = [(seat, slug) for seat in table.seats for slug in seat.wagers]
    if not up or random.one_in(2):
        return []
    seat, slug = random.pick(up)
    return [
        CrewStep(
            post="base" if table.layout.spots[slug].rule.area == "table" else "stick",
            act="take",
            player=seat.id,
            wager=slug,
            amount=seat.wagers[slug].amount,
            end=find_end(table, seat.id),
        )
    ]


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
