"""``/daily``: the day's fifty throws, played in the browser, and the table of results."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live import daily
from passline.live.asks import HallError
from passline.live.daily import DailyAsked
from passline.live.hall import Hall
from passline.live.pacing import DAILY_THROWS
from passline.web.answers import json_answer, read_as
from passline.web.frame import crumbs, framed, rows_html
from passline.web.limits import Pacer
from passline.web.sending import send_once
from passline.web.speakers import shown_token
from passline.web.table_page import TABLE_SCRIPTS, TABLE_STYLES, table_html

#: How often one address sits down, within so many seconds.
_TRIES, _WITHIN = 30, 60.0

_RULES: Final = f"""<p class="lead">One shooter, {DAILY_THROWS} throws, the same for everybody
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

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._pacer = Pacer(_TRIES, within=_WITHIN)

    async def page(self, request: Request) -> Response:
        """``/daily``"""
        told = await self._told(daily.day_of(self._hall.clock.now()))
        return send_once(request, _page(told))

    async def table(self, request: Request) -> Response:
        """``/daily/T``: a player's own table."""
        live = (await self._hall.tables.get(request.path_params["table"])).live
        if not live.settings.daily:
            raise HallError(404, "that is no Daily: /t/ has the other tables")
        name = live.settings.name
        body = table_html(live.id, name)
        page = framed(
            name, body, at="/daily", scripts=TABLE_SCRIPTS, styles=TABLE_STYLES, wide=True
        )
        return send_once(request, page)

    async def today(self, request: Request) -> Response:
        """``GET /api/daily``"""
        return json_answer(await self._told(daily.day_of(self._hall.clock.now())))

    async def day(self, request: Request) -> Response:
        """``GET /api/daily/DAY``"""
        return json_answer(await self._told(request.path_params["day"]))

    async def play(self, request: Request) -> Response:
        """``POST /api/daily``"""
        shown_token(request)  # not from another origin
        address = request.client.host if request.client else ""
        if not self._pacer.takes(address):
            words = f"one address sits down {_TRIES} times in {_WITHIN:.0f} seconds at most"
            raise HallError(429, words, retry_after=self._pacer.wait(address))
        table, seat = await daily.play(self._hall, await read_as(request, DailyAsked))
        told = {"table": table, "name": seat.name, "token": seat.token, "url": f"/daily/{table}"}
        return json_answer(told, 201)

    async def _told(self, day: str) -> dict[str, Any]:
        return await daily.told_daily(self._hall, day)


def _page(told: dict[str, Any]) -> str:
    day = escape(told["day"])
    html = f"""{crumbs(("/", "Lobby"))}
<h1>Daily, {day}</h1>
{_RULES}
<noscript><p class="alert">Playing needs JavaScript; the results do not.</p></noscript>
<form id="daily" class="search" data-day="{day}">
<label>Name <input type="text" id="name" name="name" autocomplete="nickname" maxlength="40"
required></label>
<button type="submit">Play today's throws</button>
</form>
<p id="mine" hidden><a href="/daily" class="button">Go on with your throws</a></p>
<div id="alert" role="alert"></div>
<h2>Results so far</h2>
{_results(told["results"])}
<p>The fingerprint (SHA-256) of today's secret: <code>{escape(told["commit"])}</code>.
<a href="/docs/luck">How to check a day</a>.</p>"""
    return framed(f"Daily, {told['day']}", html, at="/daily", scripts=["daily.js"])


def _results(results: list[dict[str, Any]]) -> str:
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
    return rows_html("Results so far", ("Place", "Name", "Result", "Throws"), rows, figures=2)


def _signed(amount: str) -> str:
    """A result with its sign.

    >>> _signed("-12.00"), _signed("5.50"), _signed("0.00")
    ('−$12.00', '+$5.50', '$0.00')
    """
    if amount.startswith("-"):
        return f"−${amount[1:]}"
    return f"${amount}" if amount == "0.00" else f"+${amount}"
