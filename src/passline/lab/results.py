"""The base class of the lab's results: a headline and a table, shown as text, data or a picture.

A result defines ``headline`` and ``to_table``. From these two, ``LabResult`` makes its ``repr``,
its printed table, its records, its data frame, its notebook view and its picture. This module
imports the chart functions and no particular result.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from passline.game.money.amounts import show_money
from passline.game.words.html_documents import render_document
from passline.lab.charts.style import shorten
from passline.lab.charts.svg import draw_bars, draw_distribution, draw_line, make_standalone
from passline.optional_packages import MissingExtra

#: What a column holds. Tables hold money in cents; records and frames hold it in dollars. A share
#: is a probability or an edge.
ColumnKind = Literal["words", "count", "money", "share", "figure"]
#: The most rows in a printed table and in a notebook, and the most bars in a picture.
_PRINTED_ROWS, _NOTEBOOK_ROWS = 12, 24
#: The most characters of text in a cell, and of a fraction in a line.
_MAX_CELL_CHARS, _MAX_FRACTION_CHARS = 36, 40
_FRAME_LIBRARIES = ("pandas", "polars")


class ResultTable(NamedTuple):
    """A result as a table: its columns by name and kind, and its records in order.

    ``x_column`` and ``y_column`` name the columns that a picture shows; if empty, there is no
    picture. ``as_line`` draws a line, not a histogram, of shares by amount: for shares that do not
    add up to one, such as the chance of ruin by bankroll.
    """

    columns: dict[str, ColumnKind]
    records: Sequence[tuple[Any, ...]]
    x_column: str = ""
    y_column: str = ""
    as_line: bool = False


def make_columns(**kinds: ColumnKind) -> dict[str, ColumnKind]:
    """Return the columns of a table: a dict from name to kind, in this order."""
    return kinds


def exact_json(unit: int = 1, /, **values: Fraction | float | None) -> dict[str, Any]:
    """Return a dict with two keys for each value: its exact text, and a float with "_float" added.

    Values are divided by ``unit``: 100 turns cents into dollars.

    >>> exact_json(edge=Fraction(1, 8), hold=None)
    {'edge': '1/8', 'edge_float': 0.125, 'hold': None, 'hold_float': None}
    """
    found: dict[str, Any] = {}
    for name, value in values.items():
        exact = None if value is None else value / unit
        if exact is None:
            found |= {name: None, f"{name}_float": None}
        else:
            text = str(exact) if isinstance(exact, Fraction) else repr(float(exact))
            found |= {name: text, f"{name}_float": float(exact)}
    return found


class Drawing(msgspec.Struct, frozen=True):
    """A picture as SVG. A notebook shows it; ``save`` writes it to a file."""

    title: str
    svg: str

    def _repr_svg_(self) -> str:
        """Return the SVG, for notebooks."""
        return self.svg

    def __repr__(self) -> str:
        """Return the title in angle brackets."""
        return f"<Drawing: {self.title}>"

    def save(self, path: str | Path) -> None:
        """Write the SVG to a file."""
        Path(path).write_text(self.svg, "utf-8")


class LabResult:
    """The base class of the lab's results.

    ``repr`` is one line; ``str`` is that line and a table.
    """

    __slots__ = ()

    def headline(self) -> str:
        """Return the main finding in one line."""
        raise NotImplementedError

    def to_table(self) -> ResultTable:
        """Return the result as a table."""
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        """Return the table as a list of dicts by column name: money in dollars, fractions exact."""
        columns, records, *_ = self.to_table()
        return [
            {
                name: _to_dollars(value) if kind == "money" else value
                for (name, kind), value in zip(columns.items(), record, strict=True)
            }
            for record in records
        ]

    def to_frame(self, library: str | None = None, *, exact: bool = False) -> Any:
        """Return the table as a data frame of ``library``: "pandas" or "polars".

        By default, use the one that is installed. Money is in dollars and figures are floats; with
        ``exact``, fractions are text such as "7/495". Raise MissingExtra if it is not installed,
        and ValueError for another library.
        """
        if library is not None and library not in _FRAME_LIBRARIES:
            raise ValueError(f"{library!r} is not a data frame library: use pandas or polars")
        frames = _import_first((library,) if library else _FRAME_LIBRARIES)
        columns, rows = self.to_table().columns, self.records()
        return frames.DataFrame(
            {
                name: [_frame_value(row[name], kind, exact) for row in rows]
                for name, kind in columns.items()
            }
        )

    def draw(self) -> Drawing:
        """Return a picture of the result as SVG. Raise ValueError if there is nothing to draw."""
        table, title = self.to_table(), self.headline()
        if not table.y_column or not table.records:
            raise ValueError(f"there is nothing to draw of {self!r}")
        return Drawing(title, make_standalone(self._draw_svg(table, title)))

    def _draw_svg(self, table: ResultTable, title: str) -> str:
        return _draw_table(table, shorten(title, 120))

    def __repr__(self) -> str:
        """Return the class and the headline in angle brackets."""
        return f"<{type(self).__name__}: {self.headline()}>"

    def __str__(self) -> str:
        """Return the headline and the first rows of the table."""
        columns, lines, left = self._cells(_PRINTED_ROWS)
        words = [kind == "words" for kind in columns.values()]
        shown = align_columns([list(columns), *lines], words)
        more = [f"... and {left:,} more"] if left else []
        return "\n".join([self.headline(), *(f"  {line}" for line in (*shown, *more))])

    def _repr_html_(self) -> str | None:
        """Return the headline, the picture if there is one, and the table, for notebooks.

        Return None if Jinja2 is not installed; a notebook then shows the text.
        """
        try:
            from markupsafe import Markup
        except ImportError:
            return None
        columns, lines, left = self._cells(_NOTEBOOK_ROWS)
        table = self.to_table()
        picture = self.draw().svg if table.y_column and table.records else ""
        return render_document(
            "lab_result.html",
            headline=self.headline(),
            picture=Markup(picture),
            columns=list(columns),
            lines=lines,
            left=left,
        )

    def _cells(self, most: int) -> tuple[dict[str, ColumnKind], list[list[str]], int]:
        """Return (columns, rows, more): the first ``most`` records as text, and how many follow."""
        columns, records, *_ = self.to_table()
        kinds = list(columns.values())
        lines = [
            [_format_cell(v, k) for v, k in zip(record, kinds, strict=True)]
            for record in records[:most]
        ]
        return columns, lines, max(len(records) - most, 0)


def draw_result(result: LabResult) -> Drawing:
    """Return a picture of a result as SVG. Raise ValueError if there is nothing to draw."""
    return result.draw()


def align_columns(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> list[str]:
    """Return one line for each row, with columns padded to the same width.

    ``left`` says which columns are aligned to the left; the others are aligned to the right.

    >>> align_columns([["wager", "edge"], ["pass", "1.4%"], ["place-win-6", "1.5%"]], [True, False])
    ['wager        edge', 'pass         1.4%', 'place-win-6  1.5%']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]


def _draw_table(table: ResultTable, title: str) -> str:
    """Return an SVG chart that suits the columns: bars by name, a line, or a histogram of money."""
    names = list(table.columns)
    x, y = names.index(table.x_column), names.index(table.y_column)
    kind = table.columns[table.x_column]
    if table.as_line or kind == "count":
        unit = 100 if kind == "money" else 1
        points = [(float(record[x] / unit), float(record[y])) for record in table.records]
        return draw_line(title, (table.x_column, table.y_column), points)
    if kind == "money":
        pairs = sorted((record[x], float(record[y])) for record in table.records)
        return draw_distribution(_Shares(pairs), title, table.x_column)
    y_kind = table.columns[table.y_column]
    bars = [
        (shorten(str(record[x]), 26), float(record[y]), _format_cell(record[y], y_kind, ",.4g"))
        for record in table.records
        if record[y] is not None
    ]
    return draw_bars(title, table.y_column, bars)


class _Shares:
    """Amounts in rising order with their shares of one, as ``draw_distribution`` reads them."""

    whole = 1.0

    def __init__(self, pairs: Sequence[tuple[int, float]]) -> None:
        self.worths = tuple(worth for worth, _ in pairs)
        self.weights = tuple(share for _, share in pairs)


def _to_dollars(cents: Fraction | float | None) -> Fraction | float | None:
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
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
    raise MissingExtra(f"a data frame needs {' or '.join(names)}: pip install {names[0]}")


def _format_cell(value: Any, kind: ColumnKind, figure: str = ",.4f") -> str:
    if value is None:
        return ""
    if kind == "words":
        words = str(value)
        return words if len(words) <= _MAX_CELL_CHARS else f"{words[: _MAX_CELL_CHARS - 3]}..."
    if kind == "count":
        return f"{int(value):,}"
    if kind == "money":
        return show_money(value)
    return show_percent(value) if kind == "share" else f"{float(value):{figure}}"


def show_percent(share: Fraction | float) -> str:
    """Return a probability or an edge in percent.

    >>> show_percent(Fraction(7, 495)), show_percent(1.8e-10), show_percent(0)
    ('1.414%', '1.8e-08%', '0.000%')
    """
    percent = float(share) * 100
    return f"{percent:.3g}%" if 0 < abs(percent) < 0.001 else f"{percent:.3f}%"


def show_percent_and_fraction(share: Fraction) -> str:
    """Return a share in percent and as a fraction, unless the fraction is too long to read.

    >>> show_percent_and_fraction(Fraction(7, 495))
    '1.414% = 7/495'
    """
    return show_percent(share) + exact_suffix(share)


def exact_suffix(value: Fraction) -> str:
    """Return a text such as " = 7/495" to append to a rounded number, or "" if it is too long."""
    text = f" = {value}"
    return text if len(text) <= _MAX_FRACTION_CHARS + len(" = ") else ""
