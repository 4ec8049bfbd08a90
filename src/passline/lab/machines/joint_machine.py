"""Several machines on the same throws, as one: together, or against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.chain import Arc, Chain
from passline.lab.machines.lump_states import lump_states
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.machines.play_out import PlayOutRows, PlayOutWays

#: States of machines together up to which they are made one.
MAX_JOINT_STATES = 200_000


class JointTooLarge(ValueError):  # noqa: N818
    """Machines whose states together are too many to be made one."""


class JointMachine(NamedTuple):
    """``next`` and ``money`` of machines thrown together; ``parts[state]`` has each one's own."""

    next: NDArray[np.int32]
    money: NDArray[np.int64]
    parts: NDArray[np.int64]

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """States that nothing tells apart made one; nobody is short of chips."""
        need = np.zeros(len(self.next), np.int64)
        return lump_states(self.next, self.money, need, apart, dice)


def join_machines(
    machines: Sequence[Machine | SavedMachine], times: Sequence[int], most: int = MAX_JOINT_STATES
) -> JointMachine:
    """Closed machines on the same throws, each one's money counted so many times.

    Raises JointTooLarge where they have more than ``most`` states together.
    """
    sizes = [machine.states for machine in machines]
    places = np.zeros((1, len(machines)), np.int64)
    known = np.zeros(1, np.int64)  # the codes of the places, in rising order
    fresh = places
    while len(fresh):
        onward = [m.next[fresh[:, k]].astype(np.int64) for k, m in enumerate(machines)]
        codes = np.unique(_encode_states(onward, sizes))
        new = np.setdiff1d(codes, known, assume_unique=True)
        if len(known) + len(new) > most:
            names = ", ".join(machine.about.strategy for machine in machines)
            raise JointTooLarge(f"{names}: over {most:,} states together")
        fresh = _decode_states(new, sizes)
        known = np.sort(np.concatenate([known, new]))
    places = _decode_states(known, sizes)  # the opening is the first of them
    onward = [m.next[places[:, k]].astype(np.int64) for k, m in enumerate(machines)]
    next_ = np.searchsorted(known, _encode_states(onward, sizes)).astype(np.int32)
    money = sum(
        (
            m.money[places[:, k]].astype(np.int64) * each
            for k, (m, each) in enumerate(zip(machines, times, strict=True))
        ),
        np.zeros(next_.shape, np.int64),
    )
    return JointMachine(next_, money, places)


def join_play_outs(
    rows: Sequence[PlayOutRows],
    times: Sequence[int],
    parts: NDArray[np.int64],
    dice: Dice = FAIR,
    most: int = MAX_JOINT_STATES,
) -> PlayOutWays:
    """What is up in the joint states ``parts``, of all machines together, on the same throws.

    Raises JointTooLarge where these lead through more than ``most`` places.
    """
    sizes = [len(each.next) for each in rows]
    begin = _encode_states([each.places[parts[:, k]] for k, each in enumerate(rows)], sizes)
    known = np.zeros(1, np.int64)  # nothing is up: OVER
    fresh = np.setdiff1d(begin, known)
    while len(fresh):
        known = np.sort(np.concatenate([known, fresh]))
        if len(known) > most:
            raise JointTooLarge(f"over {most:,} places on the way to where nothing is up")
        places = _decode_states(fresh, sizes)
        onward = [each.next[places[:, k]] for k, each in enumerate(rows)]
        fresh = np.setdiff1d(_encode_states(onward, sizes), known)
    places = _decode_states(known, sizes)
    next_ = np.searchsorted(
        known, _encode_states([each.next[places[:, k]] for k, each in enumerate(rows)], sizes)
    )
    money = sum(
        (each.money[places[:, k]] * times[k] for k, each in enumerate(rows)),
        np.zeros(next_.shape, np.int64),
    )
    ways = []
    for to, change in zip(next_.tolist(), money.tolist(), strict=True):
        found: dict[tuple[int, int], int] = {}
        for way, weight in zip(zip(to, change, strict=True), dice.weights, strict=True):
            found[way] = found.get(way, 0) + weight
        ways.append(tuple(Arc(*way, weight) for way, weight in sorted(found.items())))
    return PlayOutWays(tuple(np.searchsorted(known, begin).tolist()), tuple(ways), dice.whole)


def _encode_states(states: Sequence[NDArray[np.int64]], sizes: Sequence[int]) -> NDArray[np.int64]:
    code = np.zeros_like(states[0])
    for each, size in zip(states, sizes, strict=True):
        code = code * size + each
    return code


def _decode_states(codes: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
    found = np.zeros((len(codes), len(sizes)), np.int64)
    for place in reversed(range(len(sizes))):
        codes, found[:, place] = np.divmod(codes, sizes[place])
    return found
