"""Charts in text: what they show, and that they fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from passline.lab.charts import terminal
from passline.lab.charts.bins import find_ceiling, list_shares, make_bins
from passline.lab.sessions.distribution import Distribution, QuantileBand
from passline.lab.sessions.plan_and_result import Plan, Session
from tests.charts.sample_sessions import PLAN, coin, still

RUINED = Plan(bankroll=3_000, rolls=400)


@pytest.mark.parametrize("play", [coin, partial(coin, PLAN), partial(coin, RUINED), still])
@pytest.mark.parametrize("ascii_", [False, True])
@pytest.mark.parametrize(("width", "height"), [(72, 8), (500, 1), (30, 20), (-3, 5)])
def test_they_fit_and_keep_to_their_letters(
    play: Callable[[], Session], ascii_: bool, width: int, height: int
) -> None:
    session = play()
    bars = terminal.draw_histogram(session.final, width, height, ascii=ascii_)
    fan = terminal.draw_fan_text(session.fan, width, height, ascii=ascii_)
    for chart in (bars, fan):
        assert max(map(len, chart.splitlines())) <= min(max(width, 40), 80)
        assert chart.isascii() == ascii_
        assert "$" in chart
        assert chart == "\n".join(line.rstrip() for line in chart.splitlines())


def test_ruin_is_cut_marked_and_told() -> None:
    chart = terminal.draw_histogram(coin(RUINED).final)
    ruin = float(coin(RUINED).ruin)
    assert ruin > 0.7
    assert "▲" in chart.splitlines()[0]
    assert chart.splitlines()[-1].endswith(f"{ruin:.0%}")
    half = chart.splitlines()[4]  # of eight lines: the other bars still reach it
    assert len(half.split("│")[1].strip()) > 1


def test_what_is_rare_is_still_seen() -> None:
    rare = Distribution((0, 100, 200, 300), (400, 400, 1, 300), 1101)
    assert (
        terminal.draw_histogram(rare, 40, 3).splitlines()[2].count("▁") == 4
    )  # a bar is four wide


def test_a_fan() -> None:
    bands = [QuantileBand(0, (500,) * 5), QuantileBand(10, (100, 300, 500, 700, 900))]
    assert terminal.draw_fan_text(bands, 40, 5, ascii=True) == "\n".join(
        (
            " $9|                           :::::::::",
            "   |         :::::::::==================",
            " $5|************************************",
            "   |         :::::::::==================",
            " $1|                           :::::::::",
            "   +------------------------------------",
            "    0                           10 rolls",
            "    : 5-95%  = 25-75%  * median",
        )
    )


def test_means() -> None:
    runs = [
        terminal.SimulatedMean(name="pass", mean=-4.0, error=0.5, exact=-10.0),
        terminal.SimulatedMean("a" * 30, -40.0),
    ]
    chart = terminal.draw_means(runs, 60, ascii=True)
    first, second, line, words, legend = chart.splitlines()
    assert max(len(row) for row in (first, second, line, words)) <= 60
    assert chart.isascii()
    assert first.index("x") < first.index("o") < len(first)
    assert second.split() == ["a" * 19 + "~", "o"]  # no error, no exact value: no more is drawn
    assert words.split() == ["-40", "-21.5", "-3"]
    assert legend.endswith("o simulated, [-] two errors to each side, x exact, * both")
    alone = terminal.draw_means(
        [terminal.SimulatedMean(name="pass", mean=0.0, error=None, exact=0.0)], 40
    )
    assert "◆" in alone.splitlines()[0]
    assert "two errors" not in alone


def test_no_share_is_lost_between_bars() -> None:
    final = coin().final
    bins = make_bins(final, round(final.worths[0]), round(final.worths[-1]), 700)
    assert sum(bins.shares) == pytest.approx(1)
    assert max(bins.shares) == find_ceiling(bins.shares)  # nothing towers over a fair coin
    # Until goal or ruin: what is left between them is no hump.
    assert find_ceiling((0.54, *[1e-13] * 8, 0.46)) == 0.54
    assert sum(list_shares(final)) == pytest.approx(1)


def test_counts_beyond_any_float_are_shared_out() -> None:
    huge = Distribution((0, 100), (36**400, 3 * 36**400), 4 * 36**400)
    assert list_shares(huge) == [0.25, 0.75]
