"""Routes: which handler serves which path and method.

``live_routes`` lists every path of ``passline serve``, ``replay_routes`` those of ``passline
replay``. Both serve the reference pages: law, odds, sessions and documentation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from passline.web.health import OperatorApi
from passline.web.metrics import ROUTE_KEY
from passline.web.page_cache import BackgroundPageCache
from passline.web.pages.daily import DailyPages
from passline.web.pages.docs import DocsPages
from passline.web.pages.law import LawPages
from passline.web.pages.lobby import LobbyPage
from passline.web.pages.luck import LuckPage
from passline.web.pages.manifest import web_manifest
from passline.web.pages.odds import OddsPages
from passline.web.pages.operator import OpenTablePage, list_all_tables, operator_page
from passline.web.pages.sessions import SessionPages
from passline.web.pages.table import replay_page, table_page
from passline.web.replay import RecordedGame, ReplayApi, find_live_game
from passline.web.school.api import PostWorkApi, SchoolApi
from passline.web.school.auditions import AuditionApi
from passline.web.school.pages import LearnerPostPage, SchoolPages
from passline.web.school.shifts import ShiftApi
from passline.web.static_files import static_file
from passline.web.summary_api import SummaryApi
from passline.web.table_api import TableApi
from passline.web.wager_api import WagerApi, WorthApi

WebHandler = Callable[[Request], Awaitable[ASGIApp]]


class _Endpoint:
    """The ASGI application of one path: calls the handler of the request's method."""

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


def _route(path: str, **handlers: WebHandler) -> Route:
    """Return the route of a path, with a handler for each method (GET also serves HEAD)."""
    return Route(path, _Endpoint(path, handlers))


def make_router(routes: list[Route]) -> Router:
    """Return a router for these routes. It raises HTTPException 404 for any other path."""
    return Router(routes, redirect_slashes=False, default=_raise_not_found)


async def _raise_not_found(scope: Scope, receive: Receive, send: Send) -> None:
    raise HTTPException(404)


def live_routes(
    tables: TableApi,
    school: SchoolApi,
    operator: OperatorApi,
    auditions: AuditionApi,
    shifts: ShiftApi,
) -> list[Route]:
    """Return the routes of ``passline serve``."""
    luck = LuckPage(tables).luck
    replays = ReplayApi(partial(find_live_game, tables))
    return [
        *_table_api_routes(tables),
        *_replay_api_routes(replays),
        _route("/api/tables/{table}/luck", GET=luck),
        _route("/.well-known/passline.json", GET=tables.well_known),
        _route("/api/heads", GET=tables.heads),
        _route("/healthz", GET=operator.health),
        _route("/readyz", GET=operator.ready),
        _route("/metrics", GET=operator.show_metrics),
        *_school_routes(tables, school, auditions, shifts),
        *_shift_routes(shifts),
        *_page_routes(tables),
        _route("/t/{table}/luck", GET=luck),
        *_reference_routes(),
    ]


def replay_routes(game: RecordedGame) -> list[Route]:
    """Return the routes of ``passline replay``."""
    return [
        *_replay_api_routes(ReplayApi(game.find)),
        _route("/", GET=game.start),
        _route("/t/{table}/replay", GET=game.page),
        _route("/api/tables/{table}/record", GET=game.record),
        _route("/api/tables/{table}/log", GET=game.log),
        *_reference_routes(),
    ]


def _table_api_routes(tables: TableApi) -> list[Route]:
    wagers, table = WagerApi(tables), "/api/tables/{table}"
    return [
        _route(f"{table}/say", POST=tables.say),
        _route("/api/tables", GET=tables.lobby, POST=tables.open),
        _route(table, GET=tables.view),
        _route(f"{table}/events", GET=tables.events),
        _route(f"{table}/seats", POST=tables.sit),
        _route(f"{table}/page", GET=tables.page),
        _route(f"{table}/page/events", GET=tables.page_events),
        _route(f"{table}/work", GET=tables.list_work, POST=tables.work),
        _route(f"{table}/felt", GET=tables.felt),
        _route(f"{table}/worth", GET=WorthApi(tables).worth),
        _route(f"{table}/summary", GET=SummaryApi(tables).summary),
        _route(f"{table}/wagers", GET=wagers.list_all),
        _route(f"{table}/wagers/{{slug}}", GET=wagers.show_one),
        _route(f"{table}/tokens", POST=tables.invite, DELETE=tables.withdraw),
        _route(f"{table}/cookie", POST=tables.set_token_cookie, DELETE=tables.delete_token_cookie),
        _route(f"{table}/record", GET=tables.record),
        _route(f"{table}/log", GET=tables.log),
    ]


def _replay_api_routes(replays: ReplayApi) -> list[Route]:
    replay = "/api/tables/{table}/replay"
    return [
        _route(replay, GET=replays.moment),
        _route(f"{replay}/hands", GET=replays.hands),
        _route(f"{replay}/felt", GET=replays.felt),
        _route(f"{replay}/csv", GET=replays.csv),
    ]


def _school_routes(
    tables: TableApi, api: SchoolApi, auditions: AuditionApi, shifts: ShiftApi
) -> list[Route]:
    pages = SchoolPages(BackgroundPageCache(), deals_shifts=not shifts.are_off)
    learner: dict[str, WebHandler] = {
        "GET": api.show_learner,
        "POST": api.register,
        "DELETE": api.delete_learner,
    }
    return [
        _route("/api/school/questions", GET=api.questions),
        _route("/api/school/answer", POST=api.answer),
        _route("/api/school/learner", **learner),
        _route("/api/school/learner/token", POST=api.reissue_token),
        _route("/api/school/export", GET=api.export),
        _route("/api/school/progress", GET=api.progress),
        _route("/api/school/practice", GET=api.practice, POST=api.practice_visit),
        _route("/api/school/work", POST=PostWorkApi(tables.service, api).save),
        _route("/api/school/instructor", POST=api.create_instructor),
        _route("/api/school/class", GET=api.show_class),
        _route("/api/school/auditions", GET=auditions.list_own, POST=auditions.start),
        _route("/api/school/auditions/{audition}", GET=auditions.show),
        _route("/api/school/auditions/{audition}/answers", POST=auditions.answer),
        _route("/api/school/auditions/{audition}/finish", POST=auditions.finish),
        _route("/api/school/auditions/{audition}/shift", POST=auditions.shift),
        _route("/school", GET=pages.home),
        _route("/school/practice", GET=pages.practice),
        _route("/school/progress", GET=pages.progress),
        _route("/school/class", GET=pages.show_class),
        _route("/school/audition", GET=pages.audition),
        _route("/school/shift", GET=pages.shift),
        _route("/school/certificates", GET=auditions.verify),
        _route("/school/certificates/{audition}", GET=auditions.certificate),
        _route("/school/drill/{drill}", GET=pages.drill),
        _route("/school/{lesson}", GET=pages.lesson),
    ]


def _shift_routes(shifts: ShiftApi) -> list[Route]:
    return [
        _route("/api/school/shifts", POST=shifts.start),
        _route("/api/school/shifts/{shift}", GET=shifts.show),
        _route("/api/school/shifts/{shift}/state", GET=shifts.state),
        _route("/api/school/shifts/{shift}/calls", POST=shifts.answer_call),
        _route("/api/school/shifts/{shift}/dice-out", POST=shifts.dice_out),
        _route("/api/school/shifts/{shift}/done", POST=shifts.finish_phase),
        _route("/api/school/shifts/{shift}/end", POST=shifts.end),
    ]


def _page_routes(tables: TableApi) -> list[Route]:
    service, open_table, lobby = tables.service, OpenTablePage(), LobbyPage(tables)
    daily = DailyPages(service, tables.log_budget)
    return [
        _route("/", GET=lobby.page),
        _route("/api/lobby/events", GET=lobby.events),
        _route("/t/{table}", GET=partial(table_page, service)),
        _route("/t/{table}/replay", GET=partial(replay_page, service)),
        _route("/t/{table}/learn", GET=LearnerPostPage(service).page),
        _route("/open", GET=open_table.form),
        _route("/api/lint", POST=open_table.lint),
        _route("/operate", GET=operator_page),
        _route("/api/operate", GET=partial(list_all_tables, tables)),
        _route("/daily", GET=daily.page),
        _route("/daily/{table}", GET=daily.table),
        _route("/api/daily", GET=daily.today, POST=daily.play),
        _route("/api/daily/{day}", GET=daily.day),
    ]


def _reference_routes() -> list[Route]:
    """Return the routes of the pages that need no live table, and of the static files."""
    law, docs, odds, sessions = LawPages(), DocsPages(), OddsPages(), SessionPages()
    return [
        _route("/static/{stamp}/{name}", GET=static_file),
        _route("/manifest.webmanifest", GET=web_manifest),
        _route("/law", GET=law.books),
        _route("/law/{book}", GET=law.book),
        _route("/law/{book}/{clause:path}", GET=law.clause),
        *(_route(f"/{kind}", GET=odds.books) for kind in ("odds", "par", "placard")),
        _route("/odds/{book}", GET=odds.odds),
        _route("/par/{book}", GET=odds.par),
        _route("/placard/{book}", GET=odds.placard),
        _route("/session", GET=sessions.session),
        _route("/api/session", GET=sessions.data),
        _route("/docs", GET=docs.index),
        _route("/docs/{name}", GET=docs.document),
    ]
