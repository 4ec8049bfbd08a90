"""The picture of sessions: what stands in it, and that it is always the same."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from msgspec.structs import replace

from passline.lab.charts.figure_file import ChartError
from passline.lab.charts.sessions import make_session_figure, save_sessions
from passline.lab.charts.style import make_heading
from passline.lab.machines.origin import MachineOrigin
from passline.lab.sessions.plan_and_result import Plan
from tests.charts.sample_sessions import PLAN, coin, simulated, still


def texts(figure: Figure) -> set[str]:
    """Everything that is written in a figure."""
    figure.draw_without_rendering()
    return {text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)}


@pytest.mark.parametrize("ending", ["png", "svg", "PNG"])
def test_the_same_sessions_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    save_sessions(first, [("coin", coin())], "A coin")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):  # a user's own taste
        save_sessions(second, [("coin", coin())], "A coin")
        assert matplotlib.rcParams["font.size"] == 30
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) > 5_000


def test_png_and_svg_are_what_they_say(tmp_path: Path) -> None:
    save_sessions(tmp_path / "a.png", [("coin", coin())])
    save_sessions(str(tmp_path / "a.svg"), [("coin", coin())])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    drawn = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert drawn.tag.endswith("svg")
    assert "date" not in (tmp_path / "a.svg").read_text("utf-8").lower()


def test_no_window_machinery_is_touched(tmp_path: Path) -> None:
    before = "matplotlib.pyplot" in sys.modules
    save_sessions(tmp_path / "a.png", [("coin", coin())])
    assert ("matplotlib.pyplot" in sys.modules) == before


def test_what_is_written_in_it() -> None:
    written = texts(make_session_figure([("coin", coin(PLAN))], "New Jersey: a coin"))
    assert {"New Jersey: a coin", "coin", "rolls", "bankroll"} <= written
    assert "60 rolls from $100, leaving at $200 or $20 · exact" in written
    assert {"95%", "75%", "median", "25%", "5%", "$100", "$200"} <= written
    assert {"leaves at $200", "leaves at $20"} <= written
    ends = next(words for words in written if words.startswith("mean"))
    goal, stopped = (f"{float(share):.1%}" for share in (coin(PLAN).goal, coin(PLAN).stopped))
    assert ends == f"mean $100, ruin 0%, goal {goal}, stopped {stopped}"
    assert "time to ruin" not in written  # nobody is ruined: no empty panel says so
    assert "time to ruin" in texts(make_session_figure([("coin", coin())]))


def test_how_the_numbers_were_come_by_is_said() -> None:
    both = make_session_figure([("coin", coin()), ("sampled", simulated())])
    assert "60 rolls from $100 · exact and simulated, 5,000 sessions each" in texts(both)
    assert [axes.get_xlabel() for axes in both.axes[0:4:2]] == ["rolls, exact", "rolls, simulated"]
    plans = [("coin", coin()), ("other", coin(PLAN))]
    assert "exact" in texts(make_session_figure(plans))  # two plans: neither stands for both


@pytest.mark.parametrize("count", range(1, 7))
def test_each_strategy_has_its_fan_and_its_bars(count: int) -> None:
    found = [(f"coin {stake}", coin(stake=stake)) for stake in (500, 1000, 2000, 2500, 4000, 5000)]
    figure = make_session_figure(found[:count])
    assert len(figure.axes) == 2 * count + 1
    fans, bars, ruin = figure.axes[0:-1:2], figure.axes[1:-1:2], figure.axes[-1]
    assert len({axes.get_ylim() for axes in fans + bars}) == 1  # one dollar axis for all
    styles = [(line.get_marker(), str(line.get_linestyle())) for line in ruin.get_lines()]
    assert len(set(styles)) == count
    named = [n.get_text() for n in ruin.findobj(Annotation) if isinstance(n, Annotation)]
    assert [name.rsplit(" ", 1)[0] for name in named] == [name for name, _ in found[:count]]


def test_the_bars_are_the_shares_and_the_hatched_left_at_a_stop() -> None:
    session = coin(PLAN)
    axes = make_session_figure([("coin", session)]).axes[1]
    bars = [bar for bar in axes.patches if isinstance(bar, Rectangle)]
    plain = sum(bar.get_width() for bar in bars if bar.get_facecolor()[0] == 0.6)
    hatched = sum(bar.get_width() for bar in bars if bar.get_hatch())
    assert plain == pytest.approx(1, abs=0.01)
    assert hatched == pytest.approx(float(session.goal + session.stopped))


def test_a_bar_that_towers_is_cut_and_told() -> None:
    session = coin(Plan(bankroll=3_000, rolls=400))  # mostly ruined
    axes = make_session_figure([("coin", session)]).axes[1]
    share = float(session.ruin)
    assert share > 0.7
    assert axes.get_xlim()[1] < share / 2
    assert f" {share:.0%}" in {text.get_text() for text in axes.texts}


def test_a_session_in_which_nothing_happens_is_drawn(tmp_path: Path) -> None:
    save_sessions(tmp_path / "still.svg", [("still", still())])
    assert (tmp_path / "still.svg").exists()


def test_long_names_and_titles_fit(tmp_path: Path) -> None:
    name = "a/very/long/path/to/strategies.py:my_own_way_of_betting"
    written = texts(make_session_figure([(name, coin())] * 3, "title " * 60))
    assert name not in written
    assert max(len(words) for words in written) <= 120


@pytest.mark.parametrize("count", [0, 7])
def test_too_few_and_too_many_are_told(tmp_path: Path, count: int) -> None:
    with pytest.raises(ChartError, match=f"1 to 6 strategies, not {count}"):
        save_sessions(tmp_path / "a.png", [("coin", coin())] * count)
    assert list(tmp_path.iterdir()) == []


def test_a_stop_that_nobody_reaches_is_not_drawn() -> None:
    plan = Plan(bankroll=3_000, rolls=40, stop_loss=8_000)
    written = texts(make_session_figure([("coin", coin(plan))]))
    assert "40 rolls from $30 · exact" in written
    assert not [words for words in written if "leav" in words or "stopped" in words]


def test_one_strategy_is_not_each() -> None:
    assert "60 rolls from $100 · simulated, 5,000 sessions" in texts(
        make_session_figure([("coin", simulated())])
    )


def test_a_heading_says_where_each_was_played() -> None:
    here = MachineOrigin(
        rulebook="iowa", game="craps", house="iowa", elections={}, strategy="pass", version="1"
    )
    assert make_heading([here]) == "iowa craps: pass"
    there = replace(here, rulebook="new-jersey", house="Pier", strategy="field")
    assert make_heading([here, there, replace(here, strategy="it")]) == (
        "iowa craps: pass, it; new-jersey craps at Pier: field"
    )
    many = replace(there, elections={f"limits.min.wager-{n}": "100" for n in range(20)})
    assert make_heading([many]).endswith("…: field")
    assert len(make_heading([many])) < 120
