"""Every clause that the felt's data cites exists, and the law names the data."""

from __future__ import annotations

import pytest

from passline.felt.areas import cite_place
from passline.game.law.book_files import BOOKS
from passline.game.law.clause_status import list_clause_statuses
from passline.game.law.clauses import DECIDING_KINDS, clauses_by_id
from tests.crew.test_citations import check_part


@pytest.mark.parametrize("book", [book for book in BOOKS if clauses_by_id(book)])
def test_the_law_names_the_felts_data(book: str) -> None:
    found = check_part(book, "felt")
    assert found
    assert not {clauses_by_id(book)[clause].kind for clause in found} & DECIDING_KINDS


def test_a_place_names_its_clause_or_its_custom() -> None:
    assert cite_place("pass", "section-2") == "2(b)(1)(i)#2"
    assert cite_place("pass", "iowa").startswith("custom: ")


@pytest.mark.parametrize(
    ("book", "clause"),
    [("iowa", "wagers.5.c.A#2"), ("maryland-crapless", "2.C(4)(b)#2")],
)
def test_the_law_says_that_it_is_drawn(book: str, clause: str) -> None:
    one = next(one for one in list_clause_statuses(book) if one.clause.id == clause)
    assert (one.status, one.where) == ("modelled", f"game/law/books/{book}/felt.toml")


def test_what_is_left_of_the_physical_clauses_is_about_hands_eyes_and_throws() -> None:
    """Nothing that lies on the felt is only shown any more."""
    shown = [
        f"{book}:{one.clause.id}"
        for book in BOOKS
        for one in list_clause_statuses(book)
        if one.clause.kind == "physical" and one.status == "shown"
    ]
    assert len(shown) <= 62
    assert not any("placement" in clause for clause in shown)
