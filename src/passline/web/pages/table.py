"""A table: ``/t/T``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.live.hall import Hall
from passline.web.frame import framed
from passline.web.sending import send_once
from passline.web.table_page import table_html

_CLOSED = "This table is not open: its players and crew come with an invitation."


class TablePages:
    """The handlers of a table's pages."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def table(self, request: Request) -> Response:
        """``/t/T``"""
        table = request.path_params["table"]
        try:
            holder = await self.hall.reader(table)
        except HallError as wrong:
            if wrong.status != 401:
                raise
            return send_once(request, framed("A table", f"<h1>A table</h1>\n<p>{_CLOSED}</p>"))
        name = str((await self.hall.view(table, holder))["name"])
        body = table_html(table, name)
        styles = ["felt.css", "table.css", "dice.css"]
        page = framed(name, body, scripts=["table.js"], styles=styles, wide=True)
        return send_once(request, page)


def puck_words(puck: object) -> str:
    """Where the puck is."""
    return f"on {puck}" if puck else "off"
