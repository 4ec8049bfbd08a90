"""Compute how high and how low a session goes, its time to ruin and its drawdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from passline.game.dice.dice import FAIR, Dice
from passline.game.money.amounts import to_dollars
from passline.game.words.lab import say_lab
from passline.lab.bets_open_at_end import make_valued_chain
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import DEFAULT_MEMORY_MB, Machine, SavedMachine
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.results import LabResult, ResultTable, show_percent
from passline.lab.sessions.plan_and_result import END_GOAL, END_RUIN, END_STOP_LOSS, Plan, WhenShort
from passline.lab.strategy_machine import explore_machine

#: The most and fewest levels (amounts) to solve above and below the bankroll, and the chance below
#: which no further levels are solved.
_MAX_LEVELS, _MIN_LEVELS, _MIN_CHANCE = 40, 8, 1e-6
#: The most seconds for each of best, worst and drawdown; and the rolls per second of a small chain.
_MAX_SECONDS, _ROLLS_PER_SECOND = 5.0, 2e5
#: The number of sessions to sample if an exact drawdown would take too long.
DRAWDOWN_TRIALS = 20_000
#: Up to this many rolls, ruin is reported for every roll.
_MAX_REPORTED_ROLLS = 2_000

#: A level in cents, and the chance of reaching it.
Levels = tuple[tuple[int, float], ...]


class Extremes(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """How high, how low and how soon to ruin a session goes. Worths are rail plus stakes, in cents.

    ``best`` is the chance that the worth ever reaches each level, and ``worst`` that it ever falls
    to each level. ``ruined_by`` is the chance of ruin within each number of rolls. ``drawdown`` is
    the chance of a fall of at least each depth below the highest worth so far. All are exact, in
    doubles, with one exception: drawdowns deeper than ``exact_to`` (all, if it is None) are sampled
    in ``trials`` sessions with ``seed``, if exact ones would take too long or the caller set
    trials. ``trials`` and ``seed`` are None if nothing was sampled.
    """

    best: Levels
    worst: Levels
    ruined_by: tuple[tuple[int, float], ...]
    drawdown: Levels
    exact_to: int | None = None
    trials: int | None = None
    seed: int | None = None

    def drawdown_error(self, fall: int, chance: float) -> float | None:
        """Return the standard error of a drawdown's ``chance``; None if the chance is exact.

        ``fall`` is the depth of the drawdown in cents.
        """
        if self.trials is None or fall <= (self.exact_to or 0):
            return None
        return float((chance * (1 - chance) / self.trials) ** 0.5)

    def headline(self) -> str:
        """Return in one line how often and when ruin comes, and how the drawdown was computed."""
        ruined, rolls = (self.ruined_by[-1][1] if self.ruined_by else 0.0), self.mean_rolls_to_ruin
        when = "" if rolls is None else f", after {rolls:,.1f} rolls on average"
        how = "exact" if self.trials is None else f"drawdown of {self.trials:,} sampled sessions"
        return f"ruin {show_percent(ruined)}{when}; {how}"

    def to_table(self) -> ResultTable:
        """Return a table of chances: of each best and worst worth, drawdown, and roll of ruin."""
        levels = [("best", self.best), ("worst", self.worst), ("drawdown", self.drawdown)]
        records: list[tuple[str, int | None, int | None, float]] = [
            (what, worth, None, chance) for what, own in levels for worth, chance in own
        ]
        records += [("ruined by", None, roll, chance) for roll, chance in self.ruined_by]
        return ResultTable(
            {"what": "words", "worth": "money", "rolls": "count", "chance": "share"}, records
        )

    @property
    def mean_rolls_to_ruin(self) -> float | None:
        """The mean rolls of sessions that end in ruin; None if none does.

        Computed from ``ruined_by``, so in long sessions, which it reports only at some rolls, the
        mean is slightly too large.
        """
        before, added = 0.0, 0.0
        for roll, chance in self.ruined_by:
            added += roll * (chance - before)
            before = chance
        return added / before if before else None


def find_extremes(
    machine: Machine | SavedMachine,
    plan: Plan,
    *,
    dice: Dice = FAIR,
    when_short: WhenShort = "stop",
    trials: int | None = None,
    seed: int = 1,
) -> Extremes:
    """Return a session's best and worst worths, its time to ruin and its drawdowns.

    ``when_short`` says what a player does who cannot cover the bets, as for ``session``. The
    drawdown is sampled if ``trials`` is set or its chain is too large. Raise ValueError for a
    machine with too many states to explore.

    >>> from passline.lab.strategy_machine import machine
    >>> found = find_extremes(machine("new-jersey", "field"), Plan(bankroll=3000, rolls=2))
    >>> [(worth, round(chance * 36**2)) for worth, chance in found.best]
    [(4000, 616), (5000, 296), (6000, 60), (7000, 4)]
    """
    if isinstance(machine, Machine):
        explore_machine(machine)
    if not machine.closed:
        raise ValueError(say_lab("extremes-unexplored", states=machine.states))
    short_from = plan.bankroll if when_short == "reduce" else None
    chain, _, _, reduced = make_valued_chain(machine, "stake", dice, short_from)
    drawn, whole = ((), False) if trials else _solve_drawdowns(chain, plan, reduced)
    exact_to = drawn[-1][0] if drawn else None
    if not whole:
        trials = trials or DRAWDOWN_TRIALS
        sampled = _sample_drawdowns(chain, plan, reduced, trials, seed)
        drawn += _thin_levels(tuple(level for level in sampled if level[0] > (exact_to or 0)))
    return Extremes(
        best=tuple(_solve_levels(chain, plan, reduced, up=True)),
        worst=tuple(_solve_levels(chain, plan, reduced, up=False)),
        ruined_by=tuple((roll, end[END_RUIN]) for roll, end in ends_by_roll(chain, plan, reduced)),
        drawdown=drawn,
        exact_to=exact_to,
        trials=trials,
        seed=seed if trials else None,
    )


def _solve_drawdowns(
    chain: Chain, plan: Plan, reduced: ReducedBetStates | None
) -> tuple[Levels, bool]:
    """Return (drawdowns, complete): pairs of depth in cents and chance, from the shallowest.

    ``complete`` is whether all depths could be solved.
    """
    from passline.lab.exact.bankroll_evolution import ShortBankrollTransfer
    from passline.lab.exact.bankroll_grid import build_grid
    from passline.lab.exact.drawdown import (
        estimate_drawdown,
        find_deepest_drawdown,
        find_drawdown_chance,
    )

    steps = build_grid(chain, plan)
    transfer = None if reduced is None else ShortBankrollTransfer(steps, reduced, plan.bankroll)
    most = min(_likely_maximum(chain, plan) // steps.unit, find_deepest_drawdown(steps))
    depths = sorted(
        {max(round(most * (k / _MAX_LEVELS) ** 2), 1) for k in range(1, _MAX_LEVELS + 1)}
    )
    found: list[tuple[int, float]] = []
    spent = 0.0
    for depth in depths:
        cost = estimate_drawdown(steps, plan.rolls, depth)
        spent += cost.seconds
        if spent > _MAX_SECONDS or cost.size > DEFAULT_MEMORY_MB * 2**20:
            return tuple(found), False
        chance = find_drawdown_chance(steps, plan.rolls, depth, transfer)
        if chance < _MIN_CHANCE:
            break
        found.append((depth * steps.unit, chance))
    return tuple(found), True


def _sample_drawdowns(
    chain: Chain, plan: Plan, reduced: ReducedBetStates | None, trials: int, seed: int
) -> Levels:
    from passline.lab.simulation.path_extremes import sample_extremes

    fallen = sample_extremes(chain, plan, trials, seed, reduced).drawdown
    levels = sorted({int(fall) for fall in fallen if fall})
    return tuple((level, float((fallen >= level).mean())) for level in levels)


def _solve_levels(
    chain: Chain, plan: Plan, reduced: ReducedBetStates | None, up: bool
) -> Iterator[tuple[int, float]]:
    """Yield (worth in cents, chance that a session ever reaches it), starting near the bankroll.

    Worths are above the bankroll with ``up``, and below it otherwise.
    """
    from passline.lab.exact.bankroll_grid import build_grid, estimate_doubles

    steps = build_grid(chain, plan)
    unit = steps.unit
    far = plan.stop_win if up else plan.stop_loss
    most = far or (plan.bankroll if not up else _likely_maximum(chain, plan))
    cost = max(estimate_doubles(steps, plan.rolls).seconds, plan.rolls / _ROLLS_PER_SECOND)
    levels = min(max(int(_MAX_SECONDS / cost), _MIN_LEVELS), _MAX_LEVELS)
    step = max(-(-most // (levels * unit)), 1) * unit
    for away in range(step, most + 1, step):
        stop = {"stop_win": away} if up else {"stop_loss": away}
        *_, (_, ended) = ends_by_roll(chain, replace(plan, **stop), reduced)
        chance = ended[END_GOAL if up else END_STOP_LOSS]
        if chance < _MIN_CHANCE:
            return
        yield plan.bankroll + (away if up else -away), chance


def _likely_maximum(chain: Chain, plan: Plan) -> int:
    """Return how far (cents) a session is likely to rise: five standard deviations of its rolls.

    Return the largest win of one roll if that is more.
    """
    from passline.lab.exact.long_run import solve_long_run

    widest = max(arc.money for arcs in chain.arcs for arc in arcs)
    return max(int(5 * solve_long_run(chain).sd * plan.rolls**0.5), widest)


def ends_by_roll(
    chain: Chain, plan: Plan, reduced: ReducedBetStates | None = None
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yield (rolls, shares): how likely a session has ended within so many rolls.

    ``shares`` are the chances that it has ended in ruin, at the goal and at the loss limit. Every
    roll is reported, or in a long plan every k-th (k = plan.rolls // _MAX_REPORTED_ROLLS). The last
    one is the plan's last roll, or an earlier one after which almost no session goes on.
    """
    from passline.lab.exact.bankroll_evolution import BankrollEvolution, ShortBankrollTransfer
    from passline.lab.exact.bankroll_grid import build_grid

    steps, room = build_grid(chain, plan), DEFAULT_MEMORY_MB * 2**20
    transfer = None if reduced is None else ShortBankrollTransfer(steps, reduced, plan.bankroll)
    evolution = BankrollEvolution(
        steps, plan.rolls, is_exact=False, memory_limit=room, transfer=transfer
    )
    every = max(plan.rolls // _MAX_REPORTED_ROLLS, 1)
    over = False
    while not over:
        if every > 1 and evolution.can_batch_rolls:
            evolution.roll_many(min(every, plan.rolls - evolution.rolled), [])
        else:
            evolution.roll()
        over = evolution.rolled == plan.rolls or evolution.is_over
        if evolution.rolled % every == 0 or over:
            ended = tuple(min(float(end), 1.0) for end in evolution.ended())
            yield evolution.rolled, ended
            over = over or sum(ended) > 1 - _MIN_CHANCE**2


def _thin_levels(levels: Levels) -> Levels:
    """Return about forty of the levels, including the last."""
    every = max(len(levels) // _MAX_LEVELS, 1)
    return levels[::-every][::-1]


def extremes_json(found: Extremes) -> dict[str, Any]:
    """Return the field ``extremes`` of ``passline session --extremes --json``."""

    def level_json(levels: Levels, word: str) -> list[dict[str, Any]]:
        return [{word: to_dollars(cents), "chance": chance} for cents, chance in levels]

    drawdown = level_json(found.drawdown, "at_least")
    for each, level in zip(drawdown, found.drawdown, strict=True):
        each["standard_error"] = found.drawdown_error(*level)
    sampled = found.trials is not None
    return {
        "method": "exact, in doubles" + ("; drawdown: simulated in part" if sampled else ""),
        "best": level_json(found.best, "at_least"),
        "worst": level_json(found.worst, "at_most"),
        "ruined_by": [{"roll": roll, "chance": chance} for roll, chance in found.ruined_by],
        "mean_rolls_to_ruin": found.mean_rolls_to_ruin,
        "drawdown": drawdown,
        "drawdown_exact_to": None if found.exact_to is None else to_dollars(found.exact_to),
        "drawdown_trials": found.trials,
        "drawdown_seed": found.seed,
    }
