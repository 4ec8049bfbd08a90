"""Sample a table of several players on the same dice.

All trials are played side by side in numpy, one roll at a time. Machines are explored as they are
played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import Dice
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.machine import Machine
from passline.lab.machines.play_out import PlayOutRows
from passline.lab.sessions.distribution import (
    QUANTILE_PERCENTS,
    Distribution,
    QuantileBand,
)
from passline.lab.simulation.transition_tables import MachineRestarted


class OpenBetsAtEnd(NamedTuple):
    """How to value one machine's open bets at the end.

    ``worth[state]`` is their value in cents beyond the stake. To play the bets to their decisions
    instead, ``rows`` has the transitions of that play-out, and ``waiting[place]`` marks its states
    (places) with nothing left to decide.
    """

    worth: FloatArray
    rows: PlayOutRows | None
    waiting: NDArray[np.bool_]


#: Returns how to value the open bets of these machines at the end, in their order.
OpenBetsValuer = Callable[[Sequence[Machine]], Sequence[OpenBetsAtEnd]]


class SampledTable(NamedTuple):
    """The results of sampled shifts at one table, in cents.

    Each trial is a shift. ``players[k]`` players bet as machine k does; for each trial, ``nets[k]``
    is what each of them wins and ``deepest`` the house's deepest deficit. Over all trials,
    ``worst`` is the house's largest loss of one roll, ``worst_chance`` its frequency per roll, and
    ``worst_in_shift`` the share of trials in which it happened. ``fans[k]`` has quantiles of what a
    player has won so far at some rolls, bets at their stake.
    """

    nets: IntArray
    players: tuple[int, ...]
    deepest: IntArray
    worst: int
    worst_chance: float
    worst_in_shift: float
    fans: tuple[tuple[QuantileBand, ...], ...]

    @property
    def trials(self) -> int:
        """The number of trials, each of which is a shift."""
        return len(self.deepest)

    def win(self) -> Distribution:
        """Return the distribution of what the house wins in a shift."""
        return self.distribution([-count for count in self.players])

    def distribution(self, times: Sequence[int]) -> Distribution:
        """Return the distribution of a weighted sum of the players' wins, with weights ``times``.

        So the weights 1 and -1 give the lead of one player over another.
        """
        worths, many = np.unique(np.array(times, np.int64) @ self.nets, return_counts=True)
        return Distribution(tuple(worths.tolist()), tuple(many.tolist()), self.trials)

    def reserve(self, share: float) -> tuple[int, float]:
        """Return (deficit, error) in cents: the deficit that a ``share`` of trials do not exceed.

        The error is its standard error, estimated from the sorted deficits next to it.
        """
        ranked, trials = np.sort(self.deepest), self.trials
        off = math.sqrt(share * (1 - share) / trials)

        def at(part: float) -> int:
            return int(ranked[min(max(math.ceil(part * trials) - 1, 0), trials - 1)])

        return at(share), (at(share + off) - at(share - off)) / 2


def sample_table(
    machines: Sequence[Machine],
    players: Sequence[int],
    bankrolls: Sequence[int | None],
    value_open_bets: OpenBetsValuer,
    rolls: int,
    dice: Dice,
    trials: int,
    seed: int,
    fan_rolls: Sequence[int] = (),
) -> SampledTable:
    """Play ``trials`` shifts of ``rolls`` rolls with several machines at one table.

    ``players[k]`` is how many players bet as machine k does, and ``bankrolls[k]`` the cents that
    each has; None is unlimited. A player leaves when the bankroll does not cover the next bets.
    ``value_open_bets`` values the bets that are open after the last roll; if they are played out,
    all players see the same rolls. Quantiles are recorded after the numbers of rolls ``fan_rolls``.
    The same seed gives the same result, whatever was explored before. Raise MachineFull if a
    machine's memory is full.
    """
    while True:
        rng = np.random.default_rng(seed)
        chances = np.cumsum(np.array(dice.weights, np.float64) / dice.whole)
        table = _TableTrials(machines, players, bankrolls, trials)
        try:
            fans = table.play(rolls, rng, chances, fan_rolls)
        except MachineRestarted:
            continue
        opened = value_open_bets(machines)
        nets = np.stack(table.nets)
        for k, valued in enumerate(opened):
            nets[k] += np.rint(valued.worth[table.states[k]]).astype(np.int64)
        play_out_bets(nets, table.states, opened, rng, chances)
        return SampledTable(
            nets=nets,
            players=tuple(players),
            deepest=table.deepest,
            worst=table.worst,
            worst_chance=table.worst_count / (rolls * trials),
            worst_in_shift=float(table.trials_with_worst.mean()),
            fans=fans,
        )


class _TableTrials:
    """The trials so far: in each, the machines' states, what they have won, the house's losses."""

    def __init__(
        self,
        machines: Sequence[Machine],
        players: Sequence[int],
        bankrolls: Sequence[int | None],
        trials: int,
    ) -> None:
        self.machines, self.players, self.bankrolls = machines, players, bankrolls
        self.states = [np.zeros(trials, np.int64) for _ in machines]
        self.nets = [np.zeros(trials, np.int64) for _ in machines]
        self.win, self.deepest = np.zeros((2, trials), np.int64)
        self.worst, self.worst_count = 0, 0
        self.trials_with_worst = np.zeros(trials, bool)

    def play(
        self, rolls: int, rng: np.random.Generator, chances: FloatArray, fan_rolls: Sequence[int]
    ) -> tuple[tuple[QuantileBand, ...], ...]:
        """Play ``rolls`` rolls in every trial.

        Return, for each machine, quantiles of what its player has won after the numbers of rolls
        ``fan_rolls``. Raise MachineRestarted if a machine forgets its states.
        """
        fans: list[list[QuantileBand]] = [[] for _ in self.machines]
        for roll in range(rolls + 1):
            for k, net in enumerate(self.nets if roll in fan_rolls else ()):
                fans[k].append(QuantileBand(roll, _find_quantiles(net)))
            if roll < rolls:
                self._roll(draw_outcomes(rng, chances, len(self.win)))
        for k, machine in enumerate(self.machines):
            explore_states(machine, self.states[k])
        return tuple(map(tuple, fans))

    def _roll(self, outcome: IntArray) -> None:
        change = np.zeros(len(outcome), np.int64)
        for k, machine in enumerate(self.machines):
            here, bankroll = self.states[k], self.bankrolls[k]
            explore_states(machine, here)
            moved = machine.money[here, outcome].astype(np.int64)
            next_states = machine.next[here, outcome].astype(np.int64)
            if bankroll is not None:
                plays = bankroll + self.nets[k] >= machine.need[here]
                moved, next_states = np.where(plays, moved, 0), np.where(plays, next_states, here)
            self.states[k] = next_states
            self.nets[k] += moved
            change -= moved * self.players[k]
        self.win += change
        self.deepest = np.maximum(self.deepest, -self.win)
        largest = -int(change.min())
        if largest > self.worst:
            self.worst, self.worst_count = largest, 0
            self.trials_with_worst = np.zeros(len(outcome), bool)
        now = change == -self.worst
        self.worst_count += int(now.sum())
        self.trials_with_worst |= now


def explore_states(machine: Machine, states: IntArray) -> None:
    """Explore those of ``states`` that the machine has not explored yet.

    Raise MachineRestarted if the machine forgets its states.
    """
    if machine.closed:
        return
    for state in np.unique(states[machine.next[states, 0] < 0]).tolist():
        if not machine.expand(state):
            raise MachineRestarted


def _find_quantiles(net: IntArray) -> tuple[int, ...]:
    """Return the lower quantiles of what players have won, one for each of QUANTILE_PERCENTS."""
    shares = np.array(QUANTILE_PERCENTS) / 100
    found: list[int] = np.quantile(net, shares, method="inverted_cdf").astype(np.int64).tolist()
    return tuple(found)


def draw_outcomes(rng: np.random.Generator, chances: FloatArray, many: int) -> IntArray:
    """Draw ``many`` dice outcomes, 0 to 35. ``chances`` are their cumulative chances."""
    found: IntArray = np.minimum(np.searchsorted(chances, rng.random(many), side="right"), 35)
    return found


def play_out_bets(
    nets: IntArray,
    states: Sequence[IntArray],
    opened: Sequence[OpenBetsAtEnd],
    rng: np.random.Generator,
    chances: FloatArray,
) -> None:
    """Roll on until no open bet can be decided. Add what players win to ``nets``, in place.

    In ``nets[k, trial]`` and ``states[k][trial]``, k is a machine. ``opened[k]`` has its play-outs,
    whose bets are left alone if they are not played out (no ``rows``). ``chances`` are the
    cumulative chances of the dice outcomes. All players of a trial see the same rolls.
    """
    play_outs = [
        (nets[k], valued.rows, valued.waiting, valued.rows.places[states[k]])
        for k, valued in enumerate(opened)
        if valued.rows is not None
    ]
    while True:
        on = np.zeros(nets.shape[1], bool)
        for _, _, waiting, places in play_outs:
            on |= ~waiting[places]
        trials = np.flatnonzero(on)
        if not trials.size:
            return
        outcome = draw_outcomes(rng, chances, trials.size)
        for net, rows, _, places in play_outs:
            here = places[trials]
            net[trials] += rows.money[here, outcome]
            places[trials] = rows.next[here, outcome]
