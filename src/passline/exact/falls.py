"""The deepest fall of a session from its highest worth: exact chances, in doubles.

Whoever stands a ``depth`` under the highest worth that he had has fallen so far. For one depth
everybody is told apart by his top and by how far he is below it, but only where the top matters:
while it is too low for a fall (ruin, or the floor, comes first), all tops are one layer; where it
is so high that the fall comes before any ruin, they are one again, and a new top is the old one.
Between them, and up to a goal, each top is a layer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.exact.aside import StepsAside
from passline.exact.effort import longest_walk
from passline.exact.fall_loops import roll_falls
from passline.exact.ladder import FAR
from passline.exact.steps import Steps
from passline.machines.arrays import Ints
from passline.sessions import Effort

#: Additions a second on one core, as measured (most rolls reach few of the rungs), and what an
#: arc of a layer costs besides.
_SPEED, _BESIDES = 4e9, 8
#: Additions after which Ctrl-C is heard.
_STRETCH = 2**29


class Layers(NamedTuple):
    """The tops from ``first`` to ``last`` that are told apart for falls of ``depth`` rungs."""

    depth: int
    first: int
    last: int

    @property
    def many(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def lay_layers(steps: Steps, depth: int) -> Layers:
    """The layers for falls of ``depth`` rungs.

    >>> from passline.exact.steps import lay_steps
    >>> from passline.machines import Arc, Chain
    >>> from passline.sessions import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> steps = lay_steps(coin, Plan(bankroll=5000, rolls=100))
    >>> lay_layers(steps, 3), lay_layers(steps, 12)
    (Layers(depth=3, first=0, last=0), Layers(depth=12, first=1, last=2))
    """
    needs = _needs(steps)
    first = max(_lowest(steps) + depth - 1, 0)
    if steps.goal < FAR:
        return Layers(depth, min(first, steps.goal - 1), steps.goal - 1)
    return Layers(depth, first, max(int(needs.max()) + depth - 1, first))


def reckon_falls(steps: Steps, rolls: int, depth: int) -> Effort:
    """About what the chance of falls of ``depth`` rungs costs."""
    layers = lay_layers(steps, depth).many
    if steps.goal < FAR:
        rolls = min(rolls, longest_walk(steps, 1e-12))
    added = layers * (len(steps.source) * (depth + _BESIDES) + 2 * steps.states * depth)
    return Effort(added * rolls / _SPEED, 2 * 8 * layers * steps.states * depth)


def chance_of_fall(steps: Steps, rolls: int, depth: int, aside: StepsAside | None = None) -> float:
    """The chance that a session of so many rolls falls ``depth`` rungs from its highest worth.

    >>> from passline.exact.steps import lay_steps
    >>> from passline.machines import Arc, Chain
    >>> from passline.sessions import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> chance_of_fall(lay_steps(coin, Plan(bankroll=5000, rolls=3)), 3, 2)
    0.375
    """
    layers = lay_layers(steps, depth)
    bottom = layers.first - depth + 1
    if steps.goal <= 0 or steps.floor >= 0 or bottom > 0:  # it is over before the first roll
        return 0.0
    if depth > deepest_fall(steps):
        return 0.0
    now = np.zeros((layers.many, steps.states, depth))
    now[0, steps.start, -bottom] = 1.0
    then, spans = np.zeros_like(now), np.zeros((layers.many, steps.states, 2), np.int64)
    target = np.repeat(steps.target, np.diff(steps.first))
    arcs = steps.source, target, steps.shift, steps.weight / steps.whole
    nobody = np.zeros(0, np.int64)
    asides = (nobody, nobody, nobody) if aside is None else aside.moves
    tops = layers.first, layers.last, steps.goal
    every = max(int(_STRETCH / (_SPEED * reckon_falls(steps, 1, depth).seconds)), 1)
    fallen, rolled, left = 0.0, 0, 1.0
    while rolled < rolls and left > 1e-12:
        many = min(every, rolls - rolled)
        fell, left = roll_falls(now, then, spans, arcs, _needs(steps), asides, tops, many)
        fallen, rolled = fallen + fell, rolled + many
        if many % 2:
            now, then = then, now
    return min(fallen, 1.0)


def deepest_fall(steps: Steps) -> int:
    """The rungs that no fall is deeper than: from a goal to the lowest that one can come to."""
    return steps.goal - 1 - _lowest(steps)


def _lowest(steps: Steps) -> int:
    """The lowest rung that anybody comes to."""
    return int(_needs(steps).min()) + min(int(steps.shift.min()), 0)


def _needs(steps: Steps) -> Ints:
    """By row: the rung under which one leaves it, ruined or at the floor."""
    needs: Ints = np.maximum(steps.need, steps.floor + 1)
    return needs
