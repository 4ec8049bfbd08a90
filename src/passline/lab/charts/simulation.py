"""Draw simulated runs with matplotlib: each mean with its standard error, and the exact mean."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from passline.lab.charts import style
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Standard errors to each side. With many rolls they contain the true mean about 95 times in a
#: hundred; with few rolls, or a wager that seldom pays, less often. So the picture calls them
#: errors, not a confidence interval.
_ERRORS_SHOWN = 2.0
_WIDTH, _HEADER_HEIGHT, _FOOTER_HEIGHT, _ROW_HEIGHT = 10.0, 0.7, 0.6, 0.5  # inches
_LABEL_BOX = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}


class SimulatedRun(Protocol):
    """The values of a simulated run that a chart needs. Money is in cents per roll."""

    @property
    def rolls(self) -> int:
        """The number of rolls played."""

    @property
    def mean_per_roll(self) -> float:
        """The mean change of money per roll."""

    @property
    def sd_per_roll(self) -> float:
        """The standard deviation of the change of one roll."""

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean; None if it is not known."""

    @property
    def exact_mean_per_roll(self) -> Fraction | float | None:
        """The exact mean change per roll; None if it is not known."""


NamedRun = tuple[str, SimulatedRun]


def save_simulation(path: str | Path, found: Sequence[NamedRun], title: str = "") -> None:
    """Write a picture of up to six strategies' runs, as PNG or SVG by the path's ending.

    ``found`` has pairs of name and run. On the left is each mean per roll with two standard errors
    to each side, and the exact mean as a diamond. On the right is the distance between the two, in
    standard errors. Raise ChartError if the picture cannot be drawn or written.
    """
    check_path(path)
    write_figure(make_simulation_figure(found, title), path)


@matplotlib_settings()
def make_simulation_figure(found: Sequence[NamedRun], title: str = "") -> Figure:
    """Return the picture of ``save_simulation`` as a matplotlib figure, for notebooks."""
    from matplotlib.figure import Figure

    style.check_count(found)
    high = _HEADER_HEIGHT + _FOOTER_HEIGHT + _ROW_HEIGHT * (len(found) + 1)
    figure = Figure(figsize=(_WIDTH, high))
    means, apart = figure.subplots(
        1,
        2,
        sharey=True,
        width_ratios=[1.7, 1],
        gridspec_kw={
            "left": 0.19,
            "right": 0.97,
            "top": 1 - _HEADER_HEIGHT / high,
            "bottom": _FOOTER_HEIGHT / high,
            "wspace": 0.08,
        },
    )
    _draw_means(means, found)
    _draw_deviations(apart, found)
    counts = sorted({run.rolls for _, run in found})
    rolls = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    each = " each" if len(found) > 1 else ""
    words = f"simulated, {rolls} rolls{each}; whiskers are two standard errors to each side"
    style.write_heading(figure, title or ", ".join(name for name, _ in found), words)
    return figure


def _draw_means(axes: Axes, found: Sequence[NamedRun]) -> None:
    for row, (_, run) in enumerate(found):
        exact = run.exact_mean_per_roll
        error = run.standard_error
        if exact is not None:
            axes.plot(
                [float(exact)], [row], marker="D", markersize=9, color="0.5", fillstyle="none"
            )
        whisker = None if error is None else [_ERRORS_SHOWN * error]
        axes.errorbar(
            [run.mean_per_roll],
            [row],
            xerr=whisker,
            fmt="o",
            color="black",
            markersize=4,
            capsize=4,
        )
        words = _show_cents(run.mean_per_roll, error)
        words += "" if exact is None else f", exact {_show_cents(float(exact), error)}"
        axes.annotate(
            f"{words}, sd {run.sd_per_roll:,.0f}",
            (run.mean_per_roll, row),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            bbox=_LABEL_BOX,
        )
    axes.axvline(0, color="black", linewidth=0.6, linestyle=":")
    axes.set_ylim(len(found) - 0.5, -0.7)
    axes.set_yticks(range(len(found)), [style.shorten(name, 24) for name, _ in found])
    axes.margins(x=0.4)
    axes.set_xlabel("mean per roll in cents: ● simulated, ◇ exact")


def _show_cents(mean: float, error: float | None) -> str:
    """Return a mean in cents as text, with as many decimals as its standard error justifies.

    >>> _show_cents(-14.1414, 0.02), _show_cents(-14.1414, None)
    ('-14.141¢', '-14.14¢')
    """
    places = 2
    while error and places < 6 and error * 10 ** (places - 1) < 1:
        places += 1
    return f"{mean:,.{places}f}¢"


def _draw_deviations(axes: Axes, found: Sequence[NamedRun]) -> None:
    """Draw the distance of each mean from the exact mean, in standard errors."""
    axes.axvspan(-_ERRORS_SHOWN, _ERRORS_SHOWN, color="0.9", linewidth=0)
    axes.axvline(0, color="black", linewidth=0.6, linestyle=":")
    widest = 3.0
    for row, (_, run) in enumerate(found):
        exact, error = run.exact_mean_per_roll, run.standard_error
        if exact is None or not error:
            words = "no exact value" if exact is None else "no error to tell it by"
            axes.text(0, row, words, ha="center", va="center", fontsize=8)
            continue
        away = (run.mean_per_roll - float(exact)) / error
        widest = max(widest, abs(away) * 1.2)
        axes.plot([0, away], [row, row], color="0.4", linewidth=1)
        axes.plot([away], [row], marker="o", markersize=4, color="black")
        axes.annotate(
            f"{away:+.1f}" if abs(away) >= 0.05 else "0.0",
            (away, row),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
        )
    axes.set_xlim(-widest, widest)
    axes.tick_params(left=False, labelleft=False)
    axes.set_xlabel("from exact, in standard errors (gray: two)")
