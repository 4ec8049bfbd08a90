"""Every clause that the crew's data names exists, and the law knows that it stands there."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from typing import Any

import msgspec
import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.citations import find_places_by_clause
from passline.game.law.clause_status import read_modeled_clauses
from passline.game.law.clauses import DECIDING_KINDS, list_clauses

FILES = ("sequence", "markers", "errands", "placing")


def named(part: Any) -> Iterator[tuple[str, str]]:
    """Every (book, clause) of a data file."""
    if isinstance(part, dict):
        for key in ("cite", "also"):
            for book, clauses in part.get(key, {}).items():
                book = book.partition(" ")[0]  # "new-jersey mini-craps"
                yield from (
                    (book, one) for one in ([clauses] if isinstance(clauses, str) else clauses)
                )
        for value in part.values():
            yield from named(value)
    elif isinstance(part, list):
        for value in part:
            yield from named(value)


@pytest.mark.parametrize("file", FILES)
def test_the_law_names_the_crews_data(file: str) -> None:
    text = resources.files("passline.crew").joinpath(f"{file}.toml").read_text("utf-8")
    found = set(named(msgspec.toml.decode(text)))
    assert found
    assert {book for book, _ in found} <= set(BOOKS)
    for book, clause in sorted(found):
        kinds = {one.id: one.kind for one in list_clauses(book)}
        assert clause in kinds, f"{file}.toml: {book} has no {clause}"
        if kinds[clause] not in DECIDING_KINDS and clause not in find_places_by_clause(book):
            assert f"crew/{file}.toml" in read_modeled_clauses()[book][clause], f"{book} {clause}"
    for book, listed in read_modeled_clauses().items():
        claimed = {(book, c) for c, where in listed.items() if f"crew/{file}.toml" in where}
        assert claimed <= found, "modelled.toml names what the data does not"


def test_most_of_the_procedure_is_done_and_the_rest_is_shown_by_post() -> None:
    from passline.game.law.clause_status import list_clause_statuses

    conduct = [
        s for book in BOOKS for s in list_clause_statuses(book) if s.clause.kind == "procedure"
    ]
    assert len(conduct) == 509
    shown = [s for s in conduct if s.status == "shown"]
    assert all("passline duties" in s.where for s in shown)
    assert len(shown) <= 120
