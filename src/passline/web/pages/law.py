"""``/law``, ``/law/BOOK``, ``/law/BOOK/CLAUSE``: every clause of every book, to be searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.law import book_ids, rulebook
from passline.law.clauses import KINDS
from passline.law.coverage import coverage
from passline.law.showing import clause_objects, nearest_clauses
from passline.live.asks import HallError
from passline.school.lessons import Taught, taught
from passline.web.frame import crumbs, framed, link, options_html, path_of, rows_html
from passline.web.pages.heavy import Workshop
from passline.web.pages.searching import asked_words, has_words, search_box
from passline.web.sending import send_body

_STATUSES: Final = {
    "enforced": "the engine decides by it",
    "modelled": "the engine holds it",
    "shown": "told to people",
}
_COUNTS: Final = ("clauses", "enforced", "modelled", "shown", "tested")

ClauseRow = Mapping[str, Any]


class LawPages:
    """The handlers of the law."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def books(self, request: Request) -> Response:
        """``/law``, and with ``?q=`` the clauses of all books that have these words."""
        words = asked_words(request)
        return send_body(request, await self._workshop.made(("law", words), lambda: _books(words)))

    async def book(self, request: Request) -> Response:
        """``/law/BOOK``, and ``?q=``, ``?kind=``, ``?status=``."""
        book, words = known_book(request), asked_words(request)
        kind, status = (request.query_params.get(key, "") for key in ("kind", "status"))
        kind, status = (kind if kind in KINDS else ""), (status if status in _STATUSES else "")
        key = ("law", book, words, kind, status)
        made = await self._workshop.made(key, lambda: _book(book, words, kind, status))
        return send_body(request, made)

    async def clause(self, request: Request) -> Response:
        """``/law/BOOK/CLAUSE``"""
        book, clause = known_book(request), request.path_params["clause"]
        key = ("clause", book, clause[:200])
        return send_body(
            request, await self._workshop.made(key, lambda: _clause_page(book, clause))
        )


def known_book(request: Request) -> str:
    """The rulebook that a path names. HallError 404 where there is none."""
    book: str = request.path_params["book"]
    if book not in book_ids():
        raise HallError(404, f"there is no rulebook {book[:40]!r}: {', '.join(book_ids())}")
    return book


def clause_link(book: str, cite: str) -> str:
    """A citation, as a link where it is a clause; a custom stands as it is."""
    if cite.startswith("custom"):
        return escape(cite)
    return link(path_of("law", book, cite), cite)


def _books(words: tuple[str, ...]) -> str:
    rows = []
    for book in book_ids():
        counts = [str(sum(getattr(row, key) for row in coverage(book))) for key in _COUNTS]
        rows.append([link(path_of("law", book), rulebook(book).title), *counts])
    heads = ("Rulebook", *(key.capitalize() for key in _COUNTS))
    table = rows_html("The rulebooks, their clauses counted", heads, rows, figures=1)
    meant = "".join(f"<dt>{_status(key)}</dt><dd>{words}</dd>" for key, words in _STATUSES.items())
    below = f"{table}\n<dl class='legend'>{meant}</dl>"
    html = (
        "<h1>The law</h1>\n"
        '<p class="lead">Every clause of every rulebook, in our words: what became of it, what '
        "implements it, the tests that hold it, and what was decided where the book slips.</p>\n"
        f"{search_box('/law', words, 'Search all clauses')}\n"
        f"{_found(words) if words else below}"
    )
    return framed("The law", html, at="/law")


def _found(words: tuple[str, ...]) -> str:
    """The clauses of all books that have these words."""
    parts, count = [], 0
    for book in book_ids():
        own = [clause for clause in clause_objects(book) if has_words(_text(clause), words)]
        count += len(own)
        if own:
            head = f"<h2>{escape(rulebook(book).title)}</h2>"
            parts.append(f"{head}\n{_clauses(book, own, level=3)}")
    told = f"{count} clause{'s' if count != 1 else ''} with these words"
    return f'<p role="status">{told}.</p>\n{"".join(parts)}'


def _text(clause: ClauseRow) -> str:
    """What of a clause is searched: what its entry in a list shows."""
    return " ".join(str(clause[key]) for key in ("id", "kind", "status", "rule", "figures"))


def _status(words: str) -> str:
    """What became of a clause, as a mark."""
    return f'<span class="tag {escape(words)}">{escape(words)}</span>'


def _kind(words: str) -> str:
    return f'<span class="kind">{escape(words)}</span>'


def _clauses(book: str, clauses: Iterable[ClauseRow], level: int = 2) -> str:
    return f'<ol class="clauses">\n{"".join(_entry(book, one, level) for one in clauses)}</ol>'


def _entry(book: str, clause: ClauseRow, level: int) -> str:
    kind, status = clause["kind"], clause["status"]
    return (
        f'<li data-kind="{kind}" data-status="{status}"><h{level}>{clause_link(book, clause["id"])}'
        f"</h{level}> <span class='tags'>{_status(status)} {_kind(kind)}</span>"
        f"<p>{escape(clause['rule'])}</p>{_figures(clause)}</li>\n"
    )


def _figures(clause: ClauseRow) -> str:
    if not clause["figures"]:
        return ""
    figures = " ".join(f"<code>{escape(one)}</code>" for one in clause["figures"].split("; "))
    return f'<p class="figures">{figures}</p>'


def _book(book: str, words: tuple[str, ...], kind: str, status: str) -> str:
    every = clause_objects(book)
    own = [
        clause
        for clause in every
        if (not kind or clause["kind"] == kind)
        and (not status or clause["status"] == status)
        and has_words(_text(clause), words)
    ]
    title = rulebook(book).title
    selects = "".join(
        f'<label>{key.capitalize()} <select name="{key}">'
        f"{options_html([('', 'any'), *((one, one) for one in those)], chosen)}</select></label>"
        for key, those, chosen in (("kind", KINDS, kind), ("status", tuple(_STATUSES), status))
    )
    at = path_of("law", book)
    box = search_box(at, words, "Search these clauses", selects)
    html = (
        f"{crumbs(('/law', 'Law'))}\n<h1>{escape(title)}</h1>\n{_elsewhere(book)}\n{box}\n"
        f'<p role="status" id="count">{len(own)} of {len(every)} clauses.</p>\n'
        f"{_clauses(book, own)}"
    )
    return framed(title, html, at="/law", scripts=["law.js"])


def _elsewhere(book: str) -> str:
    places = (("odds", "what its wagers are worth"), ("par", "par sheet"), ("placard", "placard"))
    links = ", ".join(link(path_of(path, book), words) for path, words in places)
    return f"<p>Of the same book: {links}.</p>"


def _clause_page(book: str, clause_id: str) -> str:
    every = clause_objects(book)
    ids = [clause["id"] for clause in every]
    if clause_id not in ids:
        near = nearest_clauses(clause_id[:200], ids)
        hint = f": the nearest are {', '.join(near)}" if near else ""
        raise HallError(404, f"there is no clause {clause_id[:80]!r} in {book}{hint}")
    place = ids.index(clause_id)
    title, clause = rulebook(book).title, every[place]
    html = (
        f"{crumbs(('/law', 'Law'), (path_of('law', book), title))}\n"
        f"<h1>{escape(clause_id)}</h1>\n"
        f"<p>{_status(clause['status'])} {_kind(clause['kind'])}</p>\n"
        f'<p class="rule">{escape(clause["rule"])}</p>\n{_figures(clause)}\n'
        f"{_listed('Where it stands', clause['where'])}\n"
        f"{_decided(clause['decisions'])}\n"
        f"{_listed('Tests that hold it', clause['tests'], 'No test of its own.')}\n"
        f"{_taught(taught(book).get(clause_id, ()))}\n"
        f"{_beside(book, ids, place)}"
    )
    return framed(f"{clause_id}, {title}", html, at="/law")


def _listed(head: str, things: Sequence[str], none: str = "") -> str:
    items = "".join(f"<li><code>{escape(one)}</code></li>\n" for one in things)
    body = f'<ul class="places">\n{items}</ul>' if things else f"<p>{none}</p>"
    return f"<h2>{head}</h2>\n{body}"


def _taught(lessons: Sequence[Taught]) -> str:
    """The lessons that teach a clause, and the drills that ask it."""
    if not lessons:
        return ""
    items = "".join(
        f"<li>{link(path_of('school', one.lesson), one.lesson)}"
        + "".join(f", {link(path_of('school', 'drill', drill), drill)}" for drill in one.drills)
        + "</li>\n"
        for one in lessons
    )
    return f'<h2>Lessons and drills</h2>\n<ul class="places">\n{items}</ul>'


def _decided(decisions: Sequence[Mapping[str, str]]) -> str:
    if not decisions:
        return ""
    told = "".join(
        f"<dt>{escape(one['question'])}</dt><dd>{escape(one['decision'])}</dd>\n"
        for one in decisions
    )
    return f'<h2>What was decided</h2>\n<dl class="decided">\n{told}</dl>'


def _beside(book: str, ids: Sequence[str], place: int) -> str:
    before = ids[place - 1] if place else ""
    after = ids[place + 1] if place + 1 < len(ids) else ""
    links = [
        f'<a rel="{rel}" href="{path_of("law", book, one)}">{words} {escape(one)}</a>'
        for rel, words, one in (("prev", "Before:", before), ("next", "After:", after))
        if one
    ]
    return f'<nav class="beside" aria-label="Clauses beside it">{"".join(links)}</nav>'
