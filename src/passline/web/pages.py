"""Plain pages: the lobby, and a table as it stands. No script, no style; everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from passline.live.asks import HallError, View
from passline.live.hall import Hall


class Pages:
    """The handlers of the pages."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def lobby(self, request: Request) -> Response:
        """``/``"""
        tables = await self.hall.lobby()
        return HTMLResponse(_page("Passline: the lobby", _lobby(tables)))

    async def table(self, request: Request) -> Response:
        """``/t/T``"""
        table = request.path_params["table"]
        try:
            holder = await self.hall.reader(table)
        except HallError as wrong:
            if wrong.status != 401:
                raise
            closed = "<p>This table is not open: its players and crew come with an invitation.</p>"
            return HTMLResponse(_page("A table", f"<h1>A table</h1>\n{closed}\n{_BACK}"))
        view = await self.hall.view(table, holder)
        return HTMLResponse(_page(str(view["name"]), _table(view)))


_BACK = '<p><a href="/">The lobby</a></p>'


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _lobby(tables: Iterable[Mapping[str, Any]]) -> str:
    rows = [
        [
            f'<a href="/t/{escape(str(table["table"]))}">{escape(str(table["name"]))}</a>',
            *(escape(str(table[key])) for key in ("rulebook", "game")),
            escape(f"{table['players']} of {table['seats']}"),
            escape(f"${table['minimum']} to ${table['maximum']}"),
            escape(_puck(table["puck"])),
        ]
        for table in tables
    ]
    heads = ("Table", "Rulebook", "Game", "Players", "Limits", "Puck")
    found = _rows("Open tables", heads, rows) if rows else "<p>No table is open.</p>"
    return f"<h1>The lobby</h1>\n{found}"


def _table(view: View) -> str:
    shooter = view["shooter"] or "nobody"
    facts = [
        ("Rulebook", f"{view['rulebook']}, {view['game']}"),
        ("Puck", _puck(view["puck"])),
        ("Shooter", str(shooter)),
        ("Last throw", _last(view["last"])),
        ("Entry", str(view["seq"])),
    ]
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>\n" for name, value in facts)
    players = [
        [escape(cell) for cell in _player(player)] for player in view["players"] if player["here"]
    ]
    heads = ("Place", "Player", "Rail", "Wagers")
    seated = _rows("Players", heads, players) if players else "<p>Nobody plays here.</p>"
    table = escape(str(view["table"]))
    links = (
        f'<p><a href="/api/tables/{table}/record">The record</a>, '
        f'<a href="/api/tables/{table}/log">the log</a>.</p>'
    )
    return f"<h1>{escape(str(view['name']))}</h1>\n<dl>\n{told}</dl>\n{seated}\n{links}\n{_BACK}"


def _player(player: Mapping[str, Any]) -> tuple[str, ...]:
    wagers = ", ".join(f"{wager['wager']} ${wager['amount']}" for wager in player["wagers"])
    return str(player["place"]), str(player["name"]), f"${player['rail']}", wagers or "none"


def _puck(puck: object) -> str:
    return f"on {puck}" if puck else "off"


def _last(last: Mapping[str, Any] | None) -> str:
    return "none yet" if last is None else str(last["call"])


def _rows(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are escaped already; each row is headed by its first."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    lines = []
    for first, *others in rows:
        cells = "".join(f"<td>{cell}</td>" for cell in others)
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>\n')
    return (
        f"<table>\n<caption>{escape(caption)}</caption>\n<thead><tr>{top}</tr></thead>\n"
        f"<tbody>\n{''.join(lines)}</tbody>\n</table>"
    )
