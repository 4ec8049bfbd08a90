"""A table of players for a shift, and two houses side by side."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.lab.house_shift import PlayerGroup, find_reserve, find_shift_win, parse_player_group
from passline.lab.machines.chain import Arc, Chain
from passline.lab.pricing.house_comparison import compare_houses

OWN = "def play(view):\n    return 'any-seven for 10'\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN, "utf-8")


def test_every_throw() -> None:
    """Two on the field and one on any seven, three rolls: the house's win, throw by throw."""
    field = {2: 20, 12: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10}
    wins: Counter[int] = Counter()
    worst = Counter[bool]()
    for totals in product(range(2, 13), repeat=3):
        weight = 1
        changes = []
        for total in totals:
            weight *= 6 - abs(7 - total)
            changes.append(-2 * field.get(total, -10) - (40 if total == 7 else -10))
        wins[sum(changes)] += weight
        worst[-30 in changes] += weight  # a two or a twelve
    found = find_shift_win("new-jersey", [PlayerGroup("field", 2), PlayerGroup("own.py:play")], 3)
    assert found.method == "exact"
    chances = dict(zip(found.win.worths, found.win.weights, strict=True))
    assert {int(w) // 100: round(c * 36**3) for w, c in chances.items()} == dict(wins)
    assert float(found.loses) == pytest.approx(
        sum(many for win, many in wins.items() if win < 0) / 36**3
    )
    assert found.worst_roll.loss == 3000
    assert found.worst_roll.chance == pytest.approx(2 / 36)
    assert found.worst_roll.in_shift == pytest.approx(worst[True] / 36**3)
    drawn = find_shift_win("new-jersey", found.groups, 3, trials=20_000, seed=1)
    assert drawn.method == "simulated"
    assert float(drawn.win.mean) == pytest.approx(float(found.win.mean), abs=5 * found.win.sd / 141)
    assert drawn.reserve == pytest.approx(found.reserve, abs=3000)


def test_the_seed() -> None:
    """Without a seed one is drawn and reported; the same seed, zero included, gives the same."""
    args = ["shift", "field@100", "--rulebook", "iowa", "--hours", "1", "--trials", "99", "--json"]

    def run(*more: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(CliRunner().invoke(cli, [*args, *more]).stdout)
        return found

    one, two = run(), run()
    assert one["seed"] != two["seed"]
    assert run("--seed", str(one["seed"])) == one
    assert run("--seed", "0")["seed"] == 0


def test_sampled_shifts_play_out_what_is_up() -> None:
    """Pass and don't pass, one roll: what is up is thrown for together, as the chain has it. After
    a twelve the don't pass is still up: it may lose too."""
    guests = [PlayerGroup("pass", 2), PlayerGroup("dont-pass")]
    exact = find_shift_win("new-jersey", guests, 1)
    drawn = find_shift_win("new-jersey", guests, 1, trials=20_000, seed=1)
    assert set(drawn.win.worths) == set(exact.win.worths) == {-1000, 1000, 3000}
    for worth, weight in zip(exact.win.worths, exact.win.weights, strict=True):
        share = drawn.win.weights[drawn.win.worths.index(worth)] / 20_000
        assert share == pytest.approx(weight, abs=0.02)


def test_the_reserve_by_hand() -> None:
    """A coin, ten throws: the chance to be behind by more than n at some moment, by reflection."""
    coin = Chain(((Arc(0, -100, 18), Arc(0, 100, 18)),), (0,))
    deepest = Counter(
        max(0, *(-sum(throws[: n + 1]) for n in range(10)))
        for throws in product((-1, 1), repeat=10)
    )
    over = {n: sum(many for d, many in deepest.items() if d > n) / 2**10 for n in range(11)}
    wanted = min(n for n, chance in over.items() if chance <= 0.001)
    assert find_reserve(coin, 10) == wanted * 100


def test_a_bankroll_bounds_what_is_won_of_it() -> None:
    found = find_shift_win("new-jersey", [PlayerGroup("field", 3, 5000)], 2000, trials=500, seed=1)
    assert max(found.win.worths) <= 3 * 5000
    assert float(found.win.mean) == pytest.approx(14_000, abs=1500)


def test_the_command() -> None:
    ended = CliRunner().invoke(
        cli, ["shift", "field:2", "own.py:play:1", "--rulebook", "iowa", "--hours", "1",
              "--rolls-per-hour", "3", "--json"],
    )  # fmt: skip
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert (found["method"], found["worst_roll"]["loss"]) == ("exact", "30.00")
    assert found["reserve_error"] is None
    shown = CliRunner().invoke(
        cli, ["shift", "field@100", "--rulebook", "iowa", "--hours", "1", "--trials", "99"]
    )
    assert shown.exit_code == 0, shown.stderr
    assert "99 shifts" in shown.stdout
    assert parse_player_group("a.py:f@1,000") == ("a.py:f", 1, "1,000")
    for wrong in (["field:0"], ["field@x"], ["nobody"]):
        ended = CliRunner().invoke(cli, ["shift", *wrong, "--rulebook", "iowa"])
        assert (ended.exit_code, ended.stdout) == (2, "")


def test_two_houses() -> None:
    """Three to one on the twelve: half the edge, and dollars by the roll."""
    kinder = house_for("new-jersey", None, [("pays.field-12", "3 to 1")])
    found = {each.wager: each for each in compare_houses("new-jersey", kinder).wagers}
    (differs,) = [each for each in found.values() if each.differs]
    assert differs.wager == "field"
    assert differs.second is not None
    assert differs.second.edge == Fraction(1, 36)
    assert differs.shift_difference(1000, 800) == -Fraction(1, 36) * 1000 * 800
    Path("kinder.toml").write_text(
        'rulebook = "new-jersey"\n[pays]\nfield-12 = "3 to 1"\n', "utf-8"
    )
    ended = CliRunner().invoke(cli, ["diff", "new-jersey", "kinder.toml", "--json"])
    assert ended.exit_code == 0, ended.stderr
    told = {each["wager"]: each for each in json.loads(ended.stdout)["wagers"]}
    assert told["field"]["dollars_a_shift_float"] == pytest.approx(-8000 / 36)
    one = ["diff", "new-jersey", "kinder.toml", "--wager"]
    assert "Field" in CliRunner().invoke(cli, [*one, "field"]).stdout
    assert "no wager differs" in CliRunner().invoke(cli, [*one, "place-win-6"]).stdout
    nowhere = CliRunner().invoke(cli, [*one, "fire"])
    assert (nowhere.exit_code, nowhere.stdout) == (2, "")


def test_the_edges_of_two_houses_are_unfolded() -> None:
    args = ["diff", "new-jersey", "iowa", "--wager", "lay-4", "--explain"]
    shown = CliRunner().invoke(cli, args).stdout
    assert shown.count("Lay 4: explained") == 2
    assert "[19:47-1.5(b)/lay-4]" in shown
    assert "[lay/odds-4-10]" in shown
    told = json.loads(CliRunner().invoke(cli, [*args, "--json"]).stdout)
    one = {each["house"]: each["edge"] for each in told["explain"]}
    (lay,) = told["wagers"]
    assert one == {side: lay[side]["edge"] for side in ("first", "second")}


def test_two_houses_that_only_round_differently() -> None:
    """Five percent of $25 are $1.25, rounded down $1: a quarter each four rolls."""
    exact = house_for("new-jersey", None, [("buy.rounding", "exact")])
    assert not any(each.price_differs for each in compare_houses("new-jersey", exact).wagers)
    (rounding,) = {
        (each.rule, each.second.words) for each in compare_houses("new-jersey", exact).rules
    }
    assert rounding == ("vigorish", "5% of the stake when made, rounded to the cent")
    found = {w.wager: w for w in compare_houses("new-jersey", exact, stake=2500).wagers}
    assert [each.wager for each in found.values() if each.price_differs] == [
        *("buy-4", "buy-6", "buy-8", "buy-10")
    ]
    assert found["buy-4"].shift_difference(2500, 800) == 0
    assert found["buy-4"].difference_as_dealt(2500, 800) == Fraction(25, 4) * 800
    assert (
        found["buy-5"].difference_as_dealt(2500, 800) is None
    )  # pays 3 to 2 in whole dollars: refused
    (behind,) = compare_houses("new-jersey", exact, wager="pass+odds", stake=2500).wagers
    assert behind.difference_as_dealt(2500, 800) is None


def test_who_never_bets(tmp_path: Path) -> None:
    """Chips enough are far from ruin: nothing is laid out from there to here."""
    own = tmp_path / "idle.py"
    own.write_text("def play(view):\n    return None\n")
    ended = CliRunner().invoke(
        cli, ["shift", f"{own}:play:2", "--rulebook", "iowa", "--hours", "1",
              "--rolls-per-hour", "3"],
    )  # fmt: skip
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout.startswith("2 players at ")
    assert "no throw costs the house anything" in ended.stdout
    assert "exact, in doubles" in ended.stdout
