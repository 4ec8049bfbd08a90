"""``GET /api/tables/T/wagers`` and ``/wagers/SLUG``: what each wager of a table is and is worth.

The same rows as ``passline odds``: worked out beside the loop, once for a house.

``GET /api/tables/T/worth``: what a seated player's wagers are worth, worked out beside the
loop.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.game.layout.spots import Layout
from passline.game.money.amounts import to_dollars
from passline.game.words.wagers import explain_wager, felt_wager_name
from passline.lab.pricing.wager_odds import Appraiser, RefusedOdds
from passline.live.entries import Entry, JsonObject
from passline.live.player_worth import MAX_LOG_ENTRIES, WorthCalculator
from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.live.tokens import Holder
from passline.web.page_cache import BackgroundPageCache
from passline.web.responses import JSON, REVALIDATE, cached_response, json_response, prepare_body

#: Houses whose wagers are kept.
_CACHED_HOUSES: Final = 32


class WagerApi:
    """The handlers of what wagers are worth at a table. ``read``: ServiceError where whoever
    asks may not read the table."""

    def __init__(self, hall: TableService, read: Callable[[Request], Awaitable[object]]) -> None:
        self._hall, self._read, self._page_cache = hall, read, BackgroundPageCache()
        self._kept: OrderedDict[bytes, dict[str, JsonObject]] = OrderedDict()

    async def every(self, request: Request) -> Response:
        """``/wagers``: all of them, in the order of the layout."""
        rows = await self._rows(request)
        return _wager_response(request, {"wagers": list(rows.values())})

    async def one(self, request: Request) -> Response:
        """``/wagers/SLUG``"""
        rows, slug = await self._rows(request), request.path_params["slug"]
        if slug not in rows:
            raise ServiceError("not_found", "there is no such wager at this table")
        return _wager_response(request, rows[slug])

    async def _rows(self, request: Request) -> dict[str, JsonObject]:
        await self._read(request)
        layout = (await self._hall.tables.get(request.path_params["table"])).live.table.layout
        key = _house_cache_key(layout)
        if key not in self._kept:
            self._kept[key] = await self._page_cache.done(lambda: list_wagers(layout))
            while len(self._kept) > _CACHED_HOUSES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _house_cache_key(layout: Layout) -> bytes:
    """A house by what it is: its book, its game, and everything it elects."""
    house = layout.house
    return msgspec.json.encode((house.book.id, house.game, house.elections), order="sorted")


def _wager_response(request: Request, told: JsonObject) -> Response:
    return cached_response(request, prepare_body(msgspec.json.encode(told), JSON), REVALIDATE)


def list_wagers(layout: Layout) -> dict[str, JsonObject]:
    """Every wager of a layout: what it is, what it pays, its exact edge, its limits, its clauses.

    One that only travelling makes has no edge of its own: it was made as another.
    """
    appraiser, found = Appraiser(layout.house), {}
    priced = set(appraiser.wagers)
    for slug, spot in layout.spots.items():
        told: JsonObject = {
            "slug": slug,
            "name": felt_wager_name(slug, spot.rule.title, spot.number),
            "what": explain_wager(layout, slug),
            "pays": str(spot.odds),
            "edge": None,
            "edge_percent": None,
            "least": to_dollars(spot.minimum),
            "most": to_dollars(spot.maximum),
            "cite": [spot.rule.made.cite],
            "book": layout.house.book.id,
        }
        row = appraiser.row(slug) if slug in priced else None
        if row is not None and not isinstance(row, RefusedOdds):
            told |= {
                "pays": row.pays,
                "edge": str(row.edge),
                "edge_percent": f"{float(row.edge) * 100:.3f} %",
                "win": str(row.win),
                "rolls": f"{float(row.rolls):.2f}",
                "cite": list(row.cites),
            }
        found[slug] = told
    return found


#: Answers that are kept: whoever asks again before anything happened gets the same.
_CACHED_WORTHS: Final = 200
#: Events and settlements of an entry, on average, beyond which a log is looked back on no more.
_MAX_EVENTS_PER_ENTRY: Final = 4

FindReader = Callable[[Request], Awaitable[Holder]]


class WorthApi:
    """The handler of the panel. ``reader`` says who asks."""

    def __init__(self, hall: TableService, reader: FindReader) -> None:
        self._hall, self._reader = hall, reader
        self._desk, self._page_cache = WorthCalculator(), BackgroundPageCache()
        self._kept: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    async def worth(self, request: Request) -> Response:
        """``GET /api/tables/T/worth``"""
        table, holder = request.path_params["table"], await self._reader(request)
        live = (await self._hall.tables.get(table)).live
        player = holder.name
        if holder.role != "player" or live.table.find(player) is None:
            raise ServiceError("forbidden", "what is it worth to whom? sit down first")
        key = table, player, live.head.seq
        if key not in self._kept:
            log = await read_log_entries(self._hall, table, live.head.seq, MAX_LOG_ENTRIES)
            made = await self._page_cache.done(lambda: self._desk.worth(live, player, log))
            self._kept[key] = made
            while len(self._kept) > _CACHED_WORTHS:
                self._kept.popitem(last=False)
        return json_response(self._kept[key])


async def read_log_entries(
    hall: TableService, table: str, last: int, most: int
) -> list[Entry] | None:
    """A table's log up to an entry; None where it has more entries than ``most``, or where so much
    happened in them that they are as long to look back on as more would be."""
    if last >= most:
        return None
    found: list[Entry] = []
    happened = 0
    while len(found) <= last:
        page = await hall.entries(table, len(found) - 1)
        if not page:
            break
        found += page
        happened += sum(_count_events(entry) for entry in page)
        if happened > _MAX_EVENTS_PER_ENTRY * most:
            return None
    return found[: last + 1]


def _count_events(entry: Entry) -> int:
    """How much an entry has to tell: its events, and what a throw settled."""
    return sum(1 + len(event.get("settlements", ())) for event in entry.events)
