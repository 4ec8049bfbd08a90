"""Which path has which handler; and the pages that need no table, for every server of ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from passline.web.page_cache import BackgroundPageCache
from passline.web.pages.docs import DocsPages
from passline.web.pages.law import LawPages
from passline.web.pages.odds import OddsPages
from passline.web.pages.sessions import SessionPages
from passline.web.static_files import static_file

WebHandler = Callable[[Request], Awaitable[ASGIApp]]


def route(path: str, **handlers: WebHandler) -> Route:
    """A path and what each method does there; metrics call it by its path."""

    async def endpoint(request: Request) -> Any:
        method = "GET" if request.method == "HEAD" else request.method
        return await handlers[method](request)

    endpoint.__name__ = path
    return Route(path, endpoint, methods=list(handlers))


def reference_routes(page_cache: BackgroundPageCache) -> list[Route]:
    """What is read without a table: the law, what wagers are worth, the documentation."""
    law, docs = LawPages(page_cache), DocsPages(page_cache)
    worth = OddsPages(BackgroundPageCache())  # a par sheet may take seconds: the others do not wait
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
