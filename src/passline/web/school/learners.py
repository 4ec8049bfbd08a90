"""Learners on a server: who somebody is by his token, and what is kept of him."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request

from passline.live.asks import HallError
from passline.live.learner_keys import KeyHolder, SchoolKeys, SchoolRole
from passline.live.tokens import is_token, new_token
from passline.school.reviews import (
    Answered,
    LearnerError,
    Reviews,
    check_learner,
)
from passline.web.pages.heavy import Workshop
from passline.web.school.class_book import ClassBook
from passline.web.school.houses import HouseSaid, felt_for
from passline.web.speakers import shown_token

#: The cookie of a learner, sent to the school's API alone; a browser keeps it for two years.
LEARNER_COOKIE: Final = "passline-learner"
LEARNER_PATH: Final = "/api/school"
LEARNER_KEPT: Final = 2 * 365 * 24 * 60 * 60
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

_Work = TypeVar("_Work")


class LearnerDesk:
    """What is kept of learners, and who may have it. None is kept where there is no store for it.

    Stores wait for the disk: they are asked beside the loop.
    """

    def __init__(
        self, reviews: Reviews | None, keys: SchoolKeys | None, now: Callable[[], datetime]
    ) -> None:
        self._reviews, self._keys, self.now = reviews, keys, now
        self._workshop = Workshop()
        self._class: ClassBook | None = None

    async def holder(self, request: Request) -> KeyHolder:
        """Who asks. HallError 401 where no token says so."""
        found = await self.somebody(request)
        if found is None:
            raise HallError(401, "whose? begin with a name at /school, or show your own token")
        return found

    async def somebody(self, request: Request) -> KeyHolder | None:
        """Who asks; None: somebody without a token. HallError 401 where it is nobody's."""
        token = shown_token(request, LEARNER_COOKIE)
        if token is None:
            return None
        keys = self._keys
        found = None
        if keys is not None and is_token(token.token):
            found = await self._done(lambda: keys.holder(token.token))
        if found is None and not token.cookie:
            raise HallError(401, "that token is nobody's here")
        return found

    async def begin(self, name: str, token: str, role: SchoolRole = "learner") -> tuple[str, str]:
        """Take a name, with a token of one's own or a fresh one. HallError 409 where somebody has
        it: by a token, or by answers that were given at this machine's prompt."""
        keys, reviews = self._kept()
        own = token or new_token()
        if not is_token(own):
            raise HallError(400, "token: expected 32 to 64 letters and digits")
        known = learner_named(name)
        taken = HallError(409, f"the name {known} is taken here: choose another")

        def take() -> bool:
            mine = keys.holder(own)
            if mine is not None:
                return mine == KeyHolder(known, role)  # it was sent twice
            if role == "learner" and reviews.read(known).answers:
                return False
            return keys.take(own, KeyHolder(known, role))

        if not await self._done(take):
            raise taken
        return known, own

    async def claim(self, name: str) -> str:
        """A fresh token for a name, whatever it had: the operator's to give."""
        keys, _ = self._kept()
        own, known = new_token(), learner_named(name)

        def take() -> None:
            keys.drop(known)
            keys.take(own, KeyHolder(known))

        await self._done(take)
        return own

    async def keep(self, name: str, answered: Answered) -> None:
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
            from passline.school.lessons import lessons
            from passline.school.progress import progress_of, waiting_of
            from passline.school.repetition import deck_of

            log = reviews.read(name)
            deck, now = deck_of(log.answers), self.now()
            found = progress_of(deck, lessons(), now, learner=name, torn=log.torn)
            waiting = waiting_of(deck, now, name)
            return {**msgspec.to_builtins(found), "due": waiting["due"], "waiting": waiting}

        return await self._done(told)

    async def next_question(self, name: str, said: HouseSaid) -> Any:
        """What the learner practises next (``Asked``); None: the day's practice is done."""
        _, reviews = self._kept()

        def told() -> Any:
            from passline.school.practice import next_asked
            from passline.school.repetition import deck_of

            deck = deck_of(reviews.read(name).answers)
            return next_asked(deck, felt_for(said), self.now())

        return await self._done(told)

    async def class_told(self) -> dict[str, Any]:
        """Everybody of whom something is kept, and what all of them miss most."""
        _, reviews = self._kept()
        self._class = self._class or ClassBook(reviews)
        return await self._done(self._class.told)

    def _kept(self) -> tuple[SchoolKeys, Reviews]:
        if self._keys is None or self._reviews is None:
            raise HallError(503, "this server keeps nothing of learners")
        return self._keys, self._reviews

    async def _done(self, work: Callable[[], _Work]) -> _Work:
        """Work beside the loop; what goes wrong with the store, as one line."""
        try:
            return await self._workshop.done(work)
        except LearnerError as wrong:
            raise HallError(503, str(wrong), retry_after=1) from None
        except ModuleNotFoundError as wrong:  # it says which extra brings it
            raise HallError(503, str(wrong)) from None


def learner_named(name: str) -> str:
    """A learner's name as it is kept. HallError 400 where nobody is called so."""
    try:
        return check_learner(name)
    except LearnerError as wrong:
        raise HallError(400, str(wrong)) from None


def answer_id(given: str, asked: tuple[object, ...]) -> str:
    """What tells an answer from others, where its sender says so: sent twice, it is kept once."""
    if not given:
        return ""
    if not _ID.fullmatch(given):
        raise HallError(400, "id: expected 1 to 64 letters, digits, - and _")
    return f"{given} {' '.join(map(str, asked))}"
