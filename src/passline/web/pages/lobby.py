"""``/``: the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook
from passline.live.service import TableService
from passline.web.page_layout import build_path, link, render_page
from passline.web.pages.table import puck_words
from passline.web.responses import page_response

_NO_TABLES_HTML = """<p>No table is open now. The operator opens one with the house key, in
<a href="/open">a form</a> or by <a href="/docs/live">a request</a>; it then stands here.</p>"""


class LobbyPage:
    """The handler of the lobby."""

    def __init__(self, hall: TableService) -> None:
        self.hall = hall

    async def lobby(self, request: Request) -> Response:
        """``/``"""
        tables = await self.hall.lobby()
        return page_response(
            request, render_page("The lobby", _lobby_html(tables), at="/", scripts=["lobby.js"])
        )


def _lobby_html(tables: Sequence[Mapping[str, Any]]) -> str:
    count = f"{len(tables)} open table{'s' if len(tables) != 1 else ''}"
    cards = "\n".join(map(_table_card, tables))
    found = f'<ul class="tables">\n{cards}\n</ul>' if tables else _NO_TABLES_HTML
    return (
        f"<h1>The lobby</h1>\n"
        '<p class="lead">Sit down at a table, or watch one. Chips here are no money.</p>\n'
        f'<section id="tables" aria-label="{count if tables else "Tables"}">\n{found}\n</section>\n'
        f'<p class="after">With the house key: {link("/open", "open a table")} of your own, or '
        f"{link('/operate', 'operate')} those there are.</p>"
    )


def _table_card(table: Mapping[str, Any]) -> str:
    name, at = str(table["name"]), build_path("t", str(table["table"]))
    label = f"name-{escape(str(table['table']))}"
    facts = [
        ("Players", f"{table['players']} of {table['seats']}"),
        ("Limits", f"${_whole(table['minimum'])} to ${_whole(table['maximum'])}"),
        ("Puck", _puck_html(table["puck"])),
    ]
    told = "".join(
        f"<div><dt>{head}</dt><dd>{words if head == 'Puck' else escape(words)}</dd></div>"
        for head, words in facts
    )
    return (
        f'<li class="card">\n<h2 id="{label}">{link(at, name)}</h2>\n'
        f"<p>{escape(_book_title(str(table['rulebook'])))}, {escape(str(table['game']))}</p>\n"
        f"<dl>{told}</dl>\n"
        f'<p class="do"><a class="button" href="{at}" aria-describedby="{label}">'
        "Play or watch</a></p>\n"
        f'<p class="do"><a href="{at}/replay" aria-describedby="{label}">Replay</a></p>\n'
        "</li>"
    )


def _puck_html(puck: object) -> str:
    return f'<span class="puck {"on" if puck else "off"}">{escape(puck_words(puck))}</span>'


def _whole(amount: object) -> str:
    """Dollars, and cents where there are any: as ``"5.00"`` or ``"2.50"`` is given.

    >>> _whole("5000.00"), _whole("2.50")
    ('5,000', '2.50')
    """
    dollars, _, cents = str(amount).partition(".")
    return f"{int(dollars):,}" + (f".{cents}" if cents.strip("0") else "")


def _book_title(book_id: str) -> str:
    """A book's title; where a book of the house's own is gone, its id."""
    try:
        return rulebook(book_id).title
    except BookError:
        return book_id
