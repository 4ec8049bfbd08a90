"""Sample sessions of players who bet less when short of chips, exploring such bets on the way.

The states with smaller bets are explored when players reach them. All trials of a set are played
side by side in numpy, one roll at a time. Worths are in cents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from passline.game.dice.dice import Dice
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.next_states import State
from passline.lab.machines.reduced_bets import ReducedBetExplorer
from passline.lab.sessions.distribution import PlayOutOutcomes
from passline.lab.sessions.plan_and_result import (
    END_GOAL,
    END_ROLLS_PLAYED,
    END_RUIN,
    END_STOP_LOSS,
    Plan,
    ProgressCallback,
    SampledSession,
    choose_checkpoints,
)
from passline.lab.simulation.sessions import TrialTally, build_session
from passline.lab.simulation.shared_table import draw_outcomes
from passline.lab.simulation.trials import END_COLUMNS, KIND_BITS, MAX_SET_TRIALS, TrialEnds

#: Returns the outcomes of the open bets of each of these states.
StateValuer = Callable[[Sequence[State]], Sequence[PlayOutOutcomes]]


class _ReducedRows:
    """The transitions of the states explored so far, as arrays that grow.

    ``next[state, outcome]`` is the next state and ``money[state, outcome]`` the change in cents.
    ``need[state]`` is the worth that covers the state's bets; -1 if the state is not explored.
    """

    def __init__(self, explorer: ReducedBetExplorer) -> None:
        self.explorer = explorer
        self.next, self.money = np.zeros((2, 64, 36), np.int64)
        self.need: IntArray = np.full(64, -1, np.int64)

    def explore(self, states: IntArray) -> None:
        """Explore these states, for players with enough chips for the strategy's bets."""
        most = int(states.max(initial=0))
        while most >= len(self.need):
            self.next = np.concatenate([self.next, np.zeros_like(self.next)])
            self.money = np.concatenate([self.money, np.zeros_like(self.money)])
            self.need = np.concatenate([self.need, np.full_like(self.need, -1)])
        for state in np.unique(states[self.need[states] < 0]).tolist():
            self.next[state], self.money[state], self.need[state] = self.explorer.explore_state(
                state
            )

    def reduce(self, states: IntArray, worths: IntArray) -> IntArray:
        """Return the states in which players short of chips bet less; -1 if they cannot bet.

        ``states`` and ``worths`` (cents) are the players'. New states are explored.
        """
        pairs, where = np.unique(np.stack([states, worths]), axis=1, return_inverse=True)
        found = [self.explorer.find_reduced(*pair) for pair in pairs.T.tolist()]
        onward: IntArray = np.array([-1 if state is None else state for state in found], np.int64)
        self.explore(onward[onward >= 0])
        reduced: IntArray = onward[where.ravel()]
        return reduced


def sample_reduced_sessions(
    explorer: ReducedBetExplorer,
    plan: Plan,
    trials: int,
    *,
    seed: int,
    dice: Dice,
    value_states: StateValuer,
    watch: ProgressCallback | None = None,
) -> SampledSession:
    """Play ``trials`` sessions in which players who are short of chips bet less.

    The same seed gives the same answer. ``value_states`` returns the outcomes of the open bets of
    table states. Ctrl-C ends the run early: then ``interrupted`` is true, and ``trials`` is the
    number played. Raise MachineFull if too many states are reached.
    """
    began = time.perf_counter()
    rows, tally = _ReducedRows(explorer), TrialTally(plan, 0)
    chances = np.cumsum(np.array(dice.weights, np.float64) / dice.whole)
    try:
        for number, size in enumerate(_split_trials(trials)):
            rng = np.random.default_rng([seed, number])
            tally.add(_play_set(rows, plan, size, rng, chances))
            if watch is not None:
                watch(tally.trials, trials)
    except KeyboardInterrupt:
        if not tally.trials:
            raise

    def open_bets(kinds: Iterable[int]) -> Mapping[int, PlayOutOutcomes]:
        wanted = sorted(kinds)
        return dict(zip(wanted, value_states([*map(explorer.state, wanted)]), strict=True))

    found = build_session(
        tally,
        int((rows.need >= 0).sum()),
        seed,
        began,
        open_bets,
        lambda kinds: {kind: explorer.find_broke_limit(kind) for kind in kinds},
    )
    return replace(found, interrupted=tally.trials < trials)


def _split_trials(trials: int) -> Iterator[int]:
    for first in range(0, trials, MAX_SET_TRIALS):
        yield min(MAX_SET_TRIALS, trials - first)


def _play_set(
    rows: _ReducedRows, plan: Plan, trials: int, rng: np.random.Generator, chances: FloatArray
) -> TrialEnds:
    """Play a set of ``trials`` sessions from an empty table to their ends.

    ``chances`` are the cumulative chances of the dice outcomes.
    """
    checkpoints = set(choose_checkpoints(plan.rolls)[1:])
    state, worth = np.zeros(trials, np.int64), np.full(trials, plan.bankroll, np.int64)
    highest, lowest = worth.copy(), worth.copy()
    ends, counted = np.zeros((trials, END_COLUMNS), np.int64), []
    playing = np.arange(trials)
    for roll in range(plan.rolls + 1):
        playing = _end_sessions(rows, plan, roll, (playing, state, worth), ends)
        if roll == plan.rolls:
            break
        if len(playing):
            outcome = draw_outcomes(rng, chances, len(playing))
            here = state[playing]
            worth[playing] += rows.money[here, outcome]
            state[playing] = rows.next[here, outcome]
        np.maximum(highest, worth, out=highest)
        np.minimum(lowest, worth, out=lowest)
        if roll + 1 in checkpoints:
            keys = worth << KIND_BITS | state
            counted.append(np.unique(keys, return_counts=True))
    ends[:, 2], ends[:, 3] = highest, lowest
    return TrialEnds(ends, tuple(counted))


def _end_sessions(
    rows: _ReducedRows,
    plan: Plan,
    roll: int,
    table: tuple[IntArray, IntArray, IntArray],
    ends: IntArray,
) -> IntArray:
    """End the sessions that do not make roll number ``roll`` + 1. Return those that play on.

    ``table`` is (numbers of the sessions that play, states, worths in cents). Write the end code
    and the rolls of those that end to ``ends``. A player who is short of chips goes on in a reduced
    state, whose number replaces the state in place, or is ruined if no bet is possible.
    """
    playing, state, worth = table
    here, has = state[playing], worth[playing]
    code = np.full(len(playing), END_ROLLS_PLAYED)
    stays = np.full(len(playing), roll < plan.rolls)
    if plan.floor is not None:
        code[has <= plan.floor], stays[has <= plan.floor] = END_STOP_LOSS, False
    if plan.goal is not None:
        code[has >= plan.goal], stays[has >= plan.goal] = END_GOAL, False
    open_ = np.flatnonzero((code != END_STOP_LOSS) & (code != END_GOAL))
    rows.explore(here[open_])
    short = open_[has[open_] < rows.need[here[open_]]]
    ends[playing[short], 4] = 1
    if len(short):
        onward = rows.reduce(here[short], has[short])
        ruined, goes_on = short[onward < 0], short[onward >= 0]
        code[ruined], stays[ruined] = END_RUIN, False
        state[playing[goes_on]] = onward[onward >= 0]
    ended = ~stays
    ends[playing[ended], 0], ends[playing[ended], 1] = code[ended], roll
    left: IntArray = playing[stays]
    return left
