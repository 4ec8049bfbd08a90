"""Draw the chance of ruin by bankroll with matplotlib: one line for each number of hours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from passline.game.money.amounts import show_dollars
from passline.lab.charts import style
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from passline.lab.bankroll import BankrollResult


def save_ruin_curve(path: str | Path, found: BankrollResult, title: str = "") -> None:
    """Write a picture of the chance of ruin by bankroll as PNG or SVG, by the path's ending.

    Raise ChartError if the picture cannot be drawn or written.
    """
    check_path(path)
    write_figure(make_ruin_figure(found, title), path)


@matplotlib_settings()
def make_ruin_figure(found: BankrollResult, title: str = "") -> Figure:
    """Return a figure of the chance of ruin by bankroll, with the least bankroll marked.

    The chances are on a scale of powers of ten, because the small ones matter.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 5.0))
    axes = figure.add_axes((0.09, 0.12, 0.74, 0.7))
    style.write_heading(figure, title or found.about.strategy, found.headline())
    bankrolls = [row.bankroll for row in found.curve]
    for place, rolls in enumerate(found.checkpoints):
        chances = [row.ruin[place] for row in found.curve]
        axes.plot(
            bankrolls,
            chances,
            label=found.describe_checkpoint(rolls),
            **style.line_style(place, len(bankrolls)),
        )
    axes.axhline(float(found.target), color="0.6", linewidth=0.8)
    axes.axvline(found.least, color="0.6", linewidth=0.8)
    axes.set_xlim(left=0)
    axes.set_yscale("log")
    axes.set_ylim(_find_floor(found), 1.0)
    axes.set_ylabel("chance of ruin")
    axes.set_xlabel("bankroll")
    style.format_axis(axes.xaxis, 8, show_dollars)
    axes.yaxis.set_major_formatter(lambda chance, _: f"{100 * chance:g}%")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    return figure


def _find_floor(found: BankrollResult) -> float:
    """Return the least chance on the axis: 0.01%, or a hundredth of the target if that is less."""
    return min(1e-4, float(found.target) / 100) if found.target else 1e-4
