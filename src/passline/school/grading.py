"""Reading what a learner answered: money, chips, choices, words; anything else is told apart.

Asking and marking: questions from a seed, and answers to them marked one by one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chip, Chips, Rack
from passline.school.questions import (
    Drill,
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    UnreadableAnswerError,
)
from passline.school.seeded_random import SeededRandom
from passline.text import escape_unprintable

_AMOUNT_PATTERN = re.compile(r"\$?\s*([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.([0-9]{1,2}))?")
_COUNT_PATTERN = re.compile(r"[0-9]{1,5}")
#: Nobody is paid more, nor in more chips.
_MAX_CENTS = 10**14
_MAX_CHIPS = 100_000
_MAX_ANSWER_LENGTH = 2_000


def quote_value(value: object) -> str:
    """An answer as it is quoted back: short, and nothing but text."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = escape_unprintable(repr(value) if not isinstance(value, str) else f"'{value[:40]}'")
    return text if len(text) <= 44 else f"{text[:40]}..."


def read_fields(answer: object, bare: str) -> Mapping[str, Any]:
    """An answer as its fields; one that is no object is the field named ``bare``."""
    if isinstance(answer, dict):
        return answer
    return {bare: answer}


def read_cents(value: object, what: str) -> int:
    """Money in cents, nothing included: ``"12.50"``, ``12.5``, ``12``."""
    if isinstance(value, str):
        found = _AMOUNT_PATTERN.fullmatch(value.strip())
        if found is not None:
            return int(found[1].replace(",", "")) * 100 + int((found[2] or "").ljust(2, "0"))
        if value.strip().startswith("-"):
            raise UnreadableAnswerError(f"{what} is never negative: {quote_value(value)}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # Compared before anything is made a float: an int may be beyond any float.
        if not -_MAX_CENTS <= value * 100 <= _MAX_CENTS:
            raise UnreadableAnswerError(f"{what}: {quote_value(value)} is beyond any amount")
        if value < 0:
            raise UnreadableAnswerError(f"{what} is never negative: {quote_value(value)}")
        cents = round(value * 100)
        if abs(cents - value * 100) < 1e-6:
            return cents
    raise UnreadableAnswerError(
        f"{what}: {quote_value(value)} is no amount: expected such as '12.00'"
    )


def read_stack(value: object, rack: Rack, what: str = "chips") -> Chips:
    """Chips by colour, ``{"red": 3}``, or in words, ``"1 green, 3 red"``."""
    colours = ", ".join(chip.colour for chip in rack.chips)
    if isinstance(value, str) and len(value) <= _MAX_ANSWER_LENGTH:
        try:
            return rack.read(value)
        except ValueError:
            raise UnreadableAnswerError(
                f"{what}: {quote_value(value)} are no chips: expected counts of {colours}"
            ) from None
    if not isinstance(value, dict):
        raise UnreadableAnswerError(f"{what}: expected counts by colour ({colours})")
    counts: dict[Chip, int] = {}
    for colour, count in value.items():  # noqa: F402
        chip = rack.chip(colour)
        if chip is None:
            raise UnreadableAnswerError(
                f"{what}: there are no {quote_value(colour)} chips here: {colours}"
            )
        counts[chip] = _read_count(count, f"{what}: {colour}")
    return Chips.of(counts)


def _read_count(value: object, what: str) -> int:
    if isinstance(value, str) and _COUNT_PATTERN.fullmatch(value):
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value, whole = int(value), True
    if not whole or not isinstance(value, int):
        raise UnreadableAnswerError(f"{what}: {quote_value(value)} is no count")
    if not 0 <= value <= _MAX_CHIPS:
        raise UnreadableAnswerError(f"{what}: nobody pays {quote_value(value)} chips")
    return value


def read_choice(value: object, count: int) -> int:
    """The number of a choice, counted from zero."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, str) and _COUNT_PATTERN.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise UnreadableAnswerError(f"{quote_value(value)} is no choice: expected 0 to {count - 1}")
    return value


def read_words(value: object, what: str) -> str:
    """What was said."""
    if not isinstance(value, str) or not value.strip():
        raise UnreadableAnswerError(f"{what}: expected words, not {quote_value(value)}")
    if len(value) > _MAX_ANSWER_LENGTH:
        raise UnreadableAnswerError(f"{what}: nobody says so much in one breath")
    return " ".join(value.split())


def read_list(value: object, what: str, most: int = 500) -> list[Any]:
    """A list, of no more than anybody would say."""
    if not isinstance(value, list):
        raise UnreadableAnswerError(f"{what}: expected a list, not {quote_value(value)}")
    if len(value) > most:
        raise UnreadableAnswerError(f"{what}: {len(value)} is more than there could be")
    return value


def count_by_color(chips: Chips) -> dict[str, int]:
    """Chips by colour, as a question shows them."""
    return dict(chips.counts)


def format_amounts(wagers: Mapping[str, int]) -> dict[str, str]:
    """Amounts by wager, as a question shows them."""
    return {slug: to_dollars(cents) for slug, cents in wagers.items()}


#: A draw that leads to nothing that the house takes is drawn again, so many times; and one that was
#: asked before in its set.
_MAX_TRIES, _MAX_REDRAWS = 60, 120
#: Questions of a seed come in sets of so many: in a set none is asked again while others are drawn.
_SET_SIZE = 100
#: What makes a question no other: what it could be taken for, and whose table it hangs by.
_FIELDS_IGNORED = ("choices",)
_FIELDS_IGNORED_FOR_RULINGS = ("choices", "record")


class GradedAnswers(msgspec.Struct, frozen=True):
    """A drill's answers, marked: one mark for each question."""

    questions: tuple[Question, ...]
    marks: tuple[Grade, ...]

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(mark.right for mark in self.marks)


def make_question(drill: Drill, setup: DrillSetup, seed: str, n: int) -> Question:
    """The so-manieth question of a seed: the same whoever asks, however many are asked."""
    first = find_set_start(drill, n)
    return next(islice(iterate_questions(drill, setup, seed, first), n - first, None))


def find_set_start(drill: Drill, n: int) -> int:
    """The number at which the set of a question begins: its own, where none comes twice anyway."""
    return n if drill.never_repeats else n - (n - 1) % _SET_SIZE


def make_questions(drill: Drill, setup: DrillSetup, seed: str, many: int) -> tuple[Question, ...]:
    """The first questions of a seed, numbered from one."""
    return tuple(islice(iterate_questions(drill, setup, seed), many))


def iterate_questions(
    drill: Drill, setup: DrillSetup, seed: str, first: int = 1
) -> Iterator[Question]:
    """The questions of a seed, one after the other, from the ``first`` of a set on.

    A set does not repeat itself while there are others; where all that could be drawn were asked,
    they come round again.
    """
    seen: set[bytes] = set()
    for n in count(first):
        if (n - 1) % _SET_SIZE == 0:
            seen.clear()
        random = seed_question(seed, drill.name, setup.level, n)
        question = _draw_question(drill, setup, random)
        for _ in range(0 if drill.never_repeats else _MAX_REDRAWS):
            if _encode_identity(question) not in seen:
                break
            question = _draw_question(drill, setup, random)
        else:
            seen.clear()
        seen.add(_encode_identity(question))
        yield replace(question, n=n)


def seed_question(seed: str, drill: str, level: int, n: int) -> SeededRandom:
    """The chance that a question hangs by."""
    return SeededRandom(seed, drill, level, n)


def _encode_identity(question: Question) -> bytes:
    """What a question asks: one with other choices, or of the same rule at another table, is it
    again."""
    beside = _FIELDS_IGNORED_FOR_RULINGS if "ask" in question.given else _FIELDS_IGNORED
    given = {name: value for name, value in question.given.items() if name not in beside}
    return msgspec.json.encode([question.ask, given])


def _draw_question(drill: Drill, setup: DrillSetup, random: SeededRandom) -> Question:
    why = NoQuestionError(f"{setup.house.book.id} has nothing to ask for {drill.name}")
    for _ in range(_MAX_TRIES):
        try:
            return drill.make_question(setup, random)
        except NoQuestionError as wrong:
            why = wrong
    raise why


def grade_answer(drill: Drill, setup: DrillSetup, question: Question, answer: Any) -> Grade:
    """One answer marked: right, or what is, with the clauses that were missed."""
    if answer is None:
        return _grade_wrong(question, "no answer")
    try:
        mark = drill.grade(setup, question, answer)
    except UnreadableAnswerError as wrong:
        return _grade_wrong(question, str(wrong))
    except RecursionError:
        return _grade_wrong(
            question, "an answer within an answer within an answer: nobody reads that"
        )
    if mark.right or mark.missed:
        return mark
    return replace(mark, missed=question.cite)


def _grade_wrong(question: Question, why: str) -> Grade:
    return Grade(False, f"{why}; {describe_right_answer(question)}", question.cite)


def grade_answers(
    drill: Drill, setup: DrillSetup, questions: Sequence[Question], answers: Sequence[Any]
) -> GradedAnswers:
    """Every question with its answer: one that is not there is no answer."""
    given = [*answers, *[None] * (len(questions) - len(answers))]
    pairs = zip(questions, given, strict=False)
    marks = [grade_answer(drill, setup, question, answer) for question, answer in pairs]
    return GradedAnswers(tuple(questions), tuple(marks))


def describe_right_answer(question: Question) -> str:
    """The right answer, and the first thing that an instructor says to it."""
    parts = [
        f"{name} {_format_value(value)}"
        for name, value in question.answer.items()
        if _is_short(value)
    ]
    said = f" ({question.explain[0]})" if question.explain else ""
    return f"the answer is {', '.join(parts)}{said}"


def _is_short(value: object) -> bool:
    """Whether a part of an answer is read at a glance; a list of steps is not."""
    return not isinstance(value, list) or all(not isinstance(part, dict) for part in value)


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def find_amount_error(value: object, right: str, what: str) -> str:
    """What is wrong with an amount; empty where nothing is."""
    cents = read_cents(value, what)
    due = read_cents(right, what)
    if cents == due:
        return ""
    far = f"${(abs(cents - due)) / 100:,.2f} too {'much' if cents > due else 'little'}"
    return f"{what} is {right}, not {cents / 100:,.2f}: {far}"


def find_chips_error(setup: DrillSetup, value: object, ways: Sequence[Chips]) -> str:
    """What is wrong with the chips of a payoff; empty where nothing is.

    ``ways``: the stacks that the manual pays, the first as it is told. Up to the second level any
    colours that make the amount will do.
    """
    chips, due = read_stack(value, setup.rack), ways[0].amount
    if chips.amount != due:
        return f"the chips make ${chips.amount / 100:,.2f}, and ${due / 100:,.2f} is due"
    if setup.any_colors or chips in ways:
        return ""
    missed = ways[0] - chips
    return f"the amount is right, the colours are not: {ways[0]} is paid; missed was {missed}"
