"""A table of players on the same throws, sampled: all trials side by side, a roll at a time."""

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
    """What is up at the end, of one machine: ``worth`` beside its stake, by state; or the places
    through which it is played out (``rows``), and which of these only wait."""

    worth: FloatArray
    rows: PlayOutRows | None
    waiting: NDArray[np.bool_]


class SampledTable(NamedTuple):
    """Of each trial, in cents, from the house's side: the win, and the deepest deficit; and the
    largest loss that one throw brought, how often a throw did, and in how many trials."""

    wins: IntArray
    deepest: IntArray
    worst: int
    worst_chance: float
    worst_in_shift: float

    def win(self) -> Distribution:
        """The distribution of the win."""
        worths, many = np.unique(self.wins, return_counts=True)
        return Distribution(tuple(worths.tolist()), tuple(many.tolist()), len(self.wins))

    def reserve(self, share: float) -> tuple[int, float]:
        """A quantile of the deepest deficit, and its standard error by its neighbours' ranks."""
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
    """Play ``trials`` shifts. Who has a bankroll leaves when it cannot cover his wagers; what is up
    when the rolls end counts as ``opened`` has it, on the same throws if it is played out."""
    rng = np.random.default_rng(seed)
    chances = np.cumsum(np.array(dice.weights, np.float64) / dice.whole)
    states = [np.zeros(trials, np.int64) for _ in machines]
    worths = [np.full(trials, bankroll or 0, np.int64) for bankroll in bankrolls]
    win, deepest = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
    worst, thrown, had = 0, 0, np.zeros(trials, bool)
    for _ in range(rolls):
        outcome = _draw_outcomes(rng, chances, trials)
        change = np.zeros(trials, np.int64)
        for k, machine in enumerate(machines):
            here = states[k]
            moved = machine.money[here, outcome].astype(np.int64)
            onward = machine.next[here, outcome].astype(np.int64)
            if bankrolls[k] is not None:
                plays = worths[k] >= machine.need[here]
                moved, onward = np.where(plays, moved, 0), np.where(plays, onward, here)
            states[k] = onward
            worths[k] += moved
            change -= moved * players[k]
        win += change
        deepest = np.maximum(deepest, -win)
        largest = -int(change.min())
        if largest > worst:
            worst, thrown, had = largest, 0, np.zeros(trials, bool)
        now = change == -worst
        thrown += int(now.sum())
        had |= now
    for k, each in enumerate(opened):
        win = win - np.rint(each.worth[states[k]] * players[k]).astype(np.int64)
    _play_out_bets(win, states, players, opened, rng, chances)
    return SampledTable(
        wins=win,
        deepest=deepest,
        worst=worst,
        worst_chance=thrown / (rolls * trials),
        worst_in_shift=float(had.mean()),
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
    """Throw on, for all players of a trial together, until nothing that is up can be decided."""
    out = [
        (each.rows, each.waiting, each.rows.places[states[k]], players[k])
        for k, each in enumerate(opened)
        if each.rows is not None
    ]
    while True:
        on = np.zeros(len(win), bool)
        for _, waiting, places, _ in out:
            on |= ~waiting[places]
        trials = np.flatnonzero(on)
        if not trials.size:
            return
        outcome = _draw_outcomes(rng, chances, trials.size)
        for rows, _, places, many in out:
            here = places[trials]
            win[trials] -= rows.money[here, outcome] * many
            places[trials] = rows.next[here, outcome]
