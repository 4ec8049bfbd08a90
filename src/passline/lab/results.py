"""What the lab finds, as people meet it: a line, a table, a data frame, a picture.

A result says what it is in a line (``headline``) and lists itself (``listed``); all else follows
from these two, here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from passline.extras import MissingExtra

__all__ = [
    "ColumnKind",
    "Drawing",
    "LabResult",
    "ResultTable",
    "show_money",
    "show_percent",
    "show_percent_and_fraction",
]

#: What a column holds. Money is in cents here, and in dollars in frames and records; a share is a
#: chance or an edge.
ColumnKind = Literal["words", "count", "money", "share", "figure"]
#: Rows that are printed, and that a notebook shows.
_PRINTED_ROWS, _NOTEBOOK_ROWS = 12, 24
#: Characters of words in a cell, and of a fraction in a line.
_MAX_CELL_CHARS, _MAX_FRACTION_CHARS = 36, 40
_FRAME_LIBRARIES = ("pandas", "polars")


class ResultTable(NamedTuple):
    """A table: columns by name and kind, the records in their order, and which column is drawn over
    which (none: there is nothing to see); ``line``: over money too as a line, since the shares are
    not those of a whole."""

    columns: dict[str, ColumnKind]
    records: Sequence[tuple[Any, ...]]
    across: str = ""
    up: str = ""
    line: bool = False


class Drawing(msgspec.Struct, frozen=True):
    """A picture as SVG. A notebook shows it; ``save`` writes it to a file."""

    title: str
    svg: str

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        return self.svg

    def __repr__(self) -> str:
        """What it shows."""
        return f"<Drawing: {self.title}>"

    def save(self, path: str | Path) -> None:
        """Write the picture."""
        Path(path).write_text(self.svg, "utf-8")


class LabResult:
    """A result of the lab. ``repr`` is a line, ``str`` the line and a table."""

    __slots__ = ()

    def headline(self) -> str:
        """What was found, in a line."""
        raise NotImplementedError

    def listed(self) -> ResultTable:
        """What was found, as a table."""
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        """The table as dictionaries, exact: money in dollars, fractions as they are."""
        columns, records, *_ = self.listed()
        return [
            {
                name: _to_dollars(value) if kind == "money" else value
                for (name, kind), value in zip(columns.items(), record, strict=True)
            }
            for record in records
        ]

    def to_frame(self, library: str | None = None, *, exact: bool = False) -> Any:
        """The table as a data frame: of pandas or of polars, of whichever is there unless told.

        Money is in dollars. Figures are floats; ``exact``: fractions as text ("7/495").
        MissingExtra where neither library is installed.
        """
        if library is not None and library not in _FRAME_LIBRARIES:
            raise ValueError(f"{library!r} makes no data frames here: expected pandas or polars")
        frames = _import_first((library,) if library else _FRAME_LIBRARIES)
        columns, rows = self.listed().columns, self.records()
        told = {
            name: [_frame_value(row[name], kind, exact) for row in rows]
            for name, kind in columns.items()
        }
        return frames.DataFrame(told)

    def draw(self) -> Drawing:
        """A picture of it, as SVG: shown by a notebook, and ``save``d. ValueError where there is
        nothing to see."""
        import passline

        drawn: Drawing = passline.draw_result(self)
        return drawn

    def __repr__(self) -> str:
        """What it is, in a line."""
        return f"<{type(self).__name__}: {self.headline()}>"

    def __str__(self) -> str:
        """The line, and a table under it."""
        columns, lines, left = self._cells(_PRINTED_ROWS)
        table = [list(columns), *lines]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        words = [kind == "words" for kind in columns.values()]
        shown = [
            "  ".join(
                cell.ljust(width) if left_ else cell.rjust(width)
                for cell, width, left_ in zip(line, widths, words, strict=True)
            ).rstrip()
            for line in table
        ]
        more = [f"... and {left:,} more"] if left else []
        return "\n".join([self.headline(), *(f"  {line}" for line in (*shown, *more))])

    def _repr_html_(self) -> str:
        """As a notebook shows it: the line, the picture where there is one, the table."""
        columns, lines, left = self._cells(_NOTEBOOK_ROWS)
        listing = self.listed()
        picture = self.draw().svg if listing.up and listing.records else ""
        heads = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
        )
        more = f"<p>... and {left:,} more</p>" if left else ""
        return (
            f"<div><p>{escape(self.headline())}</p>{picture}"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}</div>"
        )

    def _cells(self, most: int) -> tuple[dict[str, ColumnKind], list[list[str]], int]:
        """The columns, as many records in words as there is room for, and how many are left."""
        columns, records, *_ = self.listed()
        kinds = list(columns.values())
        lines = [
            [_format_cell(v, k) for v, k in zip(record, kinds, strict=True)] for record in records
        ]
        return columns, lines[:most], max(len(lines) - most, 0)


def _to_dollars(cents: Fraction | float | None) -> Fraction | float | None:
    """Exact where it was."""
    if cents is None:
        return None
    return Fraction(cents, 100) if isinstance(cents, int) else cents / 100


def _frame_value(value: Any, kind: ColumnKind, exact: bool) -> Any:
    if value is None or kind == "words":
        return value
    if kind == "count":
        return int(value)
    return str(value) if exact and isinstance(value, Fraction) else float(value)


def _import_first(names: Sequence[str]) -> Any:
    for name in names:
        try:
            return import_module(name)
        except ModuleNotFoundError as wrong:
            if wrong.name != name:
                raise
    raise MissingExtra(f"a data frame needs {' or '.join(names)}: pip install {names[0]}")


def _format_cell(value: Any, kind: ColumnKind) -> str:
    if value is None:
        return ""
    if kind == "words":
        words = str(value)
        return words if len(words) <= _MAX_CELL_CHARS else f"{words[: _MAX_CELL_CHARS - 3]}..."
    if kind == "count":
        return f"{int(value):,}"
    if kind == "money":
        return show_money(value)
    return show_percent(value) if kind == "share" else f"{float(value):,.4f}"


def show_money(cents: Fraction | float) -> str:
    """Cents as dollars.

    >>> show_money(-125050), show_money(Fraction(1, 3))
    ('-$1,250.50', '$0.00')
    """
    shown = f"{abs(float(cents)) / 100:,.2f}"
    return f"-${shown}" if cents < 0 and shown != "0.00" else f"${shown}"


def show_percent(share: Fraction | float) -> str:
    """A chance or an edge in percent.

    >>> show_percent(Fraction(7, 495)), show_percent(1.8e-10), show_percent(0)
    ('1.414%', '1.8e-08%', '0.000%')
    """
    percent = float(share) * 100
    return f"{percent:.3g}%" if 0 < abs(percent) < 0.001 else f"{percent:.3f}%"


def show_percent_and_fraction(share: Fraction) -> str:
    """The same, and the fraction that it is, unless that is too long to read.

    >>> show_percent_and_fraction(Fraction(7, 495))
    '1.414% = 7/495'
    """
    exact = str(share)
    return show_percent(share) + (f" = {exact}" if len(exact) <= _MAX_FRACTION_CHARS else "")
