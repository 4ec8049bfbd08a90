"""The tools that say whether a test bites: what they change, and that it can be undone."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import clauses_by_id
from passline.game.law.load import read_book_text

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
mutation_judge = importlib.import_module("mutation_judge")
code_mutants = importlib.import_module("code_mutants")
clause_tests = importlib.import_module("clause_tests")
citation_mutants = importlib.import_module("citation_mutants")
part_mutants = importlib.import_module("part_mutants")
sys.path.pop(0)

BREAKS = code_mutants.list_code_mutants()


def also(data: Any) -> Iterator[str]:
    """Every clause that a book lists where there is no value."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key == "also":
            yield from value
        else:
            yield from also(value)


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_has_no_value_has_code_that_can_be_broken(book_id: str) -> None:
    listed = {f"{book_id}:{clause}" for clause in also(tomllib.loads(read_book_text(book_id)))}
    broken = {clause for rule in BREAKS for clause in rule.clauses}
    assert {clause for clause in broken if clause.startswith(f"{book_id}:")} == listed


@pytest.mark.parametrize("rule", BREAKS, ids=lambda rule: rule.name)
def test_a_rule_is_broken_and_mended(rule: Any) -> None:
    module, _, name = rule.function.rpartition(".")
    function = getattr(importlib.import_module(module), name)
    code = function.__code__
    mend = rule.install()
    assert function.__code__ != code
    mend()
    assert function.__code__ is code


def test_every_part_is_changed() -> None:
    changed = part_mutants.list_part_mutants()
    folders = {mutant.file.relative_to(part_mutants.LAW).parts[0] for mutant in changed}
    assert folders == {"books", "customs"}
    assert {"talk.toml", "act_rules.toml"} <= {mutant.file.name for mutant in changed}
    files = {mutant.file for mutant in changed}
    laid = {file: tomllib.loads(file.read_text("utf-8")) for file in files}
    for mutant in changed:
        assert mutant.apply(laid[mutant.file]) != laid[mutant.file], mutant.name


def test_a_clause_of_a_part_is_a_clause() -> None:
    claims = {c.partition(":")[::2] for m in part_mutants.list_part_mutants() for c in m.clauses}
    assert [(book, clause) for book, clause in claims if clause not in clauses_by_id(book)] == []


def test_a_custom_value_is_claimed_by_its_place_or_one_around_it() -> None:
    [change] = [
        c for c in mutation_judge.list_changes() if c.name == "dice.order_for[0]: delay → off-table"
    ][:1]
    assert change.claims == tuple(
        f"dealer-school:custom:{place}" for place in ("dice", "dice.order_for", "dice.order_for[0]")
    )


def test_a_list_is_changed_as_a_whole() -> None:
    data = tomllib.loads(read_book_text("new-jersey"))
    found = {
        (m.path, m.change): m.clauses
        for m in citation_mutants.list_citation_mutants("new-jersey", data)
    }
    assert found["wager", "drop field"] == found["wager", "add big"] == ("19:47-1.2(b)",)
    assert found["throw.grounds", "add short-roll"] == ("19:47-1.9(b)",)
    assert ("wager", "drop pass") not in found, "its odds would hang in the air"


def test_rows_are_read_as_they_are_written(tmp_path: Path, monkeypatch: Any) -> None:
    rows = {("new-jersey:19:47-1.2(b)", "tests/a.py::b[c]"): "wager: drop field"}
    monkeypatch.setattr(clause_tests, "find_rows_file", lambda book: tmp_path / f"{book}.tsv")
    clause_tests.write_rows(rows)
    assert clause_tests.read_rows() == rows


@pytest.mark.parametrize(
    ("claim", "test", "must"),
    [
        ("iowa:stick.6#1", "tests/crew/test_stick.py::t", False),
        ("iowa:stick.6#1", "tests/law/test_cases.py::t", True),
        ("iowa:shooting.7", "tests/table/test_custody.py::t", True),
        ("iowa:custom:tender.match_play", "tests/table/test_tender.py::t", True),
    ],
)
def test_who_must_bite(claim: str, test: str, must: bool) -> None:
    assert clause_tests._must_prove((claim, test)) is must
