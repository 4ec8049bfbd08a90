"""Decisions: how a rulebook's slips, contradictions and silences are read, beside the clauses."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

#: On which occasions at a table a decision matters: what became of a wager, on a come-out roll, on
#: the point's own number, in a pay that was rounded, with a coupon; or something was refused.
WhyOccasion = Literal[
    "win", "lose", "push", "travel", "come-out", "on-point", "rounded", "coupon", "refused"
]


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question, what was decided, and the clauses (by rulebook) beside which it is shown.

    ``at``: the occasions on which a player who asks why is told of it. One that has none is about
    how the text is read, and is told to whoever asks for the clause.
    """

    question: str
    decision: str
    beside: dict[str, tuple[str, ...]]
    at: tuple[WhyOccasion, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decision: tuple[Decision, ...]


@cache
def decisions() -> tuple[Decision, ...]:
    """Every decision: the principles first, then the questions."""
    text = resources.files("passline.law").joinpath("decisions.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_File).decision


@cache
def _by_clause(book_id: str) -> dict[str, tuple[Decision, ...]]:
    found: dict[str, list[Decision]] = {}
    for decision in decisions():
        for clause in decision.beside.get(book_id, ()):
            found.setdefault(clause, []).append(decision)
    return {clause: tuple(those) for clause, those in found.items()}


def decisions_for(book_id: str, clause_id: str) -> tuple[Decision, ...]:
    """The decisions to be shown beside a clause; the most particular ones come last.

    >>> [d.question for d in decisions_for("new-jersey", "19:47-1.3(b)#2")]
    ['Match play', "A match play coupon's face", 'What promotions cost (match play, Shootout)']
    """
    return _by_clause(book_id).get(clause_id, ())
