"""Asking and marking: questions from a seed, and answers to them marked one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from passline.money.chips import Chips
from passline.school.answers import read_cents, read_stack
from passline.school.drawing import Draws
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
)

#: A draw that leads to nothing that the house takes is drawn again, so many times; and one that was
#: asked before in its set.
_TRIES, _REDRAWS = 60, 120
#: Questions of a seed come in sets of so many: in a set none is asked again while others are drawn.
_SET = 100
#: What makes a question no other: what it could be taken for, and whose table it hangs by.
_BESIDE = ("choices",)
_ASKED_ALONE = ("choices", "record")


class Graded(msgspec.Struct, frozen=True):
    """A drill's answers, marked: one mark for each question."""

    questions: tuple[Question, ...]
    marks: tuple[Mark, ...]

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(mark.right for mark in self.marks)


def ask_question(drill: Drill, desk: Desk, seed: str, n: int) -> Question:
    """The so-manieth question of a seed: the same whoever asks, however many are asked."""
    first = first_of_set(drill, n)
    return next(islice(questions_from(drill, desk, seed, first), n - first, None))


def first_of_set(drill: Drill, n: int) -> int:
    """The number at which the set of a question begins: its own, where none comes twice anyway."""
    return n if drill.anew else n - (n - 1) % _SET


def ask_questions(drill: Drill, desk: Desk, seed: str, many: int) -> tuple[Question, ...]:
    """The first questions of a seed, numbered from one."""
    return tuple(islice(questions_from(drill, desk, seed), many))


def questions_from(drill: Drill, desk: Desk, seed: str, first: int = 1) -> Iterator[Question]:
    """The questions of a seed, one after the other, from the ``first`` of a set on.

    A set does not repeat itself while there are others; where all that could be drawn were asked,
    they come round again.
    """
    seen: set[bytes] = set()
    for n in count(first):
        if (n - 1) % _SET == 0:
            seen.clear()
        draws = question_draws(seed, drill.name, desk.level, n)
        question = _drawn(drill, desk, draws)
        for _ in range(0 if drill.anew else _REDRAWS):
            if _asks(question) not in seen:
                break
            question = _drawn(drill, desk, draws)
        else:
            seen.clear()
        seen.add(_asks(question))
        yield replace(question, n=n)


def question_draws(seed: str, drill: str, level: int, n: int) -> Draws:
    """The chance that a question hangs by."""
    return Draws(seed, drill, level, n)


def _asks(question: Question) -> bytes:
    """What a question asks: one with other choices, or of the same rule at another table, is it
    again."""
    beside = _ASKED_ALONE if "ask" in question.given else _BESIDE
    given = {name: value for name, value in question.given.items() if name not in beside}
    return msgspec.json.encode([question.ask, given])


def _drawn(drill: Drill, desk: Desk, draws: Draws) -> Question:
    why = NotAskedError(f"{desk.house.book.id} has nothing to ask for {drill.name}")
    for _ in range(_TRIES):
        try:
            return drill.pose(desk, draws)
        except NotAskedError as wrong:
            why = wrong
    raise why


def mark_answer(drill: Drill, desk: Desk, question: Question, answer: Any) -> Mark:
    """One answer marked: right, or what is, with the clauses that were missed."""
    if answer is None:
        return _wrong(question, "no answer")
    try:
        mark = drill.mark(desk, question, answer)
    except UnreadableAnswerError as wrong:
        return _wrong(question, str(wrong))
    except RecursionError:
        return _wrong(question, "an answer within an answer within an answer: nobody reads that")
    if mark.right or mark.missed:
        return mark
    return replace(mark, missed=question.cite)


def _wrong(question: Question, why: str) -> Mark:
    return Mark(False, f"{why}; {shown_answer(question)}", question.cite)


def grade_answers(
    drill: Drill, desk: Desk, questions: Sequence[Question], answers: Sequence[Any]
) -> Graded:
    """Every question with its answer: one that is not there is no answer."""
    given = [*answers, *[None] * (len(questions) - len(answers))]
    pairs = zip(questions, given, strict=False)
    marks = [mark_answer(drill, desk, question, answer) for question, answer in pairs]
    return Graded(tuple(questions), tuple(marks))


def shown_answer(question: Question) -> str:
    """The right answer, and the first thing that an instructor says to it."""
    parts = [f"{name} {_shown(value)}" for name, value in question.answer.items() if _short(value)]
    said = f" ({question.explain[0]})" if question.explain else ""
    return f"the answer is {', '.join(parts)}{said}"


def _short(value: object) -> bool:
    """Whether a part of an answer is read at a glance; a list of steps is not."""
    return not isinstance(value, list) or all(not isinstance(part, dict) for part in value)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def mark_amount(value: object, right: str, what: str) -> str:
    """What is wrong with an amount; empty where nothing is."""
    cents = read_cents(value, what)
    due = read_cents(right, what)
    if cents == due:
        return ""
    far = f"${(abs(cents - due)) / 100:,.2f} too {'much' if cents > due else 'little'}"
    return f"{what} is {right}, not {cents / 100:,.2f}: {far}"


def mark_stack(desk: Desk, value: object, ways: Sequence[Chips]) -> str:
    """What is wrong with the chips of a payoff; empty where nothing is.

    ``ways``: the stacks that the manual pays, the first as it is told. Up to the second level any
    colours that make the amount will do.
    """
    chips, due = read_stack(value, desk.rack), ways[0].amount
    if chips.amount != due:
        return f"the chips make ${chips.amount / 100:,.2f}, and ${due / 100:,.2f} is due"
    if desk.any_colours or chips in ways:
        return ""
    missed = ways[0] - chips
    return f"the amount is right, the colours are not: {ways[0]} is paid; missed was {missed}"
