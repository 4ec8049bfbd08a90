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

from passline.house import House
from passline.house.files import HouseError, house_for
from passline.house.placard_html import placard_parts
from passline.law import book_ids, rulebook
from passline.live.asks import HallError
from passline.pricing.odds_html import wager_section, wager_table
from passline.pricing.par import par_sheet
from passline.pricing.par_html import par_parts
from passline.pricing.rows import sheet
from passline.pricing.wager import OddsRow, WagerError
from passline.web.frame import crumbs, framed, link, options_html, path_of, rows_html
from passline.web.pages.heavy import Workshop
from passline.web.pages.law import clause_link, known_book
from passline.web.sending import send_body

_KINDS: Final = {"odds": "Odds", "par": "Par sheet", "placard": "Placard"}
_MULTIPLE: Final = "odds.multiple"
#: Elections of one address, and characters of them.
_MOST, _LONGEST = 40, 2000

Elected = tuple[tuple[str, str], ...]


class WorthPages:
    """The handlers of placards, par sheets and odds."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def books(self, request: Request) -> Response:
        """``/odds``: of which house?"""
        return send_body(request, await self._workshop.made(("worth",), _books))

    async def odds(self, request: Request) -> Response:
        """``/odds/BOOK``, and with ``?wager=`` one wager in full."""
        return await self._of_house(request, "odds", _odds)

    async def par(self, request: Request) -> Response:
        """``/par/BOOK``"""
        return await self._of_house(request, "par", _par)

    async def placard(self, request: Request) -> Response:
        """``/placard/BOOK``"""
        return await self._of_house(request, "placard", _placard)

    async def _of_house(
        self, request: Request, kind: str, page: Callable[[House, Elected], str]
    ) -> Response:
        book = known_book(request)
        asked = tuple((key, value) for key, value in request.query_params.multi_items() if value)
        if len(asked) > _MOST or len(request.url.query) > _LONGEST:
            raise HallError(400, f"a house elects {_MOST} things at most in an address")

        def make() -> str:
            given = dict(asked)
            options = [(key, value) for key, value in asked if key not in {"game", "wager"}]
            try:
                return page(house_for(book, given.get("game"), options), asked)
            except (HouseError, WagerError) as wrong:
                raise HallError(400, str(wrong)) from None

        return send_body(request, await self._workshop.made((kind, book, asked), make))


def _books() -> str:
    rows = [
        [
            escape(rulebook(book).title),
            *(link(path_of(kind, book), words) for kind, words in _KINDS.items()),
        ]
        for book in book_ids()
    ]
    table = rows_html("What is it worth, by rulebook", ("Rulebook", *_KINDS.values()), rows)
    html = (
        '<h1>What is it worth?</h1>\n<p class="lead">Every wager of every house, exactly: its '
        "chances, its edge, what it pays. Each page takes a house's elections.</p>\n"
        f"{table}\n"
        '<p><a href="/session">A strategy\'s session</a>: how an evening ends, exactly.</p>'
    )
    return framed("What is it worth?", html, at="/odds")


def _top(kind: str, house: House, asked: Elected) -> str:
    """The way here, and the same house's other pages."""
    query = f"?{urlencode([pair for pair in asked if pair[0] != 'wager'])}" if asked else ""
    here = ' aria-current="page"'
    tabs = "".join(
        f'<li><a href="{escape(path_of(one, house.book.id) + query)}"'
        f"{here if one == kind else ''}>{words}</a></li>"
        for one, words in _KINDS.items()
    )
    law = link(path_of("law", house.book.id), "Law")
    return (
        f"{crumbs(('/odds', 'Odds'))}\n"
        f'<nav class="tabs" aria-label="Of this house"><ul>{tabs}<li>{law}</li></ul></nav>'
    )


def _form(kind: str, house: House, asked: Elected) -> str:
    """A house to choose: its game, its odds, and what its book lets it elect."""
    given, book = dict(asked), house.book
    fields = []
    if len(book.games.value) > 1:
        games = options_html(((game, game) for game in book.games.value), house.game)
        fields.append(f'<label>Game <select name="game">{games}</select></label>')
    if book.odds.default is not None:
        fields.append(
            f'<label>Odds multiple <input name="{_MULTIPLE}" size="6" '
            f'placeholder="{escape(str(book.odds.default.value))}" '
            f'value="{escape(given.get(_MULTIPLE, ""))}"></label>'
        )
    for key, elective in book.elect.items():
        default = elective.default.value
        choices = [("", f"{_words(default)} (default)")]
        choices += [(_words(c), _words(c)) for c in elective.choices.value if c != default]
        chosen = options_html(choices, given.get(key, ""))
        name = escape(key)
        fields.append(f'<label>{name} <select name="{name}">{chosen}</select></label>')
    if not fields:
        return ""
    return (
        f'<details class="elect"{" open" if asked else ""}>\n<summary>Another house</summary>\n'
        f'<form action="{path_of(kind, book.id)}" method="get">{"".join(fields)}'
        "<button>Show</button></form>\n</details>"
    )


def _words(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _odds(house: House, asked: Elected) -> str:
    given, book = dict(asked), house.book.id
    wager = given.get("wager")
    rows = sheet(house, wager, options=True, with_odds=wager is None)
    title = f"{house.name}: {house.game}"
    if wager is not None:
        body = "\n".join(wager_section(row, lambda cite: clause_link(book, cite)) for row in rows)
    else:
        body = _form("odds", house, asked) + wager_table(rows, _to_wager(book, asked))
    html = f"{_top('odds', house, asked)}\n<h1>{escape(title)}</h1>\n{body}"
    return framed(f"{wager or 'Odds'}, {title}", html, at="/odds")


def _to_wager(book: str, asked: Sequence[tuple[str, str]]) -> Callable[[OddsRow, str], str]:
    def shown(row: OddsRow, label: str) -> str:
        query = urlencode([*asked, ("wager", row.wager)])
        return link(f"{path_of('odds', book)}?{query}", label)

    return shown


def _par(house: House, asked: Elected) -> str:
    par = par_sheet(house, options=True)
    head, body = par_parts(par)
    html = (
        f"{_top('par', house, asked)}\n{head}\n{_form('par', house, asked)}\n"
        f'<div class="par">\n{body}\n</div>'
    )
    return framed(f"Par sheet, {par.title}", html, at="/odds", styles=["sheets.css"], wide=True)


def _placard(house: House, asked: Elected) -> str:
    head, body = placard_parts(house)
    html = (
        f"{_top('placard', house, asked)}\n{_form('placard', house, asked)}\n"
        f'<div class="placard">\n<div class="head">\n{head}\n</div>\n'
        f'<div class="columns">\n{body}\n</div>\n</div>'
    )
    title = f"Placard, {house.name}: {house.game}"
    return framed(title, html, at="/odds", styles=["sheets.css"])
