"""Read the lessons from their files: text, figures (as data), clauses taught, and questions.

The number in a TOML file's name is the lesson's place in the syllabus. A figure says what to show;
``figures`` asks the engine for every amount. Lessons have questions on clauses that no drill can
ask; the drill ``rulings`` asks them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import filter as filter_names
from functools import cache
from importlib import resources
from itertools import product
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from passline.game.law.base_books import find_hidden_clauses, list_chain, qualify_clause
from passline.game.law.clauses import clauses_by_id, list_clauses
from passline.game.table.table_ends import PLACES
from passline.school.practice_tables import PLAYER_NAMES, PracticeTable
from passline.school.question_types import (
    DrillSetup,
    NoQuestionError,
    Question,
    pick_wrong_choices,
)
from passline.school.seeded_random import SeededRandom


class _FigureBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    caption: str = ""


class PayoffFigure(_FigureBase, frozen=True, tag_field="figure", tag="payoff"):
    """A winning bet and its payoff. ``stake`` is chips (``8 red``) or an amount.

    For odds, ``flat`` is the flat bet in front of them; with ``total``, both are paid together.
    ``puck`` is the point; 0 means any. ``dice`` is the throw; None means the first that wins.
    """

    wager: str
    stake: str
    dice: tuple[int, int] | None = None
    puck: int = 0
    flat: str = ""
    total: bool = False


class StackFigure(_FigureBase, frozen=True, tag_field="figure", tag="stack"):
    """A stack of chips under a ``name``: an amount in the largest colors, or chips (``8 red``)."""

    chips: str
    name: str = ""


class KeyFigure(_FigureBase, frozen=True, tag_field="figure", tag="key"):
    """A proposition that wins, paid by its key (the multiplier that dealers know by heart)."""

    wager: str
    stake: str
    dice: tuple[int, int]


class PressFigure(_FigureBase, frozen=True, tag_field="figure", tag="press"):
    """Place bets that are pressed from ``before`` to ``after`` when the first of them wins.

    ``thrown`` is what the player throws in; ``way`` names a press method, or means the usual one.
    """

    numbers: tuple[int, ...]
    before: str
    after: str
    thrown: str = "0"
    way: str = ""


class _GameFigureBase(_FigureBase, frozen=True, kw_only=True):
    """A figure about a game: its players' rail positions, and the record lines to play."""

    lines: tuple[str, ...] = ()
    players: dict[str, int] = msgspec.field(default_factory=lambda: {"ann": 3})


class FeltFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="felt"):
    """A part of the layout (``view``) with the bets on it, and the dice if ``dice`` is given."""

    view: str = "end:left"
    dice: tuple[int, int] | None = None


class CallFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="call"):
    """The stick's call on a throw; with ``full``, it also calls kinds of bets that nobody has."""

    dice: tuple[int, int]
    full: bool = False


class WorkFigure(_GameFigureBase, frozen=True, tag_field="figure", tag="work"):
    """The crew's work on a throw, in order."""

    dice: tuple[int, int]


class TableFigure(_FigureBase, frozen=True, tag_field="figure", tag="table"):
    """A table of numbers, which the engine fills. ``table`` is its name in ``draw_tables``."""

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
    """A question with choices: the right answer, wrong ones, and the clauses that it is about."""

    clauses: tuple[str, ...]
    ask: str
    right: str
    wrong: tuple[str, ...]


class LessonPractice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drill to do after a lesson, the level to begin at, and the clauses that it asks about."""

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
    """A part of a lesson: paragraphs, the clauses that it teaches, and figures."""

    heading: str
    text: tuple[str, ...]
    clauses: tuple[str, ...]
    figures: tuple[Figure, ...]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """One lesson. Its sections name clauses by their ids in the rulebook ``book``."""

    id: str
    title: str
    book: str
    sections: tuple[LessonSection, ...]
    practice: tuple[LessonPractice, ...]
    asks: tuple[LessonQuestion, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses that the lesson teaches, as ``book:id``, without duplicates."""
        every = (clause for section in self.sections for clause in section.clauses)
        return tuple(f"{self.book}:{clause}" for clause in dict.fromkeys(every))

    @property
    def drills(self) -> tuple[str, ...]:
        """Return the drills of the lesson in the order in which to do them."""
        return tuple(practice.drill for practice in self.practice)

    def list_drills_asking(self, clause: str) -> tuple[str, ...]:
        """Return the names of the lesson's drills that ask about a clause (its id)."""
        found = [p.drill for p in self.practice if clause in p.asks]
        if any(clause in ask.clauses for ask in self.asks):
            found.append(LESSON_QUESTION_DRILL)
        return tuple(dict.fromkeys(found))


#: The drill that asks the questions in the lesson files.
LESSON_QUESTION_DRILL = "rulings"


@cache
def _list_files() -> dict[str, str]:
    """Return file names by lesson id, in order: ``01-words.toml`` is the lesson ``words``."""
    folder = resources.files("passline.school.lessons")
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".toml"))
    return {name.partition("-")[2].removesuffix(".toml"): name for name in names}


def list_lesson_ids() -> tuple[str, ...]:
    """Return the ids of the lessons in the order in which they are taught.

    >>> list_lesson_ids()[1]
    'pass-line'
    """
    return tuple(_list_files())


def find_lesson_id(name: str) -> str:
    """Return the id of the lesson that a user names, or "". British spelling is accepted.

    >>> find_lesson_id("change-and-colour"), find_lesson_id("nothing")
    ('change-and-color', '')
    """
    found = name.replace("colour", "color")
    return found if found in _list_files() else ""


@cache
def load_lesson(name: str) -> Lesson:
    """Return a lesson by its id. Raise KeyError if there is none.

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
    """Return all lessons in order."""
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
    """Return the ids of a rulebook's clauses that match the patterns, in pattern order.

    Raise LookupError for a pattern that matches none.

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
    """The id of a lesson that teaches a clause, and the names of its drills that ask about it."""

    lesson: str
    drills: tuple[str, ...]


class Syllabus(msgspec.Struct, frozen=True):
    """The lessons in order, and the clauses on procedure that no drill of a lesson asks about.

    ``missing`` lists these clauses as ``book:id``.
    """

    lessons: tuple[Lesson, ...]
    missing: tuple[str, ...]


@cache
def find_taught_clauses(book: str) -> dict[str, tuple[ClauseLesson, ...]]:
    """Return {clause id: its lessons and their drills} for the clauses that lessons teach.

    A clause that a rulebook takes over from another keeps its lessons.

    >>> find_taught_clauses("dealer-school")["pay.pass.order#2"][0].lesson
    'line-in-chips'
    """
    found: dict[str, tuple[ClauseLesson, ...]] = {}
    chain = list_chain(book)
    for files, lesson in product(chain, load_lessons()):
        if lesson.book != files.id:
            continue
        hidden = find_hidden_clauses(chain, files)
        for named in lesson.clauses:
            clause = named.partition(":")[2]
            cited = qualify_clause(files.id, hidden, clause)
            here = ClauseLesson(lesson.id, lesson.list_drills_asking(clause))
            found[cited] = (*found.get(cited, ()), here)
    return found


def build_syllabus() -> Syllabus:
    """Return all lessons, with the procedure clauses that are missing from them."""
    every = load_lessons()
    books = dict.fromkeys(lesson.book for lesson in every)
    return Syllabus(every, tuple(one for book in books for one in _list_missing_clauses(book)))


def _list_missing_clauses(book: str) -> list[str]:
    """Return, as ``book:id``, the procedure clauses that no drill of a lesson asks about."""
    known = find_taught_clauses(book)
    return [
        f"{book}:{clause.id}"
        for clause in list_clauses(book)
        if clause.kind == "procedure" and not any(one.drills for one in known.get(clause.id, ()))
    ]


#: One question in this many is a lesson's own.
_LESSON_QUESTION_ONE_IN = 2


@cache
def list_lesson_questions(book: str) -> tuple[LessonQuestion, ...]:
    """Return the questions that the lesson files on a rulebook contain, in order."""
    return tuple(ask for lesson in load_lessons() if lesson.book == book for ask in lesson.asks)


def pick_lesson_question(book: str, random: SeededRandom) -> LessonQuestion | None:
    """Return, half of the time, a question from the rulebook's lesson files (if any), else None."""
    asks = list_lesson_questions(book)
    return random.pick(asks) if asks and random.one_in(_LESSON_QUESTION_ONE_IN) else None


def make_lesson_question(
    setup: DrillSetup, ask: LessonQuestion, random: SeededRandom, most: int = 4
) -> Question:
    """Return a lesson file's question with at most ``most`` choices, at a table without bets.

    Raise NoQuestionError if none of its clauses is in the house's rulebook.
    """
    practice = PracticeTable(setup)
    practice.seat(random.pick(PLAYER_NAMES), random.between(1, PLACES))
    return make_table_question(practice, ask, random, most)


def make_table_question(
    practice: PracticeTable, ask: LessonQuestion, random: SeededRandom, most: int
) -> Question:
    """Return a question about a table with at most ``most`` choices, shuffled.

    Raise NoQuestionError if none of its clauses is in the rulebook of the table.
    """
    wrong = pick_wrong_choices(ask.right, ask.wrong, most - 1, random)
    choices = random.shuffled([ask.right, *wrong])
    cite = practice.setup.cites(*ask.clauses)
    if not cite:
        raise NoQuestionError("none.clause")
    return Question(
        drill=LESSON_QUESTION_DRILL,
        ask=ask.ask,
        given={"record": practice.record_text, "ask": ask.ask, "choices": choices},
        answer={"choice": choices.index(ask.right), "cite": cite[0]},
        explain=(ask.right,),
        cite=cite,
    )
