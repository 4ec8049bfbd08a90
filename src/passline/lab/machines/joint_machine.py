"""Combine several machines on the same rolls into one, to add up or compare their money."""

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
    """Raised when machines have too many joint states."""


class JointMachine(NamedTuple):
    """Several machines that play on the same rolls, as one machine.

    ``next[state, outcome]`` is the next joint state, ``money[state, outcome]`` the total change of
    money in cents, and ``parts[state, k]`` the state of machine k.
    """

    next: Int32Array
    money: IntArray
    parts: IntArray

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """Return the chain with equivalent states merged.

        Every ``need`` is 0: bankrolls are unlimited.
        """
        need = np.zeros(len(self.next), np.int64)
        return lump_states(self.next, self.money, need, apart, dice)


def join_machines(
    machines: Sequence[Machine | SavedMachine], times: Sequence[int], most: int = MAX_JOINT_STATES
) -> JointMachine:
    """Combine closed machines that play on the same rolls.

    The money of machine k is multiplied by ``times[k]``, so 1 and -1 give a difference. Raise
    JointTooLarge if there are more than ``most`` joint states.
    """
    sizes = [machine.states for machine in machines]
    places = np.zeros((1, len(machines)), np.int64)
    known = np.zeros(1, np.int64)  # the codes of the joint states, in ascending order
    frontier = places
    while len(frontier):
        next_parts = [m.next[frontier[:, k]].astype(np.int64) for k, m in enumerate(machines)]
        codes = np.unique(_encode_states(next_parts, sizes))
        new = np.setdiff1d(codes, known, assume_unique=True)
        if len(known) + len(new) > most:
            names = ", ".join(machine.about.strategy for machine in machines)
            raise JointTooLarge(f"{names}: over {most:,} joint states")
        frontier = _decode_states(new, sizes)
        known = np.sort(np.concatenate([known, new]))
    places = _decode_states(known, sizes)  # The opening state comes first.
    next_parts = [m.next[places[:, k]].astype(np.int64) for k, m in enumerate(machines)]
    next_ = np.searchsorted(known, _encode_states(next_parts, sizes)).astype(np.int32)
    money = sum(
        (
            m.money[places[:, k]].astype(np.int64) * part
            for k, (m, part) in enumerate(zip(machines, times, strict=True))
        ),
        np.zeros(next_.shape, np.int64),
    )
    return JointMachine(next_, money, places)


def join_play_outs(
    rows: Sequence[PlayOutRows],
    times: Sequence[int],
    parts: IntArray,
    dice: Dice = FAIR,
    most: int = MAX_JOINT_STATES,
) -> PlayOutWays:
    """Combine the play-outs of several machines on the same rolls, for the joint states ``parts``.

    A play-out follows open bets to their decisions after betting has ended (``play_out.py``). Raise
    JointTooLarge if there are more than ``most`` joint play-out states.
    """
    sizes = [len(part.next) for part in rows]
    begin = _encode_states([part.places[parts[:, k]] for k, part in enumerate(rows)], sizes)
    known = np.zeros(1, np.int64)  # the code of the joint state NOTHING_UP
    new_codes = np.setdiff1d(begin, known)
    while len(new_codes):
        known = np.sort(np.concatenate([known, new_codes]))
        if len(known) > most:
            raise JointTooLarge(f"over {most:,} joint states until all open bets are decided")
        places = _decode_states(new_codes, sizes)
        next_parts = [part.next[places[:, k]] for k, part in enumerate(rows)]
        new_codes = np.setdiff1d(_encode_states(next_parts, sizes), known)
    places = _decode_states(known, sizes)
    next_ = np.searchsorted(
        known, _encode_states([part.next[places[:, k]] for k, part in enumerate(rows)], sizes)
    )
    money = sum(
        (part.money[places[:, k]] * times[k] for k, part in enumerate(rows)),
        np.zeros(next_.shape, np.int64),
    )
    rows_by_place = zip(next_.tolist(), money.tolist(), strict=True)
    ways = [merge_ways(zip(to, change, strict=True), dice) for to, change in rows_by_place]
    return PlayOutWays(tuple(np.searchsorted(known, begin).tolist()), tuple(ways), dice.whole)


def _encode_states(states: Sequence[IntArray], sizes: Sequence[int]) -> IntArray:
    code = np.zeros_like(states[0])
    for part, size in zip(states, sizes, strict=True):
        code = code * size + part
    return code


def _decode_states(codes: IntArray, sizes: Sequence[int]) -> IntArray:
    found = np.zeros((len(codes), len(sizes)), np.int64)
    for place in reversed(range(len(sizes))):
        codes, found[:, place] = np.divmod(codes, sizes[place])
    return found
