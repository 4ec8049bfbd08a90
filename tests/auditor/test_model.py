"""Random games, dealt by the engine and by the auditor's own model: the same to the cent."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .bridge import comparable, dealt
from .figures import BOOKS
from .model import predict
from .random_games import correct_some, random_game
from .sweeps import sweeps

GAMES, OFTEN = 40, 20
_FORBIDDEN = (
    "passline.game.law",
    "passline.game.house",
    "passline.game.layout",
    "passline.game.table",
)


@pytest.mark.parametrize(
    "seed",
    [*range(OFTEN), *(pytest.param(n, marks=pytest.mark.long) for n in range(OFTEN, GAMES))],
)
@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_engine_and_the_model_agree(rulebook: str, seed: int) -> None:
    text = random_game(rulebook, seed)
    assert comparable(dealt(text)) == comparable(predict(text)), text


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_engine_and_the_model_agree_on_corrected_throws(rulebook: str, seed: int) -> None:
    text = correct_some(random_game(rulebook, seed), seed)
    assert "throw was" in text
    assert comparable(dealt(text)) == comparable(predict(text)), text


SWEEPS = [pytest.param(text, id=f"{book}: {name}") for book in BOOKS for name, text in sweeps(book)]


@pytest.mark.parametrize("text", SWEEPS)
def test_the_engine_and_the_model_agree_on_every_throw(text: str) -> None:
    engine, model = comparable(dealt(text)), comparable(predict(text))
    assert engine["refusals"] == model["refusals"]
    for dealt_roll, predicted in zip(engine["rolls"], model["rolls"], strict=True):
        assert dealt_roll == predicted
    assert engine == model


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return {name for name in found if name.startswith("passline")}


def test_the_auditor_shares_nothing_with_the_engine() -> None:
    files = sorted(Path(__file__).parent.glob("*.py"))
    assert {name for path in files for name in _imports(path)} == {"passline.record.deal"}
    assert not any(word in str(_imports(path)) for path in files for word in _FORBIDDEN)
