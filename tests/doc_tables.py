"""Tables and commands that stand in the documents' pages."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

_TABLE = re.compile(r"(?<=-->\n)(.*)(?=<!-- end of costs -->)", re.DOTALL)
_SHELL = re.compile(r"```\n(.*?)```", re.DOTALL)


def hold_costs(page: Path, table: str) -> None:
    """The page's table of costs is this one; ``PASSLINE_GOLDEN=write`` writes it there."""
    text = page.read_text("utf-8")
    if os.environ.get("PASSLINE_GOLDEN") == "write":
        text = _TABLE.sub(lambda _: table, text)
        page.write_text(text, "utf-8")
    found = _TABLE.search(text)
    assert found is not None
    assert found[1] == table


def commands_of(page: Path) -> list[list[str]]:
    """What a page's shell blocks give passline, each as a shell takes it apart."""
    lines = [
        line for block in _SHELL.findall(page.read_text("utf-8")) for line in block.split("\n")
    ]
    return [shlex.split(line)[1:] for line in lines if line.startswith("passline ")]
