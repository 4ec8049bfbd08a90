"""The application: which request goes where."""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from passline.live.hall import Hall
from passline.live.learner_keys import SchoolKeys
from passline.school.reviews import Reviews
from passline.version import VERSION
from passline.web.answers import json_answer
from passline.web.guard import WebGuard
from passline.web.limits import STREAMS
from passline.web.metrics import Metrics
from passline.web.pages import (
    DailyPages,
    LobbyPages,
    LuckPages,
    OpeningPage,
    OperatingPage,
    ReplayPages,
    TablePages,
)
from passline.web.pages.heavy import Workshop
from passline.web.panels import WorthPanel
from passline.web.replays import LiveGames, Replays
from passline.web.routes import reading_routes, route
from passline.web.school import (
    AuditionApi,
    LearnerDesk,
    LearnPage,
    PostApi,
    SchoolApi,
    SchoolPages,
)
from passline.web.speakers import HouseKey
from passline.web.streams import Streams
from passline.web.tables import TableRoutes
from passline.web.wagers import WagerSheets

#: Where lines are said, as the route has it.
_LINE = re.compile(r"/api/tables/([^/]+)/say")


class App:
    """Everything that a server answers, as an ASGI application.

    ``hosts``: the names that it answers to, all if None. ``reviews`` and ``keys``: where the
    school's learners are kept; without them nothing is. ``streams``: how many one address may hold
    open, 0 for any number.
    """

    def __init__(
        self,
        hall: Hall,
        house_key: str,
        hosts: Collection[str] | None = None,
        reviews: Reviews | None = None,
        keys: SchoolKeys | None = None,
        streams: int = STREAMS,
    ) -> None:
        self.hall, self.metrics = hall, Metrics()
        learners = LearnerDesk(reviews, keys, hall.clock.now)
        self.school = SchoolApi(HouseKey(house_key), learners)
        self.streams = Streams(hall, self.metrics, streams)
        self.tables = TableRoutes(hall, HouseKey(house_key), self.streams, self.metrics)
        self._router = Router(self._routes(), redirect_slashes=False)
        self._guard = WebGuard(self._routed, self.metrics, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            await self._guard(scope, receive, send)

    async def _routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lines, which are nearly all that is asked, go past the router and what it puts around a
        handler: 0.06 of a line's 0.7 ms."""
        said = _LINE.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        if said is None:
            await self._router(scope, receive, send)
            return
        scope["path_params"], scope["endpoint"] = {"table": said[1]}, self._say.endpoint
        response = await self.tables.say(Request(scope, receive))
        await response(scope, receive, send)

    def _routes(self) -> list[Route]:
        tables, table = self.tables, "/api/tables/{table}"
        replays = Replays(LiveGames(self.hall, tables).find)
        wagers = WagerSheets(self.hall, tables.reader)
        self._say = route(f"{table}/say", POST=tables.say)
        self._luck = LuckPages(self.hall, Workshop(), tables.reader).luck
        return [
            self._say,
            route("/api/tables", GET=tables.lobby, POST=tables.open),
            route(table, GET=tables.view),
            route(f"{table}/events", GET=tables.events),
            route(f"{table}/seats", POST=tables.sit),
            route(f"{table}/sight", GET=tables.sight),
            route(f"{table}/post", GET=tables.post),
            route(f"{table}/work", GET=tables.owed, POST=tables.work),
            route(f"{table}/felt", GET=tables.felt),
            route(f"{table}/worth", GET=WorthPanel(self.hall, tables.reader).worth),
            route(f"{table}/wagers", GET=wagers.every),
            route(f"{table}/wagers/{{slug}}", GET=wagers.one),
            route(f"{table}/tokens", POST=tables.invite, DELETE=tables.withdraw),
            route(f"{table}/cookie", POST=tables.keep_cookie, DELETE=tables.drop_cookie),
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
        api, audition, pages = self.school, AuditionApi(self.school), SchoolPages(Workshop())
        return [
            route("/api/school/questions", GET=api.questions),
            route("/api/school/answer", POST=api.answer),
            route("/api/school/learner", GET=api.me, POST=api.begin, DELETE=api.forget),
            route("/api/school/learner/token", POST=api.renew),
            route("/api/school/export", GET=api.export),
            route("/api/school/progress", GET=api.progress),
            route("/api/school/practice", GET=api.practice),
            route("/api/school/work", POST=PostApi(self.hall, api).keep),
            route("/api/school/instructor", POST=api.instruct),
            route("/api/school/class", GET=api.of_class),
            route("/api/school/audition", GET=audition.question, POST=audition.report),
            route("/school", GET=pages.home),
            route("/school/practice", GET=pages.practice),
            route("/school/progress", GET=pages.progress),
            route("/school/class", GET=pages.of_class),
            route("/school/audition", GET=pages.audition),
            route("/school/drill/{drill}", GET=pages.drill),
            route("/school/{lesson}", GET=pages.lesson),
        ]

    def _pages(self) -> list[Route]:
        workshop = Workshop()
        opening, operating = OpeningPage(workshop), OperatingPage(self.hall, self.tables.operator)
        daily = DailyPages(self.hall)
        return [
            route("/", GET=LobbyPages(self.hall).lobby),
            route("/t/{table}", GET=TablePages(self.hall).table),
            route("/t/{table}/replay", GET=ReplayPages(self.hall).walk),
            route("/t/{table}/learn", GET=LearnPage(self.hall).page),
            route("/t/{table}/luck", GET=self._luck),
            route("/open", GET=opening.form),
            route("/api/lint", POST=opening.lint),
            route("/operate", GET=operating.page),
            route("/api/operate", GET=operating.tables),
            *reading_routes(workshop),
            route("/daily", GET=daily.page),
            route("/daily/{table}", GET=daily.table),
            route("/api/daily", GET=daily.today, POST=daily.play),
            route("/api/daily/{day}", GET=daily.day),
        ]

    async def health(self, request: Request) -> Response:
        """``/healthz``: whether the store can be asked."""
        return json_answer({"ok": True, "version": VERSION, "at": await self.hall.store.now()})

    async def measures(self, request: Request) -> Response:
        """``/metrics``, for the operator."""
        await self.tables.operator(request)
        commits = self.hall.store.writer.sizes
        self.metrics.put("passline_commits_total", sum(commits.values()))
        self.metrics.put("passline_appends_total", sum(n * of for n, of in commits.items()))
        self.metrics.put("passline_tables", len(self.hall.tables.warm()))
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")
