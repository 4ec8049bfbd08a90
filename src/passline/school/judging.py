"""Work judged: steps as somebody did them against those that were due, by what the manuals fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew import ends
from passline.crew.ends import WalkWay
from passline.crew.facts import Occasion
from passline.crew.sequence import custom_of
from passline.money import show_dollars
from passline.school.work import Act, Work, WorkStep
from passline.words.wagers import layout_name

_ANY = "*"
#: The ways in which work goes wrong.
FaultKind = Literal[
    "amount", "order", "end", "hand", "post", "missed", "loser paid", "not due", "flat before odds"
]


class WorkFault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: the numbers of the steps from one (any of ``numbers`` names it), in
    words, the clause that it breaks, and the steps that it is about, as they were due."""

    kind: FaultKind
    numbers: tuple[int, ...]
    words: str
    cite: str
    steps: tuple[WorkStep, ...] = ()


class _Which(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    act: tuple[Act, ...]
    kinds: tuple[str, ...]

    def has(self, step: WorkStep) -> bool:
        return step.act in self.act and (self.kinds == (_ANY,) or step.kind in self.kinds)


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that a manual fixes: this before that, or players in a direction."""

    name: str
    first: _Which
    then: _Which | None = None
    way: WalkWay | None = None
    within: Literal["table", "end", "player", "number"]
    when: tuple[Occasion, ...] = ()
    cite: dict[str, str]
    custom: bool = False

    def cited(self, book: str) -> str:
        """The book's clause, or the custom; empty: this book leaves it open."""
        return self.cite.get(book) or (custom_of(self.cite) if self.custom else "")


class _Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fixed: tuple[Fixed, ...]
    #: Who works at an end, and which hand does what (``inside``, ``outside``): clauses by rulebook.
    end: dict[str, str]
    hand: dict[str, dict[str, str]]


@cache
def _order() -> _Order:
    text = resources.files("passline.school").joinpath("order.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Order)


def fixed_for(work: Work) -> Iterator[tuple[Fixed, str]]:
    """What a book fixes about the order of this work, with the clause."""
    book = work.table.house.book.id
    for rule in _order().fixed:
        cite = rule.cited(book)
        if cite and (not rule.when or work.occasion in rule.when):
            yield rule, cite


def out_of_order(work: Work, done: Sequence[WorkStep | None]) -> Iterator[WorkFault]:
    """Every pair of steps that stand the wrong way round; None is a step that is nothing's."""
    for rule, cite in fixed_for(work):
        for late, one in enumerate(done):
            if one is None or not rule.first.has(one):
                continue
            for early, other in enumerate(done[:late]):
                if other is not None and _before(work, rule, one, other):
                    kind: FaultKind = "order"
                    if rule.name == "odds before flat":
                        kind = "flat before odds"
                    words = f"{rule.name}: {step_named(one)} comes before {step_named(other)}"
                    numbers = (early + 1, late + 1)
                    both = (other, one)
                    yield WorkFault(kind=kind, numbers=numbers, words=words, cite=cite, steps=both)


def rules_touched(work: Work) -> Iterator[tuple[Fixed, str]]:
    """What fixes the order of these very steps, with the clause."""
    for rule, cite in fixed_for(work):
        firsts = [step for step in work.steps if rule.first.has(step)]
        if any(_before(work, rule, one, other) for one in firsts for other in work.steps):
            yield rule, cite


def _before(work: Work, rule: Fixed, one: WorkStep, other: WorkStep) -> bool:
    """Whether a rule wants the one before the other."""
    if rule.within != "table" and one.end != other.end:
        return False
    if rule.way is not None:
        if not rule.first.has(other) or one.player == other.player:
            return False
        end: ends.End = "left" if one.end == "left" else "right"
        walk = ends.standing_at(work.table, end, rule.way)
        return walk.index(one.player) < walk.index(other.player)
    if rule.then is None or not rule.then.has(other):
        return False
    if rule.within in ("player", "number") and one.player != other.player:
        return False
    return rule.within != "number" or one.number == other.number


def step_named(step: WorkStep) -> str:
    """A step in a few words."""
    if step.act == "call" and not step.wager:
        return "the call"
    if not step.wager:
        return f"the {step.act} at the {step.end} end"
    verb = {"take": "taking", "pay": "paying", "place": "placing"}.get(step.act, step.act)
    return f"{verb} {step.player}'s {layout_name(step.wager)}"


def judge_steps(work: Work, done: Sequence[WorkStep]) -> tuple[WorkFault, ...]:
    """Everything that is wrong with steps as they were done; nothing: they are right.

    A step that is left out is numbered where it belongs. Odds and flat may be paid in one.
    """
    faults: list[WorkFault] = []
    waiting = list(work.steps)
    matched: list[WorkStep | None] = []
    for number, step in enumerate(done, 1):
        due = _due(waiting, step)
        if due is None and not step.is_money:
            matched.append(None)  # something that may be done besides
            continue
        if due is None:
            faults.append(_undue(work, number, step))
            matched.append(None)
            mine = [s for s in waiting if _same_bet(s, step)]
            if mine and mine[0].is_money:
                waiting.remove(mine[0])  # dealt with, though wrongly: it was not left out
            continue
        waiting.remove(due)
        matched.append(due)
        both = _with_odds(waiting, due, step)
        if both is not None:
            waiting.remove(both)
        else:
            faults += _wrong_in(work, number, step, due)
    faults += [_missing(work, step, matched) for step in waiting if step.is_money]
    return (*faults, *out_of_order(work, matched))


def _due(waiting: Sequence[WorkStep], step: WorkStep) -> WorkStep | None:
    for due in waiting:
        same = due.act == step.act and _same_bet(due, step)
        if same and (due.wager or not due.end or not step.end or due.end == step.end):
            return due
    return None


def _same_bet(one: WorkStep, other: WorkStep) -> bool:
    """Whether two steps are about the same player's wager; learners write names as they like."""
    return (one.player.lower(), one.wager) == (other.player.lower(), other.wager)


def _with_odds(waiting: Sequence[WorkStep], due: WorkStep, step: WorkStep) -> WorkStep | None:
    """The odds that were paid with their flat in one, where that is what was done."""
    if due.act != "pay" or due.kind not in ("pass", "dont-pass"):
        return None
    for odds in waiting:
        mine = odds.act == "pay" and odds.player == due.player and odds.kind == f"{due.kind}-odds"
        if mine and step.amount == due.amount + odds.amount:
            return odds
    return None


def _undue(work: Work, number: int, step: WorkStep) -> WorkFault:
    """Something done that was not due: a loser paid, or a wager that nobody has."""
    what = f"{step.player}'s {layout_name(step.wager)}" if step.wager else "nothing"
    due = next((s for s in work.money if _same_bet(s, step)), None)
    if due is not None and due.act == "take" and step.act == "pay":
        words = f"{what} lost and was paid"
        return WorkFault(
            kind="loser paid", numbers=(number,), words=words, cite=due.due_by, steps=(due,)
        )
    if due is not None:
        words = f"{what} is to be {_PAST[due.act]}, not {_PAST.get(step.act, step.act)}"
        return WorkFault(
            kind="not due", numbers=(number,), words=words, cite=due.due_by, steps=(due,)
        )
    words = f"nothing is due for {what}"
    return WorkFault(kind="not due", numbers=(number,), words=words, cite="", steps=(step,))


_PAST = {"take": "taken", "pay": "paid", "place": "placed", "move": "moved"}


def _wrong_in(work: Work, number: int, step: WorkStep, due: WorkStep) -> Iterator[WorkFault]:
    """What is wrong with a step itself: how much, at which end, by which hand, by whom."""
    what, book = step_named(due), work.table.house.book.id
    if step.amount != due.amount and (step.amount or due.act == "pay"):
        words = f"{what}: {show_dollars(due.amount)} is due, not {show_dollars(step.amount)}"
        cite = due.due_by
        yield WorkFault(kind="amount", numbers=(number,), words=words, cite=cite, steps=(due,))
    parts: tuple[tuple[FaultKind, str, str, str], ...] = (
        ("end", step.end, due.end, _order().end.get(book, "")),
        ("hand", step.hand, due.hand, _order().hand.get(book, {}).get(due.hand, "")),
        ("post", step.post, due.post, due.cite),
    )
    for kind, given, right, cite in parts:
        if given and right and given != right:
            words = f"{what}: the {right} {kind}, not the {given}"
            yield WorkFault(kind=kind, numbers=(number,), words=words, cite=cite, steps=(due,))


def _missing(work: Work, step: WorkStep, matched: Sequence[WorkStep | None]) -> WorkFault:
    """A step left out: the numbers at which it could have been done, its own first."""
    before = work.steps[: work.steps.index(step)]
    own = 1 + max((n for n, due in enumerate(matched, 1) if due in before), default=0)
    places = [own]
    for place in range(1, len(matched) + 2):
        tried = [*matched[: place - 1], step, *matched[place - 1 :]]
        if place != own and not any(out_of_order(work, tried)):
            places.append(place)
    words = f"{step_named(step)}, {show_dollars(step.amount)}, was left out"
    return WorkFault(
        kind="missed", numbers=tuple(places), words=words, cite=step.due_by, steps=(step,)
    )
