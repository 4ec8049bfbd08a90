"""Every command that takes a strategy takes one of crapssim's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("crapssim", reason="crapssim is not installed (passline[crapssim])")
pytest.importorskip("numba", reason="machines need passline[lab]")

from passline.cli.main import cli
from tests.crapssim.strategies import SAMPLE

pytestmark = pytest.mark.usefixtures("loops_compiled")

GAME = Path(__file__).parents[1] / "golden" / "dealer-school.craps"
FIELD = "crapssim:BetField(5)"
HOUSE = ("--rulebook", str(SAMPLE))
#: Command → arguments, and a key of its JSON with what it is.
COMMANDS = {
    "machine": ((FIELD, *HOUSE), "exact_mean_per_roll", "-250/9"),
    "simulate": ((FIELD, *HOUSE, "--rolls", "1e5", "--seed", "1"), "exact_mean_per_roll", "-250/9"),
    "session": ((FIELD, *HOUSE, "--bankroll", "20", "--rolls", "4", "--exact"), "method", "exact"),
    "cost": ((FIELD, *HOUSE), "method", "exact"),
    "compare": ((FIELD, "field", *HOUSE, "--rolls", "3"), "method", "exact"),
    "shift": ((f"{FIELD}:2@50", *HOUSE, "--hours", "1", "--trials", "50"), "seats", None),
    "luck": ((str(GAME), "--strategy", FIELD), "strategies", None),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(command: str) -> None:
    args, key, value = COMMANDS[command]
    result = CliRunner().invoke(cli, [command, *args, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    if value is not None:
        assert found[key] == value
    assert "crapssim:BetField(5)" in json.dumps(found)


def test_a_refusal_is_one_line() -> None:
    result = CliRunner().invoke(cli, ["machine", "crapssim:PutWithOdds", *HOUSE])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "it bets $10 Put(6): none of our rulebooks deals that wager" in result.stderr
