"""Spaced repetition: build a learner's cards from the answer log, each with the time it is due.

A card is a clause in one drill. The ``fsrs`` package decides when a card is due, with its default
parameters and without randomness: the same answers always give the same due times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import cache

import msgspec

from passline.optional_packages import missing_extra
from passline.school.answer_log import AnswerRecord
from passline.school.drills import list_drill_names, load_drill
from passline.school.learning_path import is_at_pace

try:
    from fsrs import Card, Rating, Scheduler, State
except ModuleNotFoundError as error:
    raise missing_extra(error, "spaced repetition") or error from None

#: A clause is known after right and fast answers on this many different days, without a miss since.
KNOWN_DAYS = 2


class CardKey(msgspec.Struct, frozen=True, order=True):
    """The identity of a card: a clause, as ``book:id``, in one drill."""

    clause: str
    drill: str


class CardState(msgspec.Struct, frozen=True, kw_only=True):
    """A card (a clause in one drill): when it is due, and the learner's answers to it.

    ``stability`` is how many days the learner will remember it; ``right`` of ``of`` answers were
    right. ``first`` is when the card was first asked, and ``last`` the latest answer. ``reviewed``
    means that FSRS has it in review, not in (re)learning.
    """

    key: CardKey
    due: datetime
    stability: float
    reviewed: bool
    right: int
    of: int
    first: datetime
    last: AnswerRecord
    #: The learner's days on which an answer was right and at pace, since the last miss.
    good_days: frozenset[date] = frozenset()

    @property
    def known(self) -> bool:
        """Whether the learner was right and fast on two different days, with no miss since."""
        return len(self.good_days) >= KNOWN_DAYS


class Deck(msgspec.Struct, frozen=True):
    """All cards of a learner, and the answers that they were built from."""

    answers: tuple[AnswerRecord, ...] = ()
    cards: dict[CardKey, CardState] = {}

    def list_due(self, now: datetime, book: str = "") -> tuple[CardState, ...]:
        """Return the cards that are due at ``now``, longest overdue first.

        A ``book`` id limits them to the clauses of one rulebook.
        """
        waiting = [
            card
            for card in self.cards.values()
            if card.due <= now and (not book or card.key.clause.startswith(f"{book}:"))
        ]
        return tuple(sorted(waiting, key=lambda card: (card.due, card.key)))

    def count_new_cards(self, now: datetime) -> Counter[str]:
        """Return how many cards were first asked on the day of ``now``, by drill."""
        day, cards = now.date(), self.cards.values()
        first = (card for card in cards if card.first.astimezone(now.tzinfo).date() == day)
        return Counter(card.key.drill for card in first)


#: An answer faster than the first share of the drill's time is rated easy, slower than the second
#: hard.
_EASY_SHARE, _HARD_SHARE = 0.5, 2.0


def rate_recall(drill: str, right: bool, seconds: float | None) -> Rating:
    """Rate an answer for FSRS (again, hard, good or easy), by whether it is right and how fast.

    >>> [int(rate_recall("payoffs", True, seconds)) for seconds in (9, 20, 60, None)]
    [4, 3, 2, 3]
    """
    if not right:
        return Rating.Again
    if seconds is None or drill not in list_drill_names():
        return Rating.Good
    share = seconds / load_drill(drill).seconds
    if share <= _EASY_SHARE:
        return Rating.Easy
    return Rating.Good if share <= _HARD_SHARE else Rating.Hard


@cache
def _get_scheduler() -> Scheduler:
    return Scheduler(enable_fuzzing=False)


def build_deck(answers: Iterable[AnswerRecord]) -> Deck:
    """Return the deck of cards that results from a learner's answers, in the order given.

    A right answer counts for all clauses of its question, a wrong one for those that it missed. If
    an answer's date is before that of the answer before it (the clock was set back), it adds no
    good day.
    """
    kept, previous = tuple(answers), None
    cards: dict[CardKey, Card] = {}
    found: dict[CardKey, CardState] = {}
    for answered in kept:
        at = answered.at.astimezone(UTC)
        went_back = previous is not None and _find_day(previous, answered) > answered.at.date()
        previous = answered
        rating = rate_recall(answered.drill, answered.right, answered.seconds)
        for clause in answered.clauses if answered.right else answered.missed:
            key = CardKey(clause, answered.drill)
            before = cards.get(key) or Card(card_id=0, due=at)
            # If the clock was set back, count no time as passed since the last review.
            moment = max(at, before.last_review or at)
            cards[key], _ = _get_scheduler().review_card(before, rating, moment)
            found[key] = _make_card_state(
                key, cards[key], answered, found.get(key), counts_day=not went_back
            )
    return Deck(kept, found)


def _find_day(answered: AnswerRecord, other: AnswerRecord) -> date:
    """Return the date of ``answered`` in the time zone of ``other``."""
    return answered.at.astimezone(other.at.tzinfo).date()


def _make_card_state(
    key: CardKey,
    card: Card,
    answered: AnswerRecord,
    before: CardState | None,
    *,
    counts_day: bool,
) -> CardState:
    days, day = before.good_days if before and answered.right else frozenset(), answered.at.date()
    if is_at_pace(answered):  # Days that have not come yet were told by a wrong clock.
        days = frozenset(one for one in days if one <= day) | ({day} if counts_day else set())
    return CardState(
        key=key,
        due=card.due,
        stability=card.stability or 0.0,
        reviewed=card.state is State.Review,
        right=answered.right + (before.right if before else 0),
        of=1 + (before.of if before else 0),
        first=before.first if before else answered.at,
        last=answered,
        good_days=days,
    )
