"""An instructor's book on a class: how everybody does, and what is missed most.

A learner's answers are summed up when they have changed, and not each time that somebody looks.

Learners on a server: who somebody is by his token, and what is kept of him.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request

from passline.live.requests import ServiceError
from passline.live.tokens import is_token, new_token
from passline.school.answer_log import AnswerRecord, AnswerStore, LearnerError, clean_learner_name
from passline.school.learner_tokens import LearnerTokens, SchoolRole, SchoolTokenHolder
from passline.web.auth import find_token
from passline.web.page_cache import BackgroundPageCache
from passline.web.school.questions import HouseChoice, compile_house_layout

#: Clauses that are told as missed most.
_MAX_MISSED_CLAUSES: Final = 40


class _LearnerSummary(msgspec.Struct, frozen=True):
    """One learner: the head of his answers, his row, and his clauses by how often they were asked
    and missed."""

    head: str
    row: dict[str, Any]
    asked: Counter[str]
    missed: Counter[str]


class ClassReport:
    """Everybody of whom answers are kept. One thread asks at a time."""

    def __init__(self, reviews: AnswerStore) -> None:
        self._reviews = reviews
        self._pages: dict[str, _LearnerSummary] = {}

    def told(self) -> dict[str, Any]:
        """The learners in order, and what all of them miss most."""
        heads = self._reviews.list_versions()
        self._pages = {name: self._page(name, head) for name, head in heads.items()}
        asked, missed, who = Counter[str](), Counter[str](), Counter[str]()
        for page in self._pages.values():
            asked.update(page.asked)
            missed.update(page.missed)
            who.update(page.missed.keys())
        return {
            "learners": [page.row for page in self._pages.values()],
            "missed": [
                {
                    "clause": clause,
                    "missed": count,
                    "of": max(asked[clause], count),
                    "learners": who[clause],
                }
                for clause, count in missed.most_common(_MAX_MISSED_CLAUSES)
            ],
        }

    def _page(self, name: str, head: str) -> _LearnerSummary:
        known = self._pages.get(name)
        if known is not None and known.head == head:
            return known
        answers = self._reviews.read(name).answers
        return _LearnerSummary(
            head=head,
            row=_learner_row(name, answers),
            asked=Counter(clause for each in answers for clause in each.clauses),
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


#: The cookie of a learner, sent to the school's API alone; a browser keeps it for two years.
LEARNER_COOKIE: Final = "passline-learner"
LEARNER_PATH: Final = "/api/school"
LEARNER_COOKIE_SECONDS: Final = 2 * 365 * 24 * 60 * 60
_ANSWER_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")

_Result = TypeVar("_Result")


class LearnerService:
    """What is kept of learners, and who may have it. None is kept where there is no store for it.

    Stores wait for the disk: they are asked beside the loop.
    """

    def __init__(
        self, reviews: AnswerStore | None, keys: LearnerTokens | None, now: Callable[[], datetime]
    ) -> None:
        self._reviews, self._keys, self.now = reviews, keys, now
        self._page_cache = BackgroundPageCache()
        self._class: ClassReport | None = None

    async def holder(self, request: Request) -> SchoolTokenHolder:
        """Who asks. ServiceError (``unauthorized``) where no token says so."""
        found = await self.somebody(request)
        if found is None:
            raise ServiceError(
                "unauthorized", "whose? begin with a name at /school, or show your own token"
            )
        return found

    async def somebody(self, request: Request) -> SchoolTokenHolder | None:
        """Who asks; None: somebody without a token. ServiceError where it is nobody's."""
        token = find_token(request, LEARNER_COOKIE)
        if token is None:
            return None
        keys = self._keys
        found = None
        if keys is not None and is_token(token.token):
            found = await self._done(lambda: keys.holder(token.token))
        if found is None and not token.cookie:
            raise ServiceError("unauthorized", "that token is nobody's here")
        return found

    async def begin(self, name: str, token: str, role: SchoolRole = "learner") -> tuple[str, str]:
        """Take a name, with a token of one's own or a fresh one. ServiceError where somebody has
        it: by a token, or by answers that were given at this machine's prompt."""
        keys, reviews = self._kept()
        own = token or new_token()
        if not is_token(own):
            raise ServiceError("invalid", "token: expected 32 to 64 letters and digits")
        known = check_learner_name(name)
        taken = ServiceError("conflict", f"the name {known} is taken here: choose another")

        def take() -> bool:
            mine = keys.holder(own)
            if mine is not None:
                return mine == SchoolTokenHolder(known, role)  # it was sent twice
            if role == "learner" and reviews.read(known).answers:
                return False
            return keys.take(own, SchoolTokenHolder(known, role))

        if not await self._done(take):
            raise taken
        return known, own

    async def claim(self, name: str) -> str:
        """A fresh token for a name, whatever it had: the operator's to give."""
        keys, _ = self._kept()
        own, known = new_token(), check_learner_name(name)

        def take() -> None:
            keys.drop(known)
            keys.take(own, SchoolTokenHolder(known))

        await self._done(take)
        return own

    async def keep(self, name: str, answered: AnswerRecord) -> None:
        """Keep an answer: it is on the disk when this returns."""
        _, reviews = self._kept()
        await self._done(lambda: reviews.append(name, answered))

    async def export(self, name: str) -> dict[str, Any]:
        """Everything that is kept of a learner."""
        _, reviews = self._kept()
        return await self._done(lambda: msgspec.to_builtins(reviews.read(name)))

    async def forget(self, name: str) -> None:
        """Forget a learner: the answers, the token, the name."""
        keys, reviews = self._kept()

        def drop() -> None:
            reviews.delete(name)
            keys.drop(name)

        await self._done(drop)

    async def progress(self, name: str) -> dict[str, Any]:
        """How far a learner is, and what waits."""
        _, reviews = self._kept()

        def told() -> dict[str, Any]:
            from passline.school.lessons.lesson_files import load_lessons
            from passline.school.practice import build_progress, summarize_due_cards
            from passline.school.repetition import build_deck

            log = reviews.read(name)
            deck, now = build_deck(log.answers), self.now()
            found = build_progress(deck, load_lessons(), now, learner=name, torn=log.torn)
            waiting = summarize_due_cards(deck, now, name)
            return {**msgspec.to_builtins(found), "due": waiting["due"], "waiting": waiting}

        return await self._done(told)

    async def next_question(self, name: str, said: HouseChoice) -> Any:
        """What the learner practises next (``Asked``); None: the day's practice is done."""
        _, reviews = self._kept()

        def told() -> Any:
            from passline.school.practice import pick_next_question
            from passline.school.repetition import build_deck

            deck = build_deck(reviews.read(name).answers)
            return pick_next_question(deck, compile_house_layout(said), self.now())

        return await self._done(told)

    async def class_report(self) -> dict[str, Any]:
        """Everybody of whom something is kept, and what all of them miss most."""
        _, reviews = self._kept()
        self._class = self._class or ClassReport(reviews)
        return await self._done(self._class.told)

    def _kept(self) -> tuple[LearnerTokens, AnswerStore]:
        if self._keys is None or self._reviews is None:
            raise ServiceError("unavailable", "this server keeps nothing of learners")
        return self._keys, self._reviews

    async def _done(self, work: Callable[[], _Result]) -> _Result:
        """Work beside the loop; what goes wrong with the store, as one line."""
        try:
            return await self._page_cache.run(work)
        except LearnerError as wrong:
            raise ServiceError("unavailable", str(wrong), retry_after=1) from None
        except ModuleNotFoundError as wrong:  # it says which extra brings it
            raise ServiceError("unavailable", str(wrong)) from None


def check_learner_name(name: str) -> str:
    """A learner's name as it is kept. ServiceError (``invalid``) where nobody is called so."""
    try:
        return clean_learner_name(name)
    except LearnerError as wrong:
        raise ServiceError("invalid", str(wrong)) from None


def answer_id(given: str, asked: tuple[object, ...]) -> str:
    """What tells an answer from others, where its sender says so: sent twice, it is kept once."""
    if not given:
        return ""
    if not _ANSWER_ID_PATTERN.fullmatch(given):
        raise ServiceError("invalid", "id: expected 1 to 64 letters, digits, - and _")
    return f"{given} {' '.join(map(str, asked))}"
