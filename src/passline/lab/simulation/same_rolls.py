"""Sample sessions of different strategies and plans on the same rolls.

Trial n of a seed has the same rolls for every strategy, so differences between sessions have less
noise than the sessions. Trials are played side by side in numpy, one roll at a time. Machines are
explored as they are played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.game.dice.dice import Dice
from passline.lab.bets_open_at_end import value_sampled_bets
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.machine import Machine
from passline.lab.sessions.plan_and_result import (
    END_GOAL,
    END_ROLLS_PLAYED,
    END_RUIN,
    END_STOP_LOSS,
    Plan,
)
from passline.lab.simulation.shared_table import draw_outcomes, explore_states, play_out_bets
from passline.lab.simulation.transition_tables import MachineRestarted


class SampledTrials(NamedTuple):
    """For each trial: its final worth with open bets played out, how it ended, and its drawdown.

    Amounts are in cents. The end is a numeric code, such as END_RUIN. The drawdown is the trial's
    largest fall from its highest worth so far, with bets at their stake.
    """

    final: IntArray
    ends: IntArray
    drawdown: IntArray


def sample_on_same_rolls(
    machine: Machine, plan: Plan, dice: Dice, trials: int, seed: int
) -> SampledTrials:
    """Play ``trials`` sessions. Trial n of a seed has the same rolls for all machines and plans.

    Raise MachineFull if the machine cannot grow further.
    """
    while True:
        try:
            return _play_trials(machine, plan, dice, trials, seed)
        except MachineRestarted:
            continue


def _play_trials(machine: Machine, plan: Plan, dice: Dice, trials: int, seed: int) -> SampledTrials:
    rng = np.random.default_rng(seed)
    chances = np.cumsum(np.array(dice.weights, np.float64) / dice.whole)
    state, drawdown = np.zeros((2, trials), np.int64)
    worth = np.full(trials, plan.bankroll, np.int64)
    highest, ends = worth.copy(), np.full(trials, END_ROLLS_PLAYED)
    playing = np.arange(trials)
    for roll in range(plan.rolls + 1):
        here = state[playing]
        explore_states(machine, here)
        code = _find_ends(worth[playing], machine.need[here], plan)
        ends[playing] = code
        playing = playing[code == END_ROLLS_PLAYED]
        if roll == plan.rolls or not playing.size:
            break
        outcome = draw_outcomes(rng, chances, trials)[playing]
        here = state[playing]
        worth[playing] += machine.money[here, outcome]
        state[playing] = machine.next[here, outcome]
        highest[playing] = np.maximum(highest[playing], worth[playing])
        drawdown[playing] = np.maximum(drawdown[playing], highest[playing] - worth[playing])
    opened = value_sampled_bets(machine, "played", dice)
    final = worth[np.newaxis]
    play_out_bets(final, [state], [opened], np.random.default_rng([seed, 1]), chances)
    return SampledTrials(final[0], ends, drawdown)


def _find_ends(worth: IntArray, need: IntArray, plan: Plan) -> IntArray:
    """Return the code of how each trial ends now, or END_ROLLS_PLAYED if it rolls on.

    ``worth`` and ``need`` have, for each trial, its rail plus bets and what its next bets require.
    """
    found = np.where(worth < need, END_RUIN, END_ROLLS_PLAYED)
    if plan.floor is not None:
        found[worth <= plan.floor] = END_STOP_LOSS
    if plan.goal is not None:
        found[worth >= plan.goal] = END_GOAL
    return found
