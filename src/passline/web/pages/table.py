"""A table: ``/t/T``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.live.hall import Hall
from passline.web.frame import framed
from passline.web.sending import send_once
from passline.web.table_page import TABLE_SCRIPTS, TABLE_STYLES, table_html

#: What a table that is not open is called by whoever has no token.
_CLOSED = "A table"


class TablePages:
    """The handlers of a table's pages."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def table(self, request: Request) -> Response:
        """``/t/T``: of a table that is not open the page tells nothing, not its name; its script
        trades an invitation's token, which only a browser sees, and then its API tells the rest."""
        table, name = request.path_params["table"], _CLOSED
        try:
            holder = await self.hall.reader(table)
            name = str((await self.hall.view(table, holder))["name"])
        except HallError as wrong:
            if wrong.status != 401:
                raise
        body = table_html(table, name)
        page = framed(name, body, scripts=TABLE_SCRIPTS, styles=TABLE_STYLES, wide=True)
        return send_once(request, page)


def puck_words(puck: object) -> str:
    """Where the puck is."""
    return f"on {puck}" if puck else "off"
