"""What a strategy costs: handle and theoretical win, and what comes back of it. Cents, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.dice import FAIR, Dice
from passline.exact import SOLVED
from passline.exact.hand import HandLength
from passline.exact.long_run import LongRun, mean_by_roll, solve_long_run
from passline.exact.rate import sd_rate
from passline.house import House
from passline.house.named import named_house
from passline.lab.explained_costs import CostTerm, explain_cost, explained_cost_json
from passline.lab.resolve import explore, seat_strategy
from passline.lab.sessions import session
from passline.layout import lay_felt
from passline.machines import About, Machine
from passline.machines.hand import walk_hand
from passline.results import ColumnKind, LabResult, ResultTable, show_both, show_money
from passline.sessions import Plan, Session
from passline.sessions.distribution import Number, share
from passline.strategies import Strategy, load_strategy

_LENGTHS = ("roll", "hour", "shooter")


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

    def listed(self) -> ResultTable:
        """The session without it, what is lost, what comes back, and the session with it."""
        records = [
            ("without", self.mean),
            ("lost", self.loss),
            ("back", self.worth),
            ("with", self.mean + self.worth),
        ]
        return ResultTable({"what": "words", "mean": "money"}, records, across="what", up="mean")


class StrategyCost(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a strategy costs in the long run, by the roll, in cents.

    ``handle`` is what is wagered: the stakes of decisions, pushes counted, as edges are. ``pace``
    is rolls an hour, ``hand`` the mean rolls of a shooter (None: a machine throws). ``comps`` is
    the percent of the theoretical win that comes back, ``promotions`` what is given an hour.
    ``explained``: handle and theoretical win unfolded, where that was asked for.
    """

    about: About
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
        hold = "" if self.hold is None else f", {show_both(self.hold)} of the handle"
        return (
            f"{self.about.strategy}: {show_money(self.theoretical * self.pace)} an hour of "
            f"{self.pace:,} rolls{hold}; exact"
        )

    def listed(self) -> ResultTable:
        """Handle and theoretical win by the roll, the hour and the shooter."""
        records = [
            (length, self.by(length, self.handle), self.by(length, self.theoretical))
            for length in _LENGTHS
        ]
        columns: dict[str, ColumnKind] = {"by": "words", "handle": "money", "theoretical": "money"}
        return ResultTable(columns, records, across="by", up="theoretical")

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


def cost(
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

    >>> found = cost("new-jersey", "pass")
    >>> found.handle, found.theoretical, found.hold
    (Fraction(165000, 557), Fraction(7000, 1671), Fraction(7, 495))
    """
    dealt = named_house(house)
    name, function = "", strategy
    if isinstance(function, str):
        loaded = load_strategy(function)
        name, function = loaded.name, loaded.function
    machine = seat_strategy(dealt, function, name)
    if not explore(machine):
        raise ValueError(f"it has {machine.states:,} states or more: too many to be solved")
    handle, whole, rate = solve_cost(machine, dice)
    hand = None
    if dealt.game not in dealt.book.dice.automated.value:
        hand = HandLength(walk_hand(lay_felt(dealt), dice), dice.whole).mean_rolls
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
        rebate=None if plan is None else _rebate(machine, plan, Fraction(rebate), dice),
        explained=explain_cost(machine, dice) if explain else (),
    )


def solve_cost(machine: Machine, dice: Dice) -> tuple[Fraction, LongRun, float | None]:
    """The handle by the roll, and the long run: states are told apart by what they decide."""
    numbers: dict[Fraction, int] = {}
    kinds = []
    for state in range(machine.states):
        decided = zip(machine.decided(state), dice.weights, strict=True)
        mean = Fraction(sum(stake * weight for stake, weight in decided), dice.whole)
        kinds.append(numbers.setdefault(mean, len(numbers)))
    chain = machine.chain(kinds, dice)
    if len(chain) > SOLVED:
        raise ValueError(f"it has {len(chain):,} kinds of states: too many to be solved")
    worths = list(numbers)
    whole = solve_long_run(chain)
    handle = mean_by_roll(chain, [worths[kind] for kind in chain.kinds])
    return handle, whole, sd_rate(machine.chain(dice=dice), whole)


def _rebate(machine: Machine, plan: Plan, percent: Fraction, dice: Dice) -> Rebate:
    found = session(machine, plan, dice=dice)
    final, start = found.final, plan.bankroll
    lost = sum(
        (start - worth) * weight
        for worth, weight in zip(final.worths, final.weights, strict=True)
        if worth < start
    )
    loss = share(lost, final.whole)
    return Rebate(percent=percent, session=found, loss=loss, mean=final.mean - start)


def cost_report(found: StrategyCost) -> dict[str, Any]:
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
        for length in _LENGTHS:
            report |= _money(f"{name}_per_{length}", found.by(length, amount))
    report |= _money("hold", found.hold, 1)
    report |= {"sd_rate": None if found.sd_rate is None else found.sd_rate / 100}
    report |= {"comps_percent": str(found.comps)}
    for name in ("comps_per_hour", "net_per_hour"):
        report |= _money(name, getattr(found, name))
    report |= _money("promotions_per_hour", found.promotions)
    report |= _money("breakeven_comps", found.breakeven_comps, 1)
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
    found |= _money("bankroll", Fraction(plan.bankroll))
    for name in ("mean", "loss", "worth"):
        found |= _money(name, getattr(rebate, name))
    found |= _money("mean_with_rebate", rebate.mean + rebate.worth)
    return found | _money("breakeven", rebate.breakeven, 1)


def _money(name: str, value: Number | None, unit: int = 100) -> dict[str, Any]:
    """Cents as dollars (or a share as it is): exact where that is known, and as a float."""
    if value is None:
        return {name: None, f"{name}_float": None}
    exact = value / unit
    shown = str(exact) if isinstance(exact, Fraction) else repr(float(exact))
    return {name: shown, f"{name}_float": float(exact)}
