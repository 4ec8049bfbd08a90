"""Every book loads, cites only clauses that exist, and leaves no decided clause uncited."""

from __future__ import annotations

import csv
import re
import tomllib
from importlib import resources

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.load import read_book_text, rulebook

DECIDED = {"enforced", "payout", "option"}


def register(book_id: str) -> dict[str, str]:
    """Clause id → kind, read from the register itself."""
    path = resources.files("passline.game.law").joinpath("books", book_id, "clauses.tsv")
    rows = csv.DictReader(
        path.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    return {row["id"]: row["kind"] for row in rows}


def cited(node: object) -> set[str]:
    """Every string of a book that stands where a citation stands."""
    found: set[str] = set()
    if isinstance(node, dict):
        for key, value in node.items():
            if key in {
                "cite",
                "also",
                "won_by",
                "lost_by",
                "level_by",
                "unlisted",
                "limited_by",
                "units_by",
                "chips",
                "listed_by",
                "restored_by",
                "no_other_fee",
            }:
                if isinstance(value, str):
                    found |= {value} if not value.startswith("custom: ") else set()
                elif isinstance(value, list):
                    words = (v for v in value if isinstance(v, str))
                    found.update(v for v in words if not v.startswith("custom: "))
                elif key == "won_by":
                    found.update(value.values())
                else:
                    found |= cited(value)
            else:
                found |= cited(value)
    elif isinstance(node, list):
        for value in node:
            found |= cited(value)
    return found


@pytest.mark.parametrize("book_id", BOOKS)
def test_book_loads(book_id: str) -> None:
    assert rulebook(book_id).id == book_id


@pytest.mark.parametrize("book_id", BOOKS)
def test_book_cites_only_its_own_clauses(book_id: str) -> None:
    assert cited(tomllib.loads(read_book_text(book_id))) - set(register(book_id)) == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_decided_clause_is_cited(book_id: str) -> None:
    decided = {c for c, kind in register(book_id).items() if kind in DECIDED}
    assert decided - cited(tomllib.loads(read_book_text(book_id))) == set()


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_sentence_of_a_book_is_hidden_in_a_comment(book_id: str) -> None:
    """Comments are ours and short: a long quoted passage would be the rulebook's."""
    quoted = re.findall(r'#[^\n]*"[^"\n]{60,}"', read_book_text(book_id))
    assert quoted == []
