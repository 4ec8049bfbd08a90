"""Questions as data: what a drill asks and how an answer is marked.

A drill poses a question from the engine and the crew's data, for a desk: a house's felt and a level
of one to five. The answer stands in it, with what an instructor would say and the clauses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import msgspec

from passline.house import House
from passline.law.clauses import clauses_by_id
from passline.layout import Layout, Spot
from passline.money import Rack
from passline.school.drawing import Draws

LEVELS = (1, 2, 3, 4, 5)
#: Up to this level chips of any colours that make the amount are right.
ANY_COLOURS = 2
#: A figure in the id of a clause: a number, or the two that share a price.
_FIGURE = re.compile(r"(?<=[./])\d{1,3}(?:-\d{1,3})?(?=$|[/#])")


class NotAskedError(ValueError):
    """A drill that a house cannot support: one line says why."""


class UnreadableAnswerError(ValueError):
    """An answer that is none: a clear word says what was expected."""


class Desk(msgspec.Struct, frozen=True):
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
    def any_colours(self) -> bool:
        """Whether chips of other colours than the manual's will do."""
        return self.level <= ANY_COLOURS

    def cites(self, *found: str, about: Collection[int] = ()) -> tuple[str, ...]:
        """Those that are clauses of the house's rulebook, as ``book:id``, each once.

        Of clauses that differ in a figure alone (``place/4-10``, ``place/6-8``) only those are
        named that are ``about`` one of these, where there are any.
        """
        book = self.house.book.id
        known = clauses_by_id(book)
        those = [cite for cite in dict.fromkeys(found) if cite in known]
        return tuple(f"{book}:{cite}" for cite in those if not _beside(cite, those, about))


def own_clauses(spot: Spot) -> tuple[str, ...]:
    """The clauses by which a wager is made and decided, whatever it is paid."""
    found = [cite for table in spot.tables for v in table if v is not None for cite in (v.cite,)]
    return tuple(dict.fromkeys((*spot.rule.made.clauses, *found)))


def _beside(cite: str, those: Iterable[str], about: Collection[int]) -> bool:
    """Whether one of the others is that clause for the very figure."""
    if _figures(cite) & set(about):
        return False
    shape = _FIGURE.sub("", cite)
    same = [other for other in those if _FIGURE.sub("", other) == shape]
    return any(_figures(other) & set(about) for other in same)


def _figures(cite: str) -> set[int]:
    return {int(part) for found in _FIGURE.findall(cite) for part in found.split("-")}


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


class Mark(msgspec.Struct, frozen=True):
    """Whether an answer is right, because of what, and the clauses that it missed."""

    right: bool
    because: str
    missed: tuple[str, ...] = ()


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question. ``mark`` sees no answer that is None, and may raise
    UnreadableAnswerError; ``pose`` raises NotAskedError where the house has nothing to ask."""

    name: str
    #: What it trains, in a few words.
    trains: str
    pose: Callable[[Desk, Draws], Question]
    mark: Callable[[Desk, Question, Any], Mark]
    #: Whether each question has a table of its own, so that none comes twice.
    anew: bool = False
