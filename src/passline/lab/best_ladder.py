"""A walk of choices laid out as a ladder of chips for ``exact.reach``."""

from __future__ import annotations

from math import gcd

import numpy as np

from passline.exact.reach import Ladder
from passline.machines.arrays import Ints
from passline.machines.choices import Choices


def lay_ladder(choices: Choices, bankroll: int, whole: int) -> tuple[Ladder, int, int]:
    """The ladder of a walk, and the rail (cents) of rung 0 and between two rungs.

    Every rail that can be come to from the bankroll is on a rung: what changes it is whole steps.
    """
    for stands in choices.stands:
        stands.sort(key=lambda stand: stand.cost)  # stable: of equals the first found stays first
    every = [stand for stands in choices.stands for stand in stands]
    step = gcd(*(s.cost for s in every), *(arc.money for s in every for arc in s.arcs))
    step = step or choices.most + 1
    base, goal = bankroll % step, choices.most + 1
    top = np.array([(top - base) // step if top >= 0 else -1 for top in choices.top], np.int64)
    arcs = [arc for stand in every for arc in stand.arcs]
    ladder = Ladder(
        row=_ends(top + 1)[:-1],
        top=top,
        goal=np.array([-((base + gain - goal) // step) for gain in choices.gain], np.int64),
        stand=_ends([len(stands) for stands in choices.stands]),
        wait=_waits(choices),
        need=np.array([max(0, -((base - stand.cost) // step)) for stand in every], np.int64),
        way=_ends([len(stand.arcs) for stand in every]),
        to=np.array([arc.next for arc in arcs], np.int64),
        by=np.array(
            [(arc.money - stand.cost) // step for stand in every for arc in stand.arcs], np.int64
        ),
        chance=np.array([arc.weight / whole for arc in arcs]),
    )
    return ladder, base, step


def _waits(choices: Choices) -> Ints:
    """The stand of each place, by number, that leaves all as it is."""
    found, first = [], 0
    for state, stands in zip(choices.places, choices.stands, strict=True):
        found += [first + n for n, stand in enumerate(stands) if stand.wagers == state.wagers]
        found += [-1] if not stands else []
        first += len(stands)
    return np.array(found, np.int64)


def _ends(lengths: list[int] | Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int64)
