"""The values that every drill works with: a setup, a question, a grade, and the errors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from passline.game.house.house import House
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.spots import Layout, Spot
from passline.game.money.chips import Rack
from passline.game.words.school import say_school
from passline.school.seeded_random import SeededRandom

LEVELS = (1, 2, 3, 4, 5)
#: Up to this level, chips of any colors that make the amount are right.
ANY_COLORS_MAX_LEVEL = 2
#: The numbers in a clause id: "6" in ``place/6``, "6-8" in ``place/6-8``.
_NUMBER_IN_CLAUSE_ID = re.compile(r"(?<=[./])\d{1,3}(?:-\d{1,3})?(?=$|[/#])")


class SchoolError(ValueError):
    """An error with a message for the user: a sentence from ``words.school``."""

    def __init__(self, code: str, **figures: object) -> None:
        super().__init__(say_school(code, **figures))


class NoQuestionError(SchoolError):
    """Raised when a house gives a drill nothing to ask about. The message says why in one line."""


class DrillSetup(msgspec.Struct, frozen=True):
    """The layout of a house and the difficulty level of the questions asked about it.

    Level 1 asks about one bet in chips of one color, 2 adds mixed stacks, 3 several bets at both
    ends of the table, 4 amounts that don't pay evenly, 5 everything together.
    """

    layout: Layout
    level: int

    @property
    def house(self) -> House:
        """Return the house whose rules are asked about."""
        return self.layout.house

    @property
    def rack(self) -> Rack:
        """Return the house's chips."""
        return self.layout.house.rack

    @property
    def any_colors(self) -> bool:
        """Whether chips of any colors that make the amount are right."""
        return self.level <= ANY_COLORS_MAX_LEVEL

    def cites(self, *clauses: str, about: Collection[int] = ()) -> tuple[str, ...]:
        """Return the ids in ``clauses`` that the rulebook has, as ``book:id``, without duplicates.

        Of clauses that differ only in a number (``place/4-10``, ``place/6-8``), return those that
        name a number in ``about``, if there are any.
        """
        book = self.house.book.id
        known = clauses_by_id(book)
        valid = [clause for clause in dict.fromkeys(clauses) if clause in known]
        return tuple(
            f"{book}:{clause}" for clause in valid if not _has_closer_clause(clause, valid, about)
        )


def find_wager_clauses(spot: Spot) -> tuple[str, ...]:
    """Return the ids of the clauses on how a wager is made and decided, not on its price."""
    found = [verdict.cite for table in spot.tables for verdict in table if verdict is not None]
    return tuple(dict.fromkeys((*spot.rule.made.clauses, *found)))


def _has_closer_clause(clause: str, clauses: Iterable[str], about: Collection[int]) -> bool:
    """Return whether another of ``clauses`` suits a question better than ``clause``.

    It does if only the number in its id differs, and it names one of the question's numbers
    (``about``) while ``clause`` does not.
    """
    if _parse_clause_numbers(clause) & set(about):
        return False
    shape = _NUMBER_IN_CLAUSE_ID.sub("", clause)
    alike = [other for other in clauses if _NUMBER_IN_CLAUSE_ID.sub("", other) == shape]
    return any(_parse_clause_numbers(other) & set(about) for other in alike)


def _parse_clause_numbers(clause: str) -> set[int]:
    return {
        int(part) for found in _NUMBER_IN_CLAUSE_ID.findall(clause) for part in found.split("-")
    }


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question: the sentence ``ask``, the values ``given`` with it, and the right ``answer``.

    ``explain`` has lines that explain the answer, ``cite`` its clauses as ``book:id``. JSON has the
    same fields: money as decimal strings, chips as counts by color.
    """

    drill: str
    n: int = 0
    ask: str
    given: dict[str, Any]
    answer: dict[str, Any]
    explain: tuple[str, ...]
    cite: tuple[str, ...]


class Grade(msgspec.Struct, frozen=True):
    """Whether an answer is right, the sentence that says why, and the clauses that it missed."""

    right: bool
    because: str
    missed: tuple[str, ...] = ()


def pick_wrong_choices(
    right: str, wrong: Sequence[str], count: int, random: SeededRandom
) -> list[str]:
    """Return at most ``count`` wrong choices, some shorter and some longer than the right one.

    How many are at least as long is random, so that its length does not give the right one away.
    """
    mixed = random.shuffled(wrong)
    longer = [words for words in mixed if len(words) >= len(right)]
    shorter = [words for words in mixed if len(words) < len(right)]
    target = random.below(count + 1)
    picked = longer[:target] + shorter[: count - min(target, len(longer))]
    return picked + longer[target : target + count - len(picked)]
