"""Sessions cut into sittings: so many trials each, played side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.sessions import Plan
from passline.sessions.session import checkpoints
from passline.simulation.open_machines import Rows
from passline.simulation.seeds import generator

#: No session gets as far as this, in cents.
FAR = 2**61
#: Rolls and trials of a sitting: a fraction of a second, and a few megabytes. Of the longest
#: sessions there are as few as are played side by side: fewer would take as long.
LONG, MANY, FEW = 2**24, 2**14, 2**3
#: Rounds that are played before a sitting is handed back.
ROUNDS = 2**21

Ints = NDArray[np.int64]

#: As in the kernels, which are not loaded before they are needed: how a session ends,
#: and the rows of the seats that are looked at here.
PLAYED, GOAL, STOPPED, RUINED = 0, 1, 2, 3
MARK, TRIAL = 3, 4


class Job(NamedTuple):
    """What is played: the machine's arrays, where sessions end, and when their worth is noted.

    Worths differ from the bankroll by multiples of ``unit``.
    """

    next: NDArray[np.int32]
    money: NDArray[np.int32]
    low: Ints
    stops: Ints
    marks: Ints
    unit: int


class Outcome(NamedTuple):
    """What trials came to: how each ended (kind, rolls, highest, lowest), and for each mark the
    worths and how many trials had them."""

    ends: Ints
    worths: tuple[tuple[Ints, Ints], ...]


@dataclass(slots=True)
class Sitting:
    """A piece of the sampling: its trials as far as they are played."""

    number: int
    trials: int
    rng: NDArray[np.uint64]
    seats: Ints | None = None
    tray: Ints = field(default_factory=lambda: np.zeros(2, np.int64))
    worths: Ints | None = None
    ends: Ints | None = None
    stuck: int = -1
    outcome: Outcome | None = None

    @property
    def done(self) -> bool:
        """Whether all its trials are played."""
        return self.outcome is not None


def sittings_of(plan: Plan, trials: int, seed: int) -> Iterator[Sitting]:
    """The sittings of a sampling: they depend on these three alone."""
    size = min(max(LONG // plan.rolls, FEW), MANY)
    count = -(-trials // size)
    least, more = divmod(trials, count)
    for number in range(count):
        yield Sitting(number, least + (number < more), generator(seed, number))


def job_for(rows: Rows, plan: Plan) -> Job:
    """The job of playing a plan on a machine as it is known now."""
    goal = FAR if plan.goal is None else plan.goal
    floor = -FAR if plan.floor is None else plan.floor
    low = np.maximum(rows.need, floor + 1)
    low[rows.next[:, 0] < 0] = FAR
    stops = np.array([goal, floor, plan.bankroll, rows.start], np.int64)
    marks = np.array(checkpoints(plan.rolls)[1:], np.int64)
    return Job(rows.next, rows.money, low, stops, marks, rows.unit)


def play(job: Job, sitting: Sitting) -> Sitting:
    """Play a sitting on: to its end, or for a while, or to a state that is not explored."""
    from passline.simulation.kernels import LANES, NEXT, play_sessions

    if sitting.seats is None or sitting.worths is None or sitting.ends is None:
        sitting.seats = np.zeros((7, LANES), np.int64)
        sitting.seats[TRIAL] = -1
        sitting.worths = np.zeros((sitting.trials, len(job.marks)), np.int64)
        sitting.ends = np.zeros((sitting.trials, 4), np.int64)
    sitting.stuck = play_sessions(
        *job[:-1], ROUNDS, sitting.rng, sitting.seats, sitting.tray, sitting.worths, sitting.ends
    )
    if sitting.tray[NEXT] == sitting.trials and sitting.seats[TRIAL].max() < 0:
        counted = tuple(counts(sitting.worths[:, mark], job.unit) for mark in range(len(job.marks)))
        sitting.outcome = Outcome(sitting.ends, counted)
        sitting.seats = sitting.worths = sitting.ends = None
    return sitting


def begun(sitting: Sitting) -> int:
    """How many of its trials were begun."""
    return int(sitting.tray[0])


def over(sitting: Sitting, unit: int) -> Outcome | None:
    """What the trials came to that are over, up to the first that is not.

    Those beyond it are left out even if they are over: they would be the ones that end soon.
    """
    if sitting.seats is None or sitting.worths is None or sitting.ends is None:
        return None
    playing = _playing(sitting.seats)
    first = int(playing[TRIAL].min()) if playing.size else begun(sitting)
    if not first:
        return None
    worths, marks = sitting.worths[:first], range(sitting.worths.shape[1])
    return Outcome(sitting.ends[:first], tuple(counts(worths[:, mark], unit) for mark in marks))


def marks_passed(sitting: Sitting) -> int:
    """How many marks all trials that were begun have behind them, or ended before."""
    if sitting.seats is None or sitting.worths is None or not begun(sitting):
        return 0
    playing = _playing(sitting.seats)
    if not playing.size:
        return int(sitting.worths.shape[1])
    # Stuck, some may have been noted at a mark and not yet asked whether they end there.
    return max(int(playing[MARK].min()) - (sitting.stuck >= 0), 0)


def shortened(outcome: Outcome, mark: int, rolls: int) -> Outcome:
    """What trials had come to at a mark (counted from 1), after ``rolls``.

    Their extremes are not known as of then.
    """
    ends = outcome.ends.copy()
    later = ends[:, 1] > rolls
    ends[later, 0], ends[later, 1] = PLAYED, rolls
    return Outcome(ends, outcome.worths[:mark])


def as_of(sitting: Sitting, mark: int, rolls: int, unit: int) -> Outcome:
    """The same of all trials that were begun, over or not."""
    assert sitting.seats is not None
    assert sitting.worths is not None
    assert sitting.ends is not None
    ends = sitting.ends[: begun(sitting)].copy()
    ends[_playing(sitting.seats)[TRIAL], 1] = rolls + 1  # further than that
    worths = sitting.worths[: begun(sitting)]
    noted = tuple(counts(worths[:, each], unit) for each in range(mark))
    return shortened(Outcome(ends, noted), mark, rolls)


def _playing(seats: Ints) -> Ints:
    """The seats at which a trial is being played."""
    return seats[:, seats[TRIAL] >= 0]


def counts(worths: Ints, unit: int) -> tuple[Ints, Ints]:
    """The distinct worths in rising order, and how often each is there; they are ``unit`` apart.

    >>> [found.tolist() for found in counts(np.array([5, 3, 5]), 2)]
    [[3, 5], [1, 2]]
    """
    least = int(worths.min())
    if (int(worths.max()) - least) // unit > 16 * len(worths):
        return np.unique(worths, return_counts=True)
    many = np.bincount((worths - least) // unit)
    there = np.flatnonzero(many)
    return there * unit + least, many[there]
