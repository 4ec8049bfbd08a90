"""Draw sessions with matplotlib: bankroll over the rolls, final bankroll, and time to ruin."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from passline.game.money.amounts import show_dollars
from passline.lab.charts import style
from passline.lab.charts.bins import choose_bar_width, find_ceiling, find_span, find_step, make_bins
from passline.lab.charts.figure_file import check_path, matplotlib_settings, write_figure
from passline.lab.sessions.distribution import QUANTILE_PERCENTS, Distribution
from passline.lab.sessions.plan_and_result import Plan, Session

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NamedSession = tuple[str, Session]
_MAX_BARS, _MIN_BARS = 48, 12  # With fewer bars, different strategies would look alike.
_MIN_AXIS_CENTS = 1000  # the shortest dollar axis, in cents
_TRIMMED_SHARE = 0.005  # the share of sessions beyond each end of the dollar axis
_GAP_BY_COLUMNS = {
    1: 0.3,
    2: 0.5,
}  # space between a fan and its bars, for the names of the quantiles
_WIDTH, _RUIN_HEIGHT, _HEADER_HEIGHT = 10.0, 2.5, 0.75  # inches


class _Scale(NamedTuple):
    """The dollar axis, bar width (cents) and bar height that all strategies of a picture share.

    ``top`` is the highest share that a bar shows; longer bars are cut.
    """

    low: int
    high: int
    width: int
    top: float


def save_sessions(path: str | Path, found: Sequence[NamedSession], title: str = "") -> None:
    """Write a picture of up to six strategies' sessions, as PNG or SVG by the path's ending.

    ``found`` has pairs of name and session. Each strategy has a fan of quantiles and a histogram of
    final bankrolls, all on one dollar axis. Below is the share ruined by each roll, one line for
    each strategy, if anybody can be ruined. The picture is readable in black and white. Raise
    ChartError if it cannot be drawn or written.
    """
    check_path(path)
    write_figure(make_session_figure(found, title), path)


@matplotlib_settings()
def make_session_figure(found: Sequence[NamedSession], title: str = "") -> Figure:
    """Return the picture of ``save_sessions`` as a matplotlib figure, for notebooks."""
    from matplotlib.figure import Figure
    from matplotlib.gridspec import GridSpec

    style.check_count(found)
    across = 1 if len(found) <= 2 else 2
    down = -(-len(found) // across)
    each = {1: 3.8, 2: 2.7}.get(down, 2.3)
    ruin_height = _RUIN_HEIGHT if any(any(session.ruined) for _, session in found) else 0.0
    high = _HEADER_HEIGHT + down * each + ruin_height
    figure = Figure(figsize=(_WIDTH, high))
    grid = GridSpec(
        down + bool(ruin_height),
        across,
        figure,
        height_ratios=[each] * down + [ruin_height] * bool(ruin_height),
        left=0.08,
        right=0.955,
        top=1 - _HEADER_HEIGHT / high,
        bottom=0.5 / high,
        hspace=0.32 if down == 1 else 0.42,
        wspace=0.16,
    )
    scale = _make_scale([session for _, session in found])
    for place, (name, session) in enumerate(found):
        row, column = divmod(place, across)
        pair = grid[row, column].subgridspec(
            1, 2, width_ratios=[2.6, 1], wspace=_GAP_BY_COLUMNS[across]
        )
        fan, bars = figure.add_subplot(pair[0]), figure.add_subplot(pair[1])
        _draw_fan(fan, name, session, scale)
        if len({other.method for _, other in found}) > 1:
            fan.set_xlabel(f"rolls, {session.method}")
        _draw_bars(bars, session, scale)
    if ruin_height:
        below = grid[down, :].subgridspec(1, 2, width_ratios=[5, 1], wspace=0)
        _draw_ruin(figure.add_subplot(below[0]), found)
    style.write_heading(figure, title or ", ".join(n for n, _ in found), _describe_method(found))
    return figure


def _describe_plan(session: Session) -> str:
    plan = session.plan
    rolls = f"{plan.rolls:,} rolls" if session.over_by is None else "until goal or ruin"
    words = f"{rolls} from {show_dollars(plan.bankroll)}"
    if plan.goal is not None:
        words += f", leaving at {show_dollars(plan.goal)}"
    if plan.floor is not None and style.is_reachable(plan.floor):
        words += f"{' or' if plan.goal is not None else ', leaving at'} "
        words += show_dollars(plan.floor)
    return words


def _describe_method(found: Sequence[NamedSession]) -> str:
    """Return the caption: the plan if it is the same for all, and whether exact or sampled."""
    words = []
    for session in dict.fromkeys((s.method, s.trials, s.interrupted) for _, s in found):
        method, trials, interrupted = session
        each = " each" if len(found) > 1 else ""
        text = method if method == "exact" else f"simulated, {trials or 0:,} sessions{each}"
        words.append(text + (", interrupted" if interrupted else ""))
    plans = list(dict.fromkeys(session.plan for _, session in found))
    shared = f"{_describe_plan(found[0][1])} · " if len(plans) == 1 else ""
    return shared + " and ".join(words)


def _make_scale(sessions: Sequence[Session]) -> _Scale:
    spans = [find_span(session.final, _TRIMMED_SHARE) for session in sessions]
    lows = [low for low, _ in spans] + [b.worths[0] for s in sessions for b in s.fan]
    highs = [high for _, high in spans] + [b.worths[-1] for s in sessions for b in s.fan]
    low, high = min(lows), max(highs)
    if high - low < _MIN_AXIS_CENTS:
        low, high = max(low - _MIN_AXIS_CENTS, 0), high + _MIN_AXIS_CENTS
    unit = lcm(100, *(find_step(session.final) or 1 for session in sessions))
    common = unit if len(sessions) == 1 or unit * _MIN_BARS <= high - low else 0
    width = choose_bar_width(low, high, common, _MAX_BARS)
    tops = [find_ceiling(make_bins(s.final, low, high, width).shares) for s in sessions]
    return _Scale(low=low, high=high, width=width, top=max(tops))


def _draw_fan(axes: Axes, name: str, session: Session, scale: _Scale) -> None:
    rolls = [band.roll for band in session.fan]
    five, quarter, middle, three, most = zip(*(band.worths for band in session.fan), strict=True)
    axes.fill_between(rolls, five, most, color="0.87", linewidth=0)
    axes.fill_between(rolls, quarter, three, color="0.68", linewidth=0)
    for edge in (five, most):
        axes.plot(rolls, edge, color="0.45", linewidth=0.7, linestyle=(0, (4, 2)))
    for edge in (quarter, three):
        axes.plot(rolls, edge, color="0.35", linewidth=0.7)
    axes.plot(rolls, middle, color="black", linewidth=1.8)
    _draw_stops(axes, session.plan)
    _set_dollar_axis(axes, scale)
    axes.set_xlim(0, max(rolls[-1], 1))
    axes.set_xlabel("rolls")
    axes.set_ylabel("bankroll")
    axes.set_title(style.shorten(name, 24), loc="left", fontsize=10, fontweight="bold", pad=5)
    gap = (scale.high - scale.low) * 0.075
    ends = [float(worth) for worth in session.fan[-1].worths]
    words = [f"{'median' if p == 50 else f'{p}%'}" for p in QUANTILE_PERCENTS]
    style.label_ends(axes, rolls[-1], ends, words, gap)


def _draw_stops(axes: Axes, plan: Plan, named: float = 0) -> None:
    """Draw lines at the starting bankroll and at the bankrolls at which the player leaves.

    The lines of the latter get labels at x position ``named``, unless that is 0.
    """
    axes.axhline(plan.bankroll, color="black", linewidth=0.6, linestyle=":")
    for stop, side in ((plan.goal, "top"), (plan.floor, "bottom")):
        if stop is None or not style.is_reachable(stop):
            continue
        axes.axhline(stop, color="black", linewidth=0.8, linestyle="-.")
        if named:
            offset = (0, -3 if side == "top" else 3)
            axes.annotate(
                f"leaves at {show_dollars(stop)}",
                (named, stop),
                xytext=offset,
                textcoords="offset points",
                ha="right",
                va=side,
                fontsize=7,
            )


def _set_dollar_axis(axes: Axes, scale: _Scale) -> None:
    room = (scale.high - scale.low + scale.width) * 0.04
    axes.set_ylim(scale.low - room, scale.high + scale.width + room)
    style.format_axis(axes.yaxis, 6, show_dollars)


def _draw_bars(axes: Axes, session: Session, scale: _Scale) -> None:
    """Draw the final bankrolls; a high bar is cut. Hatched: left at the win or loss limit."""
    limit = scale.top * 1.06
    bar: dict[str, Any] = {"height": scale.width, "align": "edge", "linewidth": 0.4}
    for place, share in _list_bars(session.final, scale):
        axes.barh(place, share, color="0.6", edgecolor="0.3", **bar)
        if share > limit:
            axes.barh(place, limit * 0.03, left=limit * 0.9, color="white", zorder=3, **bar)
            axes.text(limit, place + scale.width / 2, f" {share:.0%}", va="center", fontsize=7)
    for place, share in _list_bars(_stopped_distribution(session), scale):
        axes.barh(place, share, color="white", edgecolor="black", hatch="/////", **bar)
    _draw_stops(axes, session.plan, named=limit)
    _set_dollar_axis(axes, scale)
    axes.set_xlim(0, limit)
    axes.tick_params(labelleft=False)
    style.format_axis(axes.xaxis, 3, _show_tick)
    axes.set_xlabel(f"share, each {show_dollars(scale.width)}")
    axes.set_title(_describe_ends(session), loc="right", fontsize=8, pad=5)


def _list_bars(found: Distribution, scale: _Scale) -> list[tuple[int, float]]:
    """Return (start in cents, share) of each bar that is not empty."""
    bins = make_bins(found, scale.low, scale.high, scale.width)
    starts = (bins.first + bar * bins.width for bar in range(len(bins.shares)))
    return [(start, share) for start, share in zip(starts, bins.shares, strict=True) if share]


def _stopped_distribution(session: Session) -> Distribution:
    """Return the final bankrolls of only those sessions that left at a win or loss limit."""
    goal, floor, final = session.plan.goal, session.plan.floor, session.final
    weights = [
        weight
        if (goal is not None and worth >= goal) or (floor is not None and worth <= floor)
        else 0
        for worth, weight in zip(final.worths, final.weights, strict=True)
    ]
    return Distribution(final.worths, tuple(weights), final.whole)


def _show_tick(share: float) -> str:
    return f"{100 * share:.4g}%"


def _describe_ends(session: Session) -> str:
    """Return in words the mean, and the chances of ruin and of leaving at each limit.

    The limits are the goal and the loss limit, where the plan sets them.
    """
    words = [f"mean {show_dollars(round(float(session.final.mean), -2))}"]
    words.append(f"ruin {style.show_share(float(session.ruin))}")
    if session.plan.goal is not None:
        words.append(f"goal {style.show_share(float(session.goal))}")
    if style.is_reachable(session.plan.floor):
        words.append(f"stopped {style.show_share(float(session.stopped))}")
    return ", ".join(words)


def _draw_ruin(axes: Axes, found: Sequence[NamedSession]) -> None:
    last = max(1, *(session.fan[-1].roll for _, session in found))
    top = max(share for _, session in found for share in session.ruined)
    axes.set_xlim(0, last)
    axes.set_ylim(0, top * 1.08)
    style.format_axis(axes.yaxis, 5, _show_tick)
    axes.set_xlabel("rolls")
    axes.set_ylabel("ruined so far")
    axes.set_title("time to ruin", loc="left", fontsize=10, fontweight="bold", pad=5)
    for place, (_, session) in enumerate(found):
        rolls = [band.roll for band in session.fan]
        axes.plot(rolls, session.ruined, **style.line_style(place, len(rolls)))
    ends = [session.ruined[-1] for _, session in found]
    words = [
        f"{style.shorten(name, 20)} {style.show_share(end)}"
        for (name, _), end in zip(found, ends, strict=True)
    ]
    style.label_ends(axes, last, ends, words, top * 0.1)
