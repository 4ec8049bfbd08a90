"""The law, ``/law``, ``/law/BOOK`` and ``/law/BOOK/CLAUSE``: every clause of every rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.game.house.load import HouseError, find_book
from passline.game.law.book_files import book_ids, read_each_book
from passline.game.law.clause_status import count_coverage, describe_clauses, suggest_clauses
from passline.game.law.clauses import CLAUSE_KINDS
from passline.game.law.load import list_values, rulebook
from passline.game.words.web import PART_HEADINGS, STATUS_MEANINGS, say_web
from passline.live.schema import ServiceError
from passline.school.drills import load_drill
from passline.school.lessons.lesson_files import ClauseLesson, find_taught_clauses, load_lesson
from passline.web.page_cache import BackgroundPageCache
from passline.web.page_templates import contains_words, read_search_words, render_page

#: No clause id is longer. Further characters of one in a path are ignored.
_MAX_ID_LENGTH: Final = 200
_COUNTS: Final = ("clauses", "enforced", "modelled", "shown", "tested")

ClauseRow = Mapping[str, Any]


class LawPages:
    """The handlers of the pages under ``/law``."""

    def __init__(self) -> None:
        self._pages = BackgroundPageCache()

    async def books(self, request: Request) -> Response:
        """``GET /law``: the rulebooks, or with ``?q=`` all clauses that contain the words."""
        return await self._pages.respond(request, _render_books, read_search_words(request))

    async def book(self, request: Request) -> Response:
        """``GET /law/BOOK``: its clauses, filtered by ``?q=``, ``?kind=`` and ``?status=``."""
        book, words = require_book(request), read_search_words(request)
        kind, status = (request.query_params.get(key, "") for key in ("kind", "status"))
        kind = kind if kind in CLAUSE_KINDS else ""
        status = status if status in STATUS_MEANINGS else ""
        return await self._pages.respond(request, _render_book, book, words, kind, status)

    async def clause(self, request: Request) -> Response:
        """``GET /law/BOOK/CLAUSE``: one clause, with its code, tests and lessons."""
        clause = request.path_params["clause"][:_MAX_ID_LENGTH]
        return await self._pages.respond(request, _render_clause, require_book(request), clause)


def require_book(request: Request) -> str:
    """Return the id of the rulebook in a request's path.

    Raise ServiceError if there is no such rulebook or it has an error.
    """
    book: str = request.path_params["book"]
    if book not in book_ids():
        titles = [book.title for book in read_each_book(rulebook)]
        raise ServiceError("not_found", say_web("no-rulebook", books=titles))
    try:
        return find_book(book).id
    except HouseError as error:
        raise ServiceError("invalid", str(error)) from None


def _render_books(words: tuple[str, ...]) -> str:
    books = [book.id for book in read_each_book(rulebook)]
    found = [(book, _find_clauses(book, words)) for book in books if words]
    coverage = [
        (book, [sum(getattr(row, key) for row in count_coverage(book)) for key in _COUNTS])
        for book in books
    ]
    return render_page(
        "law.html",
        words=words,
        found=[(book, clauses) for book, clauses in found if clauses],
        count=sum(len(clauses) for _, clauses in found),
        coverage=coverage,
        count_heads=["Clauses", "Enforced", "Modeled", "Shown", "Tested"],
        meanings=STATUS_MEANINGS,
    )


def _render_book(book: str, words: tuple[str, ...], kind: str, status: str) -> str:
    clauses = [
        clause
        for clause in _find_clauses(book, words)
        if kind in {"", clause["kind"]} and status in {"", clause["status"]}
    ]
    total = len(describe_clauses(book))
    return render_page(
        "law_book.html",
        book=book,
        words=words,
        clauses=clauses,
        total=total,
        customs={} if total else _group_customs(book),
        filters=[("kind", CLAUSE_KINDS, kind), ("status", tuple(STATUS_MEANINGS), status)],
    )


def _group_customs(book: str) -> dict[str, list[str]]:
    """Return the reasons of a rulebook's customs by heading, without repetitions.

    A custom is a rule that no clause states. Headings and reasons are in the rulebook's order.
    """
    found: dict[str, dict[str, None]] = {}
    wagers = rulebook(book).wager
    for one in list_values(book):
        part, *rest = one.path.partition("[")[0].split(".")
        heading = PART_HEADINGS.get(part, part.replace("_", " ").capitalize())
        if part == "wager":
            title = wagers[rest[0]].title
            heading = title[:1].upper() + title[1:]
        found.setdefault(heading, {})[one.cite.removeprefix("custom: ")] = None
    return {heading: list(reasons) for heading, reasons in found.items()}


def _find_clauses(book: str, words: Sequence[str]) -> list[ClauseRow]:
    """Return the clauses of a rulebook that contain every word, in the form that the list shows."""
    shown = ("id", "kind", "status", "rule", "figures")
    return [
        clause
        for clause in describe_clauses(book)
        if contains_words(" ".join(str(clause[key]) for key in shown), words)
    ]


def _render_clause(book: str, clause_id: str) -> str:
    clauses = describe_clauses(book)
    ids = [clause["id"] for clause in clauses]
    if clause_id not in ids:
        near, title = suggest_clauses(clause_id, ids), rulebook(book).title
        message = say_web("no-clause", title=title, clause=clause_id[:80], near=near)
        raise ServiceError("not_found", message)
    place = ids.index(clause_id)
    return render_page(
        "law_clause.html",
        book=book,
        clause=clauses[place],
        lessons=[_describe_lesson(one) for one in find_taught_clauses(book).get(clause_id, ())],
        previous=ids[place - 1] if place else "",
        next=ids[place + 1] if place + 1 < len(ids) else "",
    )


def _describe_lesson(taught: ClauseLesson) -> dict[str, Any]:
    """Return {"id", "title", "drills"} of a lesson that teaches a clause.

    ``drills`` are (name, skill) of each drill that asks about the clause.
    """
    drills = [(drill, load_drill(drill).skill) for drill in taught.drills]
    return {"id": taught.lesson, "title": load_lesson(taught.lesson).title, "drills": drills}
