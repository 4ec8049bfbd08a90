"""The operator's pages: ``/open`` opens a table, ``/operate`` lists all of them.

``/open`` is a form that checks the house file while the operator types (``/api/lint``).
``/operate`` links to the operator's controls at each table: closing and reopening, limits,
invitations, the house's figures, the log. The house key stays on the page and is never in a cookie.
"""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.load import HouseError, describe_findings, lint_file, parse_house_file
from passline.game.law.book_files import read_each_book
from passline.game.law.load import rulebook
from passline.game.law.roles import POSTS as CREW
from passline.live.live_table import POST_NAMES
from passline.live.table_settings import Pace
from passline.live.table_setup import PRACTICE_TABLE
from passline.web.auth import find_token
from passline.web.page_cache import BackgroundPageCache, BackgroundRunner
from passline.web.page_templates import render_page
from passline.web.request_body import read_json
from passline.web.responses import json_response, page_response
from passline.web.table_api import TableApi


class LintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/lint``: a house file as TOML text."""

    house: str


class OpenTablePage:
    """The handlers of the form that opens a table, and of the check of its house file."""

    def __init__(self) -> None:
        self._pages, self._background = BackgroundPageCache(), BackgroundRunner()

    async def lint(self, request: Request) -> Response:
        """``POST /api/lint``: check a house file against its rulebook."""
        find_token(request)  # Refuses requests from pages of other sites.
        body = await read_json(request, LintRequest)
        return json_response(await self._background.run(lambda: _lint_house(body.house)))

    async def form(self, request: Request) -> Response:
        """``GET /open``: the form that opens a table."""
        return await self._pages.respond(request, _render_open_page)


def _lint_house(house: str) -> dict[str, object]:
    """Return what ``passline lint --json`` prints for a house file, or why it is unreadable."""
    try:
        file = parse_house_file(house.encode("utf-8", "replace"), "house")
    except HouseError as error:
        return {"ok": False, "error": str(error).removeprefix("house: "), "findings": []}
    return describe_findings(file, lint_file(file))


def _render_open_page() -> str:
    return render_page(
        "open_table.html",
        books=read_each_book(rulebook),
        first=rulebook(PRACTICE_TABLE.rulebook),
        pace=Pace(),
        posts=POST_NAMES,
        learner_posts=[post.name for post in CREW if post.relieved],
    )


async def operator_page(request: Request) -> Response:
    """``GET /operate``: the operator's list of tables. The page's script loads it from the API."""
    titles = {book.id: book.title for book in read_each_book(rulebook)}
    return page_response(request, render_page("operator.html", titles=titles))


async def list_all_tables(tables: TableApi, request: Request) -> Response:
    """``GET /api/operate``: every table as the lobby lists it, with ``status`` and ``open``."""
    await tables.require_operator(request)
    return json_response(await tables.service.all_tables())
