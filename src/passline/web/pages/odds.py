"""``/placard/BOOK``, ``/par/BOOK``, ``/odds/BOOK``: what a house pays, and what that is worth.

A query elects, as ``-o`` does for the commands: ``?odds.multiple=5&game=mini-craps``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.house import House
from passline.game.house.load import HouseError, house_for
from passline.game.house.placard_html import render_placard_parts
from passline.game.law.book_files import book_ids
from passline.game.law.load import rulebook
from passline.lab.pricing.odds_table import wager_section, wager_table
from passline.lab.pricing.par_formats import render_html_parts
from passline.lab.pricing.par_sheet import make_par_sheet
from passline.lab.pricing.wager_odds import OddsRow, WagerError, sheet
from passline.live.requests import ServiceError
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import (
    breadcrumbs,
    build_path,
    data_table_html,
    link,
    options_html,
    render_page,
)
from passline.web.pages.law import clause_link, require_book
from passline.web.responses import cached_response

_PAGE_KINDS: Final = {"odds": "Odds", "par": "Par sheet", "placard": "Placard"}
_ODDS_MULTIPLE: Final = "odds.multiple"
#: Elections of one address, and characters of them.
_MAX_ELECTIONS, _MAX_QUERY_LENGTH = 40, 2000

Elections = tuple[tuple[str, str], ...]


class OddsPages:
    """The handlers of placards, par sheets and odds."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache = page_cache

    async def books(self, request: Request) -> Response:
        """``/odds``: of which house?"""
        return cached_response(request, await self._page_cache.made(("worth",), _books_page))

    async def odds(self, request: Request) -> Response:
        """``/odds/BOOK``, and with ``?wager=`` one wager in full."""
        return await self._house_response(request, "odds", _odds_page)

    async def par(self, request: Request) -> Response:
        """``/par/BOOK``"""
        return await self._house_response(request, "par", _par_page)

    async def placard(self, request: Request) -> Response:
        """``/placard/BOOK``"""
        return await self._house_response(request, "placard", _placard_page)

    async def _house_response(
        self, request: Request, kind: str, page: Callable[[House, Elections], str]
    ) -> Response:
        book = require_book(request)
        asked = tuple((key, value) for key, value in request.query_params.multi_items() if value)
        if len(asked) > _MAX_ELECTIONS or len(request.url.query) > _MAX_QUERY_LENGTH:
            raise ServiceError(
                "invalid", f"a house elects {_MAX_ELECTIONS} things at most in an address"
            )

        def make() -> str:
            given = dict(asked)
            options = [(key, value) for key, value in asked if key not in {"game", "wager"}]
            try:
                return page(house_for(book, given.get("game"), options), asked)
            except (HouseError, WagerError) as wrong:
                raise ServiceError("invalid", str(wrong)) from None

        return cached_response(request, await self._page_cache.made((kind, book, asked), make))


def _books_page() -> str:
    rows = [
        [
            escape(rulebook(book).title),
            *(link(build_path(kind, book), words) for kind, words in _PAGE_KINDS.items()),
        ]
        for book in book_ids()
    ]
    table = data_table_html(
        "What is it worth, by rulebook", ("Rulebook", *_PAGE_KINDS.values()), rows
    )
    html = (
        '<h1>What is it worth?</h1>\n<p class="lead">Every wager of every house, exactly: its '
        "chances, its edge, what it pays. Each page takes a house's elections.</p>\n"
        f"{table}\n"
        '<p><a href="/session">A strategy\'s session</a>: how an evening ends, exactly.</p>'
    )
    return render_page("What is it worth?", html, at="/odds")


def _house_tabs(kind: str, house: House, asked: Elections) -> str:
    """The way here, and the same house's other pages."""
    query = f"?{urlencode([pair for pair in asked if pair[0] != 'wager'])}" if asked else ""
    here = ' aria-current="page"'
    tabs = "".join(
        f'<li><a href="{escape(build_path(one, house.book.id) + query)}"'
        f"{here if one == kind else ''}>{words}</a></li>"
        for one, words in _PAGE_KINDS.items()
    )
    law = link(build_path("law", house.book.id), "Law")
    return (
        f"{breadcrumbs(('/odds', 'Odds'))}\n"
        f'<nav class="tabs" aria-label="Of this house"><ul>{tabs}<li>{law}</li></ul></nav>'
    )


def _house_form(kind: str, house: House, asked: Elections) -> str:
    """A house to choose: its game, its odds, and what its book lets it elect."""
    given, book = dict(asked), house.book
    fields = []
    if len(book.games.value) > 1:
        games = options_html(((game, game) for game in book.games.value), house.game)
        fields.append(f'<label>Game <select name="game">{games}</select></label>')
    if book.odds.default is not None:
        fields.append(
            f'<label>Odds multiple <input name="{_ODDS_MULTIPLE}" size="6" '
            f'placeholder="{escape(str(book.odds.default.value))}" '
            f'value="{escape(given.get(_ODDS_MULTIPLE, ""))}"></label>'
        )
    for key, elective in book.elect.items():
        default = elective.default.value
        choices = [("", f"{_choice_text(default)} (default)")]
        choices += [
            (_choice_text(c), _choice_text(c)) for c in elective.choices.value if c != default
        ]
        chosen = options_html(choices, given.get(key, ""))
        name = escape(key)
        fields.append(f'<label>{name} <select name="{name}">{chosen}</select></label>')
    if not fields:
        return ""
    return (
        f'<details class="elect"{" open" if asked else ""}>\n<summary>Another house</summary>\n'
        f'<form action="{build_path(kind, book.id)}" method="get">{"".join(fields)}'
        "<button>Show</button></form>\n</details>"
    )


def _choice_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _odds_page(house: House, asked: Elections) -> str:
    given, book = dict(asked), house.book.id
    wager = given.get("wager")
    rows = sheet(house, wager, options=True, with_odds=wager is None)
    title = f"{house.name}: {house.game}"
    if wager is not None:
        body = "\n".join(wager_section(row, lambda cite: clause_link(book, cite)) for row in rows)
    else:
        body = _house_form("odds", house, asked) + wager_table(rows, _wager_linker(book, asked))
    html = f"{_house_tabs('odds', house, asked)}\n<h1>{escape(title)}</h1>\n{body}"
    return render_page(f"{wager or 'Odds'}, {title}", html, at="/odds")


def _wager_linker(book: str, asked: Sequence[tuple[str, str]]) -> Callable[[OddsRow, str], str]:
    def shown(row: OddsRow, label: str) -> str:
        query = urlencode([*asked, ("wager", row.wager)])
        return link(f"{build_path('odds', book)}?{query}", label)

    return shown


def _par_page(house: House, asked: Elections) -> str:
    par = make_par_sheet(house, options=True)
    head, body = render_html_parts(par)
    html = (
        f"{_house_tabs('par', house, asked)}\n{head}\n{_house_form('par', house, asked)}\n"
        f'<div class="par">\n{body}\n</div>'
    )
    return render_page(
        f"Par sheet, {par.title}", html, at="/odds", styles=["sheets.css"], wide=True
    )


def _placard_page(house: House, asked: Elections) -> str:
    head, body = render_placard_parts(house)
    html = (
        f"{_house_tabs('placard', house, asked)}\n{_house_form('placard', house, asked)}\n"
        f'<div class="placard">\n<div class="head">\n{head}\n</div>\n'
        f'<div class="columns">\n{body}\n</div>\n</div>'
    )
    title = f"Placard, {house.name}: {house.game}"
    return render_page(title, html, at="/odds", styles=["sheets.css"])
