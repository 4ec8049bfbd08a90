"""Strategies on the same throws: against every throw of a few rolls, one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.lab import machine
from passline.lab.comparing import compare
from passline.machines.joint import JointTooLarge, join_machines

FIELD = {2: 20, 12: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10}
SEVENS = {7: 40}


def test_every_throw() -> None:
    """Field against any seven, $10 each, two rolls: every fall of the dice by itself."""

    def field(view: object) -> str:
        return "field for 10"

    def sevens(view: object) -> str:
        return "any-seven for 10"

    ahead = level = 0
    leads = Fraction(0)
    for totals in product(range(2, 13), repeat=2):
        weight = (6 - abs(7 - totals[0])) * (6 - abs(7 - totals[1]))
        lead = sum(FIELD.get(t, -10) - SEVENS.get(t, -10) for t in totals)
        ahead, level = ahead + weight * (lead > 0), level + weight * (lead == 0)
        leads += Fraction(lead * weight, 36**2)
    found = compare("new-jersey", [field, sevens], 2)
    (duel,) = found.duels
    assert (duel.ahead, duel.tied) == (Fraction(ahead, 36**2), Fraction(level, 36**2))
    assert duel.lead.mean == leads * 100
    assert duel.correlation is not None
    assert -1 < duel.correlation < 0


def test_what_is_up_counts_at_its_expectation() -> None:
    """Odds cost nothing: with them, or without, the line has the same mean after any rolls."""
    found = compare("new-jersey", ["pass", "pass-odds"], 7)
    one, two = (each.session.final.mean for each in found.contenders)
    assert one == two < 0
    (same,) = compare("new-jersey", ["pass", "pass"], 3).duels
    assert (same.ahead, same.tied, same.lead.mean) == (0, 1, 0)


def test_machines_together() -> None:
    one, two = machine("new-jersey", "pass"), machine("new-jersey", "field")
    joint = join_machines([one, two], [3, -1])
    assert joint.parts[0].tolist() == [0, 0]
    for state, (a, b) in enumerate(joint.parts.tolist()):
        assert (joint.money[state] == 3 * one.money[a].astype(int) - two.money[b]).all()
        assert (
            joint.parts[joint.next[state]] == [*zip(one.next[a], two.next[b], strict=True)]
        ).all()
    with pytest.raises(JointTooLarge):
        join_machines([one, two], [1, 1], most=3)


def test_the_command(tmp_path: Path) -> None:
    args = ["compare", "pass", "dont-pass", "--rulebook", "new-jersey", "--rolls", "12"]
    ended = CliRunner().invoke(cli, [*args, "--json"])
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    (pair,) = found["pairs"]
    chances = [Fraction(pair[key]) for key in ("a_ahead", "tied", "b_ahead")]
    assert sum(chances) == 1
    assert found["strategies"][0]["hold"] == "7/495"
    picture = tmp_path / "both.svg"
    shown = CliRunner().invoke(cli, [*args, "--plot", str(picture)])
    assert shown.exit_code == 0, shown.stderr
    assert "pass ahead of dont-pass" in shown.stdout
    assert picture.read_text("utf-8").startswith("<")
    alone = CliRunner().invoke(cli, ["compare", "pass", "--rulebook", "iowa", "--rolls", "9"])
    assert (alone.exit_code, alone.stdout) == (2, "")
