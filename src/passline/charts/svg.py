"""A session drawn for a page: SVG whose looks are the page's own style's.

Told apart without colour: bands by shade, the median by its weight, and everything is in the
tables beside it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from passline.charts.bins import bar_width, ceiling, gather, lattice, span
from passline.charts.marks import apart, reached, short_dollars, show_share
from passline.sessions import PERCENTS, Distribution, Plan, Session

_WIDE, _HIGH = 720, 340
_LEFT, _RIGHT, _TOP, _FOOT = 72, 80, 18, 48
_STEPS = (1, 2, 2.5, 5, 10)
_BARS = 40
#: Pixels that lines of words keep from each other.
_LINE = 19.0


class _Axis:
    """A scale of worths or rolls on the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, high if high > low else low + 1
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self._start + share * (self._end - self._start), 1)

    def ticks(self, most: int) -> list[float]:
        """Round values between the ends, so many at most."""
        least, power = (self.high - self.low) / most, 0.01
        while power * 10 < least:
            power *= 10
        step = next(s * power for s in _STEPS if s * power >= least)
        first = -(-self.low // step) * step
        return [first + n * step for n in range(most + 1) if first + n * step <= self.high]


def fan_svg(session: Session, name: str) -> str:
    """Quantiles of the bankroll over the rolls."""
    fan, plan = session.fan, session.plan
    worths = [worth for band in fan for worth in band.worths]
    marks = [plan.bankroll, *(stop for stop in (plan.goal, plan.floor) if reached(stop))]
    low, high = min(*worths, *map(_sure, marks)), max(*worths, *map(_sure, marks))
    room = max(high - low, 1000) * 0.04
    across = _Axis(0, max(fan[-1].roll, 1), _LEFT, _WIDE - _RIGHT)
    up = _Axis(max(low - room, 0), high + room, _HIGH - _FOOT, _TOP)
    rolls = [across.at(band.roll) for band in fan]
    lines = [[up.at(band.worths[place]) for band in fan] for place in range(len(PERCENTS))]
    parts = [
        *_dollar_axis(up),
        *_roll_axis(across),
        _area("band outer", rolls, lines[0], lines[-1]),
        _area("band inner", rolls, lines[1], lines[-2]),
        *_marks(plan, up),
        _line("median", rolls, lines[2]),
    ]
    ends = [line[-1] for line in lines]
    for percent, place in zip(PERCENTS, apart([-end for end in ends], _LINE), strict=True):
        words = "median" if percent == 50 else f"{percent}%"
        parts.append(_text(_WIDE - _RIGHT + 6, -place + 4, words, "start"))
    return _drawn(f"The bankroll of {name} over the rolls", parts)


def final_svg(session: Session, name: str) -> str:
    """The final bankroll: how likely each is."""
    return worths_svg(session.final, f"The final bankroll of {name}", "final bankroll")


def worths_svg(final: Distribution, title: str, across_words: str) -> str:
    """A distribution of money. Bars that tower over the others are cut, and labelled."""
    low, high = span(final)
    width = bar_width(low, high, lattice(final), _BARS)
    bins = gather(final, low, high, width)
    top = ceiling(bins.shares) * 1.08
    across = _Axis(low, low + width * len(bins.shares), _LEFT, _WIDE - _RIGHT)
    up = _Axis(0, top, _HIGH - _FOOT, _TOP + _LINE)
    parts = [*_share_axis(up), *_worth_axis(across, across_words)]
    for place, share in enumerate(bins.shares):
        if not share:
            continue
        start, end = across.at(low + place * width), across.at(low + (place + 1) * width)
        tall = up.at(min(share, top))
        parts.append(
            f'<rect class="bar" x="{start}" y="{tall}" width="{max(end - start - 1, 0.5):.1f}" '
            f'height="{_HIGH - _FOOT - tall:.1f}"/>'
        )
        if share > top:
            parts.append(_text((start + end) / 2, _TOP + _LINE - 4, show_share(share), "middle"))
    return _drawn(title, parts)


def line_svg(title: str, words: tuple[str, str], points: Sequence[tuple[float, float]]) -> str:
    """A line of shares over a count; ``words``: what is across, and what is up."""
    top = max(share for _, share in points) or 1.0
    across = _Axis(points[0][0], points[-1][0], _LEFT, _WIDE - _RIGHT)
    up = _Axis(0, top, _HIGH - _FOOT, _TOP + _LINE)
    line = [across.at(x) for x, _ in points], [up.at(y) for _, y in points]
    parts = [*_share_axis(up), *_roll_axis(across, words[0]), _line("median", *line)]
    return _drawn(title, [*parts, _text(_LEFT, _TOP, words[1], "start")])


def bars_svg(title: str, words: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Bars to the right, or to the left below nought: a name each, a length and a figure."""
    row, name, figure = 22, 190, 90
    low = min(0.0, *(value for _, value, _ in bars))
    high = max(0.0, *(value for _, value, _ in bars))
    across = _Axis(low, high, name + (figure if low < 0 else 0), _WIDE - figure)
    tall = _TOP + row * len(bars) + row
    parts = [_text(name, _TOP - 4, words, "start")]
    for place, (label, value, shown) in enumerate(bars):
        top = _TOP + 6 + place * row
        start, end = sorted((across.at(0), across.at(value)))
        parts.append(_text(name - 8, top + 13, label, "end"))
        parts.append(
            f'<rect class="bar" x="{start}" y="{top}" width="{max(end - start, 0.5):.1f}" '
            f'height="{row - 6}"/>'
        )
        at, anchor = (start - 4, "end") if value < 0 else (end + 4, "start")
        parts.append(_text(at, top + 13, shown, anchor))
    return _drawn(title, parts, tall)


def _sure(stop: int | None) -> int:
    assert stop is not None
    return stop


def _marks(plan: Plan, up: _Axis) -> Iterable[str]:
    for worth, words in (
        (plan.bankroll, "begins"),
        (plan.goal, "leaves a winner"),
        (plan.floor, "leaves a loser"),
    ):
        if worth is not None and reached(worth):
            at = up.at(worth)
            yield f'<path class="mark" d="M{_LEFT} {at}H{_WIDE - _RIGHT}"/>'
            yield _text(_LEFT + 4, at - 4, words, "start")


def _dollar_axis(up: _Axis) -> Iterable[str]:
    for cents in up.ticks(6):
        yield f'<path class="grid" d="M{_LEFT} {up.at(cents)}H{_WIDE - _RIGHT}"/>'
        yield _text(_LEFT - 6, up.at(cents) + 4, short_dollars(cents), "end")


def _share_axis(up: _Axis) -> Iterable[str]:
    for percent in _Axis(0, up.high * 100, 0, 1).ticks(5):
        at = up.at(percent / 100)
        yield f'<path class="grid" d="M{_LEFT} {at}H{_WIDE - _RIGHT}"/>'
        yield _text(_LEFT - 6, at + 4, f"{percent:.4g}%", "end")


def _roll_axis(across: _Axis, words: str = "rolls") -> Iterable[str]:
    for roll in across.ticks(8):
        yield _text(across.at(roll), _HIGH - _FOOT + 19, f"{roll:,.0f}", "middle")
    yield _text((_LEFT + _WIDE - _RIGHT) / 2, _HIGH - 6, words, "middle")


def _worth_axis(across: _Axis, words: str) -> Iterable[str]:
    for cents in across.ticks(7):
        yield _text(across.at(cents), _HIGH - _FOOT + 19, short_dollars(cents), "middle")
    yield _text((_LEFT + _WIDE - _RIGHT) / 2, _HIGH - 6, words, "middle")


def _points(across: Sequence[float], up: Sequence[float]) -> str:
    return " ".join(f"{x},{y}" for x, y in zip(across, up, strict=True))


def _area(kind: str, rolls: Sequence[float], low: Sequence[float], high: Sequence[float]) -> str:
    there, back = _points(rolls, low), _points(rolls[::-1], high[::-1])
    return f'<polygon class="{kind}" points="{there} {back}"/>'


def _line(kind: str, rolls: Sequence[float], up: Sequence[float]) -> str:
    return f'<polyline class="{kind}" points="{_points(rolls, up)}"/>'


def _text(across: float, up: float, words: str, anchor: str) -> str:
    return f'<text x="{across:.1f}" y="{up:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _drawn(title: str, parts: Iterable[str], high: int = _HIGH) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDE} {high}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
