"""What a strategy comes to in the long run: exactly, by the roll."""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec

from passline.exact.reduce import reduce_to
from passline.machines import WHOLE, Chain


class LongRun(msgspec.Struct, frozen=True):
    """Per roll, in cents: the mean and the variance of the change, both exact; the mean wagered."""

    mean: Fraction
    variance: Fraction

    @property
    def sd(self) -> float:
        """The standard deviation of one roll's change."""
        return math.sqrt(self.variance)


def long_run(chain: Chain) -> LongRun:
    """The long-run mean and variance of one roll's change of money.

    A visit to some state that comes back for ever is followed by a trip that returns to it: what
    the trip gains, over the rolls it takes, is what a roll gains.
    """
    home, around = _home(chain)
    number = {state: place for place, state in enumerate(around)}
    ways, gains = [], []
    for state in around:
        onward: dict[int, Fraction] = {}
        money = square = Fraction(0)
        for arc in chain.arcs[state]:
            chance = Fraction(arc.weight, WHOLE)
            to = number[arc.next]
            onward[to] = onward.get(to, Fraction(0)) + chance
            money += chance * arc.money
            square += chance * arc.money**2
        ways.append(onward)
        gains.append([Fraction(1), money, square])
    back, (rolls, money, square) = reduce_to(number[home], ways, gains)
    assert back == 1, "a state that comes back for ever was left"
    mean = money / rolls
    return LongRun(mean, square / rolls - mean**2)


def _home(chain: Chain) -> tuple[int, list[int]]:
    """A state that comes back for ever, the one most arcs lead to, and all that it leads to."""
    settled = _reached(chain, chain.start)
    while True:
        # From a state that cannot be come back to, some other is reached that does not lead back.
        busy = _busiest(chain, settled)
        around = _reached(chain, busy)
        astray = next((s for s in around if busy not in _reached(chain, s)), None)
        if astray is None:
            return busy, sorted(around)
        settled = _reached(chain, astray)


def _busiest(chain: Chain, states: set[int]) -> int:
    into = dict.fromkeys(states, 0)
    for state in states:
        for arc in chain.arcs[state]:
            into[arc.next] += arc.weight
    return max(into, key=lambda state: (into[state], -state))


def _reached(chain: Chain, start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for arc in chain.arcs[waiting.pop()]:
            if arc.next not in found:
                found.add(arc.next)
                waiting.append(arc.next)
    return found
