"""Sampled sessions of players who play on when they are short: one after the other, a loop of its
own. Where a worth does not cover a state's bets, play goes on in the state beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64

from passline.machines.arrays import Cells, Ints, Words
from passline.machines.compiling import compiled
from passline.machines.short import Aside
from passline.simulation.kernels import KIND_BITS, LANES, NEXT, one
from passline.simulation.trials import (
    TRIAL,
    TrialEnds,
    TrialJob,
    TrialSet,
    count_worths,
)

#: Rolls that are played before a set is handed back.
STRETCH = 2**22
#: What is kept of a trial's end: how, rolls, highest, lowest, and whether it was ever short.
EVER_SHORT = 4


class ShortJob(NamedTuple):
    """What is played, and where who is short goes on."""

    trials: TrialJob
    need: Ints
    aside: Aside


def play_short_trials(job: ShortJob, part: TrialSet) -> TrialSet:
    """Play a set on: to its end, or for a while."""
    plain, to = job.trials, job.aside.to
    if part.seats is None or part.worths is None or part.ends is None:
        part.seats = np.zeros((7, LANES), np.int64)
        part.seats[TRIAL] = -1  # nobody is between two calls
        part.worths = np.zeros((part.trials, len(plain.marks)), np.int64)
        part.ends = np.zeros((part.trials, EVER_SHORT + 1), np.int64)
    first = int(part.tray[NEXT])
    last = min(part.trials, first + max(STRETCH // int(plain.marks[-1]), 1))
    stops = np.append(plain.stops, [job.aside.least, job.aside.unit])
    arrays = (plain.next, plain.money, job.need, to, stops, plain.hows, plain.kinds, plain.marks)
    play_short(*arrays, first, last, part.rng, part.worths, part.ends)
    part.tray[NEXT] = last
    if last == part.trials:
        marks = range(len(plain.marks))
        counted = tuple(count_worths(part.worths[:, mark], plain.unit) for mark in marks)
        part.outcome = TrialEnds(part.ends, counted)
        part.seats = part.worths = part.ends = None
    return part


@compiled(
    "void(i4[:, ::1], i4[:, ::1], i8[::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, "
    "u8[::1], i8[:, ::1], i8[:, ::1])"
)
def play_short(
    next_: Cells,
    money: Cells,
    need: Ints,
    aside: Cells,
    stops: Ints,
    hows: Ints,
    kinds: Ints,
    marks: Ints,
    first: int,
    last: int,
    rng: Words,
    worths: Ints,
    ends: Ints,
) -> None:
    """Play these trials, each to its end. ``stops`` is (goal, floor, bankroll, opening state, the
    least worth of ``aside``, its unit); the rest is as ``play_sessions`` has it."""
    wide: Any = uint64(next_.shape[1])
    few = uint64(2**32) % wide
    s0, s1, s2, s3 = rng
    for trial in range(first, last):
        worth, state = stops[2], stops[3]
        highest, lowest, rolled, mark, ever = worth, worth, 0, 0, 0
        while True:
            if worth >= stops[0]:
                how = hows[0]
                break
            if worth <= stops[1]:
                how = hows[1]
                break
            if worth < need[state]:
                ever = 1
                place = (worth - stops[4]) // stops[5]
                if place < aside.shape[1] and aside[state, place] >= 0:
                    state = int64(aside[state, place])
                if worth < need[state]:
                    how = hows[2]
                    break
            if rolled == marks[-1]:
                how = hows[3]
                break
            drawn, s0, s1, s2, s3 = one(s0, s1, s2, s3, wide, few)
            worth += money[state, drawn]
            state = int64(next_[state, drawn])
            rolled += 1
            highest, lowest = max(highest, worth), min(lowest, worth)
            if rolled == marks[mark]:
                worths[trial, mark] = (worth << KIND_BITS) | kinds[state]
                mark += 1
        for at in range(mark, len(marks)):
            worths[trial, at] = (worth << KIND_BITS) | kinds[state]
        ends[trial, 0], ends[trial, 1] = how, rolled
        ends[trial, 2], ends[trial, 3], ends[trial, 4] = highest, lowest, ever
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
