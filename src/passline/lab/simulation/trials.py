"""Split sampled sessions into sets of trials, and play a set on a machine's arrays.

A set is what one worker plays at a time; its trials are played side by side. Money is in units of
the chain. Worths (rail plus bets) count from the starting bankroll.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.plan_and_result import (
    END_GOAL,
    END_ROLLS_PLAYED,
    END_RUIN,
    END_STOP_LOSS,
    Plan,
    choose_checkpoints,
)
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.transition_tables import StrideTable, TransitionRows, build_strides

#: A worth in units that no session reaches, for limits that are not set.
UNREACHABLE = 2**61
#: The rolls of a set (a fraction of a second), and the most and the fewest trials of a set.
ROLLS_PER_SET, MAX_SET_TRIALS, MIN_SET_TRIALS = 2**24, 2**14, 2**3
#: Counters for worths and kinds, for each trial. If more are needed, worths are sorted instead.
COUNTERS_PER_TRIAL = 16
#: The most rolls, over all trials of a set, in one call.
ROLLS_PER_CALL = 2**24

#: The rows of a session, as in ``session_kernels``, which is imported only when it is used.
STATE, WORTH = range(2)
#: The low bits of a key hold the kind of state, the others the worth.
KIND_BITS = 24


class TrialJob(NamedTuple):
    """How to play trials: a machine's arrays, where sessions end, and when to record worths.

    ``next`` and ``money`` have the transitions, and ``strides`` tables that play several rolls at
    once. One unit of money is ``unit`` cents, and worths count from the bankroll. ``kinds[state]``,
    below ``kind_count``, is equal for states with the same open bets. ``stops`` is (goal, loss
    limit). ``min_worth[state]`` is the worth below which a session ends. ``checkpoints`` are the
    numbers of rolls after which worths are recorded.
    """

    next: Int32Array
    money: Int32Array
    min_worth: IntArray
    strides: tuple[StrideTable, ...]
    stops: IntArray
    kinds: IntArray
    kind_count: int
    checkpoints: IntArray
    bankroll: int
    start: int
    unit: int


class TrialEnds(NamedTuple):
    """The results of some trials. All worths are in cents and include the bankroll.

    ``ends[trial]`` is (end code, rolls, highest worth, lowest worth). If players who are short may
    bet less, a fifth column says whether this one ever did. ``worths`` has (keys, counts) for each
    checkpoint: how many trials have each pair of worth and open bets, packed by ``make_key``.
    """

    ends: IntArray
    worths: tuple[tuple[IntArray, IntArray], ...]


@dataclass(slots=True)
class TrialSet:
    """A set of trials that one worker plays, and how far each trial has come.

    ``playing`` holds the sessions still playing, after ``rolled`` rolls, and ``ended`` those that
    ended. ``checkpoint_counts`` has the worths at the checkpoints passed. ``unexplored_state`` is
    the state at which the set waits, or -1, and ``outcome`` the result once all trials are over.
    """

    number: int
    trials: int
    rng: WordArray
    playing: IntArray = field(default_factory=lambda: np.zeros((4, 0), np.int64))
    ended: IntArray = field(default_factory=lambda: np.zeros((6, 0), np.int64))
    counters: IntArray = field(default_factory=lambda: np.zeros(5, np.int64))
    rolled: int = 0
    checkpoint_counts: list[tuple[IntArray, IntArray]] = field(default_factory=list)
    unexplored_state: int = -1
    outcome: TrialEnds | None = None

    @property
    def is_finished(self) -> bool:
        """Whether all trials of the set are played."""
        return self.outcome is not None

    def finish(self, ends: IntArray, worths: Iterable[tuple[IntArray, IntArray]]) -> None:
        """Set the outcome of the set, and drop the arrays of its single sessions.

        ``worths`` has (keys, counts) for each checkpoint. A key combines a worth with a number for
        the open bets.
        """
        self.outcome = TrialEnds(ends, tuple(worths))
        self.playing = self.ended = np.zeros((4, 0), np.int64)


def split_trials(plan: Plan, trials: int, seed: int) -> Iterator[TrialSet]:
    """Yield sets that together have ``trials`` trials, not started.

    The same plan, number and seed give the same sets.
    """
    size = min(max(ROLLS_PER_SET // plan.rolls, MIN_SET_TRIALS), MAX_SET_TRIALS)
    count = -(-trials // size)
    least, more = divmod(trials, count)
    for number in range(count):
        yield TrialSet(number, least + (number < more), make_generator(seed, number))


def make_job(rows: TransitionRows, plan: Plan) -> TrialJob:
    """Return how to play a plan on the states of a machine that are known now.

    ``rows`` has the machine's transitions.
    """
    unit = rows.unit
    goal, floor = plan.find_stop_levels(unit, UNREACHABLE)
    min_worth = np.maximum(plan.find_level(rows.need, unit), floor + 1)
    min_worth[rows.next[:, 0] < 0] = UNREACHABLE
    money = rows.money if unit == 1 else (rows.money // unit).astype(np.int32)
    return TrialJob(
        next=rows.next,
        money=money,
        min_worth=min_worth,
        strides=() if rows.machine else build_strides(rows.next, money, min_worth),
        stops=np.array([goal, floor], np.int64),
        kinds=rows.kinds,
        kind_count=int(rows.kinds.max()) + 1,
        checkpoints=np.array(choose_checkpoints(plan.rolls)[1:], np.int64),
        bankroll=plan.bankroll,
        start=rows.start,
        unit=unit,
    )


def play_trials(job: TrialJob, trial_set: TrialSet) -> TrialSet:
    """Play a set of trials to its end, for ROLLS_PER_CALL rolls, or up to an unexplored state.

    Return the same set, changed in place.
    """
    if not trial_set.playing.size:
        _start_trials(job, trial_set)
    # Scratch arrays for counting worths: counters, keys, and how many have each key.
    counters = np.empty(max(COUNTERS_PER_TRIAL * trial_set.trials, 2**16), np.int64)
    played, buffers = 0, (counters, *np.empty((2, trial_set.trials), np.int64))
    while len(trial_set.checkpoint_counts) < len(job.checkpoints) and played < ROLLS_PER_CALL:
        to_checkpoint = int(job.checkpoints[len(trial_set.checkpoint_counts)]) - trial_set.rolled
        stretch = min(to_checkpoint, max(ROLLS_PER_CALL // trial_set.trials, 1))
        if trial_set.counters[0]:  # Some sessions are still playing.
            _play_some_rolls(job, trial_set, stretch)
        if trial_set.unexplored_state >= 0:
            return trial_set
        trial_set.rolled += stretch
        played += stretch * trial_set.trials
        if stretch == to_checkpoint:
            trial_set.checkpoint_counts.append(_count_worth_keys(job, trial_set, buffers))
    if len(trial_set.checkpoint_counts) == len(job.checkpoints):
        trial_set.finish(_list_ends(job, trial_set), trial_set.checkpoint_counts)
    return trial_set


def _start_trials(job: TrialJob, trial_set: TrialSet) -> None:
    """Set up the arrays of a set, in place, with every trial in the job's first state."""
    trial_set.playing = np.zeros((4, trial_set.trials), np.int64)
    trial_set.ended = np.zeros((6, trial_set.trials), np.int64)
    trial_set.playing[STATE] = job.start
    trial_set.counters = np.array([trial_set.trials, 0, 0, 0, -1], np.int64)


def _play_some_rolls(job: TrialJob, trial_set: TrialSet, rolls: int) -> None:
    """Play ``rolls`` rolls of every trial in place, or stop at a state that must be explored first.

    The state at which it stops is in ``trial_set.unexplored_state``.
    """
    from passline.lab.simulation.session_kernels import (
        KEPT_COUNT,
        NEXT_SEAT,
        PLAYING_COUNT,
        play_sessions,
        play_strides,
    )

    end_codes = np.array([END_GOAL, END_STOP_LOSS, END_RUIN], np.int64)
    ends = job.next, job.money, job.min_worth, job.stops, end_codes
    arrays = trial_set.rng, trial_set.playing, trial_set.ended, trial_set.counters
    if not job.strides:
        trial_set.unexplored_state = play_sessions(*ends, trial_set.rolled, rolls, *arrays)
        if trial_set.unexplored_state < 0:
            trial_set.counters[PLAYING_COUNT] = trial_set.counters[KEPT_COUNT]
            trial_set.counters[NEXT_SEAT] = trial_set.counters[KEPT_COUNT] = 0
    rolls_before = trial_set.rolled
    for strides in job.strides:
        now, left = divmod(rolls, strides.depth)
        if now:
            play_strides(*ends, rolls_before, now, *arrays, *cast(tuple[Any, ...], strides))
        rolls_before, rolls = rolls_before + rolls - left, left


def _count_worth_keys(
    job: TrialJob, trial_set: TrialSet, buffers: tuple[IntArray, ...]
) -> tuple[IntArray, IntArray]:
    """Return (keys, counts): the distinct keys in rising order, and how many trials have each.

    A key combines a worth with a kind of open bets (see ``make_key``). ``buffers`` are scratch
    arrays for ``count_worths``.
    """
    from passline.lab.simulation.session_kernels import count_worths

    sessions = trial_set.playing, trial_set.ended
    kinds, cents = (job.kinds, job.kind_count), (job.bankroll, job.unit)
    size = count_worths(*sessions, trial_set.counters, *kinds, *cents, *buffers)
    if size >= 0:
        return buffers[1][:size].copy(), buffers[2][:size].copy()
    keys = [
        (job.bankroll + part[WORTH, :count] * job.unit << KIND_BITS)
        | job.kinds[part[STATE, :count]]
        for part, count in zip(sessions, trial_set.counters[:2].tolist(), strict=True)
    ]
    return np.unique(np.concatenate(keys), return_counts=True)


def _list_ends(job: TrialJob, trial_set: TrialSet) -> IntArray:
    """Return (end code, rolls, highest worth, lowest worth) of each trial, as rows of an array.

    A trial still playing counts with the rolls it has made.
    """
    from passline.lab.simulation.session_kernels import write_ends

    ends = np.empty((trial_set.trials, 4), np.int64)
    arguments = trial_set.playing, trial_set.ended, trial_set.counters
    write_ends(*arguments, END_ROLLS_PLAYED, trial_set.rolled, job.bankroll, job.unit, ends)
    return ends


def count_started(trial_set: TrialSet) -> int:
    """Return how many trials of an unfinished set have been started: all of them, or none."""
    return trial_set.trials if trial_set.playing.size else 0


def truncate_outcome(outcome: TrialEnds, checkpoint: int, rolls: int) -> TrialEnds:
    """Return the results as they were after ``rolls`` rolls, at checkpoint number ``checkpoint``.

    Checkpoints count from 1. The highest and lowest worths are not cut back, so they are not valid.
    """
    ends = outcome.ends.copy()
    later = ends[:, 1] > rolls
    ends[later, 0], ends[later, 1] = END_ROLLS_PLAYED, rolls
    return TrialEnds(ends, outcome.worths[:checkpoint])


def truncate_set(job: TrialJob, trial_set: TrialSet, checkpoint: int, rolls: int) -> TrialEnds:
    """Return the results of an unfinished set at a checkpoint, as ``truncate_outcome`` does."""
    return truncate_outcome(
        TrialEnds(_list_ends(job, trial_set), tuple(trial_set.checkpoint_counts)), checkpoint, rolls
    )


def make_key(worth: int, kind: int) -> int:
    """Pack a worth in cents and the number of a kind of open bets into one integer key.

    >>> make_key(-7, 3) >> KIND_BITS, make_key(-7, 3) % 2**KIND_BITS
    (-7, 3)
    """
    return (worth << KIND_BITS) | kind


#: The most rolls of a set with reduced bets in one call.
REDUCED_ROLLS_PER_CALL = 2**22
#: The columns of a trial's end: how, rolls, highest, lowest, and whether it was ever short.
END_COLUMNS = 5


class ReducedBetJob(NamedTuple):
    """How to play trials in which players who are short of chips bet less.

    ``need[state]`` is the worth in cents that covers the bets of a state, and ``reduced`` has the
    states in which play goes on with smaller bets.
    """

    trials: TrialJob
    need: IntArray
    reduced: ReducedBetStates


def play_reduced_bet_trials(job: ReducedBetJob, trial_set: TrialSet) -> TrialSet:
    """Play on in a set with reduced bets until it is finished, or for REDUCED_ROLLS_PER_CALL rolls.

    The trials are played one after the other. In the set, ``playing[trial]`` has the keys at the
    checkpoints, ``ended[trial]`` is how the trial ended, and ``counters[0]`` is the number of
    trials played. Return the same set, changed in place.
    """
    from passline.lab.simulation.session_kernels import play_reduced_bets

    plain, reduced = job.trials, job.reduced
    if not trial_set.playing.size:
        trial_set.playing = np.zeros((trial_set.trials, len(plain.checkpoints)), np.int64)
        trial_set.ended = np.zeros((trial_set.trials, END_COLUMNS), np.int64)
    first = int(trial_set.counters[0])
    now = max(REDUCED_ROLLS_PER_CALL // int(plain.checkpoints[-1]), 1)
    last = min(trial_set.trials, first + now)
    limits = [*plain.stops, plain.bankroll, plain.unit, plain.start, reduced.least, reduced.unit]
    arrays = (plain.next, plain.money, job.need, reduced.to, np.array(limits, np.int64))
    end_codes = np.array([END_GOAL, END_STOP_LOSS, END_RUIN, END_ROLLS_PLAYED], np.int64)
    results = trial_set.rng, trial_set.playing, trial_set.ended
    play_reduced_bets(*arrays, end_codes, plain.kinds, plain.checkpoints, first, last, *results)
    trial_set.counters[0] = last
    if last == trial_set.trials:
        counted = [np.unique(keys, return_counts=True) for keys in trial_set.playing.T]
        trial_set.finish(trial_set.ended, counted)
    return trial_set
