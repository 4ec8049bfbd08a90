"""``GET /api/tables/T/wagers`` and ``/wagers/SLUG``: what each wager of a table is and is worth.

The same rows as ``passline odds``: worked out beside the loop, once for a house.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.layout import Layout
from passline.live.asks import HallError
from passline.live.entries import JsonObject
from passline.live.hall import Hall
from passline.money import dollars
from passline.pricing.appraise import Appraiser
from passline.pricing.wager import RefusedOdds
from passline.web.answers import JSON
from passline.web.pages.heavy import Workshop
from passline.web.sending import ASK, keep_body, send_body
from passline.words.meanings import wager_meaning
from passline.words.wagers import cell_name

#: Houses whose wagers are kept.
_KEPT: Final = 32


class WagerSheets:
    """The handlers of what wagers are worth at a table. ``read``: HallError 401 where whoever
    asks may not read the table."""

    def __init__(self, hall: Hall, read: Callable[[Request], Awaitable[object]]) -> None:
        self._hall, self._read, self._workshop = hall, read, Workshop()
        self._kept: OrderedDict[bytes, dict[str, JsonObject]] = OrderedDict()

    async def every(self, request: Request) -> Response:
        """``/wagers``: all of them, in the order of the layout."""
        rows = await self._rows(request)
        return _send(request, {"wagers": list(rows.values())})

    async def one(self, request: Request) -> Response:
        """``/wagers/SLUG``"""
        rows, slug = await self._rows(request), request.path_params["slug"]
        if slug not in rows:
            raise HallError(404, "there is no such wager at this table")
        return _send(request, rows[slug])

    async def _rows(self, request: Request) -> dict[str, JsonObject]:
        await self._read(request)
        layout = (await self._hall.tables.get(request.path_params["table"])).live.table.layout
        key = _key(layout)
        if key not in self._kept:
            self._kept[key] = await self._workshop.done(lambda: wager_rows(layout))
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _key(layout: Layout) -> bytes:
    """A house by what it is: its book, its game, and everything it elects."""
    house = layout.house
    return msgspec.json.encode((house.book.id, house.game, house.elections), order="sorted")


def _send(request: Request, told: JsonObject) -> Response:
    return send_body(request, keep_body(msgspec.json.encode(told), JSON), ASK)


def wager_rows(layout: Layout) -> dict[str, JsonObject]:
    """Every wager of a layout: what it is, what it pays, its exact edge, its limits, its clauses.

    One that only travelling makes has no edge of its own: it was made as another.
    """
    appraiser, found = Appraiser(layout.house), {}
    priced = set(appraiser.wagers)
    for slug, spot in layout.spots.items():
        told: JsonObject = {
            "slug": slug,
            "name": cell_name(slug, spot.rule.title, spot.number),
            "what": wager_meaning(layout, slug),
            "pays": str(spot.odds),
            "edge": None,
            "edge_percent": None,
            "least": dollars(spot.minimum),
            "most": dollars(spot.maximum),
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
