"""The wager shapes: a module is all that a new one needs, and the documents list them all."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import get_args

import pytest

from passline.game.law import shapes

ROOT = Path(__file__).parents[2]
NEW_SHAPE = '''
from passline.game.law.shapes.faces import FaceWager


class Duel(FaceWager, frozen=True, kw_only=True, tag="duel"):
    """Some faces before others."""
'''


def test_a_book_may_pick_every_shape() -> None:
    assert set(get_args(shapes.AnyWager)) == set(shapes.find_shapes().values())
    assert len(shapes.find_shapes()) >= 11  # the documents list them, each one


def test_the_documents_list_every_shape() -> None:
    text = (ROOT / "docs" / "operate" / "rulebooks.md").read_text("utf-8")
    table = text.partition("| shape | meaning")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.M)) == set(shapes.find_shapes())


def test_a_module_is_all_that_a_new_shape_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "duel.py").write_text(NEW_SHAPE, "utf-8")
    monkeypatch.setattr(shapes, "__path__", [*shapes.__path__, str(tmp_path)])
    name = f"{shapes.__name__}.duel"
    try:
        assert shapes.find_shapes()["duel"].__module__ == name
    finally:
        sys.modules.pop(name, None)
        vars(shapes).pop("duel", None)
