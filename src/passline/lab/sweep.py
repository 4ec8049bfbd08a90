"""Sweep a strategy's parameters: solve a session for every combination, and find the best ones.

Amounts of a session are in cents. Values of the strategy's own parameters are passed unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.money.amounts import show_dollars, show_money, to_dollars
from passline.game.words.lab import say_lab
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.compare import chance_above
from passline.lab.exact.bankroll_grid import build_grid, find_roll_deviation
from passline.lab.exact.drawdown import estimate_drawdown, find_drawdown_chance
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.machine import DEFAULT_MEMORY_MB, Machine
from passline.lab.results import (
    ColumnKind,
    LabResult,
    ResultTable,
    make_columns,
    show_percent,
)
from passline.lab.run_session import session
from passline.lab.sessions.distribution import Number
from passline.lab.sessions.plan_and_result import (
    END_GOAL,
    END_RUIN,
    MAX_COUNT,
    MIN_TRIALS,
    Plan,
    Session,
    SessionTooLargeError,
    check_plan,
    format_exact,
)
from passline.lab.simulate import check_number
from passline.lab.simulation.same_rolls import SampledTrials, sample_on_same_rolls
from passline.lab.simulation.seeds import draw_seed
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.parameters import ParameterValue
from passline.lab.strategy_machine import explore_before_play, make_machine

#: What a varied name may be set to; None is for a stop that is not set.
Value = ParameterValue | None
#: The parameters of the session. All other names are the strategy's.
SESSION_NAMES = ("bankroll", "rolls", "stop_win", "stop_loss")
MONEY_NAMES = ("bankroll", "stop_win", "stop_loss")
#: The most combinations, and the sessions that are sampled for each by default.
MAX_COMBINATIONS, DEFAULT_TRIALS = 400, 20_000
#: ``drawdown`` is the fall that this share of the sessions reach.
DRAWDOWN_SHARE = 0.1
#: The most seconds for an exact session and for an exact drawdown, and the most sampled rolls.
_MAX_SESSION_SECONDS, _MAX_DRAWDOWN_SECONDS, _MAX_SAMPLED_ROLLS = 60.0, 20.0, 10**9
#: Figures are compared to this many digits, so that rounding makes no combination better.
_DIGITS = 10


class Criterion(NamedTuple):
    """A figure by which combinations are compared, such as the mean or the chance of ruin.

    ``sign`` is 1 if more is better, and -1 if less is.
    """

    sign: int
    kind: ColumnKind
    words: str


#: The criteria by name.
CRITERIA = {
    "mean": Criterion(1, "money", "what a session wins on average"),
    "ruin": Criterion(-1, "share", "the chance that the rail does not cover the next bets"),
    "drawdown": Criterion(
        -1, "money", "the fall below the highest worth so far that one session in ten reaches"
    ),
    "sd": Criterion(-1, "money", "the standard deviation of the final worth"),
    "ahead": Criterion(1, "share", "the chance to end with more than the bankroll"),
    "goal": Criterion(1, "share", "the chance to leave at the win stop"),
}


class Combination(msgspec.Struct, frozen=True, kw_only=True):
    """One combination of parameter values, with its figures by criterion.

    Amounts are in cents. ``errors`` has the standard errors of the figures that were sampled.
    ``beaten_by`` is the number (from 1) of a combination that is at least as good on every
    criterion and better on one; None if no other beats it.
    """

    number: int
    values: dict[str, Value]
    figures: dict[str, Number]
    errors: dict[str, float]
    method: str
    states: int
    beaten_by: int | None = None


class SweepResult(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The combinations of a sweep in order, each with the figures of its session.

    ``trials`` and ``seed`` are None if all figures are exact. ``total`` is the number of
    combinations; there are fewer in ``combinations`` if Ctrl-C ended the work (``interrupted``).
    """

    house: House
    dice: Dice
    strategy: str
    vary: dict[str, tuple[Value, ...]]
    fixed: dict[str, Value]
    against: tuple[str, ...]
    combinations: tuple[Combination, ...]
    total: int
    trials: int | None = None
    seed: int | None = None
    interrupted: bool = False

    @property
    def frontier(self) -> tuple[Combination, ...]:
        """The combinations that no other beats, the best by the first criterion first."""
        first = self.against[0]
        own = [each for each in self.combinations if each.beaten_by is None]
        sign = CRITERIA[first].sign
        return tuple(sorted(own, key=lambda each: -sign * each.figures[first]))

    @property
    def method(self) -> Literal["exact", "simulated"]:
        """Whether all figures are exact: "exact" if they are, else "simulated"."""
        return "exact" if self.trials is None else "simulated"

    def headline(self) -> str:
        """Return one line: how many combinations no other beats, and the best of these.

        The best is that by the first criterion.
        """
        best, first = self.frontier[0], self.against[0]
        return (
            f"{self.strategy}: {len(self.frontier)} of {len(self.combinations)} combinations "
            f"not beaten on {join_words(self.against)}; best {first}: "
            f"{describe_values(best.values)}, {show_figure(first, best.figures[first])}; "
            f"{self.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of all combinations: their figures, and a combination that beats each."""
        columns = make_columns(combination="count")
        columns.update((name, "words") for name in self.vary)
        columns.update((name, CRITERIA[name].kind) for name in self.against)
        columns["beaten_by"] = "count"
        records = [
            (
                each.number,
                *(show_value(name, each.values[name]) for name in self.vary),
                *(each.figures[name] for name in self.against),
                each.beaten_by,
            )
            for each in self.combinations
        ]
        return ResultTable(columns, records, x_column="combination", y_column=self.against[0])


def sweep(
    house: House | str,
    strategy: Strategy | str,
    *,
    vary: Mapping[str, Sequence[Value]],
    against: Sequence[str] = ("mean", "ruin", "drawdown"),
    bankroll: int | None = None,
    rolls: int | None = None,
    stop_win: int | None = None,
    stop_loss: int | None = None,
    trials: int | None = None,
    seed: int | None = None,
    dice: Dice = FAIR,
    watch: Callable[[int, int], None] | None = None,
) -> SweepResult:
    """Return the sessions of every combination of the values in ``vary``, and the best of them.

    A name in ``vary`` is a keyword argument of the strategy function, such as ``unit``, or one of
    ``bankroll``, ``rolls``, ``stop_win`` and ``stop_loss`` (amounts in cents; None means no stop).
    The four arguments with these names hold for all combinations. ``against`` are the criteria,
    keys of ``CRITERIA``. Bets open at the end are played out.

    A combination is solved exactly if a minute is enough, and otherwise sampled; with ``trials``,
    all are sampled. Sampled combinations see the same rolls. ``watch`` is called with the
    combinations done and to do. Ctrl-C keeps those that are done. Raise ValueError for input that
    makes no sense.

    >>> found = sweep("iowa", "field", vary={"unit": [5, 10]}, against=["mean"], bankroll=2000,
    ...     rolls=1)
    >>> [each.figures["mean"] for each in found.combinations], found.frontier[0].values
    ([Fraction(-250, 9), Fraction(-500, 9)], {'unit': 5})
    """
    dealt = as_house(house)
    base = {"bankroll": bankroll, "rolls": rolls, "stop_win": stop_win, "stop_loss": stop_loss}
    values = {name: tuple(dict.fromkeys(each)) for name, each in vary.items()}
    criteria = tuple(dict.fromkeys(against))
    _check_input(values, criteria, base)
    if trials is not None:
        check_number("trials", trials, MIN_TRIALS, MAX_COUNT)
    chosen = draw_seed() if seed is None else seed
    solver = _Solver(criteria, dice, trials, chosen)
    total = math.prod(map(len, values.values()))
    found: list[Combination] = []
    interrupted = False
    try:
        for each in _solve_all(dealt, strategy, values, base, solver):
            found.append(each)
            if watch is not None:
                watch(len(found), total)
    except KeyboardInterrupt:
        if not found:
            raise
        interrupted = True
    found.sort(key=lambda each: each.number)
    sampled = any(each.errors for each in found)
    return SweepResult(
        house=dealt,
        dice=dice,
        strategy=strategy if isinstance(strategy, str) else _name_function(strategy),
        vary=values,
        fixed={name: value for name, value in base.items() if name not in values},
        against=criteria,
        combinations=tuple(_mark_beaten(found, criteria)),
        total=total,
        trials=solver.trials if sampled else None,
        seed=chosen if sampled else None,
        interrupted=interrupted,
    )


def _name_function(strategy: Strategy) -> str:
    return str(getattr(strategy, "__name__", "the strategy"))


def _check_input(
    values: Mapping[str, tuple[Value, ...]], criteria: tuple[str, ...], base: Mapping[str, Value]
) -> None:
    if not values or not all(values.values()):
        raise ValueError(say_lab("sweep-nothing"))
    if not criteria:
        raise ValueError(say_lab("sweep-no-criterion", known=", ".join(CRITERIA)))
    for name in criteria:
        if name not in CRITERIA:
            raise ValueError(say_lab("sweep-criterion", name=name, known=", ".join(CRITERIA)))
    for name in ("bankroll", "rolls"):
        if name not in values and base[name] is None:
            raise ValueError(say_lab("sweep-needs", name=name))
    if "goal" in criteria and "stop_win" not in values and base["stop_win"] is None:
        raise ValueError(say_lab("sweep-goal"))
    count = math.prod(map(len, values.values()))
    if count > MAX_COMBINATIONS:
        raise ValueError(say_lab("sweep-too-many", count=count, most=MAX_COMBINATIONS))


def _solve_all(
    house: House,
    strategy: Strategy | str,
    values: Mapping[str, tuple[Value, ...]],
    base: Mapping[str, int | None],
    solver: _Solver,
) -> Iterator[Combination]:
    """Yield the combinations, solved. Those with the same strategy parameters share a machine.

    So they do not always come in the order of their numbers. ``values`` has the varied values by
    name, and ``base`` the session's other parameters.
    """
    numbered = [
        (number, dict(zip(values, each, strict=True)))
        for number, each in enumerate(product(*values.values()), 1)
    ]
    plans: dict[int, Plan] = {}
    for number, each in numbered:
        own = {**base, **{name: each[name] for name in SESSION_NAMES if name in each}}
        plans[number] = plan = msgspec.convert(own, Plan)
        check_plan(plan)
    groups: dict[tuple[Value, ...], list[tuple[int, dict[str, Value]]]] = {}
    names = [name for name in values if name not in SESSION_NAMES]
    for number, each in numbered:
        groups.setdefault(tuple(each[name] for name in names), []).append((number, each))
    for key, group in groups.items():
        own_values: dict[str, Any] = dict(zip(names, key, strict=True))
        machine = make_machine(house, strategy, parameters=own_values)
        for number, each in group:
            figures, errors, method = solver.solve(machine, plans[number])
            yield Combination(
                number=number,
                values=each,
                figures=figures,
                errors=errors,
                method=method,
                states=machine.states,
            )


class _Solver:
    """Finds the figures of a combination of parameters: exact, or else from sampled sessions.

    With ``trials`` (the number of sessions), all figures are sampled.
    """

    def __init__(
        self, criteria: tuple[str, ...], dice: Dice, trials: int | None, seed: int
    ) -> None:
        self.criteria, self.dice, self.seed = criteria, dice, seed
        self.exact, self.trials = trials is None, trials or DEFAULT_TRIALS

    def solve(
        self, machine: Machine, plan: Plan
    ) -> tuple[dict[str, Number], dict[str, float], str]:
        """Return (figures, errors, method) of one session of a machine's strategy.

        ``figures`` are by criterion, and ``errors`` are the standard errors of those that are
        sampled. Raise ValueError if there are too many rolls to sample.
        """
        explore_before_play(machine)
        exact = self._solve_exact(machine, plan) if self.exact and machine.is_small else None
        figures: dict[str, Number] = {}
        if exact is not None:
            figures = {
                name: _exact_figure(name, exact) for name in self.criteria if name != "drawdown"
            }
            if "drawdown" in self.criteria:
                fall = find_drawdown_quantile(machine, plan, self.dice)
                figures |= {} if fall is None else {"drawdown": fall}
        left = [name for name in self.criteria if name not in figures]
        if not left:
            return self._sorted(figures), {}, "exact"
        if plan.rolls * self.trials > _MAX_SAMPLED_ROLLS:
            raise ValueError(say_lab("sweep-too-long", rolls=plan.rolls, trials=self.trials))
        played = sample_on_same_rolls(machine, plan, self.dice, self.trials, self.seed)
        sampled = {name: _sampled_figure(name, played, plan) for name in left}
        figures |= {name: figure for name, (figure, _) in sampled.items()}
        errors = {name: error for name, (_, error) in sampled.items()}
        return (
            self._sorted(figures),
            errors,
            "simulated" if exact is None else "exact; drawdown: simulated",
        )

    def _sorted(self, figures: dict[str, Number]) -> dict[str, Number]:
        return {name: figures[name] for name in self.criteria}

    def _solve_exact(self, machine: Machine, plan: Plan) -> Session | None:
        """Return the exact session; None if it would take too long or too much memory.

        Raise KeyboardInterrupt if Ctrl-C cut it short.
        """
        try:
            found = session(machine, plan, dice=self.dice, longest=_MAX_SESSION_SECONDS)
        except SessionTooLargeError:
            return None
        if found.interrupted:
            raise KeyboardInterrupt
        return found


def _exact_figure(name: str, found: Session) -> Number:
    final, bankroll = found.final, found.plan.bankroll
    if name == "mean":
        return final.mean - bankroll
    if name == "ahead":
        return chance_above(final, bankroll)
    return final.sd if name == "sd" else found.ruin if name == "ruin" else found.goal


def find_drawdown_quantile(machine: Machine, plan: Plan, dice: Dice = FAIR) -> int | None:
    """Return the largest fall in cents that at least DRAWDOWN_SHARE of the sessions reach.

    A fall is measured from the highest worth so far, bets at their stake. Return None if it would
    take too long to compute.
    """
    grid = build_grid(make_valued_chain(machine, "stake", dice).chain, plan)
    spent = 0.0

    def is_reached(depth: int) -> bool | None:
        nonlocal spent
        cost = estimate_drawdown(grid, plan.rolls, depth)
        spent += cost.seconds
        if spent > _MAX_DRAWDOWN_SECONDS or cost.size > DEFAULT_MEMORY_MB * 2**20:
            return None
        return find_drawdown_chance(grid, plan.rolls, depth) >= DRAWDOWN_SHARE

    low, high = 0, max(int(find_roll_deviation(grid) * plan.rolls**0.5), 1)
    while reached := is_reached(high):
        low, high = high, 2 * high
    while reached is not None and high - low > 1:
        middle = (low + high) // 2
        reached = is_reached(middle)
        low, high = (middle, high) if reached else (low, middle)
    return None if reached is None else low * grid.unit


def _sampled_figure(name: str, played: SampledTrials, plan: Plan) -> tuple[Number, float]:
    """Return the figure ``name``, such as "ruin", of sampled sessions, and its standard error."""
    trials = len(played.final)
    if name == "drawdown":
        return _find_sampled_quantile(played.drawdown)
    won = (played.final - plan.bankroll).astype(np.float64)
    if name in ("mean", "sd"):
        mean, sd = float(won.mean()), float(won.std())
        if name == "mean":
            return Fraction(int((played.final - plan.bankroll).sum()), trials), sd / trials**0.5
        fourth = float(((won - mean) ** 4).mean())
        return sd, math.sqrt(max(fourth - sd**4, 0) / trials) / (2 * sd) if sd else 0.0
    are = {
        "ruin": played.ends == END_RUIN,
        "goal": played.ends == END_GOAL,
        "ahead": won > 0,
    }[name]
    count = int(are.sum())
    # One more of either kind, so that the error of a share of 0 is not 0.
    likely = (count + 1) / (trials + 2)
    return Fraction(count, trials), math.sqrt(likely * (1 - likely) / trials)


def _find_sampled_quantile(falls: IntArray) -> tuple[int, float]:
    """Return the largest fall that DRAWDOWN_SHARE of the trials reach, and its standard error.

    The error is estimated from the sorted falls next to it.
    """
    ranked, trials = np.sort(falls)[::-1], len(falls)
    off = math.sqrt(DRAWDOWN_SHARE * (1 - DRAWDOWN_SHARE) / trials)

    def at(share: float) -> int:
        return int(ranked[min(max(math.ceil(share * trials) - 1, 0), trials - 1)])

    return at(DRAWDOWN_SHARE), (at(DRAWDOWN_SHARE - off) - at(DRAWDOWN_SHARE + off)) / 2


def _mark_beaten(found: list[Combination], criteria: tuple[str, ...]) -> Iterator[Combination]:
    """Yield each combination with ``beaten_by`` set to an unbeaten one that beats it, or None."""
    scores = {each.number: _score(each, criteria) for each in found}
    beaten = {
        each.number: [
            other.number for other in found if _beats(scores[other.number], scores[each.number])
        ]
        for each in found
    }
    for each in found:
        unbeaten = (number for number in beaten[each.number] if not beaten[number])
        yield msgspec.structs.replace(each, beaten_by=next(unbeaten, None))


def _score(each: Combination, criteria: tuple[str, ...]) -> tuple[float, ...]:
    """Return a combination's figures, signed so that more is better, without rounding errors."""
    return tuple(
        CRITERIA[name].sign * float(f"{float(each.figures[name]):.{_DIGITS}g}") for name in criteria
    )


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def join_words(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> join_words(["mean", "ruin", "drawdown"]), join_words(["mean"])
    ('mean, ruin and drawdown', 'mean')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def show_value(name: str, value: Value) -> str:
    """Return a varied value as text. Cents of the session are shown as dollars, None as "none".

    >>> show_value("stop_win", 5000), show_value("stop_win", None), show_value("unit", 5)
    ('$50', 'none', '5')
    """
    if value is None:
        return "none"
    if name in MONEY_NAMES and isinstance(value, int):
        return show_dollars(value)
    return str(value)


def describe_values(values: Mapping[str, Value]) -> str:
    """Return a combination's values in words."""
    return ", ".join(f"{name} {show_value(name, value)}" for name, value in values.items())


def show_figure(name: str, figure: Number) -> str:
    """Return a figure as text: amounts in dollars, chances in percent."""
    if CRITERIA[name].kind == "money":
        return show_money(figure, plus=name == "mean")
    return show_percent(figure)


def sweep_json(found: SweepResult) -> dict[str, Any]:
    """Return the JSON of ``passline sweep``: amounts in dollars as decimal strings."""
    sampled = {} if found.trials is None else {"trials": found.trials, "seed": found.seed}
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "strategy": found.strategy,
        "vary": {
            name: [_value_json(name, value) for value in values]
            for name, values in found.vary.items()
        },
        **{name: _value_json(name, value) for name, value in found.fixed.items()},
        "against": list(found.against),
        "method": found.method,
        **sampled,
        "frontier": [each.number for each in found.frontier],
        "combinations": [_combination_json(each) for each in found.combinations],
        "total": found.total,
        "interrupted": found.interrupted,
    }


def _value_json(name: str, value: Value) -> Value:
    if name in MONEY_NAMES and isinstance(value, int):
        return to_dollars(value)
    return value


def _combination_json(each: Combination) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    errors: dict[str, float] = {}
    for name, figure in each.figures.items():
        if CRITERIA[name].kind == "money":
            figures |= {name: to_dollars(round(figure)), f"{name}_float": float(figure) / 100}
        else:
            figures |= {name: format_exact(figure), f"{name}_float": float(figure)}
        if name in each.errors:
            errors[name] = each.errors[name] / (100 if CRITERIA[name].kind == "money" else 1)
    return {
        "number": each.number,
        "values": {name: _value_json(name, value) for name, value in each.values.items()},
        **figures,
        "method": each.method,
        **({"standard_errors": errors} if errors else {}),
        "beaten_by": each.beaten_by,
        "states": each.states,
    }
