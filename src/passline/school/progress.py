"""How far a learner is, by lesson and by clause; what is waiting, by drill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from passline.school.registry import DRILLS, drill_named
from passline.school.repetition import Deck, Learnt


class LessonLike(Protocol):
    """What a lesson has that progress is told by."""

    @property
    def id(self) -> str:
        """Its name in the syllabus."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def clauses(self) -> Sequence[str]:
        """The clauses that it teaches, as ``book:id``."""

    @property
    def drills(self) -> Sequence[str]:
        """The drills that ask them."""


class LessonProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson: of its clauses how many were asked, are known and are due; right answers of all."""

    id: str
    title: str
    clauses: int
    seen: int
    known: int
    due: int
    right: int
    of: int


class ClauseProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A clause in one kind of question: right answers of all, when it is due, for how many days it
    is remembered."""

    clause: str
    drill: str
    right: int
    of: int
    due: str
    days: float
    known: bool


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a learner is."""

    learner: str
    answers: int
    right: int
    torn: int
    lessons: tuple[LessonProgress, ...]
    clauses: tuple[ClauseProgress, ...]


class DrillGroup(msgspec.Struct, frozen=True):
    """The clauses that a drill asked, as one lesson: for whatever no lesson teaches."""

    id: str
    title: str
    clauses: tuple[str, ...]
    drills: tuple[str, ...]


def by_drill(cards: Iterable[Learnt]) -> tuple[DrillGroup, ...]:
    """Cards in groups by drill, in teaching order."""
    found: dict[str, dict[str, None]] = {name: {} for name in DRILLS}
    for card in cards:
        found.setdefault(card.key.drill, {})[card.key.clause] = None
    return tuple(
        DrillGroup(id=name, title=_title(name), clauses=tuple(clauses), drills=(name,))
        for name, clauses in found.items()
        if clauses
    )


def _title(drill: str) -> str:
    """What a drill trains; the name alone of one that is no more."""
    return drill_named(drill).trains if drill in DRILLS else drill


def progress_of(
    deck: Deck, lessons: Sequence[LessonLike], now: datetime, *, learner: str = "", torn: int = 0
) -> Progress:
    """Lesson by lesson and clause by clause; what no lesson teaches stands by its drill."""
    taught = {clause for lesson in lessons for clause in lesson.clauses}
    besides = by_drill(card for card in deck.cards.values() if card.key.clause not in taught)
    groups: list[LessonLike] = [*lessons, *besides]
    return Progress(
        learner=learner,
        answers=len(deck.answers),
        right=sum(answered.right for answered in deck.answers),
        torn=torn,
        lessons=tuple(_lesson(deck, group, now) for group in groups),
        clauses=tuple(_clause(deck.cards[key]) for key in sorted(deck.cards)),
    )


def _lesson(deck: Deck, lesson: LessonLike, now: datetime) -> LessonProgress:
    """A clause is known when every kind of question that asked it says so."""
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
    )


def _clause(card: Learnt) -> ClauseProgress:
    return ClauseProgress(
        clause=card.key.clause,
        drill=card.key.drill,
        right=card.right,
        of=card.of,
        due=moment_text(card.due),
        days=round(card.stability, 2),
        known=card.known,
    )


def moment_text(moment: datetime) -> str:
    """A moment as JSON has it: UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def waiting_of(deck: Deck, now: datetime, learner: str = "") -> dict[str, Any]:
    """What waits, as ``--due --json`` tells it: how many, by drill, each card, and the next."""
    cards = deck.due(now)
    later = min((card.due for card in deck.cards.values() if card.due > now), default=None)
    counts = Counter(card.key.drill for card in cards)
    return {
        "learner": learner,
        "due": len(cards),
        "next": moment_text(later) if later else None,
        "drills": {name: counts[name] for name in DRILLS if counts[name]},
        "cards": [
            {
                "clause": card.key.clause,
                "drill": card.key.drill,
                "due": moment_text(card.due),
                "right": card.right,
                "of": card.of,
            }
            for card in cards
        ],
    }
