"""The Daily, ``/daily`` and ``/api/daily``: the same fifty throws for every player of a day."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import say_web
from passline.live import daily
from passline.live.daily import DailyRequest
from passline.live.scheduled_actions import DAILY_THROWS
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.text import show_name
from passline.web.auth import find_token
from passline.web.page_templates import PageAddress, find_address, render_page, show_signed
from passline.web.request_body import read_json
from passline.web.request_limits import LogBudget, RateLimiter, client_address
from passline.web.responses import json_response, page_response

#: How often one address may start a Daily, and in how many seconds.
_MAX_TRIES, _TRY_SECONDS = 30, 60.0
#: How many tables of the Daily one address may open, and in how many seconds. One address cannot
#: open all tables of a day.
_MAX_NEW_TABLES, _NEW_TABLES_SECONDS = 60, 3600.0


class DailyPages:
    """The handlers of ``/daily`` and ``/api/daily`` (see `live.daily`).

    The entries of a new table count against the address's ``log_budget``.
    """

    def __init__(self, service: TableService, log_budget: LogBudget) -> None:
        self._service, self._log_budget = service, log_budget
        self._limiter = RateLimiter(_MAX_TRIES, seconds=_TRY_SECONDS)
        self._new_tables = RateLimiter(_MAX_NEW_TABLES, seconds=_NEW_TABLES_SECONDS)

    async def page(self, request: Request) -> Response:
        """``GET /daily``: today's rules, the form to play, and today's results."""
        today = await self._describe_day(daily.format_day(self._service.clock.now()))
        return page_response(request, _render_daily_page(today, find_address(request)))

    async def table(self, request: Request) -> Response:
        """``GET /daily/TABLE``: one player's table of a Daily.

        Raise ServiceError if the table is no table of a Daily.
        """
        live = (await self._service.tables.get(request.path_params["table"])).live
        if not live.settings.daily:
            raise ServiceError("not_found", say_web("not-a-daily", table=live.id))
        page = render_page("table.html", table=live.id, name=live.settings.name, section="/daily")
        return page_response(request, page)

    async def today(self, request: Request) -> Response:
        """``GET /api/daily``: today's results as JSON."""
        return json_response(await self._describe_day(daily.format_day(self._service.clock.now())))

    async def day(self, request: Request) -> Response:
        """``GET /api/daily/DAY``: the results of a day as JSON."""
        return json_response(await self._describe_day(request.path_params["day"]))

    async def play(self, request: Request) -> Response:
        """``POST /api/daily``: seat a player at their own table of today's Daily."""
        find_token(request)  # Refuses requests from pages of other sites.
        address = client_address(request)
        self._limiter.check(address, "rate.daily")
        body = await read_json(request, DailyRequest)

        def admit() -> None:
            self._new_tables.check(address, "rate.daily")
            self._log_budget.check(address)

        table, seat = await daily.join_daily(self._service, body, address, admit)
        if (cached := self._service.tables.get_cached(table)) is not None:
            first = [one for one in cached.recent if one.seq < 2]
            self._log_budget.spend(address, sum(len(one.text) for one in first))
        seated = {"table": table, "name": seat.name, "token": seat.token, "url": f"/daily/{table}"}
        return json_response(seated, 201)

    async def _describe_day(self, day: str) -> dict[str, Any]:
        return await daily.daily_json(self._service, day)


def _render_daily_page(today: dict[str, Any], address: PageAddress) -> str:
    rows = [
        [
            row["place"] or "not ranked",
            show_name(row["name"]),
            show_signed(Fraction(row["result"]) * 100),
            f"{row['throws']}{'' if row['done'] else ', playing'}",
        ]
        for row in today["results"]
    ]
    return render_page(
        "daily.html",
        address=address,
        day=today["day"],
        commit=today["commit"],
        rows=rows,
        throws=DAILY_THROWS,
        buy_in=daily.BUY_IN,
    )
