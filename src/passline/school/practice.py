"""A day's practice: what is due, then what is new, in the order in which dealers are taught.

Pure: the learner's deck, a felt and a moment give the next question. Whoever asks appends the
answer to the log, folds it again and asks for the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from passline.layout import Layout
from passline.school.grading import ask_question, question_draws
from passline.school.lessons import lessons
from passline.school.lessons.asking import asks_of, recalled
from passline.school.lessons.reading import RECALLED
from passline.school.questions import LEVELS, Desk, NotAskedError, Question
from passline.school.registry import DRILLS, drill_named
from passline.school.repetition import CardKey, Deck, Learnt

#: New clauses a day, and of one drill: what comes back of them over the next days is several times
#: as many, and a day is not spent on words alone.
NEW_A_DAY, _NEW_A_DRILL = 24, 6
#: Draws until a question is about what is wanted; more where nothing else would ask it again; and
#: seeds that are looked through for a lesson's own question.
_TRIES, _LAST_TRIES, _RECALLS = 8, 60, 6_000
#: Answers that raise the level, or lower it: all of the last so many, right or wrong.
_RAISES, _LOWERS = 5, 3


class PracticeQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question of a practice, and what poses it again: drill, level, seed and number.

    ``why`` it is asked: because clauses are due, or because they are new.
    """

    question: Question
    level: int
    seed: str
    why: Literal["due", "new"]
    about: tuple[str, ...]


def level_for(deck: Deck, drill: str) -> int:
    """The level at which a drill is asked: one more after five right at one, less after three
    wrong."""
    mine = [each for each in deck.answers if each.drill == drill and each.level in LEVELS]
    if not mine:
        return LEVELS[0]
    level = mine[-1].level
    marks = [each.right for each in mine]
    at_level = [each.level == level for each in mine]
    if len(mine) >= _RAISES and all(marks[-_RAISES:]) and all(at_level[-_RAISES:]):
        return min(level + 1, LEVELS[-1])
    if len(mine) >= _LOWERS and not any(marks[-_LOWERS:]) and all(at_level[-_LOWERS:]):
        return max(level - 1, LEVELS[0])
    return level


def next_asked(
    deck: Deck, felt: Layout, now: datetime, *, level: int | None = None, new: int = NEW_A_DAY
) -> PracticeQuestion | None:
    """What is asked next; None: the day's practice is done.

    ``level``: at this one, whatever the learner's. ``new``: so many new cards a day at most.
    """
    book = felt.house.book.id
    for card in deck.due(now, book):
        found = _again(deck, felt, card, level)
        if found is not None:
            return found
    seen = deck.new_on(now)
    if seen.total() >= new:
        return None
    return _first(deck, felt, {drill for drill in DRILLS if seen[drill] < _NEW_A_DRILL}, level)


class LessonDrill(NamedTuple):
    """What a lesson has a drill ask, and from which level: clauses as ``book:id``."""

    drill: str
    level: int
    clauses: frozenset[str]
    recalled: tuple[str, ...] = ()


@cache
def teaching_order(book: str) -> tuple[LessonDrill, ...]:
    """What is taught and asked, lesson by lesson: each of its drills, and its own questions."""
    found = []
    for lesson in lessons():
        if lesson.book == book:
            taught = frozenset(lesson.clauses)
            own = tuple(f"{book}:{clause}" for ask in lesson.asks for clause in ask.clauses)
            found += [LessonDrill(each.drill, each.level, taught) for each in lesson.practice]
            if own:
                each = LessonDrill(RECALLED, LEVELS[0], taught)
                found.append(each._replace(recalled=tuple(dict.fromkeys(own))))
    return tuple(found)


class _Pool:
    """Fresh questions for a learner's next answer, of any drill; each is drawn once."""

    def __init__(self, deck: Deck, felt: Layout) -> None:
        self._felt, self._tag = felt, f"practice {len(deck.answers)}"
        self._drawn: dict[tuple[str, int, int], Question | None] = {}

    def draw(self, drill: str, level: int, tries: int) -> Iterator[tuple[Question, str]]:
        """Questions with their seeds, each the first of its own; none where the house has none."""
        for n in range(1, tries + 1):
            key, seed = (drill, level, n), f"{self._tag} {n}"
            if key not in self._drawn:
                self._drawn[key] = _posed(self._felt, drill, level, seed, 1)
            question = self._drawn[key]
            if question is None:
                return
            yield question, seed

    def recall(self, clause: str, level: int) -> tuple[Question, str] | None:
        """A lesson's own question on a clause; None: no lesson puts one."""
        book = self._felt.house.book.id
        wanted = [ask for ask in asks_of(book) if clause in (f"{book}:{c}" for c in ask.clauses)]
        for n in range(1, _RECALLS + 1) if wanted else ():
            seed = f"{self._tag} {n}"
            if recalled(book, question_draws(seed, RECALLED, level, 1)) in wanted:
                question = _posed(self._felt, RECALLED, level, seed, 1)
                return (question, seed) if question is not None else None
        return None


def _again(
    deck: Deck, felt: Layout, card: Learnt, fixed: int | None = None
) -> PracticeQuestion | None:
    """A fresh question about a clause; where none is drawn, the one that was asked last."""
    (clause, drill), last = (card.key.clause, card.key.drill), card.last
    if drill not in DRILLS:
        return None
    pool, level = _Pool(deck, felt), fixed or level_for(deck, drill)

    def asked(question: Question, at: int, seed: str) -> PracticeQuestion:
        return PracticeQuestion(question=question, level=at, seed=seed, why="due", about=(clause,))

    own = pool.recall(clause, level) if drill == RECALLED else None
    if own is not None:
        return asked(own[0], level, own[1])
    for at, tries in ((level, _TRIES), *((other, 3) for other in LEVELS if other != level)):
        for question, seed in pool.draw(drill, at, tries):
            if clause in question.cite:
                return asked(question, at, seed)
    at = last.level if last.level in LEVELS else level
    same = _posed(felt, drill, at, last.seed, last.n)
    if same is not None and clause in same.cite:
        return asked(same, at, last.seed)
    for question, seed in pool.draw(drill, at, _LAST_TRIES):  # of an audition's own table
        if clause in question.cite:
            return asked(question, at, seed)
    return None


def _first(
    deck: Deck, felt: Layout, drills: Collection[str], fixed: int | None
) -> PracticeQuestion | None:
    """A question with a clause that was never asked so: of the first lesson that has one; where no
    lesson does, of the first drill."""
    pool = _Pool(deck, felt)
    taught = (
        *teaching_order(felt.house.book.id),
        *(LessonDrill(d, 1, frozenset()) for d in DRILLS),
    )
    for part in taught:
        level = fixed or level_for(deck, part.drill)
        if part.drill not in drills:
            continue
        for clause in part.recalled:
            own = None
            if CardKey(clause, RECALLED) not in deck.cards:
                own = pool.recall(clause, level)
            if own is not None:
                return _new(deck, level, *own)
        found = _of_lesson(deck, pool, part, (level, level if fixed else max(level, part.level)))
        if found is not None:
            return found
    return None


def _of_lesson(
    deck: Deck, pool: _Pool, part: LessonDrill, levels: Collection[int]
) -> PracticeQuestion | None:
    """A new question on what a lesson teaches; any of the drill, where it asks none of that."""
    drawn = [
        (at, question, seed)
        for at in dict.fromkeys(levels)
        for question, seed in pool.draw(part.drill, at, _TRIES)
        if _fresh(deck, question)
    ]
    mine = [each for each in drawn if part.clauses.intersection(_fresh(deck, each[1]))]
    if not mine and not any(CardKey(clause, part.drill) in deck.cards for clause in part.clauses):
        mine = drawn
    return _new(deck, *mine[0]) if mine else None


def _new(deck: Deck, level: int, question: Question, seed: str) -> PracticeQuestion:
    about = _fresh(deck, question)
    return PracticeQuestion(question=question, level=level, seed=seed, why="new", about=about)


def _fresh(deck: Deck, question: Question) -> tuple[str, ...]:
    """The clauses of a question that were never asked so."""
    return tuple(c for c in question.cite if CardKey(c, question.drill) not in deck.cards)


def _posed(felt: Layout, drill: str, level: int, seed: str, n: int) -> Question | None:
    """The question that these pose; None where they pose none."""
    if not seed or n < 1:
        return None
    try:
        return ask_question(drill_named(drill), Desk(felt, level), seed, n)
    except NotAskedError:
        return None
