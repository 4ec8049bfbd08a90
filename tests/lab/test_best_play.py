"""The best play for a goal, against dynamic programs written by hand that know no engine."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.lab.best_play import BestPlayResult, find_best_play
from passline.lab.costs import find_strategy_cost
from passline.lab.machines.betting_choices import BettingChoices
from passline.lab.machines.bettor import StrategyError, View
from passline.lab.machines.next_states import PLAYER, State, add_shooter_bet, build_table, roll_dice
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategies.load import load_strategy
from passline.lab.strategy_machine import machine

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
ROUNDS = 3_000


def by_rolls(step: Any, start: Any, rolls: int) -> float:
    """The best chance with so many rolls to go: ``step(state)`` lists, for every choice, the
    states it leads to with their ways of 36; a bool is an end."""

    @cache
    def chance(state: Any, left: int) -> float:
        if isinstance(state, bool):
            return float(state)
        if left == 0:
            return 0.0
        return float(max(sum(w * chance(s, left - 1) for s, w in o) / 36 for o in step(state)))

    return chance(start, rolls)


def without_end(step: Any, start: Any) -> float:
    """The same without an end: all states swept from nought until nothing changes."""
    states: dict[Any, Any] = {start: step(start)}
    order: list[Any] = [start]
    for state in order:
        for onward in states[state]:
            for then, _ in onward:
                if not isinstance(then, bool) and then not in states:
                    states[then] = step(then)
                    order.append(then)
    value: dict[Any, float] = dict.fromkeys(states, 0.0)
    value[True], value[False] = 1.0, 0.0
    for _ in range(ROUNDS):
        change = 0.0
        for state in order:
            new = max(sum(w * value[s] for s, w in onward) / 36 for onward in states[state])
            change, value[state] = max(change, new - value[state]), new
        if change < 1e-15:
            break
    return value[start]


def field_by_hand(goal: int, unit: int, twelve: int) -> Any:
    """Field: 2 pays double and 12 twofold or threefold, 3, 4, 9, 10, 11 even money."""
    pays = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: twelve}

    def step(rail: int) -> Any:
        choices = [[(rail, 36)]]
        for bet in range(unit, rail + 1, unit):
            then = [(rail + bet * pays.get(t, -1), w) for t, w in WAYS.items()]
            choices.append([(True if r >= goal else r, w) for r, w in then])
        return choices

    return step


def line_by_hand(goal: int, unit: int, wrong: bool) -> Any:
    """Pass, which may not come down with its point; or don't pass, which may be reduced, and for
    which twelve is no decision. A state: the rail, the point, what is on the line."""

    def ended(rail: int, point: int, up: int) -> Any:
        free = up if wrong or not point else 0
        if rail + free >= goal:
            return True
        return (rail + up, 0, 0) if not point else (rail, point, up)

    def step(state: Any) -> Any:
        rail, point, up = state
        bets = range(0, rail + 1, unit) if not point else range(0, up + 1, unit) if wrong else [up]
        choices = []
        for bet in bets:
            left, onward = rail + up - bet, []
            for total, ways in WAYS.items():
                if point:
                    won = total == (7 if wrong else point)
                    over = total in (7, point)
                    push = False
                else:
                    won = total in ((2, 3) if wrong else (7, 11))
                    over = total in (2, 3, 7, 11) or (total == 12 and not wrong)
                    push = total == 12 and wrong
                if over:
                    onward.append((ended(left + 2 * bet * won, 0, 0), ways))
                elif push:
                    onward.append((ended(left + bet, 0, 0), ways))
                else:
                    onward.append((ended(left, point or total, bet), ways))
            choices.append(onward)
        return choices

    return step


def six_by_hand(goal: int, unit: int, whole: bool) -> Any:
    """Place the 6, off on a come-out roll: 7 to 6 in sixes, or broken down to dollars."""

    def amounts(rail: int) -> set[int]:
        raised = {-(-k // 6) * 6 if whole else k for k in range(unit, rail + 1, unit)}
        return {0, *(a for a in raised if a <= rail)}

    def step(state: Any) -> Any:
        rail, point = state
        choices = []
        for bet in amounts(rail):
            onward = []
            for total, ways in WAYS.items():
                after = point if point else total if total in POINTS else 0
                after = 0 if point and total in (7, point) else after
                chips = rail
                if point:
                    chips += bet * 7 // 6 if total == 6 else -bet if total == 7 else 0
                onward.append((True if chips >= goal else (chips, after), ways))
            choices.append(onward)
        return choices

    return step


@pytest.mark.parametrize(
    ("book", "twelve", "bankroll", "goal", "unit"),
    [
        ("new-jersey", 2, 10, 20, 5),
        ("new-jersey", 2, 35, 80, 5),
        ("new-jersey", 2, 40, 75, 10),
        ("dealer-school", 2, 25, 60, 5),
        ("field-12 at 3 to 1", 3, 65, 100, 5),
    ],
)
@pytest.mark.parametrize("rolls", [None, 1, 6])
def test_field(
    book: str, twelve: int, bankroll: int, goal: int, unit: int, rolls: int | None
) -> None:
    step = field_by_hand(goal, unit, twelve)
    hand = by_rolls(step, bankroll, rolls) if rolls else without_end(step, bankroll)
    options = (("pays.field-12", "3 to 1"),) if twelve == 3 else ()
    house = house_for("new-jersey" if options else book, None, options)
    found = find_best_play(
        house, goal * 100, bankroll * 100, menu=["field"], unit=unit * 100, rolls=rolls
    )
    assert found.chance == pytest.approx(hand, abs=1e-12)
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("rolls", [None, 1, 2, 9])
@pytest.mark.parametrize(("bankroll", "goal"), [(10, 20), (25, 45), (30, 35)])
def test_line(wrong: bool, rolls: int | None, bankroll: int, goal: int) -> None:
    step, start = line_by_hand(goal, 5, wrong), (bankroll, 0, 0)
    hand = by_rolls(step, start, rolls) if rolls else without_end(step, start)
    menu = ["dont-pass" if wrong else "pass"]
    found = find_best_play("new-jersey", goal * 100, bankroll * 100, menu=menu, rolls=rolls)
    assert found.chance == pytest.approx(hand, abs=1e-12)


@pytest.mark.parametrize(("book", "whole"), [("new-jersey", True), ("dealer-school", False)])
@pytest.mark.parametrize("rolls", [None, 1, 2, 7])
def test_place_6(book: str, whole: bool, rolls: int | None) -> None:
    for bankroll, goal in ((12, 20), (30, 50))[: 1 if rolls is None else 2]:
        step, start = six_by_hand(goal, 5, whole), (bankroll, 0)
        hand = by_rolls(step, start, rolls) if rolls else without_end(step, start)
        found = find_best_play(book, goal * 100, bankroll * 100, menu=["place-6"], rolls=rolls)
        assert found.chance == pytest.approx(hand, abs=1e-12), (bankroll, goal)


def test_one_bet_of_everything_at_even_money() -> None:
    """From half of the goal nothing beats all of it on the line, once."""
    found = find_best_play("new-jersey", 20_000, 10_000, menu=["pass"])
    assert found.chance == pytest.approx(float(Fraction(244, 495)), abs=1e-15)


def test_a_single_bet_left() -> None:
    """A bankroll of one unit with two as the goal, on don't pass: 949 of 1925 decisions win."""
    found = find_best_play("new-jersey", 1000, 500, menu=["dont-pass"])
    assert found.chance == pytest.approx(float(Fraction(949, 1925)), abs=1e-12)


def test_more_never_hurts() -> None:
    def chance(goal: int = 30, bankroll: int = 15, **more: object) -> float:
        found = find_best_play("iowa", goal * 100, bankroll * 100, **more)  # type: ignore[arg-type]
        assert found.chance is not None
        return found.chance

    by_bankroll = [chance(bankroll=b, menu=["pass", "field"]) for b in (5, 10, 15, 20, 25)]
    assert by_bankroll == sorted(by_bankroll)
    by_goal = [chance(goal=g, menu=["pass", "odds"]) for g in (40, 35, 30, 25, 20)]
    assert by_goal == sorted(by_goal)
    menus = (["field"], ["field", "pass"], ["field", "pass", "odds"])
    by_menu = [chance(20, 10, menu=menu) for menu in menus]
    assert by_menu == sorted(by_menu)
    by_rolls = [chance(menu=["pass"], rolls=n) for n in (1, 3, 10, 100)]
    assert [*by_rolls, chance(menu=["pass"])] == sorted([*by_rolls, chance(menu=["pass"])])
    assert chance(menu=["place-6"], rolls=1) < chance(menu=["place-6"], rolls=1, calls=True)
    assert chance(menu=["pass", "place-6"]) == chance(menu=["pass", "place-6"], calls=True)


@pytest.mark.parametrize("book", ["dealer-school", "iowa", "maryland-crapless"])
def test_stands_are_what_the_table_does(book: str) -> None:
    """Each way to lie, made command by command at a table and thrown for there."""
    layout = compile_layout(house_for(book))
    menu = ("pass", "pass-odds", "place-win-6", "hard-6", "craps-12")
    choices = BettingChoices(layout, menu, 1000, 1999)
    choices.walk(100_000)
    stands = [
        (s, stand)
        for s, all_ in zip(choices.places, choices.layouts, strict=True)
        for stand in all_
    ]
    for state, stand in stands[:: 1 + len(stands) // 40]:
        table = build_table(layout, state)
        first = table.playing[0].rail
        for slug, up in stand.wagers:
            if table.playing[0].wagers.get(slug) != up:
                was = slug in table.playing[0].wagers
                ask = (cmd.Change if was else cmd.Bet)(PLAYER, slug, up.amount)
                answer = decide(table, ask)
                assert not isinstance(answer, Refusal)
                for event in answer:
                    table = evolve(table, event)
        for slug in dict(state.wagers).keys() - dict(stand.wagers).keys():
            for event in decide(table, cmd.TakeDown(PLAYER, slug)):  # type: ignore[union-attr]
                table = evolve(table, event)
        assert table.playing[0].wagers == dict(stand.wagers)
        assert first - table.playing[0].rail == stand.cost
        table = add_shooter_bet(table)
        found: dict[tuple[int, int], int] = {}
        for one in range(1, 7):
            for two in range(1, 7):
                after, _ = roll_dice(table, one, two)
                left = tuple(sorted(after.playing[0].wagers.items()))
                place, free = choices.take_down_free_bets(State(puck=after.point, wagers=left))
                money = after.playing[0].rail - table.playing[0].rail + free
                way = choices.numbers[place], money
                found[way] = found.get(way, 0) + 1
        assert found == {(arc.next, arc.money): arc.weight for arc in stand.arcs}


@pytest.mark.parametrize(
    ("book", "menu", "rolls"),
    [
        ("dealer-school", ["pass", "odds"], None),
        ("new-jersey", ["place-6", "dont-pass"], None),
        ("iowa", ["buy-4", "field"], 7),
    ],
)
def test_a_policy_is_a_strategy_that_gives_its_chance(
    book: str, menu: list[str], rolls: int | None
) -> None:
    """Its session at the engine, exact: it ends at the goal as often as was said."""
    goal, bankroll = 2000, 1000
    found = find_best_play(book, goal, bankroll, menu=menu, rolls=rolls)
    played = session(machine(book, found.policy), Plan(bankroll, rolls or 200), open_wagers="stake")
    final = played.final
    reached = sum(w for c, w in zip(final.worths, final.weights, strict=True) if c >= goal)
    assert float(reached / final.whole) == pytest.approx(found.chance, abs=1e-9)


def test_a_policy_that_cannot_bet_is_ruined() -> None:
    """One field bet of $10: 16 of 36 double it, a 2 or 12 more than that; the others are broke."""
    found = find_best_play("new-jersey", 2000, 1000, menu=["field"])
    made = machine("new-jersey", found.policy)
    for exact in (True, False):
        played = session(made, Plan(1000, 50), exact=exact, trials=20_000, seed=1)
        assert float(played.ruin) == pytest.approx(5 / 9, abs=1e-9 if exact else 0.02)
    assert session(made, Plan(1000, 50)).broke == Fraction(5, 9)
    cost = find_strategy_cost("new-jersey", found.policy, explain=True)
    assert (cost.replayed, cost.handle, cost.hold) == (True, Fraction(1000), Fraction(1, 18))
    assert sum(term.net for term in cost.explained) == -cost.theoretical
    # $5 does not pay for a $6 place bet, the only one on the menu.
    six = find_best_play("new-jersey", 1300, 1100, menu=["place-6"]).policy
    assert session(machine("new-jersey", six), Plan(1100, 400)).ruin == pytest.approx(6 / 11)


def test_a_policy_that_cannot_bet_is_compared(tmp_path: Path) -> None:
    """After its one bet it makes no other: 5 of 9 lose $10, 2 and 12 win $20, the others $10."""
    path = tmp_path / "it.json"
    found = find_best_play("new-jersey", 2000, 1000, menu=["field"])
    path.write_bytes(msgspec.json.encode(found.policy))
    args = ["compare", f"best:{path}", "pass", *NJ, "--rolls", "30", "--json"]
    ended = CliRunner().invoke(cli, args, prog_name="passline")
    assert ended.exit_code == 0, ended.stderr
    first = json.loads(ended.stdout)["strategies"][0]
    assert float(first["mean_float"]) == pytest.approx(-10 / 18)
    ended = CliRunner().invoke(
        cli,
        ["session", f"best:{path}", *NJ, "--bankroll", "10", "--rolls", "30", "--exact", "--json"],
        prog_name="passline",
    )
    assert json.loads(ended.stdout)["ruin"] == "5/9"


def test_bounds_where_the_menu_is_too_large() -> None:
    menu = ["pass", "field", "hard-6"]
    whole = find_best_play("new-jersey", 2500, 1500, menu=menu)
    found = find_best_play("new-jersey", 2500, 1500, menu=menu, states=100)
    assert found.low is not None
    assert found.high is not None
    assert whole.chance is not None
    assert found.chance is None
    assert found.low == found.policy.chance <= whole.chance <= found.high == 15 / 25
    assert any("--states 1000" in each for each in found.advice)
    assert found.method.startswith("bounds: ")
    assert not re.search(r"\w-\w", found.method)  # no slug
    generous = house_for("new-jersey", None, (("pays.pass", "3 to 2"),))
    assert find_best_play(generous, 2500, 1500, menu=["pass"], states=10).high == 1.0


@cache
def line_with_odds_by_hand(
    goal: int, most: int, caps: tuple[int, int, int], wrong: bool
) -> tuple[float, ...]:
    """The best chance from every rail, with one line bet in steps of $5 and odds behind it.

    Only the rail on a come-out roll is a state: once the point is set, the odds are one choice
    until a decision. ``caps`` are the most odds for each dollar of the flat on 4, 5 and 6.
    """
    pays, sizes = ((2, 1), (3, 2), (6, 5)), range(5, min(most, goal) + 1, 5)
    value = np.zeros(goal + 1)
    value[goal] = 1.0
    rails = np.arange(goal)

    @cache
    def ends_of(bet: int, win: int, stake: int, cap: int) -> tuple[Any, Any, Any]:
        """Where each odds (a row) and rail (a column) win and lose, and whether the rail has it."""
        odds = np.arange(0, min(cap * bet, goal) + 1, 5)[:, None]
        paid = odds * stake // win if wrong else odds * win // stake
        down = rails - bet - odds
        return np.minimum(rails + bet + paid, goal), np.maximum(down, 0), down >= 0

    while True:
        before = value.copy()
        total = {bet: np.zeros(goal) for bet in (0, *sizes)}
        for ways, (win, stake), cap in zip((3, 4, 5), pays, caps, strict=True):
            best = np.zeros(goal)
            # A pass bet may be raised with the point on, and a don't pass bet reduced.
            for bet in (0, *sizes) if wrong else reversed(sizes):
                won, lost, had = ends_of(bet, win, stake, cap)
                up, down = value[won], value[lost]
                mean = (6 * up + ways * down) if wrong else (ways * up + 6 * down)
                best = np.maximum(best, np.where(had, mean / (6 + ways), 0).max(axis=0))
                total[bet] += 2 * ways * best
        for bet in sizes:
            rail = np.arange(bet, goal)
            won, lost = (3, 8) if wrong else (8, 4)
            ends = won * value[np.minimum(rail + bet, goal)] + lost * value[rail - bet]
            mean = (total[bet][bet:] + ends) / (35 if wrong else 36)
            value[bet:goal] = np.maximum(value[bet:goal], mean)
        if float((value - before).max()) < 1e-15:
            return tuple(value.tolist())


@pytest.mark.parametrize(
    ("book", "most", "caps", "wrong"),
    [
        ("dealer-school", 10_000, (3, 4, 5), False),
        ("iowa", 500, (10, 10, 10), False),
        ("iowa", 500, (20, 15, 12), True),
    ],
)
@pytest.mark.parametrize(("bankroll", "goal"), [(30, 80), (60, 100)])
def test_a_line_bet_with_odds(
    book: str, most: int, caps: tuple[int, int, int], wrong: bool, bankroll: int, goal: int
) -> None:
    hand = line_with_odds_by_hand(goal, most, caps, wrong)[bankroll]
    menu = ["dont-pass" if wrong else "pass", "odds"]
    found = find_best_play(book, goal * 100, bankroll * 100, menu=menu)
    assert found.chance == pytest.approx(hand, abs=1e-11)
    assert found.optimality_gap is not None
    assert found.optimality_gap < 1e-9


@pytest.mark.long
@pytest.mark.parametrize(
    ("book", "bankroll", "menu", "chance"),
    [
        ("dealer-school", 100, "pass", 0.098427156606639),
        ("iowa", 500, "pass", 0.49851313159835),
        ("iowa", 500, "dont-pass", 0.498562203062318),
    ],
)
def test_a_line_bet_with_odds_to_a_thousand_dollars(
    book: str, bankroll: int, menu: str, chance: float
) -> None:
    """The figures were worked out with other programs, by rail and flat bet, with raises."""
    found = find_best_play(book, 100_000, bankroll * 100, menu=[menu, "odds"])
    assert found.chance == pytest.approx(chance, abs=1e-9)


def low_of(found: BestPlayResult) -> float:
    return found.policy.chance


def everything_by_hand(goal: int, bankroll: int, places: tuple[int, ...]) -> float:
    """Both line bets with odds, place bets and the field at dealer-school, every combination tried.

    A state: the rail, the point, the pass bet, the don't pass bet. Odds are 3, 4 and 5 times, laid
    ones six times the flat.
    """
    odds = {4: (3, 2, 1), 5: (4, 3, 2), 6: (5, 6, 5), 8: (5, 6, 5), 9: (4, 3, 2), 10: (3, 2, 1)}
    placed = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
    field = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}

    def combine(most: int, count: int) -> Any:
        if not count:
            yield ()
            return
        for first in range(0, most + 1, 5):
            yield from ((first, *rest) for rest in combine(most - first, count - 1))

    def throw(state: Any, bets: Any) -> Any:
        rail, point, up, against = state
        taken, laid, spread, *on = bets
        ends = []
        for total, ways in WAYS.items():
            then, after, line, wrong = rail, point, up, against
            then += spread * field.get(total, -1)
            for number, bet in zip(places, on, strict=True):
                win, per = placed[number]
                then += bet * win // per if total == number else -bet if total == 7 else 0
            if not point:
                then += line * ((total in (7, 11)) - (total in (2, 3, 12)))
                then += wrong * ((total in (2, 3)) - (total in (7, 11)))
                then, line, wrong = then + line + wrong, 0, 0
                if total in POINTS:
                    after, line, wrong, then = total, up, against, then - up - against
            elif total in (7, point):
                _, win, per = odds[point]
                if total == point:
                    then += 2 * line + taken * win // per - laid
                else:
                    then += 2 * wrong + laid * per // win - taken
                after, line, wrong = 0, 0, 0
            over = then + (wrong if after else 0) >= goal
            ends.append((True if over else (then, after, line, wrong), ways))
        return ends

    def step(state: Any) -> Any:
        rail, point, up, against = state
        choices = []
        if not point:
            for line, wrong, spread in combine(rail, 3):
                come = (rail - line - wrong, 0, line, wrong)
                none = [0] * len(places)
                choices.append(throw(come, (0, 0, spread, *none)))
            return choices
        for wrong in range(0, against + 1, 5):
            most = max(up, min(goal, up + rail + against - wrong))
            for line in range(up, most + 1, 5) if up else [0]:
                left = rail + up - line + against - wrong
                for bets in combine(left, 3 + len(places)):
                    times = odds[point][0]
                    if bets[0] <= times * line and bets[1] <= 6 * wrong:
                        choices.append(throw((left, point, line, wrong), bets))
        return choices

    # As ``without_end``, with arrays: states 0 and 1 are failing and the goal.
    numbers: dict[Any, int] = {False: 0, True: 1, (bankroll, 0, 0, 0): 2}
    waiting, rows, starts = [(bankroll, 0, 0, 0)], [], [0]
    for state in waiting:
        for onward in {tuple(choice) for choice in map(tuple, step(state))}:
            for then, _ in onward:
                if then not in numbers:
                    numbers[then] = len(numbers)
                    waiting.append(then)
            rows.append([numbers[then] for then, _ in onward])
        starts.append(len(rows))
    after, ways = np.array(rows), np.array(list(WAYS.values())) / 36
    value = np.zeros(len(numbers))
    value[1] = 1.0
    for _ in range(ROUNDS):
        new = np.maximum.reduceat(value[after] @ ways, starts[:-1])
        change, value[2:] = float((new - value[2:]).max()), new
        if change < 1e-15:
            break
    return float(value[2])


@pytest.mark.parametrize(
    ("goal", "bankroll", "places"),
    [(15, 10, (4, 5, 6, 8, 9, 10)), (20, 10, (5, 6, 10)), (25, 10, (6,))],
)
def test_everything_on_the_menu(goal: int, bankroll: int, places: tuple[int, ...]) -> None:
    """As with every combination tried, by a program that shares nothing with ours."""
    hand = everything_by_hand(goal, bankroll, places)
    menu = ["line", "odds", *(f"place-{number}" for number in places), "field"]
    ask = "dealer-school", goal * 100, bankroll * 100
    for states in (100, 250_000):  # Bet by bet, and as a whole.
        found = find_best_play(*ask, menu=menu, states=states)
        assert found.chance == pytest.approx(hand, abs=1e-12)
        assert found.optimality_gap is not None
        assert found.optimality_gap < 5e-9


def test_bets_chosen_one_by_one_are_as_good_as_the_whole_menu() -> None:
    ask = "dealer-school", 3000, 1000
    menu = ["line", "odds", "place-6", "place-5", "field"]
    whole = find_best_play(*ask, menu=menu, states=2_500_000)
    found = find_best_play(*ask, menu=menu, states=100)
    assert found.chance == pytest.approx(whole.chance, abs=1e-12)
    assert found.choices < 1000 < whole.choices


@pytest.mark.long
def test_both_line_bets_with_odds_to_a_thousand_dollars() -> None:
    """Better than pass (9.842716%) or don't pass alone: the side may be changed at every rail."""
    found = find_best_play("dealer-school", 100_000, 10_000, menu=["line", "odds"])
    assert found.chance == pytest.approx(0.0985013389963277, abs=1e-12)
    assert found.optimality_gap is not None
    assert found.optimality_gap < 5e-9
    # A bound that place bets and the field do not break, and a play that they do not make worse.
    more = find_best_play("dealer-school", 100_000, 10_000)
    assert found.chance is not None
    assert more.low is not None
    assert more.high is not None
    assert found.chance - 1e-12 <= more.low <= more.high <= 0.1


@pytest.mark.parametrize("states", [60, 400, 100_000])
def test_a_menu_never_does_worse_than_its_part(states: int) -> None:
    """Exact or not: whatever is added to a menu, the play that is found is as good."""
    groups = (("pass", "odds"), ("dont-pass",), ("field",), ("place-6",))
    lows: dict[frozenset[str], float] = {}
    for size in (1, 2, 3, 4):
        for some in combinations(groups, size):
            menu = [word for group in some for word in group]
            found = find_best_play("iowa", 2500, 1500, menu=menu, states=states)
            assert (found.chance is None) == (found.low is not None)
            lows[frozenset(menu)] = low_of(found)
    for menu_a, low_a in lows.items():
        for menu_b, low_b in lows.items():
            if menu_a < menu_b:
                assert low_a <= low_b + 1e-12, (menu_a, menu_b)


#: The most odds for each dollar of the flat, what they pay, and for how many.
COME_ODDS = {4: (3, 2, 1), 5: (4, 3, 2), 6: (5, 6, 5), 8: (5, 6, 5), 9: (4, 3, 2), 10: (3, 2, 1)}


def come_by_hand(goal: int) -> Any:
    """Come bets with odds at dealer-school. A state: the puck, the come bets that have traveled,
    the rail. Odds are in the rail between rolls."""

    def throw(state: Any, come: int, odds: list[int]) -> Any:
        puck, bets, rail = state
        up, behind, left = dict(bets), dict(zip(dict(bets), odds, strict=True)), rail - come
        ends = []
        for total, ways in WAYS.items():
            after, then, chips = puck, dict(up), left
            if total == 7:
                after, then = 0, {}
                chips += 2 * come - sum(odds)
            elif total == 11:
                chips += 2 * come
            elif total in POINTS:
                after = (0 if total == puck else puck) if puck else total
                chips += 2 * then.pop(total, 0)
                _, win, per = COME_ODDS[total]
                chips += behind.get(total, 0) * win // per
                then |= {total: come} if come else {}
            end = (after, tuple(sorted(then.items())), chips)
            ends.append((True if chips >= goal else end, ways))
        return ends

    def step(state: Any) -> Any:
        puck, bets, rail = state
        if not puck:
            return [throw(state, 0, [0] * len(bets))]
        sizes = [range(0, COME_ODDS[number][0] * flat + 1, 5) for number, flat in bets]
        plays = product(range(0, rail + 1, 5), *sizes)
        return [throw(state, come, odds) for come, *odds in plays if come + sum(odds) <= rail]

    return step


@pytest.mark.long
@pytest.mark.parametrize(
    ("bankroll", "goal", "chance"), [(10, 15, None), (20, 40, float(Fraction(244, 495)))]
)
def test_come_bets_with_odds(bankroll: int, goal: int, chance: float | None) -> None:
    """Doubling $20 is one come bet of $20; a program of our own with two bets at most says so."""
    found = find_best_play("dealer-school", goal * 100, bankroll * 100, menu=["come", "odds"])
    hand = chance or without_end(come_by_hand(goal), (0, (), bankroll))
    assert found.chance == pytest.approx(hand, abs=1e-12)


@pytest.mark.parametrize(
    ("bankroll", "goal", "menu", "states"),
    [(30, 50, ["pass", "odds"], 250), (20, 30, ["dont-pass", "odds", "field"], 270)],
)
def test_a_search_finds_the_same_play(
    bankroll: int, goal: int, menu: list[str], states: int
) -> None:
    """With fewer layouts than the whole problem has."""
    ask = "dealer-school", goal * 100, bankroll * 100
    whole = find_best_play(*ask, menu=menu)
    found = find_best_play(*ask, menu=menu, states=states)
    assert found.chance == pytest.approx(whole.chance, abs=1e-12)
    assert found.choices <= states < whole.choices
    known = {one.rail: one.chance for one in whole.openings}
    assert found.openings
    assert all(one.chance == pytest.approx(known[one.rail]) for one in found.openings)
    assert found.optimality_gap is not None
    assert found.optimality_gap < 5e-9


def test_come_bets_that_a_whole_search_could_not_list() -> None:
    """Ten dollars to twenty: more than 25,000 layouts, of which 673 matter."""
    found = find_best_play("dealer-school", 2000, 1000, menu=["come", "odds"], states=2000)
    assert found.chance == pytest.approx(float(Fraction(244, 495)), abs=1e-12)
    played = session(machine("dealer-school", found.policy), Plan(1000, 200), open_wagers="stake")
    final = played.final
    reached = sum(w for c, w in zip(final.worths, final.weights, strict=True) if c >= 2000)
    assert float(reached / final.whole) == pytest.approx(found.chance, abs=1e-9)


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["best", *args], prog_name="passline")


NJ = ("--rulebook", "new-jersey")


def test_the_command(tmp_path: Path) -> None:
    path = str(tmp_path / "it.json")
    ended = run("--goal", "20", "--bankroll", "10", "--menu", "pass,odds", *NJ, "--policy", path)
    assert ended.exit_code == 0, ended.stderr
    assert "the best chance is 49.292929%" in ended.stdout
    told = json.loads(
        run("--goal", "20", "--bankroll", "10", "--menu", "field", *NJ, "--json").stdout
    )
    assert told["chance"] == pytest.approx(4 / 9)
    assert "low" not in told
    first = told["policy"][0]
    assert (first["rail"], first["puck"], first["lay"]) == ("10.00", None, {"field": "10.00"})
    loaded = load_strategy(f"best:{path}")
    assert loaded.function(View(None, {})) == (["pass for 10.00"], 0)
    with pytest.raises(StrategyError, match="made for new-jersey"):
        machine("iowa", f"best:{path}")
    with pytest.raises(StrategyError, match="nothing up"):
        loaded.function(View(None, {"pass": 5}))
    sat = CliRunner().invoke(cli, ["sit", "127.0.0.1:9", "--strategy", f"best:{path}"])
    assert sat.exit_code == 2
    assert "begins with $10, not with $500" in sat.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--goal", "20", "--bankroll", "10"), "name a rulebook, such as --rulebook new-jersey"),
        (("--goal", "20", "--bankroll", "0", *NJ), "--bankroll"),
        (("--goal", "x", "--bankroll", "10", *NJ), "--goal"),
        (("--goal", "20", "--bankroll", "10.50", *NJ), "not in whole chips of $1"),
        (("--goal", "20", "--bankroll", "10", "--menu", "feild", *NJ), "did you mean field"),
        (("--goal", "20", "--bankroll", "10", "--menu", "fire", *NJ), "fire"),
        (
            (
                "--goal",
                "20",
                "--bankroll",
                "10",
                "--menu",
                "fire",
                *NJ,
                "--option",
                "offers.fire=A",
            ),
            "collects totals over a whole hand",
        ),
        (
            ("--goal", "20", "--bankroll", "10", "--menu", "come-4", *NJ),
            "come 4 is not bet directly: put come on the menu",
        ),
        (("--goal", "20", "--bankroll", "10", "--menu", "odds", *NJ), "nothing else on the menu"),
        (("--goal", "20", "--bankroll", "10", "--menu", "pass-odds", *NJ), "goes behind pass"),
        (("--goal", "20", "--bankroll", "10", "--menu", ",", *NJ), "names of wagers"),
        (("--goal", "20", "--bankroll", "10", "--rolls", "0", *NJ), "--rolls"),
    ],
)
def test_what_cannot_be_asked(args: tuple[str, ...], said: str) -> None:
    ended = run(*args)
    assert (ended.exit_code, ended.stderr.count("\n"), ended.stdout) == (2, 1, "")
    assert said in ended.stderr


def test_a_goal_that_is_there() -> None:
    told = json.loads(run("--goal", "10", "--bankroll", "10", *NJ, "--json").stdout)
    assert (told["chance"], told["policy"]) == (1.0, [])
    assert "nothing to play" in told["method"]


def test_a_bankroll_that_no_wager_can_be_made_with() -> None:
    told = json.loads(run("--goal", "20", "--bankroll", "3", *NJ, "--json").stdout)
    assert (told["chance"], told["policy"]) == (0.0, [])


def test_more_rolls_than_can_be_gone_through_one_by_one() -> None:
    """One play for any number of rolls from below, and no end from above: nearly the same."""
    known = find_best_play("new-jersey", 2000, 1500, menu=["pass"], rolls=40).chance
    found = find_best_play("new-jersey", 2000, 1500, menu=["pass"], rolls=10**6)
    endless = find_best_play("new-jersey", 2000, 1500, menu=["pass"])
    assert found.chance is None
    assert found.low is not None
    assert found.high is not None
    assert known is not None
    assert endless.chance is not None
    assert endless.chance <= found.high <= endless.chance + 1e-9
    assert known <= found.low <= endless.chance
    assert found.low == pytest.approx(endless.chance, abs=1e-12)
    assert found.method.startswith("bounds: low is one play")


def test_it_is_told_how_sure_the_best_is() -> None:
    """Without an end that no play is better is proved; with one there is nothing to prove."""
    endless = find_best_play("new-jersey", 3000, 1500, menu=["line", "field"])
    assert endless.optimality_gap is not None
    assert 0 <= endless.optimality_gap < 1e-10
    assert endless.high is None
    assert find_best_play("new-jersey", 3000, 1500, menu=["field"], rolls=5).optimality_gap is None


def test_it_lists_and_draws_itself() -> None:
    found = find_best_play("new-jersey", 2000, 1000, menu=["pass"])
    assert repr(found).endswith(": $20 from $10 before ruin: 49.293% at best, with pass line>")
    first, *_ = found.records()[2:]
    assert first == {"rail": 10, "chance": found.chance, "lay": "pass $10"}
    assert "<polyline" in found.draw().svg or "<path" in found.draw().svg


def test_no_policy_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"kind": "other"}')
    for name in (str(path), str(tmp_path / "none.json")):
        with pytest.raises(StrategyError):
            load_strategy(f"best:{name}")
