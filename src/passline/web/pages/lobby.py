"""The lobby, ``/``: every open table, with links to play, watch or replay it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook
from passline.live.service import TableService
from passline.web.page_templates import render_page
from passline.web.responses import page_response


class LobbyPage:
    """The handler of the lobby."""

    def __init__(self, service: TableService) -> None:
        self._service = service

    async def lobby(self, request: Request) -> Response:
        """``GET /``: the list of open tables."""
        tables = [_describe_table(table) for table in await self._service.lobby()]
        return page_response(request, render_page("lobby.html", tables=tables))


def _describe_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a table of the lobby's JSON to the values that the template shows."""
    return {
        **table,
        "id": table["table"],
        "rulebook": _book_title(table["rulebook"]),
        "minimum": f"${_group_thousands(table['minimum'])}",
        "maximum": f"${_group_thousands(table['maximum'])}",
    }


def _group_thousands(amount: str) -> str:
    """Format dollars with commas, and leave out the cents if they are zero.

    >>> _group_thousands("5000.00"), _group_thousands("2.50")
    ('5,000', '2.50')
    """
    dollars, _, cents = amount.partition(".")
    return f"{int(dollars):,}" + (f".{cents}" if cents.strip("0") else "")


def _book_title(book_id: str) -> str:
    """Return a rulebook's title, or its id if the rulebook is no longer installed."""
    try:
        return rulebook(book_id).title
    except BookError:
        return book_id
