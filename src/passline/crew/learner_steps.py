"""The crew's work on one roll as steps for a learner: who takes, pays and moves which bet.

The steps come from the work list (`crew.work_list`) and the roll's settlements. Live tables use
them to see whether a learner's post still has work to do. The school teaches and grades them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from passline.crew.cut_payoff import cut_payoff
from passline.crew.facts import Occasion, find_occasion
from passline.crew.tasks import Task, TaskVerb
from passline.crew.work_list import find_work_kind, make_work_list
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import to_dollars
from passline.game.table.events import Rolled
from passline.game.table.state import Table

StepAction = Literal["take", "pay", "place", "move", "call", "other"]
#: The action of each crew verb. Any other verb is "other".
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
#: Actions that move money. A learner must do all of them; the others are optional.
MONEY_ACTIONS = ("take", "pay", "place")
#: Of how many rolls the work is cached: a live table asks for that of its last roll many times.
_MAX_CACHED_ROLLS = 64


class CrewStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the crew's work: who (`post`, `end`, `hand`) does what (`act`) to which bet.

    `amount` is in cents. `kind` says where the bet lies, such as "prop" (see `find_work_kind`), and
    `number` is its number. `hand` is empty if the manuals leave it open. `cite` is the clause for
    the step, `settlement_cite` the clause for why the wager loses or what it wins.
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
        """Return whether the step takes, pays or places a bet. A learner must do all such steps."""
        return self.act in MONEY_ACTIONS

    def to_json(self) -> dict[str, Any]:
        """Return the step as a JSON object, with dollars, and null for what is empty."""
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
    """The crew's work on one roll: its steps in order, and the occasion, such as "seven-out".

    `table` is the table before the roll.
    """

    table: Table
    occasion: Occasion
    steps: tuple[CrewStep, ...]

    @property
    def money(self) -> tuple[CrewStep, ...]:
        """The steps that take, pay or place a bet."""
        return tuple(step for step in self.steps if step.moves_money)


class _RollKey:
    """A cache key, equal only for the same table object and the same roll object."""

    __slots__ = ("rolled", "table")

    def __init__(self, table: Table, rolled: Rolled) -> None:
        self.table, self.rolled = table, rolled

    def __hash__(self) -> int:
        return hash((id(self.table), id(self.rolled)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _RollKey)
            and self.table is other.table
            and self.rolled is other.rolled
        )


def list_crew_work(table: Table, rolled: Rolled) -> CrewWork:
    """Return a roll's work: the call, the puck, and each bet taken, paid, placed or returned.

    `table` is the table before the roll.
    """
    return _list_cached(_RollKey(table, rolled))


@lru_cache(_MAX_CACHED_ROLLS)
def _list_cached(key: _RollKey) -> CrewWork:
    table, rolled = key.table, key.rolled
    settlements: dict[tuple[str, str, str], Settlement] = {
        (each.player, each.wager, each.result): each for each in rolled.settlements
    }
    steps = [_make_step(table, task, settlements) for task in make_work_list(table, rolled)]
    return CrewWork(table, find_occasion(rolled), tuple(step for step in steps if step is not None))


def _make_step(
    table: Table, task: Task, settlements: dict[tuple[str, str, str], Settlement]
) -> CrewStep | None:
    act = _ACTION_BY_VERB.get(task.do, "other")
    if task.do == "call":
        return CrewStep(post=task.post, act=act, cite=task.cite)
    if task.do == "mark":
        return CrewStep(post=task.post, act=act, end=task.end, cite=task.cite)
    if act not in MONEY_ACTIONS and task.do != "return":
        return None
    results = {"take": "lose", "pay": "win", "place": "travel", "return": "return"}
    settled = settlements.get((task.player, task.wager, results.get(task.do, "")))
    if settled is None:  # A composite that breaks even, or an award.
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


def _find_last_hand(table: Table, settlement: Settlement) -> str:
    """Return the hand ("inside", "outside") of a payoff's last motion, or "" if unknown."""
    if settlement.wager not in table.layout.spots or not settlement.paid:
        return ""
    motions = cut_payoff(table.layout, replace(settlement, vig=0)).motions
    return motions[-1].hand if motions else ""
