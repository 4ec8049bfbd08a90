"""How much of each rulebook is known, enforced and held by tests: counts by kind of clause."""

from __future__ import annotations

import msgspec

from passline.law.clauses import DECIDED, KINDS, ClauseKind
from passline.law.held import held_by
from passline.law.status import standings


class CoverageRow(msgspec.Struct, frozen=True):
    """One kind of clause in one rulebook. ``known``: the clause has a status and a place."""

    rulebook: str
    kind: ClauseKind
    clauses: int
    known: int
    enforced: int
    modelled: int
    shown: int
    tested: int


def coverage(book_id: str) -> tuple[CoverageRow, ...]:
    """A rulebook's counts, one row for each kind of clause."""
    rows = []
    for kind in KINDS:
        own = [standing for standing in standings(book_id) if standing.clause.kind == kind]
        count = {
            status: sum(standing.status == status for standing in own)
            for status in ("enforced", "modelled", "shown")
        }
        known = sum(bool(standing.where) for standing in own)
        tested = sum(bool(held_by(book_id, standing.clause.id)) for standing in own)
        rows.append(
            CoverageRow(
                rulebook=book_id, kind=kind, clauses=len(own), known=known, **count, tested=tested
            )
        )
    return tuple(rows)


def untested(book_id: str) -> tuple[str, ...]:
    """The clauses that decide something and that no test holds: there should be none."""
    return tuple(
        standing.clause.id
        for standing in standings(book_id)
        if standing.clause.kind in DECIDED and not held_by(book_id, standing.clause.id)
    )
