"""The replay of a live table, ``/t/TABLE/replay``. The page is sent empty; its script loads the
game from the API.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.live.service import TableService
from passline.web.page_templates import render_page
from passline.web.pages.table import find_public_name
from passline.web.responses import page_response


class ReplayPage:
    """The handler of a live table's replay."""

    def __init__(self, service: TableService) -> None:
        self._service = service

    async def page(self, request: Request) -> Response:
        """``GET /t/TABLE/replay``: the page of a replay, filled by its script."""
        table = request.path_params["table"]
        return replay_page_response(request, table, await find_public_name(self._service, table))


def replay_page_response(request: Request, table: str, name: str, has_log: bool = True) -> Response:
    """Return the replay page of a game. Without ``has_log`` the page offers no log to download."""
    page = render_page("replay.html", table=table, name=name, has_log=has_log)
    return page_response(request, page)
