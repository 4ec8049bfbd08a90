"""The bankroll that a strategy needs, against a program by hand that knows no engine."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import passline
from passline.cli.main import cli
from passline.lab.bankroll import BankrollResult, bankroll
from passline.lab.best_play import find_best_play
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import machine

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def ruin_by_hand(dollars: int, rolls: int, bet: int) -> float:
    """The chance that a pass bet of ``bet`` dollars on every come-out roll is not covered."""
    playing = {(0, dollars): 1.0}
    ruined = 0.0
    for roll in range(rolls + 1):
        after: dict[tuple[int, int], float] = {}
        for (point, worth), chance in playing.items():
            if worth < bet:
                ruined += chance
                continue
            for total, ways in WAYS.items() if roll < rolls else ():
                then, money = point, 0
                if point == 0:
                    money = bet if total in (7, 11) else -bet if total in (2, 3, 12) else 0
                    then = 0 if money else total
                elif total in (point, 7):
                    then, money = 0, bet if total == point else -bet
                key = then, worth + money
                after[key] = after.get(key, 0.0) + chance * ways / 36
        playing = after
    return ruined


def ten_on_pass(view: passline.View) -> str | None:
    return None if view.puck else "pass for 10"


@pytest.mark.parametrize("target", [Fraction(1, 20), Fraction(3, 10), Fraction(0)])
def test_least_bankroll(target: Fraction) -> None:
    found = bankroll("new-jersey", ten_on_pass, rolls=24, ruin=target)
    least = next(d for d in range(10, 1000, 10) if ruin_by_hand(d, 24, 10) <= target)
    assert found.least == least * 100
    assert found.ruin == pytest.approx(ruin_by_hand(least, 24, 10), abs=1e-14)
    assert found.ruin_below == pytest.approx(ruin_by_hand(least - 1, 24, 10), abs=1e-14)


def test_curve_by_bankroll_and_hours() -> None:
    found = passline.bankroll("iowa", ten_on_pass, hours=3, rolls_per_hour=8, ruin=0.1)
    assert found.checkpoints == (8, 16, 24)
    for row in found.curve:
        hand = [ruin_by_hand(row.bankroll // 100, rolls, 10) for rolls in found.checkpoints]
        assert row.ruin == pytest.approx(hand, abs=1e-14)
    assert found.least in [row.bankroll for row in found.curve]


@pytest.mark.parametrize("name", ["pass-odds", "place-6-8", "iron-cross", "pass-martingale"])
def test_ruin_is_that_of_the_session(name: str) -> None:
    """The session runs forward and this backward; at a bankroll between two steps too."""
    found = bankroll("new-jersey", name, rolls=60, ruin=0.2, bankroll=12_300)
    made = machine("new-jersey", name)
    for cents, chance in (
        (found.least, found.ruin),
        (found.below, found.ruin_below),
        (12_300, found.bankroll_ruin),
    ):
        played = session(made, Plan(cents, 60), open_wagers="stake")
        assert chance == pytest.approx(float(played.ruin), abs=1e-9)
    assert found.ruin <= 0.2 < found.ruin_below


def test_a_bankroll_that_is_never_ruined_covers_the_worst_rolls() -> None:
    """400 craps lose $4,000, and the next bet needs $10: doubles call less than that safe."""
    found = bankroll("new-jersey", "pass", rolls=400, ruin=0)
    assert (found.least, found.ruin) == (401_000, 0)
    assert bankroll("new-jersey", "pass", rolls=1, ruin=0).least == 2_000
    assert bankroll("new-jersey", lambda view: [], rolls=9, ruin=0).least == 0


def test_larger_bets_for_a_bankroll() -> None:
    """Three times the bets need three times the bankroll: checked with a strategy that bets $30."""
    one = bankroll("new-jersey", ten_on_pass, rolls=50, ruin=0.1, bankroll=29_900)
    times = one.multiple
    assert times is not None

    def bet(amount: int) -> BankrollResult:
        return bankroll(
            "new-jersey",
            lambda view: None if view.puck else f"pass for {amount}",
            rolls=50,
            ruin=0.1,
            bankroll=29_900,
        )

    fits, too_large = bet(10 * times), bet(10 * times + 10)
    assert fits.bankroll_ruin is not None
    assert too_large.bankroll_ruin is not None
    assert fits.bankroll_ruin <= 0.1 < too_large.bankroll_ruin
    assert bankroll("new-jersey", ten_on_pass, rolls=50, ruin=0.1, bankroll=1000).multiple == 0


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["bankroll", *args], prog_name="passline")


NJ = ("--rulebook", "new-jersey")


def test_the_command(tmp_path: Path) -> None:
    plot = tmp_path / "it.svg"
    ended = run("pass", *NJ, "--hours", "2", "--explain", "--bankroll", "600", "--plot", str(plot))
    assert ended.exit_code == 0, ended.stderr
    told = json.loads(run("pass", *NJ, "--hours", "2", "--json").stdout)
    assert f"${told['least'].removesuffix('.00')}: ruin" in ended.stdout
    assert "more than 5%" in ended.stdout
    assert ", 1 roll\n" in run("pass", *NJ, "--rolls", "1").stdout
    assert "times the bets" in ended.stdout
    assert told["ruin"] <= 0.05 < told["ruin_below"]
    assert told["checkpoints"] == [100, 200]
    assert "chance of ruin" in plot.read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("pass", *NJ, "--ruin", "100"), "0% to less than 100%"),
        (("pass", *NJ, "--ruin", "x"), "--ruin"),
        (("pass", *NJ, "--hours", "2", "--rolls", "2"), "use one of them"),
        (("pass", *NJ, "--bankroll", "0"), "--bankroll"),
        (("it.npz", *NJ), "saved machine"),
        (("pass",), "name a rulebook, such as --rulebook new-jersey"),
    ],
)
def test_what_cannot_be_asked(args: tuple[str, ...], said: str) -> None:
    ended = run(*args)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert said in ended.stderr


def test_a_policy_has_its_own_bankroll() -> None:
    policy = find_best_play("new-jersey", 2000, 1000, menu=["field"]).policy
    with pytest.raises(ValueError, match="its own bankroll"):
        bankroll("new-jersey", policy)


def test_it_lists_and_draws_itself() -> None:
    found = bankroll("new-jersey", ten_on_pass, rolls=24, ruin=0.05)
    assert repr(found).startswith("<BankrollResult: ten_on_pass, 24 rolls: $")
    assert found.records()[0].keys() == {"bankroll", "24 rolls"}
    assert "<polyline" in found.draw().svg or "<path" in found.draw().svg
