"""Every clause has a status and a place, and what it names is really there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import passline
from passline.game.law.book_files import BOOKS
from passline.game.law.citations import (
    CitedPlace,
    find_places_by_clause,
    iter_cited_places,
    list_cited_places,
)
from passline.game.law.clause_status import (
    MODULE_BY_KEY_PATH,
    ClauseStatus,
    count_coverage,
    find_module,
    list_clause_statuses,
    list_untested_clauses,
    read_modeled_clauses,
)
from passline.game.law.clauses import DECIDING_KINDS, clauses_by_id
from passline.game.law.duties import find_enforced_procedures
from passline.game.law.load import rulebook

SOURCE = Path(next(iter(passline.__path__)))


def standing_of(book_id: str, clause: str) -> ClauseStatus:
    return next(one for one in list_clause_statuses(book_id) if one.clause.id == clause)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_has_a_status_and_a_place(book_id: str) -> None:
    assert len(list_clause_statuses(book_id)) == len(clauses_by_id(book_id))
    assert [one.clause.id for one in list_clause_statuses(book_id) if not one.where] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_decides_is_enforced_and_what_a_live_table_holds_people_to(book_id: str) -> None:
    held = find_enforced_procedures(book_id)
    for one in list_clause_statuses(book_id):
        enforced = one.clause.kind in DECIDING_KINDS or one.clause.id in held
        assert (one.status == "enforced") == enforced, one.clause.id
        at_posts = one.clause.id in held and one.clause.kind not in DECIDING_KINDS
        assert one.where.endswith("live/permissions.py: at a live table") == at_posts, one.clause.id


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_people_are_held_to_are_clauses_and_acts(book_id: str) -> None:
    assert set(find_enforced_procedures(book_id)) <= set(clauses_by_id(book_id))


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_module_named_exists(book_id: str) -> None:
    """Each part of ``where`` is a file, a place in one, or a command that shows the clause."""
    parts = {part for one in list_clause_statuses(book_id) for part in one.where.split("; ")}
    shown = {part for part in parts if part.startswith(f"passline duties {book_id}: ")}
    named = {part.partition(": ")[0] for part in parts - shown}
    assert {part for part in named if not (SOURCE / part).is_file()} == set()


def test_every_pattern_names_a_module_that_exists() -> None:
    assert {module for _, module in MODULE_BY_KEY_PATH if not (SOURCE / module).is_file()} == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_modelled_lists_clauses_that_nothing_else_accounts_for(book_id: str) -> None:
    listed = read_modeled_clauses(book_id)
    register = clauses_by_id(book_id)
    assert set(listed) - set(register) == set()
    assert {clause for clause in listed if register[clause].kind in DECIDING_KINDS} == set()
    assert set(listed) & set(find_places_by_clause(book_id)) == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_word_that_stands_as_a_citation_is_a_clause(book_id: str) -> None:
    assert set(find_places_by_clause(book_id)) - set(clauses_by_id(book_id)) == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_place_has_its_module(book_id: str) -> None:
    for place in list_cited_places(book_id):
        assert find_module(rulebook(book_id), place.path)


def test_a_place_without_a_module_is_a_mistake() -> None:
    with pytest.raises(LookupError, match="no module is named for kitchen"):
        find_module(rulebook("iowa"), "kitchen.sink")


def test_where_names_the_place_and_the_module() -> None:
    one = standing_of("new-jersey", "19:47-1.2(a)1.i(1)")
    assert one.status == "enforced"
    place = "game/law/books/new-jersey/book.toml: wager.pass.first_win"
    assert one.where == f"{place}; game/law/shapes/first_roll.py"


def test_a_definition_that_a_value_cites_is_modelled() -> None:
    one = standing_of("new-jersey", "19:47-1.1/come-out-point")
    assert (one.status, one.where) == (
        "modelled",
        "game/law/books/new-jersey/book.toml: points; game/table/throws.py",
    )


def test_a_matter_of_hands_is_only_shown() -> None:
    one = standing_of("new-jersey", "19:47-1.10(b)#4")
    where = "game/law/books/new-jersey/clauses.tsv; passline duties new-jersey: stickperson"
    assert (one.status, one.where) == ("shown", where)


def test_places_of_a_small_book() -> None:
    data = {
        "title": "no citation",
        "unlisted": "custom: nothing is",
        "also": ["a", "b"],
        "stakes": {"max": {"is": 5, "cite": ["c", "d"]}, "min": {"is": 1, "custom": "why"}},
        "wager": {
            "horn": {"shape": "composite", "won_by": {"2": "e"}, "pays": [{"is": 1, "cite": "f"}]}
        },
        "elect": {"offers.fire": {"default": {"is": False, "cite": "g"}}},
    }
    assert [place for place in iter_cited_places(data) if place.clauses] == [
        CitedPlace("also", ("a", "b"), valued=False),
        CitedPlace("stakes.max", ("c", "d"), valued=True),
        CitedPlace("wager.horn.won_by", ("e",), valued=False),
        CitedPlace("wager.horn.pays[0]", ("f",), valued=True),
        CitedPlace('elect."offers.fire".default', ("g",), valued=True),
    ]


@pytest.mark.parametrize("book_id", BOOKS)
def test_coverage_counts_every_clause_once(book_id: str) -> None:
    rows = count_coverage(book_id)
    assert sum(row.clauses for row in rows) == len(clauses_by_id(book_id))
    for row in rows:
        assert row.known == row.clauses == row.enforced + row.modelled + row.shown
        assert row.tested <= row.clauses


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_that_decides_is_tested(book_id: str) -> None:
    assert list_untested_clauses(book_id) == ()


def _field(path: str) -> str:
    """The field of the schema that a key path ends in: games and numbers are not fields."""
    bare = re.sub(r'\[\d+\]|"[^"]*"', "", path)
    games = {game for book in BOOKS for game in rulebook(book).games.value}
    words = [word for word in bare.split(".") if re.fullmatch("[a-z_]+", word)]
    return next(word for word in reversed(words) if word not in games)


@pytest.mark.parametrize("book", BOOKS)
def test_the_module_named_reads_the_value(book: str) -> None:
    """A module that never mentions a field does not give it its meaning."""
    wrong = set()
    for place in list_cited_places(book):
        field = _field(place.path)
        module = find_module(rulebook(book), place.path)
        text = (SOURCE / module).read_text("utf-8")
        if field != "also" and not re.search(rf"\.{field}\b", text):
            wrong.add((place.path, module))
    assert wrong == set()
