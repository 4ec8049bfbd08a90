"""The page of a live table, ``/t/TABLE``.

The page is sent empty: its script fills it from the API. So the page of a private table shows
nothing of it, not even its name, until the script has presented a token.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.live.requests import ServiceError
from passline.live.service import TableService
from passline.web.page_templates import PRIVATE_TABLE_NAME, render_page
from passline.web.responses import page_response


class TablePage:
    """The handler of a table's page."""

    def __init__(self, service: TableService) -> None:
        self._service = service

    async def table(self, request: Request) -> Response:
        """``GET /t/TABLE``: the page of a table, filled by its script."""
        table = request.path_params["table"]
        name = await find_public_name(self._service, table)
        return page_response(request, render_page("table.html", table=table, name=name))


async def find_public_name(service: TableService, table: str) -> str:
    """Return a table's name, or "A table" if it is private. Raise ServiceError if unknown."""
    try:
        holder = await service.reader(table)
        return str((await service.view(table, holder))["name"])
    except ServiceError as error:
        if error.code != "unauthorized":
            raise
        return PRIVATE_TABLE_NAME
