"""Means by the roll, worked by hand, held against what ``passline simulate`` calls exact."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from .engine_json import run_json
from .long_run import WORKED, fire_and_pass, molly, place_6_8, small_tall_all
from .tables import BOOKS

#: No don't wagers in crapless craps; and its come wagers have more states than a test has time for.
_NOT_THERE = {"dont-pass", "dont-pass-odds", "come-odds"}

CASES = [
    pytest.param(book, name, id=f"{book}: {name}")
    for book in BOOKS
    for name in WORKED
    if book != "maryland-crapless" or name not in _NOT_THERE
]


def _exact(book: str, strategy: str, *options: str) -> Fraction:
    words = ["simulate", strategy, "--rulebook", book, "--rolls", "1000", "--workers", "1"]
    for option in options:
        words += ["-o", option]
    return Fraction(run_json(*words)["exact_mean_per_roll"])


@pytest.mark.parametrize(("book", "strategy"), CASES)
def test_the_mean_by_the_roll_is_as_worked_by_hand(book: str, strategy: str) -> None:
    assert _exact(book, strategy) == WORKED[strategy](book)


@pytest.mark.parametrize("table", ["A", "B"])
def test_fire_beside_the_line(table: str) -> None:
    found = _exact("new-jersey", "fire-and-pass", f"offers.fire={table}")
    assert found == fire_and_pass("new-jersey", table)


#: Machines that take a test too long: what they came to is held by tests/machines/test_states.py.
_LARGE = {
    "come-odds": WORKED["come-odds"]("maryland-crapless"),
    "fire-and-pass": fire_and_pass("maryland-crapless", "A"),
    "small-tall-all": small_tall_all("A"),
}


@pytest.mark.parametrize("strategy", _LARGE)
def test_large_machines_of_crapless_craps(strategy: str) -> None:
    kept = Path(__file__).parents[2] / "machines" / "states.tsv"
    rows = [row.split("\t") for row in kept.read_text("utf-8").splitlines()]
    (mean,) = [row[5] for row in rows if row[:2] == ["maryland-crapless", strategy]]
    assert Fraction(mean) == _LARGE[strategy]


@pytest.mark.parametrize("book", ["iowa", "new-jersey"])
def test_three_point_molly(book: str) -> None:
    assert float(_exact(book, "three-point-molly")) == pytest.approx(molly(book), rel=1e-11)


def test_what_the_hand_says_of_place_6_8() -> None:
    """Written out: a ninth of a dollar on each roll with a point on, 392 of 557 rolls."""
    assert place_6_8("new-jersey") == -Fraction(100, 9) * Fraction(392, 557)
