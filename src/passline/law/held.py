"""Which tests hold which clause: read from ``held.tsv``, which ``tools/held.py`` writes.

A row also names a change under which its test fails; see ``docs/cases.md``.
"""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def _held() -> dict[str, dict[str, tuple[str, ...]]]:
    text = resources.files("passline.law").joinpath("held.tsv").read_text("utf-8")
    found: dict[str, dict[str, list[str]]] = {}
    for line in text.splitlines()[1:]:
        book, clause, test, _ = line.split("\t")
        found.setdefault(book, {}).setdefault(clause, []).append(test)
    return {
        book: {clause: tuple(tests) for clause, tests in clauses.items()}
        for book, clauses in found.items()
    }


def held_by(book_id: str, clause_id: str) -> tuple[str, ...]:
    """The node ids of the tests that hold a clause."""
    return _held().get(book_id, {}).get(clause_id, ())
