"""What a strategy comes to in the long run: exactly, by the roll."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from passline.exact.decision import mean_visits
from passline.exact.reduce import find_rings, reduce_to
from passline.machines import Chain

#: Of a roll: the mean change of money, its mean square, what the wagers need on average.
_Sums = tuple[Fraction, Fraction, Fraction]


class LongRun(msgspec.Struct, frozen=True):
    """Per roll, in cents, exact: the mean and the variance of the change, and what the strategy's
    wagers need on average.

    ``classes`` is in how many ways play can settle down for good (a strategy that stops for ever
    after some loss, say, has two). Where there are several, each counts by its chance from the
    start: what a roll is worth before it is known which one it will be.
    """

    mean: Fraction
    variance: Fraction
    need: Fraction
    classes: int = 1

    @property
    def sd(self) -> float:
        """The standard deviation of one roll's change."""
        return math.sqrt(self.variance)


def solve_long_run(chain: Chain) -> LongRun:
    """The long-run mean and variance of one roll's change of money.

    >>> from passline.machines import Arc
    >>> once, stop, goes_on = (Arc(1, -9, 18), Arc(2, 9, 18)), (Arc(1, 0, 36),), (Arc(2, -2, 36),)
    >>> found = solve_long_run(Chain((once, stop, goes_on), (0, 0, 0)))
    >>> found.mean, found.classes
    (Fraction(-1, 1), 2)
    """
    ends, passing = part_chain(chain)
    chances = _chances(chain, ends, passing) if passing else [Fraction(1)]
    mean = square = need = Fraction(0)
    for chance, states in zip(chances, ends, strict=True):
        own = _settled(chain, states)
        mean, square, need = (
            mean + chance * own[0],
            square + chance * own[1],
            need + chance * own[2],
        )
    return LongRun(mean=mean, variance=square - mean**2, need=need, classes=len(ends))


def mean_by_roll(chain: Chain, worths: Sequence[Fraction]) -> Fraction:
    """The long-run mean of what being in a state is worth, by the roll.

    >>> from passline.machines import Arc
    >>> turns = Chain(((Arc(1, 0, 36),), (Arc(0, 0, 36),)), (0, 0))
    >>> mean_by_roll(turns, [Fraction(0), Fraction(3)])
    Fraction(3, 2)
    """
    ends, passing = part_chain(chain)
    chances = _chances(chain, ends, passing) if passing else [Fraction(1)]
    found = Fraction(0)
    for chance, states in zip(chances, ends, strict=True):
        gains = [[Fraction(1), Fraction(worths[state])] for state in states]
        found += chance * _by_roll(chain, states, gains)[0]
    return found


def long_run_shares(chain: Chain) -> dict[int, Fraction]:
    """By state: the share of the rolls that are thrown there in the long run; states that are left
    for good have none. ValueError where play settles down in several ways.

    >>> from passline.machines import Arc
    >>> long_run_shares(Chain(((Arc(1, 0, 36),), (Arc(0, 0, 18), Arc(1, 0, 18))), (0, 0)))
    {0: Fraction(1, 3), 1: Fraction(2, 3)}
    """
    ends, _ = part_chain(chain)
    if len(ends) > 1:
        raise ValueError("it settles down in several ways: there is no one long run")
    number = {state: place for place, state in enumerate(ends[0])}
    ways: list[dict[int, Fraction]] = []
    for state in ends[0]:
        onward: dict[int, Fraction] = {}
        for arc in chain.arcs[state]:
            if number[arc.next]:  # between two visits of the first one
                there = onward.get(number[arc.next], Fraction(0))
                onward[number[arc.next]] = there + Fraction(arc.weight, chain.whole)
        ways.append(onward)
    visits = mean_visits(ways)
    whole = sum(visits.values(), Fraction(0))
    return {state: visits[place] / whole for state, place in number.items()}


def part_chain(chain: Chain) -> tuple[list[list[int]], list[int]]:
    """The classes of states that are never left again, and the states passed on the way there."""
    ways = [[arc.next for arc in arcs] for arcs in chain.arcs]
    ends: list[list[int]] = []
    passing: list[int] = []
    for ring in find_rings(ways, chain.start):
        inside = set(ring)
        closed = all(to in inside for state in ring for to in ways[state])
        if closed:
            ends.append(sorted(ring))
        else:
            passing += ring
    return ends, passing


def _chances(chain: Chain, ends: list[list[int]], passing: list[int]) -> list[Fraction]:
    """The chance of coming to each class from the start, which is among those that are passed."""
    if len(ends) == 1:
        return [Fraction(1)]
    number = {state: place for place, state in enumerate(passing)}
    class_of = {state: place for place, states in enumerate(ends) for state in states}
    ways, gains = [], []
    for state in passing:
        onward: dict[int, Fraction] = {}
        into = [Fraction(0)] * len(ends)
        for arc in chain.arcs[state]:
            chance = Fraction(arc.weight, chain.whole)
            if arc.next in class_of:
                into[class_of[arc.next]] += chance
            else:
                to = number[arc.next]
                onward[to] = onward.get(to, Fraction(0)) + chance
        ways.append(onward)
        gains.append(into)
    back, leaves = reduce_to(number[chain.start], ways, gains)
    return [chance / (1 - back) for chance in leaves]


def _settled(chain: Chain, states: list[int]) -> _Sums:
    """The mean, the mean square and the mean need of a roll within a class that is never left.

    A visit to one of its states is followed by a trip that returns to it: what the trip gains,
    over the rolls it takes, is what a roll gains.
    """
    gains = []
    for state in states:
        arcs = chain.arcs[state]
        money = Fraction(sum(arc.weight * arc.money for arc in arcs), chain.whole)
        square = Fraction(sum(arc.weight * arc.money**2 for arc in arcs), chain.whole)
        gains.append([Fraction(1), money, square, Fraction(chain.need[state])])
    money, square, need = _by_roll(chain, states, gains)
    return money, square, need


def _by_roll(chain: Chain, states: list[int], gains: list[list[Fraction]]) -> list[Fraction]:
    """What a roll gains within a class, of each thing counted after the rolls themselves."""
    number = {state: place for place, state in enumerate(states)}
    ways = []
    for state in states:
        onward: dict[int, Fraction] = {}
        for arc in chain.arcs[state]:
            to = number[arc.next]
            onward[to] = onward.get(to, Fraction(0)) + Fraction(arc.weight, chain.whole)
        ways.append(onward)
    back, (rolls, *gained) = reduce_to(number[_busiest(chain, states)], ways, gains)
    assert back == 1, "a class that is never left was left"
    return [gain / rolls for gain in gained]


def _busiest(chain: Chain, states: list[int]) -> int:
    """The state of a class that most arcs lead to."""
    into = dict.fromkeys(states, 0)
    for state in states:
        for arc in chain.arcs[state]:
            into[arc.next] += arc.weight
    return max(into, key=lambda state: (into[state], -state))
