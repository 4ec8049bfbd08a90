"""Make a seed's questions, parse what is typed at the prompt, and grade answers.

The same drill, setup, seed and number give the same question. No clock or file is read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name
from passline.school.answer_fields import (
    AnswerField,
    UnreadableAnswerError,
    format_counts,
    quote_value,
)
from passline.school.drill import Drill
from passline.school.drills import load_drill
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.question_work import format_step
from passline.school.seeded_random import SeededRandom

#: How often to draw again if a draw gives a bet that the house doesn't take, and how often if it
#: gives a question that its set already has.
_MAX_TRIES, _MAX_REDRAWS = 60, 120
#: The questions of a seed come in sets of this size. A set repeats a question only if the drill has
#: no others.
_SET_SIZE = 100
_MAX_LINE_LENGTH = 2_000


class GradedAnswers(msgspec.Struct, frozen=True):
    """Questions and the grades of their answers, in the same order."""

    questions: tuple[Question, ...]
    grades: tuple[Grade, ...]

    @property
    def right(self) -> int:
        """Return how many answers are right."""
        return sum(grade.right for grade in self.grades)


def make_question(drill: Drill, setup: DrillSetup, seed: str, n: int) -> Question:
    """Return question n for this seed. Deterministic, and independent of how many are requested."""
    first = find_set_start(drill, n)
    return next(islice(iterate_questions(drill, setup, seed, first), n - first, None))


def find_set_start(drill: Drill, n: int) -> int:
    """Return the number of the first question in n's set of 100; n if the drill never repeats.

    A set has no question twice if possible.
    """
    return n if drill.never_repeats else n - (n - 1) % _SET_SIZE


def make_questions(drill: Drill, setup: DrillSetup, seed: str, many: int) -> tuple[Question, ...]:
    """Return the first ``many`` questions of a seed, numbered from 1."""
    return tuple(islice(iterate_questions(drill, setup, seed), many))


def iterate_questions(
    drill: Drill, setup: DrillSetup, seed: str, first: int = 1
) -> Iterator[Question]:
    """Yield the questions of a seed without end, from number ``first``, which must begin a set.

    Sets have 100 questions. A set repeats a question only after the drill has run out of others.
    """
    seen: set[bytes] = set()
    for n in count(first):
        if (n - 1) % _SET_SIZE == 0:
            seen.clear()
        random = seed_question(seed, drill.name, setup.level, n)
        question = _draw_question(drill, setup, random)
        for _ in range(0 if drill.never_repeats else _MAX_REDRAWS):
            if _encode_identity(drill, question) not in seen:
                break
            question = _draw_question(drill, setup, random)
        else:
            seen.clear()
        seen.add(_encode_identity(drill, question))
        yield replace(question, n=n)


def seed_question(seed: str, drill: str, level: int, n: int) -> SeededRandom:
    """Return the random number generator that makes question n of a seed."""
    return SeededRandom(seed, drill, level, n)


def _encode_identity(drill: Drill, question: Question) -> bytes:
    """Return a key that is equal for two questions that ask the same thing."""
    given = {
        name: value
        for name, value in question.given.items()
        if name not in drill.ignored_when_compared
    }
    return msgspec.json.encode([question.ask, given])


def _draw_question(drill: Drill, setup: DrillSetup, random: SeededRandom) -> Question:
    last = NoQuestionError("none.drill", book=setup.house.book.title, drill=drill.name)
    for _ in range(_MAX_TRIES):
        try:
            return drill.make_question(setup, random)
        except NoQuestionError as error:
            last = error
    raise last


def parse_answer(setup: DrillSetup, question: Question, text: str) -> Any:
    """Return the answer that a typed line means. Raise UnreadableAnswerError if it can't be read.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> setup = DrillSetup(compile_layout(house_for("dealer-school")), 1)
    >>> question = make_question(load_drill("payoffs"), setup, "1", 1)
    >>> parse_answer(setup, question, "$45"), parse_answer(setup, question, "g r r r r")
    ({'paid': '45'}, {'chips': {'green': 1, 'red': 4}})
    """
    line = " ".join(text.split())
    if not line:
        hint = describe_answer_format(setup, question)
        raise UnreadableAnswerError("answer.empty-line", hint=hint)
    if len(line) > _MAX_LINE_LENGTH:
        raise UnreadableAnswerError("answer.line-length", most=_MAX_LINE_LENGTH)
    return load_drill(question.drill).parse_answer(setup, question, line)


def describe_answer_format(setup: DrillSetup, question: Question) -> str:
    """Return how to answer a question at the prompt, with an example."""
    return load_drill(question.drill).describe_format(setup, question)


def grade_answer(drill: Drill, setup: DrillSetup, question: Question, answer: Any) -> Grade:
    """Grade one answer. None, or an answer that can't be read, is wrong and misses every clause."""
    if answer is None:
        return _grade_wrong(setup, question, say_school("grade.none"))
    try:
        grade = drill.grade(setup, question, answer)
    except UnreadableAnswerError as error:
        return _grade_wrong(setup, question, str(error))
    except RecursionError:
        return _grade_wrong(setup, question, say_school("answer.nested"))
    if grade.right or grade.missed:
        return grade
    return replace(grade, missed=question.cite)


def _grade_wrong(setup: DrillSetup, question: Question, why: str) -> Grade:
    return Grade(False, f"{why}; {describe_right_answer(setup, question)}", question.cite)


def grade_answers(
    drill: Drill, setup: DrillSetup, questions: Sequence[Question], answers: Sequence[Any]
) -> GradedAnswers:
    """Grade answers in the order of the questions. Missing answers count as wrong."""
    padded = [*answers, *[None] * (len(questions) - len(answers))]
    pairs = zip(questions, padded, strict=False)
    grades = [grade_answer(drill, setup, question, answer) for question, answer in pairs]
    return GradedAnswers(tuple(questions), tuple(grades))


def describe_right_answer(setup: DrillSetup, question: Question) -> str:
    """Return the right answer as text, with the first line of its explanation.

    An answer in steps is left out, as too long for a sentence.
    """
    steps = question.answer.get("steps")  # A list of steps is too long for a sentence.
    answer = describe_answer(setup, question, question.answer) if steps is None else ""
    if not answer:
        return say_school("grade.explained", why=question.explain[0])
    return say_school("grade.answer", answer=answer, why=question.explain[0])


def describe_answer(setup: DrillSetup, question: Question, answer: Any) -> str:
    """Return an answer, right or wrong, as text. Values that can't be read are quoted."""
    fields = load_drill(question.drill).list_fields(setup, question)
    if not isinstance(answer, dict):
        answer = {fields[0].name: answer}
    values = {field: answer[field.name] for field in fields if answer.get(field.name) is not None}
    return ", ".join(filter(None, (_describe_value(question, *pair) for pair in values.items())))


def _describe_value(question: Question, field: AnswerField, value: Any) -> str:
    try:
        return _describe_field(question, field, value)
    except (TypeError, ValueError, AttributeError, LookupError, OverflowError):
        return f"{field.noun} {quote_value(value)}".strip()


def _describe_field(question: Question, field: AnswerField, value: Any) -> str:
    match field.kind:
        case "choice":
            return str(question.given["choices"][int(value)])
        case "steps":
            return ", ".join(_describe_step(step) for step in value if step.get("wager"))
        case "amount":
            return f"{field.noun} ${str(value).removeprefix('$')}"
        case "chips":
            counts = value if isinstance(value, str) else format_counts(value)
            return f"{field.noun} {counts}"
        case "wagers":
            return ", ".join(f"{layout_name(slug)} ${amount}" for slug, amount in value.items())
        case "wrong":
            numbers = value if isinstance(value, list) else [value]
            return f"{field.noun} " + ", ".join(_describe_shown_step(question, n) for n in numbers)
        case "ticks":
            places = value.values() if isinstance(value, dict) else value
            listed = [places] if isinstance(places, str) else list(dict.fromkeys(places))
            return f"{field.noun} {'; '.join(listed)}"
        case "words":
            if isinstance(value, dict):  # The bets, written in words.
                return ", ".join(f"{layout_name(slug)} ${amount}" for slug, amount in value.items())
            return f"{field.noun} '{value}'"


def _describe_shown_step(question: Question, number: Any) -> str:
    """Return the number of a step with the step's words, if the question shows it."""
    shown = question.given["shown"]
    known = isinstance(number, int) and 0 < number <= len(shown)
    return f"{number} ({format_step(shown[number - 1])})" if known else str(number)


def _describe_step(step: dict[str, Any]) -> str:
    figures = {name: step.get(name) or "" for name in ("act", "player", "wager")}
    amount = step.get("amount")
    return say_school("grade.step", **figures) + (f" ${amount}" if amount else "")
