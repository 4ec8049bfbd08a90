"""Sample a table of several players on the same dice, from the house's side.

All trials are played side by side in numpy, one roll at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import Dice
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.machine import Machine
from passline.lab.machines.play_out import PlayOutRows
from passline.lab.sessions.distribution import Distribution


class OpenBetsAtEnd(NamedTuple):
    """How to value one machine's open bets at the end.

    ``worth[state]`` is their value in cents beyond the stake. If they are played to their decisions
    instead, ``rows`` holds the transitions of that play-out, and ``waiting[state]`` marks the
    states with nothing left to decide.
    """

    worth: FloatArray
    rows: PlayOutRows | None
    waiting: NDArray[np.bool_]


class SampledTable(NamedTuple):
    """The house's results in cents.

    For each trial (a shift), ``wins`` is the house's win and ``deepest`` its deepest deficit. Over
    all trials, ``worst`` is the largest loss of one roll, ``worst_chance`` its frequency per roll,
    and ``worst_in_shift`` the share of trials in which it happened.
    """

    wins: IntArray
    deepest: IntArray
    worst: int
    worst_chance: float
    worst_in_shift: float

    def win(self) -> Distribution:
        """Return the distribution of the house's win."""
        worths, many = np.unique(self.wins, return_counts=True)
        return Distribution(tuple(worths.tolist()), tuple(many.tolist()), len(self.wins))

    def reserve(self, share: float) -> tuple[int, float]:
        """Return (quantile, error): the deficit that a ``share`` of trials do not exceed, in cents.

        The standard error of the quantile is estimated from the ranks beside it.
        """
        ranked, trials = np.sort(self.deepest), len(self.deepest)
        off = math.sqrt(share * (1 - share) / trials)

        def at(part: float) -> int:
            return int(ranked[min(max(math.ceil(part * trials) - 1, 0), trials - 1)])

        return at(share), (at(share + off) - at(share - off)) / 2


def sample_table(
    machines: Sequence[Machine],
    players: Sequence[int],
    bankrolls: Sequence[int | None],
    opened: Sequence[OpenBetsAtEnd],
    rolls: int,
    dice: Dice,
    trials: int,
    seed: int,
) -> SampledTable:
    """Play ``trials`` shifts of ``rolls`` rolls with several machines at one table.

    ``players[k]`` is how many players bet as machine k does, and ``bankrolls[k]`` the bankroll of
    each in cents. A player with a bankroll leaves when it does not cover the next bets; None is
    unlimited. Bets that are open after the last roll are valued by ``opened``. If they are played
    to their decisions, all players see the same rolls.
    """
    rng = np.random.default_rng(seed)
    chances = np.cumsum(np.array(dice.weights, np.float64) / dice.whole)
    states = [np.zeros(trials, np.int64) for _ in machines]
    worths = [np.full(trials, bankroll or 0, np.int64) for bankroll in bankrolls]
    win, deepest = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
    worst, worst_count, trials_with_worst = 0, 0, np.zeros(trials, bool)
    for _ in range(rolls):
        outcome = _draw_outcomes(rng, chances, trials)
        change = np.zeros(trials, np.int64)
        for k, machine in enumerate(machines):
            here = states[k]
            moved = machine.money[here, outcome].astype(np.int64)
            next_states = machine.next[here, outcome].astype(np.int64)
            if bankrolls[k] is not None:
                plays = worths[k] >= machine.need[here]
                moved, next_states = np.where(plays, moved, 0), np.where(plays, next_states, here)
            states[k] = next_states
            worths[k] += moved
            change -= moved * players[k]
        win += change
        deepest = np.maximum(deepest, -win)
        largest = -int(change.min())
        if largest > worst:
            worst, worst_count, trials_with_worst = largest, 0, np.zeros(trials, bool)
        now = change == -worst
        worst_count += int(now.sum())
        trials_with_worst |= now
    for k, valued in enumerate(opened):
        win = win - np.rint(valued.worth[states[k]] * players[k]).astype(np.int64)
    _play_out_bets(win, states, players, opened, rng, chances)
    return SampledTable(
        wins=win,
        deepest=deepest,
        worst=worst,
        worst_chance=worst_count / (rolls * trials),
        worst_in_shift=float(trials_with_worst.mean()),
    )


def _draw_outcomes(rng: np.random.Generator, chances: FloatArray, many: int) -> IntArray:
    found: IntArray = np.minimum(np.searchsorted(chances, rng.random(many), side="right"), 35)
    return found


def _play_out_bets(
    win: IntArray,
    states: Sequence[IntArray],
    players: Sequence[int],
    opened: Sequence[OpenBetsAtEnd],
    rng: np.random.Generator,
    chances: FloatArray,
) -> None:
    """Roll on until no open bet can be decided. Subtract what players win from ``win``, in place.

    All players of a trial see the same rolls.
    """
    play_outs = [
        (valued.rows, valued.waiting, valued.rows.places[states[k]], players[k])
        for k, valued in enumerate(opened)
        if valued.rows is not None
    ]
    while True:
        on = np.zeros(len(win), bool)
        for _, waiting, places, _ in play_outs:
            on |= ~waiting[places]
        trials = np.flatnonzero(on)
        if not trials.size:
            return
        outcome = _draw_outcomes(rng, chances, trials.size)
        for rows, _, places, many in play_outs:
            here = places[trials]
            win[trials] -= rows.money[here, outcome] * many
            places[trials] = rows.next[here, outcome]
