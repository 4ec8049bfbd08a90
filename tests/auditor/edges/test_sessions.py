"""Exact sessions, held against the plain enumeration of every run of totals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .engine_json import run_json
from .nights import Night, Throw, crapless, field, pass_line, play

NIGHTS = [
    ("field", field, "new-jersey", Night(3000, 4)),
    ("field", field, "maryland-crapless", Night(1000, 4)),
    ("field", field, "iowa", Night(2000, 3)),
    ("field", field, "section-2", Night(3000, 4, stop_win=1000)),
    ("field", field, "dealer-school", Night(3000, 4, stop_win=2000, stop_loss=2000)),
    ("field", field, "new-jersey", Night(3000, 4, stop_loss=3000)),
    ("field", field, "new-jersey", Night(3500, 4, stop_win=500, stop_loss=1500)),
    ("pass", pass_line, "new-jersey", Night(3000, 4)),
    ("pass", pass_line, "iowa", Night(1000, 4)),
    ("pass", pass_line, "section-2", Night(1500, 4, stop_win=1000)),
    ("pass", pass_line, "dealer-school", Night(3000, 3, stop_win=1000, stop_loss=1000)),
    ("pass", crapless, "maryland-crapless", Night(2000, 4, stop_win=2000)),
]


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _words(strategy: str, book: str, night: Night) -> list[str]:
    words = ["session", strategy, "--rulebook", book, "--exact", "--distribution"]
    words += ["--bankroll", _money(night.bankroll), "--rolls", str(night.rolls)]
    if night.stop_win is not None:
        words += ["--stop-win", _money(night.stop_win)]
    if night.stop_loss is not None:
        words += ["--stop-loss", _money(night.stop_loss)]
    return words


@pytest.mark.parametrize(
    ("strategy", "throw", "book", "night"),
    [pytest.param(*case, id=f"{case[2]}: {case[0]} {tuple(case[3])}") for case in NIGHTS],
)
def test_the_night_goes_as_enumerated(strategy: str, throw: Throw, book: str, night: Night) -> None:
    said, ends = run_json(*_words(strategy, book, night)), play(throw, night)
    assert said["method"] == "exact"
    told = {row["worth"]: Fraction(row["chance"]) for row in said["distribution"]}
    assert told == {_money(worth): chance for worth, chance in ends.worths.items()}
    for name in ("ruin", "goal", "stopped", "rolls"):
        assert Fraction(said[name]) == getattr(ends, name), name
    assert Fraction(said["mean_exact"]) == ends.mean / 100
    assert Fraction(said["mean"]) == round(ends.mean / 100, 2)
    assert said["sd_float"] == pytest.approx(ends.sd / 100, rel=1e-12)
    assert float(said["sd"]) == round(ends.sd / 100, 2)
    found = {int(percent): worth for percent, worth in said["quantiles"].items()}
    assert found == {percent: _money(ends.quantile(percent)) for percent in (5, 25, 50, 75, 95)}
