"""The replay of a game: its API, and the handlers of ``passline replay``.

``ReplayApi`` serves any moment of a game, its hands, its empty layout, and its settlements as CSV,
at ``/api/tables/TABLE/replay``. ``RecordedGame`` is a finished game from a record or a log file,
served without the table service.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from passline.game.words.web import say_web
from passline.live.replay.export import csv_header, csv_rows, felt_json, hand_json, moment_json
from passline.live.replay.timeline import (
    GameTimeline,
    LiveTableSource,
    NoMomentError,
    ReplaySource,
    TimelineCache,
)
from passline.live.schema import ServiceError
from passline.live.views import CREW_ROLES
from passline.web.pages.table import replay_page_response
from passline.web.responses import (
    cached_json,
    cached_response,
    json_response,
    prepare_body,
    stream_response,
)
from passline.web.table_api import TableApi

_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
#: How many hands one response holds.
_HANDS_PER_PAGE: Final = 50


class ReplayTarget(NamedTuple):
    """The game that a request names.

    ``work`` says whether the client may see the crew's work list.
    """

    source: ReplaySource
    work: bool = True


async def find_live_game(tables: TableApi, request: Request) -> ReplayTarget:
    """Return the live table that a request names, and whether the client may see the work list.

    Anyone can compute the crew's work list for an open table from its public log. At a private
    table only the crew may see it. Raise ServiceError if the client may not read the table.
    """
    holder = await tables.reader(request)
    live = (await tables.service.tables.get(request.path_params["table"])).live
    source = LiveTableSource(tables.service, live.id, live.settings.name)
    source.running = live.table.status != "closed"
    return ReplayTarget(source, work=live.settings.open or holder.role in CREW_ROLES)


class ReplayApi:
    """The handlers of ``/api/tables/TABLE/replay``.

    ``find`` returns the game that a request names.
    """

    def __init__(self, find: Callable[[Request], Awaitable[ReplayTarget]]) -> None:
        self._find, self._timelines = find, TimelineCache()

    async def _find_timeline(self, request: Request) -> tuple[GameTimeline, ReplayTarget]:
        """Return (timeline, game) for a request. The timeline finds any moment of the game."""
        target = await self._find(request)
        return self._timelines.get(target.source), target

    async def moment(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/replay?at=N``: the table after line N, by default the last."""
        number = _parse_query_number(request, "at")
        timeline, target = await self._find_timeline(request)
        upto = await timeline.last_number()
        try:
            moment = await timeline.moment(upto if number is None else number)
        except NoMomentError as error:
            raise ServiceError("not_found", str(error)) from None
        house = moment.after.table.house
        game = {
            "table": target.source.id,
            "name": target.source.name,
            "rulebook": house.book.id,
            "game": house.game,
            "upto": upto,
            "running": target.source.running,
        }
        return json_response({**game, **moment_json(moment, timeline.throws, target.work)})

    async def hands(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/replay/hands?from=H``: fifty hands from number H on.

        ``of`` in the response is how many hands the game has.
        """
        first = max(_parse_query_number(request, "from") or 1, 1)
        timeline, _ = await self._find_timeline(request)
        await timeline.last_number()
        listed = range(first, min(first + _HANDS_PER_PAGE, timeline.throws.hands + 1))
        hands = [hand_json(timeline.throws.hand(hand)) for hand in listed]
        return json_response({"hands": hands, "of": timeline.throws.hands, "page": _HANDS_PER_PAGE})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/replay/felt``: the layout without chips and dice."""
        timeline, _ = await self._find_timeline(request)
        return cached_json(request, felt_json((await timeline.moment(0)).after.table))

    async def csv(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/replay/csv``: every settlement and every change of an account."""
        timeline, target = await self._find_timeline(request)
        response = await stream_response(request, _csv_pieces(timeline), "text/csv; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="{target.source.id}.csv"'
        return response


async def _csv_pieces(timeline: GameTimeline) -> AsyncGenerator[bytes, None]:
    yield csv_header().encode()
    async for moment in timeline.moments():
        yield csv_rows(moment).encode()


def _parse_query_number(request: Request, name: str) -> int | None:
    """Return the number in the query parameter ``name``, or None if it is missing.

    Raise ServiceError if it is not a number.
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise ServiceError("invalid", say_web("not-a-number", name=name))
    return int(text)


class RecordedGame:
    """The handlers of ``passline replay``, which serves one finished game.

    ``record`` is the game as ``.craps`` text; ``log`` is its log as text, None if it has none.
    """

    def __init__(self, source: ReplaySource, record: str, log: str | None) -> None:
        self.source, self._record, self._log = source, record, log
        self.path = f"/t/{source.id}/replay"

    async def find(self, request: Request) -> ReplayTarget:
        """Return the game. Raise ServiceError if the request's path names another one."""
        if request.path_params["table"] != self.source.id:
            raise ServiceError("not_found", say_web("other-replay"))
        return ReplayTarget(self.source)

    async def start(self, request: Request) -> Response:
        """``GET /``: redirect to the game's page."""
        return RedirectResponse(self.path, 302)

    async def page(self, request: Request) -> Response:
        """``GET /t/TABLE/replay``: the replay page."""
        await self.find(request)
        return replay_page_response(
            request, self.source.id, self.source.name, has_log=self._log is not None
        )

    async def record(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/record``: the game as ``.craps`` text."""
        await self.find(request)
        return cached_response(request, prepare_body(self._record, "text/plain; charset=utf-8"))

    async def log(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/log``: the game's log, if it has one."""
        await self.find(request)
        if self._log is None:
            raise ServiceError("not_found", say_web("no-log"))
        return cached_response(request, prepare_body(self._log, "application/x-ndjson"))
