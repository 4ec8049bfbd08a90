"""Dice that never throw some outcomes, against figures worked out here from the weights alone."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest

from passline.game.dice.dice import OUTCOMES, Dice, WeightsError, parse_dice
from passline.game.house.load import as_house
from passline.lab.exact.long_run import solve_long_run
from passline.lab.exact.rolls_to_detect_bias import count_rolls_to_detect
from passline.lab.luck.shooter_hand import solve_shooter_hand
from passline.lab.pricing.wager_odds import WagerOdds, sheet
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategy_machine import explore_machine, make_machine

DICE = (
    "0,1,1,1,1,1",  # no 2 and no 3
    "1,1,0,0,1,1",  # no hard 6 or 8, and no 4-3
    "0,0,1,1,0,0",  # only 6, 7 and 8
    "1,0,0,0,0,0 x 0,0,1,0,0,1",  # only 4 and 7
)
POINTS = (4, 5, 6, 8, 9, 10)
PAYS = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}


def chances(dice: Dice) -> dict[int, Fraction]:
    """Return the chance of each total."""
    found: Counter[int] = Counter()
    for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
        found[sum(faces)] += weight
    return {total: Fraction(found[total], dice.whole) for total in range(2, 13)}


def pass_edge(chance: dict[int, Fraction]) -> Fraction:
    made = sum(chance[p] ** 2 / (chance[p] + chance[7]) for p in POINTS)
    return 1 - 2 * (chance[7] + chance[11] + made)


def edge(wager: str, dice: Dice) -> Fraction:
    (row,) = sheet("iowa", wager, dice=dice)
    assert isinstance(row, WagerOdds)
    return row.edge


@pytest.mark.parametrize("text", DICE)
def test_edges(text: str) -> None:
    dice = parse_dice(text)
    chance = chances(dice)
    assert edge("pass", dice) == pass_edge(chance)
    for point, (win, stake) in PAYS.items():
        wins = chance[point] / (chance[point] + chance[7])
        assert edge(f"place-win-{point}", dice) == 1 - wins - wins * Fraction(win, stake)


@pytest.mark.parametrize("text", DICE)
def test_a_hand(text: str) -> None:
    dice = parse_dice(text)
    chance = chances(dice)
    # c = first + again * c, where c is the mean number of rolls of a hand.
    first = 1 + sum(chance[p] / (chance[p] + chance[7]) for p in POINTS)
    stay = 1 - sum(chance[p] for p in POINTS)
    again = stay + sum(chance[p] ** 2 / (chance[p] + chance[7]) for p in POINTS)
    assert solve_shooter_hand("iowa", dice).length.mean_rolls == first / (1 - again)


@pytest.mark.parametrize("text", DICE)
def test_a_session(text: str) -> None:
    dice, rolls = parse_dice(text), 20
    chance = chances(dice)
    come_out, on, bets = Fraction(1), dict.fromkeys(POINTS, Fraction(0)), Fraction(0)
    for _ in range(rolls):
        bets += come_out
        decided = sum(on[p] * (chance[p] + chance[7]) for p in POINTS)
        started = {p: come_out * chance[p] for p in POINTS}
        on = {p: on[p] * (1 - chance[p] - chance[7]) + started[p] for p in POINTS}
        come_out += decided - sum(started.values())
    machine = make_machine(as_house("iowa"), "pass")
    explore_machine(machine)
    plan = Plan(bankroll=100_000, rolls=rolls)
    found = session(machine, plan, dice=dice, arithmetic="fractions")
    won = -1000 * bets * pass_edge(chance)
    assert found.final.mean - plan.bankroll == won
    sampled = session(machine, plan, dice=dice, exact=False, trials=20_000, seed=1)
    assert abs(float(sampled.final.mean - plan.bankroll - won)) < 5 * sampled.final.sd / 20_000**0.5


def test_rolls_to_detect() -> None:
    # No roll of 13 has a face that these dice lack; fair dice do that with (25/36)**13 < 1%.
    assert count_rolls_to_detect(parse_dice("0,1,1,1,1,1")).rolls == 13
    # Six outcomes never come, six are twice as likely as the other 24.
    dice = parse_dice("0,1,1,1,1,2 x 1,1,1,1,1,1")
    counted = next(n for n in range(1, 99) if power_of_best_test(n) >= 0.9)
    assert count_rolls_to_detect(dice).rolls == counted


def power_of_best_test(rolls: int, size: float = 0.01) -> float:
    """Return the power of the test that counts the sixes, randomized at its threshold."""
    power = 0.0
    for sixes in range(rolls, -1, -1):
        ways = math.comb(rolls, sixes) * (2 / 3) ** (rolls - sixes)
        fair, own = ways * (1 / 6) ** sixes, ways * (1 / 3) ** sixes
        part = min(1.0, size / fair)
        power, size = power + part * own, size - part * fair
    return power


def test_dice_with_which_no_hand_ends() -> None:
    with pytest.raises(WeightsError, match="never throw a seven: a shooter's hand would never end"):
        parse_dice("1,1,1,0,0,0")
    with pytest.raises(WeightsError, match=r"never throw a point \(4, 5, 6, 8, 9, 10\)"):
        parse_dice("1,0,0,0,0,0 x 0,0,0,0,0,1")


def test_what_never_comes_leads_nowhere() -> None:
    """A strategy that stops for good after a 12 has one long run where there is no 12."""

    def stop_after_twelve(view: object) -> tuple[list[str], bool]:
        over = bool(getattr(view, "memory", None)) or getattr(view, "last", None) == (6, 6)
        return ([] if over else ["field for 5"]), over

    machine = make_machine(as_house("iowa"), stop_after_twelve)
    explore_machine(machine)
    found = solve_long_run(machine.chain(dice=parse_dice("1,1,1,1,1,0")))
    # Of 25 rolls, one 2 pays double, eight win on 3, 4, 9 and 10, and 16 lose on 5 to 8.
    assert (found.classes, found.mean) == (1, Fraction(500 * (2 + 8 - 16), 25))
