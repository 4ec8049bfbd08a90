"""Join several strategies' machines into one that plays them on the same rolls.

The money of the joint machine is a weighted sum of theirs, such as their total or a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.arrays import Int32Array, IntArray
from passline.lab.machines.chain import Chain, merge_ways
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.machines.play_out import PlayOutRows, PlayOutWays

#: The most joint states that are explored.
MAX_JOINT_STATES = 200_000


class JointTooLarge(ValueError):  # noqa: N818
    """Raised when machines that are combined have more joint states than the caller allows."""


class JointMachine(NamedTuple):
    """Several machines that play on the same rolls, as one machine.

    ``next[state, outcome]`` is the next joint state, ``money[state, outcome]`` the total change of
    money in cents, and ``parts[state, k]`` the state of machine k.
    """

    next: Int32Array
    money: IntArray
    parts: IntArray

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """Return the joint machine's chain, with equivalent states merged.

        States with different numbers in ``apart`` (one number for each state) are not merged.
        ``need`` is 0 in every state: no player runs out of chips.
        """
        need = np.zeros(len(self.next), np.int64)
        return lump_states(self.next, self.money, need, apart, dice)


def join_machines(
    machines: Sequence[Machine | SavedMachine], times: Sequence[int], most: int = MAX_JOINT_STATES
) -> JointMachine:
    """Combine completely explored machines that play on the same rolls.

    The money of machine k is multiplied by ``times[k]``, so 1 and -1 give a difference. Raise
    JointTooLarge if there are more than ``most`` joint states.
    """
    names = ", ".join(machine.about.strategy for machine in machines)
    size = [machine.states for machine in machines]
    next_rows = [m.next[:n].astype(np.int64) for m, n in zip(machines, size, strict=True)]
    codes = _find_codes(
        np.zeros(1, np.int64), next_rows, most, f"{names}: over {most:,} joint states"
    )
    money_rows = [m.money[:n].astype(np.int64) for m, n in zip(machines, size, strict=True)]
    next_, money, parts = _join_rows(codes, next_rows, money_rows, times)
    return JointMachine(next_.astype(np.int32), money, parts)


def join_play_outs(
    rows: Sequence[PlayOutRows],
    times: Sequence[int],
    parts: IntArray,
    dice: Dice = FAIR,
    most: int = MAX_JOINT_STATES,
) -> PlayOutWays:
    """Combine the play-outs of several machines: how open bets are decided, with no new bets.

    All see the same rolls. ``parts[i, k]`` is the state of machine k in joint state i. ``rows[k]``
    has the play-outs of machine k (``play_out.py``), whose money is multiplied by ``times[k]``.
    Raise JointTooLarge if there are more than ``most`` joint play-out states.
    """
    next_rows = [part.next for part in rows]
    begin = _encode_states([part.places[parts[:, k]] for k, part in enumerate(rows)], next_rows)
    too_many = f"over {most:,} joint states until all open bets are decided"
    codes = _find_codes(np.append(begin, 0), next_rows, most, too_many)  # 0: NOTHING_UP everywhere
    next_, money, _ = _join_rows(codes, next_rows, [part.money for part in rows], times)
    rows_by_place = zip(next_.tolist(), money.tolist(), strict=True)
    ways = [merge_ways(zip(to, change, strict=True), dice) for to, change in rows_by_place]
    return PlayOutWays(tuple(np.searchsorted(codes, begin).tolist()), tuple(ways), dice.whole)


def _find_codes(
    begin: IntArray, next_rows: Sequence[IntArray], most: int, too_many: str
) -> IntArray:
    """Return the codes of all joint states that can follow ``begin``, in ascending order.

    A code is one integer that stands for the states of all machines. Raise JointTooLarge with the
    message ``too_many`` if there are more than ``most``.
    """
    codes = frontier = np.unique(begin)
    while len(frontier):
        places = _decode_states(frontier, next_rows)
        onward = [rows[places[:, k]] for k, rows in enumerate(next_rows)]
        frontier = np.setdiff1d(_encode_states(onward, next_rows), codes)
        codes = np.sort(np.concatenate([codes, frontier]))
        if len(codes) > most:
            raise JointTooLarge(too_many)
    return codes


def _join_rows(
    codes: IntArray,
    next_rows: Sequence[IntArray],
    money_rows: Sequence[IntArray],
    times: Sequence[int],
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the arrays (next, money, parts) of ``JointMachine`` for the joint states ``codes``.

    A code stands for the states of all machines. ``next_rows`` and ``money_rows`` are the arrays of
    the single machines. ``times[k]`` multiplies the money of machine k.
    """
    places = _decode_states(codes, next_rows)
    onward = [rows[places[:, k]] for k, rows in enumerate(next_rows)]
    money = np.zeros_like(onward[0])
    for k, rows in enumerate(money_rows):
        money += rows[places[:, k]] * times[k]
    return np.searchsorted(codes, _encode_states(onward, next_rows)), money, places


def _encode_states(states: Sequence[IntArray], next_rows: Sequence[IntArray]) -> IntArray:
    code = np.zeros_like(states[0])
    for part, rows in zip(states, next_rows, strict=True):
        code = code * len(rows) + part
    return code


def _decode_states(codes: IntArray, next_rows: Sequence[IntArray]) -> IntArray:
    parts = np.zeros((len(codes), len(next_rows)), np.int64)
    for place in reversed(range(len(next_rows))):
        codes, parts[:, place] = np.divmod(codes, len(next_rows[place]))
    return parts
