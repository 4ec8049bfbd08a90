"""Draw a comparison with matplotlib: what each strategy wins, and the lead of each pair."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.game.money.amounts import show_dollars
from passline.lab.charts import style
from passline.lab.charts.bins import choose_bar_width, find_span, find_step, make_bins
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure
from passline.lab.sessions.distribution import Distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from passline.lab.compare import Comparison, PairComparison

_MAX_BARS, _MAX_COLUMNS = 36, 3
#: Inches.
_PANEL_WIDTH, _MIN_WIDTH, _PANEL_HEIGHT, _PANEL_GAP, _ROW_HEIGHT = 3.6, 7.0, 1.9, 0.8, 0.32


def save_comparison(path: str | Path, found: Comparison) -> None:
    """Write the picture of a comparison as PNG or SVG, by the path's ending.

    Raise ChartError if the picture cannot be drawn or written.
    """
    check_path(path)
    write_figure(make_comparison_figure(found), path)


@matplotlib_settings()
def make_comparison_figure(found: Comparison) -> Figure:
    """Return a figure: at the top, quantiles of what each strategy wins; below, a panel per pair.

    The panel of a pair of strategies has the chance of each lead of the first over the second.
    """
    from matplotlib.figure import Figure

    across = min(_MAX_COLUMNS, len(found.pairs))
    down = -(-len(found.pairs) // across)
    wins, leads = _ROW_HEIGHT * (len(found.contenders) + 1), down * (_PANEL_HEIGHT + _PANEL_GAP)
    high, wide = 0.75 + wins + 1.1 + leads, max(_PANEL_WIDTH * across, _MIN_WIDTH)
    figure = Figure(figsize=(wide, high))
    sides = {"left": 1.3 / wide, "right": 0.97}
    above = figure.add_gridspec(1, 1, top=1 - 0.75 / high, bottom=(leads + 1.1) / high, **sides)
    grid = figure.add_gridspec(
        down, across, top=leads / high, bottom=(_PANEL_GAP - 0.25) / high, wspace=0.3,
        hspace=_PANEL_GAP / _PANEL_HEIGHT, **sides,
    )  # fmt: skip
    _draw_wins(figure.add_subplot(above[0]), found)
    for place, pair in enumerate(found.pairs):
        _draw_lead(figure.add_subplot(grid[divmod(place, across)]), pair)
    sampled = f"simulated, {found.trials:,} sequences of throws" if found.trials else "exact"
    title = f"{found.rolls:,} rolls at {found.house.name}, on the same throws"
    style.write_heading(figure, title, f"{sampled}; below, the lead of each pair (hatched: level)")
    return figure


def _draw_wins(axes: Axes, found: Comparison) -> None:
    """Draw for each strategy the quantiles of what it wins: 5 to 95%, 25 to 75%, the median."""
    for place, each in enumerate(found.contenders):
        final = each.session.final
        five, quarter, middle, three, most = (
            float(final.quantile(percent)) for percent in (5, 25, 50, 75, 95)
        )
        axes.barh(place, most - five, left=five, height=0.62, color="0.87", linewidth=0)
        axes.barh(place, three - quarter, left=quarter, height=0.62, color="0.6", linewidth=0)
        axes.plot([middle, middle], [place - 0.31, place + 0.31], color="black", linewidth=1.8)
    axes.axvline(0, color="black", linewidth=0.6, linestyle=":")
    names = [style.shorten(each.name, 20) for each in found.contenders]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.use_sticky_edges = False
    axes.margins(x=0.04)
    style.format_axis(axes.xaxis, 8, show_dollars)
    axes.set_xlabel("won: median, half of all (dark), nine in ten (light)")


def _draw_lead(axes: Axes, pair: PairComparison) -> None:
    """Draw the distribution of one lead; a lead of 0 is hatched."""
    low, high = find_span(pair.lead, 0.002)
    unit = find_step(pair.lead) or 100
    width = choose_bar_width(low, high, unit, _MAX_BARS)
    low -= low % width  # Zero begins a bar.
    parts: list[tuple[Distribution, dict[str, Any]]] = [(pair.lead, {"color": "0.6"})]
    parts.append((_find_level(pair), {"color": "white", "hatch": "/////"}))
    for part, marks in parts:
        bins = make_bins(part, low, high, width)
        starts = [bins.first + place * width for place in range(len(bins.shares))]
        marks |= {"width": width, "align": "edge", "edgecolor": "0.3", "linewidth": 0.4}
        axes.bar(starts, bins.shares, **marks)
    axes.axvline(0, color="black", linewidth=0.6, linestyle=":")
    style.format_axis(axes.xaxis, 5, show_dollars)
    style.format_axis(axes.yaxis, 4, style.show_share)
    first, second = (style.shorten(name, 18) for name in (pair.first, pair.second))
    axes.set_title(f"{first} over {second}", fontsize=8.5, fontweight="bold", pad=4, loc="left")
    behind = 1 - float(pair.ahead) - float(pair.tied)
    ahead, tied, less = map(style.show_share, (float(pair.ahead), float(pair.tied), behind))
    axes.set_xlabel(f"ahead {ahead}, level {tied}, behind {less}", fontsize=8)


def _find_level(pair: PairComparison) -> Distribution:
    """Return the part of the lead's distribution in which both have won the same."""
    worths, weights, whole = pair.lead.worths, pair.lead.weights, pair.lead.whole
    own = tuple(w if worth == 0 else 0 for worth, w in zip(worths, weights, strict=True))
    return Distribution(worths, own, whole)
