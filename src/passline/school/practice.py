"""A day's practice: pick the next question, and report what a learner knows so far.

Due clauses come first, then new ones in teaching order. The module is pure: it reads a learner's
deck of cards (``repetition``), a layout and a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec

from passline.game.layout.spots import Layout
from passline.school.drills import list_drill_names, load_drill
from passline.school.learning_path import Gate, NextStep, find_next_step, list_gates
from passline.school.lessons.lesson_files import (
    LESSON_QUESTION_DRILL,
    Lesson,
    list_lesson_questions,
    load_lessons,
    pick_lesson_question,
)
from passline.school.question_index import load_index
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError, Question
from passline.school.questions_and_grades import make_question, seed_question
from passline.school.repetition import CardKey, CardState, Deck

#: The most new cards a day, in all and in one drill. Each comes back several times in the next
#: days, so more would be too many. The limit for one drill keeps a day from being all vocabulary.
NEW_CARDS_PER_DAY, _NEW_CARDS_PER_DRILL = 24, 6
#: How many questions to make in search of a new one about a clause, and how many seeds to try for a
#: lesson's own question.
_MAX_TRIES, _MAX_LESSON_SEEDS = 8, 6_000
#: How many answers in a row raise the level if all are right, or lower it if all are wrong.
_ANSWERS_TO_RAISE_LEVEL, _ANSWERS_TO_LOWER_LEVEL = 5, 3


class PracticeQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question to practice, and how it was chosen.

    ``level`` and ``seed`` make it again. ``why`` says whether the clauses in ``about`` are due
    again or new.
    """

    question: Question
    level: int
    seed: str
    why: Literal["due", "new"]
    about: tuple[str, ...]


def choose_level(deck: Deck, drill: str) -> int:
    """Return the level (1 to 5) of a learner's next question of a drill.

    Five right answers in a row at one level raise it, three wrong ones lower it.
    """
    mine = [each for each in deck.answers if each.drill == drill and each.level in LEVELS]
    if not mine:
        return LEVELS[0]
    level = mine[-1].level
    marks = [(each.level, each.right) for each in mine]
    if marks[-_ANSWERS_TO_RAISE_LEVEL:] == [(level, True)] * _ANSWERS_TO_RAISE_LEVEL:
        return min(level + 1, LEVELS[-1])
    if marks[-_ANSWERS_TO_LOWER_LEVEL:] == [(level, False)] * _ANSWERS_TO_LOWER_LEVEL:
        return max(level - 1, LEVELS[0])
    return level


def pick_next_question(
    deck: Deck,
    layout: Layout,
    now: datetime,
    *,
    level: int | None = None,
    new: int = NEW_CARDS_PER_DAY,
) -> PracticeQuestion | None:
    """Return the next question, or None if nothing is due and there is nothing new for today.

    ``level`` overrides the learner's own level. ``new`` is the most new cards (clauses that a drill
    asks for the first time) in a day.
    """
    book, pool = layout.house.book.id, _QuestionPool(deck, layout)
    for card in deck.list_due(now, book):
        found = _find_due_question(deck, layout, pool, card, level)
        if found is not None:
            return found
    seen = deck.count_new_cards(now)
    if seen.total() >= new:
        return None
    drills = {drill for drill in list_drill_names() if seen[drill] < _NEW_CARDS_PER_DRILL}
    return _find_new_question(deck, layout, pool, drills, level)


class LessonDrill(NamedTuple):
    """A drill of a lesson, the level to begin it at, and the clauses that the lesson teaches.

    ``own_clauses`` are those that the questions in the lesson file ask about.
    """

    drill: str
    level: int
    clauses: frozenset[str]
    own_clauses: tuple[str, ...] = ()


@cache
def list_lesson_drills(book: str) -> tuple[LessonDrill, ...]:
    """Return the drills of all lessons on a rulebook, in order.

    A lesson file with questions also adds ``rulings``, the drill that asks them.
    """
    found = []
    for lesson in load_lessons():
        if lesson.book == book:
            taught = frozenset(lesson.clauses)
            own = tuple(f"{book}:{clause}" for ask in lesson.asks for clause in ask.clauses)
            found += [LessonDrill(each.drill, each.level, taught) for each in lesson.practice]
            if own:
                each = LessonDrill(LESSON_QUESTION_DRILL, LEVELS[0], taught)
                found.append(each._replace(own_clauses=tuple(dict.fromkeys(own))))
    return tuple(found)


class _QuestionPool:
    """Makes candidates for a learner's next question. `draw` makes each question only once."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self._layout, self._tag = layout, f"practice {len(deck.answers)}"
        self._drawn: dict[tuple[str, int, int], Question | None] = {}

    def draw(self, drill: str, level: int, tries: int) -> Iterator[tuple[Question, str]]:
        """Yield up to ``tries`` pairs (question, seed); none if the drill can't make a question."""
        for n in range(1, tries + 1):
            key, seed = (drill, level, n), f"{self._tag} {n}"
            if key not in self._drawn:
                self._drawn[key] = _make_question_or_none(self._layout, drill, level, seed, 1)
            question = self._drawn[key]
            if question is None:
                return
            yield question, seed

    def recall(self, clause: str, level: int) -> tuple[Question, str] | None:
        """Return (question, seed) of a lesson file's question about a clause, or None."""
        book, drill = self._layout.house.book.id, LESSON_QUESTION_DRILL
        own = clause.removeprefix(f"{book}:")
        wanted = [ask for ask in list_lesson_questions(book) if own in ask.clauses]
        for n in range(1, _MAX_LESSON_SEEDS + 1) if wanted else ():
            seed = f"{self._tag} {n}"
            if pick_lesson_question(book, seed_question(seed, drill, level, 1)) in wanted:
                question = _make_question_or_none(self._layout, drill, level, seed, 1)
                return (question, seed) if question is not None else None
        return None


def _find_due_question(
    deck: Deck, layout: Layout, pool: _QuestionPool, card: CardState, fixed: int | None = None
) -> PracticeQuestion | None:
    """Return a question about the clause of a due card, or None if the card's drill makes none.

    Prefer a new question. If no level has one, repeat the last question asked, or take one from the
    drill's index. ``fixed`` is the level to try first instead of the learner's own.
    """
    (clause, drill), last = (card.key.clause, card.key.drill), card.last
    if drill not in list_drill_names():
        return None
    level = fixed or choose_level(deck, drill)

    def make_question(question: Question, at: int, seed: str) -> PracticeQuestion:
        return PracticeQuestion(question=question, level=at, seed=seed, why="due", about=(clause,))

    own = pool.recall(clause, level) if drill == LESSON_QUESTION_DRILL else None
    if own is not None:
        return make_question(own[0], level, own[1])
    for at, tries in ((level, _MAX_TRIES), *((other, 3) for other in LEVELS if other != level)):
        for question, seed in pool.draw(drill, at, tries):
            if clause in question.cite:
                return make_question(question, at, seed)
    at = last.level if last.level in LEVELS else level
    same = _make_question_or_none(layout, drill, at, last.seed, last.n)
    if same is not None and clause in same.cite:
        return make_question(same, at, last.seed)
    rare = load_index(layout, drill).find(clause, level, len(deck.answers))
    return make_question(*rare) if rare is not None else None


def _find_new_question(
    deck: Deck,
    layout: Layout,
    pool: _QuestionPool,
    drills: Collection[str],
    fixed: int | None,
) -> PracticeQuestion | None:
    """Return a question with a clause that its drill has never asked the learner, or None.

    Only ``drills`` are used, the drills of lessons first. ``fixed`` replaces the learner's own
    level.
    """
    others = (LessonDrill(drill, 1, frozenset()) for drill in list_drill_names())
    for part in (*list_lesson_drills(layout.house.book.id), *others):
        level = fixed or choose_level(deck, part.drill)
        if part.drill not in drills:
            continue
        for clause in part.own_clauses:
            new = CardKey(clause, LESSON_QUESTION_DRILL) not in deck.cards
            if new and (own := pool.recall(clause, level)) is not None:
                return _make_new_question(deck, level, *own)
        levels = (level, level if fixed else max(level, part.level))
        found = _find_lesson_question(deck, pool, part, levels)
        if found is not None:
            return found
    return None


def _find_lesson_question(
    deck: Deck, pool: _QuestionPool, part: LessonDrill, levels: Collection[int]
) -> PracticeQuestion | None:
    """Return a new question about the clauses of a lesson, or None.

    If the drill never asked any of these clauses, a question about other new clauses will do.
    ``levels`` are the levels to try, in order.
    """
    drawn = [
        (at, question, seed)
        for at in dict.fromkeys(levels)
        for question, seed in pool.draw(part.drill, at, _MAX_TRIES)
        if _find_new_clauses(deck, question)
    ]
    mine = [each for each in drawn if part.clauses.intersection(_find_new_clauses(deck, each[1]))]
    if not mine and not any(CardKey(clause, part.drill) in deck.cards for clause in part.clauses):
        mine = drawn
    return _make_new_question(deck, *mine[0]) if mine else None


def _make_new_question(deck: Deck, level: int, question: Question, seed: str) -> PracticeQuestion:
    about = _find_new_clauses(deck, question)
    return PracticeQuestion(question=question, level=level, seed=seed, why="new", about=about)


def _find_new_clauses(deck: Deck, question: Question) -> tuple[str, ...]:
    """Return the clauses of a question that its drill has never asked the learner."""
    return tuple(c for c in question.cite if CardKey(c, question.drill) not in deck.cards)


def _make_question_or_none(
    layout: Layout, drill: str, level: int, seed: str, n: int
) -> Question | None:
    """Return question ``n`` of a seed, or None if the seed is empty or the drill can't make one."""
    if not seed or n < 1:
        return None
    try:
        return make_question(load_drill(drill), DrillSetup(layout, level), seed, n)
    except NoQuestionError:
        return None


class LessonProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Progress in a lesson: how many of its clauses were asked, are known, and are due.

    ``right`` of ``of`` answers about them were right. ``gates`` are the pass marks of its drills.
    """

    id: str
    title: str
    clauses: int
    seen: int
    known: int
    due: int
    right: int
    of: int
    gates: tuple[Gate, ...] = ()


class ClauseProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Progress on a clause in one drill: ``right`` of ``of`` answers, and when it is due again.

    ``days`` is how long spaced repetition expects the learner to remember it.
    """

    clause: str
    drill: str
    right: int
    of: int
    due: str
    days: float
    known: bool


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """A learner's progress by lesson and by clause; ``torn`` counts unreadable lines of the log."""

    learner: str
    answers: int
    right: int
    torn: int
    lessons: tuple[LessonProgress, ...]
    clauses: tuple[ClauseProgress, ...]
    #: What to do next.
    next: NextStep


class DrillGroup(msgspec.Struct, frozen=True):
    """The clauses that a drill asks and no lesson teaches; reports list it like a lesson."""

    id: str
    title: str
    clauses: tuple[str, ...]
    drills: tuple[str, ...]


def group_by_drill(cards: Iterable[CardState]) -> tuple[DrillGroup, ...]:
    """Return the clauses of the cards in groups, one for each drill, in teaching order."""
    found: dict[str, dict[str, None]] = {name: {} for name in list_drill_names()}
    for card in cards:
        found.setdefault(card.key.drill, {})[card.key.clause] = None
    skills = {name: load_drill(name).skill for name in list_drill_names()}
    return tuple(
        DrillGroup(id=name, title=skills.get(name, name), clauses=tuple(clauses), drills=(name,))
        for name, clauses in found.items()
        if clauses
    )


def build_progress(
    deck: Deck,
    lessons: Sequence[Lesson | DrillGroup],
    now: datetime,
    *,
    learner: str = "",
    torn: int = 0,
) -> Progress:
    """Return progress by lesson and clause. Clauses that no lesson teaches are grouped by drill.

    ``torn`` is the number of lines of the learner's log that could not be read.
    """
    taught = {clause for lesson in lessons for clause in lesson.clauses}
    besides = group_by_drill(card for card in deck.cards.values() if card.key.clause not in taught)
    return Progress(
        learner=learner,
        answers=len(deck.answers),
        right=sum(answered.right for answered in deck.answers),
        torn=torn,
        lessons=tuple(_build_lesson_progress(deck, group, now) for group in (*lessons, *besides)),
        clauses=tuple(_build_clause_progress(deck.cards[key]) for key in sorted(deck.cards)),
        next=find_next_step(
            deck.answers,
            [lesson for lesson in lessons if isinstance(lesson, Lesson)],
            len(deck.list_due(now)),
        ),
    )


def _build_lesson_progress(
    deck: Deck, lesson: Lesson | DrillGroup, now: datetime
) -> LessonProgress:
    """Return a lesson's progress. A clause is known if known in every drill that asked it."""
    mine = set(lesson.clauses)
    cards = [card for card in deck.cards.values() if card.key.clause in mine]
    if isinstance(lesson, DrillGroup):
        cards = [card for card in cards if card.key.drill in lesson.drills]
    seen = {card.key.clause for card in cards}
    shaky = {card.key.clause for card in cards if not card.known}
    return LessonProgress(
        id=lesson.id,
        title=lesson.title,
        clauses=len(mine),
        seen=len(seen),
        known=len(seen - shaky),
        due=len({card.key.clause for card in cards if card.due <= now}),
        right=sum(card.right for card in cards),
        of=sum(card.of for card in cards),
        gates=list_gates(deck.answers, lesson) if isinstance(lesson, Lesson) else (),
    )


def _build_clause_progress(card: CardState) -> ClauseProgress:
    return ClauseProgress(
        clause=card.key.clause,
        drill=card.key.drill,
        right=card.right,
        of=card.of,
        due=format_utc(card.due),
        days=round(card.stability, 2),
        known=card.known,
    )


def format_utc(moment: datetime) -> str:
    """Return a time as text for JSON: UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def summarize_due_cards(deck: Deck, now: datetime, learner: str = "") -> dict[str, Any]:
    """Return what ``--due --json`` prints: the due cards, their count by drill, and "next".

    "next" is the time at which another card is due, or None. A card is a clause in one drill.
    """
    cards = deck.list_due(now)
    later = min((card.due for card in deck.cards.values() if card.due > now), default=None)
    counts = Counter(card.key.drill for card in cards)
    return {
        "learner": learner,
        "due": len(cards),
        "next": format_utc(later) if later else None,
        "drills": {name: counts[name] for name in list_drill_names() if counts[name]},
        "cards": [
            {
                "clause": card.key.clause,
                "drill": card.key.drill,
                "due": format_utc(card.due),
                "right": card.right,
                "of": card.of,
            }
            for card in cards
        ],
    }
