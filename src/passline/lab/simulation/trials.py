"""Sessions to be sampled, cut into sets of so many trials each, which are played along together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.sessions.session import (
    END_GOAL,
    END_ROLLS_PLAYED,
    END_RUIN,
    END_STOP_LOSS,
    Plan,
    choose_checkpoints,
)
from passline.lab.simulation.seeds import make_generator
from passline.lab.simulation.transition_tables import StrideTable, TransitionRows, build_strides

#: No session gets as far as this, in units.
UNREACHABLE = 2**61
#: Rolls and trials of a set: a fraction of a second, and a few megabytes. Of the longest
#: sessions there are a few: fewer would take as long.
ROLLS_PER_SET, MAX_SET_TRIALS, MIN_SET_TRIALS = 2**24, 2**14, 2**3
#: Places to count worths and kinds in, for each trial: where they take more, they are sorted.
COUNTERS_PER_TRIAL = 16
#: Rolls that are played, of all trials together, before a set is handed back.
ROLLS_PER_CALL = 2**24

#: The rows of a session, as in the loops, which are not loaded before they are needed.
STATE, WORTH = range(2)
#: How worths and kinds are noted: the kind of state that they were left in, in the lowest bits.
KIND_BITS = 24


class TrialJob(NamedTuple):
    """What is played: the machine's arrays, where sessions end, and when their worth is noted.

    Money is in ``unit`` cents, and worths are counted from the bankroll. ``kinds`` tells apart what
    may be up, and all are under ``apart``.
    """

    next: Int32Array
    money: Int32Array
    low: IntArray
    strides: tuple[StrideTable, ...]
    stops: IntArray
    kinds: IntArray
    apart: int
    marks: IntArray
    bankroll: int
    start: int
    unit: int


class TrialEnds(NamedTuple):
    """What trials came to: how each ended (how, rolls, highest, lowest), and for each mark the keys
    (``make_key``) of worth and kind, and how many trials had them."""

    ends: IntArray
    worths: tuple[tuple[IntArray, IntArray], ...]


@dataclass(slots=True)
class TrialSet:
    """A piece of the sampling: its trials as far as they are played.

    ``seats`` are those that are played on, ``over`` those that ended. ``rolled``: the rolls that
    all have behind them, or ended before. ``noted``: their worths at the marks passed.
    """

    number: int
    trials: int
    rng: WordArray
    seats: IntArray = field(default_factory=lambda: np.zeros((4, 0), np.int64))
    over: IntArray = field(default_factory=lambda: np.zeros((6, 0), np.int64))
    counters: IntArray = field(default_factory=lambda: np.zeros(5, np.int64))
    rolled: int = 0
    noted: list[tuple[IntArray, IntArray]] = field(default_factory=list)
    stuck: int = -1
    outcome: TrialEnds | None = None

    @property
    def done(self) -> bool:
        """Whether all its trials are played."""
        return self.outcome is not None


def split_trials(plan: Plan, trials: int, seed: int) -> Iterator[TrialSet]:
    """The sets of a sampling: they depend on these three alone."""
    size = min(max(ROLLS_PER_SET // plan.rolls, MIN_SET_TRIALS), MAX_SET_TRIALS)
    count = -(-trials // size)
    least, more = divmod(trials, count)
    for number in range(count):
        yield TrialSet(number, least + (number < more), make_generator(seed, number))


def make_job(rows: TransitionRows, plan: Plan) -> TrialJob:
    """The job of playing a plan on a machine as it is known now."""
    unit, bankroll = rows.unit, plan.bankroll
    goal = UNREACHABLE if plan.stop_win is None else -(-plan.stop_win // unit)
    floor = -UNREACHABLE if plan.stop_loss is None else -plan.stop_loss // unit
    low = np.maximum(-((bankroll - rows.need) // unit), floor + 1)
    low[rows.next[:, 0] < 0] = UNREACHABLE
    marks = np.array(choose_checkpoints(plan.rolls)[1:], np.int64)
    money = rows.money if unit == 1 else (rows.money // unit).astype(np.int32)
    return TrialJob(
        next=rows.next,
        money=money,
        low=low,
        strides=() if rows.machine else build_strides(rows.next, money, low),
        stops=np.array([goal, floor], np.int64),
        kinds=rows.kinds,
        apart=int(rows.kinds.max()) + 1,
        marks=marks,
        bankroll=bankroll,
        start=rows.start,
        unit=unit,
    )


def play_trials(job: TrialJob, part: TrialSet) -> TrialSet:
    """Play a set on: to its end, or for a while, or to a state that is not explored."""
    if not part.seats.size:
        _start_trials(job, part)
    played, room = 0, _WorthCounters(part.trials)
    while len(part.noted) < len(job.marks) and played < ROLLS_PER_CALL:
        stretch = min(
            int(job.marks[len(part.noted)]) - part.rolled, max(ROLLS_PER_CALL // part.trials, 1)
        )
        if part.counters[0]:  # somebody plays on
            _play_some_rolls(job, part, stretch)
        if part.stuck >= 0:
            return part
        part.rolled += stretch
        played += stretch * part.trials
        if part.rolled == job.marks[len(part.noted)]:
            part.noted.append(_count_worth_keys(job, part, room))
    if len(part.noted) == len(job.marks):
        part.outcome = TrialEnds(_list_ends(job, part), tuple(part.noted))
        part.seats, part.over = part.seats[:, :0].copy(), part.over[:, :0].copy()
    return part


def _start_trials(job: TrialJob, part: TrialSet) -> None:
    """All begin together. Who cannot begin leaves with the first roll that is not made."""
    part.seats = np.zeros((4, part.trials), np.int64)
    part.over = np.zeros((6, part.trials), np.int64)
    part.seats[STATE] = job.start
    part.counters = np.array([part.trials, 0, 0, 0, -1], np.int64)


def _play_some_rolls(job: TrialJob, part: TrialSet, rolls: int) -> None:
    """So many rolls of every trial, or to a state that must be explored before."""
    from passline.lab.simulation.session_kernels import (
        KEPT_COUNT,
        NEXT_SEAT,
        PLAYING_COUNT,
        play_sessions,
        play_strides,
    )

    end_codes = np.array([END_GOAL, END_STOP_LOSS, END_RUIN], np.int64)
    ends = job.next, job.money, job.low, job.stops, end_codes
    given = part.rng, part.seats, part.over, part.counters
    if not job.strides:
        part.stuck = play_sessions(*ends, part.rolled, rolls, *given)
        if part.stuck < 0:
            part.counters[PLAYING_COUNT] = part.counters[KEPT_COUNT]
            part.counters[NEXT_SEAT] = part.counters[KEPT_COUNT] = 0
    begun = part.rolled
    for strides in job.strides:
        now, left = divmod(rolls, strides.depth)
        if now:
            play_strides(*ends, begun, now, *given, *cast(tuple[Any, ...], strides))
        begun, rolls = begun + rolls - left, left


class _WorthCounters:
    """What the worths of so many trials are counted in, mark after mark."""

    def __init__(self, trials: int) -> None:
        self.counts = np.empty(max(COUNTERS_PER_TRIAL * trials, 2**16), np.int64)
        self.keys, self.many = np.empty((2, trials), np.int64)


def _count_worth_keys(
    job: TrialJob, part: TrialSet, room: _WorthCounters
) -> tuple[IntArray, IntArray]:
    """The distinct keys of the trials' worths and kinds in rising order, and how many had each."""
    from passline.lab.simulation.session_kernels import count_worths

    sat = part.seats, part.over, part.counters, job.kinds, job.apart, job.bankroll, job.unit
    found = count_worths(*sat, room.counts, room.keys, room.many)
    if found >= 0:
        return room.keys[:found].copy(), room.many[:found].copy()
    sessions = (part.seats, int(part.counters[0])), (part.over, int(part.counters[1]))
    every = [
        (job.bankroll + seats[WORTH, :count] * job.unit << KIND_BITS)
        | job.kinds[seats[STATE, :count]]
        for seats, count in sessions
    ]
    return np.unique(np.concatenate(every), return_counts=True)


def _list_ends(job: TrialJob, part: TrialSet) -> IntArray:
    """How each trial ended; who plays on has made all rolls so far."""
    from passline.lab.simulation.session_kernels import write_ends

    ends = np.empty((part.trials, 4), np.int64)
    sat = part.seats, part.over, part.counters
    write_ends(*sat, END_ROLLS_PLAYED, part.rolled, job.bankroll, job.unit, ends)
    return ends


def count_started(part: TrialSet) -> int:
    """How many of its trials were begun and are not told of."""
    return part.trials if part.seats.size else 0


def truncate_outcome(outcome: TrialEnds, mark: int, rolls: int) -> TrialEnds:
    """What trials had come to at a mark (counted from 1), after ``rolls``.

    Their extremes are not known as of then.
    """
    ends = outcome.ends.copy()
    later = ends[:, 1] > rolls
    ends[later, 0], ends[later, 1] = END_ROLLS_PLAYED, rolls
    return TrialEnds(ends, outcome.worths[:mark])


def truncate_set(job: TrialJob, part: TrialSet, mark: int, rolls: int) -> TrialEnds:
    """The same of a set's trials, over or not."""
    return truncate_outcome(TrialEnds(_list_ends(job, part), tuple(part.noted)), mark, rolls)


def make_key(worth: int, kind: int) -> int:
    """A worth (cents) and the kind of state it was left in, as they are noted.

    >>> make_key(-7, 3) >> KIND_BITS, make_key(-7, 3) % 2**KIND_BITS
    (-7, 3)
    """
    return (worth << KIND_BITS) | kind
