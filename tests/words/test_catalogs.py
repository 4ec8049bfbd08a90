"""Every code that the source names has its sentence, and every sentence of a catalog is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import get_args

import pytest

from passline.game.words.lab import LAB_SENTENCES
from passline.game.words.live import LIVE_SENTENCES
from passline.game.words.log import LOG_SENTENCES
from passline.game.words.odds import ODDS_SENTENCES
from passline.game.words.prompt import PROMPT_SENTENCES
from passline.live.schema import REASONS, ErrorCode
from tests.test_structure import MODULES, nodes
from tests.words.test_refusals import _name

#: Each catalog, and the functions and errors that are called with one of its codes: as the first
#: argument, or the argument whose number follows a colon.
CATALOGS: dict[str, tuple[Mapping[str, str], set[str]]] = {
    "live": (LIVE_SENTENCES, {"say_live", "ServiceError"}),
    "log": (
        LOG_SENTENCES,
        {
            *("say_log", "BadEntryError", "EntryError", "NotALogError", "DiceProofError"),
            *("MoveError", "ChainError:1", "_wrong:2", "_note:1"),
        },
    ),
    "lab": (LAB_SENTENCES, {"say_lab"}),
    "odds": (ODDS_SENTENCES, {"say_odds"}),
    "prompt": (PROMPT_SENTENCES, {"say_prompt", "PlayError"}),
}


def list_codes(functions: set[str], sentences: Mapping[str, str]) -> set[str]:
    """Return the codes that the source calls these functions with.

    A code that is put together, such as ``f"hint-{kind}"``, counts as all codes of that form.
    """
    found: set[str] = set()
    places = {name: int(place or 0) for name, _, place in (f.partition(":") for f in functions)}
    for path in MODULES:
        if any(name in path.read_text("utf-8") for name in places):
            for node in nodes(path):
                place = places.get(_name(node.func)) if isinstance(node, ast.Call) else None
                if isinstance(node, ast.Call) and place is not None and len(node.args) > place:
                    found |= read_codes(node.args[place], sentences)
    return found


def read_codes(code: ast.expr, sentences: Mapping[str, str]) -> set[str]:
    if isinstance(code, ast.IfExp):
        return read_codes(code.body, sentences) | read_codes(code.orelse, sentences)
    if isinstance(code, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else None for p in code.values)
        form = "".join("[a-z-]+" if part is None else re.escape(str(part)) for part in parts)
        return {known for known in sentences if re.fullmatch(form, known)}
    return {str(code.value)} if isinstance(code, ast.Constant) else set()


@pytest.mark.parametrize("name", CATALOGS)
def test_every_code_has_its_sentence_and_every_sentence_is_used(name: str) -> None:
    sentences, functions = CATALOGS[name]
    codes = list_codes(functions, sentences) - set(get_args(ErrorCode))
    assert codes - set(sentences) == set()
    assert set(sentences) - codes == set()


def test_each_failed_request_is_of_one_kind() -> None:
    reasons = [reason for codes in REASONS.values() for reason in codes.split()]
    assert len(reasons) == len(set(reasons))
    assert set(reasons) == list_codes({"ServiceError"}, LIVE_SENTENCES) - set(get_args(ErrorCode))
