"""Sessions that count shooters, and a limit for each, against a program that knows no engine."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from passline import View
from passline.cli.main import cli
from passline.lab.machines.machine import Machine
from passline.lab.run_session import rolls_for_shooters, session
from passline.lab.sessions.plan_and_result import Plan, Session
from passline.lab.strategy_machine import machine

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
BET = 10


def outcomes(point: int) -> dict[tuple[int, bool, bool, bool], float]:
    """The chances of (next point, won, over, seven-out) of a throw on this point."""
    found: dict[tuple[int, bool, bool, bool], float] = {}
    for total, ways in WAYS.items():
        won, over = total in (7, 11), total in (2, 3, 7, 11, 12)
        if point:
            won, over = total == point, total in (7, point)
        key = (0 if over else point or total, won, over, bool(point) and total == 7)
        found[key] = found.get(key, 0.0) + ways / 36
    return found


THROWS = {point: outcomes(point) for point in (0, 4, 5, 6, 8, 9, 10)}


def by_hand(bankroll: int, shooters: int, limit: int | None = None) -> dict[str, float]:
    """$10 on the pass line for so many shooters: ruin, mean worth, mean rolls, by throws.

    With a limit, no bet is made that could bring the losses with a shooter above it.
    """
    # The point, whether $10 is up, the worth, the losses with this shooter, the shooters gone.
    here = {(0, False, bankroll, 0, 0): 1.0}
    ruin = mean = rolls = 0.0
    while sum(here.values()) > 1e-12:
        after: dict[tuple[int, bool, int, int, int], float] = {}
        for (point, up, worth, lost, gone), chance in here.items():
            if chance < 1e-20:  # all of these together change no figure by 1e-13
                continue
            wants = not point and (limit is None or lost + BET <= limit)
            if gone == shooters or (wants and worth < BET):
                mean += chance * worth
                ruin += chance * (gone < shooters)
                continue
            rolls += chance
            up = up or wants
            for (new_point, won, over, seven_out), part in THROWS[point].items():
                money = (BET if won else -BET) if up and over else 0
                then = (new_point, up and not over, worth + money)
                if seven_out:
                    key = (*then, 0, gone + 1)
                else:
                    key = (*then, lost - min(money, 0) if limit else 0, gone)
                after[key] = after.get(key, 0.0) + chance * part
        here = after
    return {"ruin": ruin, "mean": mean, "rolls": rolls}


def ten_on_pass(view: View) -> str | None:
    return None if view.puck else "pass for 10"


def play(bankroll: int, shooters: int, limit: int | None = None) -> Session:
    made: Machine = machine(
        "new-jersey", ten_on_pass, shooter_limit=None if limit is None else limit * 100
    )
    plan = Plan(bankroll * 100, rolls_for_shooters(made, shooters), shooters=shooters)
    return session(made, plan)


@pytest.mark.parametrize("limit", [None, 10, 25, 30])
@pytest.mark.parametrize(
    ("bankroll", "shooters"), [(10, 1), (30, 2), pytest.param(45, 3, marks=pytest.mark.long)]
)
def test_so_many_shooters(bankroll: int, shooters: int, limit: int | None) -> None:
    found, hand = play(bankroll, shooters, limit), by_hand(bankroll, shooters, limit)
    assert float(found.ruin) == pytest.approx(hand["ruin"], abs=1e-10)
    assert float(found.final.mean) / 100 == pytest.approx(hand["mean"], abs=1e-8)
    assert float(found.rolls) == pytest.approx(hand["rolls"], abs=1e-8)
    assert found.left is not None
    assert float(found.left) == pytest.approx(1 - hand["ruin"], abs=1e-10)
    assert found.ruined[-1] == pytest.approx(hand["ruin"], abs=1e-10)


def test_never_more_than_the_limit_is_lost_with_a_shooter() -> None:
    found = play(200, 3, 40)
    assert float(found.ruin) == 0
    assert min(found.final.worths) == (200 - 3 * 40) * 100


def test_a_limit_is_kept_by_every_strategy() -> None:
    for name in ("field", "pass-odds"):
        made = machine("new-jersey", name, shooter_limit=6_000)
        plan = Plan(100_000, rolls_for_shooters(made, 1), shooters=1)
        final = session(made, plan).final
        assert min(final.worths) >= 94_000, name
        free = session(machine("new-jersey", name), plan).final
        assert min(free.worths) < 94_000, name


def test_a_limit_may_be_sampled() -> None:
    made = machine("new-jersey", ten_on_pass, shooter_limit=2_000)
    exact = session(made, Plan(10_000, 60))
    sampled = session(made, Plan(10_000, 60), exact=False, trials=20_000, seed=3)
    assert abs(float(sampled.final.mean - exact.final.mean)) < 5 * sampled.errors["mean"]


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["session", *args], prog_name="passline")


NJ = ("pass", "--rulebook", "new-jersey", "--bankroll", "100")


def test_the_command() -> None:
    told = json.loads(run(*NJ, "--shooters", "2", "--exact", "--json").stdout)
    assert told["shooters"] == 2
    assert told["ruin_float"] + told["left_float"] == pytest.approx(1)
    ended = run(*NJ, "--shooters", "2", "--per-shooter", "50", "--exact")
    assert ended.exit_code == 0, ended.stderr
    assert "2 shooters from $100" in ended.stdout
    assert "after the last shooter" in ended.stdout
    assert "$50.00 a shooter" in ended.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--shooters", "2"), "add --exact"),
        (("--shooters", "0", "--exact"), "--shooters"),
        (("--shooters", "2", "--rolls", "9", "--exact"), "use one of"),
        (("--shooters", "2", "--exact", "--short", "reduce"), "leave one of them out"),
        (("--shooters", "2", "--exact", "--extremes"), "leave one of them out"),
        (("--rolls", "2", "--per-shooter", "50", "--short", "reduce"), "leave one of them out"),
        (("--rolls", "2", "--per-shooter", "0"), "--per-shooter"),
    ],
)
def test_what_cannot_be_asked(args: tuple[str, ...], said: str) -> None:
    ended = run(*NJ, *args)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert said in ended.stderr
