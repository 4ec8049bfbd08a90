"""Proctored auditions (exams), ``/api/school/auditions``, and the pages of certificates.

The server draws the seed and measures the time. It sends the questions without answers, takes one
answer at a time without grading it, and sends the report when the time is up or the learner
finishes. A short shift at a simulated table is part of it. Every attempt is stored. Its id is long
and random, and anybody who knows it may answer. A certificate publishes the id, so from then on the
report requires the attempt's key, the learner's token, or an instructor's.
"""

from __future__ import annotations

import json
from asyncio import Lock
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from secrets import token_hex
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.signing_key import SigningKey, verify_signature
from passline.live.tokens import hash_token, token_matches
from passline.school.answer_fields import UnreadableAnswerError
from passline.school.answer_log import AnswerRecord, LearnerError
from passline.school.audition import (
    AUDITION_LEVEL,
    AUDITION_MINUTES,
    SHIFT_MINUTES,
    Audition,
    AuditionEnd,
    make_audition,
)
from passline.school.audition_attempts import (
    Attempt,
    AttemptAnswer,
    AttemptEnd,
    AttemptStart,
    AttemptStore,
    grade_attempt,
    read_attempt,
    save_attempt_answer,
    save_end,
    save_shift,
    save_start,
)
from passline.school.certificates import certificate_text, make_certificate
from passline.school.drills import load_drill
from passline.school.practice import format_utc
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.questions_and_grades import parse_answer
from passline.text import escape_unprintable
from passline.web.auth import find_token
from passline.web.page_templates import render_page
from passline.web.request_body import read_json
from passline.web.request_limits import RateLimiter, client_address
from passline.web.responses import (
    JSON,
    body_response,
    json_response,
    page_response,
    prepare_body,
)
from passline.web.school.api import SchoolApi
from passline.web.school.learners import (
    LEARNER_COOKIE,
    check_learner_name,
    find_zone,
    make_storage_error,
)
from passline.web.school.questions import (
    DEFAULT_RULEBOOK,
    HouseChoice,
    check_house,
    compile_house_layout,
    make_setup,
    question_json,
)
from passline.web.school.shifts import AUDITION_SHIFT, ShiftApi, has_dealers

#: The time for an audition: that of the questions and that of the shift.
PROCTORED_MINUTES: Final = AUDITION_MINUTES + SHIFT_MINUTES
#: The report of a shift that was not begun.
_NO_SHIFT: Final[dict[str, Any]] = {
    **AUDITION_SHIFT,
    "ended": "not begun",
    "thrown": 0,
    "right": 0,
    "of": AUDITION_SHIFT["rolls"],
}
#: What a report shows to somebody who has only the id, which a certificate publishes.
_PUBLIC_FIELDS: Final = ("name", "date", "rulebook", "audition", "passed", "certificate")
#: The highest score that a page shows; a forged certificate may say any number.
_MAX_SCORE: Final = 1_000_000
#: How many auditions one address may begin, and in how many seconds. A whole class may share one.
_MAX_STARTS, _STARTS_SECONDS = 120, 3600.0
_UNKNOWN: Final = say_web("no-audition")
_Result = TypeVar("_Result")


class StartRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/auditions``: the learner's name, and the house to deal.

    ``house`` is a house file as text and overrides the rulebook. ``zone`` is the learner's time
    zone, in minutes east of UTC.
    """

    learner: str
    rulebook: str = DEFAULT_RULEBOOK
    house: str = ""
    zone: int = 0


class AttemptAnswerRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/school/auditions/A/answers``: an answer to question ``n``.

    The answer is data, or words (``said``); null skips the question. If ``again`` is true, an
    answer that can't be read is refused, so that the learner can enter it again; otherwise it is
    stored, and counts as wrong.
    """

    n: int
    answer: Any = None
    said: str | None = None
    again: bool = False


class AuditionApi:
    """The handlers of proctored auditions. ``signing_key`` signs certificates.

    ``attempts`` stores the auditions; without it there are none.
    """

    def __init__(
        self,
        school: SchoolApi,
        attempts: AttemptStore | None,
        signing_key: SigningKey,
        shifts: ShiftApi,
    ) -> None:
        self._school, self._attempts, self._key = school, attempts, signing_key
        self._shifts, self._opening = shifts, Lock()
        self._starts = RateLimiter(_MAX_STARTS, seconds=_STARTS_SECONDS)

    async def start(self, request: Request) -> Response:
        """``POST /api/school/auditions``: begin an attempt and send its questions."""
        self._shifts.require_on()  # An audition ends in one.
        body = await read_json(request, StartRequest)
        learner = check_learner_name(body.learner)
        find_zone(body.zone)
        await self._school.learners.require_name(request, learner)
        self._starts.check(client_address(request), "rate.audition")
        store, now, key = self._require_store(), self._school.learners.now, token_hex(24)

        def begin() -> dict[str, Any]:
            house = check_house(body.rulebook, body.house)
            start = AttemptStart(
                audition=token_hex(16),
                learner=learner,
                rulebook=house.rulebook,
                house=house.house,
                seed=token_hex(16),
                minutes=PROCTORED_MINUTES,
                at=now(),
                attempt=1 + len(store.list_auditions(learner)),
                key_hash=hash_token(key),
                zone=body.zone,
            )
            found = _describe_attempt(Attempt(start), start.at, with_questions=True)
            # The time that the questions took to make is the server's.
            start = msgspec.structs.replace(start, at=now())
            save_start(store, start)
            return {**found, "ends": format_utc(start.deadline), "key": key}

        data = msgspec.json.encode(await self._run(begin))
        return body_response(request, prepare_body(data, JSON), 201, {"Vary": "Accept-Encoding"})

    async def answer(self, request: Request) -> Response:
        """``POST /api/school/auditions/A/answers``: store an answer without grading it."""
        self._school.check_rate(request)
        body = await read_json(request, AttemptAnswerRequest)
        store, attempt = self._require_store(), await self._load(request)
        at = self._school.learners.now()
        if attempt.end is not None or at > attempt.start.deadline:
            raise ServiceError("conflict", say_web("audition-over"))

        def save() -> dict[str, Any]:
            questions = _make_audition(_house_of(attempt), attempt.start.seed).questions
            if not 1 <= body.n <= len(questions):
                raise ServiceError("invalid", say_web("question-range", most=len(questions)))
            setup = make_setup(_house_of(attempt), AUDITION_LEVEL)
            answer = _read_answer(setup, questions[body.n - 1], body)
            if not save_attempt_answer(store, attempt.start, AttemptAnswer(body.n, answer, at)):
                raise ServiceError("conflict", say_web("answered-otherwise", number=body.n))
            answered = {body.n, *(each.n for each in attempt.answers)}
            return {
                "n": body.n,
                "answered": len(answered),
                "of": len(questions),
                "left": _count_seconds_left(attempt, at),
            }

        return json_response(await self._run(save))

    async def show(self, request: Request) -> Response:
        """``GET /api/school/auditions/A``: how far the attempt is; when it is over, its report.

        With ``?questions=yes`` the response for an attempt under way has its questions, so that a
        page that was closed can go on.
        """
        self._school.check_rate(request)
        attempt = await self._load(request)
        if attempt.end is not None:
            return json_response(await self._read_report(request, attempt))
        with_questions = request.query_params.get("questions") == "yes"
        now = self._school.learners.now()
        found = await self._run(
            lambda: _describe_attempt(attempt, now, with_questions=with_questions)
        )
        if attempt.shift:
            found["shift"]["over"] = await self._shifts.is_over(attempt.shift)
        return json_response(found)

    async def finish(self, request: Request) -> Response:
        """``POST /api/school/auditions/A/finish``: end the attempt, and send its report."""
        self._school.check_rate(request)
        attempt = await self._load(request)
        if attempt.end is None:
            attempt = await self._end(attempt, self._school.learners.now(), "finished")
            assert attempt.end is not None
            return json_response(attempt.end.report)
        return json_response(await self._read_report(request, attempt))

    async def shift(self, request: Request) -> Response:
        """``POST /api/school/auditions/A/shift``: start the shift, or continue it.

        The response has the token to deal with. When the audition is over, it has a token to watch
        the table, for those who may read the report.
        """
        self._school.check_rate(request)
        store, attempt = self._require_store(), await self._load(request)
        if attempt.end is not None:
            if not attempt.shift or not await self._may_read(request, attempt):
                raise ServiceError("forbidden", say_web("audition-key"))
            return json_response(await self._shifts.invite_to(attempt.shift), 201)
        async with self._opening:
            name = attempt.shift or (await self._load(request)).shift
            if not name:
                name = await self._shifts.open_for_audition(attempt.start, client_address(request))
                opened = name
                if not await self._run(lambda: save_shift(store, attempt.start, opened)):
                    name = (await self._load(request)).shift  # Another server was first.
        return json_response(await self._shifts.invite_to(name), 201)

    async def _read_report(self, request: Request, attempt: Attempt) -> dict[str, Any]:
        """Return the report of an attempt that is over.

        If the request may not read it all (`_may_read`), return only what a certificate publishes.
        """
        assert attempt.end is not None
        report = attempt.end.report
        if await self._may_read(request, attempt):
            return report
        shown = {name: report[name] for name in _PUBLIC_FIELDS}
        return {**shown, "score": {"total": report["score"]["total"]}, "over": True}

    async def _may_read(self, request: Request, attempt: Attempt) -> bool:
        """Return whether a request may have the whole report of an attempt that is over.

        Without a certificate a request needs no token, since then only the learner knows the
        attempt's id.
        """
        if attempt.end is None or attempt.end.certificate is None:
            return True
        token = find_token(request, LEARNER_COOKIE)
        if token is None:
            return False
        start = attempt.start
        if start.key_hash and token_matches(token.token, start.key_hash):
            return True
        holder = await self._school.learners.find_holder(request)
        return holder is not None and (holder.name == start.learner or holder.role != "learner")

    async def list_own(self, request: Request) -> Response:
        """``GET /api/school/auditions``: all attempts of the learner who holds the token."""
        self._school.check_rate(request)
        holder = await self._school.learners.require_holder(request)
        store = self._require_store()

        def read() -> list[Attempt]:
            found = (read_attempt(store, name) for name in store.list_auditions(holder.name))
            return sorted((one for one in found if one), key=lambda one: one.start.at)

        attempts = [await self._end_if_late(attempt) for attempt in await self._run(read)]
        return json_response({"auditions": [_summarize_attempt(attempt) for attempt in attempts]})

    async def certificate(self, request: Request) -> Response:
        """``GET /school/certificates/A``: a certificate, and whether its signature is valid."""
        self._school.check_rate(request)
        attempt = await self._load(request)
        if attempt.end is None or attempt.end.certificate is None:
            raise ServiceError("not_found", say_web("no-certificate"))
        return self._show_certificate(request, attempt.end.certificate, attempt)

    async def verify(self, request: Request) -> Response:
        """``GET /school/certificates?certificate=JSON``: verify a certificate that was pasted."""
        self._school.check_rate(request)
        text = request.query_params.get("certificate", "").strip()
        if not text:
            return page_response(request, render_page("certificate_check.html", text="", error=""))
        certificate = _read_certificate(text)
        if certificate is None:
            error = say_web("not-a-certificate")
            page = render_page("certificate_check.html", text=text, error=error)
            return page_response(request, page)
        store, attempt = self._attempts, None
        if store is not None:
            attempt = await self._run(lambda: read_attempt(store, certificate["audition"]))
        return self._show_certificate(request, certificate, attempt)

    def _show_certificate(
        self, request: Request, certificate: dict[str, Any], attempt: Attempt | None
    ) -> Response:
        """Return the page of a certificate.

        ``attempt`` is the attempt that this server has stored under the same id, or None. From it
        the page shows where the certificate differs, and whether the audition was dealt by a house
        file.
        """
        signed = attempt.end.certificate if attempt and attempt.end else None
        if signed is not None and certificate == signed:
            certificate = signed  # Also one that says 100 for 100.0.
        text, signature = certificate_text(certificate), str(certificate["signature"])
        key = self._key.public_key
        changed = [name for name, value in (signed or {}).items() if certificate[name] != value]
        page = render_page(
            "certificate.html",
            certificate=certificate,
            valid=verify_signature(key, text, signature),
            changed=[(name, certificate[name], signed[name]) for name in changed if signed],
            own_house=bool(attempt and attempt.start.house),
            public_key=key,
            text=text,
            as_json=json.dumps(certificate, ensure_ascii=False),
        )
        return page_response(request, page)

    async def _load(self, request: Request) -> Attempt:
        """Return the attempt that a request's path names. End it first if its time is up.

        Raise ServiceError if there is no such attempt.
        """
        store, audition = self._require_store(), request.path_params["audition"]
        attempt = await self._run(lambda: read_attempt(store, audition))
        if attempt is None:
            raise ServiceError("not_found", _UNKNOWN)
        return await self._end_if_late(attempt)

    async def _end_if_late(self, attempt: Attempt) -> Attempt:
        """End an attempt if its time is up. Return the attempt, ended or not."""
        if attempt.end is not None or self._school.learners.now() <= attempt.start.deadline:
            return attempt
        return await self._end(attempt, attempt.start.deadline, "time")

    async def _end(self, attempt: Attempt, at: datetime, ended: AuditionEnd) -> Attempt:
        """Grade an attempt, store its report, and return the attempt with it.

        If another request has stored a report first, return the attempt with that one.
        """
        store, start = self._require_store(), attempt.start
        dealt: list[AnswerRecord] = []
        shift = _NO_SHIFT if has_dealers(_house_of(attempt)) else None
        if attempt.shift:
            shift, answers = await self._shifts.finish(attempt.shift)
            dealt = list(answers)

        def grade() -> tuple[Attempt, list[AnswerRecord]]:
            latest = read_attempt(store, start.audition) or attempt
            if latest.end is not None:
                return latest, []
            house = _house_of(latest)
            audition, layout = _make_audition(house, start.seed), compile_house_layout(house)
            report, records = grade_attempt(latest, layout, audition, at, ended, shift)
            certificate = make_certificate(report, self._key.sign)
            last = AttemptEnd({**report.to_json(), "certificate": certificate}, certificate)
            return msgspec.structs.replace(latest, end=last), [*records, *dealt]

        def end() -> Attempt:
            assert graded.end is not None
            if save_end(store, start, graded.end):
                return graded
            return read_attempt(store, start.audition) or graded

        graded, records = await self._run(grade)
        # First: after a crash the attempt is graded again, and its answers count once.
        if records and await self._school.learners.is_registered(start.learner):
            for record in records:
                await self._school.learners.save_answer(start.learner, record)
        return await self._run(end)

    def _require_store(self) -> AttemptStore:
        if self._attempts is None:
            raise ServiceError("unavailable", say_web("auditions-not-kept"))
        return self._attempts

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` in the background. Raise ServiceError if the store fails."""
        try:
            return await self._school.background.run(work)
        except LearnerError as error:
            raise make_storage_error(error) from None


@lru_cache(64)
def _make_audition(house: HouseChoice, seed: str) -> Audition:
    try:
        return make_audition(compile_house_layout(house), seed)
    except NoQuestionError as error:
        raise ServiceError("invalid", str(error)) from None


def _read_certificate(text: str) -> dict[str, Any] | None:
    """Parse a certificate from JSON text. Return None if the text is not a certificate."""
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    texts = ("learner", "rulebook", "date", "audition", "signature")
    if found.keys() != {*texts, "score"} or not all(isinstance(found[one], str) for one in texts):
        return None
    score = found["score"]
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    return found if abs(score) <= _MAX_SCORE else None


def _house_of(attempt: Attempt) -> HouseChoice:
    return HouseChoice(attempt.start.rulebook, attempt.start.house)


def _read_answer(setup: DrillSetup, question: Question, body: AttemptAnswerRequest) -> Any:
    """Return the answer in a request as data. Words that can't be read are returned unchanged.

    If ``again`` is set, raise ServiceError for an answer that can't be read, in words or as data.
    """
    try:
        answer = body.answer
        if body.said is not None:
            answer = parse_answer(setup, question, body.said)
        if body.again and answer is not None:
            load_drill(question.drill).grade(setup, question, answer)  # Raises if unreadable.
    except UnreadableAnswerError as error:
        if body.again:
            raise ServiceError("invalid", escape_unprintable(str(error))) from None
        return body.said
    except RecursionError:
        raise ServiceError("invalid", say_web("answer-nested")) from None
    return answer


def _count_seconds_left(attempt: Attempt, now: datetime) -> int:
    return max(0, int((attempt.start.deadline - now).total_seconds()))


def _describe_attempt(attempt: Attempt, now: datetime, *, with_questions: bool) -> dict[str, Any]:
    """Return an attempt under way as JSON. It contains neither the seed nor any answer."""
    start, house = attempt.start, _house_of(attempt)
    questions, setup = (
        _make_audition(house, start.seed).questions,
        make_setup(house, AUDITION_LEVEL),
    )
    found = {
        "audition": start.audition,
        "learner": start.learner,
        "rulebook": start.rulebook,
        "attempt": start.attempt,
        "minutes": start.minutes,
        "ends": format_utc(start.deadline),
        "left": _count_seconds_left(attempt, now),
        "answered": sorted(each.n for each in attempt.answers),
        "of": len(questions),
        "shift": {**AUDITION_SHIFT, "begun": bool(attempt.shift), "over": False}
        if has_dealers(house)
        else None,
        "over": False,
    }
    if with_questions:
        setup = make_setup(house, AUDITION_LEVEL)
        found["questions"] = [question_json(setup, question) for question in questions]
    return found


def _summarize_attempt(attempt: Attempt) -> dict[str, Any]:
    """Return an attempt as JSON for the list of a learner's attempts."""
    start, report = attempt.start, attempt.end.report if attempt.end else None
    return {
        "audition": start.audition,
        "rulebook": start.rulebook,
        "attempt": start.attempt,
        "date": format_utc(start.at),
        "over": report is not None,
        "score": report["score"]["total"] if report else None,
        "passed": report["passed"] if report else None,
        "certificate": attempt.end is not None and attempt.end.certificate is not None,
    }
