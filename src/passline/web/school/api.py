"""The school's API, ``/api/school``: questions, grading, learners and classes.

Questions are sent without their answers. Auditions are in ``web.school.auditions``.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.school import say_school
from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.school.answer_fields import UnreadableAnswerError, read_stack
from passline.school.answer_log import AnswerRecord, make_answer_record
from passline.school.audition import find_clause_text, read_seconds
from passline.school.drills import load_drill
from passline.school.question_types import DrillSetup, Grade, Question
from passline.school.questions_and_grades import describe_answer, grade_answer, parse_answer
from passline.school.throw_work import read_work_answers
from passline.text import escape_unprintable
from passline.web.auth import (
    MISSING_HOUSE_KEY,
    WRONG_HOUSE_KEY,
    HouseKey,
    cookie_header,
    find_token,
    require_json,
)
from passline.web.page_cache import BackgroundRunner
from passline.web.request_body import read_json
from passline.web.request_limits import RateLimiter, client_address
from passline.web.responses import JSON, cached_response, json_response, prepare_body
from passline.web.school.learners import (
    LEARNER_COOKIE,
    LEARNER_COOKIE_SECONDS,
    LEARNER_PATH,
    LearnerService,
    find_zone,
    make_answer_id,
)
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    DrillRequest,
    HouseChoice,
    check_drill_request,
    check_house,
    find_question,
    make_setup,
    question_json,
    stack_json,
)

#: How many questions one request may ask for.
_MAX_QUESTIONS_PER_REQUEST: Final = 20
#: How many requests one address may send, and in how many seconds. A whole class may share one.
_MAX_REQUESTS, _REQUESTS_SECONDS = 1200, 60.0
#: How many names one address may register, and in how many seconds.
_MAX_NEW_NAMES, _NEW_NAMES_SECONDS = 60, 3600.0
_QUERY_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,6}", re.ASCII)


class AnswerRequest(DrillRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/answer``: an answer as data, or in words (``said``).

    ``n`` is the question's number, ``seconds`` how long the learner took, and ``zone`` the
    learner's time zone in minutes east of UTC. If the request is sent again with the same ``id``,
    the answer is saved only once. Words that can't be parsed are an error, so that the learner can
    enter them again. Data that can't be read is an error if ``again`` is true; otherwise it counts
    as wrong.
    """

    n: int = 1
    answer: Any = None
    said: str | None = None
    seconds: Any = None
    name: str = ""
    id: str = ""
    again: bool = False
    zone: int = 0


class VisitRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/practice``: the answers of this visit so far, oldest first."""

    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    answers: tuple[AnswerRecord, ...] = ()
    zone: int = 0


class LearnerRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A name to register and the token to use for it.

    If ``token`` is empty, the server makes one.
    """

    name: str
    token: str = ""


class SchoolApi:
    """The handlers of ``/api/school``."""

    def __init__(self, key: HouseKey, learners: LearnerService) -> None:
        self._key, self.learners = key, learners
        self.background = BackgroundRunner()
        self.request_limiter = RateLimiter(_MAX_REQUESTS, seconds=_REQUESTS_SECONDS)
        self._name_limiter = RateLimiter(_MAX_NEW_NAMES, seconds=_NEW_NAMES_SECONDS)

    def check_rate(self, request: Request) -> None:
        """Count a request. Raise ServiceError if its address sends too many requests."""
        self.request_limiter.check(client_address(request), "rate.school")

    async def questions(self, request: Request) -> Response:
        """``GET /api/school/questions?drill=&from=&count=``: questions without their answers."""
        self.check_rate(request)
        first = parse_query_number(request, "from", 1)
        count = parse_query_number(request, "count", 1)
        if not 1 <= count <= _MAX_QUESTIONS_PER_REQUEST:
            raise ServiceError("invalid", say_web("count-range", most=_MAX_QUESTIONS_PER_REQUEST))

        def make() -> dict[str, Any]:
            chosen = parse_drill_request(request)
            questions = [find_question(chosen, n) for n in range(first, first + count)]
            described = [question_json(chosen.setup, question) for question in questions]
            return {**chosen.to_json(), "questions": described}

        body = msgspec.json.encode(await self.background.run(make))
        return cached_response(request, prepare_body(body, JSON))

    async def answer(self, request: Request) -> Response:
        """``POST /api/school/answer``: grade an answer. With a learner's token, also save it."""
        self.check_rate(request)
        body = await read_json(request, AnswerRequest)
        holder = await self.learners.find_holder(request)
        if body.name and (holder is None or holder.name != body.name):
            raise ServiceError("unauthorized", say_web("other-learner"))
        zone = find_zone(body.zone)
        chosen, question, given, grade = await self.background.run(lambda: _grade_request(body))
        saved = holder is not None and holder.role == "learner"
        if saved and holder is not None:
            record = make_answer_record(
                question,
                grade,
                at=self.learners.now().astimezone(zone),
                seconds=read_seconds(body.seconds),
                level=chosen.level,
                seed=chosen.seed,
            )
            own_id = make_answer_id(body.id, (chosen.drill, chosen.seed, body.n))
            record = replace(record, rulebook=chosen.rulebook, id=own_id or record.id)
            await self.learners.save_answer(holder.name, record)
        return json_response({**grade_json(chosen.setup, question, given, grade), "kept": saved})

    # Learners.

    async def register(self, request: Request) -> Response:
        """``POST /api/school/learner``: register a name. The response has the learner's token."""
        find_token(request, LEARNER_COOKIE)  # Refuses requests from pages of other sites.
        require_json(request)
        self._name_limiter.check(client_address(request), "rate.learner")
        body = await read_json(request, LearnerRequest)
        name, token = await self.learners.register(body.name, body.token)
        return json_response({"name": name, "token": token}, 201, self._cookie(request, token))

    async def show_learner(self, request: Request) -> Response:
        """``GET /api/school/learner``: the name and role of the learner who holds the token."""
        holder = await self.learners.require_holder(request)
        return json_response({"name": holder.name, "role": holder.role})

    async def delete_learner(self, request: Request) -> Response:
        """``DELETE /api/school/learner``: delete a learner's answers, token and name."""
        holder = await self.learners.require_holder(request)
        await self.learners.delete(holder.name)
        return Response(status_code=204, headers=self._cookie(request, ""))

    async def export(self, request: Request) -> Response:
        """``GET /api/school/export``: everything that is saved about a learner."""
        holder = await self.learners.require_holder(request)
        name = 'attachment; filename="passline-school.json"'
        saved = await self.learners.export(holder.name)
        return json_response(saved, 200, {"Content-Disposition": name})

    async def progress(self, request: Request) -> Response:
        """``GET /api/school/progress``: a learner's progress, and the questions that are due."""
        holder = await self.learners.require_holder(request)
        return json_response(await self.learners.progress(holder.name))

    async def practice(self, request: Request) -> Response:
        """``GET /api/school/practice?rulebook=&house=``: the next question of today's practice.

        ``zone`` in the query is the learner's time zone in minutes east of UTC.
        """
        self.check_rate(request)
        holder = await self.learners.require_holder(request)
        zone = find_zone(parse_query_number(request, "zone", 0, _SIGNED_NUMBER))
        house = await self.background.run(lambda: parse_house_choice(request))
        due = await self.learners.next_question(holder.name, house, zone)
        return await self._send_question(house, due)

    async def practice_visit(self, request: Request) -> Response:
        """``POST /api/school/practice``: the next question for a visitor without a name.

        The body has the visitor's answers so far; nothing is saved.
        """
        self.check_rate(request)
        body = await read_json(request, VisitRequest)
        house = await self.background.run(lambda: check_house(body.rulebook, body.house))
        zone = find_zone(body.zone)
        due = await self.learners.next_visitor_question(body.answers, house, zone)
        return await self._send_question(house, due)

    async def _send_question(self, house: HouseChoice, due: Any) -> Response:
        if due is None:
            return json_response({"question": None})
        setup = make_setup(house, due.level)
        body = {
            "drill": due.question.drill,
            "rulebook": house.rulebook,
            "level": due.level,
            **house.query,
            "seed": due.seed,
            "why": due.why,
            "question": await self.background.run(lambda: question_json(setup, due.question)),
        }
        return json_response(body)

    # Instructors and the operator.

    async def create_instructor(self, request: Request) -> Response:
        """``POST /api/school/instructor``: register an instructor.

        The request must have the house key.
        """
        self._require_operator(request)
        body = await read_json(request, LearnerRequest)
        name, token = await self.learners.register(body.name, body.token, "instructor")
        return json_response({"name": name, "token": token}, 201)

    async def reissue_token(self, request: Request) -> Response:
        """``POST /api/school/learner/token``: replace a learner's token. Requires the house key."""
        self._require_operator(request)
        body = await read_json(request, LearnerRequest)
        token = await self.learners.reissue_token(body.name)
        return json_response({"name": body.name, "token": token}, 201)

    async def show_class(self, request: Request) -> Response:
        """``GET /api/school/class``: every learner, and the clauses missed most.

        Requires an instructor's token or the house key.
        """
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", say_web("instructor-token"))
        if not self._key.matches(token.token):
            holder = await self.learners.require_holder(request)
            if holder.role != "instructor":
                raise ServiceError("forbidden", say_web("instructors-only"))
        return json_response(await self.learners.class_report())

    def _require_operator(self, request: Request) -> None:
        token = find_token(request)
        if token is None:
            raise ServiceError("unauthorized", MISSING_HOUSE_KEY)
        if not self._key.matches(token.token):
            raise ServiceError("unauthorized", WRONG_HOUSE_KEY)

    def _cookie(self, request: Request, token: str) -> dict[str, str]:
        """Return the Set-Cookie header, as a dict, for a learner's token. "" deletes the cookie."""
        cookie = cookie_header(request, LEARNER_PATH, token, LEARNER_COOKIE, LEARNER_COOKIE_SECONDS)
        return {"Set-Cookie": cookie}


def parse_drill_request(request: Request, drill: str = "", seed: str = "1") -> DrillRequest:
    """Return the drill, house, level and seed that a request's query chooses.

    ``drill``, if not empty, replaces the query's drill. ``seed`` is the default if the query has
    none. Raise ServiceError for an unknown drill, house or level.
    """
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
    """Return the house that a query chooses. The default is the house of the rulebook ``book``.

    Raise ServiceError for a house that its rulebook does not allow.
    """
    query = request.query_params
    return check_house(query.get("rulebook", book), query.get("house", ""))


def parse_query_number(
    request: Request, name: str, default: int, pattern: re.Pattern[str] = _QUERY_NUMBER
) -> int:
    """Return the number in the query parameter ``name``, or ``default`` if it is missing.

    Raise ServiceError if it is not a number of this ``pattern``.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    if not pattern.fullmatch(text):
        raise ServiceError("invalid", say_web("not-a-number", name=name))
    return int(text)


def _grade_request(body: AnswerRequest) -> tuple[DrillRequest, Question, Any, Grade]:
    """Return (checked request, question, answer, grade) for a learner's answer.

    Raise ServiceError if the request names no question, if the words can't be read, or if ``again``
    is set and the data can't be read.
    """
    fields = {name: getattr(body, name) for name in DrillRequest.__struct_fields__}
    chosen = check_drill_request(DrillRequest(**fields))
    question, setup, answer = find_question(chosen, body.n), chosen.setup, body.answer
    drill = load_drill(chosen.drill)
    try:
        if body.said is not None:
            answer = parse_answer(setup, question, body.said)
        if body.again and answer is not None:
            drill.grade(setup, question, answer)  # Raises if it can't be read.
    except UnreadableAnswerError as error:
        raise ServiceError("invalid", escape_unprintable(str(error))) from None
    except RecursionError:
        raise ServiceError("invalid", say_web("answer-nested")) from None
    return chosen, question, answer, grade_answer(drill, setup, question, answer)


#: How many clauses a grade shows in words.
_MAX_CLAUSES: Final = 3


def _describe_given(setup: DrillSetup, question: Question, given: Any) -> str:
    if given is None:
        return say_school("grade.skipped")
    return escape_unprintable(describe_answer(setup, question, given))


def grade_json(setup: DrillSetup, question: Question, given: Any, grade: Grade) -> dict[str, Any]:
    """Return a grade as JSON, with the answer given, the right one and its clauses in words.

    ``given`` is the answer, or None if the question was skipped.
    """
    chips = question.answer.get("chips")
    stack = stack_json("the payoff", read_stack(chips, setup.rack)) if chips else None
    return {
        "right": grade.right,
        "because": escape_unprintable(grade.because),
        "answer": question.answer,
        "explain": [escape_unprintable(words) for words in question.explain],
        "yours": _describe_given(setup, question, given),
        "correct": escape_unprintable(describe_answer(setup, question, question.answer)),
        "clauses": [
            [cite, escape_unprintable(find_clause_text(cite))]
            for cite in dict.fromkeys([*grade.missed, *question.cite])
        ][:_MAX_CLAUSES],
        "cite": list(question.cite),
        "missed": list(grade.missed),
        "stack": stack,
    }


class KeepWorkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/work``: a learner's graded work at a live table.

    ``seq`` is the number of the log entry with the grade, and ``receipt`` proves that this learner
    did the work.
    """

    table: str
    seq: int
    receipt: str


class PostWorkApi:
    """The handler that saves a learner's graded work at a live table as the learner's answers."""

    def __init__(self, service: TableService, school: SchoolApi) -> None:
        self._service, self._school = service, school

    async def save(self, request: Request) -> Response:
        """``POST /api/school/work``: save graded work from a live table as the learner's answers.

        If the same work is sent again, it is not saved a second time.
        """
        self._school.check_rate(request)
        learners = self._school.learners
        holder = await learners.require_holder(request)
        body = await read_json(request, KeepWorkRequest)
        answers = await read_work_answers(self._service, body.table, body.seq, body.receipt)
        if holder.role == "learner":
            for answer in answers:
                await learners.save_answer(holder.name, answer)
        saved = len(answers) if holder.role == "learner" else 0
        return json_response({"name": holder.name, "kept": saved})
