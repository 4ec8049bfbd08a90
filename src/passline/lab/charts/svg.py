"""A session drawn for a page: SVG whose looks are the page's own style's.

Told apart without colour: bands by shade, the median by its weight, and everything is in the
tables beside it too.

Any result of the lab, drawn as SVG that stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from passline.lab.charts.bins import choose_bar_width, find_ceiling, find_span, find_step, make_bins
from passline.lab.charts.style import (
    is_reachable,
    short_dollars,
    shorten,
    show_share,
    spread_labels,
)
from passline.lab.results import Drawing, LabResult, ResultTable, show_money, show_percent
from passline.lab.sessions.distribution import QUANTILE_PERCENTS, Distribution
from passline.lab.sessions.session import Plan, Session

_WIDTH, _HEIGHT = 720, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 80, 18, 48
_TICK_STEPS = (1, 2, 2.5, 5, 10)
_MAX_BINS = 40
#: Pixels that lines of words keep from each other.
_LINE_SPACING = 19.0


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
        step = next(s * power for s in _TICK_STEPS if s * power >= least)
        first = -(-self.low // step) * step
        return [first + n * step for n in range(most + 1) if first + n * step <= self.high]


def draw_fan(session: Session, name: str) -> str:
    """Quantiles of the bankroll over the rolls."""
    fan, plan = session.fan, session.plan
    worths = [worth for band in fan for worth in band.worths]
    marks = [plan.bankroll, *(stop for stop in (plan.goal, plan.floor) if is_reachable(stop))]
    low, high = min(*worths, *map(_require, marks)), max(*worths, *map(_require, marks))
    room = max(high - low, 1000) * 0.04
    across = _Axis(0, max(fan[-1].roll, 1), _LEFT, _WIDTH - _RIGHT)
    up = _Axis(max(low - room, 0), high + room, _HEIGHT - _BOTTOM, _TOP)
    rolls = [across.at(band.roll) for band in fan]
    lines = [[up.at(band.worths[place]) for band in fan] for place in range(len(QUANTILE_PERCENTS))]
    parts = [
        *_draw_dollar_axis(up),
        *_draw_roll_axis(across),
        _polygon("band outer", rolls, lines[0], lines[-1]),
        _polygon("band inner", rolls, lines[1], lines[-2]),
        *_draw_marks(plan, up),
        _polyline("median", rolls, lines[2]),
    ]
    ends = [line[-1] for line in lines]
    for percent, place in zip(
        QUANTILE_PERCENTS, spread_labels([-end for end in ends], _LINE_SPACING), strict=True
    ):
        words = "median" if percent == 50 else f"{percent}%"
        parts.append(_text(_WIDTH - _RIGHT + 6, -place + 4, words, "start"))
    return _wrap_svg(f"The bankroll of {name} over the rolls", parts)


def draw_final(session: Session, name: str) -> str:
    """The final bankroll: how likely each is."""
    return draw_distribution(session.final, f"The final bankroll of {name}", "final bankroll")


def draw_distribution(final: Distribution, title: str, across_words: str) -> str:
    """A distribution of money. Bars that tower over the others are cut, and labelled."""
    low, high = find_span(final)
    width = choose_bar_width(low, high, find_step(final), _MAX_BINS)
    bins = make_bins(final, low, high, width)
    top = find_ceiling(bins.shares) * 1.08
    across = _Axis(low, low + width * len(bins.shares), _LEFT, _WIDTH - _RIGHT)
    up = _Axis(0, top, _HEIGHT - _BOTTOM, _TOP + _LINE_SPACING)
    parts = [*_draw_share_axis(up), *_draw_worth_axis(across, across_words)]
    for place, share in enumerate(bins.shares):
        if not share:
            continue
        start, end = across.at(low + place * width), across.at(low + (place + 1) * width)
        tall = up.at(min(share, top))
        parts.append(
            f'<rect class="bar" x="{start}" y="{tall}" width="{max(end - start - 1, 0.5):.1f}" '
            f'height="{_HEIGHT - _BOTTOM - tall:.1f}"/>'
        )
        if share > top:
            parts.append(
                _text((start + end) / 2, _TOP + _LINE_SPACING - 4, show_share(share), "middle")
            )
    return _wrap_svg(title, parts)


def draw_line(title: str, words: tuple[str, str], points: Sequence[tuple[float, float]]) -> str:
    """A line of shares over a count; ``words``: what is across, and what is up."""
    top = max(share for _, share in points) or 1.0
    across = _Axis(points[0][0], points[-1][0], _LEFT, _WIDTH - _RIGHT)
    up = _Axis(0, top, _HEIGHT - _BOTTOM, _TOP + _LINE_SPACING)
    line = [across.at(x) for x, _ in points], [up.at(y) for _, y in points]
    parts = [*_draw_share_axis(up), *_draw_roll_axis(across, words[0]), _polyline("median", *line)]
    return _wrap_svg(title, [*parts, _text(_LEFT, _TOP, words[1], "start")])


def draw_bars(title: str, words: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Bars to the right, or to the left below nought: a name each, a length and a figure."""
    row, name, figure = 22, 190, 90
    low = min(0.0, *(value for _, value, _ in bars))
    high = max(0.0, *(value for _, value, _ in bars))
    across = _Axis(low, high, name + (figure if low < 0 else 0), _WIDTH - figure)
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
    return _wrap_svg(title, parts, tall)


def _require(stop: int | None) -> int:
    assert stop is not None
    return stop


def _draw_marks(plan: Plan, up: _Axis) -> Iterable[str]:
    for worth, words in (
        (plan.bankroll, "begins"),
        (plan.goal, "leaves a winner"),
        (plan.floor, "leaves a loser"),
    ):
        if worth is not None and is_reachable(worth):
            at = up.at(worth)
            yield f'<path class="mark" d="M{_LEFT} {at}H{_WIDTH - _RIGHT}"/>'
            yield _text(_LEFT + 4, at - 4, words, "start")


def _draw_dollar_axis(up: _Axis) -> Iterable[str]:
    for cents in up.ticks(6):
        yield f'<path class="grid" d="M{_LEFT} {up.at(cents)}H{_WIDTH - _RIGHT}"/>'
        yield _text(_LEFT - 6, up.at(cents) + 4, short_dollars(cents), "end")


def _draw_share_axis(up: _Axis) -> Iterable[str]:
    for percent in _Axis(0, up.high * 100, 0, 1).ticks(5):
        at = up.at(percent / 100)
        yield f'<path class="grid" d="M{_LEFT} {at}H{_WIDTH - _RIGHT}"/>'
        yield _text(_LEFT - 6, at + 4, f"{percent:.4g}%", "end")


def _draw_roll_axis(across: _Axis, words: str = "rolls") -> Iterable[str]:
    for roll in across.ticks(8):
        yield _text(across.at(roll), _HEIGHT - _BOTTOM + 19, f"{roll:,.0f}", "middle")
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, words, "middle")


def _draw_worth_axis(across: _Axis, words: str) -> Iterable[str]:
    for cents in across.ticks(7):
        yield _text(across.at(cents), _HEIGHT - _BOTTOM + 19, short_dollars(cents), "middle")
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


#: Bars that a picture has at most.
_MAX_RESULT_BARS = 30
#: The looks of a picture that no page's style reaches; light, on any ground.
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


def draw_result(found: LabResult) -> Drawing:
    """Draw a result; ValueError where there is nothing to see."""
    listing, title = found.listed(), found.headline()
    if not listing.up or not listing.records:
        raise ValueError(f"there is nothing to draw of {found!r}")
    if isinstance(found, Session) and len(found.fan) > 1:
        drawn = draw_fan(found, shorten(title, 60))
    else:
        drawn = _draw_table(listing, shorten(title, 120))
    head, _, rest = drawn.replace(_SVG_TAG, _STANDALONE_SVG_TAG, 1).partition(">")
    return Drawing(title, f"{head}><style>{_SVG_STYLE}</style>{rest}")


def _draw_table(listing: ResultTable, title: str) -> str:
    names = list(listing.columns)
    at, of = names.index(listing.across), names.index(listing.up)
    kind = listing.columns[listing.across]
    if listing.line:
        cents = 100 if kind == "money" else 1
        points = [(record[at] / cents, float(record[of])) for record in listing.records]
        return draw_line(title, (listing.across, listing.up), points)
    if kind == "money":
        pairs = sorted((record[at], float(record[of])) for record in listing.records)
        worths, weights = (tuple(column) for column in zip(*pairs, strict=True))
        return draw_distribution(Distribution(worths, weights, 1.0), title, listing.across)
    if kind == "count":
        points = [(float(record[at]), float(record[of])) for record in listing.records]
        return draw_line(title, (listing.across, listing.up), points)
    own = listing.columns[listing.up]
    bars = [
        (shorten(str(record[at]), 26), float(record[of]), _format_value(record[of], own))
        for record in listing.records
        if record[of] is not None
    ]
    shown = listing.up + (f", the first {_MAX_RESULT_BARS}" if len(bars) > _MAX_RESULT_BARS else "")
    return draw_bars(title, shown, bars[:_MAX_RESULT_BARS])


def _format_value(value: Fraction | float, kind: str) -> str:
    if kind == "money":
        return show_money(value)
    return show_percent(value) if kind == "share" else f"{float(value):,.4g}"
