"""Small text charts for the terminal: no color, no matplotlib, at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from passline.game.money.amounts import show_dollars
from passline.lab.charts.bins import (
    Bins,
    choose_bar_width,
    find_ceiling,
    find_span,
    find_step,
    make_bins,
)
from passline.lab.sessions.distribution import Distribution, QuantileBand

_MIN_WIDTH, _MAX_WIDTH = 40, 80
_MAX_BAR_WIDTH = 4
_MAX_NAME_LENGTH = 20  # characters of a strategy's name


def draw_histogram(
    found: Distribution,
    width: int = 72,
    height: int = 8,
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """Return the shares of final bankrolls as vertical bars, ``height`` lines high, with an axis.

    A bar far above the others (ruin, a goal) is cut and marked, and its share is given below.

    >>> print(draw_histogram(Distribution((0, 1000, 2000, 3000), (1, 4, 2, 1), 8), 40, 4, ascii=True))
      50% |    ####
          |    ####
          |    ########
        0 |################
          +-+---+-------+--
           $0  $10     $30
           each bar $10
    """  # noqa: E501
    width, height = _clamp_size(width, height)
    low, high = find_span(found)
    left = 6
    columns = width - left - 1
    step = choose_bar_width(low, high, find_step(found), columns)
    bins = make_bins(found, low, high, step)
    each = min(max(columns // len(bins.shares), 1), _MAX_BAR_WIDTH)
    top = find_ceiling(bins.shares)
    rows = _draw_bars(bins.shares, top, height, each, ascii)
    edge = "|" if ascii else "│"
    labels = {0: _percent(top), height - 1: "0"}
    lines = [f"{labels.get(row, ''):>5} {edge}{text}" for row, text in enumerate(rows)]
    lines += _dollar_axis(bins, each, left, ascii)
    lines += _cut_bar_notes(bins, top, width, ascii)
    return "\n".join(line.rstrip() for line in lines)


def _clamp_size(width: int, height: int) -> tuple[int, int]:
    return min(max(width, _MIN_WIDTH), _MAX_WIDTH), max(height, 3)


def _draw_bars(
    shares: Sequence[float], top: float, height: int, each: int, ascii_: bool
) -> list[str]:
    """Return the lines of a bar chart, from the top. Each bar is ``each`` characters wide.

    ``top`` is the share at full height; a bar above it is cut and ends in an arrow. The last line
    of a bar is in eighths, or in thirds for ASCII.
    """
    marks = " .:#" if ascii_ else " ▁▂▃▄▅▆▇█"
    whole = len(marks) - 1
    rows = []
    for row in range(height):
        below = height - 1 - row
        text = ""
        for share in shares:
            filled = share / top * height * whole - below * whole
            level = min(max(round(filled), 0), whole)
            if share and not below:
                level = max(level, 1)  # A rare result still shows a bar.
            cut = share > top * 1.000001 and row == 0
            text += (("^" if ascii_ else "▲") if cut else marks[level]) * each
        rows.append(text)
    return rows


def _dollar_axis(bins: Bins, each: int, left: int, ascii_: bool) -> list[str]:
    """Return two lines: the axis, and its dollar labels.

    Both ends are labeled, then others that have space. Each bar is ``each`` characters wide, and
    the axis begins after ``left`` characters.
    """
    count = len(bins.shares)
    length = count * each
    line = ["-" if ascii_ else "─"] * length
    words = [" "] * (left + 1 + length + 1)
    for quarter in (0, 4, 2, 1, 3):
        bar = round(quarter * (count - 1) / 4)
        at = bar * each + (each - 1) // 2
        word = show_dollars(bins.first + bar * bins.width)
        start = max(min(left + 1 + at - len(word) // 2, len(words) - len(word)), 0)
        if not "".join(words[max(start - 2, 0) : start + len(word) + 2]).strip():
            words[start : start + len(word)] = word
            line[at] = "+" if ascii_ else "┬"
    corner = "+" if ascii_ else "└"
    return [" " * left + corner + "".join(line), "".join(words)]


def _cut_bar_notes(bins: Bins, top: float, width: int, ascii_: bool) -> list[str]:
    """Return a line of notes: a bar's width in dollars, and the share of each bar cut at ``top``.

    The list is empty if there is nothing to note.
    """
    arrow = "^" if ascii_ else "▲"
    notes = [f"each bar {show_dollars(bins.width)}"] if bins.width > 100 else []
    for bar, share in enumerate(bins.shares):
        if share > top * 1.000001:
            low = show_dollars(bins.first + bar * bins.width)
            label = low if bins.width <= 100 else f"from {low}:"
            notes.append(f"{arrow} {label} {_percent(share)}")
    line = "       " + "   ".join(notes)
    return [line[:width]] if notes else []


def _percent(share: float) -> str:
    """Return a share in percent, in at most four characters.

    >>> _percent(0.25), _percent(0.0312), _percent(0.00004)
    ('25%', '3.1%', '0.0%')
    """
    return f"{share:.0%}" if share >= 0.0995 else f"{share:.1%}"


def draw_fan_text(
    bands: Sequence[QuantileBand],
    width: int = 72,
    height: int = 12,
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """Return a chart of the bankroll over the rolls: the median, 25 to 75 and 5 to 95 percent.

    ``bands`` are the quantiles at some rolls. The chart is ``width`` characters wide, and
    ``height`` lines high without its axis.
    """
    width, height = _clamp_size(width, height)
    low = min(band.worths[0] for band in bands)
    high = max(band.worths[-1] for band in bands)
    high = high if high > low else low + 100
    labels = {0: show_dollars(high), height - 1: show_dollars(low)}
    labels[(height - 1) // 2] = show_dollars((high + low) // 200 * 100)
    left = max(len(label) for label in labels.values()) + 1
    columns = width - left - 1
    last = bands[-1].roll
    grid = [[" "] * columns for _ in range(height)]
    marks = ":=*" if ascii else "░▒●"
    for column in range(columns):
        worths = _interpolate(bands, last * column / (columns - 1))
        rows = [round((high - worth) / (high - low) * (height - 1)) for worth in worths]
        for mark, (lower, upper) in zip(marks, ((0, 4), (1, 3), (2, 2)), strict=True):
            for row in range(rows[upper], rows[lower] + 1):
                grid[row][column] = mark
    edge, corner, rule = "|+-" if ascii else "│└─"
    lines = [f"{labels.get(row, ''):>{left}}{edge}{''.join(grid[row])}" for row in range(height)]
    lines.append(" " * left + corner + rule * columns)
    lines.append(" " * (left + 1) + "0" + f"{last:,} rolls".rjust(columns - 1))
    legend = f"{marks[0]} 5-95%  {marks[1]} 25-75%  {marks[2]} median"
    lines.append(" " * (left + 1) + legend)
    return "\n".join(line.rstrip() for line in lines)


def _interpolate(bands: Sequence[QuantileBand], roll: float) -> list[float]:
    """Return the quantiles after ``roll`` rolls, interpolated between the nearest bands."""
    after = next((place for place, band in enumerate(bands) if band.roll >= roll), len(bands) - 1)
    later, sooner = bands[after], bands[max(after - 1, 0)]
    apart = later.roll - sooner.roll
    part = (roll - sooner.roll) / apart if apart else 1.0
    return [a + (b - a) * part for a, b in zip(sooner.worths, later.worths, strict=True)]


class SimulatedMean(NamedTuple):
    """A mean per roll in cents, with its standard error and the exact mean, if known."""

    name: str
    mean: float
    error: float | None = None
    exact: float | None = None

    @property
    def span(self) -> tuple[float, float]:
        """Return (low, high): the mean minus and plus two standard errors."""
        return self.mean - 2 * (self.error or 0), self.mean + 2 * (self.error or 0)


def draw_means(runs: Sequence[SimulatedMean], width: int = 72, *, ascii: bool = False) -> str:  # noqa: A002
    """Return a chart of each mean with two standard errors to each side, and the exact means.

    The chart is ``width`` characters wide, and uses only ASCII characters with ``ascii``.

    >>> print(draw_means([SimulatedMean("pass", -4.0, 0.5, -4.5)], 50, ascii=True))
      [-----------x----------o----------------------]
      +----------------------+----------------------+
      -5                    -4                     -3
      cents a roll: o simulated, [-] two errors to each side, x exact, * both
    """
    width, _ = _clamp_size(width, 0)
    points = [point for run in runs for point in (*run.span, run.exact) if point is not None]
    low, high = min(points), max(points)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    names = [
        run.name if len(run.name) <= _MAX_NAME_LENGTH else f"{run.name[: _MAX_NAME_LENGTH - 1]}~"
        for run in runs
    ]
    left = 2 + (max(map(len, names)) + 2 if len(runs) > 1 else 0)
    scale = _CentsScale(
        low=low, high=high, columns=width - left - 1, marks=tuple("[-]ox*+" if ascii else "├─┤●◇◆┴")
    )
    lines = []
    for run, name in zip(runs, names, strict=True):
        lines.append(f"{f'  {name}' if len(runs) > 1 else '':<{left}}{scale.row(run)}")
    lines += [" " * left + line for line in scale.axis()]
    return "\n".join(line.rstrip() for line in [*lines, scale.legend(runs)])


class _CentsScale(NamedTuple):
    """A horizontal scale of cents from ``low`` to ``high`` on which to draw rows of text.

    ``columns`` is its width in characters, and ``marks`` are the characters to draw with.
    """

    low: float
    high: float
    columns: int
    marks: tuple[str, ...]

    def place(self, cents: float) -> int:
        """Return the column of the scale for an amount of cents."""
        return round((cents - self.low) / (self.high - self.low) * (self.columns - 1))

    def row(self, run: SimulatedMean) -> str:
        """Return a line of text with a mean, two standard errors around it, and the exact mean."""
        begin, rule, end, dot, exact, both, _ = self.marks
        row = [" "] * self.columns
        if run.error is not None:
            first, last = map(self.place, run.span)
            row[first : last + 1] = rule * (last + 1 - first)
            row[first], row[last] = begin, end
        row[self.place(run.mean)] = dot
        if run.exact is not None:
            there = self.place(run.exact)
            row[there] = both if there == self.place(run.mean) else exact
        return "".join(row)

    def axis(self) -> list[str]:
        """Return two lines: an axis with ticks at both ends and the middle, and their values."""
        middle = (self.columns - 1) // 2
        line = [self.marks[1]] * self.columns
        line[0] = line[middle] = line[-1] = self.marks[6]
        ends = (self.low, self.low + (self.high - self.low) * middle / (self.columns - 1))
        words = [_show_cents(cents, self.high - self.low) for cents in (*ends, self.high)]
        text = words[0] + " " * (middle - len(words[1]) // 2 - len(words[0])) + words[1]
        text += " " * (self.columns - len(text) - len(words[2])) + words[2]
        return ["".join(line), text]

    def legend(self, runs: Sequence[SimulatedMean]) -> str:
        """Return a line of text that explains the marks in use on the chart."""
        begin, rule, end, dot, exact, both, _ = self.marks
        words = [f"{dot} simulated"]
        if any(run.error is not None for run in runs):
            words.append(f"{begin}{rule}{end} two errors to each side")
        if any(run.exact is not None for run in runs):
            words += [f"{exact} exact", f"{both} both"]
        return "  cents a roll: " + ", ".join(words)


def _show_cents(cents: float, span: float) -> str:
    """Return cents as text, with as many decimals as a scale of ``span`` cents needs.

    >>> _show_cents(-4.0, 2.0), _show_cents(-4.1891, 0.2), _show_cents(-55.5, 50)
    ('-4', '-4.189', '-55.5')
    """
    places = 1
    while places < 8 and span * 10 ** (places - 1) < 10:
        places += 1
    return f"{cents:,.{places}f}".rstrip("0").rstrip(".")
