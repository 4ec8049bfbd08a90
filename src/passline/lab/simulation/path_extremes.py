"""Sample sessions roll by roll: highest worth, lowest worth and largest drawdown of each.

All trials are played side by side in numpy. This is slower than the compiled sessions, which do not
track drawdowns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.lab.machines.arrays import IntArray
from passline.lab.machines.chain import Chain
from passline.lab.machines.reduced_bets import ReducedBetStates
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.transition_tables import expand_chain


class PathExtremes(NamedTuple):
    """Each trial's highest worth (rail plus bets), lowest worth and largest drawdown, in cents."""

    highest: IntArray
    lowest: IntArray
    drawdown: IntArray


def sample_extremes(
    chain: Chain, plan: Plan, trials: int, seed: int, reduced: ReducedBetStates | None = None
) -> PathExtremes:
    """Play sessions of a chain. Return each one's highest and lowest worth and largest drawdown.

    ``trials`` is the number of sessions, and ``plan`` says when a session ends.

    With ``reduced``, players who are short of chips bet less instead of leaving.
    """
    next_, money = expand_chain(chain)
    need = np.array(chain.need, np.int64)
    rng = np.random.default_rng(seed)
    state = np.full(trials, chain.start)
    worth = np.full(trials, plan.bankroll, np.int64)
    found = PathExtremes(worth.copy(), worth.copy(), np.zeros(trials, np.int64))
    playing = np.arange(trials)
    _reduce_bets(playing, state, worth, need, reduced)
    playing = _find_still_playing(playing, state, worth, need, plan)
    for _ in range(plan.rolls):
        if not playing.size:
            break
        drawn = rng.integers(0, next_.shape[1], playing.size)
        here = state[playing]
        now = worth[playing] + money[here, drawn]
        state[playing], worth[playing] = next_[here, drawn], now
        highest = np.maximum(found.highest[playing], now)
        found.highest[playing] = highest
        found.lowest[playing] = np.minimum(found.lowest[playing], now)
        found.drawdown[playing] = np.maximum(found.drawdown[playing], highest - now)
        _reduce_bets(playing, state, worth, need, reduced)
        playing = _find_still_playing(playing, state, worth, need, plan)
    return found


def _reduce_bets(
    playing: IntArray,
    state: IntArray,
    worth: IntArray,
    need: IntArray,
    reduced: ReducedBetStates | None,
) -> None:
    """Move each trial that cannot afford its state's bets to a state with bets that it can afford.

    Change ``state``, the state of each trial, in place. ``playing`` are the numbers of the trials
    that still play. ``worth`` has each trial's rail plus bets, and ``need[state]`` the worth that
    covers a state's bets. ``reduced`` has the states with smaller bets.
    """
    if reduced is None:
        return
    short = playing[worth[playing] < need[state[playing]]]
    place = (worth[short] - reduced.least) // reduced.unit
    known = place < reduced.to.shape[1]
    short, place = short[known], place[known]
    to = reduced.to[state[short], place]
    state[short] = np.where(to < 0, state[short], to)


def _find_still_playing(
    playing: IntArray, state: IntArray, worth: IntArray, need: IntArray, plan: Plan
) -> IntArray:
    """Return the numbers of the trials that roll on: not at the goal or loss limit, and not ruined.

    ``playing`` are the numbers of the trials that played so far, and ``need[state]`` is the worth
    that covers the bets of a state.
    """
    there = worth[playing]
    on = there >= need[state[playing]]
    if plan.goal is not None:
        on &= there < plan.goal
    if plan.floor is not None:
        on &= there > plan.floor
    return playing[on]
