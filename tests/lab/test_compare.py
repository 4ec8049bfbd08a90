"""Strategies on the same throws: against every throw of a few rolls, one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.lab.compare import compare, comparison_json
from passline.lab.house_shift import PlayerGroup, find_shift_win
from passline.lab.machines.joint_machine import JointTooLarge, join_machines
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import machine

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
    (duel,) = found.pairs
    assert (duel.ahead, duel.tied) == (Fraction(ahead, 36**2), Fraction(level, 36**2))
    assert duel.lead.mean == leads * 100
    assert duel.correlation is not None
    assert -1 < duel.correlation < 0


def test_what_is_up_is_played_out_on_the_same_throws() -> None:
    """A pass line and a don't pass after one roll: the point that decides the one decides the
    other, and the one is ahead as often as it wins. They are level only where a twelve takes the
    line, leaves the don't pass up, and that loses in the end."""
    (duel,) = compare("new-jersey", ["pass", "dont-pass"], 1).pairs
    assert (duel.ahead, duel.open_wagers) == (Fraction(244, 495), "played")
    assert duel.tied == Fraction(1, 36) * Fraction(244, 495) / Fraction(35, 36)
    stakes = compare("new-jersey", ["pass", "dont-pass"], 1, open_wagers="stake").pairs[0]
    assert (stakes.ahead, stakes.tied) == (Fraction(8, 36), Fraction(24, 36))


def test_a_session_alone_is_the_same() -> None:
    """Mean and distribution of one strategy: by session, by compare, and by shift."""
    plan = Plan(bankroll=10**6, rolls=6)
    for how in ("played", "fair", "stake"):
        alone = session(machine("new-jersey", "pass-odds"), plan, open_wagers=how).final
        first = compare("new-jersey", ["pass-odds", "field"], 6, open_wagers=how).contenders[0]
        final = first.session.final
        assert (final.mean, first.session.open_wagers) == (alone.mean - 10**6, how)
        assert [w - 10**6 for w in alone.worths] == list(final.worths)
        shift = find_shift_win("new-jersey", [PlayerGroup("pass-odds")], 6, open_wagers=how)
        assert (shift.open_wagers, shift.method) == (how, "exact")
        assert float(shift.win.mean) == pytest.approx(-float(final.mean))
        assert shift.win.sd == pytest.approx(final.sd)


def test_too_much_to_be_played_out_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lead counts what is up at expectation then, and says so; its mean is the same."""
    whole = compare("new-jersey", ["pass", "place-6-8"], 5)
    monkeypatch.setattr("passline.lab.bets_open_at_end._MAX_JOINT_PLACES", 1)
    found = compare("new-jersey", ["pass", "place-6-8"], 5)
    (duel,) = found.pairs
    assert (duel.open_wagers, duel.correlation) == ("fair", None)
    assert [each.session.open_wagers for each in found.contenders] == ["played"] * 2
    assert duel.lead.mean == whole.pairs[0].lead.mean
    assert comparison_json(found)["pairs"][0]["open"] == "fair"
    args = ["compare", "pass", "place-6-8", "--rulebook", "new-jersey", "--rolls", "5"]
    assert "too many states to play out together" in CliRunner().invoke(cli, args).stdout


def test_odds_cost_nothing() -> None:
    """With them, or without, the line has the same mean after any rolls."""
    found = compare("new-jersey", ["pass", "pass-odds"], 7)
    one, two = (each.session.final.mean for each in found.contenders)
    assert one == two < 0
    (same,) = compare("new-jersey", ["pass", "pass"], 3).pairs
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
    books = CliRunner().invoke(cli, ["compare", "new-jersey", "iowa"])
    assert (books.exit_code, books.stdout) == (2, "")
    assert "use 'passline diff new-jersey iowa'" in books.stderr
    mixed = CliRunner().invoke(cli, ["compare", "pass", "iowa", "--rolls", "9"])
    assert "iowa is a rulebook, not a strategy: name it with --rulebook iowa" in mixed.stderr
    alone = CliRunner().invoke(cli, ["compare", "pass", "--rulebook", "iowa", "--rolls", "9"])
    assert (alone.exit_code, alone.stdout) == (2, "")
