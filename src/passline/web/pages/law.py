"""``/law``, ``/law/BOOK``, ``/law/BOOK/CLAUSE``: every clause of every book, to be searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.game.law.book_files import book_ids
from passline.game.law.clause_status import count_coverage, describe_clauses, suggest_clauses
from passline.game.law.clauses import CLAUSE_KINDS
from passline.game.law.load import rulebook
from passline.live.requests import ServiceError
from passline.school.lessons.lesson_files import ClauseLesson, find_taught_clauses
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_layout import (
    breadcrumbs,
    build_path,
    contains_words,
    data_table_html,
    link,
    options_html,
    read_search_words,
    render_page,
    search_form,
)
from passline.web.responses import cached_response

_STATUS_MEANINGS: Final = {
    "enforced": "the engine decides by it",
    "modelled": "the engine holds it",
    "shown": "told to people",
}
_COUNTS: Final = ("clauses", "enforced", "modelled", "shown", "tested")

ClauseRow = Mapping[str, Any]


class LawPages:
    """The handlers of the law."""

    def __init__(self, page_cache: BackgroundPageCache) -> None:
        self._page_cache = page_cache

    async def books(self, request: Request) -> Response:
        """``/law``, and with ``?q=`` the clauses of all books that have these words."""
        words = read_search_words(request)
        return cached_response(
            request, await self._page_cache.made(("law", words), lambda: _books_page(words))
        )

    async def book(self, request: Request) -> Response:
        """``/law/BOOK``, and ``?q=``, ``?kind=``, ``?status=``."""
        book, words = require_book(request), read_search_words(request)
        kind, status = (request.query_params.get(key, "") for key in ("kind", "status"))
        kind, status = (
            (kind if kind in CLAUSE_KINDS else ""),
            (status if status in _STATUS_MEANINGS else ""),
        )
        key = ("law", book, words, kind, status)
        made = await self._page_cache.made(key, lambda: _book_page(book, words, kind, status))
        return cached_response(request, made)

    async def clause(self, request: Request) -> Response:
        """``/law/BOOK/CLAUSE``"""
        book, clause = require_book(request), request.path_params["clause"]
        key = ("clause", book, clause[:200])
        return cached_response(
            request, await self._page_cache.made(key, lambda: _clause_page(book, clause))
        )


def require_book(request: Request) -> str:
    """The rulebook that a path names. ServiceError (``not_found``) where there is none."""
    book: str = request.path_params["book"]
    if book not in book_ids():
        raise ServiceError(
            "not_found", f"there is no rulebook {book[:40]!r}: {', '.join(book_ids())}"
        )
    return book


def clause_link(book: str, cite: str) -> str:
    """A citation, as a link where it is a clause; a custom stands as it is."""
    if cite.startswith("custom"):
        return escape(cite)
    return link(build_path("law", book, cite), cite)


def _books_page(words: tuple[str, ...]) -> str:
    rows = []
    for book in book_ids():
        counts = [str(sum(getattr(row, key) for row in count_coverage(book))) for key in _COUNTS]
        rows.append([link(build_path("law", book), rulebook(book).title), *counts])
    heads = ("Rulebook", *(key.capitalize() for key in _COUNTS))
    table = data_table_html("The rulebooks, their clauses counted", heads, rows, figures=1)
    meant = "".join(
        f"<dt>{_status_tag(key)}</dt><dd>{words}</dd>" for key, words in _STATUS_MEANINGS.items()
    )
    below = f"{table}\n<dl class='legend'>{meant}</dl>"
    html = (
        "<h1>The law</h1>\n"
        '<p class="lead">Every clause of every rulebook, in our words: what became of it, what '
        "implements it, the tests that hold it, and what was decided where the book slips.</p>\n"
        f"{search_form('/law', words, 'Search all clauses')}\n"
        f"{_search_results(words) if words else below}"
    )
    return render_page("The law", html, at="/law")


def _search_results(words: tuple[str, ...]) -> str:
    """The clauses of all books that have these words."""
    parts, count = [], 0
    for book in book_ids():
        own = [
            clause
            for clause in describe_clauses(book)
            if contains_words(_searchable_text(clause), words)
        ]
        count += len(own)
        if own:
            head = f"<h2>{escape(rulebook(book).title)}</h2>"
            parts.append(f"{head}\n{_clause_list(book, own, level=3)}")
    told = f"{count} clause{'s' if count != 1 else ''} with these words"
    return f'<p role="status">{told}.</p>\n{"".join(parts)}'


def _searchable_text(clause: ClauseRow) -> str:
    """What of a clause is searched: what its entry in a list shows."""
    return " ".join(str(clause[key]) for key in ("id", "kind", "status", "rule", "figures"))


def _status_tag(words: str) -> str:
    """What became of a clause, as a mark."""
    return f'<span class="tag {escape(words)}">{escape(words)}</span>'


def _kind_tag(words: str) -> str:
    return f'<span class="kind">{escape(words)}</span>'


def _clause_list(book: str, clauses: Iterable[ClauseRow], level: int = 2) -> str:
    return (
        f'<ol class="clauses">\n{"".join(_clause_item(book, one, level) for one in clauses)}</ol>'
    )


def _clause_item(book: str, clause: ClauseRow, level: int) -> str:
    kind, status = clause["kind"], clause["status"]
    return (
        f'<li data-kind="{kind}" data-status="{status}"><h{level}>{clause_link(book, clause["id"])}'
        f"</h{level}> <span class='tags'>{_status_tag(status)} {_kind_tag(kind)}</span>"
        f"<p>{escape(clause['rule'])}</p>{_figures_html(clause)}</li>\n"
    )


def _figures_html(clause: ClauseRow) -> str:
    if not clause["figures"]:
        return ""
    figures = " ".join(f"<code>{escape(one)}</code>" for one in clause["figures"].split("; "))
    return f'<p class="figures">{figures}</p>'


def _book_page(book: str, words: tuple[str, ...], kind: str, status: str) -> str:
    every = describe_clauses(book)
    own = [
        clause
        for clause in every
        if (not kind or clause["kind"] == kind)
        and (not status or clause["status"] == status)
        and contains_words(_searchable_text(clause), words)
    ]
    title = rulebook(book).title
    selects = "".join(
        f'<label>{key.capitalize()} <select name="{key}">'
        f"{options_html([('', 'any'), *((one, one) for one in those)], chosen)}</select></label>"
        for key, those, chosen in (
            ("kind", CLAUSE_KINDS, kind),
            ("status", tuple(_STATUS_MEANINGS), status),
        )
    )
    at = build_path("law", book)
    box = search_form(at, words, "Search these clauses", selects)
    html = (
        f"{breadcrumbs(('/law', 'Law'))}\n<h1>{escape(title)}</h1>\n{_related_links(book)}\n{box}\n"
        f'<p role="status" id="count">{len(own)} of {len(every)} clauses.</p>\n'
        f"{_clause_list(book, own)}"
    )
    return render_page(title, html, at="/law", scripts=["law.js"])


def _related_links(book: str) -> str:
    places = (("odds", "what its wagers are worth"), ("par", "par sheet"), ("placard", "placard"))
    links = ", ".join(link(build_path(path, book), words) for path, words in places)
    return f"<p>Of the same book: {links}.</p>"


def _clause_page(book: str, clause_id: str) -> str:
    every = describe_clauses(book)
    ids = [clause["id"] for clause in every]
    if clause_id not in ids:
        near = suggest_clauses(clause_id[:200], ids)
        hint = f": the nearest are {', '.join(near)}" if near else ""
        raise ServiceError("not_found", f"there is no clause {clause_id[:80]!r} in {book}{hint}")
    place = ids.index(clause_id)
    title, clause = rulebook(book).title, every[place]
    html = (
        f"{breadcrumbs(('/law', 'Law'), (build_path('law', book), title))}\n"
        f"<h1>{escape(clause_id)}</h1>\n"
        f"<p>{_status_tag(clause['status'])} {_kind_tag(clause['kind'])}</p>\n"
        f'<p class="rule">{escape(clause["rule"])}</p>\n{_figures_html(clause)}\n'
        f"{_code_list('Where it stands', clause['where'])}\n"
        f"{_decisions_html(clause['decisions'])}\n"
        f"{_code_list('Tests that hold it', clause['tests'], 'No test of its own.')}\n"
        f"{_lesson_links(find_taught_clauses(book).get(clause_id, ()))}\n"
        f"{_neighbor_links(book, ids, place)}"
    )
    return render_page(f"{clause_id}, {title}", html, at="/law")


def _code_list(head: str, things: Sequence[str], none: str = "") -> str:
    items = "".join(f"<li><code>{escape(one)}</code></li>\n" for one in things)
    body = f'<ul class="places">\n{items}</ul>' if things else f"<p>{none}</p>"
    return f"<h2>{head}</h2>\n{body}"


def _lesson_links(lessons: Sequence[ClauseLesson]) -> str:
    """The lessons that teach a clause, and the drills that ask it."""
    if not lessons:
        return ""
    items = "".join(
        f"<li>{link(build_path('school', one.lesson), one.lesson)}"
        + "".join(f", {link(build_path('school', 'drill', drill), drill)}" for drill in one.drills)
        + "</li>\n"
        for one in lessons
    )
    return f'<h2>Lessons and drills</h2>\n<ul class="places">\n{items}</ul>'


def _decisions_html(decisions: Sequence[Mapping[str, str]]) -> str:
    if not decisions:
        return ""
    told = "".join(
        f"<dt>{escape(one['question'])}</dt><dd>{escape(one['decision'])}</dd>\n"
        for one in decisions
    )
    return f'<h2>What was decided</h2>\n<dl class="decided">\n{told}</dl>'


def _neighbor_links(book: str, ids: Sequence[str], place: int) -> str:
    before = ids[place - 1] if place else ""
    after = ids[place + 1] if place + 1 < len(ids) else ""
    links = [
        f'<a rel="{rel}" href="{build_path("law", book, one)}">{words} {escape(one)}</a>'
        for rel, words, one in (("prev", "Before:", before), ("next", "After:", after))
        if one
    ]
    return f'<nav class="beside" aria-label="Clauses beside it">{"".join(links)}</nav>'
