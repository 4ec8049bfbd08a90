"""Sessions played with random dice: the sampled answer to what ``exact`` computes.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Executor
from fractions import Fraction

import numpy as np
from msgspec.structs import replace

from passline.machines import StrategyError
from passline.sessions import Band, Distribution, Plan, SampledSession, WatchProgress
from passline.sessions.distribution import quantiles
from passline.sessions.ends import EARLY_ENDS, GOAL, PLAYED, RUINED, STOPPED
from passline.sessions.plan import checkpoints
from passline.sessions.session import FEWEST_TRIALS
from passline.simulation.left_up import KeyCounts, Left, at_stake
from passline.simulation.open_machines import BeganAnew, Playable, Rows
from passline.simulation.trials import (
    TrialEnds,
    TrialJob,
    TrialSet,
    count_begun,
    count_marks_passed,
    cut_back,
    cut_trials,
    job_for,
    key_of,
    look_back,
    play_trials,
    take_finished,
)
from passline.simulation.workers import Shift, Workers, WorkersLost, hire, work_off

#: Broken off, so many times more trials must be over than are under way to speak for both; else all
#: are answered for as of a roll that they passed. Up to so many they are kept for that.
FAIR, FIRST = 10, 2**14


class _Tally:
    """What the trials came to so far."""

    def __init__(self, plan: Plan, opening: int, looks: tuple[int, ...] = ()) -> None:
        self.plan, self.opening = plan, opening
        self.looks = looks or checkpoints(plan.rolls)
        self.trials, self.extremes = 0, True
        #: The first sets, which are looked at anew where the run is soon broken off.
        self.first: list[TrialEnds] = []
        self.ended = [0, 0, 0, 0]
        self.rolls = self.rolls_squared = self.highest = self.lowest = 0
        self.ruined = np.zeros(len(self.looks), np.int64)
        self.worths = [KeyCounts() for _ in self.looks]

    def add(self, outcome: TrialEnds) -> None:
        """Add what trials came to."""
        ends, worths = outcome
        self.trials += len(ends)
        for kind in (PLAYED, GOAL, STOPPED, RUINED):
            self.ended[kind] += int((ends[:, 0] == kind).sum())
        self.rolls += int(ends[:, 1].sum())
        self.rolls_squared += int((ends[:, 1].astype(object) ** 2).sum())
        self.highest += int(ends[:, 2].sum())
        self.lowest += int(ends[:, 3].sum())
        lasted = np.sort(ends[ends[:, 0] == RUINED, 1])
        self.ruined += np.searchsorted(lasted, self.looks, side="right")
        began = np.array([key_of(self.plan.bankroll, self.opening)])
        self.worths[0].add(began, np.array([len(ends)]))
        for look, (keys, many) in zip(self.worths[1:], worths, strict=True):
            look.add(keys, many)

    def share(self, kind: int) -> Fraction:
        """The share of trials that ended so."""
        return Fraction(self.ended[kind], self.trials)

    def errors(self, final: Distribution) -> dict[str, float]:
        """Standard errors of the mean worth, the shares and the mean rolls, where they are told."""
        if self.trials < FEWEST_TRIALS:
            return {}
        squares = self.rolls_squared * self.trials - self.rolls**2
        found = {
            "mean": final.sd / math.sqrt(self.trials - 1),
            "rolls": math.sqrt(squares / (self.trials - 1)) / self.trials,
        }
        for kind, word in enumerate(EARLY_ENDS):
            share = float(self.share(kind))
            found[word] = math.sqrt(share * (1 - share) / (self.trials - 1))
        return {word: error for word, error in found.items() if error}

    def value(self, left: Left, seed: int) -> list[Distribution]:
        """The worths at each look, what was up then played out: once for every trial."""
        kinds = set().union(*(look.kinds() for look in self.worths))
        outcomes, rng = left(kinds), np.random.default_rng([seed, self.trials])
        return [look.value(outcomes, rng, self.trials) for look in self.worths]


def sample_session(
    machine: Playable,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    workers: int | None = None,
    left: Left = at_stake,
    executor: Executor | Workers | None = None,
    watch: WatchProgress | None = None,
) -> SampledSession:
    """Play ``trials`` sessions. The same seed gives the same answer on any number of workers.

    ``left`` tells what comes of the wagers that are up when a session ends; by itself they count at
    their stake. It is asked once, for the kinds (``chain.kinds``, or states of a machine that may
    still grow) in which sessions ended or were looked at.

    A machine that is not closed grows as it is played, by threads of this process and not by the
    ``executor``. Ctrl-C, a machine that cannot grow on, or an executor that fails
    ends it early: ``interrupted`` is true, ``trials`` says how many were played, ``reason`` why.
    Where too few are over beside those under way, all that were begun are answered for as of the
    last look that they passed, and ``plan.rolls`` says after how many rolls. Where nothing can
    be answered, what broke it off is raised. ``errors`` may hold the standard errors of ``mean``,
    ``ruin``, ``goal``, ``stopped`` and ``rolls``.
    """
    if plan.rolls < 1 or trials < 1:
        raise ValueError(f"rolls and trials are at least 1, not {plan.rolls} and {trials}")
    began = time.perf_counter()
    rows = Rows(machine)
    opening = int(rows.kinds[rows.start])
    tally, under = _Tally(plan, opening), list[TrialSet]()
    reason: Exception | None = None
    with hire(None if rows.machine else executor, workers) as hired:
        while True:
            shift = _shift(rows, plan, tally, trials, watch)
            try:
                under = work_off(hired, shift, cut_trials(plan, trials, seed))
            except BeganAnew:
                tally = _Tally(plan, opening)
                continue
            except (StrategyError, WorkersLost) as wrong:
                reason, under = wrong, getattr(wrong, "under_way", [])
            break
    under_way = _add_over(tally, under, rows.unit)
    if under and under_way * FAIR >= tally.trials <= FIRST:
        tally, under_way = _cut_short(tally, under, rows.unit) or (tally, under_way)
    if not tally.trials:
        raise (reason.why if isinstance(reason, WorkersLost) else reason) or KeyboardInterrupt
    found = _session(tally, rows.states, seed, began, left)
    return replace(
        found,
        interrupted=tally.trials < trials or tally.plan != plan,
        under_way=under_way,
        reason=str(reason or ""),
        errors={} if isinstance(reason, StrategyError) else found.errors,
    )


def _add_over(tally: _Tally, left: list[TrialSet], unit: int) -> int:
    """Add the trials of sets under way that are over; how many were begun and are left out."""
    out = 0
    for part in left:
        before = tally.trials
        if outcome := take_finished(part, unit):
            tally.add(outcome)
        out += count_begun(part) - (tally.trials - before)
    return out


def _cut_short(whole: _Tally, left: list[TrialSet], unit: int) -> tuple[_Tally, int] | None:
    """The trials that were begun, over or not, as of the last look that all of them passed.

    None where there was none. With it, how many were begun and passed no look.
    """
    passed = [(part, mark) for part in left if (mark := count_marks_passed(part))]
    if not passed:
        return None
    mark = min(mark for _, mark in passed)
    plan, rolls = whole.plan, whole.looks[mark]
    short = Plan(
        bankroll=plan.bankroll, rolls=rolls, stop_win=plan.stop_win, stop_loss=plan.stop_loss
    )
    tally = _Tally(short, whole.opening, whole.looks[: mark + 1])
    for outcome in whole.first:
        tally.add(cut_back(outcome, mark, rolls))
    for part, _ in passed:
        tally.add(look_back(part, mark, rolls, unit))
    tally.extremes = False
    return tally, sum(count_begun(part) for part in left if not count_marks_passed(part))


def _shift(
    rows: Rows, plan: Plan, tally: _Tally, trials: int, watch: WatchProgress | None
) -> Shift:
    fixed = None if rows.machine else job_for(rows, plan)
    told = 0

    def job() -> TrialJob:
        return fixed or job_for(rows, plan)

    def finish(part: TrialSet) -> None:
        assert part.outcome is not None
        tally.add(part.outcome)
        if tally.trials <= FIRST:
            tally.first.append(part.outcome)

    def tell() -> None:
        nonlocal told
        if watch is not None and tally.trials > told:
            told = tally.trials
            watch(tally.trials, trials)

    explore = rows.explore if rows.machine else None
    return Shift(play=play_trials, job=job, finish=finish, explore=explore, tell=tell)


def _session(tally: _Tally, states: int, seed: int, began: float, left: Left) -> SampledSession:
    looks = tally.value(left, seed)
    final = looks[-1]
    bands = [quantiles(look.worths, look.weights) for look in looks]
    return SampledSession(
        plan=tally.plan,
        method="simulated",
        arithmetic="doubles",
        states=states,
        ruin=tally.share(RUINED),
        goal=tally.share(GOAL),
        stopped=tally.share(STOPPED),
        rolls=Fraction(tally.rolls, tally.trials),
        final=final,
        fan=tuple(Band(roll, band) for roll, band in zip(tally.looks, bands, strict=True)),
        ruined=tuple((tally.ruined / tally.trials).tolist()),
        seconds=time.perf_counter() - began,
        trials=tally.trials,
        seed=seed,
        errors=tally.errors(final),
        highest=tally.highest / tally.trials if tally.extremes else None,
        lowest=tally.lowest / tally.trials if tally.extremes else None,
    )
