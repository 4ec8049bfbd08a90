"""Sample sessions with random dice: an estimate of what ``exact.solve_session`` computes.

A player's worth is the chips in the rail plus the bets that are up. Before each roll, and once more
after the last, a session checks in this order: a worth at the goal ends it as a win, a worth at the
loss limit ends it as a loss, and a worth that does not cover the next bets is ruin. All other
sessions roll on. Worths are counted separately for each combination of open bets (a kind), so that
open bets can be valued at the end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.bettor import StrategyError
from passline.lab.sessions.distribution import (
    AT_STAKE,
    Distribution,
    PlayOutOutcomes,
    QuantileBand,
    Worth,
    find_quantiles,
)
from passline.lab.sessions.plan_and_result import (
    EARLY_ENDS,
    END_GOAL,
    END_RUIN,
    END_STOP_LOSS,
    MIN_TRIALS,
    Plan,
    ProgressCallback,
    SampledSession,
    choose_checkpoints,
)
from passline.lab.simulation.transition_tables import MachineRestarted, Playable, TransitionRows
from passline.lab.simulation.trials import (
    KIND_BITS,
    UNREACHABLE,
    ReducedBetJob,
    TrialEnds,
    TrialJob,
    TrialSet,
    count_started,
    make_job,
    make_key,
    play_reduced_bet_trials,
    play_trials,
    split_trials,
    truncate_outcome,
    truncate_set,
)
from passline.lab.simulation.workers import Workers, WorkersLost, WorkPlan, open_workers, run_work

if TYPE_CHECKING:
    from passline.lab.machines.reduced_bets import ReducedBetStates

#: Returns the outcomes of the open bets for each of these kinds (groups of states with equal bets).
OpenBetValuer = Callable[[Iterable[int]], Mapping[int, PlayOutOutcomes]]
#: Returns the worth in cents below which a ruined player is broke, for each of these kinds.
BrokeLimits = Callable[[Iterable[int]], Mapping[int, int]]
#: The most keys that are collected before equal ones are merged.
_MAX_KEYS = 2**20


def value_at_stake(kinds: Iterable[int]) -> Mapping[int, PlayOutOutcomes]:
    """Return a dict that values open bets at their stake: AT_STAKE for each number in ``kinds``.

    A kind is the number of a group of states with the same open bets.
    """
    return dict.fromkeys(kinds, AT_STAKE)


class KeyCounts:
    """How many trials had each key at one checkpoint.

    A key is one integer that combines the worth with a number for the open bets (the kind).
    """

    def __init__(self) -> None:
        self._parts: list[tuple[IntArray, IntArray]] = []
        self._size = 0

    def add(self, keys: IntArray, many: IntArray) -> None:
        """Add ``many[i]`` trials for ``keys[i]``. A key combines worth and kind of open bets."""
        self._parts.append((keys, many))
        self._size += len(keys)
        if self._size > _MAX_KEYS:
            # The list may double in size before it is merged again.
            self._size = len(self.counted()[0]) // 2

    def counted(self) -> tuple[IntArray, IntArray]:
        """Return (keys, counts): the distinct keys in rising order, and how many trials had each.

        A key combines the worth with the kind of open bets.
        """
        if len(self._parts) != 1:
            from passline.lab.simulation.session_kernels import count_keys

            keys, many = map(np.concatenate, zip(*self._parts, strict=True))
            slots, counts = np.zeros((2, 2 ** len(keys).bit_length()), np.int64)
            count_keys(keys, many, slots, counts)
            taken = np.flatnonzero(counts)
            taken = taken[np.argsort(slots[taken])]
            self._parts = [(slots[taken], counts[taken])]
        return self._parts[0]

    def kinds(self) -> set[int]:
        """Return the numbers (kinds) of the open bets that trials had at this checkpoint."""
        return set(np.unique(self.counted()[0] & (2**KIND_BITS - 1)).tolist())

    def count_between(self, above: int, below: int, broke_limits: BrokeLimits) -> int:
        """Count the trials with a worth between two bounds and below their broke limit.

        The bounds ``above`` and ``below`` are excluded. ``broke_limits`` returns, for kinds of open
        bets, the worth in cents below which a player can make no bet.
        """
        keys, many = self.counted()
        limits = broke_limits(self.kinds())
        kinds, worths = keys & (2**KIND_BITS - 1), keys >> KIND_BITS
        own = np.array([min(limits[int(kind)], below) for kind in kinds], np.int64)
        return int(many[(worths > above) & (worths < own)].sum())

    def value(
        self, open_bets: OpenBetValues, rng: np.random.Generator, trials: int
    ) -> Distribution:
        """Return the distribution of worths, with a random outcome for each trial's open bets.

        ``open_bets`` has their outcomes. ``trials`` is the number of all trials, the total weight
        of the distribution.
        """
        keys, many = self.counted()
        of = open_bets.distribution_index[keys & (2**KIND_BITS - 1)]
        order = np.argsort(of, kind="stable")
        cuts = np.flatnonzero(np.diff(of[order])) + 1
        worths, counts = [], []
        # Kinds are numbers of states, and a machine that grows numbers its states in the order in
        # which they are found. So trials draw in an order that does not depend on these numbers.
        for trial_set in np.split(order, cuts):
            changes, chances = open_bets.ways[of[trial_set[0]]]
            here, drawing = sum_by_key(keys[trial_set] >> KIND_BITS, many[trial_set])
            here = here.astype(changes.dtype) * open_bets.times
            if len(changes) == 1:
                worths.append(here + changes[0])
                counts.append(drawing)
                continue
            shares = rng.multinomial(drawing, chances)
            there = shares > 0
            worths.append((here[:, None] + changes)[there])
            counts.append(shares[there])
        found, added = sum_by_key(np.concatenate(worths), np.concatenate(counts))
        exact: list[Worth] = found.tolist()
        if open_bets.times > 1:
            exact = [Fraction(worth, open_bets.times) for worth in exact]
        return Distribution(tuple(exact), tuple(added.tolist()), trials)


class OpenBetValues:
    """The outcomes of open bets as arrays.

    States with the same open bets are of one kind. ``ways`` lists the distinct distributions:
    changes of worth in 1/``times`` cents, and their probabilities. ``distribution_index[kind]`` is
    the index of a kind's distribution.
    """

    def __init__(self, open_bets: Mapping[int, PlayOutOutcomes]) -> None:
        distinct = sorted(set(open_bets.values()))
        numbers = {outcomes: place for place, outcomes in enumerate(distinct)}
        self.distribution_index = np.zeros(max(open_bets) + 1, np.int64)
        for kind, outcomes in open_bets.items():
            self.distribution_index[kind] = numbers[outcomes]
        self.times = math.lcm(*(change.denominator for ways in numbers for change, _ in ways))
        dtype = object if self.times > 1 else np.int64
        self.ways = []
        for ways in numbers:
            changes = np.array([int(change * self.times) for change, _ in ways], dtype)
            self.ways.append((changes, [float(chance) for _, chance in ways]))


def sum_by_key(keys: Any, many: Any) -> tuple[Any, Any]:
    """Return (keys, sums): the distinct keys in ascending order, and the sum of ``many`` for each.

    >>> [part.tolist() for part in sum_by_key(np.array([7, 5, 7]), np.array([1, 2, 3]))]
    [[5, 7], [2, 4]]
    """
    order = np.argsort(keys, kind="stable")
    sorted_ = keys[order]
    first = np.flatnonzero(np.append(True, sorted_[1:] != sorted_[:-1]))
    return sorted_[first], np.add.reduceat(many[order], first)


class TrialTally:
    """The sums of the results of all trials so far.

    ``opening`` is the kind of open bets in the first state. ``checkpoints`` are the numbers of
    rolls after which worths are recorded; the default is those of the plan.
    """

    def __init__(self, plan: Plan, opening: int, checkpoints: tuple[int, ...] = ()) -> None:
        self.plan, self.opening = plan, opening
        self.checkpoints = checkpoints or choose_checkpoints(plan.rolls)
        self.trials, self.extremes = 0, True
        #: The results of the first sets, which are counted again if the run is soon interrupted.
        self.first: list[TrialEnds] = []
        self.ended = [0, 0, 0, 0]
        #: How many trials ever had to reduce a bet; None if bets are not reduced.
        self.ever_short: int | None = None
        self.rolls = self.rolls_squared = self.highest = self.lowest = 0
        self.ruined = np.zeros(len(self.checkpoints), np.int64)
        self.worths = [KeyCounts() for _ in self.checkpoints]

    def add(self, outcome: TrialEnds) -> None:
        """Add the results of a set of trials to the sums."""
        from passline.lab.simulation import session_kernels as loops

        ends, worths = outcome
        sums, fell = np.zeros(loops.SUM_COUNT, np.int64), np.zeros(len(self.checkpoints), np.int64)
        loops.sum_ends(ends, END_RUIN, np.array(self.checkpoints), sums, fell)
        self.trials += len(ends)
        self.ended = [so_far + int(more) for so_far, more in zip(self.ended, sums, strict=False)]
        self.rolls += int(sums[loops.ROLL_SUM])
        squares, longest = int(sums[loops.SQUARED_ROLL_SUM]), int(sums[loops.MOST_ROLLS])
        if longest**2 * len(ends) >= 2**63:
            squares = int((ends[:, 1].astype(object) ** 2).sum())
        self.rolls_squared += squares
        self.highest += int(sums[loops.HIGH_SUM])
        self.lowest += int(sums[loops.LOW_SUM])
        if ends.shape[1] > 4:
            self.ever_short = (self.ever_short or 0) + int(ends[:, 4].sum())
        self.ruined += fell
        began = np.array([make_key(self.plan.bankroll, self.opening)])
        self.worths[0].add(began, np.array([len(ends)]))
        for checkpoint, (keys, many) in zip(self.worths[1:], worths, strict=True):
            checkpoint.add(keys, many)

    def share(self, end: int) -> Fraction:
        """Return the share of trials that ended with the end code ``end``, such as END_RUIN."""
        return Fraction(self.ended[end], self.trials)

    def broke(self, broke_limits: BrokeLimits) -> Fraction:
        """Return the share of trials that ended broke: no bets up, and less than any bet costs.

        ``broke_limits`` returns, for kinds of open bets, the worth in cents below which a player is
        broke.
        """
        goal = UNREACHABLE if self.plan.goal is None else self.plan.goal
        floor = -UNREACHABLE if self.plan.floor is None else self.plan.floor
        return Fraction(self.worths[-1].count_between(floor, goal, broke_limits), self.trials)

    def errors(self, final: Distribution, extra_shares: dict[str, Fraction]) -> dict[str, float]:
        """Return a dict of standard errors: of the mean worth, the mean rolls and the shares.

        ``final`` is the distribution of final worths. The shares are those of the early ends and
        ``extra_shares``. Errors that are 0 are left out, and the dict is empty with fewer than
        MIN_TRIALS trials.
        """
        if self.trials < MIN_TRIALS:
            return {}
        squares = self.rolls_squared * self.trials - self.rolls**2
        found = {
            "mean": final.sd / math.sqrt(self.trials - 1),
            "rolls": math.sqrt(squares / (self.trials - 1)) / self.trials,
        }
        shares = {word: self.share(kind) for kind, word in enumerate(EARLY_ENDS)}
        for word, exactly in (shares | extra_shares).items():
            share = float(exactly)
            found[word] = math.sqrt(share * (1 - share) / (self.trials - 1))
        return {word: error for word, error in found.items() if error}

    def value(self, open_bets: OpenBetValuer, seed: int) -> list[Distribution]:
        """Return the worths' distribution at each checkpoint, with open bets decided at random.

        ``open_bets`` returns the possible results of open bets, by their kinds.
        """
        kinds = set().union(*(checkpoint.kinds() for checkpoint in self.worths))
        outcomes, rng = OpenBetValues(open_bets(kinds)), np.random.default_rng([seed, self.trials])
        return [checkpoint.value(outcomes, rng, self.trials) for checkpoint in self.worths]


def build_session(
    tally: TrialTally,
    states: int,
    seed: int,
    began: float,
    open_bets: OpenBetValuer,
    broke_limits: BrokeLimits | None = None,
) -> SampledSession:
    """Return the session result of a tally of trials.

    ``states`` is the number of states of the machine, and ``began`` the ``perf_counter`` at the
    start. ``open_bets`` returns the possible results of open bets, and ``broke_limits`` the worth
    in cents below which a player can make no bet, both by the kinds of open bets.
    """
    ruin = tally.share(END_RUIN)
    extra_shares: dict[str, Fraction] = {}
    if broke_limits is not None:
        extra_shares["broke"] = tally.broke(broke_limits)
        extra_shares["short"] = ruin - extra_shares["broke"]
    if tally.ever_short is not None and tally.extremes:
        extra_shares["ever_short"] = Fraction(tally.ever_short, tally.trials)
    checkpoints = tally.value(open_bets, seed)
    final = checkpoints[-1]
    bands = [find_quantiles(checkpoint.worths, checkpoint.weights) for checkpoint in checkpoints]
    return SampledSession(
        plan=tally.plan,
        method="simulated",
        arithmetic="doubles",
        states=states,
        ruin=ruin,
        broke=extra_shares.get("broke"),
        ever_short=extra_shares.get("ever_short"),
        goal=tally.share(END_GOAL),
        stopped=tally.share(END_STOP_LOSS),
        rolls=Fraction(tally.rolls, tally.trials),
        final=final,
        fan=tuple(
            QuantileBand(roll, band) for roll, band in zip(tally.checkpoints, bands, strict=True)
        ),
        ruined=tuple((tally.ruined / tally.trials).tolist()),
        seconds=time.perf_counter() - began,
        trials=tally.trials,
        seed=seed,
        errors=tally.errors(final, extra_shares),
        highest=tally.highest / tally.trials if tally.extremes else None,
        lowest=tally.lowest / tally.trials if tally.extremes else None,
    )


#: After an interruption, the finished trials are reported alone if they are this many times the
#: unfinished ones; otherwise all trials are reported as of a checkpoint that they passed. For that,
#: the results of up to this many trials are kept.
MIN_FINISHED_RATIO, MAX_KEPT_TRIALS = 10, 2**14


def sample_session(
    machine: Playable,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    workers: int | None = None,
    open_bets: OpenBetValuer = value_at_stake,
    broke_limits: BrokeLimits | None = None,
    reduced: ReducedBetStates | None = None,
    executor: Executor | Workers | None = None,
    watch: ProgressCallback | None = None,
    dice: Dice = FAIR,
) -> SampledSession:
    """Play ``trials`` sessions. The same seed gives the same answer on any number of workers.

    * ``open_bets`` returns the outcomes of open bets for the given kinds of state in which sessions
      ended (``chain.kinds``, or the states of a machine). By default bets count at their stake.
    * ``broke_limits`` returns, for each kind, the worth below which a ruined player can make no
      bet.
    * ``reduced``: the states of players who are short of chips and bet less (chains only).
    * ``dice``: the dice for a machine, which is explored while it is played. A chain already
      includes its dice.

    Ctrl-C, a strategy error, full memory, or an executor that fails ends the run early. Then
    ``interrupted`` is true, ``trials`` is the number played, and ``reason`` says why. If too few
    trials are finished, all started trials are reported as of the last checkpoint that they passed,
    and ``plan.rolls`` is the number of rolls until then. If there is nothing to report, the cause
    is raised. ``errors`` may hold standard errors of the mean, the rolls and the shares of the
    ends.
    """
    if plan.rolls < 1 or trials < 1:
        raise ValueError(f"rolls {plan.rolls} and trials {trials}: expected at least 1 of each")
    began = time.perf_counter()
    rows = TransitionRows(machine, dice)
    opening = int(rows.kinds[rows.start])
    tally, unfinished = TrialTally(plan, opening), list[TrialSet]()
    reason: Exception | None = None
    with open_workers(executor, workers) as pool:
        while True:
            work_plan = _make_work_plan(rows, plan, tally, trials, watch, reduced)
            try:
                unfinished = run_work(pool, work_plan, split_trials(plan, trials, seed))
            except MachineRestarted:
                tally = TrialTally(plan, opening)
                continue
            except (StrategyError, WorkersLost) as error:
                reason, unfinished = error, getattr(error, "under_way", [])
            break
    under_way = sum(map(count_started, unfinished))
    if unfinished and under_way * MIN_FINISHED_RATIO >= tally.trials <= MAX_KEPT_TRIALS:
        recounted = _tally_unfinished(tally, unfinished, make_job(rows, plan))
        tally, under_way = recounted or (tally, under_way)
    if not tally.trials:
        raise (reason.why if isinstance(reason, WorkersLost) else reason) or KeyboardInterrupt
    found = build_session(tally, rows.states, seed, began, open_bets, broke_limits)
    return replace(
        found,
        interrupted=tally.trials < trials or tally.plan != plan,
        under_way=under_way,
        reason=str(reason or ""),
        errors={} if isinstance(reason, StrategyError) else found.errors,
    )


def _tally_unfinished(
    whole: TrialTally, unfinished: list[TrialSet], job: TrialJob
) -> tuple[TrialTally, int] | None:
    """Return (tally, left out) of all started trials, as of the last checkpoint that they passed.

    ``whole`` is the tally of the finished sets. Trials whose set passed no checkpoint are only
    counted, as left out. Return None if no unfinished set passed any.
    """
    passed = [trial_set for trial_set in unfinished if trial_set.checkpoint_counts]
    if not passed:
        return None
    mark = min(len(trial_set.checkpoint_counts) for trial_set in passed)
    rolls = whole.checkpoints[mark]
    short = replace(whole.plan, rolls=rolls)
    tally = TrialTally(short, whole.opening, whole.checkpoints[: mark + 1])
    for outcome in whole.first:
        tally.add(truncate_outcome(outcome, mark, rolls))
    for trial_set in passed:
        tally.add(truncate_set(job, trial_set, mark, rolls))
    tally.extremes = False
    return tally, sum(count_started(each) for each in unfinished if not each.checkpoint_counts)


def _make_work_plan(
    rows: TransitionRows,
    plan: Plan,
    tally: TrialTally,
    trials: int,
    watch: ProgressCallback | None,
    reduced: ReducedBetStates | None,
) -> WorkPlan:
    fixed = None if rows.machine else make_job(rows, plan)
    reported = 0

    def job() -> TrialJob | ReducedBetJob:
        plain = fixed or make_job(rows, plan)
        return plain if reduced is None else ReducedBetJob(plain, rows.need, reduced)

    def finish(trial_set: TrialSet) -> None:
        assert trial_set.outcome is not None
        tally.add(trial_set.outcome)
        if tally.trials <= MAX_KEPT_TRIALS:
            tally.first.append(trial_set.outcome)

    def notify() -> None:
        nonlocal reported
        if watch is not None and tally.trials > reported:
            reported = tally.trials
            watch(tally.trials, trials)

    explore = rows.explore if rows.machine else None
    play = play_trials if reduced is None else play_reduced_bet_trials
    return WorkPlan(play=play, job=job, finish=finish, explore=explore, notify=notify)
