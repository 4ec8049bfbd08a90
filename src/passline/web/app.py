"""The ASGI applications of ``passline serve`` (App) and ``passline replay`` (ReplayApp)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from starlette.types import Receive, Scope, Send

from passline.live.replay.timeline import ReplaySource
from passline.live.service import TableService
from passline.school.answer_log import AnswerStore
from passline.school.learner_tokens import LearnerTokens
from passline.web.auth import HouseKey
from passline.web.limits import MAX_STREAMS
from passline.web.metrics import Metrics
from passline.web.middleware import GuardMiddleware
from passline.web.page_templates import limit_navigation
from passline.web.replay import RecordedGame
from passline.web.routes import live_routes, make_router, replay_routes
from passline.web.school.api import SchoolApi
from passline.web.school.learners import LearnerService
from passline.web.streams import Streams
from passline.web.table_api import TableApi


class App:
    """Live tables, the school and the pages, as an ASGI application.

    ``hosts`` are the Host names that the server answers to, None for all. ``answers`` and
    ``learner_tokens`` store the answers and tokens of the school's learners; without them nothing
    is saved. ``max_streams`` is how many streams one address may hold open, 0 for any number.
    ``hosting`` is how many tables one address may host without the house key.
    """

    def __init__(
        self,
        service: TableService,
        house_key: str,
        hosts: Collection[str] | None = None,
        answers: AnswerStore | None = None,
        learner_tokens: LearnerTokens | None = None,
        max_streams: int = MAX_STREAMS,
        hosting: int = 0,
    ) -> None:
        self.service, self.metrics = service, Metrics()
        learners = LearnerService(answers, learner_tokens, service.clock.now)
        self.school = SchoolApi(HouseKey(house_key), learners)
        self.streams = Streams(service, self.metrics, max_streams)
        self.tables = TableApi(service, HouseKey(house_key), self.streams, self.metrics, hosting)
        router = make_router(live_routes(self.tables, self.school))
        self._guard = GuardMiddleware(router, self.metrics, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http":
            await self._guard(scope, receive, send)


class ReplayApp:
    """One finished game as an ASGI application, for a browser on this machine.

    ``record`` is the game as ``.craps`` text; ``log`` is its log, None if it has none.
    """

    def __init__(
        self, source: ReplaySource, record: str, log: str | None, hosts: Iterable[str]
    ) -> None:
        game = RecordedGame(source, record, log)
        routes = replay_routes(game)
        self.path, self._paths = game.path, [route.path for route in routes]
        self._guard = GuardMiddleware(make_router(routes), Metrics(), frozenset(hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http":
            limit_navigation("Game", self._paths)
            await self._guard(scope, receive, send)
