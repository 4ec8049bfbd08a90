"""The pages of a live table: ``/t/TABLE`` and its replay, ``/t/TABLE/replay``.

Both are sent without the game, which their scripts load from the API. So the page of a private
table shows nothing about it, not even its name, until the script has sent a token.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import PRIVATE_TABLE_NAME
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.web.page_templates import find_address, render_page
from passline.web.responses import page_response


async def table_page(service: TableService, request: Request) -> Response:
    """``GET /t/TABLE``: the page of a table."""
    table = request.path_params["table"]
    name = await _find_public_name(service, table)
    address = find_address(request)
    page = render_page("table.html", table=table, name=name, address=address)
    return page_response(request, page)


async def replay_page(service: TableService, request: Request) -> Response:
    """``GET /t/TABLE/replay``: the page of a live table's replay."""
    table = request.path_params["table"]
    return replay_page_response(request, table, await _find_public_name(service, table))


def replay_page_response(request: Request, table: str, name: str, has_log: bool = True) -> Response:
    """Return the response with the replay page of a game. ``name`` is the game's title.

    If ``has_log`` is false, the page offers no log to download.
    """
    address = find_address(request)
    page = render_page("replay.html", table=table, name=name, address=address, has_log=has_log)
    return page_response(request, page)


async def _find_public_name(service: TableService, table: str) -> str:
    """Return a table's name, or "A table" if it is private.

    Raise ServiceError if there is no such table.
    """
    try:
        holder = await service.reader(table)
        return str((await service.view(table, holder))["name"])
    except ServiceError as error:
        if error.code != "unauthorized":
            raise
        return PRIVATE_TABLE_NAME
