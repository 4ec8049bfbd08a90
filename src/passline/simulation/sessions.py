"""Sessions played with random dice: the sampled answer to what ``exact`` computes.

Between rolls, and once more after the last, in this order: a worth at the goal leaves a winner, a
worth at the floor leaves, and a worth under the state's need is ruined. Everybody else rolls.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor

from msgspec.structs import replace

from passline.dice import FAIR, Dice
from passline.machines import StrategyError
from passline.sessions import Plan, SampledSession, WatchProgress
from passline.simulation.left_up import Left, at_stake
from passline.simulation.open_machines import BeganAnew, Playable, Rows
from passline.simulation.tally import TrialTally, told_session
from passline.simulation.trials import (
    TrialJob,
    TrialSet,
    count_begun,
    count_marks_passed,
    cut_back,
    cut_trials,
    job_for,
    look_back,
    play_trials,
    take_finished,
)
from passline.simulation.workers import Shift, Workers, WorkersLost, hire, work_off

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
    executor: Executor | Workers | None = None,
    watch: WatchProgress | None = None,
    dice: Dice = FAIR,
) -> SampledSession:
    """Play ``trials`` sessions. The same seed gives the same answer on any number of workers.

    ``left`` tells what comes of the wagers that are up when a session ends; by itself they count at
    their stake. It is asked once, for the kinds (``chain.kinds``, or states of a machine that may
    still grow) in which sessions ended or were looked at.

    A machine that is not closed grows as it is played, by threads of this process and not by the
    ``executor``, with ``dice`` (a chain has its own). Ctrl-C, a machine that cannot grow on, or an
    executor that fails ends it early: ``interrupted`` is true, ``trials`` says how many were
    played, ``reason`` why.
    Where too few are over beside those under way, all that were begun are answered for as of the
    last look that they passed, and ``plan.rolls`` says after how many rolls. Where nothing can
    be answered, what broke it off is raised. ``errors`` may hold the standard errors of ``mean``,
    ``ruin``, ``goal``, ``stopped`` and ``rolls``.
    """
    if plan.rolls < 1 or trials < 1:
        raise ValueError(f"rolls and trials are at least 1, not {plan.rolls} and {trials}")
    began = time.perf_counter()
    rows = Rows(machine, dice)
    opening = int(rows.kinds[rows.start])
    tally, under = TrialTally(plan, opening), list[TrialSet]()
    reason: Exception | None = None
    with hire(None if rows.machine else executor, workers) as hired:
        while True:
            shift = _shift(rows, plan, tally, trials, watch)
            try:
                under = work_off(hired, shift, cut_trials(plan, trials, seed))
            except BeganAnew:
                tally = TrialTally(plan, opening)
                continue
            except (StrategyError, WorkersLost) as wrong:
                reason, under = wrong, getattr(wrong, "under_way", [])
            break
    under_way = _add_over(tally, under, rows.unit)
    if under and under_way * ENOUGH_OVER >= tally.trials <= FIRST:
        tally, under_way = _cut_short(tally, under, rows.unit) or (tally, under_way)
    if not tally.trials:
        raise (reason.why if isinstance(reason, WorkersLost) else reason) or KeyboardInterrupt
    found = told_session(tally, rows.states, seed, began, left)
    return replace(
        found,
        interrupted=tally.trials < trials or tally.plan != plan,
        under_way=under_way,
        reason=str(reason or ""),
        errors={} if isinstance(reason, StrategyError) else found.errors,
    )


def _add_over(tally: TrialTally, left: list[TrialSet], unit: int) -> int:
    """Add the trials of sets under way that are over; how many were begun and are left out."""
    out = 0
    for part in left:
        before = tally.trials
        if outcome := take_finished(part, unit):
            tally.add(outcome)
        out += count_begun(part) - (tally.trials - before)
    return out


def _cut_short(whole: TrialTally, left: list[TrialSet], unit: int) -> tuple[TrialTally, int] | None:
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
    tally = TrialTally(short, whole.opening, whole.looks[: mark + 1])
    for outcome in whole.first:
        tally.add(cut_back(outcome, mark, rolls))
    for part, _ in passed:
        tally.add(look_back(part, mark, rolls, unit))
    tally.extremes = False
    return tally, sum(count_begun(part) for part in left if not count_marks_passed(part))


def _shift(
    rows: Rows, plan: Plan, tally: TrialTally, trials: int, watch: WatchProgress | None
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
