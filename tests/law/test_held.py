"""The list of tests by clause is up to date, and names clauses that exist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from passline.law import BOOKS
from passline.law.clauses import clauses_by_id
from passline.law.held import held_by

ROOT = Path(__file__).parent.parent.parent
HELD = ROOT / "src" / "passline" / "law" / "held.tsv"


def test_held_is_up_to_date() -> None:
    """Run 'make held' when this fails: tests were added, moved or marked anew."""
    ran = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "held.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_mark_names_a_clause() -> None:
    rows = [line.split("\t") for line in HELD.read_text("utf-8").splitlines()[1:]]
    assert {book for book, _, _ in rows} <= set(BOOKS)
    assert [(b, c) for b, c, _ in rows if c not in clauses_by_id(b)] == []


@pytest.mark.clause("new-jersey:19:47-1.1/come-out-point")
def test_a_mark_is_found_again() -> None:
    """This very test holds a clause: its point numbers are those of every sister book."""
    from passline.law import rulebook

    assert rulebook("new-jersey").points.value == (4, 5, 6, 8, 9, 10)
    assert f"{Path(__file__).relative_to(ROOT)}::test_a_mark_is_found_again" in held_by(
        "new-jersey", "19:47-1.1/come-out-point"
    )
