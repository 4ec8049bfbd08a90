"""``/daily``: the day's fifty throws, played in the browser, and the table of results."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live import daily
from passline.live.daily import DailyRequest
from passline.live.requests import ServiceError
from passline.live.schedule import DAILY_THROWS
from passline.live.service import TableService
from passline.web.auth import find_token
from passline.web.limits import RateLimiter
from passline.web.page_layout import breadcrumbs, data_table_html, render_page
from passline.web.pages.table import TABLE_SCRIPTS, TABLE_STYLES, table_body
from passline.web.responses import json_response, page_response, read_json

#: How often one address sits down, within so many seconds.
_MAX_TRIES, _TRY_SECONDS = 30, 60.0

_RULES_HTML: Final = f"""<p class="lead">One shooter, {DAILY_THROWS} throws, the same for everybody
today.</p>
<ul>
<li>Everybody begins with ${daily.BUY_IN} under the New Jersey book, and buys in no more. A name has
one try a day.</li>
<li>After the last throw what is still up comes back at no action: it counts at its stake.</li>
<li>The day is that of the world's clock (UTC). Its dice follow from a secret whose fingerprint
stands below; when the day is over, the secret is told, and anybody can check every throw.</li>
</ul>"""


class DailyPages:
    """The handlers of Daily."""

    def __init__(self, hall: TableService) -> None:
        self._hall = hall
        self._pacer = RateLimiter(_MAX_TRIES, within=_TRY_SECONDS)

    async def page(self, request: Request) -> Response:
        """``/daily``"""
        told = await self._told(daily.format_day(self._hall.clock.now()))
        return page_response(request, _daily_page(told))

    async def table(self, request: Request) -> Response:
        """``/daily/T``: a player's own table."""
        live = (await self._hall.tables.get(request.path_params["table"])).live
        if not live.settings.daily:
            raise ServiceError("not_found", "that is no Daily: /t/ has the other tables")
        name = live.settings.name
        body = table_body(live.id, name)
        page = render_page(
            name, body, at="/daily", scripts=TABLE_SCRIPTS, styles=TABLE_STYLES, wide=True
        )
        return page_response(request, page)

    async def today(self, request: Request) -> Response:
        """``GET /api/daily``"""
        return json_response(await self._told(daily.format_day(self._hall.clock.now())))

    async def day(self, request: Request) -> Response:
        """``GET /api/daily/DAY``"""
        return json_response(await self._told(request.path_params["day"]))

    async def play(self, request: Request) -> Response:
        """``POST /api/daily``"""
        find_token(request)  # not from another origin
        address = request.client.host if request.client else ""
        if not self._pacer.takes(address):
            words = (
                f"one address sits down {_MAX_TRIES} times in {_TRY_SECONDS:.0f} seconds at most"
            )
            raise ServiceError("too_many_requests", words, retry_after=self._pacer.wait(address))
        table, seat = await daily.join_daily(self._hall, await read_json(request, DailyRequest))
        told = {"table": table, "name": seat.name, "token": seat.token, "url": f"/daily/{table}"}
        return json_response(told, 201)

    async def _told(self, day: str) -> dict[str, Any]:
        return await daily.daily_json(self._hall, day)


def _daily_page(told: dict[str, Any]) -> str:
    day = escape(told["day"])
    html = f"""{breadcrumbs(("/", "Lobby"))}
<h1>Daily, {day}</h1>
{_RULES_HTML}
<noscript><p class="alert">Playing needs JavaScript; the results do not.</p></noscript>
<form id="daily" class="search" data-day="{day}">
<label>Name <input type="text" id="name" name="name" autocomplete="nickname" maxlength="40"
required></label>
<button type="submit">Play today's throws</button>
</form>
<p id="mine" hidden><a href="/daily" class="button">Go on with your throws</a></p>
<div id="alert" role="alert"></div>
<h2>Results so far</h2>
{_results_table(told["results"])}
<p>The fingerprint (SHA-256) of today's secret: <code>{escape(told["commit"])}</code>.
<a href="/docs/luck">How to check a day</a>.</p>"""
    return render_page(f"Daily, {told['day']}", html, at="/daily", scripts=["daily.js"])


def _results_table(results: list[dict[str, Any]]) -> str:
    if not results:
        return "<p>Nobody has thrown today yet.</p>"
    rows = [
        [
            str(row["place"]),
            escape(row["name"]),
            _signed(row["result"]),
            f"{row['throws']}{'' if row['done'] else ', playing'}",
        ]
        for row in results
    ]
    return data_table_html("Results so far", ("Place", "Name", "Result", "Throws"), rows, figures=2)


def _signed(amount: str) -> str:
    """A result with its sign.

    >>> _signed("-12.00"), _signed("5.50"), _signed("0.00")
    ('−$12.00', '+$5.50', '$0.00')
    """
    if amount.startswith("-"):
        return f"−${amount[1:]}"
    return f"${amount}" if amount == "0.00" else f"+${amount}"
