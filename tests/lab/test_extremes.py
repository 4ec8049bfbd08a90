"""Until goal or ruin, and the moments on the way: against gambler's ruin and every throw."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.lab.extremes import find_extremes
from passline.lab.run_session import rolls_until_over, session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import machine


def test_gamblers_ruin() -> None:
    """$20 on the pass line, a unit at a time, to $40 or nothing: the oldest formula there is."""
    made = machine("new-jersey", "pass")
    plan = Plan(bankroll=2000, rolls=1, stop_win=2000)
    rolls = rolls_until_over(made, plan)
    found = session(made, Plan(bankroll=2000, rolls=rolls, stop_win=2000))
    lose = Fraction(251, 244)
    wanted = (1 - lose**2) / (1 - lose**4)
    assert float(found.goal) == pytest.approx(float(wanted), abs=1e-11)
    assert float(found.ruin) == pytest.approx(float(1 - wanted), abs=1e-11)
    with pytest.raises(ValueError, match="set a goal"):
        rolls_until_over(made, Plan(bankroll=2000, rolls=1))


def test_every_throw() -> None:
    """Field bets of $10 from $20, three rolls: highest, lowest, drawdown and ruin, one by one."""
    pays = {2: 20, 12: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10}
    best: dict[int, int] = {}
    ruined = {1: 0, 2: 0, 3: 0}
    falls: dict[int, int] = {}
    for totals in product(range(2, 13), repeat=3):
        weight, worth, high, fall, out = 1, 20, 20, 0, 0
        for roll, total in enumerate(totals, 1):
            weight *= 6 - abs(7 - total)
            if worth >= 10:
                worth += pays.get(total, -10)
                high, fall = max(high, worth), max(fall, max(high, worth) - worth)
                out = roll if worth < 10 else 0
        for level in range(30, high + 1, 10):
            best[level] = best.get(level, 0) + weight
        if out:
            ruined[out] += weight
        falls[fall] = falls.get(fall, 0) + weight
    found = find_extremes(machine("new-jersey", "field"), Plan(bankroll=2000, rolls=3))
    assert {w // 100: round(c * 36**3) for w, c in found.best} == best
    by = dict(found.ruined_by)
    assert by[2] == pytest.approx(ruined[2] / 36**3)
    assert by[3] == pytest.approx((ruined[2] + ruined[3]) / 36**3)
    deep = {at: sum(many for fall, many in falls.items() if fall >= at) for at in (10, 20, 30, 40)}
    assert {fall // 100: round(c * 36**3) for fall, c in found.drawdown} == {
        at: many for at, many in deep.items() if many
    }
    assert found.trials is None
    assert found.mean_rolls_to_ruin == pytest.approx(
        (2 * ruined[2] + 3 * ruined[3]) / (ruined[2] + ruined[3])
    )


def test_the_length_that_99_percent_of_sessions_stay_within(tmp_path: Path) -> None:
    """Any seven for $10 from $50 to $150, without the engine: lose 1 unit or win 4."""
    (tmp_path / "own.py").write_text("def play(view):\n    return 'any-seven for 10'\n", "utf-8")
    playing, over_by = {5: Fraction(1)}, 0
    while sum(playing.values()) * 100 > 1:
        over_by += 1
        after: dict[int, Fraction] = {}
        for worth, chance in playing.items():
            for change, part in ((4, Fraction(1, 6)), (-1, Fraction(5, 6))):
                after[worth + change] = after.get(worth + change, Fraction(0)) + chance * part
        playing = {worth: chance for worth, chance in after.items() if 0 < worth < 15}
    args = ["session", f"{tmp_path}/own.py:play", "--rulebook", "iowa", "--bankroll", "50"]
    args += ["--stop-win", "100", "--until", "goal-or-ruin", "--exact"]
    found = json.loads(CliRunner().invoke(cli, [*args, "--distribution", "--json"]).stdout)
    assert found["over_by"] == over_by
    assert found["arithmetic"] == "doubles"
    assert over_by <= found["fan"][-1]["roll"] < found["rolls_planned"] / 2
    shown = CliRunner().invoke(cli, args).stdout
    assert f"until goal or ruin, 99% within {over_by} rolls, from $50" in shown
    assert f"{found['rolls_planned']:,} rolls" not in shown.splitlines()[0]


def test_a_strategy_that_never_bets_is_never_over(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def never(view):\n    return None\n", "utf-8")
    args = ["session", str(own), "--rulebook", "iowa", "--bankroll", "20", "--stop-win", "20"]
    ended = CliRunner().invoke(cli, [*args, "--until", "goal-or-ruin", "--exact"])
    assert ended.exit_code == 0, ended.stderr
    assert "no session is over: it never reaches the goal or ruin" in ended.stdout


def test_the_command() -> None:
    args = ["session", "pass", "--rulebook", "iowa", "--bankroll", "20", "--stop-win", "20"]
    ended = CliRunner().invoke(
        cli, [*args, "--until", "goal-or-ruin", "--exact", "--extremes", "--json"]
    )
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["until"] == "goal-or-ruin"
    assert found["goal_float"] + found["ruin_float"] == pytest.approx(1)
    assert found["extremes"]["best"][-1]["chance"] == pytest.approx(found["goal_float"], abs=1e-6)
    sampled = CliRunner().invoke(
        cli, [*args, "--until", "goal-or-ruin", "--trials", "500", "--extremes"]
    )
    assert sampled.exit_code == 0
    assert "drawdown" in sampled.stdout
    assert "all sessions are over but 0 of them" in sampled.stdout
    for wrong in ([], ["--rolls", "9", "--until", "goal-or-ruin"]):
        ended = CliRunner().invoke(cli, [*args, *wrong])
        assert (ended.exit_code, ended.stdout) == (2, "")
        assert "use one of" in ended.stderr
