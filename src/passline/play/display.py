"""What a terminal can show: its width, colors and box-drawing characters.

Color never carries a meaning of its own: the words say everything.
"""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import NamedTuple, TextIO

#: The columns that a drawing needs, and the widest line of text.
WIDTH = 79
_MAX_WIDTH = 119
_MIN_WIDTH = 20
_DEFAULT_ROWS = 24
_BOX_CHARACTERS = "┌┬┐├┼┤└┴┘─│·▸"
_ANSI_CODES = {
    "bold": "1",
    "dim": "2",
    "win": "32",
    "lose": "31",
    "even": "33",
    "puck": "1;7",
    # Chips are painted in the color of their name.
    "white": "97",
    "red": "31",
    "green": "32",
    "black": "90",
    "purple": "35",
    "yellow": "33",
}
_ANSI_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


class Display(NamedTuple):
    """What a terminal can show, and how its user wants it shown.

    ``boxes`` means box-drawing characters, and ``width`` and ``rows`` count characters. ``plain``
    is for screen readers: sentences and no drawing. A terminal that is too narrow for the drawing
    also gets sentences.
    """

    color: bool = False
    boxes: bool = True
    plain: bool = False
    width: int = WIDTH
    rows: int = _DEFAULT_ROWS

    @property
    def can_draw(self) -> bool:
        """Whether the table is drawn; if not, it is described in sentences."""
        return not self.plain and self.width >= WIDTH

    def paint(self, text: str, style: str) -> str:
        """Return text in a style, or unchanged if there are no colors.

        >>> Display().paint("hard eight", "win"), Display(color=True).paint("8", "win")
        ('hard eight', '\\x1b[32m8\\x1b[0m')
        """
        if not self.color or style not in _ANSI_CODES:
            return text
        return f"\x1b[{_ANSI_CODES[style]}m{text}\x1b[0m"

    def fold(self, text: str, style: str = "", indent: int = 2) -> list[str]:
        """Return text as lines that fit the width, in a style of ``paint``.

        Lines after the first are indented by ``indent`` more columns.
        """
        if len(text) <= self.width:
            return [self.paint(text, style)]
        lead = text[: len(text) - len(text.lstrip())]
        rest = lead + " " * indent
        lines = textwrap.wrap(text, self.width, subsequent_indent=rest, break_on_hyphens=False)
        return [self.paint(line, style) for line in lines]

    def fit_in_rows(self, parts: Iterable[str], lead: str, gap: str = "   ") -> list[str]:
        """Return the parts in rows after the text ``lead``, as many in a row as fit.

        ``gap`` separates the parts of a row.

        >>> Display(width=20).fit_in_rows(["pass $10", "come $5", "field $5"], " Up: ")
        [' Up: pass $10', '     come $5', '     field $5']
        """
        lines: list[str] = []
        for part in parts:
            if lines and len(lines[-1]) + len(gap) + len(part) <= self.width:
                lines[-1] += gap + part
            else:
                lines.append((" " * len(lead) if lines else lead) + part)
        return [line for long in lines for line in self.fold(long)]


def strip_colors(text: str) -> str:
    """Return text without its color codes."""
    return _ANSI_SEQUENCE.sub("", text)


def detect_display(stream: TextIO, plain: bool = False) -> Display:
    """Return what an output stream can show: a terminal's size and colors, or a pipe's defaults."""
    terminal = stream.isatty()
    dumb = os.environ.get("TERM", "") in {"dumb", "unknown"}
    size = shutil.get_terminal_size((WIDTH + 1, _DEFAULT_ROWS))
    columns, rows = size if terminal else (WIDTH + 1, _DEFAULT_ROWS)
    return Display(
        color=terminal and not dumb and not plain and not os.environ.get("NO_COLOR"),
        boxes=not dumb and _can_encode(stream, _BOX_CHARACTERS),
        plain=plain,
        width=max(_MIN_WIDTH, min(_MAX_WIDTH, columns - 1)),
        rows=rows,
    )


def _can_encode(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
