"""Find a drill's questions by the clauses that they cite, for practice.

A drill asks about some clauses rarely, and about others not at all. The index of a drill makes the
questions of fixed seeds, as many as it needs, and remembers what they cite: a clause that is not
found there counts as one that the drill does not ask about.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import SCHOOL_BOOK
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.school.answer_log import AnswerRecord
from passline.school.drills import list_drill_names, load_drill
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError, Question
from passline.school.questions_and_grades import make_question
from passline.school.work_faults import load_school_data

#: How many seeds an index tries, each at every level: of questions about a dealt table, which take
#: ten times as long to make, and of others. How many indexes are in memory.
_TABLE_SEEDS, _SEEDS, _INDEXES = 60, 300, 128


class IndexedQuestion(NamedTuple):
    """A question, with the level and the seed that make it again."""

    question: Question
    level: int
    seed: str


class _IndexKey:
    """A cache key, equal only for the same layout object and the same drill."""

    def __init__(self, layout: Layout, drill: str) -> None:
        self.layout, self.drill = layout, drill

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _IndexKey):
            return False
        return self.layout is other.layout and self.drill == other.drill

    def __hash__(self) -> int:
        return hash((id(self.layout), self.drill))


class QuestionIndex:
    """The questions of a drill by clause. Threads may share it."""

    def __init__(self, layout: Layout, drill: str) -> None:
        self._found: dict[str, list[IndexedQuestion]] = {}
        self._rest, self._lock = _make_questions(layout, drill), Lock()

    def find(self, clause: str, level: int, turn: int = 0) -> IndexedQuestion | None:
        """Return a question that cites a clause, or None if the index has none.

        Of those made so far, prefer questions at ``level``; ``turn`` picks one of several.
        """
        with self._lock:
            while clause not in self._found:
                made = next(self._rest, None)
                if made is None:
                    return None
                for cite in made.question.cite:
                    self._found.setdefault(cite, []).append(made)
            found = self._found[clause]
            own = [one for one in found if one.level == level] or found
            return own[turn % len(own)]


def _make_questions(layout: Layout, drill: str) -> Iterator[IndexedQuestion]:
    for n in range(1, _SEEDS + 1):
        for level in LEVELS:
            seed = f"index {n}"
            try:
                question = make_question(load_drill(drill), DrillSetup(layout, level), seed, 1)
            except NoQuestionError:
                continue
            if n > _TABLE_SEEDS and "record" in question.given:
                return
            yield IndexedQuestion(question, level, seed)


@lru_cache(_INDEXES)
def _load_index(key: _IndexKey) -> QuestionIndex:
    return QuestionIndex(key.layout, key.drill)


def load_index(layout: Layout, drill: str) -> QuestionIndex:
    """Return the index of a drill's questions in a house. Cached."""
    return _load_index(_IndexKey(layout, drill))


def keep_asked_clauses(answer: AnswerRecord) -> AnswerRecord:
    """Return an answer with only those clauses that practice can ask about in its drill.

    A wrong answer that would have no missed clause left gets the dealer manual's clause for the
    drill, if there is one, so that practice repeats it all the same. An answer with a seed stays as
    it is, since its own question can be made again; so does one of an unknown drill or rulebook.
    """
    if answer.seed or answer.drill not in list_drill_names():
        return answer
    try:
        layout = compile_layout(house_for(answer.rulebook))
    except HouseError:  # Such as a book that is not here any more.
        return answer
    index = load_index(layout, answer.drill)

    def keep(clauses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in clauses if index.find(one, answer.level) is not None)

    missed, manual = keep(answer.missed), load_school_data(SCHOOL_BOOK).practice
    if answer.right or missed:
        return replace(answer, clauses=keep(answer.clauses), missed=missed)
    if answer.drill not in manual:
        return answer
    instead = (f"{SCHOOL_BOOK}:{manual[answer.drill]}",)
    return replace(answer, clauses=instead, missed=instead, rulebook=SCHOOL_BOOK)
