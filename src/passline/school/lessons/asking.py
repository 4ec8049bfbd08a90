"""Questions from lessons: what is done when, with false answers beside the right one.

They are for clauses that no payoff, call or order of work asks. The drill ``rulings`` puts them.
"""

from __future__ import annotations

from functools import cache

from passline.school.drawing import Draws
from passline.school.lessons.reading import RECALLED, LessonAsk, lessons
from passline.school.questions import Desk, Question
from passline.school.scenes import NAMES, Scene
from passline.table.opening import PLACES

#: One question in so many is a lesson's own.
_RECALLED = 2


@cache
def asks_of(book: str) -> tuple[LessonAsk, ...]:
    """Every question that the lessons on a book put, in order."""
    return tuple(ask for lesson in lessons() if lesson.book == book for ask in lesson.asks)


def recalled(book: str, draws: Draws) -> LessonAsk | None:
    """The lesson's question that a draw comes to, half of them; None: something else is asked."""
    asks = asks_of(book)
    return draws.pick(asks) if asks and draws.one_in(_RECALLED) else None


def recall_one(desk: Desk, ask: LessonAsk, draws: Draws, most: int = 4) -> Question:
    """That very question, at a table where nothing is bet yet."""
    scene = Scene(desk)
    scene.seat(draws.pick(NAMES), draws.between(1, PLACES))
    choices = draws.shuffled([ask.right, *draws.some(ask.wrong, most - 1)])
    cite = desk.cites(*ask.clauses)
    return Question(
        drill=RECALLED,
        ask=ask.ask,
        given={"record": scene.text, "ask": ask.ask, "choices": choices},
        answer={"choice": choices.index(ask.right), "cite": cite[0]},
        explain=(ask.right,),
        cite=cite,
    )
