"""Render pages from the Jinja2 templates in ``web/templates``.

Templates escape every value by themselves. Only values of type ``Markup`` are inserted unescaped:
drawings (SVG) and markup that another renderer made. Each template extends ``base.html`` and sets
``title``. If it needs them, it sets ``section`` (its entry in the navigation), ``scripts``,
``styles``, ``wide``, and for link previews ``description`` and ``address`` (from ``find_address``).
This module also parses the words of a search, which several pages share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request

from passline.game.law.load import rulebook
from passline.game.money.amounts import show_dollars, show_money
from passline.game.words.html_documents import document_filters
from passline.game.words.web import SITE_DESCRIPTION
from passline.text import escape_unprintable, show_name
from passline.version import VERSION
from passline.web.static_files import list_script_imports, static_url

Navigation = tuple[tuple[str, str], ...]

#: The navigation of every page: paths and labels, in order.
NAVIGATION: Final[Navigation] = (
    ("/", "Lobby"),
    ("/daily", "Daily"),
    ("/school", "School"),
    ("/law", "Law"),
    ("/odds", "Odds"),
    ("/session", "Sessions"),
    ("/docs", "Docs"),
)
_current_navigation: ContextVar[Navigation] = ContextVar("navigation", default=NAVIGATION)
_MAX_QUERY_LENGTH: Final = 100
_MAX_WORDS: Final = 8


def limit_navigation(home: str, paths: Iterable[str]) -> None:
    """Limit the navigation bar of this request's page to ``/`` and ``paths``.

    ``home`` is the label of ``/``.
    """
    served = set(paths)
    rest = tuple(entry for entry in NAVIGATION[1:] if entry[0] in served)
    _current_navigation.set((("/", home), *rest))


class PageAddress(NamedTuple):
    """The absolute addresses that a link preview needs: of the site, and of the page."""

    site: str
    page: str


def find_address(request: Request) -> PageAddress:
    """Return the absolute addresses of the site and of the requested page, without its query."""
    site = f"{request.url.scheme}://{request.url.netloc}"
    return PageAddress(site, f"{site}{request.url.path}")


def render_page(template: str, **values: object) -> str:
    """Render the template file ``template`` (of ``web/templates``) with ``values`` as HTML."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("passline.web", "templates"),
                PackageLoader("passline.game.words", "documents"),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    tools: dict[str, Any] = {
        "build_path": build_path,
        "plain_name": plain_name,
        "navigation": _current_navigation.get,
        "rulebook": rulebook,
        "script_imports": list_script_imports,
        "show_dollars": show_dollars,
        "static_url": static_url,
        "site_description": SITE_DESCRIPTION,
        "version": VERSION,
        "max_query_length": _MAX_QUERY_LENGTH,
    }
    environment.globals.update(tools)
    environment.filters.update(
        document_filters(), printable=escape_unprintable, show_name=show_name
    )
    return environment


def build_path(*parts: str) -> str:
    """Return a path on this server, with each part quoted.

    >>> build_path("law", "new-jersey", "19:47-1.2(a)15#1")
    '/law/new-jersey/19%3A47-1.2%28a%2915%231'
    """
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def plain_name(slug: str) -> str:
    """Return the id of a game, strategy or bet as plain words.

    >>> plain_name("dont-pass-odds"), plain_name("mini-craps"), plain_name("place-6-8")
    ("don't pass odds", 'mini craps', 'place 6 8')
    """
    return slug.replace("-", " ").replace("dont ", "don't ")


def show_signed(cents: int | Fraction) -> str:
    """Return cents as dollars with a plus or minus sign.

    >>> show_signed(-1200), show_signed(550), show_signed(0)
    ('−$12.00', '+$5.50', '$0.00')
    """
    return show_money(cents, plus=True).replace("-", "−")


def read_search_words(request: Request) -> tuple[str, ...]:
    """Return the first words of the query parameter ``q``, in lower case. There may be none."""
    query = request.query_params.get("q", "")[:_MAX_QUERY_LENGTH]
    return tuple(query.casefold().split()[:_MAX_WORDS])


def contains_words(text: str, words: Sequence[str]) -> bool:
    """Return whether a text contains every one of the words, which must be in lower case.

    >>> contains_words("Pass wins on 7", ("pass", "7")), contains_words("Pass wins on 7", ("lose",))
    (True, False)
    """
    folded = text.casefold()
    return all(word in folded for word in words)
