"""Sessions played with random dice: the sampled answer to what ``exact`` computes.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passline.dice import FAIR, Dice
from passline.machines import StrategyError
from passline.sessions import Plan, SampledSession, WatchProgress
from passline.simulation.left_up import Bars, Left, at_stake
from passline.simulation.open_machines import BeganAnew, Playable, Rows
from passline.simulation.tally import TrialTally, told_session
from passline.simulation.trials import (
    TrialJob,
    TrialSet,
    count_begun,
    cut_back,
    cut_trials,
    job_for,
    look_back,
    play_trials,
)
from passline.simulation.workers import Shift, Workers, WorkersLost, hire, work_off

if TYPE_CHECKING:
    from passline.machines.short import Aside
    from passline.simulation.short_trials import ShortJob

#: Broken off, so many times more trials must be over than are under way to speak for both; else all
#: are answered for as of a roll that they passed. Up to so many they are kept for that.
ENOUGH_OVER, FIRST = 10, 2**14


def sample_session(
    machine: Playable,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    workers: int | None = None,
    left: Left = at_stake,
    bars: Bars | None = None,
    aside: Aside | None = None,
    executor: Executor | Workers | None = None,
    watch: WatchProgress | None = None,
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
    rows = Rows(machine, dice)
    opening = int(rows.kinds[rows.start])
    tally, under = TrialTally(plan, opening), list[TrialSet]()
    reason: Exception | None = None
    with hire(executor, workers) as hired:
        while True:
            shift = _shift(rows, plan, tally, trials, watch, aside)
            try:
                under = work_off(hired, shift, cut_trials(plan, trials, seed))
            except BeganAnew:
                tally = TrialTally(plan, opening)
                continue
            except (StrategyError, WorkersLost) as wrong:
                reason, under = wrong, getattr(wrong, "under_way", [])
            break
    under_way = sum(map(count_begun, under))
    if under and under_way * ENOUGH_OVER >= tally.trials <= FIRST:
        tally, under_way = _cut_short(tally, under, job_for(rows, plan)) or (tally, under_way)
    if not tally.trials:
        raise (reason.why if isinstance(reason, WorkersLost) else reason) or KeyboardInterrupt
    found = told_session(tally, rows.states, seed, began, left, bars)
    return replace(
        found,
        interrupted=tally.trials < trials or tally.plan != plan,
        under_way=under_way,
        reason=str(reason or ""),
        errors={} if isinstance(reason, StrategyError) else found.errors,
    )


def _cut_short(
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
        tally.add(cut_back(outcome, mark, rolls))
    for part in passed:
        tally.add(look_back(job, part, mark, rolls))
    tally.extremes = False
    return tally, sum(count_begun(part) for part in under if not part.noted)


def _shift(
    rows: Rows,
    plan: Plan,
    tally: TrialTally,
    trials: int,
    watch: WatchProgress | None,
    aside: Aside | None,
) -> Shift:
    fixed = None if rows.machine else job_for(rows, plan)
    told = 0

    def job() -> TrialJob | ShortJob:
        plain = fixed or job_for(rows, plan)
        return plain if aside is None else _short_job(plain, rows, aside)

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
    play = play_trials if aside is None else _play_short
    return Shift(play=play, job=job, finish=finish, explore=explore, tell=tell)


def _short_job(plain: TrialJob, rows: Rows, aside: Aside) -> ShortJob:
    from passline.simulation.short_trials import ShortJob

    return ShortJob(plain, rows.need, aside)


def _play_short(job: ShortJob, part: TrialSet) -> TrialSet:
    from passline.simulation.short_trials import play_short_trials

    return play_short_trials(job, part)
