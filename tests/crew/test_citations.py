"""Every clause that the crew's data cites exists, and the law names the data."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.book_parts import iter_part_clauses, name_part, read_own_part
from passline.game.law.citations import find_places_by_clause
from passline.game.law.clause_status import read_modeled_clauses
from passline.game.law.clauses import DECIDING_KINDS, list_clauses

PARTS = ("crew/sequence", "crew/markers", "crew/procedures", "crew/placement")


def check_part(book: str, part: str) -> set[str]:
    """Every clause that a part names exists, and the law names the part. Return the clauses."""
    found = {clause for _, clause in iter_part_clauses(read_own_part(book, part))}
    kinds = {one.id: one.kind for one in list_clauses(book)}
    assert found - set(kinds) == set()
    listed, name = read_modeled_clauses(book), name_part(book, part)
    for clause in found:
        if kinds[clause] not in DECIDING_KINDS and clause not in find_places_by_clause(book):
            assert name in listed[clause], clause
    claimed = {clause for clause, where in listed.items() if name in where}
    assert claimed <= found, "modelled.toml lists under the part what the part does not cite"
    return found


@pytest.mark.parametrize("part", PARTS)
def test_the_law_names_the_crews_data(part: str) -> None:
    found = [check_part(book, part) for book in BOOKS]
    assert any(found)


def test_most_of_the_procedure_is_done_and_the_rest_is_shown_by_post() -> None:
    from passline.game.law.clause_status import list_clause_statuses

    conduct = [
        s for book in BOOKS for s in list_clause_statuses(book) if s.clause.kind == "procedure"
    ]
    assert len(conduct) == 509
    shown = [s for s in conduct if s.status == "shown"]
    assert all("passline duties" in s.where for s in shown)
    assert len(shown) <= 120
