"""The drill ``order``: given a table and a throw, say what the crew does, step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from passline.crew.learner_steps import CrewWork
from passline.game.money.amounts import show_dollars
from passline.game.words.school import say_school
from passline.school.answer_fields import (
    AMOUNT_TEXT,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    normalize_dollars,
    quote_value,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.practice_tables import (
    PracticeTable,
    TableThrow,
    find_busy_throw,
    make_busy_table,
)
from passline.school.question_types import DrillSetup, Grade, Question
from passline.school.question_work import (
    OpenBet,
    find_missed_clauses,
    find_order_clauses,
    find_question_work,
    list_open_bets,
    read_steps,
)
from passline.school.seeded_random import SeededRandom
from passline.school.work_faults import describe_step, find_applicable_rules, find_work_faults

_MIN_STEPS_BY_LEVEL = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
_MIN_AUDITION_STEPS = 3


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    practice = make_busy_table(setup, random)
    throw = find_busy_throw(practice, random, _MIN_STEPS_BY_LEVEL[setup.level])
    return make_order_question(practice, *throw)


def make_order_question(
    practice: PracticeTable, faces: tuple[int, int], work: CrewWork
) -> Question:
    """Return a question: what does the crew do on this throw at a practice table?

    ``work`` is the right answer: the steps that the crew does.
    """
    return Question(
        drill="order",
        ask=say_school("order.ask", dice=f"{faces[0]}-{faces[1]}"),
        given={"record": practice.record_text, "dice": list(faces)},
        answer={"steps": [step.to_json() for step in work.steps]},
        explain=tuple(_explain_order(work)),
        cite=practice.setup.cites(*find_order_clauses(work)),
    )


def _explain_order(work: CrewWork) -> list[str]:
    steps = [f"{describe_step(step)} {show_dollars(step.amount)}" for step in work.money]
    names = dict.fromkeys(rule.name for rule in find_applicable_rules(work))
    return [say_school("order.steps", steps=steps), *names]


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    if len(throw.work.money) >= _MIN_AUDITION_STEPS:
        yield make_order_question(throw.practice, throw.faces, throw.work)


_STEP_PATTERN = re.compile(
    r"(?P<word>[a-z]+)|#?(?P<number>\d{1,3})"
    rf"(?:\s*=\s*(?P<pay>{AMOUNT_TEXT})|\s*(?P<paid>\$\s?\d[\d,]*(?:\.\d\d)?))?(?=[\s,;.a-z]|$)"
    r"|[\s,;.]+|(?P<other>.)"
)
_ACTION_BY_WORD = {"take": "take", "t": "take", "pay": "pay", "p": "pay"}
_ACTION_BY_WORD |= dict.fromkeys(("place", "move", "m"), "place")
_JOINING_WORDS = ("and", "then")


def _parse_answer(setup: DrillSetup, question: Question, text: str) -> Any:
    """Return {"steps": [...]} from the numbers of the bets in the order of work, such as ``3 1 2``.

    ``take 3`` also says what the dealer does, ``2 = 14`` how much is paid; what the text leaves out
    is filled in from the right answer. Raise UnreadableAnswerError for any other text.
    """
    work = find_question_work(setup, question)
    assert work is not None
    bets = {bet.number: bet for bet in list_open_bets(setup, work)}
    steps: list[dict[str, Any]] = []
    action = ""
    for found in _STEP_PATTERN.finditer(text.lower()):
        word, number = found["word"], found["number"]
        if found["other"] or (word and word not in _ACTION_BY_WORD and word not in _JOINING_WORDS):
            raise UnreadableAnswerError("order.unreadable", value=quote_value(text))
        if word in _ACTION_BY_WORD:
            action = _ACTION_BY_WORD[word]
        if not number:
            continue
        bet = bets.get(int(number))
        if bet is None:
            raise UnreadableAnswerError("order.no-bet", number=number, most=len(bets))
        steps.append(_make_step(work, bet, action, found["pay"] or found["paid"] or ""))
    if not steps:
        raise UnreadableAnswerError("order.expected")
    return {"steps": steps}


def _make_step(work: CrewWork, bet: OpenBet, action: str, paid: str) -> dict[str, Any]:
    due = next((s for s in work.money if (s.player, s.wager) == (bet.player, bet.wager)), None)
    step = due.to_json() if due else {"player": bet.player, "wager": bet.wager, "act": "take"}
    if action:
        step["act"] = action
    if paid:
        step["amount"] = normalize_dollars(paid)
    return step


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    steps = read_steps(fields.get("steps"))
    work = find_question_work(setup, question)
    assert work is not None
    faults = find_work_faults(work, steps)
    if not faults:
        return Grade(True, say_school("order.right"))
    fault = say_school("work.step-fault", number=faults[0].numbers[0], fault=faults[0].words)
    figures = {"more": len(faults) - 1, "why": question.explain[0]}
    cites = find_missed_clauses(setup, faults, question.cite)
    return Grade(False, say_school("order.wrong", fault=fault, **figures), cites)


DRILL = Drill(
    name="order",
    teaching_order=120,
    seconds=60,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint="order.hint",
    fields=(AnswerField(name="steps", kind="steps"),),
    score_part="procedure",
    audition=AuditionPart(
        place=5, count=4, make_questions=_make_audition_questions, shows_work=True
    ),
    never_repeats=True,
)
