"""The registers: complete, well formed, and loud about damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.law.book_files import BOOKS, BookFiles
from passline.game.law.clauses import (
    CLAUSE_KINDS,
    DECIDING_KINDS,
    Clause,
    RegisterError,
    clauses_by_id,
    list_clauses,
    parse_register,
    read_clauses,
)

HEADER = "id\tkind\trule\tfigures\tnote\n"
CLAUSES = {
    "section-2": 304,
    "maryland-crapless": 376,
    "iowa": 565,
    "new-jersey": 369,
    "dealer-school": 594,
    "las-vegas": 0,  # no published regulation: every value is a custom
}


def test_every_rulebook_has_its_register() -> None:
    assert set(BOOKS) == set(CLAUSES)


@pytest.mark.parametrize(("book_id", "count"), CLAUSES.items())
def test_no_clause_is_missing(book_id: str, count: int) -> None:
    assert len(list_clauses(book_id)) == count


@pytest.mark.parametrize("book_id", [book for book, count in CLAUSES.items() if count])
def test_clauses_are_looked_up_by_id(book_id: str) -> None:
    first = list_clauses(book_id)[0]
    assert clauses_by_id(book_id)[first.id] is first


def test_decided_kinds_are_kinds() -> None:
    assert set(CLAUSE_KINDS) >= DECIDING_KINDS


def test_reading_quotes_nothing() -> None:
    text = HEADER + 'a#1\tpayout\tPays "double".\todds=2:1\tA note, with a comma.\r\n'
    assert parse_register("x.tsv", text) == (
        Clause(
            id="a#1",
            kind="payout",
            rule='Pays "double".',
            figures="odds=2:1",
            note="A note, with a comma.",
        ),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "x.tsv, line 1: expected the columns id, kind"),
        ("id\tkind\n", "x.tsv, line 1: expected the columns id, kind"),
        (HEADER + "a\tpayout\tPays.\n", "x.tsv, line 2: expected 5 fields, found 3"),
        (HEADER + "\n", "x.tsv, line 2: expected 5 fields, found 1"),
        (HEADER + "\tpayout\tPays.\t\t\n", "x.tsv, line 2: a clause needs an id and a rule"),
        (HEADER + "a\tpayout\t\t\t\n", "x.tsv, line 2: a clause needs an id and a rule"),
        (HEADER + "a\trule\tPays.\t\t\n", "x.tsv, line 2: 'rule' is not a kind of clause"),
        (HEADER + "a\tpayout\tA.\t\t\na\tpayout\tB.\t\t\n", "x.tsv, line 3: a is listed twice"),
    ],
)
def test_damage_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RegisterError) as wrong:
        parse_register("x.tsv", text)
    assert str(wrong.value).startswith(said)


def test_a_register_that_is_not_there() -> None:
    with pytest.raises(RegisterError, match="rulebook atlantis has no clause register"):
        read_clauses(
            BookFiles("atlantis", Path("atlantis.toml"), Path("atlantis.tsv"), shipped=False)
        )
