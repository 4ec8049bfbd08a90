"""Other dice, through every exact and sampled answer, against what is worked out by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import accumulate
from math import comb, pi, sqrt

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.dice.dice import FAIR, OUTCOMES, Dice, parse_dice
from passline.lab.exact.rolls_to_detect_bias import count_rolls_to_detect
from passline.lab.pricing.wager_odds import WagerOdds, odds

SEVENS, LOADED = parse_dice("sevens=1/7"), parse_dice("1,2,1,1,1,3 x 1,1,1,1,1,2")
SIX = (4, 5, 6, 8, 9, 10)


def chances(weights: tuple[int, ...]) -> dict[int, Fraction]:
    """By total."""
    found: dict[int, Fraction] = {}
    for faces, weight in zip(OUTCOMES, weights, strict=True):
        found[sum(faces)] = found.get(sum(faces), Fraction(0)) + Fraction(weight, sum(weights))
    return found


@pytest.mark.parametrize("dice", [SEVENS, LOADED])
def test_wagers_by_hand(dice: Dice) -> None:
    p = chances(dice.weights)
    win = p[7] + p[11] + sum(p[n] * p[n] / (p[n] + p[7]) for n in SIX)
    assert odds("new-jersey", "pass", dice=dice).win == win
    assert odds("new-jersey", "place-win-9", dice=dice).edge == (
        1 - p[9] / (p[9] + p[7]) * Fraction(12, 5)
    )
    hard, sum_ = Fraction(dice.weights[14], dice.whole), p[6] + p[7]
    assert odds("new-jersey", "hard-6", dice=dice).win == hard / sum_
    behind = odds("new-jersey", "pass-odds", dice=dice)
    on_four = behind.by_point[4]
    assert isinstance(on_four, WagerOdds)
    assert on_four.edge == 1 - 3 * p[4] / (p[4] + p[7])


def test_what_is_gathered_by_dice_that_lean() -> None:
    """Totals that no longer come equally often are told apart."""
    p = chances(LOADED.weights)

    def all_of(totals: tuple[int, ...]) -> Fraction:
        if not totals:
            return Fraction(1)
        whole = p[7] + sum(p[t] for t in totals)
        return sum(
            (p[t] / whole * all_of(tuple(o for o in totals if o != t)) for t in totals),
            Fraction(0),
        )

    from passline.game.house.load import house_for

    house = house_for("maryland-crapless", None, [("offers.bonus", "A")])
    assert odds(house, "all-small", dice=LOADED).win == all_of((2, 3, 4, 5, 6))


def test_rolls_that_show_it_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = parse_dice("1,1,1,2,2,3")
    first = count_rolls_to_detect(dice)
    assert first.method == "convolution"
    monkeypatch.setattr("passline.lab.exact.rolls_to_detect_bias.convolved_power", None)
    assert count_rolls_to_detect(dice) == first


def test_rolls_that_show_it() -> None:
    """Counting sevens: so few of them that fair dice throw them in 1 percent of the tests."""
    found = count_rolls_to_detect(SEVENS)
    assert found.method == "exact"
    assert found.rolls is not None

    def at_most(rolls: int, whole: int) -> list[float]:
        """The chances of at most 0, 1, ... of what one in ``whole`` throws is."""
        ways = (comb(rolls, n) * (whole - 1) ** (rolls - n) for n in range(rolls // 6))
        return [so_many / whole**rolls for so_many in accumulate(ways)]

    fair, own = at_most(found.rolls, 6), at_most(found.rolls, 7)
    most = max(n for n, chance in enumerate(fair) if chance <= 0.01)
    assert own[most] >= 0.9
    assert 2900 < found.rolls < 3100
    assert count_rolls_to_detect(FAIR).rolls is None


def test_rolls_that_show_dice_with_many_weights() -> None:
    """Two dice, each twice as heavy on the six: the best test counts sixes among all faces."""
    pytest.importorskip("numpy")
    found = count_rolls_to_detect(parse_dice("1,1,1,1,1,2"))
    assert found.method == "convolution"
    assert found.rolls is not None

    def power(rolls: int) -> float:
        """By the binomial distribution, and by a drawing of lots at the threshold."""
        sixes = range(2 * rolls, -1, -1)
        fair = [comb(2 * rolls, n) * 5.0 ** (2 * rolls - n) / 6.0 ** (2 * rolls) for n in sixes]
        own = [
            comb(2 * rolls, n) * 5.0 ** (2 * rolls - n) * 2.0**n / 7.0 ** (2 * rolls) for n in sixes
        ]
        left, detected = 0.01, 0.0
        for chance, here in zip(fair, own, strict=True):
            part = min(1.0, left / chance)
            detected += part * here
            left -= part * chance
        return detected

    assert power(found.rolls - 1) < 0.9 <= power(found.rolls)


def test_without_numpy_the_normal_approximation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.exact.rolls_to_detect_bias.has_numpy", lambda: False)
    assert count_rolls_to_detect(LOADED).method == "normal"


def test_a_die_off_by_its_tolerance() -> None:
    """A cube is fair; a long die shows its ends less often, by its solid angle."""
    off = parse_dice("off=1/100")
    per_die = [sum(off.weights[6 * n : 6 * n + 6]) / off.whole for n in range(6)]
    assert per_die[0] == per_die[5] == pytest.approx(1 / 6 - 0.01 / (pi * sqrt(3)), abs=3e-5)
    assert per_die[1] == pytest.approx((1 - 2 * per_die[0]) / 4)
    found = count_rolls_to_detect(off).rolls
    assert found is not None
    assert found > 10_000


def test_the_commands() -> None:
    pytest.importorskip("numpy")

    def run(*args: str) -> dict[str, object]:
        ended = CliRunner().invoke(cli, [*args, "--json"])
        assert ended.exit_code == 0, ended.stderr
        found = json.loads(ended.stdout)
        assert isinstance(found, dict)
        return found

    priced = run("dice", "sevens=1/7", "pass")
    assert priced["wagers"][0]["edge"] == "-11/630"  # type: ignore[index]
    assert priced["model"] is None
    assert "solid angle" in str(run("dice", "off=1/100", "field")["model"])
    told = CliRunner().invoke(cli, ["dice", "off=1/100", "field"])
    assert "assumed: a model" in told.stdout
    assert CliRunner().invoke(cli, ["dice", "loaded"]).stderr.startswith("cli dice: DICE: ")
    at = ("--rulebook", "new-jersey", "--dice", "sevens=1/7")
    exact = run("machine", "pass", *at)
    assert exact["exact_mean_per_roll"] == "4400/917"  # 11/630 of $10 in 131/36 rolls
    played = run("simulate", "pass", *at, "--rolls", "1e6", "--seed", "3")
    assert played["exact_mean_per_roll"] == "4400/917"
    error = played["standard_error"]
    assert abs(played["mean_per_roll"] - 4400 / 917) < 5 * error  # type: ignore[operator]
    plan = ("--bankroll", "40", "--rolls", "3")
    whole = run("session", "pass", *at, *plan, "--exact")
    parts = run("session", "pass", *at, *plan, "--exact", "--doubles")
    drawn = run("session", "pass", *at, *plan, "--trials", "20000", "--seed", "5")
    mean = Fraction(str(whole["mean_exact"]))
    assert float(mean) == pytest.approx(parts["mean_float"])
    assert float(mean) == pytest.approx(drawn["mean_float"], abs=0.6)
    # Three rolls of pass, played out: a decision is worth 11/630 of $10, and begins on a come-out.
    p = chances(SEVENS.weights)
    again = 1 - sum(p[n] for n in SIX)
    second, made = again, sum(p[n] * (p[n] + p[7]) for n in SIX)
    assert mean == 40 + Fraction(110, 630) * (1 + second + again * second + made)


def test_a_par_sheet() -> None:
    from passline.game.house.load import house_for
    from passline.lab.pricing.exposure import Exposure, compute_exposure
    from passline.lab.pricing.par_formats import render_csv, render_layout_csv
    from passline.lab.pricing.par_sheet import make_par_sheet
    from passline.record.deal import deal_text

    text = "rulebook: new-jersey\nplayer: ann 500\nann: pass for 10; craps-12 for 5\n"
    found = compute_exposure(deal_text(text).table, thrown=SEVENS)
    assert isinstance(found, Exposure)
    # The throw as it falls: pass is paid on 7 and 11, takes 2, 3 and 12; twelve is paid 30 to 1.
    p = chances(SEVENS.weights)
    mean = 10 * (p[7] + p[11] - p[2] - p[3] - p[12]) + 150 * p[12] - 5 * (1 - p[12])
    assert found.mean == 100 * mean
    sheet = make_par_sheet(house_for("new-jersey"), layout=found, dice=SEVENS)
    assert sheet.rows[0].odds.edge == Fraction(-11, 630)
    assert ("Dice", f"not fair: {SEVENS}") in sheet.header
    assert "-11/630" in render_csv(sheet)
    assert ",of_210," in str(render_layout_csv(sheet))


#: Every command with an exact or a sampled answer takes other dice, and refuses what are none.
ASKED = {
    "odds": ("iowa", "pass"),
    "par": ("iowa",),
    "hand": ("iowa",),
    "luck": ("-",),
    "machine": ("pass", "--rulebook", "iowa"),
    "strategies": ("--rulebook", "iowa"),
    "simulate": ("pass", "--rulebook", "iowa", "--rolls", "9"),
    "session": ("pass", "--rulebook", "iowa", "--bankroll", "50", "--rolls", "9"),
    "cost": ("pass", "--rulebook", "iowa"),
    "compare": ("pass", "field", "--rulebook", "iowa", "--rolls", "9"),
    "shift": ("pass", "--rulebook", "iowa", "--hours", "1"),
    "diff": ("iowa", "new-jersey"),
}


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ("1,2,3", "3 weights"),
        (",".join(["1"] * 35), "35 weights"),
        (",".join(["0"] * 36), "above zero"),
        (",".join(["-1"] * 36), "no number"),
        ("1,1,1,1,1,1 x 1,1", "six faces"),
        ("sevens=1", "between 0 and 1"),
        ("sevens=0.142857e0", "no number"),
        ("sevens=1/0", "no number"),
        ("nines=1/7", "expected 36 weights"),
        ("", "weights"),
    ],
)
def test_dice_that_are_none(dice: str, words: str) -> None:
    commands = ASKED if dice == "1,2,3" else {"odds": ASKED["odds"]}
    for name, args in commands.items():
        ended = CliRunner().invoke(cli, [name, *args, "--dice", dice], input="rulebook: iowa\n")
        assert (ended.exit_code, ended.stdout) == (2, ""), name
        assert words in ended.stderr, (name, ended.stderr)
        assert ended.stderr.count("\n") == 1
