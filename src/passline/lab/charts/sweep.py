"""Draw a sweep (a strategy played with many values of its parameters) with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from passline.game.money.amounts import show_dollars
from passline.lab.charts import style
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure
from passline.lab.sweep import CRITERIA, describe_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from passline.lab.sweep import SweepResult

#: The most combinations of the frontier that are named below the picture.
_MAX_NAMED = 12


def save_sweep(path: str | Path, found: SweepResult) -> None:
    """Write the picture of a sweep as PNG or SVG, by the path's ending.

    Raise ChartError if the picture cannot be drawn or written.
    """
    check_path(path)
    write_figure(make_sweep_figure(found), path)


@matplotlib_settings()
def make_sweep_figure(found: SweepResult) -> Figure:
    """Return a figure with a panel for the first criterion against each of the others.

    A dot is a combination of parameters. It is filled if no other beats it, and numbered too if
    there are at most 12 such. With one criterion, the combinations are side by side.
    """
    from matplotlib.figure import Figure

    first, *others = found.against
    named = found.frontier[:_MAX_NAMED]
    panels = max(len(others), 1)
    high = 4.6 + 0.18 * len(named)
    figure = Figure(figsize=(max(4.2 * panels, 6.5), high))
    style.write_heading(figure, f"{found.house.book.id}: {found.strategy}", found.headline())
    bottom = (0.9 + 0.18 * len(named)) / high
    grid = figure.add_gridspec(
        1, panels, left=0.7 / figure.get_figwidth(), right=0.98, bottom=bottom,
        top=1 - 0.75 / high, wspace=0.35,
    )  # fmt: skip
    for place in range(panels):
        _draw_panel(figure.add_subplot(grid[0, place]), found, first, (others or [""])[place])
    words = "\n".join(f"{each.number}: {describe_values(each.values)}" for each in named)
    left = len(found.frontier) - len(named)
    words += f"\nand {left} more" if left else ""
    figure.text(0.5, 0.1 / high, words, ha="center", va="bottom", fontsize=7.5)
    return figure


def _draw_panel(axes: Axes, found: SweepResult, y: str, x: str) -> None:
    """Draw criterion ``y`` against criterion ``x``; if ``x`` is empty, against the combinations."""
    for on_frontier in (False, True):
        own = [each for each in found.combinations if (each.beaten_by is None) == on_frontier]
        xs = [float(each.figures[x]) if x else float(each.number) for each in own]
        ys = [float(each.figures[y]) for each in own]
        face = "black" if on_frontier else "none"
        axes.plot(xs, ys, linestyle="", marker="o", color="0.3", markersize=5, markerfacecolor=face)
        for each, right, up in zip(own, xs, ys, strict=True):
            if on_frontier and len(found.frontier) <= _MAX_NAMED:
                axes.annotate(
                    str(each.number), (right, up), (4, 3), textcoords="offset points", fontsize=7.5
                )
    axes.set_ylabel(y)
    axes.set_xlabel(x or "combination")
    axes.margins(0.1)
    for axis, name in ((axes.yaxis, y), (axes.xaxis, x)):
        if name:
            money = CRITERIA[name].kind == "money"
            figures = [float(each.figures[name]) for each in found.combinations]
            style.format_axis(axis, 5, show_dollars if money else make_share_labels(figures))


def make_share_labels(shares: Sequence[float]) -> Callable[[float], str]:
    """Return a function that writes a share in percent, so that near ones have different labels.

    >>> make_share_labels([0.42825, 0.42847])(0.4283), make_share_labels([0.1, 0.2])(0.15)
    ('42.830%', '15.0%')
    """
    step = 100 * (max(shares) - min(shares)) / 5
    digits = 1 if not step else min(max(1, math.ceil(-math.log10(step))), 9)
    return style.show_share if digits == 1 else lambda share: f"{share:.{digits}%}"
