"""The order of work on a throw: ``order``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from passline.crew.work_steps import CrewStep, CrewWork, list_crew_work
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.record.deal import deal_record
from passline.record.read import read_record
from passline.school.crew_work import (
    WorkFault,
    describe_step,
    find_applicable_rules,
    find_work_faults,
)
from passline.school.grading import quote_value, read_cents, read_fields, read_list, read_words
from passline.school.practice_tables import find_busy_throw, make_busy_table
from passline.school.questions import Drill, DrillSetup, Grade, Question, UnreadableAnswerError
from passline.school.seeded_random import SeededRandom

_MIN_STEPS_BY_LEVEL = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
_ACTIONS = ("take", "pay", "place", "move", "call", "other")
_POSTS = ("stick", "base", "box", "supervisor")


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    practice = make_busy_table(setup, random)
    return make_order_question(
        setup,
        practice.record_text,
        *find_busy_throw(practice, random, _MIN_STEPS_BY_LEVEL[setup.level]),
    )


def make_order_question(
    setup: DrillSetup, record: str, faces: tuple[int, int], work: CrewWork
) -> Question:
    """What the crew does on a throw at the table of a record."""
    return Question(
        drill="order",
        ask=f"{faces[0]}-{faces[1]} is thrown. What does the crew do, in order?",
        given={"record": record, "dice": list(faces)},
        answer={"steps": [step.to_json() for step in work.steps]},
        explain=tuple(explain_order(work)),
        cite=setup.cites(*find_order_clauses(work)),
    )


def explain_order(work: CrewWork) -> list[str]:
    """The work in sentences, then what fixes its order."""
    steps = ", ".join(f"{describe_step(s)} {show_dollars(s.amount)}" for s in work.money)
    names = dict.fromkeys(rule.name for rule, _ in find_applicable_rules(work))
    return [f"in order: {steps}", *names]


def find_order_clauses(work: CrewWork) -> list[str]:
    """The clauses of the steps, and those that fix their order."""
    return [*(step.cite for step in work.steps), *(cite for _, cite in find_applicable_rules(work))]


def replay_throw(setup: DrillSetup, question: Question) -> tuple[Table, Rolled]:
    """The throw that a question is about: the table of its record, dealt, and its dice."""
    dealt = deal_record(read_record(question.given["record"]), setup.house)
    table = dealt.table
    answer = decide(table, cmd.Roll(*question.given["dice"]))
    assert not isinstance(answer, Refusal)
    for event in answer:
        if isinstance(event, Rolled):
            return table, event
        table = evolve(table, event)
    raise AssertionError("a throw that counts")


def replay_work(setup: DrillSetup, question: Question) -> CrewWork:
    """The work on that throw."""
    return list_crew_work(*replay_throw(setup, question))


def read_steps(value: object) -> list[CrewStep]:
    """Steps as a learner told them."""
    return [_read_step(n, each) for n, each in enumerate(read_list(value, "steps"), 1)]


def _read_step(number: int, value: object) -> CrewStep:
    what = f"step {number}"
    if not isinstance(value, dict):
        raise UnreadableAnswerError(f"{what}: expected act, player, wager and amount")
    act = value.get("act")
    if act not in _ACTIONS:
        raise UnreadableAnswerError(f"{what}: {quote_value(act)} is no act: {', '.join(_ACTIONS)}")
    post = _read_word(value, "post", what)
    if post and post.removeprefix("left-").removeprefix("right-") not in _POSTS:
        raise UnreadableAnswerError(f"{what}: {quote_value(post)} is no post: {', '.join(_POSTS)}")
    side, _, name = post.rpartition("-")
    amount = value.get("amount")
    return CrewStep(
        post=name,
        act=act,
        player=_read_word(value, "player", what),
        wager=_read_word(value, "wager", what),
        amount=read_cents(amount, f"{what}, amount") if amount is not None else 0,
        end=_read_word(value, "end", what) or side,
        hand=_read_word(value, "hand", what),
    )


def _read_word(value: dict[str, Any], name: str, what: str) -> str:
    found = value.get(name)
    return "" if found is None else read_words(found, f"{what}, {name}").lower()


def _grade(setup: DrillSetup, question: Question, answer: Any) -> Grade:
    fields = read_fields(answer, "steps")
    steps = read_steps(fields.get("steps"))
    faults = find_work_faults(replay_work(setup, question), steps)
    if not faults:
        return Grade(True, "every loser, winner and new bet, in an order that the manual allows")
    first = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    at = f"step {first.numbers[0]}: " if first.numbers else ""
    cites = find_missed_clauses(setup, faults, question.cite)
    return Grade(False, f"{at}{first.words}{more}; {question.explain[0]}", cites)


def find_missed_clauses(
    setup: DrillSetup, faults: Sequence[WorkFault], of: tuple[str, ...]
) -> tuple[str, ...]:
    """Of an order's clauses those that were missed: what a fault breaks, or by what the step that
    it is about is done; all of them, where that tells none apart."""
    found: list[str] = []
    for fault in faults:
        broken = setup.cites(fault.cite)
        own = broken if set(broken) & set(of) else setup.cites(*(s.cite for s in fault.steps))
        found += [cite for cite in own if cite in of]
    return tuple(dict.fromkeys(found)) or of


DRILL = Drill(
    name="order",
    skill="who takes, pays and places what, in order",
    make_question=_make_question,
    grade=_grade,
    never_repeats=True,
)
