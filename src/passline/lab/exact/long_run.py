"""What a strategy comes to in the long run: exactly, by the roll.

How fast a strategy's swings grow: the long-run variance of the money by the roll.

One roll says something about the next, so the variance of many rolls is not that of one times their
number. What is still to be expected in a state, beside the mean, makes the rolls' surprises
independent (Poisson's equation); their mean square is the rate.

How a chain settles down: in how many ways, in how many rolls, and what games come to till then.

A simulation's error is told by these. A chain that settles down in one way, and soon, has the error
that its long run has. Where it does so in several ways (each game takes one for good), or slowly,
games differ by more than their rolls do: the error is the one between games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from passline.lab.exact.markov import find_components, reduce_to_state
from passline.lab.exact.walks import count_mean_visits
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.chain import Chain

#: Of a roll: the mean change of money, its mean square, what the wagers need on average.
_RollMeans = tuple[Fraction, Fraction, Fraction]


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

    >>> from passline.lab.machines.chain import Arc
    >>> once, stop, goes_on = (Arc(1, -9, 18), Arc(2, 9, 18)), (Arc(1, 0, 36),), (Arc(2, -2, 36),)
    >>> found = solve_long_run(Chain((once, stop, goes_on), (0, 0, 0)))
    >>> found.mean, found.classes
    (Fraction(-1, 1), 2)
    """
    ends, passing = split_classes(chain)
    chances = _find_class_chances(chain, ends, passing) if passing else [Fraction(1)]
    mean = square = need = Fraction(0)
    for chance, states in zip(chances, ends, strict=True):
        own = _find_class_means(chain, states)
        mean, square, need = (
            mean + chance * own[0],
            square + chance * own[1],
            need + chance * own[2],
        )
    return LongRun(mean=mean, variance=square - mean**2, need=need, classes=len(ends))


def find_mean_per_roll(chain: Chain, worths: Sequence[Fraction]) -> Fraction:
    """The long-run mean of what being in a state is worth, by the roll.

    >>> from passline.lab.machines.chain import Arc
    >>> turns = Chain(((Arc(1, 0, 36),), (Arc(0, 0, 36),)), (0, 0))
    >>> find_mean_per_roll(turns, [Fraction(0), Fraction(3)])
    Fraction(3, 2)
    """
    ends, passing = split_classes(chain)
    chances = _find_class_chances(chain, ends, passing) if passing else [Fraction(1)]
    found = Fraction(0)
    for chance, states in zip(chances, ends, strict=True):
        gains = [[Fraction(1), Fraction(worths[state])] for state in states]
        found += chance * _find_gain_per_roll(chain, states, gains)[0]
    return found


def find_state_shares(chain: Chain) -> dict[int, Fraction]:
    """By state: the share of the rolls that are thrown there in the long run; states that are left
    for good have none. ValueError where play settles down in several ways.

    >>> from passline.lab.machines.chain import Arc
    >>> find_state_shares(Chain(((Arc(1, 0, 36),), (Arc(0, 0, 18), Arc(1, 0, 18))), (0, 0)))
    {0: Fraction(1, 3), 1: Fraction(2, 3)}
    """
    ends, _ = split_classes(chain)
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
    visits = count_mean_visits(ways)
    whole = sum(visits.values(), Fraction(0))
    return {state: visits[place] / whole for state, place in number.items()}


def split_classes(chain: Chain) -> tuple[list[list[int]], list[int]]:
    """The classes of states that are never left again, and the states passed on the way there."""
    ways = [[arc.next for arc in arcs] for arcs in chain.arcs]
    ends: list[list[int]] = []
    passing: list[int] = []
    for ring in find_components(ways, chain.start):
        inside = set(ring)
        closed = all(to in inside for state in ring for to in ways[state])
        if closed:
            ends.append(sorted(ring))
        else:
            passing += ring
    return ends, passing


def _find_class_chances(chain: Chain, ends: list[list[int]], passing: list[int]) -> list[Fraction]:
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
    back, leaves = reduce_to_state(number[chain.start], ways, gains)
    return [chance / (1 - back) for chance in leaves]


def _find_class_means(chain: Chain, states: list[int]) -> _RollMeans:
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
    money, square, need = _find_gain_per_roll(chain, states, gains)
    return money, square, need


def _find_gain_per_roll(
    chain: Chain, states: list[int], gains: list[list[Fraction]]
) -> list[Fraction]:
    """What a roll gains within a class, of each thing counted after the rolls themselves."""
    number = {state: place for place, state in enumerate(states)}
    ways = []
    for state in states:
        onward: dict[int, Fraction] = {}
        for arc in chain.arcs[state]:
            to = number[arc.next]
            onward[to] = onward.get(to, Fraction(0)) + Fraction(arc.weight, chain.whole)
        ways.append(onward)
    back, (rolls, *gained) = reduce_to_state(
        number[_find_busiest_state(chain, states)], ways, gains
    )
    assert back == 1, "a class that is never left was left"
    return [gain / rolls for gain in gained]


def _find_busiest_state(chain: Chain, states: list[int]) -> int:
    """The state of a class that most arcs lead to."""
    into = dict.fromkeys(states, 0)
    for state in states:
        for arc in chain.arcs[state]:
            into[arc.next] += arc.weight
    return max(into, key=lambda state: (into[state], -state))


#: States up to which the equations are solved.
MAX_VOLATILITY_STATES = 2_000


def find_volatility(chain: Chain, whole: LongRun) -> float | None:
    """The deviation of N rolls' money by the root of N, in cents, as N grows; in doubles.

    It is also what the standard error of a mean roll is by the root of the rolls. None where the
    chain has several classes that are never left (a game takes one of them for good), or too many
    states.

    >>> from passline.lab.exact.long_run import solve_long_run
    >>> from passline.lab.machines.chain import Arc
    >>> turns = Chain(((Arc(1, 5, 18), Arc(1, -5, 18)), (Arc(0, 0, 36),)), (0, 0))
    >>> round(find_volatility(turns, solve_long_run(turns)) ** 2, 9)
    12.5
    """
    if whole.classes > 1 or len(chain) > MAX_VOLATILITY_STATES:
        return None
    states, mean = len(chain), float(whole.mean)
    onward, money = np.zeros((states, states)), np.zeros(states)
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            onward[state, arc.next] += arc.weight / chain.whole
            money[state] += arc.weight / chain.whole * (arc.money - mean)
    stays = np.eye(states) - onward
    balance, one = stays.T.copy(), np.zeros(states)
    balance[-1], one[-1] = 1.0, 1.0  # any one of these equations follows from the others
    often = np.linalg.solve(balance, one)
    # What is ahead of a state: up to what all have in common, which is left at nought on average.
    ahead = np.linalg.solve(stays + often, money)
    rate = 0.0
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            surprise = arc.money - mean + ahead[arc.next] - ahead[state]
            rate += often[state] * arc.weight / chain.whole * surprise**2
    return math.sqrt(max(rate, 0.0))


#: Rolls to settle beyond which a chain is slow.
SLOW_ROLLS = 100
#: Games of a run whose error is between games: of so many times the rolls that it takes to settle,
#: no fewer and no more than these (and of so many rolls at least).
GAME_LENGTHS, MIN_GAMES, MAX_GAMES, MIN_GAME_ROLLS = 1_000, 32, 4_096, 16
#: Rolls that are looked at, the last of them to see how fast differences still fade; faded.
_MAX_STEPS, _FADE_WINDOW, _FADE_TOLERANCE = 4_000, 500, 1e-12
#: States up to which games are worked out.
_MAX_EXACT_STATES = 250


class Convergence(NamedTuple):
    """``classes``: in how many ways play can settle down for good. ``rolls``: about how many fade
    what is left of the beginning by a factor of e, as far as it tells in sums: 1 / (1 - the second
    eigenvalue). A strategy that changes its mind every roll is not slow."""

    classes: int
    rolls: float

    @property
    def slow(self) -> bool:
        """Whether a simulation's error is between games."""
        return self.classes > 1 or self.rolls > SLOW_ROLLS

    def games(self, rolls: int) -> int:
        """Into how many games so many rolls are cut where the error is between games."""
        wanted = int(rolls / GAME_LENGTHS / max(self.rolls, 1.0))
        return max(min(max(wanted, MIN_GAMES), MAX_GAMES, rolls // MIN_GAME_ROLLS), 1)


def find_convergence(chain: Chain) -> Convergence:
    """How a chain settles down; the rolls in doubles, by the fading of arbitrary differences.

    >>> from passline.lab.machines.chain import Arc
    >>> moods = Chain(((Arc(0, 1, 3599), Arc(1, 1, 1)), (Arc(1, 2, 3599), Arc(0, 2, 1))), (0, 0),
    ...     whole=3600)
    >>> found = find_convergence(moods)
    >>> found.classes, round(found.rolls), found.slow, found.games(10**9)
    (1, 1800, True, 555)
    """
    ends, _ = split_classes(chain)
    source, target, chance = _flatten_arcs(chain)
    here = np.random.default_rng(1).random(len(chain))
    sizes: list[float] = []
    for _ in range(_MAX_STEPS):
        # Half of the time nothing is thrown: what swings to and fro is no slowness of sums.
        after = (here + np.bincount(source, chance * here[target], len(chain))) / 2
        sizes.append(float(np.abs(after - here).max()))
        here = after
        if sizes[-1] < _FADE_TOLERANCE:
            break
    last = min(_FADE_WINDOW, len(sizes) // 2)
    if not last or not sizes[-1] or not sizes[-1 - last]:
        return Convergence(len(ends), 1.0)
    fades = -math.log(min(sizes[-1] / sizes[-1 - last], 1 - 1e-12)) / last
    return Convergence(len(ends), max(1 / (2 * -math.expm1(-fades)), 1.0))


def find_game_mean(chain: Chain, rolls: int) -> float | None:
    """What a roll brings on average in games of so many from the opening, in cents, in doubles;
    None where the chain has too many states."""
    size = len(chain)
    if size > _MAX_EXACT_STATES:
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


def _flatten_arcs(chain: Chain) -> tuple[IntArray, IntArray, FloatArray]:
    arcs = [(state, arc.next, arc.weight) for state, ways in enumerate(chain.arcs) for arc in ways]
    table = np.array(arcs, np.int64)
    return table[:, 0], table[:, 1], table[:, 2] / chain.whole
