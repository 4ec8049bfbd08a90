"""The lobby, ``/``: every open table, with links to play, watch or replay it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook
from passline.game.money.amounts import show_dollars
from passline.live.service import TableService
from passline.web.page_templates import render_page
from passline.web.responses import page_response


async def lobby_page(service: TableService, request: Request) -> Response:
    """``GET /``: the list of open tables."""
    tables = [_describe_table(table) for table in await service.lobby()]
    return page_response(request, render_page("lobby.html", tables=tables))


def _describe_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a table of the lobby's JSON to the values that the template shows."""
    limits = {key: show_dollars(Fraction(table[key]) * 100) for key in ("minimum", "maximum")}
    return {**table, **limits, "id": table["table"], "rulebook": _book_title(table["rulebook"])}


def _book_title(book_id: str) -> str:
    """Return a rulebook's title, or its id if the rulebook is no longer installed."""
    try:
        return rulebook(book_id).title
    except BookError:
        return book_id
