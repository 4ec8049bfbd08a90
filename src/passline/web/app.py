"""The application: which request goes where."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from passline.live.hall import Hall
from passline.version import VERSION
from passline.web.answers import answer
from passline.web.guard import Guard
from passline.web.metrics import Metrics
from passline.web.pages import (
    DocsPages,
    LawPages,
    LobbyPages,
    OpeningPage,
    TablePages,
    WorthPages,
)
from passline.web.pages.heavy import Workshop
from passline.web.speakers import HouseKey
from passline.web.static_files import static_file
from passline.web.streams import Streams
from passline.web.tables import Tables
from passline.web.wagers import WagerSheets

Handler = Callable[[Request], Awaitable[ASGIApp]]


class App:
    """Everything that a server answers, as an ASGI application.

    ``hosts``: the names that it answers to, all if None.
    """

    def __init__(self, hall: Hall, house_key: str, hosts: Collection[str] | None = None) -> None:
        self.hall, self.metrics = hall, Metrics()
        self.streams = Streams(hall, self.metrics)
        self.tables = Tables(hall, HouseKey(house_key), self.streams, self.metrics)
        router = Router(self._routes(), redirect_slashes=False)
        self._guard = Guard(router, self.metrics, hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            await self._guard(scope, receive, send)

    def _routes(self) -> list[Route]:
        tables, table = self.tables, "/api/tables/{table}"
        wagers = WagerSheets(self.hall, tables.reader)
        return [
            _route(f"{table}/say", POST=tables.say),  # the first that is looked at, and most asked
            _route("/api/tables", GET=tables.lobby, POST=tables.open),
            _route(table, GET=tables.view),
            _route(f"{table}/events", GET=tables.events),
            _route(f"{table}/seats", POST=tables.sit),
            _route(f"{table}/sight", GET=tables.sight),
            _route(f"{table}/felt", GET=tables.felt),
            _route(f"{table}/wagers", GET=wagers.every),
            _route(f"{table}/wagers/{{slug}}", GET=wagers.one),
            _route(f"{table}/tokens", POST=tables.invite, DELETE=tables.withdraw),
            _route(f"{table}/cookie", POST=tables.keep_cookie, DELETE=tables.drop_cookie),
            _route(f"{table}/record", GET=tables.record),
            _route(f"{table}/log", GET=tables.log),
            _route("/healthz", GET=self.health),
            _route("/metrics", GET=self.measures),
            *self._pages(),
        ]

    def _pages(self) -> list[Route]:
        workshop = Workshop()
        law, docs, opening = LawPages(workshop), DocsPages(workshop), OpeningPage(workshop)
        worth = WorthPages(Workshop())  # a par sheet may take seconds: the others do not wait
        return [
            _route("/", GET=LobbyPages(self.hall).lobby),
            _route("/t/{table}", GET=TablePages(self.hall).table),
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
            _route("/docs", GET=docs.index),
            _route("/docs/{name}", GET=docs.document),
        ]

    async def health(self, request: Request) -> Response:
        """``/healthz``: whether the store can be asked."""
        return answer({"ok": True, "version": VERSION, "at": await self.hall.store.now()})

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
