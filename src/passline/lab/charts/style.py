"""Helpers for charts, mostly matplotlib's: lines without color, dollar axes, separated labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from passline.lab.charts.figure_file import ChartError
from passline.lab.machines.origin import MachineOrigin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Lines differ by dashes, markers and shade, so they need no color.
LINE_STYLES: tuple[dict[str, Any], ...] = (
    {"linestyle": "-", "marker": "o", "color": "black"},
    {"linestyle": (0, (6, 2)), "marker": "s", "color": "0.25"},
    {"linestyle": (0, (1.5, 1.5)), "marker": "^", "color": "black"},
    {"linestyle": (0, (6, 2, 1.5, 2)), "marker": "D", "color": "0.35"},
    {"linestyle": "-", "marker": "x", "color": "0.5"},
    {"linestyle": (0, (10, 3)), "marker": "v", "color": "0.1"},
)
MAX_STRATEGIES = len(LINE_STYLES)


def check_count(found: Sequence[object]) -> None:
    """Raise ChartError unless the number of things to draw is from 1 to MAX_STRATEGIES."""
    if not 1 <= len(found) <= MAX_STRATEGIES:
        raise ChartError(f"a picture shows 1 to {MAX_STRATEGIES} strategies, not {len(found)}")


def line_style(place: int, points: int) -> dict[str, Any]:
    """Return matplotlib's line settings for strategy number ``place`` (from 0).

    ``points`` is the number of points of the line. Different strategies have their markers at
    different points, so that they do not overlap.
    """
    every = max(points // 6, 1)
    start = place * every // MAX_STRATEGIES
    return {**LINE_STYLES[place], "markersize": 4, "linewidth": 1.4, "markevery": (start, every)}


def format_axis(axis: Any, most: int, show: Callable[[float], str]) -> None:
    """Label at most ``most`` round values of an axis; ``show`` returns the text for a value."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    # These steps in cents are round numbers of dollars.
    axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))


def write_heading(figure: Figure, title: str, words: str) -> None:
    """Write the title of a figure, shortened if it is long, and a line of words below it."""
    title, high = shorten(title, 120), figure.get_figheight()
    figure.suptitle(title, fontsize=min(12, 1000 / len(title)), y=1 - 0.12 / high, va="top")
    figure.text(0.5, 1 - 0.37 / high, words, ha="center", va="top", fontsize=8.5)


def shorten(words: str, most: int) -> str:
    """Return text of at most ``most`` characters, with the end cut off if necessary.

    >>> shorten("pass-odds", 20), shorten("strategies.py:my_own_way", 20)
    ('pass-odds', 'strategies.py:my_ow…')
    """
    words = " ".join(words.split())
    return words if len(words) <= most else words[: most - 1] + "…"


def make_heading(abouts: Sequence[MachineOrigin]) -> str:
    """Return a title with the rules first and then the strategies that were played.

    >>> night = {"odds.multiple": "10"}
    >>> make_heading([MachineOrigin("iowa", "craps", "Riverboat", night, name, "1") for name in ("pass", "it")])
    'iowa craps at Riverboat, odds.multiple = 10: pass, it'
    """  # noqa: E501
    places: dict[str, list[str]] = {}
    for about in abouts:
        house = "" if about.house in ("", about.rulebook) else f" at {about.house}"
        elected = "".join(f", {key} = {value}" for key, value in sorted(about.elections.items()))
        place = shorten(f"{about.rulebook} {about.game}{house}{elected}", 90)
        places.setdefault(place, []).append(about.strategy)
    return "; ".join(f"{place}: {', '.join(names)}" for place, names in places.items())


def is_reachable(stop: int | None) -> bool:
    """Return whether a player's win or loss limit (cents) is set and not below 0."""
    return stop is not None and stop >= 0


def show_share(share: float) -> str:
    """Return a share in percent as a short label.

    >>> show_share(0.3798), show_share(0.0000052), show_share(0.0), show_share(1.0)
    ('38.0%', 'under 0.1%', '0%', '100%')
    """
    if 0 < share < 0.001:
        return "under 0.1%"
    return f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"


def spread_labels(wanted: Sequence[float], least: float) -> list[float]:
    """Return positions near the wanted ones, in the same order, at least ``least`` apart.

    >>> spread_labels([1.0, 1.0, 5.0], 1.0)
    [0.5, 1.5, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    groups: list[list[int]] = []
    for place in order:
        groups.append([place])
        while len(groups) > 1:
            below, here = (_group_low(group, wanted, least) for group in groups[-2:])
            if below + least * len(groups[-2]) <= here:
                break
            groups[-2:] = [groups[-2] + groups[-1]]
    found = [0.0] * len(wanted)
    for group in groups:
        low = _group_low(group, wanted, least)
        for step, place in enumerate(group):
            found[place] = low + (step + 0.5) * least
    return found


def _group_low(group: Sequence[int], wanted: Sequence[float], least: float) -> float:
    middle = sum(wanted[place] for place in group) / len(group)
    return middle - least * len(group) / 2


def label_ends(
    axes: Axes, at: float, ends: Sequence[float], words: Sequence[str], least: float
) -> None:
    """Label lines at their right ends. Keep the labels apart and connect each to its line.

    Line i ends at x position ``at`` and height ``ends[i]``, and gets the text ``words[i]``. Labels
    are at least ``least`` apart.
    """
    for end, place, word in zip(ends, spread_labels(ends, least), words, strict=True):
        axes.annotate(
            word,
            (at, end),
            xytext=(14, place),
            textcoords=("offset points", "data"),
            va="center",
            fontsize=8,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": "0.6", "linewidth": 0.6, "shrinkB": 1},
        )
