"""The picture of simulated rolls: means, errors, and the exact value beside them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from matplotlib.axes import Axes

from passline.lab.charts.figure_file import ChartError
from passline.lab.charts.simulation import make_simulation_figure, save_simulation


class Run(NamedTuple):
    """A run as the picture wants it."""

    rolls: int = 1_000_000
    mean_per_roll: float = -4.0
    sd_per_roll: float = 546.0
    standard_error: float | None = 0.5
    exact_mean_per_roll: Fraction | float | None = Fraction(-5)


def words(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_mean_error_and_exact_value_are_told() -> None:
    left, right = make_simulation_figure([("pass", Run())], "New Jersey").axes
    assert words(left) == ["-4.00¢, exact -5.00¢, sd 546"]
    assert words(right) == ["+2.0"]  # one cent, at half a cent a standard error
    assert [label.get_text() for label in left.get_yticklabels()] == ["pass"]
    low, high = sorted(left.containers[0][2][0].get_segments()[0][:, 0])
    assert (low, high) == pytest.approx((-5.0, -3.0))


def test_an_estimate_shows_the_places_it_is_sure_of() -> None:
    sharp = Run(mean_per_roll=-4.19047, standard_error=0.0004, exact_mean_per_roll=-4.1904761)
    assert words(make_simulation_figure([("pass", sharp)]).axes[0]) == [
        "-4.19047¢, exact -4.19048¢, sd 546"
    ]


def test_what_is_not_known_is_not_drawn() -> None:
    open_machine, few = Run(exact_mean_per_roll=None), Run(standard_error=None)
    left, right = make_simulation_figure([("mine", open_machine), ("few", few)]).axes
    assert words(left)[0] == "-4.00¢, sd 546"
    assert words(right) == ["no exact value", "no error to tell it by"]


def test_a_mean_far_off_is_inside_the_picture() -> None:
    right = make_simulation_figure([("wrong", Run(exact_mean_per_roll=-40.0))]).axes[1]
    assert right.get_xlim()[1] > 72


def test_the_method_and_the_rolls_are_said() -> None:
    figure = make_simulation_figure([("pass", Run()), ("field", Run(rolls=5))])
    said = figure.texts[-1].get_text()
    assert said == (
        "simulated, 5 to 1,000,000 rolls each; whiskers are two standard errors to each side"
    )
    alone = make_simulation_figure([("pass", Run(rolls=5))]).texts[-1].get_text()
    assert alone.startswith("simulated, 5 rolls; ")


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save_simulation(tmp_path / name, [("pass", Run()), ("field", Run(mean_per_roll=-50))])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(ChartError, match="1 to 6"):
        save_simulation(tmp_path / "c.svg", [])
    with pytest.raises(ChartError, match=r"\.png or \.svg"):
        save_simulation(tmp_path / "c.jpg", [("pass", Run())])
