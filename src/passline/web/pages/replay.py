"""A game walked through: ``/t/T/replay``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.live.hall import Hall
from passline.web.frame import framed
from passline.web.replay_page import replay_html
from passline.web.sending import send_once


class ReplayPages:
    """The handler of a live table's replay."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def walk(self, request: Request) -> Response:
        """``/t/T/replay``: what a closed door hides, its API tells to who has a token."""
        table, name = request.path_params["table"], "A table"
        try:
            holder = await self.hall.reader(table)
            name = str((await self.hall.view(table, holder))["name"])
        except HallError as wrong:
            if wrong.status != 401:
                raise
        return replay_page(request, table, name)


def replay_page(request: Request, table: str, name: str, log: bool = True) -> Response:
    """The page of a game; ``log``: there is one to take home."""
    page = framed(
        f"{name}: replay",
        replay_html(table, name, log),
        scripts=["replay.js"],
        styles=["felt.css", "replay.css"],
        wide=True,
    )
    return send_once(request, page)
