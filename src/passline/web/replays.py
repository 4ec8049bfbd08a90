"""The replay's API: any moment of a game, its hands, its felt, and the game as CSV."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.live.hall import Hall
from passline.live.views import CREW
from passline.replay import GameWalk, GameWalks, NoMomentError, ReplaySource
from passline.replay.csv_export import csv_head, csv_rows
from passline.replay.report import felt_json, hand_json, moment_json
from passline.replay.sources import LiveSource
from passline.web.answers import JSON, in_pieces, json_answer
from passline.web.sending import keep_body, send_body
from passline.web.tables import TableRoutes

_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
#: Hands in one answer, at most.
_HANDS: Final = 50


class GameFound(NamedTuple):
    """The game that a request is about, and whether who asks sees the crew's work."""

    source: ReplaySource
    work: bool = True


Finder = Callable[[Request], Awaitable[GameFound]]


class LiveGames:
    """The tables of a hall, for whoever may read them."""

    def __init__(self, hall: Hall, tables: TableRoutes) -> None:
        self.hall, self.tables = hall, tables

    async def find(self, request: Request) -> GameFound:
        """The table that a path names. HallError 401, 404. What follows from an open table's log,
        which is public, everybody sees; behind closed doors the work list is the crew's."""
        holder = await self.tables.reader(request)
        live = (await self.hall.tables.get(request.path_params["table"])).live
        source = LiveSource(self.hall, live.id, live.settings.name)
        source.running = live.table.status != "closed"
        return GameFound(source, work=live.settings.open or holder.role in CREW)


class Replays:
    """The handlers of ``/api/tables/T/replay``."""

    def __init__(self, find: Finder) -> None:
        self._find, self._walks = find, GameWalks()

    def handlers(self) -> dict[str, Callable[[Request], Awaitable[Response]]]:
        """What answers at each path."""
        at = "/api/tables/{table}/replay"
        return {
            at: self.moment,
            f"{at}/hands": self.hands,
            f"{at}/felt": self.felt,
            f"{at}/csv": self.csv,
        }

    async def _walk(self, request: Request) -> tuple[GameWalk, GameFound]:
        found = await self._find(request)
        return self._walks.of(found.source), found

    async def moment(self, request: Request) -> Response:
        """``GET /api/tables/T/replay?at=N``: a moment; the last one where none is asked for."""
        asked = _number(request, "at")
        walk, found = await self._walk(request)
        upto = await walk.upto()
        try:
            moment = await walk.moment(upto if asked is None else asked)
        except NoMomentError as wrong:
            raise HallError(404, f"at: {wrong}") from None
        house = moment.after.table.house
        game = {
            "table": found.source.id,
            "name": found.source.name,
            "rulebook": house.book.id,
            "game": house.game,
            "upto": upto,
            "running": found.source.running,
        }
        return json_answer({**game, **moment_json(moment, walk.throws, found.work)})

    async def hands(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/hands?from=H``: fifty hands from one on, and how many there
        are."""
        first = max(_number(request, "from") or 1, 1)
        walk, _ = await self._walk(request)
        await walk.upto()
        listed = range(first, min(first + _HANDS, walk.throws.hands + 1))
        hands = [hand_json(walk.throws.hand(hand)) for hand in listed]
        return json_answer({"hands": hands, "of": walk.throws.hands, "page": _HANDS})

    async def felt(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/felt``: the felt without anything on it."""
        walk, _ = await self._walk(request)
        drawn = felt_json((await walk.moment(0)).after.table)
        return send_body(request, keep_body(msgspec.json.encode(drawn), JSON))

    async def csv(self, request: Request) -> Response:
        """``GET /api/tables/T/replay/csv``: every settlement, and every change of an account."""
        walk, found = await self._walk(request)
        told = await in_pieces(request, _csv(walk), "text/csv; charset=utf-8")
        told.headers["Content-Disposition"] = f'attachment; filename="{found.source.id}.csv"'
        return told


async def _csv(walk: GameWalk) -> AsyncIterator[bytes]:
    yield csv_head().encode()
    async for moment in walk.moments():
        yield csv_rows(moment).encode()


def _number(request: Request, name: str) -> int | None:
    """A number of the query; None where it is not there. HallError 400 where it is none."""
    given = request.query_params.get(name)
    if given is None:
        return None
    if not _NUMBER.fullmatch(given):
        raise HallError(400, f"{name}: expected a number, not {given[:40]!r}")
    return int(given)
