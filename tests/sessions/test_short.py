"""Short, broke and ruin, against every way that a few throws fall, dealt by the table itself."""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest

from passline.game.dice.dice import OUTCOMES
from passline.game.house.load import house_for
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.lab.machines.bettor import View, dollars_of
from passline.lab.machines.machine import Machine
from passline.lab.run_session import session
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import machine

WAYS = Counter(sum(faces) for faces in OUTCOMES)
THROWS = {sum(faces): faces for faces in OUTCOMES}


def big(view: View) -> str | None:
    return None if view.up("pass") else "pass for 100"


def odds(view: View) -> str | None:
    if view.puck is None:
        return None if view.up("pass") else "pass for 10"
    return None if view.up("pass-odds") or not view.up("pass") else "pass-odds for 20"


def never(view: View) -> None:
    return None


def quits(view: View) -> str | None:
    """Bets until he has lost once."""
    return None if view.memory or any(s.result == "lose" for s in view.settled) else "field for 7"


def two_bets(view: View) -> list[str]:
    return ["field for 10", "any-seven for 3"]


class Told(NamedTuple):
    """What is counted of all ways: how they end, and the worth (cents)."""

    ends: Counter[str]
    worths: Counter[int]


def do(table: Table, *commands: cmd.AnyCommand) -> Table | None:
    for command in commands:
        answer = decide(table, command)
        if isinstance(answer, Refusal):
            return None
        for event in answer:
            table = evolve(table, event)
    return table


def has(table: Table) -> tuple[int, int]:
    """The rail, and the layout."""
    seat = table.seat("ann")
    return seat.rail, sum(stake.amount for stake in seat.wagers.values())


def can_bet(table: Table) -> bool:
    """Whether any wager can be made, found by trying: every spot, dollars from 1 to the rail."""
    amounts = range(100, min(table.seat("ann").rail, 1_000) + 1, 100)
    return any(do(table, cmd.Bet("ann", s, a)) for a in amounts for s in table.layout.spots)


def say(table: Table, strategy: Strategy, reduce: bool) -> Table | None:
    """The table after his turn; None: he cannot."""
    seat = table.seat("ann")
    wagers = {slug: dollars_of(up.amount) for slug, up in seat.wagers.items()}
    view = View(table.puck or None, wagers)
    says = strategy(view) or []
    for text in [says] if isinstance(says, str) else says:
        slug, _, amount = text.rpartition(" for ")
        asked = int(amount) * 100
        tried = range(asked, 0, -100) if reduce else (asked,)
        made = next((t for a in tried if (t := do(table, cmd.Bet("ann", slug, a)))), None)
        if made is None and not reduce:
            return None
        table = made or table
    if says and reduce and not table.seat("ann").wagers:
        return None
    return table


def walk(table: Table, strategy: Strategy, rolls: int, reduce: bool, ways: int, told: Told) -> None:
    bet = say(table, strategy, reduce)
    rail, up = has(table)
    if bet is None:
        told.ends["short" if up or can_bet(table) else "broke"] += ways * 36**rolls
        told.worths[rail + up] += ways * 36**rolls
        return
    if not rolls:
        told.worths[rail + up] += ways
        return
    if not bet.puck:
        bet = do(bet, cmd.Bet("bob", "pass", 500))
        assert bet is not None
    for total, many in WAYS.items():
        after = do(bet, cmd.Roll(*THROWS[total]))
        assert after is not None
        walk(after, strategy, rolls - 1, reduce, ways * many, told)


def by_hand(book: str, strategy: Strategy, bankroll: int, rolls: int, reduce: bool) -> Told:
    table = open_table(house_for(book), ("bob", "ann"))
    bought = (cmd.BuyIn("bob", 10**9), cmd.BuyIn("ann", bankroll))
    ready = do(table, *bought, cmd.Bet("bob", "pass", 500), cmd.TakeDice("bob"))
    assert ready is not None
    told = Told(Counter(), Counter())
    walk(ready, strategy, rolls, reduce, 1, told)
    return told


CASES = [
    ("dealer-school", odds, 2_500, 3),
    ("new-jersey", BUILT_IN["field"], 1_300, 2),
    ("iowa", two_bets, 1_200, 2),
    ("maryland-crapless", BUILT_IN["pass"], 1_700, 3),
    ("dealer-school", big, 3_000, 2),
    ("new-jersey", never, 500, 2),
]


@pytest.fixture(scope="module")
def machines() -> dict[tuple[str, str], Machine]:
    return {(book, s.__name__): machine(book, s) for book, s, _, _ in CASES}


@pytest.mark.parametrize("when", ["stop", "reduce"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1].__name__}")
def test_ends_and_worths_are_those_of_every_way_that_the_dice_fall(
    case: tuple[str, Strategy, int, int], when: str, machines: dict[tuple[str, str], Machine]
) -> None:
    book, strategy, bankroll, rolls = case
    told = by_hand(book, strategy, bankroll, rolls, when == "reduce")
    whole = 36**rolls
    found = session(
        machines[book, strategy.__name__],
        Plan(bankroll, rolls),
        open_wagers="stake",
        when_short=when,  # type: ignore[arg-type]
    )
    assert found.broke == Fraction(told.ends["broke"], whole)
    assert found.short == Fraction(told.ends["short"], whole)
    assert found.ruin == Fraction(sum(told.ends.values()), whole)
    shares = {w: Fraction(many, whole) for w, many in told.worths.items()}
    final = found.final
    assert shares == {
        worth: Fraction(weight) / Fraction(final.whole)
        for worth, weight in zip(final.worths, final.weights, strict=True)
        if weight
    }


def test_who_plays_on_was_short_as_often_as_who_stops_is_ruined() -> None:
    played = machine("new-jersey", BUILT_IN["pass-odds"])
    plan = Plan(3_000, 12, stop_win=2_000)
    stops, plays = (session(played, plan, when_short=how) for how in ("stop", "reduce"))
    assert plays.ever_short == stops.ever_short == stops.ruin
    assert plays.ruin < stops.ruin
    assert float(plays.goal) > float(stops.goal)
    doubles = session(played, plan, when_short="reduce", arithmetic="doubles")
    assert float(doubles.final.mean) == pytest.approx(float(plays.final.mean), rel=1e-12)
    assert doubles.broke == pytest.approx(float(plays.broke or 0), rel=1e-12)


@pytest.mark.parametrize("when", ["stop", "reduce"])
def test_samples_agree_with_what_is_computed(when: str) -> None:
    played = machine("new-jersey", BUILT_IN["pass-odds"])
    plan = Plan(5_000, 30, stop_win=3_000)
    how = {"when_short": when}
    exact = session(played, plan, **how)  # type: ignore[arg-type]
    drawn = session(played, plan, exact=False, trials=40_000, seed=5, **how)  # type: ignore[arg-type]
    for word in ("ruin", "short", "broke", "goal", "rolls", "ever_short"):
        away = abs(getattr(drawn, word) - getattr(exact, word))
        assert away < 4.5 * drawn.errors.get(word, drawn.errors["ruin"]), word
    away = abs(float(drawn.final.mean) - float(exact.final.mean))
    assert away < 4.5 * drawn.errors["mean"]


def test_broke_is_less_than_any_wager_and_nothing_up() -> None:
    """With $3 left the strategy's $7 bet cannot be made, but a $1 proposition can: short, not
    broke.
    """
    found = session(machine("new-jersey", quits), Plan(1_000, 1), open_wagers="stake")
    assert (found.broke, found.short, found.ruin) == (0, 0, 0)
    once = session(machine("new-jersey", lambda view: "field for 7"), Plan(1_000, 1))
    assert (once.broke, once.short) == (0, Fraction(20, 36))
    out = session(machine("new-jersey", lambda view: "field for 10"), Plan(1_000, 1))
    assert (out.broke, out.short) == (Fraction(20, 36), 0)
