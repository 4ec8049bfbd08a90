"""``/operate``: every table there is, for whoever holds the house key.

At each of them there is the operator's post: closing and reopening, limits, invitations, the
house's figures, the log. The key stays on this page: a table's cookie never holds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from passline.live.hall import Hall
from passline.web.answers import json_answer
from passline.web.frame import crumbs, framed
from passline.web.sending import send_once

_PAGE = f"""{crumbs(("/", "Lobby"))}
<h1>Operate</h1>
<p class="lead">Every table of this server, in the lobby or not, for whoever holds the house
key.</p>
<noscript><p class="alert">This page needs its script: it sends the house key in a header.</p>
</noscript>
<form id="operate" class="search" autocomplete="off">
<label>House key <input name="key" type="password" autocomplete="off" required></label>
<button>Show the tables</button>
</form>
<div id="alert" role="alert"></div>
<section id="every" tabindex="-1" aria-label="Tables"></section>
<p class="after"><a href="/open">Open a table</a> in a form.</p>"""


class OperatingPage:
    """The operator's page and what it asks for. ``operator``: HallError for anybody else."""

    def __init__(self, hall: Hall, operator: Callable[[Request], Awaitable[None]]) -> None:
        self._hall, self._operator = hall, operator

    async def page(self, request: Request) -> Response:
        """``/operate``"""
        styles = ["felt.css", "table.css", "dice.css", "post.css"]
        page = framed("Operate", _PAGE, at="/", scripts=["operate.js"], styles=styles)
        return send_once(request, page)

    async def tables(self, request: Request) -> Response:
        """``GET /api/operate``: the lobby's lines of every table, with ``status`` and ``open``."""
        await self._operator(request)
        return json_answer(await self._hall.every_table())
