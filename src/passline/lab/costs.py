"""Compute what a strategy costs: amount wagered, theoretical win, comps, promotions, rebates.

All figures are exact. With ``explain``, the cost is split by wager, result, pay and clause. Money
is in cents.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.layout.compile import compile_layout
from passline.game.money.amounts import show_money
from passline.game.words.lab import say_lab
from passline.game.words.wagers import wager_label
from passline.lab.exact.hand_length import HandLength
from passline.lab.exact.long_run import (
    LongRun,
    find_mean_per_roll,
    find_state_shares,
    find_volatility,
    replay_ended_games,
    solve_long_run,
)
from passline.lab.machines.bet_walks import find_house_cost
from passline.lab.machines.chain import MAX_SOLVED_STATES
from passline.lab.machines.hand_chain import walk_hand
from passline.lab.machines.machine import Machine
from passline.lab.machines.origin import MachineOrigin
from passline.lab.pricing.explain import TermPay
from passline.lab.pricing.wager_odds import price_coupon
from passline.lab.results import (
    LabResult,
    ResultTable,
    exact_json,
    make_columns,
    show_percent_and_fraction,
)
from passline.lab.run_session import session
from passline.lab.sessions.distribution import Number, exact_ratio
from passline.lab.sessions.plan_and_result import Plan, Session
from passline.lab.strategies.ask import Strategy
from passline.lab.strategy_machine import explore_machine, make_machine

#: The ``result`` of vigorish that is paid when a wager is made. Vigorish is not part of the stake.
BET_MADE = "made"

#: How a wager is decided (wager, result, odds, clause); and for one state, the weight of the throws
#: that decide it so, that weight times the stake, and that weight times the net.
_DecisionKey = tuple[str, str, str | None, str]
_Decision = tuple[_DecisionKey, int, int, int]


class CouponError(ValueError):
    """Raised when a match play coupon is for a wager that the strategy never makes."""


class CostTerm(msgspec.Struct, frozen=True):
    """One way that a wager is decided in the long run, per roll.

    ``odds`` is what it pays, such as "6 to 5", or None. ``cite`` is the clause. ``often`` is the
    mean number of times per roll. ``handle`` is the amount wagered and ``net`` what the player wins
    or loses, in cents per roll. Vigorish paid when a wager is made has the ``result`` "made" and
    only a net.
    """

    wager: str
    result: str
    odds: str | None
    cite: str
    often: Fraction
    handle: Fraction
    net: Fraction


def explain_cost(machine: Machine, dice: Dice) -> tuple[CostTerm, ...]:
    """Split what a strategy wagers and loses per roll by wager, result, pay and clause.

    The handles add up to the strategy's handle and the nets to its mean per roll. The machine must
    be completely explored. Raise ValueError if it has too many states, or no single long run.
    """
    parts: dict[frozenset[_Decision], int] = {}
    kinds = [
        parts.setdefault(_state_decisions(machine, state, dice), len(parts))
        for state in range(machine.states)
    ]
    chain = machine.chain(kinds, dice)
    if len(chain) > MAX_SOLVED_STATES:
        raise ValueError(say_lab("too-many-to-explain", kinds=len(chain)))
    by_kind = list(parts)
    chain = replay_ended_games(chain, [not by_kind[kind] for kind in chain.kinds]) or chain
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
    """Return (key, weight, handle, net) for each way that the next throw decides a bet in a state.

    The key is (wager, result, odds paid, clause). The weight is the sum of the dice's weights of
    the outcomes that decide the bet so. Handle (the stakes) and net (what the player wins) are in
    cents, each multiplied by the weight. Vigorish that is paid when bets are made is one more
    entry, with the result "made" and no handle. The caller merges states with equal decisions.
    """
    added: dict[_DecisionKey, tuple[int, int, int]] = {}

    def add(key: _DecisionKey, weight: int, stake: int, net: int) -> None:
        often, handle, won = added.get(key, (0, 0, 0))
        added[key] = often + weight, handle + weight * stake, won + weight * net

    money = machine.money[state].tolist()
    for outcome, settled in enumerate(machine.settled(state)):
        weight = dice.weights[outcome]
        for done in settled:
            add(TermPay.from_settlement(done), weight, done.stake, find_house_cost(done))
        paid = money[outcome] - sum(map(find_house_cost, settled))
        if paid:
            add(("", BET_MADE, None, ""), weight, 0, paid)
    return frozenset((key, *sums) for key, sums in added.items())


def explained_cost_json(terms: tuple[CostTerm, ...]) -> list[dict[str, Any]]:
    """Return the field ``explain`` of ``passline cost --explain --json``: dollars per roll."""
    return [
        {
            **asdict(term),
            "wager": term.wager or None,
            "cite": term.cite or None,
            "often": str(term.often),
            "handle": str(term.handle / 100),
            "net": str(term.net / 100),
        }
        for term in terms
    ]


_PERIODS = ("roll", "hour", "shooter")


class Rebate(LabResult, msgspec.Struct, frozen=True):
    """What a player gets back if the house repays a share of the loss of a session.

    ``percent`` of the loss is paid back. ``loss`` is the mean loss (zero for sessions that win) and
    ``mean`` the mean change without the rebate, in cents, from the session's exact distribution.
    """

    percent: Fraction
    session: Session
    loss: Number
    mean: Number

    @property
    def worth(self) -> Number:
        """The mean amount that the rebate pays back, in cents."""
        return self.loss * self.percent / 100

    @property
    def breakeven(self) -> Number | None:
        """The rebate that makes the session fair, in percent of the loss.

        None if no session loses.
        """
        return -self.mean / self.loss * 100 if self.loss else None

    def headline(self) -> str:
        """Return what the rebate is worth and the percent that makes the session fair."""
        plan, fair = self.session.plan, self.breakeven
        even = "nothing is ever lost" if fair is None else f"fair at {float(fair):.2f}%"
        return (
            f"{float(self.percent):g}% of what {plan.rolls:,} rolls from "
            f"{show_money(plan.bankroll)} lose are {show_money(self.worth)} on average, {even}; "
            f"{self.session.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of means: the session, its loss, the rebate, and both together."""
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
    """What a strategy costs its player in the long run. Amounts are in cents per roll.

    ``handle`` is the amount wagered: the stakes of all decisions, pushes included. ``whole`` has
    the mean and variance of the change of money, and ``sd_rate`` is its volatility (cents per
    square root of rolls; None if not known). ``pace`` is rolls per hour. ``hand`` is the mean rolls
    of a shooter; None if a machine throws the dice. ``comps`` is the percent of the theoretical win
    that the house pays back, and ``promotions`` the cents it gives per hour. ``explained`` splits
    handle and theoretical win, if requested. ``replayed`` is true for a strategy that at some time
    stops betting: then it starts again whenever it stops.
    """

    about: MachineOrigin
    dice: Dice
    handle: Fraction
    whole: LongRun
    sd_rate: float | None
    pace: int
    hand: Fraction | None
    replayed: bool = False
    comps: Fraction = Fraction(0)
    promotions: Fraction = Fraction(0)
    rebate: Rebate | None = None
    explained: tuple[CostTerm, ...] = ()

    def headline(self) -> str:
        """Return in one line the cost of an hour, also as a share of the amount wagered."""
        hold = (
            "" if self.hold is None else f", {show_percent_and_fraction(self.hold)} of the handle"
        )
        return (
            f"{self.about.strategy}: {show_money(self.theoretical * self.pace)} an hour of "
            f"{self.pace:,} rolls{hold}; exact"
        )

    def to_table(self) -> ResultTable:
        """Return a table of handle and theoretical win by the roll, the hour and the shooter."""
        records = [
            (
                length,
                self.per_period(length, self.handle),
                self.per_period(length, self.theoretical),
            )
            for length in _PERIODS
        ]
        columns = make_columns(by="words", handle="money", theoretical="money")
        return ResultTable(columns, records, x_column="by", y_column="theoretical")

    @property
    def theoretical(self) -> Fraction:
        """What the house expects to win per roll, in cents."""
        return -self.whole.mean

    @property
    def hold(self) -> Fraction | None:
        """The theoretical win as a share of the handle; None if nothing is wagered."""
        return self.theoretical / self.handle if self.handle else None

    @property
    def comps_per_hour(self) -> Fraction:
        """The comps of an hour in cents; zero if the house expects to lose."""
        return max(self.theoretical, Fraction(0)) * self.pace * self.comps / 100

    @property
    def net_per_hour(self) -> Fraction:
        """What an hour of the strategy costs the player after comps and promotions, in cents."""
        return self.theoretical * self.pace - self.comps_per_hour - self.promotions

    @property
    def breakeven_comps(self) -> Fraction | None:
        """The percent of the theoretical win, paid back as comps, at which an hour costs nothing.

        None if the house does not expect to win.
        """
        lost = self.theoretical * self.pace
        return (lost - self.promotions) / lost * 100 if lost > 0 else None

    def per_period(self, length: str, amount: Fraction) -> Fraction | None:
        """Return an amount per roll converted to one per ``length``: "roll", "hour" or "shooter".

        Return None for "shooter" if a machine throws the dice.
        """
        times = {"roll": Fraction(1), "hour": Fraction(self.pace), "shooter": self.hand}[length]
        return None if times is None else amount * times


def find_strategy_cost(
    house: House | str,
    strategy: Strategy | str,
    *,
    pace: int = 100,
    comps: Fraction | int = 0,
    promotions: Fraction | int = 0,
    match_play: int | None = None,
    match_on: str = "pass",
    rebate: Fraction | int = 0,
    plan: Plan | None = None,
    dice: Dice = FAIR,
    explain: bool = False,
) -> StrategyCost:
    """Return what a strategy costs its player at a house.

    ``pace`` is rolls per hour. ``comps`` is the percent of the theoretical win that the house pays
    back, and ``promotions`` the cents that it gives per hour. ``match_play`` is the value in cents
    of a coupon that is played once an hour on the wager ``match_on``; its mean is added to the
    promotions. With ``plan``, the house also pays back ``rebate`` percent of the loss of a session
    with this plan. With ``explain``, handle and theoretical win are split by wager.

    Raise ValueError if the strategy's machine is too large, CouponError if the strategy never makes
    the wager of the coupon, and WagerError if the house does not take the coupon.

    >>> found = find_strategy_cost("new-jersey", "pass")
    >>> found.handle, found.theoretical, found.hold
    (Fraction(165000, 557), Fraction(7000, 1671), Fraction(7, 495))
    """
    dealt = as_house(house)
    coupon = Fraction(0)
    if match_play is not None:
        coupon = price_coupon(dealt, match_on, match_play, dice)
    machine = make_machine(dealt, strategy)
    if not explore_machine(machine):
        raise ValueError(say_lab("cost-unexplored", states=machine.states))
    if match_play is not None:
        _check_coupon(machine, compile_layout(dealt).slug(match_on))
    long_run = solve_long_run_cost(machine, dice)
    hand = None
    if dealt.game not in dealt.book.dice.automated.value:
        hand = HandLength(walk_hand(compile_layout(dealt), dice), dice.whole).mean_rolls
    return StrategyCost(
        about=machine.about,
        dice=dice,
        handle=long_run.handle,
        whole=long_run.whole,
        sd_rate=long_run.sd_rate,
        replayed=long_run.replayed,
        pace=pace,
        hand=hand,
        comps=Fraction(comps),
        promotions=promotions + coupon,
        rebate=None if plan is None else _solve_rebate(machine, plan, Fraction(rebate), dice),
        explained=explain_cost(machine, dice) if explain else (),
    )


def cost(
    house: House | str,
    strategy: Strategy | str,
    *,
    rolls_per_hour: int = 100,
    promotion: Fraction | int = 0,
    bankroll: int | None = None,
    rolls: int | None = None,
    **more: Any,
) -> StrategyCost:
    """Return what a strategy costs at a house; the options are those of `passline cost`.

    ``bankroll`` (cents) and ``rolls`` are those of the session whose loss is paid back by
    ``rebate`` percent. ``promotion`` is in cents an hour. ``more`` is for ``find_strategy_cost``.
    Raise ValueError as that does, and if only one of ``bankroll`` and ``rolls`` is set.

    >>> cost("new-jersey", "pass", rolls_per_hour=60).pace
    60
    """
    if (bankroll is None) != (rolls is None):
        raise ValueError("bankroll and rolls describe one session: set both or none of them")
    plan = None
    if bankroll is not None and rolls is not None:
        plan = Plan(bankroll=bankroll, rolls=rolls)
    return find_strategy_cost(
        house, strategy, pace=rolls_per_hour, promotions=promotion, plan=plan, **more
    )


def _check_coupon(machine: Machine, slug: str) -> None:
    """Raise CouponError if the strategy never makes the wager that a coupon is for."""
    made = {
        done.wager
        for state in range(machine.states)
        for settled in machine.settled(state)
        for done in settled
    }
    if slug not in made:
        labels = ", ".join(sorted(map(wager_label, made))) or "no wager"
        raise CouponError(say_lab("coupon-not-made", wager=wager_label(slug), made=labels))


class LongRunCost(NamedTuple):
    """What a strategy wagers and loses per roll in the long run, in cents.

    ``handle`` is the amount wagered. ``whole`` has the mean and variance of the change of money,
    and ``sd_rate`` is its volatility, None if not known. ``replayed`` is true for a strategy that
    at some time stops betting: then it starts again whenever it stops.
    """

    handle: Fraction
    whole: LongRun
    sd_rate: float | None
    replayed: bool


def solve_long_run_cost(machine: Machine, dice: Dice) -> LongRunCost:
    """Return what a strategy wagers and loses in the long run.

    Raise ValueError if there are too many states to solve.
    """
    numbers: dict[Fraction, int] = {}
    kinds = []
    for state in range(machine.states):
        decided = zip(machine.decided(state), dice.weights, strict=True)
        mean = Fraction(sum(stake * weight for stake, weight in decided), dice.whole)
        kinds.append(numbers.setdefault(mean, len(numbers)))
    chain = machine.chain(kinds, dice)
    if len(chain) > MAX_SOLVED_STATES:
        raise ValueError(say_lab("too-many-to-solve", kinds=len(chain)))
    worths = [list(numbers)[kind] for kind in chain.kinds]
    again = replay_ended_games(chain, [not worth for worth in worths])
    if again is not None:
        whole = solve_long_run(again)
        handle = find_mean_per_roll(again, worths)
        return LongRunCost(handle, whole, find_volatility(again, whole), replayed=True)
    whole = solve_long_run(chain)
    handle = find_mean_per_roll(chain, worths)
    rate = find_volatility(machine.chain(dice=dice), whole)
    return LongRunCost(handle, whole, rate, replayed=False)


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
    """Return the JSON of ``passline cost``: dollars as exact fractions, and as floats."""
    amounts = {"handle": found.handle, "theoretical": found.theoretical}
    return {
        **found.about.to_json(),
        "dice": str(found.dice),
        "method": "exact",
        "replayed": found.replayed,
        "rolls_per_hour": found.pace,
        "rolls_per_shooter": None if found.hand is None else str(found.hand),
        **exact_json(
            100,
            **{
                f"{name}_per_{length}": found.per_period(length, amount)
                for name, amount in amounts.items()
                for length in _PERIODS
            },
            comps_per_hour=found.comps_per_hour,
            net_per_hour=found.net_per_hour,
            promotions_per_hour=found.promotions,
        ),
        **exact_json(hold=found.hold, breakeven_comps=found.breakeven_comps),
        "sd_rate": None if found.sd_rate is None else found.sd_rate / 100,
        "comps_percent": str(found.comps),
        "rebate": None if found.rebate is None else _rebate_json(found.rebate),
        **({"explain": explained_cost_json(found.explained)} if found.explained else {}),
    }


def _rebate_json(rebate: Rebate) -> dict[str, Any]:
    plan, worth = rebate.session.plan, rebate.worth
    return {
        "percent": str(rebate.percent),
        "rolls": plan.rolls,
        "method": rebate.session.method,
        "arithmetic": rebate.session.arithmetic,
        **exact_json(100, bankroll=Fraction(plan.bankroll), mean=rebate.mean, loss=rebate.loss),
        **exact_json(100, worth=worth, mean_with_rebate=rebate.mean + worth),
        **exact_json(breakeven=rebate.breakeven),
    }
