"""``passline simulate --plan``: time, money and error of rolls that are not played."""

from __future__ import annotations

import json
import math

import pytest
from click.testing import CliRunner

from passline.cli.simulate import command

WORDS = ("pass-odds", "--rulebook", "new-jersey", "--rolls", "1e15", "--plan")

pytestmark = pytest.mark.usefixtures("loops_compiled")


@pytest.fixture(autouse=True)
def short_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.simulate.SAMPLE_ROLLS", 10**6)


def test_the_figures_go_together() -> None:
    result = CliRunner().invoke(command, [*WORDS, "--cores", "1000", "--price", "0.04", "--json"])
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["rolls"], found["cores"], found["method"]) == (10**15, 1000, "planned")
    assert found["sample_rolls"] == 10**6
    assert found["hours"] == pytest.approx(1e15 / found["rolls_per_second"] / 3600)
    assert found["seconds"] == pytest.approx(found["hours"] * 3.6)
    assert found["cost"] == pytest.approx(found["hours"] * 0.04)
    assert found["error_from"] == "chain"
    assert found["standard_error"] == pytest.approx(found["sd_rate"] / math.sqrt(1e15))
    assert found["sd_rate"] == pytest.approx(1023, rel=0.01)


def test_the_page_says_what_it_is() -> None:
    result = CliRunner().invoke(command, [*WORDS, "--cores", "64", "--price", "$0.04"])
    assert result.exit_code == 0, result.stderr
    assert "1,000,000,000,000,000 rolls planned, none of them played" in result.stdout
    assert "on 64 cores" in result.stdout
    assert "at $0.04 a core-hour" in result.stdout
    assert "exact, from the chain" in result.stdout


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--price", "free"), "--price 'free': expected dollars for an hour"),
        (("--price", "NaN"), "expected dollars for an hour"),
        (("--cores", "0"), "--cores '0': expected a whole number"),
        (("--workers", "2"), "--plan plays nothing: leave out --workers"),
        (("--dask", "a:1"), "--plan plays nothing: leave out --dask"),
    ],
)
def test_what_makes_no_sense_is_one_line(more: tuple[str, ...], why: str) -> None:
    result = CliRunner().invoke(command, [*WORDS, *more])
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_belongs_to_a_plan_needs_one() -> None:
    words = ["pass", "--rulebook", "iowa", "--rolls", "10", "--cores", "5"]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2
    assert "--cores goes with --plan" in result.stderr
