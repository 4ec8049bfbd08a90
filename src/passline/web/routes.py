"""Routes: which handler serves which path and method, and the pages that need no live table.

``route`` declares one path. ``reference_routes`` are the law, odds, session and documentation
pages, which both ``passline serve`` and ``passline replay`` serve.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from passline.web.page_cache import BackgroundPageCache
from passline.web.pages.docs import DocsPages
from passline.web.pages.law import LawPages
from passline.web.pages.odds import OddsPages
from passline.web.pages.sessions import SessionPages
from passline.web.static_files import static_file

WebHandler = Callable[[Request], Awaitable[ASGIApp]]

#: The key under which a request's scope holds the path of its route, for the metrics.
ROUTE_KEY: Final = "passline.route"


class _Endpoint:
    """The handlers of one path, by method, as an ASGI application."""

    def __init__(self, path: str, handlers: dict[str, WebHandler]) -> None:
        self._path, self._handlers = path, handlers
        self._allowed = sorted({*handlers, "HEAD"} if "GET" in handlers else handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE_KEY] = self._path
        if scope["method"] not in self._allowed:
            raise HTTPException(405, headers={"Allow": ", ".join(self._allowed)})
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        response = await self._handlers[method](Request(scope, receive, send))
        await response(scope, receive, send)


def route(path: str, **handlers: WebHandler) -> Route:
    """Return the route of a path, with one handler for each method (GET also serves HEAD)."""
    return Route(path, _Endpoint(path, handlers))


def make_router(routes: list[Route]) -> Router:
    """Return a router for the routes. It raises HTTPException 404 for any other path."""
    return Router(routes, redirect_slashes=False, default=_raise_not_found)


async def _raise_not_found(scope: Scope, receive: Receive, send: Send) -> None:
    raise HTTPException(404)


def reference_routes(page_cache: BackgroundPageCache) -> list[Route]:
    """Return the routes of the pages that need no live table, and of the static files."""
    law, docs = LawPages(page_cache), DocsPages(page_cache)
    worth = OddsPages(
        BackgroundPageCache()
    )  # A par sheet may take seconds: other pages do not wait for it.
    sessions = SessionPages(BackgroundPageCache())
    return [
        route("/static/{stamp}/{name}", GET=static_file),
        route("/law", GET=law.books),
        route("/law/{book}", GET=law.book),
        route("/law/{book}/{clause:path}", GET=law.clause),
        *(route(f"/{kind}", GET=worth.books) for kind in ("odds", "par", "placard")),
        route("/odds/{book}", GET=worth.odds),
        route("/par/{book}", GET=worth.par),
        route("/placard/{book}", GET=worth.placard),
        route("/session", GET=sessions.session),
        route("/api/session", GET=sessions.data),
        route("/docs", GET=docs.index),
        route("/docs/{name}", GET=docs.document),
    ]
