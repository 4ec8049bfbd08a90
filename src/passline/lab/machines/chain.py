"""A Markov chain of money: a strategy reduced to its changes of money and their probabilities.

States that behave the same are merged, so the states for the points 4 and 10 become one. ``exact``
and ``simulation`` work on chains. This module needs no numpy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from passline.game.dice.dice import Dice

#: The sum of the weights of a state's transitions with fair dice: 1 for each of the 36 outcomes.
FAIR_DICE_WEIGHT = 36
#: The most states for which the long run is computed without a request: more would take minutes.
MAX_SOLVED_STATES = 5_000


class Arc(NamedTuple):
    """A transition (arc): the next state, the change of money in cents, and its weight.

    The weights of all arcs of a state add up to the chain's ``whole``.
    """

    next: int
    money: int
    weight: int


def merge_ways(ways: Iterable[tuple[int, int]], dice: Dice) -> tuple[Arc, ...]:
    """Return the arcs of a state; outcomes with the same next state and cents share one arc.

    ``ways`` has (next state, cents) for each of the 36 outcomes. Those that the dice never throw
    have no arc.
    """
    weights: Counter[tuple[int, int]] = Counter()
    for way, weight in zip(ways, dice.weights, strict=True):
        if weight:
            weights[way] += weight
    return tuple(Arc(*way, weight) for way, weight in sorted(weights.items()))


class Chain(msgspec.Struct, frozen=True):
    """The states of a Markov chain, numbered from 0.

    ``arcs[state]`` lists the transitions. ``need[state]`` is the smallest worth (rail plus bets, in
    cents) that covers the bets the strategy makes there. ``whole`` is the sum of the weights of
    each state's arcs: 36 with fair dice. ``kinds[state]`` is the number that the caller gave to the
    machine's states that are merged here, such as one for each combination of open bets; ``kinds``
    is () if the caller gave none.
    """

    arcs: tuple[tuple[Arc, ...], ...]
    need: tuple[int, ...]
    start: int = 0
    kinds: tuple[int, ...] = ()
    whole: int = FAIR_DICE_WEIGHT

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.arcs)
