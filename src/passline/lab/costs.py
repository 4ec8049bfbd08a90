"""What a strategy costs, unfolded: every wager that is decided in the long run, how often, at what
pay, by which clause.

What a strategy costs: handle and theoretical win, and what comes back of it. Cents, exact.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.layout.compile import compile_layout
from passline.game.money.amounts import show_money
from passline.lab.exact.long_run import (
    LongRun,
    find_mean_per_roll,
    find_state_shares,
    find_volatility,
    solve_long_run,
)
from passline.lab.exact.walks import HandLength
from passline.lab.machines.chain import MAX_SOLVED_STATES
from passline.lab.machines.machine import Machine
from passline.lab.machines.origin import MachineOrigin
from passline.lab.machines.walks import find_house_cost, walk_hand
from passline.lab.results import ColumnKind, LabResult, ResultTable, show_percent_and_fraction
from passline.lab.run_session import session
from passline.lab.sessions.distribution import Number, exact_ratio
from passline.lab.sessions.session import Plan, Session
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.load import load_strategy
from passline.lab.strategy_machine import explore_machine, make_machine

#: What is paid when a wager is made and is no stake: vigorish.
BET_MADE = "made"

#: A way to be decided (wager, result, odds, clause), and of one state: what the throws weigh that
#: do it, and that times the stake and the net.
_DecisionKey = tuple[str, str, str | None, str]
_Decision = tuple[_DecisionKey, int, int, int]


class CostTerm(msgspec.Struct, frozen=True):
    """A wager decided in one way. ``often``: times a roll, in the long run; ``handle`` and ``net``:
    what is wagered so and what the player wins or loses, cents a roll. Of what is paid when wagers
    are made (``result`` "made") there is only the net."""

    wager: str
    result: str
    odds: str | None
    cite: str
    often: Fraction
    handle: Fraction
    net: Fraction


def explain_cost(machine: Machine, dice: Dice) -> tuple[CostTerm, ...]:
    """Unfold a closed machine's long run: the handles add up to the handle, the nets to the mean of
    a roll. ValueError where there are too many kinds of states, or no one long run."""
    parts: dict[frozenset[_Decision], int] = {}
    kinds = [
        parts.setdefault(_state_decisions(machine, state, dice), len(parts))
        for state in range(machine.states)
    ]
    chain = machine.chain(kinds, dice)
    if len(chain) > MAX_SOLVED_STATES:
        raise ValueError(f"it has {len(chain):,} kinds of states: too many to be unfolded")
    by_kind = list(parts)
    found: dict[_DecisionKey, CostTerm] = {}
    for place, share in find_state_shares(chain).items():
        for key, weight, handle, net in by_kind[chain.kinds[place]]:
            before = found.get(key) or CostTerm(*key, *[Fraction(0)] * 3)
            once = share / dice.whole
            found[key] = CostTerm(
                *key,
                often=before.often + once * weight,
                handle=before.handle + once * handle,
                net=before.net + once * net,
            )
    return tuple(sorted(found.values(), key=lambda term: (term.wager, term.result, term.cite)))


def _state_decisions(machine: Machine, state: int, dice: Dice) -> frozenset[_Decision]:
    """What the throws of a state decide, each by what it weighs. States that are alike in this are
    one in the chain: thousands of them are solved as a handful."""
    added: dict[_DecisionKey, tuple[int, int, int]] = {}

    def add(key: _DecisionKey, weight: int, stake: int, net: int) -> None:
        often, handle, won = added.get(key, (0, 0, 0))
        added[key] = often + weight, handle + weight * stake, won + weight * net

    money = machine.money[state].tolist()
    for outcome, settled in enumerate(machine.settled(state)):
        weight = dice.weights[outcome]
        for done in settled:
            add(
                (done.wager, done.result, done.odds, done.cite),
                weight,
                done.stake,
                find_house_cost(done),
            )
        paid = money[outcome] - sum(map(find_house_cost, settled))
        if paid:
            add(("", BET_MADE, None, ""), weight, 0, paid)
    return frozenset((key, *sums) for key, sums in added.items())


def explained_cost_json(terms: tuple[CostTerm, ...]) -> list[dict[str, Any]]:
    """As ``passline cost --explain --json`` has it under ``explain``: dollars a roll, exact."""
    return [
        {
            "wager": term.wager or None,
            "result": term.result,
            "odds": term.odds,
            "cite": term.cite or None,
            "often": str(term.often),
            "handle": str(term.handle / 100),
            "net": str(term.net / 100),
        }
        for term in terms
    ]


_PERIODS = ("roll", "hour", "shooter")


class Rebate(LabResult, msgspec.Struct, frozen=True):
    """A share of a session's loss that is given back: what it is worth by its exact distribution.

    ``loss`` is the mean of what is lost (nothing where the session wins), ``mean`` the mean change
    without it; money in cents.
    """

    percent: Fraction
    session: Session
    loss: Number
    mean: Number

    @property
    def worth(self) -> Number:
        """What comes back on average."""
        return self.loss * self.percent / 100

    @property
    def breakeven(self) -> Number | None:
        """The percent at which the session is fair; None: nothing is ever lost."""
        return -self.mean / self.loss * 100 if self.loss else None

    def headline(self) -> str:
        """What it is worth, and when it would be fair."""
        plan, fair = self.session.plan, self.breakeven
        even = "nothing is ever lost" if fair is None else f"fair at {float(fair):.2f}%"
        return (
            f"{float(self.percent):g}% of what {plan.rolls:,} rolls from "
            f"{show_money(plan.bankroll)} lose are {show_money(self.worth)} on average, {even}; "
            f"{self.session.method}"
        )

    def to_table(self) -> ResultTable:
        """The session without it, what is lost, what comes back, and the session with it."""
        records = [
            ("without", self.mean),
            ("lost", self.loss),
            ("back", self.worth),
            ("with", self.mean + self.worth),
        ]
        return ResultTable(
            {"what": "words", "mean": "money"}, records, x_column="what", y_column="mean"
        )


class StrategyCost(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a strategy costs in the long run, by the roll, in cents.

    ``handle`` is what is wagered: the stakes of decisions, pushes counted, as edges are. ``pace``
    is rolls an hour, ``hand`` the mean rolls of a shooter (None: a machine throws). ``comps`` is
    the percent of the theoretical win that comes back, ``promotions`` what is given an hour.
    ``explained``: handle and theoretical win unfolded, where that was asked for.
    """

    about: MachineOrigin
    dice: Dice
    handle: Fraction
    whole: LongRun
    sd_rate: float | None
    pace: int
    hand: Fraction | None
    comps: Fraction = Fraction(0)
    promotions: Fraction = Fraction(0)
    rebate: Rebate | None = None
    explained: tuple[CostTerm, ...] = ()

    def headline(self) -> str:
        """What an hour costs, and of what."""
        hold = (
            "" if self.hold is None else f", {show_percent_and_fraction(self.hold)} of the handle"
        )
        return (
            f"{self.about.strategy}: {show_money(self.theoretical * self.pace)} an hour of "
            f"{self.pace:,} rolls{hold}; exact"
        )

    def to_table(self) -> ResultTable:
        """Handle and theoretical win by the roll, the hour and the shooter."""
        records = [
            (length, self.by(length, self.handle), self.by(length, self.theoretical))
            for length in _PERIODS
        ]
        columns: dict[str, ColumnKind] = {"by": "words", "handle": "money", "theoretical": "money"}
        return ResultTable(columns, records, x_column="by", y_column="theoretical")

    @property
    def theoretical(self) -> Fraction:
        """What the house expects to win, by the roll."""
        return -self.whole.mean

    @property
    def hold(self) -> Fraction | None:
        """The theoretical win, of the handle."""
        return self.theoretical / self.handle if self.handle else None

    @property
    def comps_per_hour(self) -> Fraction:
        """What comes back of the theoretical win; of one below nought nothing does."""
        return max(self.theoretical, Fraction(0)) * self.pace * self.comps / 100

    @property
    def net_per_hour(self) -> Fraction:
        """What an hour costs the player when comps and promotions are counted."""
        return self.theoretical * self.pace - self.comps_per_hour - self.promotions

    @property
    def breakeven_comps(self) -> Fraction | None:
        """The percent of the theoretical win at which an hour costs nothing."""
        lost = self.theoretical * self.pace
        return (lost - self.promotions) / lost * 100 if lost > 0 else None

    def by(self, length: str, amount: Fraction) -> Fraction | None:
        """An amount by the roll as one by the roll, the hour or the shooter."""
        times = {"roll": Fraction(1), "hour": Fraction(self.pace), "shooter": self.hand}[length]
        return None if times is None else amount * times


def find_strategy_cost(
    house: House | str,
    strategy: Strategy | str,
    *,
    pace: int = 100,
    comps: Fraction | int = 0,
    promotions: Fraction | int = 0,
    rebate: Fraction | int = 0,
    plan: Plan | None = None,
    dice: Dice = FAIR,
    explain: bool = False,
) -> StrategyCost:
    """What a strategy costs at a house. ``rebate`` percent of a session's loss come back, by the
    ``plan``. ``explain``: with handle and theoretical win unfolded. Raises ValueError, in one line,
    for a strategy whose machine is too large.

    >>> found = find_strategy_cost("new-jersey", "pass")
    >>> found.handle, found.theoretical, found.hold
    (Fraction(165000, 557), Fraction(7000, 1671), Fraction(7, 495))
    """
    dealt = as_house(house)
    name, function = "", strategy
    if isinstance(function, str):
        loaded = load_strategy(function)
        name, function = loaded.name, loaded.function
    machine = make_machine(dealt, function, name)
    if not explore_machine(machine):
        raise ValueError(f"it has {machine.states:,} states or more: too many to be solved")
    handle, whole, rate = solve_long_run_cost(machine, dice)
    hand = None
    if dealt.game not in dealt.book.dice.automated.value:
        hand = HandLength(walk_hand(compile_layout(dealt), dice), dice.whole).mean_rolls
    return StrategyCost(
        about=machine.about,
        dice=dice,
        handle=handle,
        whole=whole,
        sd_rate=rate,
        pace=pace,
        hand=hand,
        comps=Fraction(comps),
        promotions=Fraction(promotions),
        rebate=None if plan is None else _solve_rebate(machine, plan, Fraction(rebate), dice),
        explained=explain_cost(machine, dice) if explain else (),
    )


def solve_long_run_cost(machine: Machine, dice: Dice) -> tuple[Fraction, LongRun, float | None]:
    """The handle by the roll, and the long run: states are told apart by what they decide."""
    numbers: dict[Fraction, int] = {}
    kinds = []
    for state in range(machine.states):
        decided = zip(machine.decided(state), dice.weights, strict=True)
        mean = Fraction(sum(stake * weight for stake, weight in decided), dice.whole)
        kinds.append(numbers.setdefault(mean, len(numbers)))
    chain = machine.chain(kinds, dice)
    if len(chain) > MAX_SOLVED_STATES:
        raise ValueError(f"it has {len(chain):,} kinds of states: too many to be solved")
    worths = list(numbers)
    whole = solve_long_run(chain)
    handle = find_mean_per_roll(chain, [worths[kind] for kind in chain.kinds])
    return handle, whole, find_volatility(machine.chain(dice=dice), whole)


def _solve_rebate(machine: Machine, plan: Plan, percent: Fraction, dice: Dice) -> Rebate:
    found = session(machine, plan, dice=dice)
    final, start = found.final, plan.bankroll
    lost = sum(
        (start - worth) * weight
        for worth, weight in zip(final.worths, final.weights, strict=True)
        if worth < start
    )
    loss = exact_ratio(lost, final.whole)
    return Rebate(percent=percent, session=found, loss=loss, mean=final.mean - start)


def cost_json(found: StrategyCost) -> dict[str, Any]:
    """As ``passline cost --json`` tells it: dollars as exact fractions, with floats beside."""
    about = found.about
    report: dict[str, Any] = {
        "strategy": about.strategy,
        "rulebook": about.rulebook,
        "game": about.game,
        "elections": about.elections,
        "dice": str(found.dice),
        "method": "exact",
        "rolls_per_hour": found.pace,
        "rolls_per_shooter": None if found.hand is None else str(found.hand),
    }
    for name, amount in (("handle", found.handle), ("theoretical", found.theoretical)):
        for length in _PERIODS:
            report |= _exact_and_float(f"{name}_per_{length}", found.by(length, amount))
    report |= _exact_and_float("hold", found.hold, 1)
    report |= {"sd_rate": None if found.sd_rate is None else found.sd_rate / 100}
    report |= {"comps_percent": str(found.comps)}
    for name in ("comps_per_hour", "net_per_hour"):
        report |= _exact_and_float(name, getattr(found, name))
    report |= _exact_and_float("promotions_per_hour", found.promotions)
    report |= _exact_and_float("breakeven_comps", found.breakeven_comps, 1)
    report["rebate"] = None if found.rebate is None else _rebate_json(found.rebate)
    if found.explained:
        report["explain"] = explained_cost_json(found.explained)
    return report


def _rebate_json(rebate: Rebate) -> dict[str, Any]:
    plan = rebate.session.plan
    found = {
        "percent": str(rebate.percent),
        "rolls": plan.rolls,
        "method": rebate.session.method,
        "arithmetic": rebate.session.arithmetic,
    }
    found |= _exact_and_float("bankroll", Fraction(plan.bankroll))
    for name in ("mean", "loss", "worth"):
        found |= _exact_and_float(name, getattr(rebate, name))
    found |= _exact_and_float("mean_with_rebate", rebate.mean + rebate.worth)
    return found | _exact_and_float("breakeven", rebate.breakeven, 1)


def _exact_and_float(name: str, value: Number | None, unit: int = 100) -> dict[str, Any]:
    """Cents as dollars (or a share as it is): exact where that is known, and as a float."""
    if value is None:
        return {name: None, f"{name}_float": None}
    exact = value / unit
    shown = str(exact) if isinstance(exact, Fraction) else repr(float(exact))
    return {name: shown, f"{name}_float": float(exact)}
