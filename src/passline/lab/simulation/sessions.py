"""Worths that sampled sessions came to, counted by the kind of state, and what was up valued.

What sampled sessions came to so far, on whatever they were played.

Sessions played with random dice: the sampled answer to what ``exact`` computes.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
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
from passline.lab.sessions.session import (
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
    TrialEnds,
    TrialJob,
    TrialSet,
    count_started,
    make_job,
    make_key,
    play_trials,
    split_trials,
    truncate_outcome,
    truncate_set,
)
from passline.lab.simulation.workers import Workers, WorkersLost, WorkPlan, open_workers, run_work

if TYPE_CHECKING:
    from passline.lab.machines.reduced_bets import ReducedBetStates
    from passline.lab.simulation.reduced_bet_trials import ReducedBetJob

#: Asked for what comes of what is up in each of these kinds of state.
OpenBetValuer = Callable[[Iterable[int]], Mapping[int, PlayOutOutcomes]]
#: Asked for the worth (cents) under which who is ruined in such a state is broke.
BrokeLimits = Callable[[Iterable[int]], Mapping[int, int]]
#: Keys that are kept before equal ones are counted together.
_MAX_KEYS = 2**20


def value_at_stake(kinds: Iterable[int]) -> Mapping[int, PlayOutOutcomes]:
    """Wagers that are up count at their stake."""
    return dict.fromkeys(kinds, AT_STAKE)


class KeyCounts:
    """How many trials had each key of worth and kind at one look."""

    def __init__(self) -> None:
        self._parts: list[tuple[IntArray, IntArray]] = []
        self._size = 0

    def add(self, keys: IntArray, many: IntArray) -> None:
        """So many trials more, of each key."""
        self._parts.append((keys, many))
        self._size += len(keys)
        if self._size > _MAX_KEYS:
            self._size = len(self.counted()[0]) // 2  # so that it may double before the next time

    def counted(self) -> tuple[IntArray, IntArray]:
        """The distinct keys in rising order, and how many trials had each."""
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
        """The kinds of state that there were."""
        return set(np.unique(self.counted()[0] & (2**KIND_BITS - 1)).tolist())

    def count_between(self, above: int, under: int, bars: BrokeLimits) -> int:
        """How many had a worth above and under these two, and under the bar of their kind."""
        keys, many = self.counted()
        told = bars(self.kinds())
        kinds, worths = keys & (2**KIND_BITS - 1), keys >> KIND_BITS
        own = np.array([min(told[int(kind)], under) for kind in kinds], np.int64)
        return int(many[(worths > above) & (worths < own)].sum())

    def value(self, left: OpenBetValues, rng: np.random.Generator, trials: int) -> Distribution:
        """The worths, what was up played out once for every trial."""
        keys, many = self.counted()
        of = left.told[keys & (2**KIND_BITS - 1)]
        order = np.argsort(of, kind="stable")
        cuts = np.flatnonzero(np.diff(of[order])) + 1
        worths, counts = [], []
        for part in np.split(order, cuts):
            changes, chances = left.ways[of[part[0]]]
            here = (keys[part] >> KIND_BITS).astype(changes.dtype) * left.times
            if len(changes) == 1:
                worths.append(here + changes[0])
                counts.append(many[part])
                continue
            shares = rng.multinomial(many[part], chances)
            there = shares > 0
            worths.append((here[:, None] + changes)[there])
            counts.append(shares[there])
        found, added = sum_by_key(np.concatenate(worths), np.concatenate(counts))
        exact: list[Worth] = found.tolist()
        if left.times > 1:
            exact = [Fraction(worth, left.times) for worth in exact]
        return Distribution(tuple(exact), tuple(added.tolist()), trials)


class OpenBetValues:
    """What comes of what is up, by kind of state: ``ways`` that differ, changes of money in parts
    of ``times`` a cent and their chances, and which of them a kind is told."""

    def __init__(self, left: Mapping[int, PlayOutOutcomes]) -> None:
        numbers: dict[PlayOutOutcomes, int] = {}
        self.told = np.zeros(max(left) + 1, np.int64)
        for kind, outcomes in left.items():
            self.told[kind] = numbers.setdefault(outcomes, len(numbers))
        self.times = math.lcm(*(change.denominator for ways in numbers for change, _ in ways))
        dtype = object if self.times > 1 else np.int64
        self.ways = [
            (
                np.array([int(change * self.times) for change, _ in ways], dtype),
                [float(chance) for _, chance in ways],
            )
            for ways in numbers
        ]


def sum_by_key(keys: Any, many: Any) -> tuple[Any, Any]:
    """The distinct keys in rising order, and the sum of what goes with each.

    >>> [part.tolist() for part in sum_by_key(np.array([7, 5, 7]), np.array([1, 2, 3]))]
    [[5, 7], [2, 4]]
    """
    order = np.argsort(keys, kind="stable")
    sorted_ = keys[order]
    first = np.flatnonzero(np.append(True, sorted_[1:] != sorted_[:-1]))
    return sorted_[first], np.add.reduceat(many[order], first)


class TrialTally:
    """What the trials came to so far."""

    def __init__(self, plan: Plan, opening: int, looks: tuple[int, ...] = ()) -> None:
        self.plan, self.opening = plan, opening
        self.looks = looks or choose_checkpoints(plan.rolls)
        self.trials, self.extremes = 0, True
        #: The first sets, which are looked at anew where the run is soon broken off.
        self.first: list[TrialEnds] = []
        self.ended = [0, 0, 0, 0]
        #: How many were ever short and played on; None: nobody does.
        self.ever_short: int | None = None
        self.rolls = self.rolls_squared = self.highest = self.lowest = 0
        self.ruined = np.zeros(len(self.looks), np.int64)
        self.worths = [KeyCounts() for _ in self.looks]

    def add(self, outcome: TrialEnds) -> None:
        """Add what trials came to."""
        from passline.lab.simulation import session_kernels as loops

        ends, worths = outcome
        sums, fell = np.zeros(loops.SUM_COUNT, np.int64), np.zeros(len(self.looks), np.int64)
        loops.sum_ends(ends, END_RUIN, np.array(self.looks), sums, fell)
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
        for look, (keys, many) in zip(self.worths[1:], worths, strict=True):
            look.add(keys, many)

    def share(self, kind: int) -> Fraction:
        """The share of trials that ended so."""
        return Fraction(self.ended[kind], self.trials)

    def broke(self, bars: BrokeLimits) -> Fraction:
        """The share that ended with nothing up and less than any wager takes."""
        goal = UNREACHABLE if self.plan.goal is None else self.plan.goal
        floor = -UNREACHABLE if self.plan.floor is None else self.plan.floor
        return Fraction(self.worths[-1].count_between(floor, goal, bars), self.trials)

    def errors(self, final: Distribution, besides: dict[str, Fraction]) -> dict[str, float]:
        """Standard errors of the mean worth, the shares and the mean rolls, where they are told."""
        if self.trials < MIN_TRIALS:
            return {}
        squares = self.rolls_squared * self.trials - self.rolls**2
        found = {
            "mean": final.sd / math.sqrt(self.trials - 1),
            "rolls": math.sqrt(squares / (self.trials - 1)) / self.trials,
        }
        shares = {word: self.share(kind) for kind, word in enumerate(EARLY_ENDS)}
        for word, exactly in (shares | besides).items():
            share = float(exactly)
            found[word] = math.sqrt(share * (1 - share) / (self.trials - 1))
        return {word: error for word, error in found.items() if error}

    def value(self, left: OpenBetValuer, seed: int) -> list[Distribution]:
        """The worths at each look, what was up then played out: once for every trial."""
        kinds = set().union(*(look.kinds() for look in self.worths))
        outcomes, rng = OpenBetValues(left(kinds)), np.random.default_rng([seed, self.trials])
        return [look.value(outcomes, rng, self.trials) for look in self.worths]


def build_session(
    tally: TrialTally,
    states: int,
    seed: int,
    began: float,
    left: OpenBetValuer,
    bars: BrokeLimits | None = None,
) -> SampledSession:
    """The session that the trials tell of; ``began`` as ``perf_counter`` had it."""
    ruin = tally.share(END_RUIN)
    besides: dict[str, Fraction] = {}
    if bars is not None:
        besides["broke"] = tally.broke(bars)
        besides["short"] = ruin - besides["broke"]
    if tally.ever_short is not None and tally.extremes:
        besides["ever_short"] = Fraction(tally.ever_short, tally.trials)
    looks = tally.value(left, seed)
    final = looks[-1]
    bands = [find_quantiles(look.worths, look.weights) for look in looks]
    return SampledSession(
        plan=tally.plan,
        method="simulated",
        arithmetic="doubles",
        states=states,
        ruin=ruin,
        broke=besides.get("broke"),
        ever_short=besides.get("ever_short"),
        goal=tally.share(END_GOAL),
        stopped=tally.share(END_STOP_LOSS),
        rolls=Fraction(tally.rolls, tally.trials),
        final=final,
        fan=tuple(QuantileBand(roll, band) for roll, band in zip(tally.looks, bands, strict=True)),
        ruined=tuple((tally.ruined / tally.trials).tolist()),
        seconds=time.perf_counter() - began,
        trials=tally.trials,
        seed=seed,
        errors=tally.errors(final, besides),
        highest=tally.highest / tally.trials if tally.extremes else None,
        lowest=tally.lowest / tally.trials if tally.extremes else None,
    )


#: Broken off, so many times more trials must be over than are under way to speak for both; else all
#: are answered for as of a roll that they passed. Up to so many they are kept for that.
MIN_FINISHED_RATIO, MAX_KEPT_TRIALS = 10, 2**14


def sample_session(
    machine: Playable,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    workers: int | None = None,
    left: OpenBetValuer = value_at_stake,
    bars: BrokeLimits | None = None,
    aside: ReducedBetStates | None = None,
    executor: Executor | Workers | None = None,
    watch: ProgressCallback | None = None,
    dice: Dice = FAIR,
) -> SampledSession:
    """Play ``trials`` sessions. The same seed gives the same answer on any number of workers.

    ``left`` tells what comes of the wagers that are up when a session ends; by itself they count at
    their stake. It is asked once, for the kinds (``chain.kinds``, or states of a machine that may
    still grow) in which sessions ended or were looked at; ``bars`` tells under which worth who is
    ruined in these is broke. ``aside``: who is short plays on (of a chain alone).

    A machine that is not closed grows as it is played, here, whoever plays it: the ``executor`` is
    handed what is known so far; ``dice`` are thrown for it (a chain has its own). Ctrl-C, a machine
    that cannot grow on, or an executor that fails ends it early: ``interrupted`` is true,
    ``trials`` says how many were played, ``reason`` why. Where too few are over beside those under
    way, all that were begun are answered for as of the last look that they passed, and
    ``plan.rolls`` says after how many rolls. Where nothing can be answered, what broke it off is
    raised. ``errors`` may hold standard errors of the mean, the rolls and the shares of the ends.
    """
    if plan.rolls < 1 or trials < 1:
        raise ValueError(f"rolls and trials are at least 1, not {plan.rolls} and {trials}")
    began = time.perf_counter()
    rows = TransitionRows(machine, dice)
    opening = int(rows.kinds[rows.start])
    tally, under = TrialTally(plan, opening), list[TrialSet]()
    reason: Exception | None = None
    with open_workers(executor, workers) as hired:
        while True:
            shift = _make_work_plan(rows, plan, tally, trials, watch, aside)
            try:
                under = run_work(hired, shift, split_trials(plan, trials, seed))
            except MachineRestarted:
                tally = TrialTally(plan, opening)
                continue
            except (StrategyError, WorkersLost) as wrong:
                reason, under = wrong, getattr(wrong, "under_way", [])
            break
    under_way = sum(map(count_started, under))
    if under and under_way * MIN_FINISHED_RATIO >= tally.trials <= MAX_KEPT_TRIALS:
        tally, under_way = _tally_unfinished(tally, under, make_job(rows, plan)) or (
            tally,
            under_way,
        )
    if not tally.trials:
        raise (reason.why if isinstance(reason, WorkersLost) else reason) or KeyboardInterrupt
    found = build_session(tally, rows.states, seed, began, left, bars)
    return replace(
        found,
        interrupted=tally.trials < trials or tally.plan != plan,
        under_way=under_way,
        reason=str(reason or ""),
        errors={} if isinstance(reason, StrategyError) else found.errors,
    )


def _tally_unfinished(
    whole: TrialTally, under: list[TrialSet], job: TrialJob
) -> tuple[TrialTally, int] | None:
    """The trials that were begun, over or not, as of the last look that all of them passed.

    None where there was none. With it, how many were begun and passed no look.
    """
    passed = [part for part in under if part.noted]
    if not passed:
        return None
    mark = min(len(part.noted) for part in passed)
    plan, rolls = whole.plan, whole.looks[mark]
    short = Plan(
        bankroll=plan.bankroll, rolls=rolls, stop_win=plan.stop_win, stop_loss=plan.stop_loss
    )
    tally = TrialTally(short, whole.opening, whole.looks[: mark + 1])
    for outcome in whole.first:
        tally.add(truncate_outcome(outcome, mark, rolls))
    for part in passed:
        tally.add(truncate_set(job, part, mark, rolls))
    tally.extremes = False
    return tally, sum(count_started(part) for part in under if not part.noted)


def _make_work_plan(
    rows: TransitionRows,
    plan: Plan,
    tally: TrialTally,
    trials: int,
    watch: ProgressCallback | None,
    aside: ReducedBetStates | None,
) -> WorkPlan:
    fixed = None if rows.machine else make_job(rows, plan)
    told = 0

    def job() -> TrialJob | ReducedBetJob:
        plain = fixed or make_job(rows, plan)
        return plain if aside is None else _make_reduced_bet_job(plain, rows, aside)

    def finish(part: TrialSet) -> None:
        assert part.outcome is not None
        tally.add(part.outcome)
        if tally.trials <= MAX_KEPT_TRIALS:
            tally.first.append(part.outcome)

    def tell() -> None:
        nonlocal told
        if watch is not None and tally.trials > told:
            told = tally.trials
            watch(tally.trials, trials)

    explore = rows.explore if rows.machine else None
    play = play_trials if aside is None else _play_reduced_bets
    return WorkPlan(play=play, job=job, finish=finish, explore=explore, tell=tell)


def _make_reduced_bet_job(
    plain: TrialJob, rows: TransitionRows, aside: ReducedBetStates
) -> ReducedBetJob:
    from passline.lab.simulation.reduced_bet_trials import ReducedBetJob

    return ReducedBetJob(plain, rows.need, aside)


def _play_reduced_bets(job: ReducedBetJob, part: TrialSet) -> TrialSet:
    from passline.lab.simulation.reduced_bet_trials import play_reduced_bet_trials

    return play_reduced_bet_trials(job, part)
