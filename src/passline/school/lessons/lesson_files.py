"""Figures as a lesson writes them: what is shown, and nothing of how it comes out.

Every answer in a figure, an amount, a stack, a motion, a call, is the engine's when it is drawn.

Lessons as they are written: one file each, in order; clauses by pattern, figures as data.

The syllabus: what is taught where, and whether anything is missing.

Questions from lessons: what is done when, with false answers beside the right one.

They are for clauses that no payoff, call or order of work asks. The drill ``rulings`` puts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import filter as filter_names
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from passline.game.law.clauses import clauses_by_id, list_clauses
from passline.game.table.opening import PLACES
from passline.school.practice_tables import PLAYER_NAMES, PracticeTable
from passline.school.questions import DrillSetup, Question
from passline.school.seeded_random import SeededRandom


class _FigureBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    caption: str = ""


class PayoffFigure(_FigureBase, frozen=True, tag_field="figure", tag="payoff"):
    """A winner paid: chips as they lie (or an amount), odds with the flat that they belong to;
    ``total``: both in one payoff."""

    wager: str
    stake: str
    dice: tuple[int, int] | None = None
    puck: int = 0
    flat: str = ""
    total: bool = False


class StackFigure(_FigureBase, frozen=True, tag_field="figure", tag="stack"):
    """Chips: an amount cut in the largest colours, or a stack as it is named."""

    chips: str
    name: str = ""


class KeyFigure(_FigureBase, frozen=True, tag_field="figure", tag="key"):
    """A proposition reckoned by its key."""

    wager: str
    stake: str
    dice: tuple[int, int]


class PressFigure(_FigureBase, frozen=True, tag_field="figure", tag="press"):
    """A place bet that wins and goes up: the first of the numbers is thrown."""

    numbers: tuple[int, ...]
    before: str
    after: str
    thrown: str = "0"
    way: str = ""


class _GameFigureBase(_FigureBase, frozen=True, kw_only=True):
    """A table: players by place, and what is said and thrown."""

    lines: tuple[str, ...] = ()
    players: dict[str, int] = msgspec.field(default_factory=lambda: {"ann": 3})


class FeltFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="felt"):
    """A part of the layout with what lies there; ``dice`` as they fell."""

    view: str = "end:left"
    dice: tuple[int, int] | None = None


class CallFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="call"):
    """What the stick calls on a throw; ``full``: whatever is up."""

    dice: tuple[int, int]
    full: bool = False


class WorkFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="work"):
    """What the crew does on a throw, in order."""

    dice: tuple[int, int]


class TableFigure(_FigureBase, frozen=True, tag_field="figure", tag="table"):
    """A table that the engine fills, by its name (``tables``)."""

    table: str


Figure = (
    PayoffFigure
    | StackFigure
    | KeyFigure
    | PressFigure
    | FeltFigure
    | CallFigure
    | WorkFigure
    | TableFigure
)


class _SectionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heading: str
    text: str
    clauses: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


class LessonQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question on what is done: the right answer, false ones, and the clauses that it asks."""

    clauses: tuple[str, ...]
    ask: str
    right: str
    wrong: tuple[str, ...]


class LessonPractice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drill to do after a lesson, from which level; and the clauses that its questions ask."""

    drill: str
    level: int = 1
    asks: tuple[str, ...] = ()


class _LessonFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    book: str
    section: tuple[_SectionFile, ...]
    practice: tuple[LessonPractice, ...]
    ask: tuple[LessonQuestion, ...] = ()


class LessonSection(msgspec.Struct, frozen=True):
    """A part of a lesson: paragraphs, the clauses that it teaches, figures to draw."""

    heading: str
    text: tuple[str, ...]
    clauses: tuple[str, ...]
    figures: tuple[Figure, ...]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """One lesson of the school. ``clauses`` of its parts are ids of its own book."""

    id: str
    title: str
    book: str
    sections: tuple[LessonSection, ...]
    practice: tuple[LessonPractice, ...]
    asks: tuple[LessonQuestion, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """What it teaches, as ``book:id``, each once."""
        every = (clause for section in self.sections for clause in section.clauses)
        return tuple(f"{self.book}:{clause}" for clause in dict.fromkeys(every))

    @property
    def drills(self) -> tuple[str, ...]:
        """The drills that go with it, in the order in which they are done."""
        return tuple(practice.drill for practice in self.practice)

    def list_drills_asking(self, clause: str) -> tuple[str, ...]:
        """The drills of the lesson that ask a clause of its book."""
        found = [p.drill for p in self.practice if clause in p.asks]
        if any(clause in ask.clauses for ask in self.asks):
            found.append(LESSON_QUESTION_DRILL)
        return tuple(dict.fromkeys(found))


#: The drill that puts a lesson's own questions.
LESSON_QUESTION_DRILL = "rulings"


@cache
def _list_files() -> dict[str, str]:
    """The files by lesson, in order: ``01-words.toml`` is the lesson ``words``."""
    folder = resources.files("passline.school.lessons")
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".toml"))
    return {name.partition("-")[2].removesuffix(".toml"): name for name in names}


def list_lesson_ids() -> tuple[str, ...]:
    """The lessons by id, in the order in which they are taught.

    >>> list_lesson_ids()[1]
    'pass-line'
    """
    return tuple(_list_files())


@cache
def load_lesson(name: str) -> Lesson:
    """A lesson by its id; KeyError where there is none.

    >>> load_lesson("field").title
    'The field'
    """
    path = resources.files("passline.school.lessons").joinpath(_list_files()[name])
    read = msgspec.toml.decode(path.read_text("utf-8"), type=_LessonFile)
    return Lesson(
        id=name,
        title=read.title,
        book=read.book,
        sections=tuple(_read_section(read.book, part) for part in read.section),
        practice=tuple(
            replace(each, asks=match_clauses(read.book, each.asks)) for each in read.practice
        ),
        asks=tuple(
            replace(each, clauses=match_clauses(read.book, each.clauses)) for each in read.ask
        ),
    )


def load_lessons() -> tuple[Lesson, ...]:
    """Every lesson, in order."""
    return tuple(load_lesson(name) for name in list_lesson_ids())


def _read_section(book: str, part: _SectionFile) -> LessonSection:
    paragraphs = tuple(" ".join(text.split()) for text in part.text.split("\n\n"))
    return LessonSection(
        heading=part.heading,
        text=tuple(text for text in paragraphs if text),
        clauses=match_clauses(book, part.clauses),
        figures=part.figures,
    )


def match_clauses(book: str, patterns: Iterable[str]) -> tuple[str, ...]:
    """The clauses of a book that patterns name, in their order; LookupError for one that names
    none.

    >>> match_clauses("dealer-school", ["field/*", "stick.7"])
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


class ClauseLesson(NamedTuple):
    """Where a clause is taught, and by which drills it is asked."""

    lesson: str
    drills: tuple[str, ...]


class Syllabus(msgspec.Struct, frozen=True):
    """The lessons in order, and every clause of procedure that none teaches or no drill asks."""

    lessons: tuple[Lesson, ...]
    missing: tuple[str, ...]


@cache
def find_taught_clauses(book: str) -> dict[str, tuple[ClauseLesson, ...]]:
    """The clauses of a book that lessons teach, with each lesson and its drills.

    >>> find_taught_clauses("dealer-school")["pay.pass.order#2"][0].lesson
    'line-in-chips'
    """
    found: dict[str, tuple[ClauseLesson, ...]] = {}
    for lesson in load_lessons():
        if lesson.book == book:
            for named in lesson.clauses:
                clause = named.partition(":")[2]
                here = ClauseLesson(lesson.id, lesson.list_drills_asking(clause))
                found[clause] = (*found.get(clause, ()), here)
    return found


def build_syllabus() -> Syllabus:
    """Every lesson, and what is missing: nothing, where the school is whole."""
    every = load_lessons()
    books = dict.fromkeys(lesson.book for lesson in every)
    return Syllabus(every, tuple(one for book in books for one in _list_missing_clauses(book)))


def _list_missing_clauses(book: str) -> list[str]:
    """The clauses of procedure that no lesson teaches, or that no drill of such a lesson asks."""
    known = find_taught_clauses(book)
    return [
        f"{book}:{clause.id}"
        for clause in list_clauses(book)
        if clause.kind == "procedure" and not any(one.drills for one in known.get(clause.id, ()))
    ]


#: One question in so many is a lesson's own.
_LESSON_QUESTION_ONE_IN = 2


@cache
def list_lesson_questions(book: str) -> tuple[LessonQuestion, ...]:
    """Every question that the lessons on a book put, in order."""
    return tuple(ask for lesson in load_lessons() if lesson.book == book for ask in lesson.asks)


def pick_lesson_question(book: str, random: SeededRandom) -> LessonQuestion | None:
    """The lesson's question that a draw comes to, half of them; None: something else is asked."""
    asks = list_lesson_questions(book)
    return random.pick(asks) if asks and random.one_in(_LESSON_QUESTION_ONE_IN) else None


def make_lesson_question(
    setup: DrillSetup, ask: LessonQuestion, random: SeededRandom, most: int = 4
) -> Question:
    """That very question, at a table where nothing is bet yet."""
    practice = PracticeTable(setup)
    practice.seat(random.pick(PLAYER_NAMES), random.between(1, PLACES))
    choices = random.shuffled([ask.right, *random.sample(ask.wrong, most - 1)])
    cite = setup.cites(*ask.clauses)
    return Question(
        drill=LESSON_QUESTION_DRILL,
        ask=ask.ask,
        given={"record": practice.record_text, "ask": ask.ask, "choices": choices},
        answer={"choice": choices.index(ask.right), "cite": cite[0]},
        explain=(ask.right,),
        cite=cite,
    )
