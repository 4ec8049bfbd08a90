"""What a house pays and the edge of each wager: ``/odds/BOOK``, ``/par/BOOK``, ``/placard/BOOK``.

The query sets the house's rules, as ``-o`` does for the commands:
``?odds.multiple=5&game=mini-craps``. The par sheet (the math of every wager) and the placard (the
payout card) come from the modules that also serve the command line, which works without Jinja2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.house import House
from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import read_each_book
from passline.game.law.load import rulebook
from passline.game.words.placard import make_placard
from passline.game.words.refusals import describe_election_error, name_choice, name_election
from passline.game.words.web import say_web
from passline.lab.pricing.odds_table import (
    ODDS_COLUMNS,
    odds_details,
    odds_figures,
    odds_label,
    odds_notes,
    odds_reason,
)
from passline.lab.pricing.par_formats import list_sections
from passline.lab.pricing.par_sheet import make_par_sheet
from passline.lab.pricing.wager_odds import OddsRow, RefusedOdds, WagerError, sheet
from passline.live.schema import ServiceError
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import build_path, plain_name, render_page
from passline.web.pages.law import require_book

_PAGE_KINDS: Final = {"odds": "Odds", "par": "Par sheet", "placard": "Placard"}
#: How many house rules an address may hold, and how many characters.
_MAX_ELECTIONS, _MAX_QUERY_LENGTH = 40, 2000
#: The longest exact edge that the table shows, in characters.
_MAX_FRACTION_CHARS: Final = 16

Elections = tuple[tuple[str, str], ...]


class OddsPages:
    """The handlers of ``/odds``, ``/par`` and ``/placard``: odds, par sheets and payout cards."""

    def __init__(self) -> None:
        self._pages = BackgroundPageCache()

    async def books(self, request: Request) -> Response:
        """``GET /odds``, ``/par`` and ``/placard``: the rulebooks to choose from."""
        return await self._pages.respond(request, _render_books)

    async def odds(self, request: Request) -> Response:
        """``GET /odds/BOOK``: every wager, or with ``?wager=`` one wager in detail."""
        return await self._house_response(request, _render_odds)

    async def par(self, request: Request) -> Response:
        """``GET /par/BOOK``: the par sheet of a house."""
        return await self._house_response(request, _render_par)

    async def placard(self, request: Request) -> Response:
        """``GET /placard/BOOK``: the placard (payout card) of a house."""
        return await self._house_response(request, _render_placard)

    async def _house_response(
        self, request: Request, render: Callable[[House, Elections], str]
    ) -> Response:
        book = require_book(request)
        query = tuple((key, value) for key, value in request.query_params.multi_items() if value)
        if len(query) > _MAX_ELECTIONS or len(request.url.query) > _MAX_QUERY_LENGTH:
            raise ServiceError("invalid", say_web("too-many-rules", most=_MAX_ELECTIONS))
        return await self._pages.respond(request, _render_house_page, render, book, query)


def _render_house_page(
    render: Callable[[House, Elections], str], book: str, query: Elections
) -> str:
    """Return the HTML of a page about the house that a query describes.

    ``render`` makes the HTML from the house and the query. Raise ServiceError if the rulebook does
    not allow the house.
    """
    elections = [(key, value) for key, value in query if key not in {"game", "wager"}]
    try:
        return render(house_for(book, dict(query).get("game"), elections), query)
    except HouseError as error:
        known = error.key and error.expected
        words = describe_election_error(error.key, error.expected) if known else str(error)
        raise ServiceError("invalid", words) from None
    except WagerError as error:
        raise ServiceError("invalid", str(error)) from None


def _render_books() -> str:
    return render_page(
        "odds_books.html", books=[book.id for book in read_each_book(rulebook)], kinds=_PAGE_KINDS
    )


def _describe_house(kind: str, house: House, query: Elections) -> dict[str, Any]:
    """Return the template's values for the tabs and the form on a house's pages.

    ``kind`` is the page: ``odds``, ``par`` or ``placard``. ``query`` has the house rules chosen.
    """
    book = house.book
    games = [(game, plain_name(game)) for game in book.games.value]
    tab_query = [pair for pair in query if pair[0] != "wager"]
    return {
        "kind": kind,
        "kinds": _PAGE_KINDS,
        "book": book.id,
        "query": f"?{urlencode(tab_query)}" if query else "",
        "elected": dict(query),
        "games": games if len(games) > 1 else [],
        "game": house.game,
        "odds_multiple": "" if book.odds.default is None else str(book.odds.default.value),
        "elections": [
            (key, name_election(key), _list_choices(rule.default.value, rule.choices.value))
            for key, rule in book.elect.items()
        ],
    }


def _list_choices(default: object, choices: Sequence[object]) -> list[tuple[str, str]]:
    """Return (value, label) for each value of a house rule.

    The default is first, as the value "".
    """
    ordered = (default, *(choice for choice in choices if choice != default))
    pairs = [
        (str(one).lower() if isinstance(one, bool) else str(one), name_choice(one))
        for one in ordered
    ]
    return [("", f"{pairs[0][1]} (default)"), *pairs[1:]]


def _render_odds(house: House, query: Elections) -> str:
    wager = dict(query).get("wager", "")
    rows = sheet(house, wager or None, options=True, with_odds=not wager)
    return render_page(
        "odds.html",
        page=_describe_house("odds", house, query),
        heading=f"{house.name}: {plain_name(house.game)}",
        wager=rows[0].title if wager else "",
        wagers=[(_wager_heading(row), _group_details(row), row.cites) for row in rows if wager],
        columns=ODDS_COLUMNS,
        rows=[_table_row(row, house.book.id, query) for row in rows if not wager],
        notes=list(odds_notes(rows, _name_option)),
    )


def _table_row(row: OddsRow, book: str, query: Elections) -> dict[str, Any]:
    """Return the template's values for a wager's row: a link, the payoff, and the figures."""
    shown: dict[str, Any] = {
        "path": f"{build_path('odds', book)}?{urlencode([*query, ('wager', row.wager)])}",
        "label": odds_label(row),
        "pays": row.pays,
    }
    if isinstance(row, RefusedOdds):
        return {**shown, "reason": odds_reason(row)}
    return {**shown, "reason": "", "figures": odds_figures(row, _MAX_FRACTION_CHARS)}


def _name_option(option: str) -> str:
    """Return a house rule such as ``offers.fire=A`` in words: "the fire bet A"."""
    key, _, value = option.partition("=")
    if value == "true":
        return name_election(key)
    return f"{name_election(key)} {value if len(value) == 1 else f'({name_choice(value)})'}"


def _wager_heading(row: OddsRow) -> str:
    return f"{row.title}, {_name_option(row.option)}" if row.option else row.title


def _group_details(row: OddsRow) -> list[tuple[str, list[str]]]:
    """Return (label, lines) for each group of a wager's details.

    The clauses are left out, because the template adds them as links.
    """
    groups: list[tuple[str, list[str]]] = []
    for label, text in odds_details(row):
        if label == "clauses":
            continue
        if label:
            groups.append((label, [text]))
        else:
            groups[-1][1].append(text)
    return groups


def _render_par(house: House, query: Elections) -> str:
    par = make_par_sheet(house, options=True)
    return render_page(
        "par.html",
        page=_describe_house("par", house, query),
        sheet=par,
        sections=list_sections(par),
    )


def _render_placard(house: House, query: Elections) -> str:
    return render_page(
        "placard.html",
        page=_describe_house("placard", house, query),
        heading=f"{house.name}: {plain_name(house.game)}",
        card=make_placard(house),
    )
