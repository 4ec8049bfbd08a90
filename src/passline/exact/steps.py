"""A chain and a plan as steps on a ladder of worths, in arrays that a kernel can read.

A rung is a worth: rung 0 is the bankroll, and the distance between two rungs is the greatest that
all changes of money are multiples of. Needs and stops become the first rungs at which they hold.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from passline.exact.ladder import FAR
from passline.machines import Chain
from passline.machines.arrays import Ints
from passline.sessions import Plan


class Steps(NamedTuple):
    """Every arc by where it leads, ``source``, ``shift`` (rungs) and ``weight`` of ``target[i]``
    standing from ``first[i]`` to ``first[i + 1]``; and where a session ends.

    ``kinds[state]``: the kind of what is up there. ``need[state]``: the lowest rung that covers its
    wagers. ``goal``: the lowest rung at which the player leaves a winner. ``floor``: the highest at
    which he leaves a loser. ``whole`` is what the arcs of a state weigh together.
    """

    unit: int
    start: int
    source: Ints
    shift: Ints
    weight: Ints
    target: Ints
    first: Ints
    need: Ints
    kinds: Ints
    goal: int
    floor: int
    whole: int

    @property
    def states(self) -> int:
        """How many states the chain has."""
        return len(self.need)

    @property
    def end_spans(self) -> tuple[tuple[int, int], ...]:
        """The rungs, from and up to, at which sessions end RUINED, at the GOAL and STOPPED.

        Nobody stands under his need, at the floor or at the goal before a roll, so no end is
        further from there than the roll's step.
        """
        up, down = max(int(self.shift.max()), 0), min(int(self.shift.min()), 0)
        lowest = max(int(self.need.min()), self.floor + 1) + down
        at_once = self.need[self.start] > 0  # the bankroll is short from the first
        ruined = min(lowest, 0) if at_once else lowest, max(int(self.need.max()), lowest)
        goal = (self.goal, self.goal + up) if self.goal < FAR else (0, 0)
        stopped = (self.floor + 1 + down, self.floor + 1) if self.floor > -FAR else (0, 0)
        return ruined, goal, stopped

    @property
    def heaviest(self) -> int:
        """The most that is ever added up on one rung of one row, in parts of what a rung holds."""
        added = int(np.add.reduceat(self.weight, self.first[:-1]).max())
        return max(added, self.whole, self.states + 1)

    def reach(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """The rungs that each row may stand on one roll after it stood from ``low`` to ``high``."""
        lower, higher = np.full(self.states, FAR), np.full(self.states, -FAR)
        lower[self.target] = np.minimum.reduceat(low[self.source] + self.shift, self.first[:-1])
        higher[self.target] = np.maximum.reduceat(high[self.source] + self.shift, self.first[:-1])
        return lower, higher


def lay_steps(chain: Chain, plan: Plan) -> Steps:
    """The chain's arcs as steps from rung to rung.

    >>> from passline.machines import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> found = lay_steps(coin, Plan(bankroll=1200, rolls=1, stop_win=1000))
    >>> found.unit, found.shift.tolist(), found.need.tolist(), found.goal
    (500, [-1, 1], [-1], 2)
    """
    arcs = sorted(
        (arc.next, state, arc.money, arc.weight)
        for state, ways in enumerate(chain.arcs)
        for arc in ways
    )
    unit = math.gcd(*(arc[2] for arc in arcs)) or 1
    table = np.array(arcs, np.int64)
    target, first = np.unique(table[:, 0], return_index=True)
    return Steps(
        unit=unit,
        start=chain.start,
        source=table[:, 1].copy(),
        shift=table[:, 2] // unit,
        weight=table[:, 3].copy(),
        target=target,
        first=np.append(first, len(arcs)).astype(np.int64),
        need=np.array([-((plan.bankroll - need) // unit) for need in chain.need], np.int64),
        kinds=np.array(chain.kinds or (0,) * len(chain), np.int64),
        goal=FAR if plan.stop_win is None else -(-plan.stop_win // unit),
        floor=-FAR if plan.stop_loss is None else -plan.stop_loss // unit,
        whole=chain.whole,
    )
