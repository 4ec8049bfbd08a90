"""The crew's work on a throw as steps: who takes, pays and places what, where, by which hand.

The steps come from the crew's own list; nothing is settled here.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from passline.crew.cutting import payoff
from passline.crew.facts import Occasion, occasion_of
from passline.crew.tasks import Task, TaskVerb
from passline.crew.worklist import work_kind, work_list
from passline.layout import Settlement
from passline.money import dollars
from passline.table import Table
from passline.table.events import Rolled

Act = Literal["take", "pay", "place", "move", "call", "other"]
#: What a verb of the crew's is to a learner; any other is "other".
_ACTS: dict[TaskVerb, Act] = {
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
MONEY = ("take", "pay", "place")


class WorkStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step: amounts in cents; ``kind`` is what its wager is to the crew, ``number`` its number.

    ``hand`` is empty where the manuals leave it open. ``cite`` is the clause by which it is done,
    ``due_by`` the one by which it is due: that the wager loses, or what it wins.
    """

    post: str
    act: Act
    player: str = ""
    wager: str = ""
    amount: int = 0
    end: str = ""
    hand: str = ""
    kind: str = ""
    number: int = 0
    cite: str = ""
    due_by: str = ""

    @property
    def is_money(self) -> bool:
        """Whether it moves money, and so must be done."""
        return self.act in MONEY

    def to_json(self) -> dict[str, Any]:
        """The step as a question or an answer has it."""
        return {
            "post": self.post,
            "act": self.act,
            "player": self.player or None,
            "wager": self.wager or None,
            "amount": dollars(self.amount) if self.wager else None,
            "end": self.end or None,
            "hand": self.hand or None,
        }


class Work(msgspec.Struct, frozen=True):
    """The work on one throw: its steps in the crew's order, and what the throw was."""

    table: Table
    occasion: Occasion
    steps: tuple[WorkStep, ...]

    @property
    def money(self) -> tuple[WorkStep, ...]:
        """The steps that move money."""
        return tuple(step for step in self.steps if step.is_money)


def work_of(table: Table, rolled: Rolled) -> Work:
    """The work on a throw: the stick's call, everything that is taken, paid, moved and placed."""
    done: dict[tuple[str, str, str], Settlement] = {}
    for each in rolled.settlements:
        done[each.player, each.wager, each.result] = each
    found = []
    for task in work_list(table, rolled):
        step = _step(table, task, done)
        if step is not None:
            found.append(step)
    return Work(table, occasion_of(rolled), tuple(found))


def _step(
    table: Table, task: Task, done: dict[tuple[str, str, str], Settlement]
) -> WorkStep | None:
    act = _ACTS.get(task.do, "other")
    if task.do == "call":
        return WorkStep(post=task.post, act=act, cite=task.cite)
    if task.do == "mark":
        return WorkStep(post=task.post, act=act, end=task.end, cite=task.cite)
    if act not in MONEY and task.do != "return":
        return None
    results = {"take": "lose", "pay": "win", "place": "travel", "return": "return"}
    settled = done.get((task.player, task.wager, results.get(task.do, "")))
    if settled is None:  # a composite that comes out level, an award
        return None
    spot = table.layout.spots.get(task.wager)
    return WorkStep(
        post=task.post,
        act=act,
        player=task.player,
        wager=task.wager,
        amount=task.amount,
        end=task.end,
        hand=_hand(table, settled) if act == "pay" else "",
        kind=work_kind(table, settled),
        number=spot.number if spot is not None else 0,
        cite=task.cite,
        due_by=settled.cite,
    )


def _hand(table: Table, done: Settlement) -> str:
    """The hand that gives a payoff its last motion."""
    if done.wager not in table.layout.spots or not done.paid:
        return ""
    motions = payoff(table.layout, replace(done, vig=0)).motions
    return motions[-1].hand if motions else ""
