"""A post's work on a throw: every step marked, and what it tells of whoever learns the post."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
from msgspec.structs import replace

from passline.crew.payoffs import cut_payoff
from passline.game.dice.dice import OUTCOMES
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import Chips
from passline.game.table.events import Rolled
from passline.school.answer_log import AnswerRecord
from passline.school.crew_work import CrewWork, WorkFault, WorkStep, describe_step, find_work_faults
from passline.school.drills.order import find_missed_clauses, find_order_clauses
from passline.school.drills.payoffs import make_payoff_question
from passline.school.questions import DrillSetup, NoQuestionError

#: The level at which work at a table is marked: several players, both ends.
POST_WORK_LEVEL = 3


class StepGrade(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the work, as it was done (``number`` from one) or left out (0): whether it was
    right, and what was wrong with it, with the clause; of a payoff also how the manual cuts it."""

    number: int
    step: str
    right: bool
    because: str
    cite: str


class PostWork(msgspec.Struct, frozen=True, kw_only=True):
    """What a post had to do on a throw, and what was done there: the steps, the chips of each."""

    work: CrewWork
    rolled: Rolled
    done: tuple[WorkStep, ...]
    chips: tuple[Chips | None, ...]

    @property
    def faults(self) -> tuple[WorkFault, ...]:
        """Everything that is wrong with it."""
        return find_work_faults(self.work, self.done)

    @property
    def _desk(self) -> DrillSetup:
        return DrillSetup(self.work.table.layout, POST_WORK_LEVEL)

    def marks(self) -> Iterator[StepGrade]:
        """Every step, marked; then those that were left out."""
        faults = self.faults
        for number, (step, chips) in enumerate(zip(self.done, self.chips, strict=True), 1):
            mine = [f for f in faults if f.kind != "missed" and f.numbers[:1] == (number,)]
            yield StepGrade(
                number=number,
                step=_describe_step_with_amount(step),
                right=not mine,
                because="; ".join(f.words for f in mine) or self._cut(step, chips),
                cite=mine[0].cite if mine else "",
            )
        for fault in faults:
            if fault.kind == "missed":
                (due,) = fault.steps
                yield StepGrade(
                    number=0,
                    step=_describe_step_with_amount(due),
                    right=False,
                    because=fault.words,
                    cite=fault.cite,
                )

    def _cut(self, step: WorkStep, chips: Chips | None) -> str:
        """How the manual cuts a payoff of this amount, where it was built otherwise."""
        done = self._settled(step)
        if chips is None or done is None or done.paid != chips.amount:
            return ""
        manual = cut_payoff(self._desk.layout, replace(done, vig=0)).chips
        return "" if chips == manual else f"the manual pays {manual}"

    def _settled(self, step: WorkStep) -> Settlement | None:
        """What the engine paid for a step's wager."""
        for done in self.rolled.settlements if step.act == "pay" else ():
            mine = (done.player.lower(), done.wager) == (step.player.lower(), step.wager)
            if mine and done.result == "win" and done.wager in self._desk.layout.spots:
                return done
        return None

    def answers(self, *, at: datetime, seconds: float | None, key: str) -> Iterator[AnswerRecord]:
        """The work as answers to be repeated: each payoff that was due by its clauses, and the
        order of it all. ``key`` tells this work from any other."""
        setup, faults = self._desk, self.faults
        book = setup.house.book.id
        wrong = {(s.player, s.wager) for f in faults if f.kind in _PAYOFF_FAULTS for s in f.steps}
        for number, step in enumerate((s for s in self.work.money if s.act == "pay"), 1):
            clauses = self._payoff_clauses(step)
            right = (step.player, step.wager) not in wrong
            if clauses:
                yield AnswerRecord(
                    at=at,
                    drill="payoffs",
                    right=right,
                    clauses=clauses,
                    missed=() if right else clauses,
                    rulebook=book,
                    level=POST_WORK_LEVEL,
                    id=f"{key} payoffs {number}",
                )
        clauses = setup.cites(*find_order_clauses(self.work))
        broken = [fault for fault in faults if fault.kind != "amount"]
        if clauses:
            yield AnswerRecord(
                at=at,
                drill="order",
                right=not broken,
                clauses=clauses,
                missed=find_missed_clauses(setup, broken, clauses) if broken else (),
                seconds=seconds,
                rulebook=book,
                level=POST_WORK_LEVEL,
                id=f"{key} order",
            )

    def _payoff_clauses(self, step: WorkStep) -> tuple[str, ...]:
        """What the drill of payoffs would cite for it; the step's own, where it does not ask it."""
        setup, done = self._desk, self._settled(step)
        if done is None:
            return setup.cites(step.cite)
        stack, over = setup.rack.divide(done.stake)
        index = OUTCOMES.index((self.rolled.first, self.rolled.second))
        spot = setup.layout.spots[done.wager]
        try:
            if over:
                raise NoQuestionError("not a stack of chips")
            return make_payoff_question(setup, spot, stack, self.work.table.puck, index).cite
        except (NoQuestionError, ValueError):
            return setup.cites(done.cite, step.cite)


#: What is wrong with a payoff itself, and not with when it was made.
_PAYOFF_FAULTS = ("amount", "missed", "not due")


def _describe_step_with_amount(step: WorkStep) -> str:
    amount = f" {show_dollars(step.amount)}" if step.amount and step.wager else ""
    return f"{describe_step(step)}{amount}"
