"""Draw SVG charts of amounts, shares and bankrolls, built as text from plain numbers.

A page styles the SVG by class names; ``make_standalone`` adds a style for notebooks and files.
Nothing depends on color: bands differ by shade and the median by its line width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple, Protocol

from passline.game.money.amounts import show_dollars
from passline.lab.charts.bins import (
    WeightedWorths,
    choose_bar_width,
    find_ceiling,
    find_span,
    find_step,
    make_bins,
)
from passline.lab.charts.style import show_share, spread_labels

_WIDTH, _HEIGHT = 720, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 80, 18, 48
_TICK_STEPS = (1, 2, 2.5, 5, 10)
_MAX_BINS = 40
#: Pixels between two lines of text.
_LINE_SPACING = 19.0
#: The CSS of a picture outside our pages, readable on any background.
_SVG_STYLE = (
    "svg.passline{background:#fff;max-width:720px}"
    "svg.passline text{font:12px sans-serif;fill:#222}"
    "svg.passline .grid{stroke:#ddd;fill:none}"
    "svg.passline .mark{stroke:#555;stroke-dasharray:4 3;fill:none}"
    "svg.passline .bar{fill:#5b7fa6}"
    "svg.passline .outer{fill:#cfdcea}svg.passline .inner{fill:#9dbbd8}"
    "svg.passline .median{stroke:#1d3d5c;stroke-width:2;fill:none}"
)
_SVG_TAG = '<svg class="chart"'
_STANDALONE_SVG_TAG = '<svg xmlns="http://www.w3.org/2000/svg" class="chart passline"'


class Band(Protocol):
    """Quantiles of the bankroll, in cents and in rising order, after ``roll`` rolls."""

    @property
    def roll(self) -> int:
        """The number of rolls played."""

    @property
    def worths(self) -> Sequence[int]:
        """The quantiles of the bankroll in cents, in rising order."""


class Mark(NamedTuple):
    """A horizontal line across a fan chart: an amount in cents and its label."""

    cents: int
    label: str


class _Axis:
    """An axis of a chart: the value ``low`` is at pixel ``start``, and ``high`` at ``end``."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, high if high > low else low + 1
        self._start, self._end = start, end

    def to_pixels(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self._start + share * (self._end - self._start), 1)

    def ticks(self, most: int) -> list[float]:
        """Return round values between the ends of the axis, at most ``most`` of them."""
        least, power = (self.high - self.low) / most, 0.01
        while power * 10 < least:
            power *= 10
        step = next(s * power for s in _TICK_STEPS if s * power >= least)
        first = -(-self.low // step) * step
        return [first + n * step for n in range(most + 1) if first + n * step <= self.high]


def draw_fan(
    title: str, fan: Sequence[Band], percents: Sequence[int], marks: Sequence[Mark]
) -> str:
    """Return an SVG chart of quantiles of the bankroll over the rolls.

    ``fan`` has the quantiles at some rolls. ``percents`` names the five quantiles of each band;
    ``marks`` are drawn across the chart.
    """
    worths = [worth for band in fan for worth in band.worths] + [mark.cents for mark in marks]
    low, high = min(worths), max(worths)
    room = max(high - low, 1000) * 0.04
    across = _Axis(0, max(fan[-1].roll, 1), _LEFT, _WIDTH - _RIGHT)
    up = _Axis(max(low - room, 0), high + room, _HEIGHT - _BOTTOM, _TOP)
    rolls = [across.to_pixels(band.roll) for band in fan]
    lines = [[up.to_pixels(band.worths[n]) for band in fan] for n in range(len(percents))]
    parts = [
        *_draw_dollar_axis(up),
        *_draw_x_axis(across, "rolls"),
        _polygon("band outer", rolls, lines[0], lines[-1]),
        _polygon("band inner", rolls, lines[1], lines[-2]),
        *(_draw_rule("mark", up.to_pixels(mark.cents)) for mark in marks),
        *(_text(_LEFT + 4, up.to_pixels(mark.cents) - 4, mark.label, "start") for mark in marks),
        _polyline("median", rolls, lines[2]),
    ]
    places = spread_labels([-line[-1] for line in lines], _LINE_SPACING)
    for percent, place in zip(percents, places, strict=True):
        words = "median" if percent == 50 else f"{percent}%"
        parts.append(_text(_WIDTH - _RIGHT + 6, -place + 4, words, "start"))
    return _wrap_svg(title, parts)


def draw_distribution(final: WeightedWorths, title: str, axis_label: str) -> str:
    """Return an SVG histogram of amounts of money. A bar far above the others is cut.

    The share of a cut bar is written above it. ``axis_label`` names the amounts.
    """
    low, high = find_span(final)
    width = choose_bar_width(low, high, find_step(final), _MAX_BINS)
    bins = make_bins(final, low, high, width)
    top = find_ceiling(bins.shares) * 1.08
    across = _Axis(low, low + width * len(bins.shares), _LEFT, _WIDTH - _RIGHT)
    up = _Axis(0, top, _HEIGHT - _BOTTOM, _TOP + _LINE_SPACING)
    parts = [*_draw_share_axis(up), *_draw_x_axis(across, axis_label, show_dollars)]
    for place, share in enumerate(bins.shares):
        if not share:
            continue
        start, end = (
            across.to_pixels(low + place * width),
            across.to_pixels(low + (place + 1) * width),
        )
        tall = up.to_pixels(min(share, top))
        parts.append(
            f'<rect class="bar" x="{start}" y="{tall}" width="{max(end - start - 1, 0.5):.1f}" '
            f'height="{_HEIGHT - _BOTTOM - tall:.1f}"/>'
        )
        if share > top:
            parts.append(
                _text((start + end) / 2, _TOP + _LINE_SPACING - 4, show_share(share), "middle")
            )
    return _wrap_svg(title, parts)


def draw_line(title: str, labels: tuple[str, str], points: Sequence[tuple[float, float]]) -> str:
    """Return an SVG line chart of shares over a count or an amount.

    ``labels`` name the x and the y axis. ``points`` are pairs (x, share) in rising order.
    """
    top = max(share for _, share in points) or 1.0
    across = _Axis(points[0][0], points[-1][0], _LEFT, _WIDTH - _RIGHT)
    up = _Axis(0, top, _HEIGHT - _BOTTOM, _TOP + _LINE_SPACING)
    line = [across.to_pixels(x) for x, _ in points], [up.to_pixels(y) for _, y in points]
    parts = [*_draw_share_axis(up), *_draw_x_axis(across, labels[0]), _polyline("median", *line)]
    return _wrap_svg(title, [*parts, _text(_LEFT, _TOP, labels[1], "start")])


def draw_bars(title: str, label: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Return an SVG chart of horizontal bars; negative ones go to the left.

    ``bars`` are (name, length, text of the value), and ``label`` is written above them.
    """
    row, name, figure = 22, 190, 90
    low = min(0.0, *(value for _, value, _ in bars))
    high = max(0.0, *(value for _, value, _ in bars))
    across = _Axis(low, high, name + (figure if low < 0 else 0), _WIDTH - figure)
    tall = _TOP + row * len(bars) + row
    parts = [_text(name, _TOP - 4, label, "start")]
    for place, (bar_name, value, shown) in enumerate(bars):
        top = _TOP + 6 + place * row
        start, end = sorted((across.to_pixels(0), across.to_pixels(value)))
        parts.append(_text(name - 8, top + 13, bar_name, "end"))
        parts.append(
            f'<rect class="bar" x="{start}" y="{top}" width="{max(end - start, 0.5):.1f}" '
            f'height="{row - 6}"/>'
        )
        at, anchor = (start - 4, "end") if value < 0 else (end + 4, "start")
        parts.append(_text(at, top + 13, shown, anchor))
    return _wrap_svg(title, parts, tall)


def make_standalone(svg: str) -> str:
    """Return a chart with a style sheet inside, for notebooks and files outside our pages."""
    head, _, rest = svg.replace(_SVG_TAG, _STANDALONE_SVG_TAG, 1).partition(">")
    return f"{head}><style>{_SVG_STYLE}</style>{rest}"


def _draw_rule(kind: str, up: float) -> str:
    return f'<path class="{kind}" d="M{_LEFT} {up}H{_WIDTH - _RIGHT}"/>'


def _draw_y_axis(ticks: Iterable[tuple[float, str]]) -> Iterable[str]:
    """Yield the SVG of a line and a label for each tick: (place in pixels, text)."""
    for at, label in ticks:
        yield _draw_rule("grid", at) + _text(_LEFT - 6, at + 4, label, "end")


def _draw_dollar_axis(up: _Axis) -> Iterable[str]:
    return _draw_y_axis((up.to_pixels(cents), show_dollars(cents)) for cents in up.ticks(6))


def _draw_share_axis(up: _Axis) -> Iterable[str]:
    percents = _Axis(0, up.high * 100, 0, 1).ticks(5)
    return _draw_y_axis((up.to_pixels(percent / 100), f"{percent:.4g}%") for percent in percents)


def _draw_x_axis(
    across: _Axis, words: str, show: Callable[[float], str] = "{:,.0f}".format
) -> Iterable[str]:
    for value in across.ticks(8):
        yield _text(across.to_pixels(value), _HEIGHT - _BOTTOM + 19, show(value), "middle")
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, words, "middle")


def _points(across: Sequence[float], up: Sequence[float]) -> str:
    return " ".join(f"{x},{y}" for x, y in zip(across, up, strict=True))


def _polygon(kind: str, rolls: Sequence[float], low: Sequence[float], high: Sequence[float]) -> str:
    there, back = _points(rolls, low), _points(rolls[::-1], high[::-1])
    return f'<polygon class="{kind}" points="{there} {back}"/>'


def _polyline(kind: str, rolls: Sequence[float], up: Sequence[float]) -> str:
    return f'<polyline class="{kind}" points="{_points(rolls, up)}"/>'


def _text(across: float, up: float, words: str, anchor: str) -> str:
    return f'<text x="{across:.1f}" y="{up:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _wrap_svg(title: str, parts: Iterable[str], high: int = _HEIGHT) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {high}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
