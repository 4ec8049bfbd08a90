"""Sessions to be sampled, cut into sets of so many trials each, played side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from passline.machines.arrays import Cells, Ints, Words
from passline.sessions import Plan
from passline.sessions.ends import GOAL, PLAYED, RUINED, STOPPED
from passline.sessions.plan import checkpoints
from passline.simulation.open_machines import Rows
from passline.simulation.seeds import generator

#: No session gets as far as this, in cents.
FAR = 2**61
#: Rolls and trials of a set: a fraction of a second, and a few megabytes. Of the longest
#: sessions there are as few as are played side by side: fewer would take as long.
LONG, MANY, FEW = 2**24, 2**14, 2**3
#: Rounds that are played before a set is handed back.
ROUNDS = 2**21


#: As in the kernels, which are not loaded before they are needed: the rows of the seats that are
#: looked at here.
MARK, TRIAL = 3, 4
#: And how worths and kinds are noted.
KIND_BITS = 24


class TrialJob(NamedTuple):
    """What is played: the machine's arrays, where sessions end, and when their worth is noted.

    Worths differ from the bankroll by multiples of ``unit``. ``kinds`` tells apart what may be up.
    """

    next: Cells
    money: Cells
    low: Ints
    stops: Ints
    hows: Ints
    kinds: Ints
    marks: Ints
    unit: int


class TrialEnds(NamedTuple):
    """What trials came to: how each ended (how, rolls, highest, lowest), and for each mark the keys
    (``key_of``) of worth and kind, and how many trials had them."""

    ends: Ints
    worths: tuple[tuple[Ints, Ints], ...]


@dataclass(slots=True)
class TrialSet:
    """A piece of the sampling: its trials as far as they are played."""

    number: int
    trials: int
    rng: Words
    seats: Ints | None = None
    tray: Ints = field(default_factory=lambda: np.zeros(2, np.int64))
    worths: Ints | None = None
    ends: Ints | None = None
    stuck: int = -1
    outcome: TrialEnds | None = None

    @property
    def done(self) -> bool:
        """Whether all its trials are played."""
        return self.outcome is not None


def cut_trials(plan: Plan, trials: int, seed: int) -> Iterator[TrialSet]:
    """The sets of a sampling: they depend on these three alone."""
    size = min(max(LONG // plan.rolls, FEW), MANY)
    count = -(-trials // size)
    least, more = divmod(trials, count)
    for number in range(count):
        yield TrialSet(number, least + (number < more), generator(seed, number))


def job_for(rows: Rows, plan: Plan) -> TrialJob:
    """The job of playing a plan on a machine as it is known now."""
    goal = FAR if plan.goal is None else plan.goal
    floor = -FAR if plan.floor is None else plan.floor
    low = np.maximum(rows.need, floor + 1)
    low[rows.next[:, 0] < 0] = FAR
    stops = np.array([goal, floor, plan.bankroll, rows.start], np.int64)
    marks = np.array(checkpoints(plan.rolls)[1:], np.int64)
    hows = np.array([GOAL, STOPPED, RUINED, PLAYED], np.int64)
    return TrialJob(
        next=rows.next,
        money=rows.money,
        low=low,
        stops=stops,
        hows=hows,
        kinds=rows.kinds,
        marks=marks,
        unit=rows.unit,
    )


def play_trials(job: TrialJob, part: TrialSet) -> TrialSet:
    """Play a set on: to its end, or for a while, or to a state that is not explored."""
    from passline.simulation.kernels import LANES, NEXT, play_sessions

    if part.seats is None or part.worths is None or part.ends is None:
        part.seats = np.zeros((7, LANES), np.int64)
        part.seats[TRIAL] = -1
        part.worths = np.zeros((part.trials, len(job.marks)), np.int64)
        part.ends = np.zeros((part.trials, 4), np.int64)
    part.stuck = play_sessions(
        *job[:-1], ROUNDS, part.rng, part.seats, part.tray, part.worths, part.ends
    )
    if part.tray[NEXT] == part.trials and part.seats[TRIAL].max() < 0:
        worths, marks = part.worths, range(len(job.marks))
        counted = tuple(count_worths(worths[:, mark], job.unit) for mark in marks)
        part.outcome = TrialEnds(part.ends, counted)
        part.seats = part.worths = part.ends = None
    return part


def count_begun(part: TrialSet) -> int:
    """How many of its trials were begun."""
    return int(part.tray[0])


def take_finished(part: TrialSet, unit: int) -> TrialEnds | None:
    """What the trials came to that are over, up to the first that is not.

    Those beyond it are left out even if they are over: they would be the ones that end soon.
    """
    if part.seats is None or part.worths is None or part.ends is None:
        return None
    playing = _playing(part.seats)
    first = int(playing[TRIAL].min()) if playing.size else count_begun(part)
    if not first:
        return None
    worths, marks = part.worths[:first], range(part.worths.shape[1])
    return TrialEnds(
        part.ends[:first], tuple(count_worths(worths[:, mark], unit) for mark in marks)
    )


def count_marks_passed(part: TrialSet) -> int:
    """How many marks all trials that were begun have behind them, or ended before."""
    if part.seats is None or part.worths is None or not count_begun(part):
        return 0
    playing = _playing(part.seats)
    if not playing.size:
        return int(part.worths.shape[1])
    # Stuck, some may have been noted at a mark and not yet asked whether they end there.
    return max(int(playing[MARK].min()) - (part.stuck >= 0), 0)


def cut_back(outcome: TrialEnds, mark: int, rolls: int) -> TrialEnds:
    """What trials had come to at a mark (counted from 1), after ``rolls``.

    Their extremes are not known as of then.
    """
    ends = outcome.ends.copy()
    later = ends[:, 1] > rolls
    ends[later, 0], ends[later, 1] = PLAYED, rolls
    return TrialEnds(ends, outcome.worths[:mark])


def look_back(part: TrialSet, mark: int, rolls: int, unit: int) -> TrialEnds:
    """The same of all trials that were begun, over or not."""
    assert part.seats is not None
    assert part.worths is not None
    assert part.ends is not None
    ends = part.ends[: count_begun(part)].copy()
    ends[_playing(part.seats)[TRIAL], 1] = rolls + 1  # further than that
    worths = part.worths[: count_begun(part)]
    noted = tuple(count_worths(worths[:, each], unit) for each in range(mark))
    return cut_back(TrialEnds(ends, noted), mark, rolls)


def _playing(seats: Ints) -> Ints:
    """The seats at which a trial is being played."""
    return seats[:, seats[TRIAL] >= 0]


def key_of(worth: int, kind: int) -> int:
    """A worth (cents) and the kind of state it was left in, as the kernel notes them.

    >>> key_of(-7, 3) >> KIND_BITS, key_of(-7, 3) % 2**KIND_BITS
    (-7, 3)
    """
    return (worth << KIND_BITS) | kind


def count_worths(keys: Ints, unit: int) -> tuple[Ints, Ints]:
    """The distinct keys in rising order, and how often each is there; worths are ``unit`` apart.

    >>> keys = np.array([key_of(worth, 1) for worth in (5, 3, 5)])
    >>> found, many = count_worths(keys, 2)
    >>> found.tolist() == [key_of(3, 1), key_of(5, 1)], many.tolist()
    (True, [1, 2])
    """
    worths, kinds = keys >> KIND_BITS, keys & (2**KIND_BITS - 1)
    least, apart = int(worths.min()), int(kinds.max()) + 1
    if (int(worths.max()) - least) // unit * apart > 16 * len(keys):
        return np.unique(keys, return_counts=True)
    many = np.bincount((worths - least) // unit * apart + kinds)
    there = np.flatnonzero(many)
    return (there // apart * unit + least << KIND_BITS) | there % apart, many[there]
