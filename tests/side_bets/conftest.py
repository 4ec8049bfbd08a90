"""A rulebook of tests that lets its houses elect every side bet."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(Path(__file__).with_name("books")))
