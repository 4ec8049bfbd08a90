"""The list of tests by clause is up to date, and names clauses that exist."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from passline.game.law.book_files import BOOKS
from passline.game.law.clause_status import find_clause_tests
from passline.game.law.clauses import DECIDING_KINDS, clauses_by_id
from tests.conftest import COLLECTED

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
clause_tests = importlib.import_module("clause_tests")
sys.path.pop(0)


def _all_claims(items: list[pytest.Item]) -> str:
    """What every test claims; nothing where only some of them were collected."""
    if not set((ROOT / "tests").rglob("test_*.py")) <= {item.path for item in items}:
        return ""
    claims = sorted(
        (claim, item.nodeid) for item in items for claim in clause_tests.list_claims(item)
    )
    return "".join(f"{claim}\t{test}\n" for claim, test in claims)


def test_the_lists_are_up_to_date(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """Run 'make clause-tests' when this fails: tests were added, moved or marked anew.

    It also has a sample of the rows fail under the change that they name.
    """
    claims = tmp_path / "claims.tsv"
    claims.write_text(_all_claims(pytestconfig.stash[COLLECTED]), "utf-8")
    ran = subprocess.run(
        [
            *(sys.executable, str(ROOT / "tools" / "clause_tests.py"), "--check"),
            *(("--claims", str(claims)) if claims.stat().st_size else ()),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def _rows() -> list[list[str]]:
    return [
        [*claim.split(":", 1), test, change]
        for (claim, test), change in clause_tests.read_rows().items()
    ]


def test_every_mark_names_a_clause_or_the_place_of_a_custom() -> None:
    rows = _rows()
    assert {book for book, *_ in rows} <= set(BOOKS)
    clauses = [(b, c) for b, c, *_ in rows if not c.startswith("custom:")]
    assert [(b, c) for b, c in clauses if c not in clauses_by_id(b)] == []


def test_a_clause_that_decides_is_held_by_a_change_and_never_by_a_mark_alone() -> None:
    marked = [(b, c, test) for b, c, test, fails_on in _rows() if fails_on == "by its mark"]
    assert [row for row in marked if clauses_by_id(row[0])[row[1]].kind in DECIDING_KINDS] == []
    assert [row for row in marked if "test_cases.py" in row[2]] == []


@pytest.mark.clause("new-jersey:19:47-1.1/come-out-point")
def test_a_mark_is_found_again() -> None:
    """This very test holds a clause: its point numbers are those of every sister book."""
    from passline.game.law.load import rulebook

    assert rulebook("new-jersey").points.value == (4, 5, 6, 8, 9, 10)
    assert f"{Path(__file__).relative_to(ROOT)}::test_a_mark_is_found_again" in find_clause_tests(
        "new-jersey", "19:47-1.1/come-out-point"
    )
