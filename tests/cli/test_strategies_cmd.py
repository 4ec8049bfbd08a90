"""``passline strategies``: every built-in with its exact cost, or what it lacks."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from passline.cli.strategies import command
from passline.lab.strategies.built_in import BUILT_IN, summarize_strategy


def run(*args: str) -> Result:
    return CliRunner().invoke(command, args, prog_name="passline strategies")


def test_for_people() -> None:
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "New Jersey regulation 19:47-1: craps"
    assert [line.split()[0] for line in lines[1:-1:2]] == list(BUILT_IN)
    place = lines.index(f"{'field':<18} {summarize_strategy('field')}")
    cost = "-55.5556 cents a roll, -5.5556% of the $10.00 that it needs on average"
    assert lines[place + 1].strip() == cost
    assert "not here: the strategy asked for 'all-small for 10', which is refused" in result.stdout
    assert "as with -o offers.fire=A" in result.stdout


def test_for_scripts() -> None:
    result = run("--rulebook", "new-jersey", "-o", "offers.fire=B", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["rulebook"], found["game"]) == ("new-jersey", "craps")
    rows = {row["name"]: row for row in found["strategies"]}
    assert list(rows) == list(BUILT_IN)
    assert rows["pass"]["exact_mean_per_roll"] == "-7000/1671"
    assert rows["pass"]["summary"] == summarize_strategy("pass")
    assert rows["fire-and-pass"]["states"] == 449
    assert "not a wager of this rulebook" in rows["small-tall-all"]["why_not"]
    assert "exact_mean_per_roll" not in rows["small-tall-all"]


def test_a_strategy_too_large_to_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.machine_report.MAX_SOLVED_STATES", 80)
    shown = run().stdout
    assert "cost not computed: 928 states are too many" in shown


def test_bad_input() -> None:
    result = run("--rulebook", "ohio")
    assert result.exit_code == 2
    assert result.stderr.startswith("passline strategies: there is no rulebook 'ohio'")


def test_help_ends_with_an_example_that_works() -> None:
    example = run("--help").stdout.strip().splitlines()[-1].split()
    assert example[:2] == ["passline", "strategies"]
    assert run(*example[2:]).exit_code == 0
