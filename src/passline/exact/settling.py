"""How a chain settles down: in how many ways, in how many rolls, and what games come to till then.

A simulation's error is told by these. A chain that settles down in one way, and soon, has the error
that its long run has. Where it does so in several ways (each game takes one for good), or slowly,
games differ by more than their rolls do: the error is the one between games.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from passline.exact.long_run import part_chain
from passline.machines import Chain
from passline.machines.arrays import Floats, Ints

#: Rolls to settle beyond which a chain is slow.
SLOW = 100
#: Games of a run whose error is between games: of so many times the rolls that it takes to settle,
#: no fewer and no more than these (and of so many rolls at least).
LENGTHS, FEWEST, MOST, SHORTEST = 1_000, 32, 4_096, 16
#: Rolls that are looked at, the last of them to see how fast differences still fade; faded.
_LOOKED, _LAST, _FADED = 4_000, 500, 1e-12
#: States up to which games are worked out.
_SMALL = 250


class Settling(NamedTuple):
    """``classes``: in how many ways play can settle down for good. ``rolls``: about how many fade
    what is left of the beginning by a factor of e, as far as it tells in sums: 1 / (1 - the second
    eigenvalue). A strategy that changes its mind every roll is not slow."""

    classes: int
    rolls: float

    @property
    def slow(self) -> bool:
        """Whether a simulation's error is between games."""
        return self.classes > 1 or self.rolls > SLOW

    def games(self, rolls: int) -> int:
        """Into how many games so many rolls are cut where the error is between games."""
        wanted = int(rolls / LENGTHS / max(self.rolls, 1.0))
        return max(min(max(wanted, FEWEST), MOST, rolls // SHORTEST), 1)


def find_settling(chain: Chain) -> Settling:
    """How a chain settles down; the rolls in doubles, by the fading of arbitrary differences.

    >>> from passline.machines import Arc
    >>> moods = Chain(((Arc(0, 1, 3599), Arc(1, 1, 1)), (Arc(1, 2, 3599), Arc(0, 2, 1))), (0, 0),
    ...     whole=3600)
    >>> found = find_settling(moods)
    >>> found.classes, round(found.rolls), found.slow, found.games(10**9)
    (1, 1800, True, 555)
    """
    ends, _ = part_chain(chain)
    source, target, chance = _flat(chain)
    here = np.random.default_rng(1).random(len(chain))
    sizes: list[float] = []
    for _ in range(_LOOKED):
        # Half of the time nothing is thrown: what swings to and fro is no slowness of sums.
        after = (here + np.bincount(source, chance * here[target], len(chain))) / 2
        sizes.append(float(np.abs(after - here).max()))
        here = after
        if sizes[-1] < _FADED:
            break
    last = min(_LAST, len(sizes) // 2)
    if not last or not sizes[-1] or not sizes[-1 - last]:
        return Settling(len(ends), 1.0)
    fades = -math.log(min(sizes[-1] / sizes[-1 - last], 1 - 1e-12)) / last
    return Settling(len(ends), max(1 / (2 * -math.expm1(-fades)), 1.0))


def mean_of_games(chain: Chain, rolls: int) -> float | None:
    """What a roll brings on average in games of so many from the opening, in cents, in doubles;
    None where the chain has too many states."""
    size = len(chain)
    if size > _SMALL:
        return None
    onward, gain = np.zeros((size, size)), np.zeros(size)
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            onward[state, arc.next] += arc.weight / chain.whole
            gain[state] += arc.weight / chain.whole * arc.money
    # Of 1, 2, 4, ... rolls: where they lead, and what they bring on the way.
    total, power = np.zeros(size), np.eye(size)
    for bit in reversed(range(rolls.bit_length())):
        total, power = total + power @ total, power @ power
        if rolls >> bit & 1:
            total, power = gain + onward @ total, onward @ power
        power /= power.sum(axis=1, keepdims=True)  # chances stay whole however often they square
    return float(total[chain.start]) / rolls


def _flat(chain: Chain) -> tuple[Ints, Ints, Floats]:
    arcs = [(state, arc.next, arc.weight) for state, ways in enumerate(chain.arcs) for arc in ways]
    table = np.array(arcs, np.int64)
    return table[:, 0], table[:, 1], table[:, 2] / chain.whole
