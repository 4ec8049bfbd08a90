"""Solve one bet's walk to its decision, in fractions.

A walk (``machines.bet_walks``) is the chain of states of one bet until it is decided. Its states
fall into strongly connected components that are never re-entered once left, so the components are
solved one after the other.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import msgspec

from passline.lab.exact.markov import (
    Transitions,
    count_mean_visits,
    find_components,
    find_transitions,
    solve_component,
)
from passline.lab.machines.bet_walks import DECIDED, BetWalk


class DecidedWager(msgspec.Struct, frozen=True):
    """The distribution of a bet's net result: ``chances`` maps net cents to probabilities.

    ``rolls`` is the mean number of rolls to the decision. ``added`` is the mean of the cents bet in
    addition before it, such as odds.

    >>> coin = DecidedWager({-100: Fraction(1, 2), 100: Fraction(1, 2)}, Fraction(1), Fraction(0))
    >>> coin.mean, coin.variance
    (Fraction(0, 1), Fraction(10000, 1))
    """

    chances: dict[int, Fraction]
    rolls: Fraction
    added: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean net result, in cents."""
        return sum((net * chance for net, chance in self.chances.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net result, in cents squared."""
        square = sum((net * net * chance for net, chance in self.chances.items()), Fraction(0))
        return square - self.mean**2


def count_walk_visits(walk: BetWalk) -> dict[int, Fraction]:
    """Return a dict from each state of a walk to the mean number of rolls made in it.

    A walk is the chain of states of one bet until it is decided.
    """
    return count_mean_visits(_list_transitions(walk))


def _list_transitions(walk: BetWalk) -> list[Transitions]:
    steps = ([(way.next, way.weight) for way in ways] for ways in walk.ways)
    return [find_transitions(each, walk.whole) for each in steps]


def solve_walk(walk: BetWalk) -> DecidedWager:
    """Return the exact distribution of a walk's net result.

    A walk is the chain of states of one bet until it is decided.
    """
    visits = count_walk_visits(walk)
    chances: defaultdict[int, Fraction] = defaultdict(Fraction)
    for state, often in visits.items():
        for way in walk.ways[state]:
            if way.next == DECIDED:
                chances[way.net] += often * Fraction(way.weight, walk.whole)
    assert sum(chances.values()) == 1, "a walk that does not end"
    added = sum((often * walk.added[state] for state, often in visits.items()), Fraction(0))
    return DecidedWager(dict(sorted(chances.items())), sum(visits.values(), Fraction(0)), added)


def find_expected_nets(walk: BetWalk) -> dict[int, Fraction]:
    """Return a dict from each state of a bet's walk to the expected net cents from there."""
    chain = _list_transitions(walk)
    nets: list[dict[int, Fraction]] = [{} for _ in chain]
    solved: set[int] = set()
    for component in reversed(list(find_components(chain, 0))):
        inside: dict[int, Transitions] = {state: {} for state in component}
        for state in component:
            decided = sum(way.net * way.weight for way in walk.ways[state] if way.next == DECIDED)
            nets[state] = {0: Fraction(decided, walk.whole)}
            for to, chance in chain[state].items():
                if to in solved:
                    nets[state][0] += chance * nets[to][0]
                else:
                    inside[state][to] = chance
        solve_component(component, inside, nets)
        solved.update(component)
    return {state: nets[state][0] for state in solved}


def pool_decisions(parts: list[tuple[Fraction, DecidedWager]]) -> DecidedWager:
    """Return the mixture of several results, each with its probability.

    ``parts`` are pairs (probability, result); the probabilities must add up to 1.
    """
    chances: defaultdict[int, Fraction] = defaultdict(Fraction)
    for share, part in parts:
        for net, chance in part.chances.items():
            chances[net] += share * chance
    rolls = sum((share * part.rolls for share, part in parts), Fraction(0))
    added = sum((share * part.added for share, part in parts), Fraction(0))
    return DecidedWager(dict(sorted(chances.items())), rolls, added)
