"""The chance of ruin for every bankroll at once, computed backward from the last roll, in doubles.

A player is ruined if rail plus bets (the worth) do not cover the strategy's next bets, also after
the last roll. With n rolls left, the chance of ruin from a state and a worth is the mean over the
next roll of the chances with n - 1 rolls left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.chain import Chain
from passline.lab.machines.compile_loops import compile_loop

#: The most additions that one curve may take. They take some minutes.
MAX_CURVE_WORK = 2 * 10**11


class RuinCurve(NamedTuple):
    """The chance of ruin by bankroll, at each of some numbers of rolls.

    ``starts`` are the bankrolls in cents, rising, at which the chance changes; a bankroll between
    two of them has the chance of the lower. ``chances[i]`` are the chances after the i-th number of
    rolls. Sessions whose worth ever rises above the last bankroll count as never ruined.
    """

    starts: IntArray
    chances: FloatArray

    def find_chances(self, bankroll: int) -> list[float]:
        """Return the chances of ruin from a bankroll in cents, one for each number of rolls.

        The numbers of rolls are those of the curve's ``chances``. Below the first bankroll of
        ``starts`` all are 1.
        """
        place = int(np.searchsorted(self.starts, bankroll, "right")) - 1
        if place < 0:
            return [1.0] * len(self.chances)
        return [min(float(chance), 1.0) for chance in self.chances[:, place]]

    def find_least(self, most: float) -> int | None:
        """Return the least bankroll in cents with a chance of ruin of at most ``most`` at the end.

        Return None if no bankroll of the curve has so small a chance.
        """
        fits = np.flatnonzero(self.chances[-1] <= most)
        return int(self.starts[fits[0]]) if len(fits) else None


@compile_loop()
def _roll_back(
    first: IntArray,
    target: IntArray,
    shift: IntArray,
    chance: FloatArray,
    need: IntArray,
    before: FloatArray,
    after: FloatArray,
) -> None:
    """Write to ``after`` the chances of ruin with one more roll left than in ``before``.

    Both have a row for each state and a column for each bankroll level. The transitions of a state
    are ``first[state]`` to ``first[state + 1]``: each leads to a state ``target``, with a ``shift``
    in levels and a probability ``chance``. Below level ``need[state]`` the player is ruined. Levels
    beyond the last column count as safe.
    """
    states, levels = before.shape
    for state in range(states):
        low = min(need[state], levels)
        for level in range(levels):
            after[state, level] = 1.0 if level < low else 0.0
        for arc in range(first[state], first[state + 1]):
            then, by, share = target[arc], shift[arc], chance[arc]
            for level in range(low, min(levels, levels - by)):
                after[state, level] += share * before[then, max(level + by, 0)]


def solve_ruin_curve(
    chain: Chain,
    checkpoints: Sequence[int],
    top: int,
    watch: Callable[[int, int], None] | None = None,
) -> RuinCurve | None:
    """Return the chances of ruin after each number of rolls in ``checkpoints``, which rise.

    ``top`` is the largest bankroll in cents. Choose it so large that a session that rises above it
    is practically never ruined: only then are the chances right. Return None if this takes more
    than ``MAX_CURVE_WORK`` additions. ``watch`` is called with the rolls computed and the number to
    compute.

    >>> from passline.lab.machines.chain import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> curve = solve_ruin_curve(coin, (3,), 3000)
    >>> curve.find_chances(1000), curve.find_least(0.25)
    ([0.25], 1000)
    """
    arcs = [arc for ways in chain.arcs for arc in ways]
    unit = math.gcd(*(arc.money for arc in arcs)) or 1
    # The chance changes only at bankrolls that have one of these remainders by the unit.
    remainders = sorted({need % unit for need in chain.need})
    levels = top // unit + 1
    if len(arcs) * levels * checkpoints[-1] * len(remainders) > MAX_CURVE_WORK:
        return None
    first = np.cumsum([0, *(len(ways) for ways in chain.arcs)]).astype(np.int64)
    target = np.array([arc.next for arc in arcs], np.int64)
    shift = np.array([arc.money // unit for arc in arcs], np.int64)
    chance = np.array([arc.weight / chain.whole for arc in arcs])
    found = np.empty((len(checkpoints), levels, len(remainders)))
    for number, remainder in enumerate(remainders):
        need = np.array([max(0, -((remainder - one) // unit)) for one in chain.need], np.int64)
        value = (np.arange(levels) < need[:, None]).astype(np.float64)
        then, rolled = np.empty_like(value), 0
        for place, rolls in enumerate(checkpoints):
            while rolled < rolls:
                _roll_back(first, target, shift, chance, need, value, then)
                value, then, rolled = then, value, rolled + 1
                if watch is not None:
                    done = number * checkpoints[-1] + rolled
                    watch(done, checkpoints[-1] * len(remainders))
            found[place, :, number] = value[chain.start]
    starts = np.arange(levels)[:, None] * unit + np.array(remainders)
    return RuinCurve(starts.ravel(), found.reshape(len(checkpoints), -1))
