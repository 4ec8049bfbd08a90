"""A sweep of a strategy's parameters, against a program by hand that knows no engine."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import passline
import passline.lab.sweep as sweep_module
from passline.cli.main import cli
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import machine
from passline.lab.sweep import SweepResult, sweep

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
BANKROLL, ROLLS = 60, 16


def throw(point: int, total: int, bet: int) -> tuple[int, int]:
    """The point after a throw, and what a pass bet wins."""
    if point == 0:
        money = bet if total in (7, 11) else -bet if total in (2, 3, 12) else 0
        return (0 if money else total), money
    if total in (point, 7):
        return 0, bet if total == point else -bet
    return point, 0


def by_hand(bet: int, stop_win: int | None, rolls: int = ROLLS) -> dict[str, Any]:
    """The figures of a pass bet of ``bet`` dollars: bets up play on after the last roll.

    Chances are whole numbers of ``whole``, which the rolls and the 9, 10 or 11 ways of a point and
    a seven divide.
    """
    whole = 36**rolls * 990
    playing = {(0, BANKROLL, BANKROLL, 0): whole}
    mean = ruin = goal = ahead = 0
    falls: dict[int, int] = defaultdict(int)
    for roll in range(rolls + 1):
        after: dict[tuple[int, int, int, int], int] = defaultdict(int)
        for (point, worth, peak, fall), chance in playing.items():
            won = stop_win is not None and worth >= BANKROLL + stop_win
            short = not won and worth < bet
            if won or short or roll == rolls:
                goal, ruin = goal + chance * won, ruin + chance * short
                falls[fall] += chance
                makes = chance * WAYS[point] // (WAYS[point] + 6) if point else 0
                ends = ((bet, makes), (-bet, chance - makes)) if point else ((0, chance),)
                for money, part in ends:
                    mean += part * (worth + money - BANKROLL)
                    ahead += part * (worth + money > BANKROLL)
                continue
            for total, ways in WAYS.items():
                then, money = throw(point, total, bet)
                now = worth + money
                high = max(peak, now)
                after[then, now, high, max(fall, high - now)] += chance * ways // 36
        playing = after
    fall = max(d for d in falls if 10 * sum(c for f, c in falls.items() if f >= d) >= whole)
    return {
        "mean": Fraction(100 * mean, whole),
        "ruin": Fraction(ruin, whole),
        "drawdown": 100 * fall,
        "goal": Fraction(goal, whole),
        "ahead": Fraction(ahead, whole),
    }


def on_pass(view: passline.View, unit: int = 10) -> str | None:
    return None if view.puck else f"pass for {unit}"


UNITS, STOPS = (5, 10, 30), (None, 20)
CRITERIA = ("mean", "ruin", "drawdown", "goal", "ahead")


def sweep_pass(**more: Any) -> SweepResult:
    vary = {"unit": UNITS, "stop_win": [None if s is None else 100 * s for s in STOPS]}
    options: dict[str, Any] = {
        "against": CRITERIA,
        "bankroll": 100 * BANKROLL,
        "rolls": ROLLS,
    } | more
    return sweep("new-jersey", on_pass, vary=vary, **options)


def test_figures_and_frontier() -> None:
    found = sweep_pass()
    hand = [by_hand(unit, stop) for unit in UNITS for stop in STOPS]
    assert found.method == "exact"
    assert found.trials is None
    for each, figures in zip(found.combinations, hand, strict=True):
        for name in CRITERIA:
            assert float(each.figures[name]) == pytest.approx(float(figures[name]), abs=1e-9), name

    def is_beaten(one: dict[str, Any]) -> bool:
        better = [
            [one[name] * sign <= other[name] * sign for name, sign in signs.items()]
            for other in hand
            if any(other[name] != one[name] for name in signs)
        ]
        return any(all(each) for each in better)

    signs = {"mean": 1, "ruin": -1, "drawdown": -1, "goal": 1, "ahead": 1}
    wanted = {number for number, one in enumerate(hand, 1) if not is_beaten(one)}
    assert {each.number for each in found.frontier} == wanted
    assert 0 < len(wanted) < len(hand)
    for each in found.combinations:
        assert each.beaten_by is None or each.beaten_by in wanted


def test_sampled_figures() -> None:
    found = sweep_pass(trials=20_000, seed=5, against=(*CRITERIA, "sd"))
    exact = sweep_pass(against=(*CRITERIA, "sd"))
    assert (found.method, found.trials, found.seed) == ("simulated", 20_000, 5)
    for each, known in zip(found.combinations, exact.combinations, strict=True):
        assert set(each.errors) == {*CRITERIA, "sd"}
        for name, error in each.errors.items():
            far = abs(float(each.figures[name]) - float(known.figures[name]))
            assert far <= 4.5 * error + 1e-9 or (name == "drawdown" and far <= 1000), name


def test_sampled_sessions_see_the_same_rolls() -> None:
    """Bets of half the size win half as much, to the cent, where no session is ruined."""
    vary = {"unit": [5, 10]}
    found = sweep("iowa", "pass", vary=vary, bankroll=10**6, rolls=50, trials=999, seed=1)
    half, whole = (each.figures for each in found.combinations)
    assert 2 * half["mean"] == whole["mean"]
    assert 2 * half["drawdown"] == whole["drawdown"]


def growing(view: passline.View, unit: int = 5) -> tuple[list[str], int]:
    """Pass, with a memory that never repeats: no machine of it is ever complete."""
    rolls = view.memory + 1 if isinstance(view.memory, int) else 0
    return ([] if view.puck or view.up("pass") else [f"pass for {unit}"]), rolls


def test_a_strategy_of_any_size_is_sampled() -> None:
    more: dict[str, Any] = {"bankroll": 6000, "rolls": 16, "against": ["mean", "ruin"]}
    found = sweep("new-jersey", growing, vary={"unit": [10, 30]}, seed=1, **more)
    assert [each.method for each in found.combinations] == ["simulated"] * 2
    for each, unit in zip(found.combinations, (10, 30), strict=True):
        figures = by_hand(unit, None)
        for name in ("mean", "ruin"):
            far = abs(float(each.figures[name]) - float(figures[name]))
            assert far <= 4.5 * each.errors[name] + 1e-9


def test_exact_drawdown_that_takes_too_long_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_module, "_MAX_DRAWDOWN_SECONDS", 0.0)
    found = sweep_pass(seed=2)
    assert found.method == "simulated"
    for each in found.combinations:
        assert each.method == "exact; drawdown: simulated"
        assert set(each.errors) == {"drawdown"}


def test_ctrl_c_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = sweep_module._Solver.solve
    left = iter([True, True])

    def solve_two(*args: Any) -> Any:
        if not next(left, False):
            raise KeyboardInterrupt
        return solve(*args)

    monkeypatch.setattr(sweep_module._Solver, "solve", solve_two)
    found = sweep_pass()
    assert found.interrupted
    assert (len(found.combinations), found.total) == (2, 6)
    with pytest.raises(KeyboardInterrupt):
        sweep_pass()
    result = run(*LINE, "--vary", "unit=5,10")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("interrupted: no combination of pass was finished\n")


@pytest.mark.parametrize("name", BUILT_IN)
def test_unit_of_a_built_in_strategy(name: str) -> None:
    """Twice the unit is twice the money of every arc; $10 is the default."""
    if name in ("small-tall-all", "fire-and-pass", "press-6-8", "inside", "across"):
        house = passline.house_for(
            "las-vegas", options=[("offers.bonus", "A"), ("offers.fire", "A")]
        )
    else:
        house = passline.house_for("las-vegas")
    least, twice = (_machine(house, name, unit) for unit in (10, 20))
    assert machine(house, name).states == least.states
    if name != "fire-and-pass" and "odds" not in name and "molly" not in name:
        assert least.states == twice.states
        assert (2 * least.money[: least.states] == twice.money[: twice.states]).all()


def _machine(house: passline.House, name: str, unit: int) -> passline.Machine:
    from passline.lab.strategy_machine import explore_machine, make_machine

    made = make_machine(house, name, parameters={"unit": unit})
    explore_machine(made)
    return made


OWN = """
def play(view, unit=10, wager="pass", *, twice=False):
    return None if view.puck or view.up(wager) else f"{wager} for {unit * (1 + twice)}"

def fixed(view):
    return None

def any_name(view, **more):
    return f"field for {more['stake']}"
"""
LINE = ("pass", "--rulebook", "new-jersey", "--bankroll", "60", "--rolls", "16")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN, "utf-8")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["sweep", *args], prog_name="passline")


def test_keyword_arguments_of_a_file(own: None) -> None:
    vary = ("--vary", "unit=5,10", "--vary", "wager=pass,dont-pass", "--vary", "twice=true,false")
    result = run("own.py:play", *LINE[1:], *vary, "--json", "--against", "mean")
    found = json.loads(result.stdout)
    rows = {tuple(each["values"].values()): each for each in found["combinations"]}
    assert len(rows) == 8
    assert rows[5, "pass", True]["mean"] == rows[10, "pass", False]["mean"]
    assert rows[5, "dont-pass", True]["mean_float"] > rows[5, "pass", True]["mean_float"]
    hand = by_hand(10, None)["mean"]
    assert rows[10, "pass", False]["mean_float"] == pytest.approx(float(hand) / 100)
    assert {each["method"] for each in found["combinations"]} == {"exact"}
    result = run("own.py:any_name", *LINE[1:], "--vary", "stake=5,10", "--json")
    assert result.exit_code == 0


def test_json() -> None:
    result = run(*LINE, "--vary", "unit=5,10", "--vary", "stop-win=none,20", "--json")
    found = json.loads(result.stdout)
    assert found["vary"] == {"unit": [5, 10], "stop_win": [None, "20.00"]}
    assert (found["bankroll"], found["rolls"], found["stop_loss"]) == ("60.00", 16, None)
    second = found["combinations"][1]
    figures = by_hand(5, 20)
    assert second["values"] == {"unit": 5, "stop_win": "20.00"}
    assert float(Fraction(second["ruin"])) == pytest.approx(float(figures["ruin"]), abs=1e-12)
    assert float(second["drawdown"]) * 100 == figures["drawdown"]
    assert float(second["mean"]) * 100 == pytest.approx(float(figures["mean"]), abs=0.5)
    assert "standard_errors" not in second
    assert "seed" not in found
    sampled = run(*LINE, "--vary", "unit=5,10", "--trials", "99", "--seed", "7", "--json")
    found = json.loads(sampled.stdout)
    assert (found["trials"], found["seed"], found["method"]) == (99, 7, "simulated")
    assert set(found["combinations"][0]["standard_errors"]) == {"mean", "ruin", "drawdown"}


def test_text_and_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.svg"
    vary = ("--vary", "unit=5,10", "--vary", "stop_win=none,20")
    result = run(*LINE, *vary, "--explain", "--plot", str(path))
    assert result.exit_code == 0
    assert "no other is as good on mean, ruin and drawdown and better on one:" in result.stdout
    assert "one session in ten" in result.stdout
    assert "exact, in doubles" in result.stdout
    assert path.stat().st_size > 5000
    result = run(*LINE, *vary, "--against", "mean", "--plot", str(path), "--force")
    assert result.exit_code == 0


def test_library() -> None:
    found = passline.sweep(
        "iowa", "field", vary={"unit": [5, 10]}, against=["mean"], bankroll=2000, rolls=1
    )
    assert repr(found) == (
        "<SweepResult: field: 1 of 2 combinations not beaten on mean; best mean: unit 5, "
        "-$0.28; exact>"
    )
    assert [row["unit"] for row in found.records()] == ["5", "10"]
    assert found.draw().svg


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("pass", "--vary", "stake=5"), "pass has no parameter 'stake': it has unit"),
        (("own.py:play", "--vary", "stake=5"), "'stake': it has unit, wager, twice"),
        (("own.py:fixed", "--vary", "unit=5"), "'unit': it takes a View and nothing else"),
        (("best:it.json", "--vary", "unit=5"), "best:it.json has no parameter 'unit'"),
        (("pass", "--vary", "unit"), "expected NAME=VALUE,VALUE"),
        (("pass", "--vary", "unit=5,,6"), "expected NAME=VALUE,VALUE"),
        (("pass", "--vary", "unit=5", "--vary", "unit=6"), "unit: it is varied twice"),
        (("pass", "--vary", "stop_win=much"), "--vary stop_win"),
        (("pass", "--vary", "rolls=0"), "--vary rolls"),
        (("pass", "--vary", "bankroll=none"), "--vary bankroll"),
        (("pass", "--vary", "unit=5", "--against", "luck"), "there is no criterion 'luck'"),
        (("pass", "--vary", "unit=5", "--against", ","), "no criterion: expected"),
        (("pass", "--vary", "unit=5", "--against", "goal"), "'goal' needs a win to stop at"),
        (("pass", "--vary", f"unit={','.join(map(str, range(5, 406)))}"), "401 combinations"),
        (("pass", "--vary", "unit=5", "--trials", "1e9"), "take too long"),
        (("pass", "--vary", "unit=abc"), "pass(unit=abc)"),
    ],
)
def test_one_line_for_what_makes_no_sense(own: None, args: tuple[str, ...], words: str) -> None:
    result = run(args[0], *LINE[1:], *args[1:])
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["bankroll", "rolls"])
def test_a_session_needs_a_bankroll_and_rolls(name: str) -> None:
    given = {"bankroll": "60", "rolls": "16"}
    rest = [part for key, value in given.items() if key != name for part in (f"--{key}", value)]
    result = run("pass", "--rulebook", "iowa", "--vary", "unit=5", *rest)
    assert result.exit_code == 2
    assert f"a session needs {name}" in result.stderr
    varied = run("pass", "--rulebook", "iowa", "--vary", f"{name}=20,40", *rest)
    assert varied.exit_code == 0
