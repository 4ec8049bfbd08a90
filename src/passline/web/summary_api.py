"""A player's result at a table, which the page shows on leaving."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.stay_summary import StaySummary, summarize_log, summarize_seat
from passline.web.page_cache import BackgroundCache
from passline.web.responses import json_response
from passline.web.table_api import TableApi
from passline.web.wager_api import read_log_entries

#: The longest log that is reviewed for luck, in entries, and how many summaries are kept.
_MAX_ENTRIES: Final = 5_000
_MAX_SUMMARIES: Final = 500


class SummaryApi:
    """The handler of ``/api/tables/TABLE/summary``: a player's money, throws, best hand, luck."""

    def __init__(self, tables: TableApi) -> None:
        self._tables, self._service = tables, tables.service
        self._summaries = BackgroundCache[StaySummary](_MAX_SUMMARIES)

    async def summary(self, request: Request) -> Response:
        """``GET /api/tables/TABLE/summary``: the result so far of the token's player."""
        holder = await self._tables.reader(request)
        table = request.path_params["table"]
        live = (await self._service.tables.get(table)).live
        seat = live.table.find(holder.name) if holder.role == "player" else None
        if seat is None:
            raise ServiceError("forbidden", say_web("not-a-player"))
        entries = await read_log_entries(self._service, table, live.head.seq, _MAX_ENTRIES)
        if entries is None:
            return json_response(summarize_seat(seat, live.table.throws))
        key = table, live.head.seq, seat.id
        found = await self._summaries.get(key, lambda: summarize_log(entries, seat.id))
        return json_response(found)
