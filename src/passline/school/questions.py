"""Questions as data: what a drill asks and how an answer is marked.

A drill poses a question from the engine and the crew's data, for a desk: a house's felt and a level
of one to five. The answer stands in it, with what an instructor would say and the clauses.

The drills by name, in the order in which dealers are taught; each is imported when asked for.

How long a question takes a dealer who knows: what is quick, what is slow, what is too late.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from importlib import import_module
from typing import Any

import msgspec

from passline.game.house.house import House
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.spots import Layout, Spot
from passline.game.money.chips import Rack
from passline.school.seeded_random import SeededRandom

LEVELS = (1, 2, 3, 4, 5)
#: Up to this level chips of any colours that make the amount are right.
ANY_COLORS_MAX_LEVEL = 2
#: A figure in the id of a clause: a number, or the two that share a price.
_NUMBER_IN_CLAUSE_ID = re.compile(r"(?<=[./])\d{1,3}(?:-\d{1,3})?(?=$|[/#])")


class NoQuestionError(ValueError):
    """A drill that a house cannot support: one line says why."""


class UnreadableAnswerError(ValueError):
    """An answer that is none: a clear word says what was expected."""


class DrillSetup(msgspec.Struct, frozen=True):
    """Where a learner sits: the felt of a house, and a level.

    One bet in one colour; mixed stacks; several bets and both ends; amounts that do not come out
    even; everything mixed.
    """

    layout: Layout
    level: int

    @property
    def house(self) -> House:
        """The house whose rules are asked."""
        return self.layout.house

    @property
    def rack(self) -> Rack:
        """The house's chips."""
        return self.layout.house.rack

    @property
    def any_colors(self) -> bool:
        """Whether chips of other colours than the manual's will do."""
        return self.level <= ANY_COLORS_MAX_LEVEL

    def cites(self, *found: str, about: Collection[int] = ()) -> tuple[str, ...]:
        """Those that are clauses of the house's rulebook, as ``book:id``, each once.

        Of clauses that differ in a figure alone (``place/4-10``, ``place/6-8``) only those are
        named that are ``about`` one of these, where there are any.
        """
        book = self.house.book.id
        known = clauses_by_id(book)
        those = [cite for cite in dict.fromkeys(found) if cite in known]
        return tuple(
            f"{book}:{cite}" for cite in those if not _has_closer_clause(cite, those, about)
        )


def find_wager_clauses(spot: Spot) -> tuple[str, ...]:
    """The clauses by which a wager is made and decided, whatever it is paid."""
    found = [cite for table in spot.tables for v in table if v is not None for cite in (v.cite,)]
    return tuple(dict.fromkeys((*spot.rule.made.clauses, *found)))


def _has_closer_clause(cite: str, those: Iterable[str], about: Collection[int]) -> bool:
    """Whether one of the others is that clause for the very figure."""
    if _parse_clause_numbers(cite) & set(about):
        return False
    shape = _NUMBER_IN_CLAUSE_ID.sub("", cite)
    same = [other for other in those if _NUMBER_IN_CLAUSE_ID.sub("", other) == shape]
    return any(_parse_clause_numbers(other) & set(about) for other in same)


def _parse_clause_numbers(cite: str) -> set[int]:
    return {int(part) for found in _NUMBER_IN_CLAUSE_ID.findall(cite) for part in found.split("-")}


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question: what is asked of what, the answer, what an instructor says, the clauses.

    All of it goes to JSON as it is: money in decimal strings, chips by colour, ``puck`` null on a
    come-out roll, ``cite`` as ``book:id``.
    """

    drill: str
    n: int = 0
    ask: str
    given: dict[str, Any]
    answer: dict[str, Any]
    explain: tuple[str, ...]
    cite: tuple[str, ...]


class Grade(msgspec.Struct, frozen=True):
    """Whether an answer is right, because of what, and the clauses that it missed."""

    right: bool
    because: str
    missed: tuple[str, ...] = ()


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question. ``mark`` sees no answer that is None, and may raise
    UnreadableAnswerError; ``pose`` raises NoQuestionError where the house has nothing to ask."""

    name: str
    #: What it trains, in a few words.
    skill: str
    make_question: Callable[[DrillSetup, SeededRandom], Question]
    grade: Callable[[DrillSetup, Question, Any], Grade]
    #: Whether each question has a table of its own, so that none comes twice.
    never_repeats: bool = False


#: Whose bet is it, where does it go, flat and odds, booking: all that before any speed.
DRILL_NAMES = (
    "terms",
    "positions",
    "booking",
    "lines",
    "payoffs",
    "keys",
    "vig",
    "limits",
    "groups",
    "press",
    "calls",
    "order",
    "errors",
    "rulings",
)


def load_drill(name: str) -> Drill:
    """A drill by its name; KeyError where there is none.

    >>> load_drill("vig").name
    'vig'
    """
    if name not in DRILL_NAMES:
        raise KeyError(name)
    drill = import_module(f"passline.school.drills.{name}").DRILL
    assert isinstance(drill, Drill)
    return drill


#: Seconds by drill in which a working dealer answers in full, reading included. They are the
#: school's own: a payoff is cut in front of a player who waits, an order of work is told in words.
SECONDS_BY_DRILL = {
    "terms": 12,
    "positions": 12,
    "booking": 30,
    "lines": 25,
    "payoffs": 20,
    "keys": 20,
    "vig": 25,
    "limits": 25,
    "groups": 25,
    "press": 40,
    "calls": 20,
    "order": 60,
    "errors": 45,
    "rulings": 20,
}
_EASY_SHARE, _HARD_SHARE = 0.5, 2.0
#: The same figures as FSRS gives its four ratings.
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


def score_speed(drill: str, seconds: float) -> float:
    """How fast an answer is, from nothing to one: one within the drill's pace, half in twice it.

    >>> score_speed("payoffs", 15), score_speed("payoffs", 40)
    (1.0, 0.5)
    """
    return min(1.0, SECONDS_BY_DRILL[drill] / seconds) if seconds > 0 else 1.0


def rate_recall(drill: str, right: bool, seconds: float | None) -> int:
    """What an answer says of how well its clause is known: 1 again, 2 hard, 3 good, 4 easy.

    >>> [rate_recall("payoffs", True, seconds) for seconds in (9, 20, 60, None)]
    [4, 3, 2, 3]
    """
    if not right:
        return AGAIN
    if seconds is None or drill not in SECONDS_BY_DRILL:
        return GOOD
    share = seconds / SECONDS_BY_DRILL[drill]
    return EASY if share <= _EASY_SHARE else GOOD if share <= _HARD_SHARE else HARD
