"""The crew's work on one throw, as steps: who takes, pays and places which bet, at which end.

The steps come from the crew's work list (`crew.work_list`) and the throw's settlements. Nothing is
settled here, and nothing outside the table is read. Live tables use the steps to see whether a
learner's post still has work to do; the school teaches and grades them.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from passline.crew.facts import Occasion, find_occasion
from passline.crew.payoffs import cut_payoff
from passline.crew.tasks import Task, TaskVerb
from passline.crew.work_list import find_work_kind, make_work_list
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import to_dollars
from passline.game.table.events import Rolled
from passline.game.table.state import Table

StepAction = Literal["take", "pay", "place", "move", "call", "other"]
#: What a verb of the crew's is to a learner; any other is "other".
_ACTION_BY_VERB: dict[TaskVerb, StepAction] = {
    "take": "take",
    "pay": "pay",
    "place": "place",
    "push": "move",
    "return": "move",
    "bring out": "move",
    "hand off": "move",
    "mark": "move",
    "call": "call",
    "announce": "call",
}
#: Acts on money: every one of them must be done. The others may be told, and need not be.
MONEY_ACTIONS = ("take", "pay", "place")


class CrewStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step: amounts in cents; ``kind`` is what its wager is to the crew, ``number`` its number.

    ``hand`` is empty where the manuals leave it open. ``cite`` is the clause by which it is done,
    ``settlement_cite`` the one by which it is due: that the wager loses, or what it wins.
    """

    post: str
    act: StepAction
    player: str = ""
    wager: str = ""
    amount: int = 0
    end: str = ""
    hand: str = ""
    kind: str = ""
    number: int = 0
    cite: str = ""
    settlement_cite: str = ""

    @property
    def moves_money(self) -> bool:
        """Whether it moves money, and so must be done."""
        return self.act in MONEY_ACTIONS

    def to_json(self) -> dict[str, Any]:
        """The step as a question or an answer has it."""
        return {
            "post": self.post,
            "act": self.act,
            "player": self.player or None,
            "wager": self.wager or None,
            "amount": to_dollars(self.amount) if self.wager else None,
            "end": self.end or None,
            "hand": self.hand or None,
        }


class CrewWork(msgspec.Struct, frozen=True):
    """The work on one throw: its steps in the crew's order, and what the throw was."""

    table: Table
    occasion: Occasion
    steps: tuple[CrewStep, ...]

    @property
    def money(self) -> tuple[CrewStep, ...]:
        """The steps that move money."""
        return tuple(step for step in self.steps if step.moves_money)


def list_crew_work(table: Table, rolled: Rolled) -> CrewWork:
    """The work on a throw: the stick's call, everything that is taken, paid, moved and placed."""
    done: dict[tuple[str, str, str], Settlement] = {}
    for each in rolled.settlements:
        done[each.player, each.wager, each.result] = each
    found = []
    for task in make_work_list(table, rolled):
        step = _make_step(table, task, done)
        if step is not None:
            found.append(step)
    return CrewWork(table, find_occasion(rolled), tuple(found))


def _make_step(
    table: Table, task: Task, done: dict[tuple[str, str, str], Settlement]
) -> CrewStep | None:
    act = _ACTION_BY_VERB.get(task.do, "other")
    if task.do == "call":
        return CrewStep(post=task.post, act=act, cite=task.cite)
    if task.do == "mark":
        return CrewStep(post=task.post, act=act, end=task.end, cite=task.cite)
    if act not in MONEY_ACTIONS and task.do != "return":
        return None
    results = {"take": "lose", "pay": "win", "place": "travel", "return": "return"}
    settled = done.get((task.player, task.wager, results.get(task.do, "")))
    if settled is None:  # a composite that comes out level, an award
        return None
    spot = table.layout.spots.get(task.wager)
    return CrewStep(
        post=task.post,
        act=act,
        player=task.player,
        wager=task.wager,
        amount=task.amount,
        end=task.end,
        hand=_find_last_hand(table, settled) if act == "pay" else "",
        kind=find_work_kind(table, settled),
        number=spot.number if spot is not None else 0,
        cite=task.cite,
        settlement_cite=settled.cite,
    )


def _find_last_hand(table: Table, done: Settlement) -> str:
    """The hand that gives a payoff its last motion."""
    if done.wager not in table.layout.spots or not done.paid:
        return ""
    motions = cut_payoff(table.layout, replace(done, vig=0)).motions
    return motions[-1].hand if motions else ""
