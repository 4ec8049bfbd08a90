"""Draw the evidence that dice are not fair, roll by roll, and how often each total came."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from passline.lab.charts import style
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from passline.lab.dice_evidence import DiceEvidence

#: A path with more rolls than this is thinned out before it is drawn.
_MAX_POINTS = 4_000


def save_evidence(path: str | Path, found: DiceEvidence) -> None:
    """Write a picture of the evidence as PNG or SVG, by the path's ending.

    On the left is the evidence after each roll, on a scale of powers of ten. On the right is how
    often each total came, beside what fair dice expect. Raise ChartError if the picture cannot be
    drawn or written.
    """
    check_path(path)
    write_figure(make_evidence_figure(found), path)


@matplotlib_settings()
def make_evidence_figure(found: DiceEvidence) -> Figure:
    """Return the picture of ``save_evidence`` as a matplotlib figure, for notebooks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2))
    left, right = figure.subplots(
        1,
        2,
        width_ratios=[1.5, 1],
        gridspec_kw={"left": 0.08, "right": 0.97, "top": 0.84, "bottom": 0.13, "wspace": 0.2},
    )
    _draw_path(left, found)
    _draw_totals(right, found)
    words = "evidence of a sequential test: fair dice ever reach 20 with a chance of 1/20 at most"
    style.write_heading(figure, found.headline(), words)
    return figure


def _draw_path(axes: Axes, found: DiceEvidence) -> None:
    every = max(1, math.ceil(len(found.path) / _MAX_POINTS))
    numbers = list(range(1, len(found.path) + 1, every))
    values = [10 ** min(found.path[number - 1], 300) for number in numbers]
    axes.plot([0, *numbers], [1.0, *values], color="black", linewidth=1.2)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for level in (20, 100):
        axes.axhline(level, color="0.4", linewidth=0.8, linestyle="--")
        axes.annotate(
            f"{level} to 1",
            (0, level),
            xytext=(3, 2),
            textcoords="offset points",
            fontsize=8,
        )
    low = min([0.1, *values])
    axes.set_ylim(max(low / 2, 1e-12), max(300.0, found.most * 3))
    axes.set_xlabel("rolls")
    axes.set_ylabel("evidence against fair dice, to 1")


def _draw_totals(axes: Axes, found: DiceEvidence) -> None:
    names = [each.name for each in found.totals]
    axes.bar(names, [each.count for each in found.totals], color="0.75", width=0.7)
    axes.plot(
        names,
        [each.expected for each in found.totals],
        marker="_",
        markersize=14,
        markeredgewidth=1.6,
        linestyle="",
        color="black",
    )
    axes.set_xticks(names)
    axes.set_xlabel("total: bars are rolls, dashes what fair dice expect")
