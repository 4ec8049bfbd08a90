"""The application: which request goes where."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from passline.live.service import TableService
from passline.school.answer_log import AnswerStore
from passline.school.learner_tokens import LearnerTokens
from passline.version import VERSION
from passline.web.auth import HouseKey
from passline.web.limits import MAX_STREAMS
from passline.web.metrics import Metrics
from passline.web.middleware import GuardMiddleware
from passline.web.page_cache import BackgroundPageCache
from passline.web.pages.daily import DailyPages
from passline.web.pages.lobby import LobbyPage
from passline.web.pages.luck import LuckPage
from passline.web.pages.operator import OpenTablePage, OperatorPage
from passline.web.pages.replay import ReplayPage
from passline.web.pages.table import TablePage
from passline.web.replay import LiveReplayFinder, ReplayApi
from passline.web.responses import json_response
from passline.web.routes import make_router, reference_routes, route
from passline.web.school.api import AuditionApi, PostWorkApi, SchoolApi
from passline.web.school.learners import LearnerService
from passline.web.school.pages import LearnerPostPage, SchoolPages
from passline.web.streams import Streams
from passline.web.table_api import TableApi
from passline.web.wager_api import WagerApi, WorthApi


class App:
    """Everything that a server answers, as an ASGI application.

    ``hosts``: the names that it answers to, all if None. ``reviews`` and ``keys``: where the
    school's learners are kept; without them nothing is. ``streams``: how many one address may hold
    open, 0 for any number.
    """

    def __init__(
        self,
        hall: TableService,
        house_key: str,
        hosts: Collection[str] | None = None,
        reviews: AnswerStore | None = None,
        keys: LearnerTokens | None = None,
        streams: int = MAX_STREAMS,
    ) -> None:
        self.hall, self.metrics = hall, Metrics()
        learners = LearnerService(reviews, keys, hall.clock.now)
        self.school = SchoolApi(HouseKey(house_key), learners)
        self.streams = Streams(hall, self.metrics, streams)
        self.tables = TableApi(hall, HouseKey(house_key), self.streams, self.metrics)
        self._guard = GuardMiddleware(make_router(self._routes()), self.metrics, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            await self._guard(scope, receive, send)

    def _routes(self) -> list[Route]:
        tables, table = self.tables, "/api/tables/{table}"
        replays = ReplayApi(LiveReplayFinder(self.hall, tables).find)
        wagers = WagerApi(self.hall, tables.reader)
        self._luck = LuckPage(self.hall, BackgroundPageCache(), tables.reader).luck
        return [
            route(f"{table}/say", POST=tables.say),
            route("/api/tables", GET=tables.lobby, POST=tables.open),
            route(table, GET=tables.view),
            route(f"{table}/events", GET=tables.events),
            route(f"{table}/seats", POST=tables.sit),
            route(f"{table}/sight", GET=tables.sight),
            route(f"{table}/post", GET=tables.post),
            route(f"{table}/work", GET=tables.owed, POST=tables.work),
            route(f"{table}/felt", GET=tables.felt),
            route(f"{table}/worth", GET=WorthApi(self.hall, tables.reader).worth),
            route(f"{table}/wagers", GET=wagers.list_all),
            route(f"{table}/wagers/{{slug}}", GET=wagers.show_one),
            route(f"{table}/tokens", POST=tables.invite, DELETE=tables.withdraw),
            route(
                f"{table}/cookie", POST=tables.set_token_cookie, DELETE=tables.delete_token_cookie
            ),
            route(f"{table}/record", GET=tables.record),
            route(f"{table}/log", GET=tables.log),
            route(f"{table}/luck", GET=self._luck),
            *(route(path, GET=handler) for path, handler in replays.handlers().items()),
            route("/healthz", GET=self.health),
            route("/metrics", GET=self.measures),
            *self._school_routes(),
            *self._pages(),
        ]

    def _school_routes(self) -> list[Route]:
        api, audition, pages = (
            self.school,
            AuditionApi(self.school),
            SchoolPages(BackgroundPageCache()),
        )
        return [
            route("/api/school/questions", GET=api.questions),
            route("/api/school/answer", POST=api.answer),
            route("/api/school/learner", GET=api.me, POST=api.begin, DELETE=api.forget),
            route("/api/school/learner/token", POST=api.renew),
            route("/api/school/export", GET=api.export),
            route("/api/school/progress", GET=api.progress),
            route("/api/school/practice", GET=api.practice),
            route("/api/school/work", POST=PostWorkApi(self.hall, api).keep),
            route("/api/school/instructor", POST=api.create_instructor),
            route("/api/school/class", GET=api.show_class),
            route("/api/school/audition", GET=audition.question, POST=audition.report),
            route("/school", GET=pages.home),
            route("/school/practice", GET=pages.practice),
            route("/school/progress", GET=pages.progress),
            route("/school/class", GET=pages.show_class),
            route("/school/audition", GET=pages.audition),
            route("/school/drill/{drill}", GET=pages.drill),
            route("/school/{lesson}", GET=pages.lesson),
        ]

    def _pages(self) -> list[Route]:
        page_cache = BackgroundPageCache()
        opening, operating = (
            OpenTablePage(page_cache),
            OperatorPage(self.hall, self.tables.operator),
        )
        daily = DailyPages(self.hall)
        return [
            route("/", GET=LobbyPage(self.hall).lobby),
            route("/t/{table}", GET=TablePage(self.hall).table),
            route("/t/{table}/replay", GET=ReplayPage(self.hall).page),
            route("/t/{table}/learn", GET=LearnerPostPage(self.hall).page),
            route("/t/{table}/luck", GET=self._luck),
            route("/open", GET=opening.form),
            route("/api/lint", POST=opening.lint),
            route("/operate", GET=operating.page),
            route("/api/operate", GET=operating.tables),
            *reference_routes(page_cache),
            route("/daily", GET=daily.page),
            route("/daily/{table}", GET=daily.table),
            route("/api/daily", GET=daily.today, POST=daily.play),
            route("/api/daily/{day}", GET=daily.day),
        ]

    async def health(self, request: Request) -> Response:
        """``/healthz``: whether the store can be asked."""
        return json_response({"ok": True, "version": VERSION, "at": await self.hall.store.now()})

    async def measures(self, request: Request) -> Response:
        """``/metrics``, for the operator."""
        await self.tables.operator(request)
        commits = self.hall.store.writer.batch_sizes
        self.metrics.set("passline_commits_total", sum(commits.values()))
        self.metrics.set("passline_appends_total", sum(n * of for n, of in commits.items()))
        self.metrics.set("passline_tables", len(self.hall.tables.all()))
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")
