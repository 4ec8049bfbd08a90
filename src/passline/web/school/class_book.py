"""An instructor's book on a class: how everybody does, and what is missed most.

A learner's answers are summed up when they have changed, and not each time that somebody looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from passline.school.reviews import Answered, Reviews

#: Clauses that are told as missed most.
_MISSED: Final = 40


class _Page(msgspec.Struct, frozen=True):
    """One learner: the head of his answers, his row, and his clauses by how often they were asked
    and missed."""

    head: str
    row: dict[str, Any]
    asked: Counter[str]
    missed: Counter[str]


class ClassBook:
    """Everybody of whom answers are kept. One thread asks at a time."""

    def __init__(self, reviews: Reviews) -> None:
        self._reviews = reviews
        self._pages: dict[str, _Page] = {}

    def told(self) -> dict[str, Any]:
        """The learners in order, and what all of them miss most."""
        heads = self._reviews.heads()
        self._pages = {name: self._page(name, head) for name, head in heads.items()}
        asked, missed, who = Counter[str](), Counter[str](), Counter[str]()
        for page in self._pages.values():
            asked.update(page.asked)
            missed.update(page.missed)
            who.update(page.missed.keys())
        return {
            "learners": [page.row for page in self._pages.values()],
            "missed": [
                {
                    "clause": clause,
                    "missed": count,
                    "of": max(asked[clause], count),
                    "learners": who[clause],
                }
                for clause, count in missed.most_common(_MISSED)
            ],
        }

    def _page(self, name: str, head: str) -> _Page:
        known = self._pages.get(name)
        if known is not None and known.head == head:
            return known
        answers = self._reviews.read(name).answers
        return _Page(
            head=head,
            row=_row(name, answers),
            asked=Counter(clause for each in answers for clause in each.clauses),
            missed=Counter(clause for each in answers for clause in each.missed),
        )


def _row(name: str, answers: Sequence[Answered]) -> dict[str, Any]:
    drills = Counter(each.drill for each in answers if not each.right)
    return {
        "name": name,
        "answers": len(answers),
        "right": sum(each.right for each in answers),
        "last": f"{answers[-1].at:%Y-%m-%d}" if answers else "",
        "misses": drills.most_common(1)[0][0] if drills else "",
    }
