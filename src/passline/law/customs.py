"""The customs: what holds where a rulebook says nothing, laid beneath every book."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("customs.toml")


def customs_text() -> str:
    """The TOML of the customs, as shipped."""
    return _FILE.read_text("utf-8")


_in_use: dict[str, Any] = {}


def customs() -> dict[str, Any]:
    """The customs as data, in the sections of a book."""
    if not _in_use:
        _in_use.update(tomllib.loads(customs_text()))
    return _in_use


def replace_customs(data: dict[str, Any]) -> None:
    """Put other customs in their place, for as long as this process lives: ``tools/mutate.py``."""
    _in_use.clear()
    _in_use.update(data)


def with_customs(data: Mapping[str, Any]) -> dict[str, Any]:
    """A book's data with the customs beneath it: what the book says, it says.

    >>> own = {"stakes": {"min_default": {"is": 10, "cite": "lv.1"}}}
    >>> [with_customs(own)["stakes"][key]["is"] for key in ("min_default", "chip_default")]
    [10, 1]
    """
    return _laid(customs(), data)


def _laid(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = {**below, **over}
    for key in below.keys() & over.keys():
        if _is_section(below[key]) and _is_section(over[key]):
            found[key] = _laid(below[key], over[key])
    return found


def _is_section(part: object) -> bool:
    """Whether a part of a book holds values, and is none itself."""
    return isinstance(part, Mapping) and "is" not in part
