"""Wagers and their value: ``/api/tables/TABLE/wagers`` and ``/worth``.

``/wagers`` lists every wager of a table, like ``passline odds``, computed only once for each house.
``/worth`` values a seated player's open bets. Both are computed in a background thread.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.game.layout.spots import Layout
from passline.game.money.amounts import to_dollars
from passline.game.words.wagers import explain_wager, felt_wager_name
from passline.game.words.web import say_web
from passline.lab.pricing.wager_odds import Appraiser, RefusedOdds
from passline.live.log_entries import Entry, JsonObject
from passline.live.player_worth import MAX_LOG_ENTRIES, WorthCalculator
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.web.page_cache import BackgroundCache
from passline.web.responses import cached_json, json_response
from passline.web.table_api import TableApi

#: How many houses' wagers, and how many players' worths, are kept.
_CACHED_HOUSES: Final = 32
_CACHED_WORTHS: Final = 200
#: A log is too long to review when its entries hold more events than this on average.
_MAX_EVENTS_PER_ENTRY: Final = 4


class WagerApi:
    """The handlers of ``/api/tables/TABLE/wagers``: what each wager of a table is and pays."""

    def __init__(self, tables: TableApi) -> None:
        self._tables = tables
        self._rows_by_house: BackgroundCache[dict[str, JsonObject]] = BackgroundCache(
            _CACHED_HOUSES
        )

    async def list_all(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/wagers``: every wager, in the order of the layout."""
        rows = await self._find_rows(request)
        return cached_json(request, {"wagers": list(rows.values())})

    async def show_one(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/wagers/WAGER``: one wager."""
        rows, wager = await self._find_rows(request), request.path_params["slug"]
        if wager not in rows:
            raise ServiceError("not_found", say_web("no-wager"))
        return cached_json(request, rows[wager])

    async def _find_rows(self, request: Request) -> dict[str, JsonObject]:
        """Return the descriptions of all wagers of the request's table, by slug."""
        await self._tables.reader(request)
        cached = await self._tables.service.tables.get(request.path_params["table"])
        layout = cached.live.table.layout
        house = layout.house
        key = msgspec.json.encode((house.book.id, house.game, house.elections), order="sorted")
        return await self._rows_by_house.get(key, lambda: list_wagers(layout))


def list_wagers(layout: Layout) -> dict[str, JsonObject]:
    """Return a JSON object for every wager of a layout, by slug (``place-win-6``).

    The object has the name, rules, payoffs, edge, limits and clauses. The edge is None for a wager
    that exists only after another bet has traveled to a number, and for one whose stake the rules
    refuse. ``cost_per_throw`` is what a dollar on the wager loses per throw, on average.
    """
    appraiser, rows = Appraiser(layout.house), {}
    priced = set(appraiser.wagers)
    for slug, spot in layout.spots.items():
        row: JsonObject = {
            "slug": slug,
            "name": felt_wager_name(slug, spot.rule.title, spot.number),
            "what": explain_wager(layout, slug),
            "pays": str(spot.odds),
            "edge": None,
            "edge_percent": None,
            "cost_per_throw": _cost_per_throw(
                appraiser, spot.family if spot.only_travels else slug
            ),
            "least": to_dollars(spot.minimum),
            "most": to_dollars(spot.maximum),
            "cite": [spot.rule.made.cite],
            "book": layout.house.book.id,
        }
        odds = appraiser.price_wager(slug) if slug in priced else None
        if odds is not None and not isinstance(odds, RefusedOdds):
            row |= {
                "pays": odds.pays,
                "edge": str(odds.edge),
                "edge_percent": f"{float(odds.edge) * 100:.3f} %",
                "win": str(odds.win),
                "rolls": f"{float(odds.rolls):.2f}",
                "cite": list(odds.cites),
            }
        rows[slug] = row
    return rows


class WorthApi:
    """The handler of ``/api/tables/TABLE/worth``: what a player's bets cost and are worth."""

    def __init__(self, tables: TableApi) -> None:
        self._tables, self._service = tables, tables.service
        self._calculator = WorthCalculator()
        self._worths: BackgroundCache[dict[str, Any]] = BackgroundCache(_CACHED_WORTHS)

    async def worth(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/worth``: a player's chips, open bets, cost per hour, and rank."""
        table, holder = request.path_params["table"], await self._tables.reader(request)
        live = (await self._service.tables.get(table)).live
        player, seq = holder.name, live.head.seq
        if holder.role != "player" or live.table.find(player) is None:
            raise ServiceError("forbidden", say_web("sit-first"))
        key = table, player, seq
        log = None
        if key not in self._worths:
            log = await read_log_entries(self._service, table, seq, MAX_LOG_ENTRIES)
        worth = await self._worths.get(key, lambda: self._calculator.worth(live, player, log))
        return json_response(worth)


def _cost_per_throw(appraiser: Appraiser, slug: str) -> str:
    """Return how many dollars a dollar on a wager loses per throw, on average, as text.

    Return "0" if the wager has no price.
    """
    odds = appraiser.price_wager(slug) if slug in appraiser.wagers else None
    if odds is None or isinstance(odds, RefusedOdds):
        return "0"
    return f"{float(odds.edge_per_roll):.8f}"


async def read_log_entries(
    service: TableService, table: str, last: int, max_entries: int
) -> list[Entry] | None:
    """Return a table's log up to entry number ``last``, or None if it is too long to review.

    A log is too long if it has more than ``max_entries`` entries, or so many events that a review
    would take as long as that.
    """
    if last >= max_entries:
        return None
    entries: list[Entry] = []
    events = 0
    while len(entries) <= last:
        page = await service.entries(table, len(entries) - 1)
        if not page:
            break
        entries += page
        events += sum(
            1 + len(event.get("settlements", ())) for entry in page for event in entry.events
        )
        if events > _MAX_EVENTS_PER_ENTRY * max_entries:
            return None
    return entries[: last + 1]
