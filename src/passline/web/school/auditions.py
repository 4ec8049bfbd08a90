"""``/api/school/audition``: the test that a casino gives, one question after another.

The same seed is the same audition, here and at the prompt. Answers come all together at the end:
before that nothing is told of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.school import Desk, Mark, NotAskedError, Question, UnreadableAnswerError
from passline.school.audition import LEVEL, Audition, hold_audition
from passline.school.hearing import hear_answer
from passline.school.report import AuditionEnd, file_report
from passline.school.reviews import answered_to
from passline.school.rubric import MINUTES, GivenAnswer, mark_audition, read_seconds
from passline.web.answers import json_answer, read_as
from passline.web.school.api import SchoolApi, house_in, number_of
from passline.web.school.houses import SCHOOL, HouseSaid, check_house, desk_for, felt_for
from passline.web.school.learners import learner_named
from passline.web.school.sheets import check_seed, question_sheet

_LONGEST: Final = 240


class GivenAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of an audition: as data or as it was said, and in how many seconds."""

    answer: Any = None
    said: str | None = None
    seconds: Any = None


class AuditionAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/school/audition``: every answer, in the order of the questions."""

    name: str
    seed: str
    rulebook: str = SCHOOL
    house: str = ""
    minutes: float = MINUTES
    ended: AuditionEnd = "finished"
    answers: tuple[GivenAsked | None, ...] = ()


@lru_cache(32)
def _held(said: HouseSaid, seed: str) -> Audition:
    try:
        return hold_audition(felt_for(said), seed)
    except NotAskedError as wrong:
        raise HallError(400, str(wrong)) from None


class AuditionApi:
    """The handlers of the audition."""

    def __init__(self, school: SchoolApi) -> None:
        self._school = school

    async def question(self, request: Request) -> Response:
        """``GET /api/school/audition?seed=&n=``, of a ``rulebook`` or a ``house``: one of its
        questions."""
        self._school.pace(request)
        query = request.query_params
        seed, n = check_seed(query.get("seed", "1")), number_of(request, "n", 1)

        def made() -> dict[str, Any]:
            said = house_in(request)
            audition = _held(said, seed)
            if not 1 <= n <= len(audition.questions):
                raise HallError(400, f"n: expected 1 to {len(audition.questions)}")
            sheet = question_sheet(desk_for(said, LEVEL), audition.questions[n - 1])
            told = {"seed": seed, "rulebook": said.rulebook, "level": LEVEL, "minutes": MINUTES}
            return {**told, **said.query, "of": len(audition.questions), "question": sheet}

        return json_answer(await self._school.workshop.done(made))

    async def report(self, request: Request) -> Response:
        """``POST /api/school/audition``: the answers, and the report on them."""
        self._school.pace(request)
        asked = await read_as(request, AuditionAsked)
        seed = check_seed(asked.seed)
        if not 0 <= asked.minutes <= _LONGEST:
            raise HallError(400, f"minutes: expected 0 to {_LONGEST}")
        name, learners = learner_named(asked.name), self._school.learners
        holder = await learners.somebody(request)
        at = learners.now()

        def made() -> tuple[dict[str, Any], list[Any]]:
            said = check_house(asked.rulebook, asked.house)
            audition, desk = _held(said, seed), desk_for(said, LEVEL)
            pairs = zip(audition.questions, asked.answers, strict=False)
            given = [_given(desk, question, one) for question, one in pairs]
            scored = mark_audition(desk.layout, audition, given, asked.minutes)
            report = file_report(
                audition, scored, name=name, at=at, minutes=asked.minutes, ended=asked.ended
            )
            kept = [
                answered_to(
                    question,
                    Mark(one.right, one.because, one.missed),
                    at=at,
                    seconds=one.seconds,
                    level=LEVEL,
                )
                for question, one in zip(audition.questions, scored, strict=True)
                if one.answer is not None
            ]
            return report.to_json(), kept

        told, kept = await self._school.workshop.done(made)
        if holder is not None and holder.role == "learner" and holder.name == name:
            for answered in kept:
                await learners.keep(holder.name, answered)
        return json_answer(told)


def _given(desk: Desk, question: Question, one: GivenAsked | None) -> GivenAnswer:
    """An answer that was given; words that are no answer are marked as they stand."""
    if one is None:
        return GivenAnswer()
    said = one.answer
    if one.said is not None:
        try:
            said = hear_answer(desk, question, one.said)
        except UnreadableAnswerError:
            said = one.said
    return GivenAnswer(said, read_seconds(one.seconds))
