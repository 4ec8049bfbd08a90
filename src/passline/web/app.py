"""The application of ``passline serve``: its parts, and the route of every path.

``App`` connects the table service, the school and the pages to one ASGI application.
"""

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
    """Everything that a server serves, as an ASGI application.

    ``hosts`` are the Host names that the server answers to, None for all. ``answers`` and
    ``learner_tokens`` store the answers and tokens of the school's learners; without them nothing
    is saved. ``max_streams`` is how many streams one address may hold open, 0 for any number.
    """

    def __init__(
        self,
        service: TableService,
        house_key: str,
        hosts: Collection[str] | None = None,
        answers: AnswerStore | None = None,
        learner_tokens: LearnerTokens | None = None,
        max_streams: int = MAX_STREAMS,
    ) -> None:
        self.service, self.metrics = service, Metrics()
        learners = LearnerService(answers, learner_tokens, service.clock.now)
        self.school = SchoolApi(HouseKey(house_key), learners)
        self.streams = Streams(service, self.metrics, max_streams)
        self.tables = TableApi(service, HouseKey(house_key), self.streams, self.metrics)
        self._guard = GuardMiddleware(make_router(self._routes()), self.metrics, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http":
            await self._guard(scope, receive, send)

    def _routes(self) -> list[Route]:
        tables, table = self.tables, "/api/tables/{table}"
        replays = ReplayApi(LiveReplayFinder(self.service, tables).find)
        wagers = WagerApi(self.service, tables.reader)
        self._luck = LuckPage(self.service, BackgroundPageCache(), tables.reader).luck
        return [
            route(f"{table}/say", POST=tables.say),
            route("/api/tables", GET=tables.lobby, POST=tables.open),
            route(table, GET=tables.view),
            route(f"{table}/events", GET=tables.events),
            route(f"{table}/seats", POST=tables.sit),
            route(f"{table}/page", GET=tables.page),
            route(f"{table}/page/events", GET=tables.page_events),
            route(f"{table}/work", GET=tables.list_work, POST=tables.work),
            route(f"{table}/felt", GET=tables.felt),
            route(f"{table}/worth", GET=WorthApi(self.service, tables.reader).worth),
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
            route("/metrics", GET=self.show_metrics),
            *self._school_routes(),
            *self._pages(),
        ]

    def _school_routes(self) -> list[Route]:
        api, audition = self.school, AuditionApi(self.school)
        pages = SchoolPages(BackgroundPageCache())
        return [
            route("/api/school/questions", GET=api.questions),
            route("/api/school/answer", POST=api.answer),
            route(
                "/api/school/learner",
                GET=api.show_learner,
                POST=api.register,
                DELETE=api.delete_learner,
            ),
            route("/api/school/learner/token", POST=api.reissue_token),
            route("/api/school/export", GET=api.export),
            route("/api/school/progress", GET=api.progress),
            route("/api/school/practice", GET=api.practice),
            route("/api/school/work", POST=PostWorkApi(self.service, api).save),
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
        open_table = OpenTablePage(page_cache)
        operator = OperatorPage(self.service, self.tables.require_operator)
        daily = DailyPages(self.service)
        return [
            route("/", GET=LobbyPage(self.service).lobby),
            route("/t/{table}", GET=TablePage(self.service).table),
            route("/t/{table}/replay", GET=ReplayPage(self.service).page),
            route("/t/{table}/learn", GET=LearnerPostPage(self.service).page),
            route("/t/{table}/luck", GET=self._luck),
            route("/open", GET=open_table.form),
            route("/api/lint", POST=open_table.lint),
            route("/operate", GET=operator.page),
            route("/api/operate", GET=operator.tables),
            *reference_routes(page_cache),
            route("/daily", GET=daily.page),
            route("/daily/{table}", GET=daily.table),
            route("/api/daily", GET=daily.today, POST=daily.play),
            route("/api/daily/{day}", GET=daily.day),
        ]

    async def health(self, request: Request) -> Response:
        """``GET /healthz``: report that the store can be read."""
        return json_response({"ok": True, "version": VERSION, "at": await self.service.store.now()})

    async def show_metrics(self, request: Request) -> Response:
        """``GET /metrics``: the metrics as text, for the operator."""
        await self.tables.require_operator(request)
        commits = self.service.store.writer.batch_sizes
        self.metrics.set("passline_commits_total", sum(commits.values()))
        self.metrics.set("passline_appends_total", sum(n * of for n, of in commits.items()))
        self.metrics.set("passline_tables", len(self.service.tables.all()))
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")
