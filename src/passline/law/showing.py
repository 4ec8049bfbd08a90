"""Clauses as they are shown to whoever asks: with status, place, tests and decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

from passline.law.decisions import decisions_for
from passline.law.held import held_by
from passline.law.status import standings

__all__ = ["clause_objects", "nearest_clauses"]


def clause_objects(book_id: str, wanted: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Clauses as they are told, in the book's order: all of them, or those wanted.

    >>> clause_objects("new-jersey", {"19:47-1.3(c)1"})[0]["status"]
    'enforced'
    """
    return [
        {
            "id": one.clause.id,
            "kind": one.clause.kind,
            "rule": one.clause.rule,
            "figures": one.clause.figures,
            "decisions": [
                {"question": d.question, "decision": d.decision}
                for d in decisions_for(book_id, one.clause.id)
            ],
            "status": one.status,
            "where": list(one.places),
            "tests": list(held_by(book_id, one.clause.id)),
        }
        for one in standings(book_id)
        if wanted is None or one.clause.id in wanted
    ]


def nearest_clauses(clause: str, known: Sequence[str]) -> list[str]:
    """Clauses that begin as the words do; failing that, those that look most like them."""
    below = [one for one in known if clause and one.startswith(clause)]
    return below[:3] or get_close_matches(clause, known, 3, 0.3)
