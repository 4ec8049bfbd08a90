"""What machines on the same throws have up when the rolls end, valued together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.dice import FAIR, Dice
from passline.exact.play_out import solve_play_outs
from passline.exact.reduce import find_rings
from passline.lab.open_wagers import fair_values
from passline.machines import Chain, Machine
from passline.machines.joint import JointMachine, JointTooLarge, join_machines, join_play_outs
from passline.machines.play_out import PlayOutRows
from passline.sessions import OpenWagers
from passline.sessions.distribution import AT_STAKE, PlayedOut
from passline.simulation.tables import StillUp

#: Places up to which play-outs are followed together.
_MOST = 2_000


class JointOpen(NamedTuple):
    """Machines as one chain, and by its kinds what comes of what is up; ``how`` it is valued: at
    expectation where it was to be played out and is too much for that."""

    chain: Chain
    left: tuple[PlayedOut, ...]
    how: OpenWagers


def value_joint(
    machines: Sequence[Machine], times: Sequence[int], how: OpenWagers, dice: Dice = FAIR
) -> JointOpen:
    """The chain of machines together, each one's money counted so many times. Wagers that are
    played out are thrown for together: the throws after the last roll are the same for all."""
    joint = join_machines(machines, times)
    if how == "played":
        try:
            return _joint(joint, _played(joint, machines, times, dice), how, dice)
        except JointTooLarge:
            how = "fair"
    if how == "stake":
        return _joint(joint, [AT_STAKE] * len(joint.parts), how, dice)
    values = [fair_values(machine, dice) for machine in machines]
    left: list[PlayedOut] = []
    for places in joint.parts.tolist():
        worth = sum((values[k][at] * times[k] for k, at in enumerate(places)), Fraction(0))
        left.append(((int(worth) if worth.denominator == 1 else worth, Fraction(1)),))
    return _joint(joint, left, how, dice)


def _played(
    joint: JointMachine, machines: Sequence[Machine], times: Sequence[int], dice: Dice
) -> list[PlayedOut]:
    rows = [machine.play_out_rows() for machine in machines]
    most = _MOST if len(rows) > 1 else max(map(len, (each.next for each in rows)))
    found = join_play_outs(rows, times, joint.parts, dice, most)
    solved = solve_play_outs(found.ways, found.whole)
    return [solved[place] for place in found.places]


def _joint(
    joint: JointMachine, left: Sequence[PlayedOut], how: OpenWagers, dice: Dice
) -> JointOpen:
    numbers: dict[PlayedOut, int] = {}
    kinds = [numbers.setdefault(each, len(numbers)) for each in left]
    return JointOpen(joint.chain(kinds, dice), tuple(numbers), how)


def still_up(machine: Machine, how: OpenWagers, dice: Dice = FAIR) -> StillUp:
    """What a sampled player's wagers come to that are up when the rolls end."""
    if how == "played":
        rows = machine.play_out_rows()
        return StillUp(np.zeros(machine.states), rows, _waiting(rows))
    nought = [Fraction(0)] * machine.states
    values = fair_values(machine, dice) if how == "fair" else nought
    return StillUp(np.array([float(value) for value in values]), None, np.zeros(0, bool))


def _waiting(rows: PlayOutRows) -> NDArray[np.bool_]:
    """The places that no throw leads out of, but to each other: nothing is decided there."""
    onward = [sorted(set(to)) for to in rows.next.tolist()]
    found = np.zeros(len(onward), bool)
    for ring in find_rings([*onward, range(len(onward))], len(onward)):
        inside = set(ring)
        if all(to in inside for place in ring if place < len(onward) for to in onward[place]):
            found[[place for place in ring if place < len(onward)]] = True
    return found
