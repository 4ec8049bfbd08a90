"""A day's practice: what is due, then what is new, in the order in which dealers are taught.

Pure: the learner's deck, a felt and a moment give the next question. Whoever asks appends the
answer to the log, folds it again and asks for the next.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from passline.layout import Layout
from passline.school.grading import ask_question
from passline.school.questions import LEVELS, Desk, NotAskedError, Question
from passline.school.registry import DRILLS, drill_named
from passline.school.repetition import Deck, Learnt

#: New clauses a day, and of one drill: what comes back of them over the next days is several times
#: as many, and a day is not spent on words alone.
NEW_A_DAY, _NEW_A_DRILL = 24, 6
#: Draws until a question is about what is wanted.
_TRIES = 8
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
    for card in deck.due(now, felt.house.book.id):
        found = _again(deck, felt, card, level or level_for(deck, card.key.drill))
        if found is not None:
            return found
    seen = deck.new_on(now)
    if seen.total() >= new:
        return None
    for drill in DRILLS:
        if seen[drill] >= _NEW_A_DRILL:
            continue
        found = _first(deck, felt, drill, level or level_for(deck, drill))
        if found is not None:
            return found
    return None


def _seed(deck: Deck) -> str:
    """Fresh questions for every answer that was given."""
    return f"practice {len(deck.answers)}"


def _again(deck: Deck, felt: Layout, card: Learnt, level: int) -> PracticeQuestion | None:
    """A fresh question about a clause; where none is drawn, the one that was asked last."""
    drill, last = card.key.drill, card.last
    if drill not in DRILLS:
        return None
    draws = [(level, _seed(deck), n) for n in range(1, _TRIES + 1)]
    draws += [(other, _seed(deck), n) for other in LEVELS if other != level for n in (1, 2, 3)]
    draws.append((last.level if last.level in LEVELS else level, last.seed, last.n))
    for at, seed, n in draws:
        question = _posed(felt, drill, at, seed, n)
        if question is not None and card.key.clause in question.cite:
            about = (card.key.clause,)
            return PracticeQuestion(question=question, level=at, seed=seed, why="due", about=about)
    return None


def _first(deck: Deck, felt: Layout, drill: str, level: int) -> PracticeQuestion | None:
    """A question with a clause that was never asked so."""
    known = {key.clause for key in deck.cards if key.drill == drill}
    for n in range(1, _TRIES + 1):
        question = _posed(felt, drill, level, _seed(deck), n)
        if question is None:
            return None
        fresh = tuple(cite for cite in question.cite if cite not in known)
        if fresh:
            return PracticeQuestion(
                question=question, level=level, seed=_seed(deck), why="new", about=fresh
            )
    return None


def _posed(felt: Layout, drill: str, level: int, seed: str, n: int) -> Question | None:
    if not seed or n < 1:
        return None
    try:
        return ask_question(drill_named(drill), Desk(felt, level), seed, n)
    except NotAskedError:
        return None
