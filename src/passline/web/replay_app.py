"""A replay without a server of live tables: one game, its page, and pages that need no table."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from passline.live.asks import HallError
from passline.replay import ReplaySource
from passline.web.frame import lead_to
from passline.web.guard import WebGuard
from passline.web.metrics import Metrics
from passline.web.pages.heavy import Workshop
from passline.web.pages.replay import replay_page
from passline.web.replays import GameFound, Replays
from passline.web.routes import WebHandler, reading_routes, route
from passline.web.sending import keep_body, send_body


class ReplayApp:
    """One game as an ASGI application, for one person: only this machine's own names are answered.

    ``record`` is the game as ``.craps``; ``log`` its log, where it has one.
    """

    def __init__(
        self, source: ReplaySource, record: str, log: str | None, hosts: Iterable[str]
    ) -> None:
        self.source, self._record, self._log = source, record, log
        routes = self._routes()
        self._paths = [route.path for route in routes]
        router = Router(routes, redirect_slashes=False)
        self._guard = WebGuard(router, Metrics(), frozenset(hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            lead_to("Game", self._paths)
            await self._guard(scope, receive, send)

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/t/{self.source.id}/replay"

    def _routes(self) -> list[Route]:
        own: dict[str, WebHandler] = {
            **Replays(self.find).handlers(),
            "/": self.start,
            "/t/{table}/replay": self.page,
            "/api/tables/{table}/record": self.record,
            "/api/tables/{table}/log": self.log,
        }
        pages = [route(path, GET=handler) for path, handler in own.items()]
        return [*pages, *reading_routes(Workshop())]

    async def find(self, request: Request) -> GameFound:
        """The game, if it is the one that is asked for."""
        if request.path_params["table"] != self.source.id:
            raise HallError(404, "there is no such game here")
        return GameFound(self.source)

    async def start(self, request: Request) -> Response:
        """``/``"""
        return RedirectResponse(self.path, 302)

    async def page(self, request: Request) -> Response:
        """``/t/T/replay``"""
        await self.find(request)
        return replay_page(request, self.source.id, self.source.name, log=self._log is not None)

    async def record(self, request: Request) -> Response:
        """``/api/tables/T/record``"""
        await self.find(request)
        return send_body(request, keep_body(self._record, "text/plain; charset=utf-8"))

    async def log(self, request: Request) -> Response:
        """``/api/tables/T/log``"""
        await self.find(request)
        if self._log is None:
            raise HallError(404, "a record has no log")
        return send_body(request, keep_body(self._log, "application/x-ndjson"))
