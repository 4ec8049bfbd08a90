"""Every case of every rulebook, one test each, marked with the clauses it holds."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from tests.law.caselib import Case, Run, read_cases


def _params() -> list[object]:
    return [
        pytest.param(
            case, id=case.id, marks=[pytest.mark.clause(f"{book}:{c}") for c in case.clauses]
        )
        for book in BOOKS
        for case in read_cases(book)
    ]


@pytest.mark.parametrize("case", _params())
def test_case(case: Case) -> None:
    Run(case).run()
