"""``/api/school``: questions without their answers, answers marked, and what is a learner's own.

``/api/school/audition``: the test that a casino gives, one question after another.

The same seed is the same audition, here and at the prompt. Answers come all together at the end:
before that nothing is told of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.school.answer_fields import read_stack
from passline.school.answer_log import make_answer_record
from passline.school.audition import (
    AUDITION_LEVEL,
    AUDITION_MINUTES,
    Audition,
    AuditionEnd,
    TimedAnswer,
    grade_audition,
    make_audition,
    make_report,
    read_seconds,
)
from passline.school.drill import Drill
from passline.school.drills import load_drill
from passline.school.grading import grade_answer, parse_answer
from passline.school.questions import (
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    UnreadableAnswerError,
)
from passline.school.table_work import read_work_answers
from passline.text import escape_unprintable
from passline.web.auth import HouseKey, cookie_header, find_token, require_json
from passline.web.limits import RateLimiter
from passline.web.page_cache import BackgroundPageCache
from passline.web.responses import JSON, cached_response, json_response, prepare_body, read_json
from passline.web.school.learners import (
    LEARNER_COOKIE,
    LEARNER_COOKIE_SECONDS,
    LEARNER_PATH,
    LearnerService,
    answer_id,
    check_learner_name,
)
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    DrillRequest,
    HouseChoice,
    check_drill_request,
    check_house,
    check_seed,
    compile_house_layout,
    make_setup,
    pose,
    question_json,
    stack_json,
)

#: Questions that one request gets, and requests that one address makes in so many seconds: a class
#: may sit behind one.
_MAX_QUESTIONS_PER_REQUEST: Final = 20
_MAX_REQUESTS, _REQUESTS_SECONDS = 1200, 60.0
#: Names that one address takes in an hour.
_MAX_NEW_NAMES, _NEW_NAMES_SECONDS = 60, 3600.0
_QUERY_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


class AnswerRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/school/answer``: an answer as data, or as it is ``said`` to an instructor.

    What is no answer at all is marked as wrong; with ``again`` it is told, and not counted.
    """

    drill: str
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    level: int = 1
    seed: str = "1"
    n: int = 1
    answer: Any = None
    said: str | None = None
    seconds: Any = None
    name: str = ""
    id: str = ""
    again: bool = False


class LearnerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/school/learner`` and ``/api/school/instructor``: a name, a token of one's own."""

    name: str
    token: str = ""


class SchoolApi:
    """The handlers of ``/api/school``."""

    def __init__(self, key: HouseKey, learners: LearnerService) -> None:
        self._key, self.learners = key, learners
        self.page_cache = BackgroundPageCache()
        self.asks = RateLimiter(_MAX_REQUESTS, seconds=_REQUESTS_SECONDS)
        self._names = RateLimiter(_MAX_NEW_NAMES, seconds=_NEW_NAMES_SECONDS)

    def pace(self, request: Request) -> None:
        """ServiceError where one address asks too much: each question is dealt anew."""
        address = request.client.host if request.client else ""
        if not self.asks.allow(address):
            words = (
                f"one address asks {_MAX_REQUESTS} times in {_REQUESTS_SECONDS:.0f} seconds at most"
            )
            raise ServiceError(
                "too_many_requests", words, retry_after=self.asks.seconds_to_wait(address)
            )

    async def questions(self, request: Request) -> Response:
        """``GET /api/school/questions``"""
        self.pace(request)
        first, count = (
            parse_query_number(request, "from", 1),
            parse_query_number(request, "count", 1),
        )
        if not 1 <= count <= _MAX_QUESTIONS_PER_REQUEST:
            raise ServiceError("invalid", f"count: expected 1 to {_MAX_QUESTIONS_PER_REQUEST}")

        def made() -> dict[str, Any]:
            asking = parse_drill_request(request)
            asked = [pose(asking, n) for n in range(first, first + count)]
            sheets = [question_json(asking.setup, question) for question in asked]
            return {**asking.told(), "questions": sheets}

        return cached_response(
            request, prepare_body(msgspec.json.encode(await self.page_cache.run(made)), JSON)
        )

    async def answer(self, request: Request) -> Response:
        """``POST /api/school/answer``"""
        self.pace(request)
        asked = await read_json(request, AnswerRequest)
        holder = await self.learners.somebody(request)
        if asked.name and (holder is None or holder.name != asked.name):
            raise ServiceError("unauthorized", "that name is taken by a learner with another token")
        asking, question, mark = await self.page_cache.run(lambda: _mark_request(asked))
        kept = holder is not None and holder.role == "learner"
        if kept and holder is not None:
            answered = make_answer_record(
                question,
                mark,
                at=self.learners.now(),
                seconds=read_seconds(asked.seconds),
                level=asking.level,
                seed=asking.seed,
            )
            given = answer_id(asked.id, (asking.drill, asking.seed, asked.n))
            answered = replace(answered, rulebook=asking.rulebook, id=given or answered.id)
            await self.learners.keep(holder.name, answered)
        return json_response({**mark_json(asking.setup, question, mark), "kept": kept})

    # A learner's own.

    async def begin(self, request: Request) -> Response:
        """``POST /api/school/learner``: a name, and the token that is its own from now on."""
        find_token(request, LEARNER_COOKIE)  # not from another origin
        require_json(request)
        address = request.client.host if request.client else ""
        if not self._names.allow(address):
            words = f"one address takes {_MAX_NEW_NAMES} names in an hour at most"
            raise ServiceError(
                "too_many_requests", words, retry_after=self._names.seconds_to_wait(address)
            )
        asked = await read_json(request, LearnerRequest)
        name, token = await self.learners.begin(asked.name, asked.token)
        return json_response({"name": name, "token": token}, 201, self._cookie(request, token))

    async def me(self, request: Request) -> Response:
        """``GET /api/school/learner``: whose token it is."""
        holder = await self.learners.holder(request)
        return json_response({"name": holder.name, "role": holder.role})

    async def forget(self, request: Request) -> Response:
        """``DELETE /api/school/learner``: everything of one's own is gone."""
        holder = await self.learners.holder(request)
        await self.learners.forget(holder.name)
        return Response(status_code=204, headers=self._cookie(request, ""))

    async def export(self, request: Request) -> Response:
        """``GET /api/school/export``: everything of one's own."""
        holder = await self.learners.holder(request)
        name = 'attachment; filename="passline-school.json"'
        told = await self.learners.export(holder.name)
        return json_response(told, 200, {"Content-Disposition": name})

    async def progress(self, request: Request) -> Response:
        """``GET /api/school/progress``: how far one is, and what waits."""
        holder = await self.learners.holder(request)
        return json_response(await self.learners.progress(holder.name))

    async def practice(self, request: Request) -> Response:
        """``GET /api/school/practice``, of a ``rulebook`` or a ``house``: the next question of a
        day's practice."""
        self.pace(request)
        holder = await self.learners.holder(request)
        said = await self.page_cache.run(lambda: parse_house_choice(request))
        asked = await self.learners.next_question(holder.name, said)
        if asked is None:
            return json_response({"question": None})
        setup = make_setup(said, asked.level)
        sheet = await self.page_cache.run(lambda: question_json(setup, asked.question))
        told = {"drill": asked.question.drill, "rulebook": said.rulebook, "level": asked.level}
        told |= said.query
        return json_response({**told, "seed": asked.seed, "why": asked.why, "question": sheet})

    # An instructor's.

    async def create_instructor(self, request: Request) -> Response:
        """``POST /api/school/instructor``: a token for an instructor, by the house key; and for a
        learner who lost his, ``POST /api/school/learner/token``."""
        self._operator(request)
        asked = await read_json(request, LearnerRequest)
        name, token = await self.learners.begin(asked.name, asked.token, "instructor")
        return json_response({"name": name, "token": token}, 201)

    async def renew(self, request: Request) -> Response:
        """``POST /api/school/learner/token``: a fresh token for a name, by the house key."""
        self._operator(request)
        asked = await read_json(request, LearnerRequest)
        return json_response(
            {"name": asked.name, "token": await self.learners.claim(asked.name)}, 201
        )

    async def show_class(self, request: Request) -> Response:
        """``GET /api/school/class``: everybody, and what is missed most."""
        token = find_token(request)
        if token is None:
            raise ServiceError(
                "unauthorized", "expected Authorization: Bearer with an instructor's token"
            )
        if not self._key.opens(token.token):
            holder = await self.learners.holder(request)
            if holder.role != "instructor":
                raise ServiceError(
                    "forbidden", "that is for instructors: a learner's token does not open it"
                )
        return json_response(await self.learners.class_report())

    def _operator(self, request: Request) -> None:
        token = find_token(request)
        if token is None or not self._key.opens(token.token):
            raise ServiceError("unauthorized", "expected Authorization: Bearer with the house key")

    def _cookie(self, request: Request, token: str) -> dict[str, str]:
        cookie = cookie_header(request, LEARNER_PATH, token, LEARNER_COOKIE, LEARNER_COOKIE_SECONDS)
        return {"Set-Cookie": cookie}


def parse_drill_request(request: Request, drill: str = "", seed: str = "1") -> DrillRequest:
    """What a query asks for, of this drill where it is the path's. ServiceError where it is
    nothing that there is."""
    query = request.query_params
    return check_drill_request(
        DrillRequest(
            drill=drill or query.get("drill", ""),
            rulebook=query.get("rulebook", DEFAULT_RULEBOOK),
            house=query.get("house", ""),
            level=parse_query_number(request, "level", 1),
            seed=query.get("seed", seed),
        )
    )


def parse_house_choice(request: Request, book: str = DEFAULT_RULEBOOK) -> HouseChoice:
    """The house that a query names; this book's, where it names none."""
    query = request.query_params
    return check_house(query.get("rulebook", book), query.get("house", ""))


def parse_query_number(request: Request, name: str, otherwise: int) -> int:
    """A number of the query. ServiceError (``invalid``) where it is none."""
    given = request.query_params.get(name)
    if given is None:
        return otherwise
    if not _QUERY_NUMBER.fullmatch(given):
        raise ServiceError(
            "invalid", f"{name}: expected a number, not {escape_unprintable(given[:40])!r}"
        )
    return int(given)


def _mark_request(asked: AnswerRequest) -> tuple[DrillRequest, Question, Grade]:
    asking = check_drill_request(
        DrillRequest(
            drill=asked.drill,
            rulebook=asked.rulebook,
            house=asked.house,
            level=asked.level,
            seed=asked.seed,
        )
    )
    question, setup, given = pose(asking, asked.n), asking.setup, asked.answer
    if asked.said is not None:
        given = heard(setup, question, asked.said)
    drill = load_drill(asking.drill)
    if asked.again and given is not None:
        _check_readable(drill, setup, question, given)
    return asking, question, grade_answer(drill, setup, question, given)


def _check_readable(drill: Drill, setup: DrillSetup, question: Question, given: Any) -> None:
    """ServiceError (``invalid``) where it is no answer at all: nothing is counted."""
    try:
        drill.grade(setup, question, given)
    except UnreadableAnswerError as wrong:
        raise ServiceError("invalid", escape_unprintable(str(wrong))) from None
    except RecursionError:
        raise ServiceError("invalid", "an answer within an answer: nobody reads that") from None


def heard(setup: DrillSetup, question: Question, said: str) -> Any:
    """An answer as it was said. ServiceError (``invalid``): it is none, and nothing is counted."""
    try:
        return parse_answer(setup, question, said)
    except UnreadableAnswerError as wrong:
        raise ServiceError("invalid", escape_unprintable(str(wrong))) from None


def mark_json(setup: DrillSetup, question: Question, mark: Grade) -> dict[str, Any]:
    """A mark, with the key, the steps and the clauses; the right chips drawn."""
    chips = question.answer.get("chips")
    shown_chips = stack_json("the payoff", read_stack(chips, setup.rack)) if chips else None
    return {
        "right": mark.right,
        "because": escape_unprintable(mark.because),
        "answer": question.answer,
        "explain": [escape_unprintable(words) for words in question.explain],
        "cite": list(question.cite),
        "missed": list(mark.missed),
        "stack": shown_chips,
    }


_MAX_MINUTES: Final = 240


class AuditionAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of an audition: as data or as it was said, and in how many seconds."""

    answer: Any = None
    said: str | None = None
    seconds: Any = None


class AuditionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/school/audition``: every answer, in the order of the questions."""

    name: str
    seed: str
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    minutes: float = AUDITION_MINUTES
    ended: AuditionEnd = "finished"
    answers: tuple[AuditionAnswer | None, ...] = ()


@lru_cache(32)
def _hold_cached_audition(said: HouseChoice, seed: str) -> Audition:
    try:
        return make_audition(compile_house_layout(said), seed)
    except NoQuestionError as wrong:
        raise ServiceError("invalid", str(wrong)) from None


class AuditionApi:
    """The handlers of the audition."""

    def __init__(self, school: SchoolApi) -> None:
        self._school = school

    async def question(self, request: Request) -> Response:
        """``GET /api/school/audition?seed=&n=``, of a ``rulebook`` or a ``house``: one of its
        questions."""
        self._school.pace(request)
        query = request.query_params
        seed, n = check_seed(query.get("seed", "1")), parse_query_number(request, "n", 1)

        def made() -> dict[str, Any]:
            said = parse_house_choice(request)
            audition = _hold_cached_audition(said, seed)
            if not 1 <= n <= len(audition.questions):
                raise ServiceError("invalid", f"n: expected 1 to {len(audition.questions)}")
            sheet = question_json(make_setup(said, AUDITION_LEVEL), audition.questions[n - 1])
            told = {
                "seed": seed,
                "rulebook": said.rulebook,
                "level": AUDITION_LEVEL,
                "minutes": AUDITION_MINUTES,
            }
            return {**told, **said.query, "of": len(audition.questions), "question": sheet}

        return json_response(await self._school.page_cache.run(made))

    async def report(self, request: Request) -> Response:
        """``POST /api/school/audition``: the answers, and the report on them."""
        self._school.pace(request)
        asked = await read_json(request, AuditionRequest)
        seed = check_seed(asked.seed)
        if not 0 <= asked.minutes <= _MAX_MINUTES:
            raise ServiceError("invalid", f"minutes: expected 0 to {_MAX_MINUTES}")
        name, learners = check_learner_name(asked.name), self._school.learners
        holder = await learners.somebody(request)
        at = learners.now()

        def made() -> tuple[dict[str, Any], list[Any]]:
            said = check_house(asked.rulebook, asked.house)
            audition, setup = _hold_cached_audition(said, seed), make_setup(said, AUDITION_LEVEL)
            pairs = zip(audition.questions, asked.answers, strict=False)
            given = [_read_given_answer(setup, question, one) for question, one in pairs]
            scored = grade_audition(setup.layout, audition, given, asked.minutes)
            report = make_report(
                audition, scored, name=name, at=at, minutes=asked.minutes, ended=asked.ended
            )
            kept = [
                make_answer_record(
                    question,
                    Grade(one.right, one.because, one.missed),
                    at=at,
                    seconds=one.seconds,
                    level=AUDITION_LEVEL,
                )
                for question, one in zip(audition.questions, scored, strict=True)
                if one.answer is not None
            ]
            return report.to_json(), kept

        told, kept = await self._school.page_cache.run(made)
        if holder is not None and holder.role == "learner" and holder.name == name:
            for answered in kept:
                await learners.keep(holder.name, answered)
        return json_response(told)


def _read_given_answer(
    setup: DrillSetup, question: Question, one: AuditionAnswer | None
) -> TimedAnswer:
    """An answer that was given; words that are no answer are marked as they stand."""
    if one is None:
        return TimedAnswer()
    said = one.answer
    if one.said is not None:
        try:
            said = parse_answer(setup, question, one.said)
        except UnreadableAnswerError:
            said = one.said
    return TimedAnswer(said, read_seconds(one.seconds))


class KeepWorkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/work``: graded work at a live table, with its receipt."""

    table: str
    seq: int
    receipt: str


class PostWorkApi:
    """The handler that saves a learner's graded work at a live table among his answers."""

    def __init__(self, service: TableService, school: SchoolApi) -> None:
        self._service, self._school = service, school

    async def keep(self, request: Request) -> Response:
        """``POST /api/school/work``: save the work under the learner's name, once."""
        self._school.pace(request)
        learners = self._school.learners
        holder = await learners.holder(request)
        body = await read_json(request, KeepWorkRequest)
        answers = await read_work_answers(self._service, body.table, body.seq, body.receipt)
        if holder.role == "learner":
            for answer in answers:
                await learners.keep(holder.name, answer)
        saved = len(answers) if holder.role == "learner" else 0
        return json_response({"name": holder.name, "kept": saved})
