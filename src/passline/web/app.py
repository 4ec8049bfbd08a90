"""The application: which request goes where."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from passline.live.hall import Hall
from passline.live.learner_keys import SchoolKeys
from passline.school.reviews import Reviews
from passline.version import VERSION
from passline.web.answers import json_answer
from passline.web.guard import WebGuard
from passline.web.metrics import Metrics
from passline.web.pages import (
    DailyPages,
    DocsPages,
    LawPages,
    LobbyPages,
    LuckPages,
    OpeningPage,
    ReplayPages,
    SessionPages,
    TablePages,
    WorthPages,
)
from passline.web.pages.heavy import Workshop
from passline.web.panels import WorthPanel
from passline.web.replays import LiveGames, Replays
from passline.web.school import (
    AuditionApi,
    LearnerDesk,
    LearnPage,
    PostApi,
    SchoolApi,
    SchoolPages,
)
from passline.web.speakers import HouseKey
from passline.web.static_files import static_file
from passline.web.streams import Streams
from passline.web.tables import TableRoutes
from passline.web.wagers import WagerSheets

#: Where lines are said, as the route has it.
_LINE = re.compile(r"/api/tables/([^/]+)/say")

Handler = Callable[[Request], Awaitable[ASGIApp]]


class App:
    """Everything that a server answers, as an ASGI application.

    ``hosts``: the names that it answers to, all if None. ``reviews`` and ``keys``: where the
    school's learners are kept; without them nothing is.
    """

    def __init__(
        self,
        hall: Hall,
        house_key: str,
        hosts: Collection[str] | None = None,
        reviews: Reviews | None = None,
        keys: SchoolKeys | None = None,
    ) -> None:
        self.hall, self.metrics = hall, Metrics()
        learners = LearnerDesk(reviews, keys, hall.clock.now)
        self.school = SchoolApi(HouseKey(house_key), learners)
        self.streams = Streams(hall, self.metrics)
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
        self._say = _route(f"{table}/say", POST=tables.say)
        return [
            self._say,
            _route("/api/tables", GET=tables.lobby, POST=tables.open),
            _route(table, GET=tables.view),
            _route(f"{table}/events", GET=tables.events),
            _route(f"{table}/seats", POST=tables.sit),
            _route(f"{table}/sight", GET=tables.sight),
            _route(f"{table}/post", GET=tables.post),
            _route(f"{table}/work", GET=tables.owed, POST=tables.work),
            _route(f"{table}/felt", GET=tables.felt),
            _route(f"{table}/worth", GET=WorthPanel(self.hall, tables.reader).worth),
            _route(f"{table}/wagers", GET=wagers.every),
            _route(f"{table}/wagers/{{slug}}", GET=wagers.one),
            _route(f"{table}/tokens", POST=tables.invite, DELETE=tables.withdraw),
            _route(f"{table}/cookie", POST=tables.keep_cookie, DELETE=tables.drop_cookie),
            _route(f"{table}/record", GET=tables.record),
            _route(f"{table}/log", GET=tables.log),
            *(_route(path, GET=handler) for path, handler in replays.handlers().items()),
            _route("/healthz", GET=self.health),
            _route("/metrics", GET=self.measures),
            *self._school_routes(),
            *self._pages(),
        ]

    def _school_routes(self) -> list[Route]:
        api, audition, pages = self.school, AuditionApi(self.school), SchoolPages(Workshop())
        return [
            _route("/api/school/questions", GET=api.questions),
            _route("/api/school/answer", POST=api.answer),
            _route("/api/school/learner", GET=api.me, POST=api.begin, DELETE=api.forget),
            _route("/api/school/learner/token", POST=api.renew),
            _route("/api/school/export", GET=api.export),
            _route("/api/school/progress", GET=api.progress),
            _route("/api/school/practice", GET=api.practice),
            _route("/api/school/work", POST=PostApi(self.hall, api).keep),
            _route("/api/school/instructor", POST=api.instruct),
            _route("/api/school/class", GET=api.of_class),
            _route("/api/school/audition", GET=audition.question, POST=audition.report),
            _route("/school", GET=pages.home),
            _route("/school/practice", GET=pages.practice),
            _route("/school/progress", GET=pages.progress),
            _route("/school/class", GET=pages.of_class),
            _route("/school/audition", GET=pages.audition),
            _route("/school/drill/{drill}", GET=pages.drill),
            _route("/school/{lesson}", GET=pages.lesson),
        ]

    def _pages(self) -> list[Route]:
        workshop = Workshop()
        law, docs, opening = LawPages(workshop), DocsPages(workshop), OpeningPage(workshop)
        worth = WorthPages(Workshop())  # a par sheet may take seconds: the others do not wait
        sessions, daily = SessionPages(Workshop()), DailyPages(self.hall)
        return [
            _route("/", GET=LobbyPages(self.hall).lobby),
            _route("/t/{table}", GET=TablePages(self.hall).table),
            _route("/t/{table}/replay", GET=ReplayPages(self.hall).walk),
            _route("/t/{table}/learn", GET=LearnPage(self.hall).page),
            _route("/t/{table}/luck", GET=LuckPages(self.hall, Workshop()).luck),
            _route("/static/{stamp}/{name}", GET=static_file),
            _route("/open", GET=opening.form),
            _route("/api/lint", POST=opening.lint),
            _route("/law", GET=law.books),
            _route("/law/{book}", GET=law.book),
            _route("/law/{book}/{clause:path}", GET=law.clause),
            *(_route(f"/{kind}", GET=worth.books) for kind in ("odds", "par", "placard")),
            _route("/odds/{book}", GET=worth.odds),
            _route("/par/{book}", GET=worth.par),
            _route("/placard/{book}", GET=worth.placard),
            _route("/daily", GET=daily.page),
            _route("/daily/{table}", GET=daily.table),
            _route("/api/daily", GET=daily.today, POST=daily.play),
            _route("/api/daily/{day}", GET=daily.day),
            _route("/session", GET=sessions.session),
            _route("/api/session", GET=sessions.data),
            _route("/docs", GET=docs.index),
            _route("/docs/{name}", GET=docs.document),
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


def _route(path: str, **handlers: Handler) -> Route:
    """A path and what each method does there; metrics call it by its path."""

    async def endpoint(request: Request) -> Any:
        method = "GET" if request.method == "HEAD" else request.method
        return await handlers[method](request)

    endpoint.__name__ = path
    return Route(path, endpoint, methods=list(handlers))
