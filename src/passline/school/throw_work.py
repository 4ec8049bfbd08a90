"""A learner's work at a live table: what a post must do on a throw, and the grade of what was done.

A learner may work one post (stick, base dealer, box). The server deals for that post and waits a
while for the work (`live.scheduled_actions.learner_deadline`). The work becomes a log entry (act
``worked``) that moves no money and holds the steps and their faults, so an audit can grade again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from passline.crew.cut_payoff import cut_payoff
from passline.crew.learner_steps import CrewStep, CrewWork
from passline.game.dice.dice import OUTCOMES
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.money.chips import Chips
from passline.game.table import posts
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.table.table_ends import find_end
from passline.game.words.school import say_school
from passline.live.audit.redeal import register_act_check
from passline.live.live_table import LiveTable, parse_time
from passline.live.log_entries import Draft, Entry
from passline.live.scheduled_actions import find_owed_work, learner_deadline, list_learner_posts
from passline.live.schema import ServiceError, check_request_id
from passline.live.service import TableService
from passline.live.store import Appended
from passline.live.table_cache import load_table_at, translate_store_errors
from passline.live.tokens import Holder, entry_author
from passline.school.answer_fields import UnreadableAnswerError, quote_value, read_list, read_stack
from passline.school.answer_log import AnswerRecord
from passline.school.drills.payoffs import make_payoff_question
from passline.school.question_types import DrillSetup
from passline.school.question_work import (
    OpenBet,
    find_missed_clauses,
    find_order_clauses,
    list_bets_at,
    read_steps,
)
from passline.school.work_faults import WorkFault, describe_step, find_work_faults

#: The difficulty level at which table work is graded: several players, both ends.
POST_WORK_LEVEL = 3
#: The kinds of fault in a payoff itself, in contrast to faults of order.
_PAYOFF_FAULTS = ("amount", "missed", "not due")


class WorkRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/tables/T/work``: a learner's steps on a throw.

    A payoff step has ``chips`` as counts by color.
    """

    id: str
    throw: int
    steps: Any = ()


class StepGrade(Struct, frozen=True, kw_only=True):
    """The grade of one step. ``number`` is the step's, from 1; 0 for a due step left out.

    ``because`` says what was wrong, or which chips the manual pays.
    """

    number: int
    step: str
    right: bool
    because: str
    cite: str


class PostWork(Struct, frozen=True, kw_only=True):
    """A learner's work at one post on a throw: what was due, and what the learner did.

    ``work`` holds the steps due, ``steps_done`` the learner's, and ``chips`` the chips of each of
    the learner's steps, or None.
    """

    work: CrewWork
    rolled: Rolled
    steps_done: tuple[CrewStep, ...]
    chips: tuple[Chips | None, ...]

    @property
    def faults(self) -> tuple[WorkFault, ...]:
        """Return the mistakes in the learner's steps, including due steps that were left out."""
        return find_work_faults(self.work, self.steps_done)

    @property
    def _setup(self) -> DrillSetup:
        return DrillSetup(self.work.table.layout, POST_WORK_LEVEL)

    def marks(self) -> Iterator[StepGrade]:
        """Yield a grade for each step that was done, then one for each step that was left out."""
        faults = self.faults
        for number, (done, chips) in enumerate(zip(self.steps_done, self.chips, strict=True), 1):
            mine = [f for f in faults if f.kind != "missed" and f.numbers[:1] == (number,)]
            yield StepGrade(
                number=number,
                step=_describe_step_with_amount(done),
                right=not mine,
                because="; ".join(f.words for f in mine) or self._cut(done, chips),
                cite=mine[0].cite if mine else "",
            )
        for fault in (fault for fault in faults if fault.kind == "missed"):
            step, because = _describe_step_with_amount(fault.steps[0]), fault.words
            yield StepGrade(number=0, step=step, right=False, because=because, cite=fault.cite)

    def _cut(self, step: CrewStep, chips: Chips | None) -> str:
        """Return a sentence on the chips that the manual pays, or "" if the learner used them.

        Return "" also if the step is no payoff, or its amount is wrong.
        """
        done = self._settled(step)
        if chips is None or done is None or done.paid != chips.amount:
            return ""
        manual = cut_payoff(self._setup.layout, replace(done, vig=0)).chips
        return "" if chips == manual else say_school("work.manual-pays", chips=manual)

    def _settled(self, step: CrewStep) -> Settlement | None:
        """Return how the engine settled the bet that a step pays, or None if it did not win."""
        for done in self.rolled.settlements if step.act == "pay" else ():
            mine = (done.player.lower(), done.wager) == (step.player.lower(), step.wager)
            if mine and done.result == "win" and done.wager in self._setup.layout.spots:
                return done
        return None

    def answers(self, *, at: datetime, seconds: float | None, key: str) -> Iterator[AnswerRecord]:
        """Yield a record for each payoff that was due, and one for the order of all steps.

        ``at`` is when the work was sent and ``seconds`` how long it took. ``key`` begins the ids of
        the records, to make them unique.
        """
        setup, faults = self._setup, self.faults
        book = setup.house.book.id
        wrong = {(s.player, s.wager) for f in faults if f.kind in _PAYOFF_FAULTS for s in f.steps}
        record = partial(AnswerRecord, at=at, rulebook=book, level=POST_WORK_LEVEL)
        for number, step in enumerate((s for s in self.work.money if s.act == "pay"), 1):
            clauses, one = self._payoff_clauses(step), f"{key} payoffs {number}"
            right = (step.player, step.wager) not in wrong
            missed = () if right else clauses
            if clauses:
                yield record(drill="payoffs", right=right, clauses=clauses, missed=missed, id=one)
        clauses = setup.cites(*find_order_clauses(self.work))
        broken = [fault for fault in faults if fault.kind != "amount"]
        if clauses:
            yield record(
                drill="order",
                right=not broken,
                clauses=clauses,
                missed=find_missed_clauses(setup, broken, clauses) if broken else (),
                seconds=seconds,
                id=f"{key} order",
            )

    def _payoff_clauses(self, step: CrewStep) -> tuple[str, ...]:
        """Return the clauses that the payoffs drill cites for this bet, or else the step's."""
        setup, done = self._setup, self._settled(step)
        if done is None:
            return setup.cites(step.cite)
        stack, over = setup.rack.divide(done.stake)
        index = OUTCOMES.index((self.rolled.first, self.rolled.second))
        spot = setup.layout.spots[done.wager]
        with suppress(ValueError):
            if not over:
                return make_payoff_question(setup, spot, stack, self.work.table.point, index).cite
        return setup.cites(done.cite, step.cite)


def _describe_step_with_amount(step: CrewStep) -> str:
    amount = f" {show_dollars(step.amount)}" if step.amount and step.wager else ""
    return f"{describe_step(step)}{amount}"


def _make_entry_fields(work: PostWork, throw: int, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields of the log entry of a learner's work: codes and figures, no sentences."""
    faults = [
        {"kind": fault.kind, "numbers": list(fault.numbers), "cite": fault.cite}
        for fault in work.faults
    ]
    return {"act": "worked", "throw": throw, "steps": steps, "faults": faults}


def read_work_steps(live: LiveTable, value: object) -> list[dict[str, Any]]:
    """Return a request's steps as the log stores them. Raise ServiceError if they are invalid."""
    try:
        steps = [_read_step(live, n, step) for n, step in enumerate(read_list(value, "steps"), 1)]
        read_steps(steps)
    except UnreadableAnswerError as error:
        raise ServiceError("invalid", str(error)) from None
    return steps


def _read_step(live: LiveTable, number: int, value: object) -> dict[str, Any]:
    fields = value if isinstance(value, dict) else {"act": value}
    step = {name: fields[name] for name in ("act", "player", "wager") if name in fields}
    what = say_school("work.step", number=number)
    if any(not isinstance(one, str) or len(one) > 80 for one in step.values()):
        raise UnreadableAnswerError("answer.unreadable-step", what=what, value=quote_value(value))
    if fields.get("chips") is not None:
        chips = read_stack(fields["chips"], live.table.house.rack, f"{what}, chips")
        step |= {"chips": dict(chips.counts), "amount": to_dollars(chips.amount)}
    return step


def grade_work(live: LiveTable, post: str, steps: list[dict[str, Any]]) -> PostWork:
    """Return a post's work on the last throw, ready to grade: the steps due and the steps done.

    Only payoffs need an amount, in any colors; the grade says which chips the manual pays.
    """
    owed, rack = find_owed_work(live, post), live.table.house.rack
    assert owed is not None
    assert live.last_throw is not None
    chips = [read_stack(step["chips"], rack) if "chips" in step else None for step in steps]
    done, rolled = tuple(read_steps(steps)), live.last_throw.rolled
    return PostWork(work=owed, rolled=rolled, steps_done=done, chips=tuple(chips))


def require_work_allowed(live: LiveTable, role: str, throw: int) -> None:
    """Raise ServiceError unless a learner works this post and still owes the work on this throw.

    ``role`` is the post, such as ``left-base``; ``throw`` is the throw's number at the table.
    """
    _require_learner_post(live, role)
    if throw != live.table.throws or find_owed_work(live, role) is None:
        raise ServiceError("conflict", say_school("work.not-owed"))
    if role in live.posts_done:
        raise ServiceError("conflict", say_school("work.graded"))


def _require_learner_post(live: LiveTable, role: str) -> None:
    if role not in list_learner_posts(live):
        raise ServiceError("forbidden", say_school("work.no-learner"))


def is_work_entry_valid(live: LiveTable, entry: Entry) -> bool:
    """Return whether a ``worked`` entry has the right grade. ``live`` is the table before it.

    Raise ServiceError if the post may not send work.
    """
    throw, steps = entry.more.get("throw"), entry.more.get("steps")
    require_work_allowed(live, entry.role, throw if isinstance(throw, int) else -1)
    read = read_work_steps(live, steps)
    work = grade_work(live, entry.role, read)
    return _make_entry_fields(work, live.table.throws, read) == entry.more


def register_audit_check() -> None:
    """Make audits of live tables grade learners' work again. Call this before an audit."""
    register_act_check("worked", is_work_entry_valid)


def list_post_wagers(table: Table, post: str) -> Iterator[OpenBet]:
    """Yield the bets on a table that a post is responsible for.

    The stick has the center. A base dealer has the players of one end, or of both if there is one
    dealer, and pays their bets in the center too.
    """
    setup = DrillSetup(table.layout, POST_WORK_LEVEL)
    alone = posts.count_base_dealers(table.house)[0] == 1
    for bet in list_bets_at(setup, table):
        center = table.layout.spots[bet.wager].rule.area == "center"
        own = alone or post == f"{find_end(table, bet.player)}-base"
        if center if post == "stick" else own:
            yield bet


async def enter_work(
    service: TableService, table: str, holder: Holder, request: WorkRequest
) -> dict[str, Any]:
    """Grade a learner's work on the last throw, append it to the log and return the grade as JSON.

    ``table`` is the table's id, and ``holder`` is who sent the request. A request that is sent
    twice is written once. Raise ServiceError if the holder is no learner at a post, or the post has
    no work to send for that throw.
    """
    check_request_id(request.id)
    cached = await service.tables.get(table)
    role, by = entry_author(holder)
    async with cached.lock:
        while True:
            live = await service.tables.require_writable(cached)
            async with translate_store_errors():
                seen = await service.store.find(live.id, role, by, request.id)
            if seen is not None and seen.act != "worked":
                raise ServiceError("repeated-id")
            # The request is a repeat: grade it on the table that the first one saw.
            if seen is not None:
                async with translate_store_errors():
                    before = await load_table_at(service.store, cached, seen.seq - 1)
                return _grade_json(before, seen, grade_work(before, role, seen.more["steps"]))
            require_work_allowed(live, role, request.throw)
            steps = read_work_steps(live, request.steps)
            work = grade_work(live, role, steps)
            fields = _make_entry_fields(work, request.throw, steps)
            draft = Draft(role=role, by=by, id=request.id, more=fields)
            outcome = await service.tables.append(cached, live, [draft])
            if isinstance(outcome, Appended):
                break
    service.auto_dealer.reschedule(cached)
    return _grade_json(live, outcome.entries[0], work)


def _grade_json(live: LiveTable, entry: Entry, work: PostWork) -> dict[str, Any]:
    book = live.table.house.book.id
    faults = [
        {"kind": fault.kind, "words": fault.words, "cite": _qualify_cite(book, fault.cite)}
        for fault in work.faults
    ]
    marks = [{**to_builtins(mark), "cite": _qualify_cite(book, mark.cite)} for mark in work.marks()]
    entered = {"seq": entry.seq, "hash": entry.hash}
    return {**entered, "right": not faults, "faults": faults, "marks": marks}


def _qualify_cite(book: str, cite: str) -> str:
    return f"{book}:{cite}" if cite and not cite.startswith("custom") else cite


def make_work_receipt(token_hash: str, entry_hash: str) -> str:
    """Return a proof that the holder of a post's token sent the work in a log entry.

    Readers of the log can't make it: only the store has the hash of the token.
    """
    return sha256(f"{token_hash} {entry_hash}".encode()).hexdigest()


async def read_work_answers(
    service: TableService, table: str, seq: int, receipt: str
) -> tuple[AnswerRecord, ...]:
    """Return the graded work in log entry ``seq`` as answers for spaced repetition.

    ``receipt`` proves that the caller sent that work. Raise ServiceError (``not_found``) if it is
    wrong, or the entry is no work.
    """
    missing = ServiceError("not_found", say_school("work.no-work"))
    cached = await service.tables.get(table)
    if not 0 < seq <= cached.live.head.seq:
        raise missing
    async with translate_store_errors():
        entry = await anext(aiter(service.store.log(table, seq - 1, 1)))
        grants = await service.store.grants(table)
        hashes = [grant.hash for grant in grants if grant.holder.role == entry.role]
        receipts = {make_work_receipt(token_hash, entry.hash) for token_hash in hashes}
        if entry.act != "worked" or receipt not in receipts:
            raise missing
        before = await load_table_at(service.store, cached, seq - 1)
    work = grade_work(before, entry.role, entry.more["steps"])
    at, thrown = parse_time(entry.at), parse_time(before.thrown_at)
    seconds = max(0.0, (at - thrown).total_seconds())
    return tuple(work.answers(at=at, seconds=seconds, key=f"{table} {seq}"))


async def work_page_state(service: TableService, table: str, holder: Holder) -> dict[str, Any]:
    """Return, as JSON, what the page of a learner at a post shows, without the right answer.

    Raise ServiceError (``forbidden``) unless the holder works a post as a learner.
    """
    cached = await service.tables.get(table)
    live, post, now = cached.live, holder.role, cached.read_time(service.clock.now())
    _require_learner_post(live, post)
    last = live.last_throw
    rolled = last.rolled if last is not None else None
    deadline, owed = learner_deadline(live), find_owed_work(live, post) is not None
    waits = (deadline - now).total_seconds() if deadline is not None else 0
    return {
        "post": post,
        "throw": live.table.throws,
        "dice": [rolled.first, rolled.second] if rolled is not None else None,
        "puck": last.before.puck if last is not None else None,
        "owed": owed and post not in live.posts_done,
        "waits": max(0, int(waits)),
        "bank": [[chip.color, chip.value] for chip in live.table.house.rack.chips],
        "wagers": [
            {**bet.to_json(), "piles": list(bet.chips.items())}
            for bet in (list_post_wagers(last.before, post) if last is not None else ())
        ],
    }
