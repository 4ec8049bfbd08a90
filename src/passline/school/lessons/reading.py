"""Lessons as they are written: one file each, in order; clauses by pattern, figures as data."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import filter as filter_names
from functools import cache
from importlib import resources

import msgspec
from msgspec.structs import replace

from passline.law.clauses import clauses_by_id
from passline.school.lessons.lesson_figures import AnyFigure


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heading: str
    text: str
    clauses: tuple[str, ...] = ()
    figures: tuple[AnyFigure, ...] = ()


class LessonAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question on what is done: the right answer, false ones, and the clauses that it asks."""

    clauses: tuple[str, ...]
    ask: str
    right: str
    wrong: tuple[str, ...]


class Practice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drill to do after a lesson, from which level; and the clauses that its questions ask."""

    drill: str
    level: int = 1
    asks: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    book: str
    section: tuple[_Part, ...]
    practice: tuple[Practice, ...]
    ask: tuple[LessonAsk, ...] = ()


class LessonPart(msgspec.Struct, frozen=True):
    """A part of a lesson: paragraphs, the clauses that it teaches, figures to draw."""

    heading: str
    text: tuple[str, ...]
    clauses: tuple[str, ...]
    figures: tuple[AnyFigure, ...]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """One lesson of the school. ``clauses`` of its parts are ids of its own book."""

    id: str
    title: str
    book: str
    sections: tuple[LessonPart, ...]
    practice: tuple[Practice, ...]
    asks: tuple[LessonAsk, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """What it teaches, as ``book:id``, each once."""
        every = (clause for section in self.sections for clause in section.clauses)
        return tuple(f"{self.book}:{clause}" for clause in dict.fromkeys(every))

    @property
    def drills(self) -> tuple[str, ...]:
        """The drills that go with it, in the order in which they are done."""
        return tuple(practice.drill for practice in self.practice)

    def asked_by(self, clause: str) -> tuple[str, ...]:
        """The drills of the lesson that ask a clause of its book."""
        found = [p.drill for p in self.practice if clause in p.asks]
        if any(clause in ask.clauses for ask in self.asks):
            found.append(RECALLED)
        return tuple(dict.fromkeys(found))


#: The drill that puts a lesson's own questions.
RECALLED = "rulings"


@cache
def _files() -> dict[str, str]:
    """The files by lesson, in order: ``01-words.toml`` is the lesson ``words``."""
    folder = resources.files("passline.school.lessons")
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".toml"))
    return {name.partition("-")[2].removesuffix(".toml"): name for name in names}


def lesson_ids() -> tuple[str, ...]:
    """The lessons by id, in the order in which they are taught.

    >>> lesson_ids()[1]
    'pass-line'
    """
    return tuple(_files())


@cache
def lesson_named(name: str) -> Lesson:
    """A lesson by its id; KeyError where there is none.

    >>> lesson_named("field").title
    'The field'
    """
    path = resources.files("passline.school.lessons").joinpath(_files()[name])
    read = msgspec.toml.decode(path.read_text("utf-8"), type=_File)
    return Lesson(
        id=name,
        title=read.title,
        book=read.book,
        sections=tuple(_section(read.book, part) for part in read.section),
        practice=tuple(
            replace(each, asks=clauses_like(read.book, each.asks)) for each in read.practice
        ),
        asks=tuple(
            replace(each, clauses=clauses_like(read.book, each.clauses)) for each in read.ask
        ),
    )


def lessons() -> tuple[Lesson, ...]:
    """Every lesson, in order."""
    return tuple(lesson_named(name) for name in lesson_ids())


def _section(book: str, part: _Part) -> LessonPart:
    paragraphs = tuple(" ".join(text.split()) for text in part.text.split("\n\n"))
    return LessonPart(
        heading=part.heading,
        text=tuple(text for text in paragraphs if text),
        clauses=clauses_like(book, part.clauses),
        figures=part.figures,
    )


def clauses_like(book: str, patterns: Iterable[str]) -> tuple[str, ...]:
    """The clauses of a book that patterns name, in their order; LookupError for one that names
    none.

    >>> clauses_like("dealer-school", ["field/*", "stick.7"])
    ('field/one-roll', 'field/single', 'field/double', 'field/loses', 'stick.7')
    """
    known = clauses_by_id(book)
    found: dict[str, None] = {}
    for pattern in patterns:
        fits = [pattern] if pattern in known else filter_names(known, pattern)
        if not fits:
            raise LookupError(f"{book} has no clause {pattern!r}")
        found |= dict.fromkeys(fits)
    return tuple(found)
