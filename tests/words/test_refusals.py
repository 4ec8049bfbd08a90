"""Every code has its sentence, every sentence its code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from passline.words.refusals import SENTENCES

SOURCE = Path(__file__).parent.parent.parent / "src" / "passline"


def codes() -> set[str]:
    """Every code that a refusal is made with, anywhere in the source."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("refuse"):
                found |= _told(node.args[0]) if node.args else set()
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Absent":
                found |= _told(node.args[0])
    return found


def _told(first: ast.expr) -> set[str]:
    if isinstance(first, ast.Constant):
        return {str(first.value)}
    if isinstance(first, ast.JoinedStr):  # not-{raised}, not-{raised}-with-number, not-called-{on}
        pattern = "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z]+(-down)?"
            for part in first.values
        )
        return {code for code in SENTENCES if re.fullmatch(pattern, code)}
    return set()


def test_every_code_has_its_sentence_and_no_sentence_is_idle() -> None:
    unused = set(SENTENCES) - codes() - {"doubt"}
    assert codes() - set(SENTENCES) == set()
    assert unused == set()
