"""Compare strategies on the same throws: which is ahead, by how much, and what each costs.

A pair of strategies is solved exactly as one state machine, or sampled if that is too large. Money
is in cents.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.money.amounts import show_money
from passline.lab.bets_open_at_end import JointOpenBets, value_joint_bets, value_sampled_bets
from passline.lab.costs import solve_long_run_cost
from passline.lab.exact.solve_session import solve_session
from passline.lab.machines.machine import Machine
from passline.lab.results import LabResult, ResultTable, exact_json, make_columns, show_percent
from passline.lab.sessions.distribution import (
    Distribution,
    Number,
    QuantileBand,
    exact_ratio,
    find_quantiles,
)
from passline.lab.sessions.plan_and_result import (
    MAX_BANKROLL,
    Arithmetic,
    OpenWagers,
    Plan,
    Session,
    choose_checkpoints,
)
from passline.lab.simulation.seeds import draw_seed
from passline.lab.simulation.shared_table import SampledTable, sample_table
from passline.lab.strategies.ask import Strategy
from passline.lab.strategy_machine import explore_before_play, explore_machine, make_machine

#: The most rolls for which exact fractions are used. Open bets are worth fractions of a cent, so
#: the fractions soon grow long.
_MAX_FRACTION_ROLLS = 20
#: The most memory in megabytes, for a distribution or for a machine that is sampled.
_MEMORY_MB = 512


class Contender(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A strategy in a comparison: its session with unlimited chips, and its cost.

    The session's amounts are what the strategy has won. ``handle`` is the cents wagered per roll
    (None if it was not computed), and ``sd_rate`` the long-run volatility in cents per square root
    of rolls.
    """

    name: str
    session: Session
    handle: Fraction | None
    mean_per_roll: Fraction
    sd_rate: float | None

    @property
    def ahead(self) -> Number:
        """The chance that the strategy has won money at the end."""
        return chance_above(self.session.final)

    def headline(self) -> str:
        """Return the mean, the deviation and the chance of being ahead in one line."""
        final = self.session.final
        return (
            f"{self.name}: {show_money(final.mean)} on average, sd {show_money(final.sd)}, ahead "
            f"{show_percent(self.ahead)} of the time; {self.session.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of each amount won with its chance."""
        return self.session.final.to_table()


class PairComparison(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """Two strategies on the same throws: the distribution of the first's lead over the second.

    ``open_wagers`` is how bets open at the end are valued: as asked, or "fair" (expected value) if
    playing them out together would take too many states; the mean lead is the same. ``correlation``
    is that of what the two win. It is None after such a fallback, or if one strategy always wins
    the same.
    """

    first: str
    second: str
    lead: Distribution
    correlation: float | None
    open_wagers: OpenWagers
    method: Literal["exact", "simulated"] = "exact"

    @property
    def ahead(self) -> Number:
        """The chance that the first strategy has won more than the second."""
        return chance_above(self.lead)

    @property
    def tied(self) -> Number:
        """The chance that both strategies have won the same amount."""
        return chance_above(self.lead, -1) - self.ahead

    def headline(self) -> str:
        """Return one line: how often the first strategy is ahead or level, and its mean lead."""
        return (
            f"{self.first} ahead of {self.second} {show_percent(self.ahead)}, level "
            f"{show_percent(self.tied)}, {show_money(self.lead.mean)} on average; {self.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of each lead of the first strategy, in cents, with its chance."""
        return self.lead.to_table()


class Comparison(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The strategies of a comparison (``contenders``), and each pair of them.

    All have played the same number of rolls. ``open_wagers`` says how bets open at the end are
    valued. ``trials`` and ``seed`` are set if the comparison was sampled.
    """

    house: House
    dice: Dice
    rolls: int
    contenders: tuple[Contender, ...]
    pairs: tuple[PairComparison, ...]
    open_wagers: OpenWagers = "played"
    method: Literal["exact", "simulated"] = "exact"
    trials: int | None = None
    seed: int | None = None

    def headline(self) -> str:
        """Return in one line which strategy is ahead of which, and how often."""
        leads = [
            f"{pair.first} ahead of {pair.second} {show_percent(pair.ahead)}, level "
            f"{show_percent(pair.tied)}"
            for pair in self.pairs
        ]
        return f"{self.rolls:,} rolls on the same dice: {'; '.join(leads)}; {self.method}"

    def to_table(self) -> ResultTable:
        """Return a table with a row for each strategy: mean, deviation, chance of a win, cost."""
        columns = make_columns(strategy="words", mean="money", sd="money", ahead="share")
        columns |= make_columns(mean_per_roll="money", handle_per_roll="money")
        finals = [(each, each.session.final) for each in self.contenders]
        records = [
            (each.name, final.mean, final.sd, each.ahead, each.mean_per_roll, each.handle)
            for each, final in finals
        ]
        return ResultTable(columns, records, x_column="strategy", y_column="ahead")


def compare(
    house: House | str,
    strategies: Sequence[Strategy | str],
    rolls: int,
    *,
    dice: Dice = FAIR,
    open_wagers: OpenWagers = "played",
    trials: int | None = None,
    seed: int | None = None,
) -> Comparison:
    """Compare each pair of strategies on the same throws.

    ``open_wagers`` says how to value bets still open at the end, as for ``session``. With
    ``trials``, play so many random sequences of throws from ``seed`` (drawn if it is None);
    strategies may then have any number of states. Otherwise raise ValueError, in one line, if a
    strategy or a pair has too many.

    >>> found = compare("new-jersey", ["pass", "dont-pass"], 1)
    >>> found.pairs[0].first, found.contenders[0].ahead
    ('pass', Fraction(244, 495))
    """
    dealt = as_house(house)
    if trials is not None:
        return _sample(dealt, strategies, rolls, dice, open_wagers, (trials, seed))
    machines = [make_closed_machine(dealt, strategy) for strategy in strategies]
    contenders = []
    for machine in machines:
        handle, whole, rate, _ = solve_long_run_cost(machine, dice)
        contenders.append(
            Contender(
                name=machine.about.strategy,
                session=_solve_from_zero(
                    value_joint_bets([machine], [1], open_wagers, dice), rolls
                ),
                handle=handle,
                mean_per_roll=whole.mean,
                sd_rate=rate,
            )
        )
    pairs = []
    for one, two in combinations(range(len(machines)), 2):
        opened = value_joint_bets([machines[one], machines[two]], [1, -1], open_wagers, dice)
        lead = _solve_from_zero(opened, rolls).final
        each = contenders[one], contenders[two]
        pairs.append(_make_pair(each, lead, opened.how))
    return Comparison(
        house=dealt,
        dice=dice,
        rolls=rolls,
        contenders=tuple(contenders),
        pairs=tuple(pairs),
        open_wagers=open_wagers,
    )


def _sample(
    house: House,
    strategies: Sequence[Strategy | str],
    rolls: int,
    dice: Dice,
    open_wagers: OpenWagers,
    sampling: tuple[int, int | None],
) -> Comparison:
    """Return the comparison of sampled strategies. ``sampling`` is (trials, seed)."""
    trials = sampling[0]
    seed = draw_seed() if sampling[1] is None else sampling[1]
    began = time.perf_counter()
    machines = [make_machine(house, strategy, memory=_MEMORY_MB) for strategy in strategies]
    for machine in machines:
        explore_before_play(machine)
    count = len(machines)
    found = sample_table(
        machines,
        [1] * count,
        [None] * count,
        lambda played: [value_sampled_bets(machine, open_wagers, dice) for machine in played],
        *(rolls, dice, trials, seed, choose_checkpoints(rolls)),
    )
    seconds = time.perf_counter() - began
    contenders = []
    for k, machine in enumerate(machines):
        played = _make_sampled_session(found, k, machine.states, rolls)
        played = msgspec.structs.replace(
            played, seed=seed, seconds=seconds, open_wagers=open_wagers
        )
        mean = Fraction(played.final.mean) / rolls
        name = machine.about.strategy
        contenders.append(
            Contender(name=name, session=played, handle=None, mean_per_roll=mean, sd_rate=None)
        )
    pairs = []
    for one, two in combinations(range(count), 2):
        lead = found.distribution([(k == one) - (k == two) for k in range(count)])
        each = contenders[one], contenders[two]
        pairs.append(_make_pair(each, lead, open_wagers))
    return Comparison(
        house=house,
        dice=dice,
        rolls=rolls,
        contenders=tuple(contenders),
        pairs=tuple(pairs),
        open_wagers=open_wagers,
        method="simulated",
        trials=trials,
        seed=seed,
    )


def _make_pair(
    each: tuple[Contender, Contender], lead: Distribution, how: OpenWagers
) -> PairComparison:
    """Return the comparison of two contenders from the distribution of the first one's lead.

    ``how`` says how bets open at the end are valued.
    """
    alike = all(player.session.open_wagers == how for player in each)
    return PairComparison(
        first=each[0].name,
        second=each[1].name,
        lead=lead,
        correlation=_correlation(each, lead) if alike else None,
        open_wagers=how,
        method=each[0].session.method,
    )


def _make_sampled_session(found: SampledTable, player: int, states: int, rolls: int) -> Session:
    """Return the session of player number ``player`` at a sampled table.

    Its amounts are what the player has won.
    """
    final = found.distribution([k == player for k in range(len(found.players))])
    fan = found.fans[player][:-1]
    return Session(
        plan=Plan(bankroll=0, rolls=rolls),
        method="simulated",
        arithmetic="doubles",
        states=states,
        ruin=Fraction(0),
        goal=Fraction(0),
        stopped=Fraction(0),
        rolls=Fraction(rolls),
        final=final,
        fan=(*fan, QuantileBand(rolls, find_quantiles(final.worths, final.weights))),
        ruined=(0.0,) * (len(fan) + 1),
        seconds=0.0,
        trials=found.trials,
        errors={"mean": final.sd / math.sqrt(found.trials)},
    )


def make_closed_machine(house: House, strategy: Strategy | str) -> Machine:
    """Return a strategy's machine, completely explored. Raise ValueError if it is too large."""
    machine = make_machine(house, strategy)
    if not explore_machine(machine):
        name = machine.about.strategy
        raise ValueError(
            f"{name}: {machine.states:,} states or more, too many to compare "
            "exactly: sample them (--trials, or trials=)"
        )
    return machine


def _solve_from_zero(opened: JointOpenBets, rolls: int) -> Session:
    """Return the exact session of ``opened`` with unlimited chips.

    Its amounts are what the player has won.
    """
    arithmetic: Arithmetic | None = None if rolls <= _MAX_FRACTION_ROLLS else "doubles"
    plan = Plan(bankroll=MAX_BANKROLL, rolls=rolls)
    found = solve_session(
        opened.chain, plan, open_bets=opened.open_bets, arithmetic=arithmetic, memory=_MEMORY_MB
    )
    return msgspec.structs.replace(offset_session(found, -MAX_BANKROLL), open_wagers=opened.how)


def offset_session(found: Session, by: int) -> Session:
    """Return the same session with ``by`` cents added to the bankroll and all worths."""
    final = found.final
    plan = msgspec.structs.replace(found.plan, bankroll=found.plan.bankroll + by)
    bands = [
        msgspec.structs.replace(band, worths=tuple(worth + by for worth in band.worths))
        for band in found.fan
    ]
    worths = tuple(worth + by for worth in final.worths)
    return msgspec.structs.replace(
        found,
        plan=plan,
        fan=tuple(bands),
        final=Distribution(worths, final.weights, final.whole),
    )


def chance_above(final: Distribution, than: int = 0) -> Number:
    """Return the chance that the final worth is more than ``than`` cents."""
    above = [w for worth, w in zip(final.worths, final.weights, strict=True) if worth > than]
    return exact_ratio(sum(above), final.whole)


def _correlation(each: tuple[Contender, Contender], lead: Distribution) -> float | None:
    one, two = (player.session.final.sd for player in each)
    if not one or not two:
        return None
    return (one**2 + two**2 - lead.sd**2) / (2 * one * two)


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Return the JSON of ``passline compare``: money in dollars, exact chances as fractions."""
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "dice": str(found.dice),
        "rolls": found.rolls,
        "open": found.open_wagers,
        "method": found.method,
        **({} if found.trials is None else {"trials": found.trials, "seed": found.seed}),
        "strategies": [_contender_json(each) for each in found.contenders],
        "pairs": [_pair_json(each) for each in found.pairs],
    }


def _contender_json(each: Contender) -> dict[str, Any]:
    final = each.session.final
    hold = -each.mean_per_roll / each.handle if each.handle else None
    return {
        "strategy": each.name,
        "open": each.session.open_wagers,
        "arithmetic": each.session.arithmetic,
        "mean_float": float(final.mean) / 100,
        "sd_float": final.sd / 100,
        **exact_json(ahead=each.ahead),
        "quantiles": {str(p): final.quantile(p) / 100 for p in (5, 25, 50, 75, 95)},
        "mean_per_roll": str(each.mean_per_roll / 100),
        "handle_per_roll": None if each.handle is None else str(each.handle / 100),
        "hold": None if hold is None else str(hold),
        "sd_rate": None if each.sd_rate is None else each.sd_rate / 100,
        **_errors_json(each.session, each.ahead),
    }


def _errors_json(session: Session, ahead: Number) -> dict[str, Any]:
    """Return the standard errors of a session's mean and of the chance ``ahead`` as JSON.

    ``ahead`` is the chance of ending ahead. Return {} for an exact session.
    """
    if session.trials is None:
        return {}
    share = math.sqrt(float(ahead * (1 - ahead)) / session.trials)
    return {"standard_errors": {"mean": session.errors["mean"] / 100, "ahead": share}}


def _pair_json(each: PairComparison) -> dict[str, Any]:
    behind = 1 - each.ahead - each.tied
    return {
        "a": each.first,
        "b": each.second,
        "open": each.open_wagers,
        **exact_json(a_ahead=each.ahead, tied=each.tied, b_ahead=behind),
        "mean_lead_float": float(each.lead.mean) / 100,
        "sd_lead_float": each.lead.sd / 100,
        "correlation": None if each.correlation is None else round(each.correlation, 12),
    }
