"""A table as it stands: ``/t/T``."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError, View
from passline.live.hall import Hall
from passline.web.frame import crumbs, framed, path_of, rows_html
from passline.web.sending import send_once

_CLOSED = "This table is not open: its players and crew come with an invitation."


class TablePages:
    """The handlers of a table's pages."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def table(self, request: Request) -> Response:
        """``/t/T``"""
        table = request.path_params["table"]
        try:
            holder = await self.hall.reader(table)
        except HallError as wrong:
            if wrong.status != 401:
                raise
            return send_once(request, framed("A table", f"<h1>A table</h1>\n<p>{_CLOSED}</p>"))
        view = await self.hall.view(table, holder)
        return send_once(request, framed(str(view["name"]), _table(view)))


def _table(view: View) -> str:
    facts = [
        ("Rulebook", f"{view['rulebook']}, {view['game']}"),
        ("Puck", puck_words(view["puck"])),
        ("Shooter", str(view["shooter"] or "nobody")),
        ("Last throw", _last(view["last"])),
        ("Entry", str(view["seq"])),
    ]
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>\n" for name, value in facts)
    players = [
        [escape(cell) for cell in _player(player)] for player in view["players"] if player["here"]
    ]
    heads = ("Place", "Player", "Rail", "Wagers")
    seated = rows_html("Players", heads, players) if players else "<p>Nobody plays here.</p>"
    api = path_of("api", "tables", str(view["table"]))
    return (
        f"{crumbs(('/', 'Lobby'))}\n<h1>{escape(str(view['name']))}</h1>\n"
        f'<dl class="facts">\n{told}</dl>\n<h2>Players</h2>\n{seated}\n'
        f'<p><a href="{api}/record">The record</a>, <a href="{api}/log">the log</a>.</p>'
    )


def _player(player: Mapping[str, Any]) -> tuple[str, ...]:
    wagers = ", ".join(f"{wager['wager']} ${wager['amount']}" for wager in player["wagers"])
    return str(player["place"]), str(player["name"]), f"${player['rail']}", wagers or "none"


def puck_words(puck: object) -> str:
    """Where the puck is."""
    return f"on {puck}" if puck else "off"


def _last(last: Mapping[str, Any] | None) -> str:
    return "none yet" if last is None else str(last["call"])
