"""The catalog of the school's words: every code used has a sentence, every sentence is used."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import passline
from passline.game.law.wagers import FeltArea
from passline.game.words.school import FIELD_LABELS, POSITION_SENTENCES, SCHOOL_SENTENCES
from passline.school.drills import list_drill_names

ROOT = Path(passline.__file__).parent
#: What is called with a code first.
TAKES_CODE = {
    *("say_school", "NoQuestionError", "UnreadableAnswerError", "CannotDrawError", "LearnerError"),
}


def strings_in(tree: ast.AST) -> set[str]:
    found = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in found if isinstance(value, str)}


def test_every_code_has_a_sentence_and_every_sentence_is_used() -> None:
    files = [*ROOT.glob("school/**/*.py"), *ROOT.glob("web/school/*.py")]
    trees = [ast.parse(file.read_text("utf-8")) for file in files]
    used = {code for tree in trees for code in strings_in(tree)}
    named = {
        code
        for tree in trees
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id.lstrip("_") in TAKES_CODE
        for code in strings_in(call.args[0])
        if not isinstance(call.args[0], ast.JoinedStr)
    }
    known = set(SCHOOL_SENTENCES)
    assert len(named) > 100
    assert named <= known
    skills = {f"{name}.skill" for name in list_drill_names()}
    assert skills <= known
    assert known - used - skills == set()
    kinds = {code.partition(".")[0] for code in known}
    looks_like_one = re.compile(rf"(?:{'|'.join(kinds)})\.(?!html|toml)[a-z-]+")
    assert {code for code in used if looks_like_one.fullmatch(code)} - known == set()


def test_every_field_of_an_answer_has_a_label() -> None:
    trees = [ast.parse(file.read_text("utf-8")) for file in ROOT.glob("school/**/*.py")]
    names = {
        name
        for tree in trees
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "AnswerField"
        for word in call.keywords
        if word.arg == "name"
        for name in strings_in(word.value)
    }
    assert names | {"thrown", "pressed", "handed"} == set(FIELD_LABELS)


def test_positions_are_parts_of_the_felt() -> None:
    assert set(POSITION_SENTENCES) <= set(get_args(FeltArea))
