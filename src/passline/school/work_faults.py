"""Find the mistakes in a crew's work: compare the steps done with the steps that were due.

The rulebook's ``school.toml`` has the rules of order. Without rules, any order is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from passline.crew.facts import Occasion
from passline.crew.learner_steps import CrewStep, CrewWork, StepAction
from passline.crew.tasks import fill_citations
from passline.game.law.book_files import cached_by_book
from passline.game.law.book_parts import convert_part, find_customary_book, read_own_part, read_part
from passline.game.table import table_ends
from passline.game.table.table_ends import WalkDirection
from passline.game.words.school import ACT_WORDS, say_school

_ANY_KIND = "*"
#: The kinds of mistake.
FaultKind = Literal[
    "amount", "order", "end", "hand", "post", "missed", "loser paid", "not due", "flat before odds"
]


class WorkFault(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake: its kind, a sentence, the clause that it breaks, and step numbers from 1.

    An answer may name the mistake by any of the ``numbers``. ``steps`` are the steps concerned, as
    they should have been done.
    """

    kind: FaultKind
    numbers: tuple[int, ...]
    words: str
    cite: str
    steps: tuple[CrewStep, ...] = ()


class _StepPattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    act: tuple[StepAction, ...]
    kinds: tuple[str, ...]

    def matches(self, step: CrewStep) -> bool:
        return step.act in self.act and (self.kinds == (_ANY_KIND,) or step.kind in self.kinds)


class OrderRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule of order: some steps come before others, or players are served in one direction.

    Steps that match ``first`` come before those that match ``then``; or, if ``way`` is set, the
    dealer goes to the players in that direction. ``within`` says which steps are compared: all, or
    those at one end, of one player, or of one player on one number. ``when`` lists the kinds of
    throw; empty means all.
    """

    name: str
    first: _StepPattern
    then: _StepPattern | None = None
    way: WalkDirection | None = None
    within: Literal["table", "end", "player", "number"]
    when: tuple[Occasion, ...] = ()
    cite: str


class SchoolData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of a rulebook by which the school grades work and positions."""

    #: The rules of order, by name.
    order: dict[str, OrderRule]
    #: The clause by which a dealer works at one end.
    end: str = ""
    #: The clause by which each hand (``inside``, ``outside``) does its part.
    hand: dict[str, str] = {}
    #: The clauses about positions on the layout that hold for every wager.
    positions: tuple[str, ...] = ()
    #: The clause that a drill asks about to practice a mistake of a shift, by the kind of a
    #: player's call (the drill ``rulings``) or else by drill.
    practice: dict[str, str] = {}


@cached_by_book
def load_school_data(book: str) -> SchoolData:
    """Return the school's data of a rulebook, from its ``school.toml``."""
    data = read_part(book, "school")
    customary = read_own_part(find_customary_book(), "school")
    fill_citations(data["order"], customary.get("order", {}))
    return convert_part(book, "school", data, SchoolData)


def find_order_rules(work: CrewWork) -> Iterator[OrderRule]:
    """Yield the rules of order that apply to this kind of throw, such as a seven-out."""
    for rule in load_school_data(work.table.house.book.id).order.values():
        if not rule.when or work.occasion in rule.when:
            yield rule


def find_order_faults(work: CrewWork, done: Sequence[CrewStep | None]) -> Iterator[WorkFault]:
    """Yield a fault for each pair of steps of ``done`` in the wrong order by some rule.

    Faults name steps by their number in ``done``, from 1. A None in ``done`` is skipped, but
    counted.
    """
    for rule in find_order_rules(work):
        kind: FaultKind = "flat before odds" if rule.name == "odds before flat" else "order"
        for late, one in enumerate(done, 1):
            if one is None or not rule.first.matches(one):
                continue
            for early, other in enumerate(done[: late - 1], 1):
                if other is not None and _must_precede(work, rule, one, other):
                    yield WorkFault(
                        kind=kind,
                        numbers=(early, late),
                        words=say_school(
                            "work.order",
                            rule=rule.name,
                            first=describe_step(one),
                            then=describe_step(other),
                        ),
                        cite=rule.cite,
                        steps=(other, one),
                    )


def find_applicable_rules(work: CrewWork) -> Iterator[OrderRule]:
    """Yield the rules of order that decide the order of at least two of the steps in ``work``."""
    for rule in find_order_rules(work):
        firsts = [step for step in work.steps if rule.first.matches(step)]
        if any(_must_precede(work, rule, one, other) for one in firsts for other in work.steps):
            yield rule


def _must_precede(work: CrewWork, rule: OrderRule, one: CrewStep, other: CrewStep) -> bool:
    """Return whether a rule requires step ``one`` before step ``other``.

    The caller has checked that ``rule.first`` matches ``one``.
    """
    if rule.within != "table" and one.end != other.end:
        return False
    if rule.way is not None:
        if not rule.first.matches(other) or one.player == other.player:
            return False
        walk = table_ends.list_players_at(
            work.table, table_ends.find_end(work.table, one.player), rule.way
        )
        return walk.index(one.player) < walk.index(other.player)
    if rule.then is None or not rule.then.matches(other):
        return False
    if rule.within in ("player", "number") and one.player != other.player:
        return False
    return rule.within != "number" or one.number == other.number


def describe_step(step: CrewStep) -> str:
    """Return a step in a few words, such as "paying ann's place 6"."""
    if step.act == "call" and not step.wager:
        return say_school("work.call")
    if not step.wager:
        return say_school("work.post", act=step.act, end=step.end)
    doing = ACT_WORDS[step.act][0] if step.act in ACT_WORDS else step.act
    return say_school("work.bet", doing=doing, player=step.player, wager=step.wager)


def find_work_faults(work: CrewWork, done: Sequence[CrewStep]) -> tuple[WorkFault, ...]:
    """Return all mistakes in the steps ``done``, compared with the steps due in ``work``.

    A step left out gets the number at which it belongs. Odds and flat bet may be paid together.
    """
    faults: list[WorkFault] = []
    waiting = list(work.steps)
    matched: list[CrewStep | None] = []
    for number, step in enumerate(done, 1):
        due = _match_due_step(waiting, step)
        matched.append(due)
        if due is None:
            if step.moves_money:  # Other steps are allowed even if they are not due.
                faults.append(_make_not_due_fault(work, waiting, number, step))
                mine = next((s for s in waiting if _is_same_bet(s, step)), None)
                if mine is not None and mine.moves_money:
                    waiting.remove(mine)  # The bet was dealt with, so it is not missed as well.
            continue
        waiting.remove(due)
        both = _find_combined_odds(waiting, due, step)
        if both is not None:
            waiting.remove(both)
        else:
            faults += _find_step_faults(work, number, step, due)
    faults += [_make_missed_fault(work, step, matched) for step in waiting if step.moves_money]
    return (*faults, *find_order_faults(work, matched))


def _match_due_step(waiting: Sequence[CrewStep], step: CrewStep) -> CrewStep | None:
    for due in waiting:
        same = due.act == step.act and _is_same_bet(due, step)
        if same and (due.wager or not due.end or not step.end or due.end == step.end):
            return due
    return None


def _is_same_bet(one: CrewStep, other: CrewStep) -> bool:
    """Return whether two steps are about the same bet, ignoring the case of the player's name."""
    return (one.player.lower(), one.wager) == (other.player.lower(), other.wager)


def _find_combined_odds(
    waiting: Sequence[CrewStep], due: CrewStep, step: CrewStep
) -> CrewStep | None:
    """Return the due odds step if ``step`` paid it together with the flat bet, or None.

    ``due`` is the due step of the flat bet, ``waiting`` are the steps that are still due.
    """
    if due.act != "pay" or due.kind not in ("pass", "dont-pass"):
        return None
    for odds in waiting:
        mine = odds.act == "pay" and odds.player == due.player and odds.kind == f"{due.kind}-odds"
        if mine and step.amount == due.amount + odds.amount:
            return odds
    return None


def _make_not_due_fault(
    work: CrewWork, waiting: Sequence[CrewStep], number: int, step: CrewStep
) -> WorkFault:
    """Return the fault for step ``number``, which was not due for its bet.

    A losing bet was paid, another action was due, the bet was settled already (its step is not
    ``waiting``), or there is no such bet.
    """
    code = "work.players-bet" if step.wager else "work.nothing"
    what = say_school(code, player=step.player, wager=step.wager)
    due = next((s for s in work.money if _is_same_bet(s, step)), None)
    kind: FaultKind = "not due"
    if due is None:
        words = say_school("work.not-due", what=what)
        return WorkFault(kind=kind, numbers=(number,), words=words, cite="", steps=(step,))
    if due not in waiting:
        words = say_school("work.again", what=what)
        cite = due.settlement_cite
        return WorkFault(kind=kind, numbers=(number,), words=words, cite=cite, steps=(step,))
    done = ACT_WORDS[step.act][1] if step.act in ACT_WORDS else step.act
    words = say_school("work.other-act", what=what, due=ACT_WORDS[due.act][1], done=done)
    if due.act == "take" and step.act == "pay":
        kind, words = "loser paid", say_school("work.loser-paid", what=what)
    cite = due.settlement_cite
    return WorkFault(kind=kind, numbers=(number,), words=words, cite=cite, steps=(due,))


def _find_step_faults(
    work: CrewWork, number: int, step: CrewStep, due: CrewStep
) -> Iterator[WorkFault]:
    """Yield the faults of step ``number`` itself: a wrong amount, end of the table, hand or post.

    ``step`` is what was done, ``due`` what should have been done.
    """
    what, school = describe_step(due), load_school_data(work.table.house.book.id)
    if step.amount != due.amount and (step.amount or due.act == "pay"):
        words = say_school("work.due", step=what, due=due.amount, given=step.amount)
        cite = due.settlement_cite
        yield WorkFault(kind="amount", numbers=(number,), words=words, cite=cite, steps=(due,))
    parts: tuple[tuple[FaultKind, str, str, str], ...] = (
        ("end", step.end, due.end, school.end),
        ("hand", step.hand, due.hand, school.hand.get(due.hand, "")),
        ("post", step.post, due.post, due.cite),
    )
    for kind, given, right, cite in parts:
        if cite and given and right and given != right:  # Without a clause it is no fault.
            words = say_school("work.part", step=what, due=right, part=kind, given=given)
            yield WorkFault(kind=kind, numbers=(number,), words=words, cite=cite, steps=(due,))


def _make_missed_fault(
    work: CrewWork, step: CrewStep, matched: Sequence[CrewStep | None]
) -> WorkFault:
    """Return the fault for a due step left out, with the numbers at which it could be done.

    ``matched`` holds the due step for each step done, or None if it was not due.
    """
    before = work.steps[: work.steps.index(step)]
    own = 1 + max((n for n, due in enumerate(matched, 1) if due in before), default=0)
    places = [own]
    for place in range(1, len(matched) + 2):
        tried = [*matched[: place - 1], step, *matched[place - 1 :]]
        if place != own and not any(find_order_faults(work, tried)):
            places.append(place)
    words = say_school("work.missed", step=describe_step(step), amount=step.amount)
    cite, numbers = step.settlement_cite, tuple(places)
    return WorkFault(kind="missed", numbers=numbers, words=words, cite=cite, steps=(step,))
