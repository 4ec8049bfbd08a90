"""The long run of a chain: mean and variance per roll, volatility, and how fast it converges.

The volatility is how fast the standard deviation of the total grows with the square root of the
rolls. It differs from the deviation of one roll, because one roll influences the next.

The convergence decides how a simulation estimates its standard error. If the chain soon reaches one
recurrent class, the error comes from the batches of one long game. If there are several classes, or
convergence is slow, it comes from the results of separate games.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs

from passline.lab.exact.markov import count_mean_visits, find_components, reduce_to_state
from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.chain import Chain


class LongRun(msgspec.Struct, frozen=True):
    """Exact long-run figures per roll: ``mean`` and ``variance`` of the change of money, ``need``.

    Money is in cents. ``need`` is a mean over the rolls: of the worth (rail plus bets) that covers
    the strategy's bets on a roll. ``classes`` is the number of recurrent classes: sets of states
    that are never left again. A strategy that may stop betting for good has at least two. With
    several, the figures weigh each class by the chance of ending in it.
    """

    mean: Fraction
    variance: Fraction
    need: Fraction
    classes: int = 1

    @property
    def sd(self) -> float:
        """The standard deviation of one roll's change of money, in cents."""
        return math.sqrt(self.variance)


def solve_long_run(chain: Chain) -> LongRun:
    """Return the long-run mean and variance of one roll's change of money.

    >>> from passline.lab.machines.chain import Arc
    >>> once, stop, goes_on = (Arc(1, -9, 18), Arc(2, 9, 18)), (Arc(1, 0, 36),), (Arc(2, -2, 36),)
    >>> found = solve_long_run(Chain((once, stop, goes_on), (0, 0, 0)))
    >>> found.mean, found.classes
    (Fraction(-1, 1), 2)
    """
    gains = []
    for state, arcs in enumerate(chain.arcs):
        money = Fraction(sum(arc.weight * arc.money for arc in arcs), chain.whole)
        square = Fraction(sum(arc.weight * arc.money**2 for arc in arcs), chain.whole)
        gains.append([money, square, Fraction(chain.need[state])])
    (mean, square, need), classes = _find_means_per_roll(chain, gains)
    return LongRun(mean=mean, variance=square - mean**2, need=need, classes=classes)


def find_mean_per_roll(chain: Chain, worths: Sequence[Fraction]) -> Fraction:
    """Return the long-run mean per roll of a value. ``worths[state]`` is the value in each state.

    >>> from passline.lab.machines.chain import Arc
    >>> turns = Chain(((Arc(1, 0, 36),), (Arc(0, 0, 36),)), (0, 0))
    >>> find_mean_per_roll(turns, [Fraction(0), Fraction(3)])
    Fraction(3, 2)
    """
    return _find_means_per_roll(chain, [[Fraction(worth)] for worth in worths])[0][0]


def _find_means_per_roll(
    chain: Chain, gains: Sequence[Sequence[Fraction]]
) -> tuple[list[Fraction], int]:
    """Return (means, classes): the long-run mean per roll of each gain, and the number of classes.

    ``gains[state]`` lists the expected gains of one roll in a state, one for each quantity, such as
    money and its square. A class is a set of states that is never left again.
    """
    ends, transient = split_classes(chain)
    means = [Fraction(0)] * len(gains[0])
    for chance, states in zip(_find_class_chances(chain, ends, transient), ends, strict=True):
        own = _find_class_means(chain, states, gains)
        means = [mean + chance * more for mean, more in zip(means, own, strict=True)]
    return means, len(ends)


def find_state_shares(chain: Chain) -> dict[int, Fraction]:
    """Return a dict from each recurrent state to the long-run share of rolls made in it.

    Recurrent states are those that are visited again and again. Raise ValueError if there are
    several recurrent classes.

    >>> from passline.lab.machines.chain import Arc
    >>> find_state_shares(Chain(((Arc(1, 0, 36),), (Arc(0, 0, 18), Arc(1, 0, 18))), (0, 0)))
    {0: Fraction(1, 3), 1: Fraction(2, 3)}
    """
    ends, _ = split_classes(chain)
    if len(ends) > 1:
        raise ValueError("this strategy can end in several ways, so it has no single long run")
    ways = _list_chances(chain, ends[0])
    for chances in ways:  # Count visits between two visits of the first state.
        chances.pop(0, None)
    visits = count_mean_visits(ways)
    whole = sum(visits.values(), Fraction(0))
    return {state: visits[place] / whole for place, state in enumerate(ends[0])}


def replay_ended_games(chain: Chain, idle: Sequence[bool]) -> Chain | None:
    """Return a chain that starts over where the strategy would stop betting for good.

    ``idle[state]`` says that no bet is decided in a state. A transition to a state from which only
    idle states follow leads to the start instead. Return None if a game may go on forever, or if no
    bet is ever made.

    >>> from passline.lab.machines.chain import Arc
    >>> once = Chain(((Arc(1, -9, 18), Arc(1, 9, 18)), (Arc(1, 0, 36),)), (0, 0))
    >>> replay_ended_games(once, [False, True]).arcs[0]
    (Arc(next=0, money=-9, weight=18), Arc(next=0, money=9, weight=18))
    """
    ends, _ = split_classes(chain)
    over = {state for end in ends for state in end}
    if chain.start in over or not all(idle[state] for state in over):
        return None
    arcs = tuple(
        tuple([arc._replace(next=chain.start) if arc.next in over else arc for arc in own])
        for own in chain.arcs
    )
    return structs.replace(chain, arcs=arcs)


def split_classes(chain: Chain) -> tuple[list[list[int]], list[int]]:
    """Return (classes, transient): the recurrent classes, and the states that lead to them.

    A recurrent class is a set of states that is never left again.
    """
    ways = [[arc.next for arc in arcs] for arcs in chain.arcs]
    ends: list[list[int]] = []
    transient: list[int] = []
    for component in find_components(ways, chain.start):
        inside = set(component)
        closed = all(to in inside for state in component for to in ways[state])
        if closed:
            ends.append(sorted(component))
        else:
            transient += component
    return ends, transient


def _list_chances(chain: Chain, states: list[int]) -> list[dict[int, Fraction]]:
    """Return, for each of these states, a dict from next state to probability.

    States are numbered by their place in ``states``; arcs to other states are left out.
    """
    number = {state: place for place, state in enumerate(states)}
    rows = []
    for state in states:
        row: defaultdict[int, Fraction] = defaultdict(Fraction)
        for arc in chain.arcs[state]:
            if arc.next in number:
                row[number[arc.next]] += Fraction(arc.weight, chain.whole)
        rows.append(dict(row))
    return rows


def _find_class_chances(
    chain: Chain, ends: list[list[int]], transient: list[int]
) -> list[Fraction]:
    """Return the probability of ending in each recurrent class of ``ends``.

    ``transient`` are the states outside these classes.
    """
    if len(ends) == 1:
        return [Fraction(1)]
    gains = [
        [
            Fraction(sum(arc.weight for arc in chain.arcs[state] if arc.next in end), chain.whole)
            for end in map(set, ends)
        ]
        for state in transient
    ]
    ways = _list_chances(chain, transient)
    back, leaves = reduce_to_state(transient.index(chain.start), ways, gains)
    return [chance / (1 - back) for chance in leaves]


def _find_class_means(
    chain: Chain, states: list[int], gains: Sequence[Sequence[Fraction]]
) -> list[Fraction]:
    """Return the mean gains per roll in a recurrent class with these states.

    Divide the expected gains between two visits to one state by the expected rolls between them.
    ``gains[state]`` lists the expected gains of one roll in a state.
    """
    start = states.index(_find_busiest_state(chain, states))
    own = [[Fraction(1), *gains[state]] for state in states]  # The first entry counts rolls.
    back, (rolls, *gained) = reduce_to_state(start, _list_chances(chain, states), own)
    assert back == 1, "a recurrent class was left"
    return [gain / rolls for gain in gained]


def _find_busiest_state(chain: Chain, states: list[int]) -> int:
    """Return the one of these states with the largest total weight of incoming arcs."""
    into: Counter[int] = Counter()
    for state in states:
        for arc in chain.arcs[state]:
            into[arc.next] += arc.weight
    return max(states, key=lambda state: (into[state], -state))


#: The most states for which the volatility is computed.
MAX_VOLATILITY_STATES = 2_000


def find_volatility(chain: Chain, whole: LongRun) -> float | None:
    """Return the long-run volatility: cents per square root of rolls, in doubles.

    The volatility is the standard deviation of the money after N rolls divided by the square root
    of N, as N grows. ``whole`` is the result of ``solve_long_run``. Return None if the chain has
    several recurrent classes, or too many states.

    >>> from passline.lab.machines.chain import Arc
    >>> turns = Chain(((Arc(1, 5, 18), Arc(1, -5, 18)), (Arc(0, 0, 36),)), (0, 0))
    >>> round(find_volatility(turns, solve_long_run(turns)) ** 2, 9)
    12.5
    """
    if whole.classes > 1 or len(chain) > MAX_VOLATILITY_STATES:
        return None
    states, mean = len(chain), float(whole.mean)
    chances_to, money = _build_matrices(chain, mean)
    generator = np.eye(states) - chances_to
    balance, one = generator.T.copy(), np.zeros(states)
    balance[-1] = one[-1] = 1.0  # Replace a redundant equation by "the shares add up to 1".
    shares = np.linalg.solve(balance, one)
    # The relative value of each state (the solution of Poisson's equation with mean zero).
    relative_value = np.linalg.solve(generator + shares, money)
    rate = 0.0
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            surprise = arc.money - mean + relative_value[arc.next] - relative_value[state]
            rate += shares[state] * arc.weight / chain.whole * surprise**2
    return math.sqrt(max(rate, 0.0))


def _build_matrices(chain: Chain, mean: float) -> tuple[FloatArray, FloatArray]:
    """Return (matrix, gains): the transition matrix, and each state's mean gain less ``mean``."""
    chances_to, gain = np.zeros((len(chain), len(chain))), np.zeros(len(chain))
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            chances_to[state, arc.next] += arc.weight / chain.whole
            gain[state] += arc.weight / chain.whole * (arc.money - mean)
    return chances_to, gain


#: A chain that takes more rolls than this to converge is slow.
SLOW_ROLLS = 100
#: The rolls of a game, in multiples of the rolls to convergence; the fewest and the most games; and
#: the fewest rolls of a game.
GAME_LENGTHS, MIN_GAMES, MAX_GAMES, MIN_GAME_ROLLS = 1_000, 32, 4_096, 16
#: The most power iterations, how many of the last ones measure the decay, and the difference at
#: which iteration stops.
_MAX_STEPS, _FADE_WINDOW, _FADE_TOLERANCE = 4_000, 500, 1e-12
#: The most states for which the mean of a finite game is computed.
_MAX_EXACT_STATES = 250


class Convergence(NamedTuple):
    """How fast a chain forgets where it started.

    ``classes`` is the number of recurrent classes. ``rolls`` is about how many rolls reduce the
    effect of the start by a factor of e: 1 / (1 - second eigenvalue). A chain that alternates
    between states every roll does not count as slow.
    """

    classes: int
    rolls: float

    @property
    def is_slow(self) -> bool:
        """Whether a simulation must play separate games to estimate its standard error."""
        return self.classes > 1 or self.rolls > SLOW_ROLLS

    def count_games(self, rolls: int) -> int:
        """Return into how many games to split a run of ``rolls`` rolls to estimate its error."""
        wanted = int(rolls / GAME_LENGTHS / max(self.rolls, 1.0))
        return max(min(max(wanted, MIN_GAMES), MAX_GAMES, rolls // MIN_GAME_ROLLS), 1)


def find_convergence(chain: Chain) -> Convergence:
    """Return how fast a chain converges, computed in doubles by power iteration.

    >>> from passline.lab.machines.chain import Arc
    >>> moods = Chain(((Arc(0, 1, 3599), Arc(1, 1, 1)), (Arc(1, 2, 3599), Arc(0, 2, 1))), (0, 0),
    ...     whole=3600)
    >>> found = find_convergence(moods)
    >>> found.classes, round(found.rolls), found.is_slow, found.count_games(10**9)
    (1, 1800, True, 555)
    """
    ends, _ = split_classes(chain)
    arcs = [(state, arc.next, arc.weight) for state, ways in enumerate(chain.arcs) for arc in ways]
    source, target, weight = np.array(arcs, np.int64).T
    chance = weight / chain.whole
    values = np.random.default_rng(1).random(len(chain))
    sizes: list[float] = []
    for _ in range(_MAX_STEPS):
        # Average with the previous step, so that alternating states do not count as slow.
        after = (values + np.bincount(source, chance * values[target], len(chain))) / 2
        sizes.append(float(np.abs(after - values).max()))
        values = after
        if sizes[-1] < _FADE_TOLERANCE:
            break
    last = min(_FADE_WINDOW, len(sizes) // 2)
    if not last or not sizes[-1] or not sizes[-1 - last]:
        return Convergence(len(ends), 1.0)
    decay = -math.log(min(sizes[-1] / sizes[-1 - last], 1 - 1e-12)) / last
    return Convergence(len(ends), max(1 / (2 * -math.expm1(-decay)), 1.0))


def find_game_mean(chain: Chain, rolls: int) -> float | None:
    """Return the mean cents per roll over a game of ``rolls`` rolls from the chain's start.

    Return None if the chain has more than 250 states, because that would take too long.
    """
    size = len(chain)
    if size > _MAX_EXACT_STATES:
        return None
    chances_to, gain = _build_matrices(chain, 0.0)
    # Double the number of rolls in each step: transition matrix, and expected total so far.
    total, power = np.zeros(size), np.eye(size)
    for bit in reversed(range(rolls.bit_length())):
        total, power = total + power @ total, power @ power
        if rolls >> bit & 1:
            total, power = gain + chances_to @ total, chances_to @ power
        power /= power.sum(axis=1, keepdims=True)  # Keep the rows normalized despite rounding.
    return float(total[chain.start]) / rolls
