"""The syllabus: what is taught where, and whether anything is missing."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import msgspec

from passline.law.clauses import register
from passline.school.lessons.reading import Lesson, lessons


class Taught(NamedTuple):
    """Where a clause is taught, and by which drills it is asked."""

    lesson: str
    drills: tuple[str, ...]


class Syllabus(msgspec.Struct, frozen=True):
    """The lessons in order, and every clause of procedure that none teaches or no drill asks."""

    lessons: tuple[Lesson, ...]
    missing: tuple[str, ...]


@cache
def taught(book: str) -> dict[str, tuple[Taught, ...]]:
    """The clauses of a book that lessons teach, with each lesson and its drills.

    >>> taught("dealer-school")["pay.pass.order#2"][0].lesson
    'line-in-chips'
    """
    found: dict[str, tuple[Taught, ...]] = {}
    for lesson in lessons():
        if lesson.book == book:
            for named in lesson.clauses:
                clause = named.partition(":")[2]
                here = Taught(lesson.id, lesson.asked_by(clause))
                found[clause] = (*found.get(clause, ()), here)
    return found


def syllabus() -> Syllabus:
    """Every lesson, and what is missing: nothing, where the school is whole."""
    every = lessons()
    books = dict.fromkeys(lesson.book for lesson in every)
    return Syllabus(every, tuple(one for book in books for one in _missing(book)))


def _missing(book: str) -> list[str]:
    """The clauses of procedure that no lesson teaches, or that no drill of such a lesson asks."""
    known = taught(book)
    return [
        f"{book}:{clause.id}"
        for clause in register(book)
        if clause.kind == "procedure" and not any(one.drills for one in known.get(clause.id, ()))
    ]
