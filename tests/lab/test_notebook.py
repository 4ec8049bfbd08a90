"""The notebook of the lab says what its cells say when they are run now, and so does its page."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
notebook = importlib.import_module("notebook")
sys.path.pop(0)


def test_what_stands_there_is_what_the_cells_say() -> None:
    pytest.importorskip("numpy")
    kept = notebook.read_notebook()
    questions = [c for c in kept["cells"] if "".join(c["source"]).startswith("## ")]
    assert len(questions) == 10
    assert all("*Method: " in "".join(cell["source"]) for cell in questions)
    cells = notebook.code_cells(kept)
    for cell, now in zip(cells, notebook.run_cells(kept), strict=True):
        assert notebook.outputs_text(now) == notebook.outputs_text(cell["outputs"]), "".join(
            cell["source"]
        )
        assert [o.get("data", {}).keys() for o in now] == [
            o.get("data", {}).keys() for o in cell["outputs"]
        ]
    assert notebook.PAGE.read_text("utf-8") == notebook.page_of(kept)


def test_it_is_a_notebook() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(notebook.read_notebook())
