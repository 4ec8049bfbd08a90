"""The picture of a comparison: every pair has a panel with its lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.lab.charts.compare import make_comparison_figure, save_comparison
from passline.lab.compare import compare


@pytest.mark.parametrize("trials", [None, 64])
def test_each_pair_has_its_lead(tmp_path: Path, trials: int | None) -> None:
    found = compare("new-jersey", ["pass", "dont-pass", "field"], 4, trials=trials, seed=trials)
    figure = make_comparison_figure(found)
    wins, *leads = figure.axes
    assert [label.get_text() for label in wins.get_yticklabels()] == ["pass", "dont-pass", "field"]
    assert [axes.get_title(loc="left") for axes in leads] == [
        "pass over dont-pass",
        "pass over field",
        "dont-pass over field",
    ]
    assert all(axes.patches for axes in leads)
    for axes, pair in zip(leads, found.pairs, strict=True):
        assert f"ahead {float(pair.ahead):.1%}" in axes.get_xlabel()
    save_comparison(tmp_path / "lead.svg", found)
    assert (tmp_path / "lead.svg").stat().st_size > 5_000


def test_strategies_that_never_differ() -> None:
    """One that never bets is level with itself: one bar, and no warning."""
    found = compare("new-jersey", [lambda _: [], lambda _: []], 3)
    assert len(make_comparison_figure(found).axes) == 2
