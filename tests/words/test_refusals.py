"""Every code has its sentence, every sentence its code."""

from __future__ import annotations

import ast
import re

from passline.game.layout.stakes import refuse
from passline.game.words.refusals import SENTENCES, TALK_SENTENCES, describe_refusal
from tests.test_structure import MODULES, SOURCE, nodes

#: How a refusal is made, as text: what has it not need not be parsed.
MADE = re.compile(r"refuse\(|Absent\(")


def codes() -> set[str]:
    """Every code that a refusal is made with, anywhere in the source."""
    found: set[str] = set()
    making = (path for path in MODULES if MADE.search(path.read_text("utf-8")))
    for path in making:
        for node in nodes(path):
            if isinstance(node, ast.Call) and _name(node.func).endswith("refuse"):
                found |= _told(node.args[0]) if node.args else set()
            if isinstance(node, ast.Call) and _name(node.func) == "AbsentPost":
                found |= _told(node.args[0])
    # ``game.money`` may not import refusals: its codes are plain texts.
    for node in nodes(SOURCE / "game" / "money" / "chips.py"):
        if isinstance(node, ast.Constant) and node.value in SENTENCES:
            found.add(str(node.value))
    return found


def _name(called: ast.expr) -> str:
    """The last word of what is called."""
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


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


def talked() -> tuple[set[str], set[str]]:
    """Codes that talk refuses with, and every word that stands in its source by itself."""
    found: set[str] = set()
    words: set[str] = set()
    for path in (SOURCE / "talk").glob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            if isinstance(node, ast.Call) and _name(node.func) in {
                "offer_choices",
                "make_unplayable",
            }:
                found |= _told(node.args[0])
    return found, words


def test_every_code_has_its_sentence_and_no_sentence_is_idle() -> None:
    said, words = talked()
    made = codes() | said
    assert made - set(SENTENCES) == set()
    assert set(SENTENCES) - made - (words & set(TALK_SENTENCES)) == set()


def test_the_choices_follow_a_doubt() -> None:
    doubt = refuse("which-one", "custom: money is never guessed", ["a", "b", "c"])
    assert describe_refusal(doubt) == "which one: say 'a', 'b' or 'c'"
    assert describe_refusal(refuse("no-point", "custom: x")) == "no point is on: say the number"


def test_whoever_asked_is_spoken_to() -> None:
    short = refuse("short-of-chips", "2(a)", player="ann", needed=2000, rail=500)
    assert describe_refusal(short) == "ann needs $20 and has $5 in the rail"
    assert describe_refusal(short, to="ann") == "you need $20 and have $5 in the rail"
    assert describe_refusal(short, to="bob") == "ann needs $20 and has $5 in the rail"
    for code in ("not-up", "not-the-shooter", "stays-seated", "dice-held", "none-on-number"):
        assert describe_refusal(
            refuse(code, "2(a)", player="ann", wager="buy-4", number=4), to="ann"
        ).startswith("you ")
