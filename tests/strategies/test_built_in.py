"""The built-in strategies: how each bets, said by hand, and that it plays where it should."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game.house.load import house_for
from passline.lab.exact.long_run import solve_long_run
from passline.lab.machines.bettor import SettledBet, StrategyError, View
from passline.lab.machines.machine import Machine
from passline.lab.strategies.built_in import BUILT_IN, summarize_strategy
from passline.lab.strategy_machine import make_machine
from tests.machines.plays import NOT_DEALT

NAMES = [
    *("pass", "pass-odds", "dont-pass", "dont-pass-odds", "come-odds", "three-point-molly"),
    *("place-6-8", "inside", "across", "iron-cross", "field", "hardways", "pass-martingale"),
    *("press-6-8", "small-tall-all", "fire-and-pass"),
]


def test_the_list_is_the_one_promised() -> None:
    assert list(BUILT_IN) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_says_in_one_line_what_it_does(name: str) -> None:
    assert summarize_strategy(name).endswith(".")
    assert "$" in summarize_strategy(name) or "Pass" in summarize_strategy(name)


CASES = [
    ("pass", View(None, {}), ["pass for 10"]),
    ("pass", View(6, {"pass": 10}), []),
    ("pass-odds", View(None, {}), ["pass for 10"]),
    ("pass-odds", View(6, {"pass": 10}), ["pass-odds for max"]),
    ("pass-odds", View(6, {"pass": 10, "pass-odds": 50}), []),
    ("dont-pass", View(None, {}), ["dont-pass for 10"]),
    ("dont-pass", View(None, {"dont-pass": 10}), []),  # a push stayed up
    ("dont-pass-odds", View(4, {"dont-pass": 10}), ["dont-pass-odds for max"]),
    ("come-odds", View(None, {}), []),
    ("come-odds", View(8, {}), ["come for 10"]),
    ("come-odds", View(8, {"come-6": 10}), ["come-odds-6 for max", "come for 10"]),
    ("come-odds", View(None, {"come-6": 10}), ["come-odds-6 for max"]),
    ("come-odds", View(8, {"come": 10, "come-6": 10, "come-odds-6": 10}), []),
    ("three-point-molly", View(None, {}), ["pass for 10"]),
    ("three-point-molly", View(5, {"pass": 10}), ["pass-odds for max", "come for 10"]),
    (
        "three-point-molly",
        View(5, {"pass": 10, "pass-odds": 10, "come-6": 10, "come-9": 10}),
        ["come-odds-6 for max", "come-odds-9 for max"],
    ),
    ("place-6-8", View(None, {}), []),
    ("place-6-8", View(4, {}), ["place-win-6 for 12", "place-win-8 for 12"]),
    ("place-6-8", View(4, {"place-win-6": 12}), ["place-win-8 for 12"]),
    (
        "inside",
        View(4, {"place-win-6": 12}),
        ["place-win-5 for 10", "place-win-8 for 12", "place-win-9 for 10"],
    ),
    (
        "across",
        View(6, {}),
        [
            *("place-win-4 for 10", "place-win-5 for 10", "place-win-6 for 12"),
            *("place-win-8 for 12", "place-win-9 for 10", "place-win-10 for 10"),
        ],
    ),
    ("iron-cross", View(None, {"place-win-5": 10}), []),
    (
        "iron-cross",
        View(9, {}),
        ["place-win-5 for 10", "place-win-6 for 12", "place-win-8 for 12", "field for 10"],
    ),
    ("field", View(None, {}), ["field for 10"]),
    ("hardways", View(None, {}), []),
    ("hardways", View(5, {"hard-4": 10, "hard-8": 10}), ["hard-6 for 10", "hard-10 for 10"]),
    ("press-6-8", View(5, {}), ["place-win-6 for 12", "place-win-8 for 12"]),
    (
        "press-6-8",
        View(
            5,
            {"place-win-6": 12, "place-win-8": 24},
            settled=(SettledBet("place-win-8", "win", 28),),
        ),
        ["place-win-8 to 36"],
    ),
    (
        "press-6-8",
        View(
            5,
            {"place-win-6": 60, "place-win-8": 12},
            settled=(SettledBet("place-win-6", "win", 70),),
        ),
        [],
    ),
    (
        "small-tall-all",
        View(None, {}, new_shooter=True),
        ["all-small for 10", "all-tall for 10", "make-them-all for 10"],
    ),
    ("small-tall-all", View(None, {}), []),
    ("small-tall-all", View(None, {"make-them-all": 10}), []),
    ("fire-and-pass", View(None, {}, new_shooter=True), ["pass for 10", "fire for 5"]),
    ("fire-and-pass", View(None, {"fire": 5}), ["pass for 10"]),
    ("fire-and-pass", View(6, {"fire": 5, "pass": 10}), []),
]


@pytest.mark.parametrize(("name", "view", "says"), CASES)
def test_what_it_says(name: str, view: View, says: list[str]) -> None:
    assert BUILT_IN[name](view) == says


LOST, WON = SettledBet("pass", "lose", 0), SettledBet("pass", "win", 10)


@pytest.mark.parametrize(
    ("memory", "settled", "stake"),
    [
        (None, (), 10),
        (10, (LOST,), 20),
        (160, (LOST,), 320),
        (320, (LOST,), 10),
        (320, (WON,), 10),
        (40, (), 40),
    ],
)
def test_the_martingale_doubles(
    memory: int | None, settled: tuple[SettledBet, ...], stake: int
) -> None:
    play = BUILT_IN["pass-martingale"]
    assert play(View(None, {}, settled=settled, memory=memory)) == ([f"pass for {stake}"], stake)
    on = View(6, {"pass": 40}, memory=40)
    assert play(on) == ([], 40)


def closed(name: str, book: str) -> Machine:
    machine = make_machine(house_for(book), BUILT_IN[name], name)
    assert machine.close()
    return machine


def test_costs_that_can_be_worked_out_by_hand() -> None:
    """By the textbook: a come-out and its point take 557/165 rolls on average."""
    rolls = Fraction(557, 165)
    point = 1 - 1 / rolls  # of all rolls, those with a point on
    by_hand = {
        "pass": -1000 * Fraction(7, 495) / rolls,
        "pass-odds": -1000 * Fraction(7, 495) / rolls,
        "dont-pass": -1000 * Fraction(3, 220) / rolls,
        "dont-pass-odds": -1000 * Fraction(3, 220) / rolls,
        "field": Fraction(-1000, 18),
        "place-6-8": point * 2 * (1400 * Fraction(5, 36) - 1200 * Fraction(6, 36)),
        "hardways": point
        * 2
        * ((7000 * 1 - 1000 * 8) * Fraction(1, 36) + (9000 * 1 - 1000 * 10) * Fraction(1, 36)),
    }
    for name, mean in by_hand.items():
        assert solve_long_run(closed(name, "new-jersey").chain()).mean == mean, name


def test_iowa_hardways_work_on_the_come_out_too() -> None:
    """There each of the four costs 1000/36 a roll while it is up, also before a point is on."""
    assert (
        solve_long_run(closed("hardways", "iowa").chain()).mean
        < solve_long_run(closed("hardways", "new-jersey").chain()).mean
    )


@pytest.mark.parametrize(("book", "name"), sorted(NOT_DEALT))
def test_a_wager_that_the_book_has_not_is_named(book: str, name: str) -> None:
    with pytest.raises(
        StrategyError, match=rf"{name}: .* is not a wager of this rulebook \[.+\] \(with"
    ):
        make_machine(house_for(book), BUILT_IN[name], name).close()


@pytest.mark.parametrize(
    ("book", "name", "hint"),
    [
        ("maryland-crapless", "small-tall-all", "-o offers.bonus=A"),
        ("maryland-crapless", "fire-and-pass", "-o offers.fire=A"),
        ("new-jersey", "fire-and-pass", "-o offers.fire=A"),
    ],
)
def test_what_to_elect_is_said(book: str, name: str, hint: str) -> None:
    with pytest.raises(StrategyError, match=f"elect it, as with {hint}"):
        make_machine(house_for(book), BUILT_IN[name], name).close()


def test_a_game_that_does_not_deal_it_is_not_helped_by_electing() -> None:
    house = house_for("new-jersey", "mini-craps")
    with pytest.raises(StrategyError, match=r"not dealt at mini-craps \[19:47-1.2\(a\)#2\] \("):
        make_machine(house, BUILT_IN["fire-and-pass"], "fire-and-pass").close()
