"""Sampled sessions of players who play on when they are short: one after the other, a loop of its
own. Where a worth does not cover a state's bets, play goes on in the state beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64

from passline.lab.machines.arrays import Int32Array, IntArray, WordArray
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.session import END_GOAL, END_ROLLS_PLAYED, END_RUIN, END_STOP_LOSS
from passline.lab.simulation.roll_kernels import draw_outcome
from passline.lab.simulation.trials import KIND_BITS, TrialEnds, TrialJob, TrialSet

#: Rolls that are played before a set is handed back.
ROLLS_PER_CALL = 2**22
#: What is kept of a trial's end: how, rolls, highest, lowest, and whether it was ever short.
END_COLUMNS = 5


class ReducedBetJob(NamedTuple):
    """What is played, and where who is short goes on; ``need`` in cents, as ``aside`` is."""

    trials: TrialJob
    need: IntArray
    aside: ReducedBetStates


def play_reduced_bet_trials(job: ReducedBetJob, part: TrialSet) -> TrialSet:
    """Play a set on: to its end, or for a while. Its ``seats`` are the worths at the marks, its
    ``over`` how trials ended, one after the other; the tray's first says how many did."""
    plain, aside = job.trials, job.aside
    if not part.seats.size:
        part.seats = np.zeros((part.trials, len(plain.marks)), np.int64)
        part.over = np.zeros((part.trials, END_COLUMNS), np.int64)
    first = int(part.counters[0])
    last = min(part.trials, first + max(ROLLS_PER_CALL // int(plain.marks[-1]), 1))
    where = [*plain.stops, plain.bankroll, plain.unit, plain.start, aside.least, aside.unit]
    arrays = (plain.next, plain.money, job.need, aside.to, np.array(where, np.int64))
    end_codes = np.array([END_GOAL, END_STOP_LOSS, END_RUIN, END_ROLLS_PLAYED], np.int64)
    play_reduced_bets(
        *arrays, end_codes, plain.kinds, plain.marks, first, last, part.rng, part.seats, part.over
    )
    part.counters[0] = last
    if last == part.trials:
        counted = tuple(np.unique(keys, return_counts=True) for keys in part.seats.T)
        part.outcome = TrialEnds(part.over, counted)
        part.seats, part.over = part.seats[:, :0].copy(), part.over[:0].copy()
    return part


@compile_loop(
    "void(i4[:, ::1], i4[:, ::1], i8[::1], i4[:, ::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, "
    "u8[::1], i8[:, ::1], i8[:, ::1])"
)
def play_reduced_bets(
    next_: Int32Array,
    money: Int32Array,
    need: IntArray,
    aside: Int32Array,
    where: IntArray,
    end_codes: IntArray,
    kinds: IntArray,
    marks: IntArray,
    first: int,
    last: int,
    rng: WordArray,
    worths: IntArray,
    ends: IntArray,
) -> None:
    """Play these trials, each to its end. ``where`` is (goal, floor, bankroll, unit, opening state,
    the least worth of ``aside``, its unit): the first two in units from the bankroll, as all is
    counted here but what is noted."""
    wide: Any = uint64(next_.shape[1])
    few = uint64(2**32) % wide
    goal, floor, bankroll, unit, start, least, rung = where
    s0, s1, s2, s3 = rng
    for trial in range(first, last):
        worth, state = int64(0), start
        highest, lowest, rolled, mark, ever = worth, worth, 0, 0, 0
        while True:
            if worth >= goal:
                how = end_codes[0]
                break
            if worth <= floor:
                how = end_codes[1]
                break
            cents = bankroll + worth * unit
            if cents < need[state]:
                ever = 1
                place = (cents - least) // rung
                if place < aside.shape[1] and aside[state, place] >= 0:
                    state = int64(aside[state, place])
                if cents < need[state]:
                    how = end_codes[2]
                    break
            if rolled == marks[-1]:
                how = end_codes[3]
                break
            drawn, s0, s1, s2, s3 = draw_outcome(s0, s1, s2, s3, wide, few)
            worth += money[state, drawn]
            state = int64(next_[state, drawn])
            rolled += 1
            highest, lowest = max(highest, worth), min(lowest, worth)
            if rolled == marks[mark]:
                worths[trial, mark] = (bankroll + worth * unit << KIND_BITS) | kinds[state]
                mark += 1
        for at in range(mark, len(marks)):
            worths[trial, at] = (bankroll + worth * unit << KIND_BITS) | kinds[state]
        ends[trial, 0], ends[trial, 1], ends[trial, 4] = how, rolled, ever
        ends[trial, 2], ends[trial, 3] = bankroll + highest * unit, bankroll + lowest * unit
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
