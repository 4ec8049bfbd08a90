"""What a learner answered, kept: one line an answer, in order, never changed.

What is due and what is known is the fold of these lines (``repetition``); the log is all that is
kept. Any store will do that appends, reads and deletes: ``Reviews``.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

import msgspec

from passline.plain import has_one_alphabet, printed
from passline.school.questions import Mark, Question

LONGEST_NAME = 40


class LearnerError(ValueError):
    """A name that no learner has, or a log that cannot be used; one line says why."""


class Answered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer: when, to which question, whether right, how fast, and the clauses.

    ``clauses`` are those of the question, ``missed`` those that a wrong answer missed. ``seed``,
    ``level`` and ``n`` pose the question again; an empty seed: it was of a table of its own.
    ``id`` tells one answer from another, so that one that is sent twice is kept once.
    """

    at: datetime
    drill: str
    right: bool
    clauses: tuple[str, ...]
    missed: tuple[str, ...] = ()
    seconds: float | None = None
    rulebook: str = ""
    level: int = 1
    seed: str = ""
    n: int = 0
    id: str = ""


class Answers(msgspec.Struct, frozen=True):
    """A learner's log: the answers in their order, and how many lines of it could not be read."""

    learner: str
    answers: tuple[Answered, ...] = ()
    torn: int = 0


class Reviews(Protocol):
    """Where answers are kept, by learner. LearnerError where they cannot be."""

    def append(self, learner: str, answered: Answered) -> None:
        """Keep an answer: it is on the disk when this returns."""

    def read(self, learner: str) -> Answers:
        """All that a learner answered; nothing of one who is not known."""

    def learners(self) -> tuple[str, ...]:
        """The names of everybody of whom something is kept, in order."""

    def heads(self) -> dict[str, str]:
        """The same names, each with something that changes whenever its answers do."""

    def delete(self, learner: str) -> bool:
        """Forget a learner; whether there was anything to forget."""

    def close(self) -> None:
        """Let go of whatever is held open."""


def check_learner(name: str) -> str:
    """A learner's name as it is kept: one line that only prints, in one alphabet.

    >>> check_learner(" Ann "), check_learner("Zoë K.")
    ('Ann', 'Zoë K.')
    """
    found = " ".join(name.split())
    if not found:
        raise LearnerError("a learner has a name")
    if len(found) > LONGEST_NAME:
        raise LearnerError(f"a learner's name has {LONGEST_NAME} characters at most")
    if not found.isprintable() or not has_one_alphabet(found):
        raise LearnerError("a learner's name is printed in letters of one alphabet")
    return found


def learner_key(name: str) -> str:
    """What a learner is known by: names that look alike are one learner's."""
    return printed(check_learner(name))


def answered_to(
    question: Question,
    mark: Mark,
    *,
    at: datetime,
    seconds: float | None = None,
    level: int = 1,
    seed: str = "",
) -> Answered:
    """The line that is kept of an answer. ``at`` has a time zone."""
    at = at.astimezone(UTC)
    rulebook = question.cite[0].partition(":")[0] if question.cite else ""
    return Answered(
        at=at,
        drill=question.drill,
        right=mark.right,
        clauses=question.cite,
        missed=() if mark.right else mark.missed,
        seconds=None if seconds is None else round(seconds, 1),
        rulebook=rulebook,
        level=level,
        seed=seed,
        n=question.n,
        id=f"{at.isoformat()} {question.drill} {seed} {question.n}",
    )
