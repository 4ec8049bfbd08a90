"""The lobby, ``/``: the open tables, a form to host one, and the lobby's changes as a stream."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.house import make_house
from passline.game.law.book import Book
from passline.game.law.book_files import read_each_book
from passline.game.law.load import rulebook
from passline.live.table_settings import Pace
from passline.live.table_setup import PRACTICE_TABLE
from passline.web.event_streams import Stream
from passline.web.lobby_streams import LobbyPages
from passline.web.page_templates import find_address, read_search_words, render_page
from passline.web.request_limits import client_address
from passline.web.responses import page_response
from passline.web.table_api import TableApi, parse_entry_number

#: Bets that a host may add where the rulebook lets a house choose, with their labels.
_OFFERS: Final = {
    "offers.fire": "Fire bet",
    "offers.bonus": "Bonus bets",
    "offers.six-seven-eight": "6-7-8 bets",
}
_PAGE_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


class LobbyPage:
    """The handlers of the lobby."""

    def __init__(self, tables: TableApi) -> None:
        self._tables = tables
        self._pages = LobbyPages(tables.service.lobby_rows, tables.streams)

    async def page(self, request: Request) -> Response:
        """``GET /``: the open tables. ``?page=`` counts from 1, ``?q=`` searches their names."""
        words = read_search_words(request)
        lobby = await self._pages.page(_read_page_number(request), words)
        page = render_page(
            "lobby.html",
            address=find_address(request),
            lobby=lobby,
            query=request.query_params.get("q", "")[:100],
            is_first_page=lobby["page"] == 1 and not words,
            books=_list_books() if self._tables.hosting else (),
            chosen=PRACTICE_TABLE.rulebook,
            offers=list(_OFFERS.items()),
            pace=Pace(),
        )
        return page_response(request, page)

    async def events(self, request: Request) -> Response | Stream:
        """``GET /api/lobby/events``: a stream of a page of the lobby and then its changes."""
        after = parse_entry_number(request.headers.get("last-event-id", "-1"))
        if request.method == "HEAD":
            return Response(b"", media_type="text/event-stream")
        address = client_address(request)
        self._tables.streams.opened.check(address)
        channel = await self._pages.open(_read_page_number(request))
        return Stream(channel, after, address=address)


def _read_page_number(request: Request) -> int:
    number = request.query_params.get("page", "1")
    return int(number) if _PAGE_NUMBER.fullmatch(number) else 1


class HostedBook(NamedTuple):
    """A rulebook as the form for hosts offers it, with its limits in dollars."""

    id: str
    title: str
    minimum: str
    maximum: str
    offers: tuple[str, ...]


def _list_books() -> tuple[HostedBook, ...]:
    return tuple(_describe_book(book) for book in read_each_book(rulebook))


def _describe_book(book: Book) -> HostedBook:
    house = make_house(book, book.games.value[0], {})
    offers = tuple(key for key in _OFFERS if key in book.elect)
    return HostedBook(
        id=book.id,
        title=book.title,
        minimum=str(house.minimum // 100),
        maximum=str(house.maximum // 100),
        offers=offers,
    )
