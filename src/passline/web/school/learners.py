"""Learners on a server: their tokens, their saved answers, and an instructor's view of the class.

Stores of answers and tokens wait for the disk, so this module calls them in a background thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request

from passline.game.words.live import say_live
from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.tokens import is_token, new_token
from passline.school.answer_log import AnswerRecord, AnswerStore, LearnerError, clean_learner_name
from passline.school.learner_tokens import LearnerTokens, SchoolRole, SchoolTokenHolder
from passline.school.question_index import keep_asked_clauses
from passline.web.auth import find_token
from passline.web.page_cache import BackgroundRunner
from passline.web.school.questions import HouseChoice, compile_house_layout

#: The cookie of a learner, which a browser sends to the school's API only, for two years.
LEARNER_COOKIE: Final = "passline-learner"
LEARNER_PATH: Final = "/api/school"
LEARNER_COOKIE_SECONDS: Final = 2 * 365 * 24 * 60 * 60
_ANSWER_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")

_Result = TypeVar("_Result")
#: How many clauses a class report lists as missed most.
_MAX_MISSED_CLAUSES: Final = 40
#: The farthest time zone from UTC, in minutes.
_MAX_ZONE_MINUTES: Final = 14 * 60


class _LearnerSummary(msgspec.Struct, frozen=True):
    """One learner in a class report.

    ``version`` changes with every new answer. ``row`` is a line of the report. ``answered`` counts
    how often the learner answered about each clause, and ``missed`` how often the learner missed
    it.
    """

    version: str
    row: dict[str, Any]
    answered: Counter[str]
    missed: Counter[str]


class ClassReport:
    """Makes the report on all learners. A learner is summarized again only after new answers.

    Threads must not share it.
    """

    def __init__(self, answers: AnswerStore) -> None:
        self._answers = answers
        self._summaries: dict[str, _LearnerSummary] = {}

    def to_json(self) -> dict[str, Any]:
        """Return a row for each learner, and the clauses that the learners miss most."""
        versions = self._answers.list_versions()
        self._summaries = {
            name: self._summarize(name, version) for name, version in versions.items()
        }
        answered, missed, learners = Counter[str](), Counter[str](), Counter[str]()
        for summary in self._summaries.values():
            answered.update(summary.answered)
            missed.update(summary.missed)
            learners.update(summary.missed.keys())
        return {
            "learners": [summary.row for summary in self._summaries.values()],
            "missed": [
                {
                    "clause": clause,
                    "missed": count,
                    "of": max(answered[clause], count),
                    "learners": learners[clause],
                }
                for clause, count in missed.most_common(_MAX_MISSED_CLAUSES)
            ],
        }

    def _summarize(self, name: str, version: str) -> _LearnerSummary:
        """Return a learner's summary, computed again only if ``version`` is new."""
        known = self._summaries.get(name)
        if known is not None and known.version == version:
            return known
        answers = self._answers.read(name).answers
        return _LearnerSummary(
            version=version,
            row=_learner_row(name, answers),
            answered=Counter(clause for each in answers for clause in each.clauses),
            missed=Counter(clause for each in answers for clause in each.missed),
        )


def _learner_row(name: str, answers: Sequence[AnswerRecord]) -> dict[str, Any]:
    drills = Counter(each.drill for each in answers if not each.right)
    return {
        "name": name,
        "answers": len(answers),
        "right": sum(each.right for each in answers),
        "last": f"{answers[-1].at:%Y-%m-%d}" if answers else "",
        "misses": drills.most_common(1)[0][0] if drills else "",
    }


class LearnerService:
    """Saves and reads what belongs to learners. Without stores nothing is saved.

    Methods that need a store raise ServiceError if it is missing or fails.
    """

    def __init__(
        self, answers: AnswerStore | None, tokens: LearnerTokens | None, now: Callable[[], datetime]
    ) -> None:
        self._answers, self._tokens, self.now = answers, tokens, now
        self._background = BackgroundRunner()
        self._class: ClassReport | None = None

    async def require_holder(self, request: Request) -> SchoolTokenHolder:
        """Return the name and role that the token of a request gives.

        Raise ServiceError without one.
        """
        holder = await self.find_holder(request)
        if holder is None:
            raise ServiceError("unauthorized", say_web("learner-name-first"))
        return holder

    async def find_holder(self, request: Request) -> SchoolTokenHolder | None:
        """Return the name and role that the token of a request gives, or None without a token.

        Raise ServiceError for an invalid token. In a cookie, an invalid token counts as none: the
        learner may have been deleted.
        """
        token = find_token(request, LEARNER_COOKIE)
        if token is None:
            return None
        tokens, holder = self._tokens, None
        if tokens is not None and is_token(token.token):
            holder = await self._run(lambda: tokens.holder(token.token))
        if holder is None and not token.cookie:
            raise ServiceError("unauthorized", say_web("school-token"))
        return holder

    async def register(
        self, name: str, token: str, role: SchoolRole = "learner"
    ) -> tuple[str, str]:
        """Register a name with a token. If ``token`` is empty, make one. Return (name, token).

        Raise ServiceError if the name has another token, or has answers that were saved from this
        machine's terminal.
        """
        tokens, answers = self._require_stores()
        own = token or new_token()
        if not is_token(own):
            raise ServiceError("invalid", say_web("token-letters"))
        known = check_learner_name(name)
        taken = ServiceError("conflict", say_web("learner-taken", name=known))

        def take() -> bool:
            holder = tokens.holder(own)
            if holder is not None:  # The same request, sent again, succeeds.
                return holder == SchoolTokenHolder(known, role)
            if role == "learner" and answers.read(known).answers:
                return False
            return tokens.take(own, SchoolTokenHolder(known, role))

        if not await self._run(take):
            raise taken
        return known, own

    async def is_registered(self, name: str) -> bool:
        """Return whether a name has a token."""
        tokens = self._tokens
        return tokens is not None and await self._run(lambda: tokens.find_role(name)) is not None

    async def require_name(self, request: Request, name: str) -> None:
        """Raise ServiceError if a name is registered and the request does not have its token."""
        holder = await self.find_holder(request)
        if (holder is None or holder.name != name) and await self.is_registered(name):
            raise ServiceError("unauthorized", say_web("other-learner"))

    async def reissue_token(self, name: str) -> str:
        """Give a name a new token with the same role, make the old one invalid, return the token.

        A name without a token becomes a learner. This method does not check who asks: the caller
        must require the house key.
        """
        tokens, _ = self._require_stores()
        own, known = new_token(), check_learner_name(name)

        def take() -> None:
            role = tokens.find_role(known) or "learner"
            tokens.drop(known)
            tokens.take(own, SchoolTokenHolder(known, role))

        await self._run(take)
        return own

    async def save_answer(self, name: str, answer: AnswerRecord) -> None:
        """Save an answer with the clauses that practice can ask about.

        Return once the answer is on disk.
        """
        _, answers = self._require_stores()
        await self._run(lambda: answers.append(name, keep_asked_clauses(answer)))

    async def export(self, name: str) -> dict[str, Any]:
        """Return everything that is saved about a learner."""
        _, answers = self._require_stores()
        return await self._run(lambda: msgspec.to_builtins(answers.read(name)))

    async def delete(self, name: str) -> None:
        """Delete a learner: the answers, the token and the name."""
        tokens, answers = self._require_stores()

        def drop() -> None:
            answers.delete(name)
            tokens.drop(name)

        await self._run(drop)

    async def progress(self, name: str) -> dict[str, Any]:
        """Return a learner's progress as JSON, with the questions that are due."""
        _, answers = self._require_stores()

        def summarize() -> dict[str, Any]:
            from passline.school.lessons.lesson_files import load_lessons
            from passline.school.practice import build_progress, summarize_due_cards
            from passline.school.repetition import build_deck

            log = answers.read(name)
            deck, now = build_deck(log.answers), self.now()
            progress = build_progress(deck, load_lessons(), now, learner=name, torn=log.torn)
            waiting = summarize_due_cards(deck, now, name)
            return {**msgspec.to_builtins(progress), "due": waiting["due"], "waiting": waiting}

        return await self._run(summarize)

    async def next_question(self, name: str, house: HouseChoice, zone: timezone) -> Any:
        """Return the learner's next question in a house, or None if today's practice is over.

        ``zone`` is the learner's time zone, which says when today ends.
        """
        _, answers = self._require_stores()

        def pick() -> Any:
            from passline.school.practice import pick_next_question
            from passline.school.repetition import build_deck

            deck = build_deck(answers.read(name).answers)
            now = self.now().astimezone(zone)
            return pick_next_question(deck, compile_house_layout(house), now)

        return await self._run(pick)

    async def next_visitor_question(
        self, answers: Sequence[AnswerRecord], house: HouseChoice, zone: timezone
    ) -> Any:
        """Return the next question for a visitor, or None if today's practice is over.

        ``answers`` are those that the visitor has given so far.
        """

        def pick() -> Any:
            from passline.school.practice import pick_next_question
            from passline.school.repetition import build_deck

            now = self.now().astimezone(zone)
            return pick_next_question(build_deck(answers), compile_house_layout(house), now)

        return await self._run(pick)

    async def class_report(self) -> dict[str, Any]:
        """Return every learner with saved answers, and the clauses missed most, as JSON."""
        _, answers = self._require_stores()
        self._class = self._class or ClassReport(answers)
        return await self._run(self._class.to_json)

    def _require_stores(self) -> tuple[LearnerTokens, AnswerStore]:
        if self._tokens is None or self._answers is None:
            raise ServiceError("unavailable", say_web("answers-not-kept"))
        return self._tokens, self._answers

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` in the background and return its result.

        Raise ServiceError if a store fails.
        """
        try:
            return await self._background.run(work)
        except LearnerError as error:
            raise make_storage_error(error) from None
        except ModuleNotFoundError as error:  # Its message names the missing extra.
            raise ServiceError("unavailable", str(error)) from None


def make_storage_error(error: LearnerError) -> ServiceError:
    """Return the ServiceError for a store of the school that failed.

    Its ``message`` has the details for the operator. Clients read another one, since the details
    name files or the database.
    """
    public = say_live("store-unusable")
    return ServiceError(
        "unavailable", str(error), retry_after=1, public=public, limit="store-failed"
    )


def check_learner_name(name: str) -> str:
    """Return a name in the form in which it is saved. Raise ServiceError if it is not valid."""
    try:
        return clean_learner_name(name)
    except LearnerError as error:
        raise ServiceError("invalid", str(error)) from None


def find_zone(minutes: int) -> timezone:
    """Return the time zone ``minutes`` minutes east of UTC. Raise ServiceError if there is none."""
    if abs(minutes) > _MAX_ZONE_MINUTES:
        raise ServiceError("invalid", say_web("zone-range", most=_MAX_ZONE_MINUTES))
    return timezone(timedelta(minutes=minutes))


def make_answer_id(request_id: str, question: tuple[object, ...]) -> str:
    """Return an id under which a repeated request saves its answer only once.

    ``question`` identifies the question by drill, seed and number. Return "" if the request has no
    id, and raise ServiceError if the request's id is malformed.
    """
    if not request_id:
        return ""
    if not _ANSWER_ID_PATTERN.fullmatch(request_id):
        raise ServiceError("invalid", say_web("answer-id"))
    return f"{request_id} {' '.join(map(str, question))}"
