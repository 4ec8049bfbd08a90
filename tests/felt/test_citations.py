"""Every clause that the felt's data names exists, and the law knows that it is drawn."""

from __future__ import annotations

from importlib import resources

import msgspec
import pytest

from passline.felt.where import cited
from passline.law import BOOKS
from passline.law.clauses import DECIDED, register
from passline.law.places import citations
from passline.law.status import modelled, standings
from tests.crew.test_citations import named

FILE = "felt/felt.toml"


def test_the_law_names_the_felts_data() -> None:
    text = resources.files("passline.felt").joinpath("felt.toml").read_text("utf-8")
    found = set(named(msgspec.toml.decode(text)))
    assert {book for book, _ in found} == set(BOOKS)
    for book, clause in sorted(found):
        kinds = {one.id: one.kind for one in register(book)}
        assert clause in kinds, f"{book} has no {clause}"
        assert kinds[clause] not in DECIDED
        if clause not in citations(book):
            assert FILE in modelled()[book][clause], f"{book} {clause}"
    for book, listed in modelled().items():
        claimed = {(book, c) for c, where in listed.items() if FILE in where}
        assert claimed <= found, "modelled.toml names what the data does not"


def test_a_place_names_its_clause_or_its_custom() -> None:
    assert cited("pass", "section-2") == "2(b)(1)(i)#2"
    assert cited("pass", "iowa").startswith("custom: ")


@pytest.mark.parametrize(
    ("book", "clause"),
    [("iowa", "wagers.5.c.A#2"), ("maryland-crapless", "2.C(4)(b)#2")],
)
def test_the_law_says_that_it_is_drawn(book: str, clause: str) -> None:
    one = next(one for one in standings(book) if one.clause.id == clause)
    assert (one.status, one.where) == ("modelled", FILE)


def test_what_is_left_of_the_physical_clauses_is_about_hands_eyes_and_throws() -> None:
    """Nothing that lies on the felt is only shown any more."""
    shown = [
        f"{book}:{one.clause.id}"
        for book in BOOKS
        for one in standings(book)
        if one.clause.kind == "physical" and one.status == "shown"
    ]
    assert len(shown) <= 62
    assert not any("placement" in clause for clause in shown)
