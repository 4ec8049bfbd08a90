"""How an audition is scored: accuracy, procedure and speed, each with its weight.

``docs/school.md`` says why the weights are what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from passline.layout import Layout
from passline.school.audition import LEVEL, Audition
from passline.school.grading import mark_answer
from passline.school.pace import speed_of
from passline.school.questions import Desk, Mark
from passline.school.registry import drill_named

PartName = Literal["accuracy", "procedure", "speed"]
WEIGHTS: dict[PartName, int] = {"accuracy": 50, "procedure": 30, "speed": 20}
#: Of a hundred; and of the accuracy alone, since nobody may deal who pays wrongly fast.
PASS_MARK, PASS_ACCURACY = 80, 0.75
MINUTES = 15
#: What a drill's answers show; any other shows accuracy.
_PROCEDURE = ("order", "calls", "errors")
#: Nobody took longer over one answer, in seconds.
_LONGEST = 86_400.0


class GivenAnswer(msgspec.Struct, frozen=True):
    """An answer that was given, any JSON value, and in how many seconds; None: not timed."""

    answer: Any = None
    seconds: float | None = None


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One question of an audition with what was answered: an answer after time is not counted.

    ``given`` is without the table's record, which the audition's digest holds.
    """

    n: int
    drill: str
    part: PartName
    ask: str
    given: dict[str, Any]
    answer: Any
    correct: dict[str, Any]
    right: bool
    late: bool
    seconds: float | None
    because: str
    cite: tuple[str, ...]
    missed: tuple[str, ...]


class PartScore(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the rubric: its weight, the points that were made, and right answers of all."""

    part: PartName
    weight: int
    points: float
    right: int
    of: int


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The parts, and out of a hundred what they come to."""

    total: float
    parts: tuple[PartScore, ...]
    passed: bool


def part_of(drill: str) -> PartName:
    """What the answers of a drill show: whether money is paid right, or work done right."""
    return "procedure" if drill in _PROCEDURE else "accuracy"


def read_seconds(value: object) -> float | None:
    """Seconds as they are told; None for whatever is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return None
    return min(float(value), _LONGEST)


def mark_audition(
    felt: Layout, audition: Audition, given: Sequence[GivenAnswer], minutes: float
) -> tuple[Scored, ...]:
    """Every question marked; those beyond what was given were not reached, and miss no clause.

    ``minutes``: after so many, answers are late and count as none; 0: there is no clock.
    """
    desk, elapsed = Desk(felt, LEVEL), 0.0
    answers = [*given, *[GivenAnswer()] * (len(audition.questions) - len(given))]
    found = []
    for question, each in zip(audition.questions, answers, strict=False):
        elapsed += each.seconds or 0.0
        late = bool(minutes) and elapsed > minutes * 60 and each.answer is not None
        mark = mark_answer(drill_named(question.drill), desk, question, each.answer)
        if question.n > len(given):
            mark = Mark(False, "not reached")
        found.append(
            Scored(
                n=question.n,
                drill=question.drill,
                part=part_of(question.drill),
                ask=question.ask,
                given={name: v for name, v in question.given.items() if name != "record"},
                answer=each.answer,
                correct=question.answer,
                right=mark.right and not late,
                late=late,
                seconds=None if each.seconds is None else round(each.seconds, 1),
                because=f"after time; {mark.because}" if late else mark.because,
                cite=question.cite,
                missed=question.cite if late and mark.right else mark.missed,
            )
        )
    return tuple(found)


def score_audition(scored: Sequence[Scored], *, timed: bool) -> Score:
    """The rubric over an audition. A part that nothing was asked of counts for nothing, and so
    does speed without a clock: the others are worth the more."""
    parts = []
    for name in ("accuracy", "procedure"):
        mine = [each for each in scored if each.part == name]
        parts.append(_part(name, mine, sum(each.right for each in mine)))
    if timed:
        fast = sum(
            speed_of(each.drill, each.seconds)
            for each in scored
            if each.right and each.seconds is not None
        )
        parts.append(_part("speed", scored, fast))
    parts = [part for part in parts if part.of]
    whole = sum(part.weight for part in parts)
    total = round(100 * sum(part.points for part in parts) / whole, 1) if whole else 0.0
    exact = [part for part in parts if part.part == "accuracy"]
    accurate = all(part.right >= PASS_ACCURACY * part.of for part in exact)
    return Score(total=total, parts=tuple(parts), passed=total >= PASS_MARK and accurate)


def _part(name: PartName, mine: Sequence[Scored], done: float) -> PartScore:
    weight, right = WEIGHTS[name], sum(each.right for each in mine)
    points = round(weight * done / len(mine), 2) if mine else 0.0
    return PartScore(part=name, weight=weight, points=points, right=right, of=len(mine))
