"""The replay's API: any moment of a game, its hands, its felt, and the game as CSV.

A replay without a server of live tables: one game, its page, and pages that need no table.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from passline.live.replay.export import csv_header, csv_rows, felt_json, hand_json, moment_json
from passline.live.replay.timeline import (
    GameTimeline,
    LiveTableSource,
    NoMomentError,
    ReplaySource,
    TimelineCache,
)
from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.live.views import CREW_ROLES
from passline.web.metrics import Metrics
from passline.web.middleware import GuardMiddleware
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import limit_navigation
from passline.web.pages.replay import replay_page_response
from passline.web.responses import (
    JSON,
    cached_response,
    json_response,
    prepare_body,
    stream_response,
)
from passline.web.routes import WebHandler, make_router, reference_routes, route
from passline.web.table_api import TableApi

_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
#: Hands in one answer, at most.
_HANDS_PER_PAGE: Final = 50


class ReplayTarget(NamedTuple):
    """The game that a request is about, and whether who asks sees the crew's work."""

    source: ReplaySource
    work: bool = True


FindReplay = Callable[[Request], Awaitable[ReplayTarget]]


class LiveReplayFinder:
    """The tables of a hall, for whoever may read them."""

    def __init__(self, hall: TableService, tables: TableApi) -> None:
        self.hall, self.tables = hall, tables

    async def find(self, request: Request) -> ReplayTarget:
        """The table that a path names. ServiceError, 404. What follows from an open table's log,
        which is public, everybody sees; behind closed doors the work list is the crew's."""
        holder = await self.tables.reader(request)
        live = (await self.hall.tables.get(request.path_params["table"])).live
        source = LiveTableSource(self.hall, live.id, live.settings.name)
        source.running = live.table.status != "closed"
        return ReplayTarget(source, work=live.settings.open or holder.role in CREW_ROLES)


class ReplayApi:
    """The handlers of ``/api/tables/T/replay``."""

    def __init__(self, find: FindReplay) -> None:
        self._find, self._walks = find, TimelineCache()

    def handlers(self) -> dict[str, Callable[[Request], Awaitable[Response]]]:
        """What answers at each path."""
        at = "/api/tables/{table}/replay"
        return {
            at: self.moment,
            f"{at}/hands": self.hands,
            f"{at}/felt": self.felt,
            f"{at}/csv": self.csv,
        }

    async def _walk(self, request: Request) -> tuple[GameTimeline, ReplayTarget]:
        found = await self._find(request)
        return self._walks.get(found.source), found

    async def moment(self, request: Request) -> Response:
        """``GET /api/tables/T/replay?at=N``: a moment; the last one where none is asked for."""
        asked = _parse_query_number(request, "at")
        walk, found = await self._walk(request)
        upto = await walk.last_number()
        try:
            moment = await walk.moment(upto if asked is None else asked)
        except NoMomentError as wrong:
            raise ServiceError("not_found", f"at: {wrong}") from None
        house = moment.after.table.house
        game = {
            "table": found.source.id,
            "name": found.source.name,
            "rulebook": house.book.id,
            "game": house.game,
            "upto": upto,
            "running": found.source.running,
        }
        return json_response({**game, **moment_json(moment, walk.throws, found.work)})

    async def hands(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/hands?from=H``: fifty hands from one on, and how many there
        are."""
        first = max(_parse_query_number(request, "from") or 1, 1)
        walk, _ = await self._walk(request)
        await walk.last_number()
        listed = range(first, min(first + _HANDS_PER_PAGE, walk.throws.hands + 1))
        hands = [hand_json(walk.throws.hand(hand)) for hand in listed]
        return json_response({"hands": hands, "of": walk.throws.hands, "page": _HANDS_PER_PAGE})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/felt``: the felt without anything on it."""
        walk, _ = await self._walk(request)
        drawn = felt_json((await walk.moment(0)).after.table)
        return cached_response(request, prepare_body(msgspec.json.encode(drawn), JSON))

    async def csv(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/csv``: every settlement, and every change of an account."""
        walk, found = await self._walk(request)
        told = await stream_response(request, _csv_pieces(walk), "text/csv; charset=utf-8")
        told.headers["Content-Disposition"] = f'attachment; filename="{found.source.id}.csv"'
        return told


async def _csv_pieces(walk: GameTimeline) -> AsyncIterator[bytes]:
    yield csv_header().encode()
    async for moment in walk.moments():
        yield csv_rows(moment).encode()


def _parse_query_number(request: Request, name: str) -> int | None:
    """A number of the query; None where it is not there. ServiceError where it is none."""
    given = request.query_params.get(name)
    if given is None:
        return None
    if not _NUMBER.fullmatch(given):
        raise ServiceError("invalid", f"{name}: expected a number, not {given[:40]!r}")
    return int(given)


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
        self._guard = GuardMiddleware(make_router(routes), Metrics(), frozenset(hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            limit_navigation("Game", self._paths)
            await self._guard(scope, receive, send)

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/t/{self.source.id}/replay"

    def _routes(self) -> list[Route]:
        own: dict[str, WebHandler] = {
            **ReplayApi(self.find).handlers(),
            "/": self.start,
            "/t/{table}/replay": self.page,
            "/api/tables/{table}/record": self.record,
            "/api/tables/{table}/log": self.log,
        }
        pages = [route(path, GET=handler) for path, handler in own.items()]
        return [*pages, *reference_routes(BackgroundPageCache())]

    async def find(self, request: Request) -> ReplayTarget:
        """The game, if it is the one that is asked for."""
        if request.path_params["table"] != self.source.id:
            raise ServiceError("not_found", "there is no such game here")
        return ReplayTarget(self.source)

    async def start(self, request: Request) -> Response:
        """``/``"""
        return RedirectResponse(self.path, 302)

    async def page(self, request: Request) -> Response:
        """``/t/T/replay``"""
        await self.find(request)
        return replay_page_response(
            request, self.source.id, self.source.name, has_log=self._log is not None
        )

    async def record(self, request: Request) -> Response:
        """``/api/tables/T/record``"""
        await self.find(request)
        return cached_response(request, prepare_body(self._record, "text/plain; charset=utf-8"))

    async def log(self, request: Request) -> Response:
        """``/api/tables/T/log``"""
        await self.find(request)
        if self._log is None:
            raise ServiceError("not_found", "a record has no log")
        return cached_response(request, prepare_body(self._log, "application/x-ndjson"))
