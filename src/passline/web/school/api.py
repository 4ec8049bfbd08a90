"""``/api/school``: questions without their answers, answers marked, and what is a learner's own."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.plain import plain
from passline.school import (
    Desk,
    Drill,
    Mark,
    Question,
    UnreadableAnswerError,
    drill_named,
    mark_answer,
)
from passline.school.answers import read_stack
from passline.school.hearing import hear_answer
from passline.school.reviews import answered_to
from passline.school.rubric import read_seconds
from passline.web.answers import JSON, json_answer, read_as
from passline.web.limits import Pacer
from passline.web.pages.heavy import Workshop
from passline.web.school.houses import SCHOOL, HouseSaid, check_house, desk_for
from passline.web.school.learners import (
    LEARNER_COOKIE,
    LEARNER_KEPT,
    LEARNER_PATH,
    LearnerDesk,
    answer_id,
)
from passline.web.school.sheets import (
    DrillAsked,
    check_asking,
    pose,
    question_sheet,
    stack_shown,
)
from passline.web.sending import keep_body, send_body
from passline.web.speakers import HouseKey, check_json, cookie_at, shown_token

#: Questions that one request gets, and requests that one address makes in so many seconds: a class
#: may sit behind one.
_COUNT: Final = 20
_ASKS, _WITHIN = 1200, 60.0
#: Names that one address takes in an hour.
_NAMES, _HOUR = 60, 3600.0
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


class AnswerAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /api/school/answer``: an answer as data, or as it is ``said`` to an instructor.

    What is no answer at all is marked as wrong; with ``again`` it is told, and not counted.
    """

    drill: str
    rulebook: str = SCHOOL
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


class LearnerAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/school/learner`` and ``/api/school/instructor``: a name, a token of one's own."""

    name: str
    token: str = ""


class SchoolApi:
    """The handlers of ``/api/school``."""

    def __init__(self, key: HouseKey, learners: LearnerDesk) -> None:
        self._key, self.learners = key, learners
        self.workshop = Workshop()
        self.asks = Pacer(_ASKS, within=_WITHIN)
        self._names = Pacer(_NAMES, within=_HOUR)

    def pace(self, request: Request) -> None:
        """HallError 429 where one address asks too much: each question is dealt anew."""
        address = request.client.host if request.client else ""
        if not self.asks.takes(address):
            words = f"one address asks {_ASKS} times in {_WITHIN:.0f} seconds at most"
            raise HallError(429, words, retry_after=self.asks.wait(address))

    async def questions(self, request: Request) -> Response:
        """``GET /api/school/questions``"""
        self.pace(request)
        first, count = number_of(request, "from", 1), number_of(request, "count", 1)
        if not 1 <= count <= _COUNT:
            raise HallError(400, f"count: expected 1 to {_COUNT}")

        def made() -> dict[str, Any]:
            asking = asking_of(request)
            asked = [pose(asking, n) for n in range(first, first + count)]
            sheets = [question_sheet(asking.desk, question) for question in asked]
            return {**asking.told(), "questions": sheets}

        return send_body(
            request, keep_body(msgspec.json.encode(await self.workshop.done(made)), JSON)
        )

    async def answer(self, request: Request) -> Response:
        """``POST /api/school/answer``"""
        self.pace(request)
        asked = await read_as(request, AnswerAsked)
        holder = await self.learners.somebody(request)
        if asked.name and (holder is None or holder.name != asked.name):
            raise HallError(401, "that name's answers are kept for whoever holds its token")
        asking, question, mark = await self.workshop.done(lambda: _marked(asked))
        kept = holder is not None and holder.role == "learner"
        if kept and holder is not None:
            answered = answered_to(
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
        return json_answer({**marked_told(asking.desk, question, mark), "kept": kept})

    # A learner's own.

    async def begin(self, request: Request) -> Response:
        """``POST /api/school/learner``: a name, and the token that is its own from now on."""
        shown_token(request, LEARNER_COOKIE)  # not from another origin
        check_json(request)
        address = request.client.host if request.client else ""
        if not self._names.takes(address):
            words = f"one address takes {_NAMES} names in an hour at most"
            raise HallError(429, words, retry_after=self._names.wait(address))
        asked = await read_as(request, LearnerAsked)
        name, token = await self.learners.begin(asked.name, asked.token)
        return json_answer({"name": name, "token": token}, 201, self._cookie(request, token))

    async def me(self, request: Request) -> Response:
        """``GET /api/school/learner``: whose token it is."""
        holder = await self.learners.holder(request)
        return json_answer({"name": holder.name, "role": holder.role})

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
        return json_answer(told, 200, {"Content-Disposition": name})

    async def progress(self, request: Request) -> Response:
        """``GET /api/school/progress``: how far one is, and what waits."""
        holder = await self.learners.holder(request)
        return json_answer(await self.learners.progress(holder.name))

    async def practice(self, request: Request) -> Response:
        """``GET /api/school/practice``, of a ``rulebook`` or a ``house``: the next question of a
        day's practice."""
        self.pace(request)
        holder = await self.learners.holder(request)
        said = await self.workshop.done(lambda: house_in(request))
        asked = await self.learners.next_question(holder.name, said)
        if asked is None:
            return json_answer({"question": None})
        desk = desk_for(said, asked.level)
        sheet = await self.workshop.done(lambda: question_sheet(desk, asked.question))
        told = {"drill": asked.question.drill, "rulebook": said.rulebook, "level": asked.level}
        told |= said.query
        return json_answer({**told, "seed": asked.seed, "why": asked.why, "question": sheet})

    # An instructor's.

    async def instruct(self, request: Request) -> Response:
        """``POST /api/school/instructor``: a token for an instructor, by the house key; and for a
        learner who lost his, ``POST /api/school/learner/token``."""
        self._operator(request)
        asked = await read_as(request, LearnerAsked)
        name, token = await self.learners.begin(asked.name, asked.token, "instructor")
        return json_answer({"name": name, "token": token}, 201)

    async def renew(self, request: Request) -> Response:
        """``POST /api/school/learner/token``: a fresh token for a name, by the house key."""
        self._operator(request)
        asked = await read_as(request, LearnerAsked)
        return json_answer(
            {"name": asked.name, "token": await self.learners.claim(asked.name)}, 201
        )

    async def of_class(self, request: Request) -> Response:
        """``GET /api/school/class``: everybody, and what is missed most."""
        token = shown_token(request)
        if token is None:
            raise HallError(401, "expected Authorization: Bearer with an instructor's token")
        if not self._key.opens(token.token):
            holder = await self.learners.holder(request)
            if holder.role != "instructor":
                raise HallError(403, "that is for instructors: a learner's token does not open it")
        return json_answer(await self.learners.class_told())

    def _operator(self, request: Request) -> None:
        token = shown_token(request)
        if token is None or not self._key.opens(token.token):
            raise HallError(401, "expected Authorization: Bearer with the house key")

    def _cookie(self, request: Request, token: str) -> dict[str, str]:
        cookie = cookie_at(request, LEARNER_PATH, token, LEARNER_COOKIE, LEARNER_KEPT)
        return {"Set-Cookie": cookie}


def asking_of(request: Request, drill: str = "", seed: str = "1") -> DrillAsked:
    """What a query asks for, of this drill where it is the path's. HallError 400 where it is
    nothing that there is."""
    query = request.query_params
    return check_asking(
        DrillAsked(
            drill=drill or query.get("drill", ""),
            rulebook=query.get("rulebook", SCHOOL),
            house=query.get("house", ""),
            level=number_of(request, "level", 1),
            seed=query.get("seed", seed),
        )
    )


def house_in(request: Request, book: str = SCHOOL) -> HouseSaid:
    """The house that a query names; this book's, where it names none."""
    query = request.query_params
    return check_house(query.get("rulebook", book), query.get("house", ""))


def number_of(request: Request, name: str, otherwise: int) -> int:
    """A number of the query. HallError 400 where it is none."""
    given = request.query_params.get(name)
    if given is None:
        return otherwise
    if not _NUMBER.fullmatch(given):
        raise HallError(400, f"{name}: expected a number, not {plain(given[:40])!r}")
    return int(given)


def _marked(asked: AnswerAsked) -> tuple[DrillAsked, Question, Mark]:
    asking = check_asking(
        DrillAsked(
            drill=asked.drill,
            rulebook=asked.rulebook,
            house=asked.house,
            level=asked.level,
            seed=asked.seed,
        )
    )
    question, desk, given = pose(asking, asked.n), asking.desk, asked.answer
    if asked.said is not None:
        given = heard(desk, question, asked.said)
    drill = drill_named(asking.drill)
    if asked.again and given is not None:
        _check_readable(drill, desk, question, given)
    return asking, question, mark_answer(drill, desk, question, given)


def _check_readable(drill: Drill, desk: Desk, question: Question, given: Any) -> None:
    """HallError 400 where it is no answer at all: nothing is counted."""
    try:
        drill.mark(desk, question, given)
    except UnreadableAnswerError as wrong:
        raise HallError(400, plain(str(wrong))) from None
    except RecursionError:
        raise HallError(400, "an answer within an answer: nobody reads that") from None


def heard(desk: Desk, question: Question, said: str) -> Any:
    """An answer as it was said. HallError 400: it is none, and nothing is counted."""
    try:
        return hear_answer(desk, question, said)
    except UnreadableAnswerError as wrong:
        raise HallError(400, plain(str(wrong))) from None


def marked_told(desk: Desk, question: Question, mark: Mark) -> dict[str, Any]:
    """A mark, with the key, the steps and the clauses; the right chips drawn."""
    chips = question.answer.get("chips")
    shown_chips = stack_shown("the payoff", read_stack(chips, desk.rack)) if chips else None
    return {
        "right": mark.right,
        "because": plain(mark.because),
        "answer": question.answer,
        "explain": [plain(words) for words in question.explain],
        "cite": list(question.cite),
        "missed": list(mark.missed),
        "stack": shown_chips,
    }


__all__ = [
    "AnswerAsked",
    "LearnerAsked",
    "SchoolApi",
    "asking_of",
    "heard",
    "house_in",
    "number_of",
]
