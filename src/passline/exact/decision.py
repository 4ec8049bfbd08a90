"""One wager, solved: the exact chances of every result, and the mean number of rolls.

The walk to a decision falls into rings, groups of states that lead back to each other; once a ring
is left it is never seen again. So rings are solved one after the other, each for the mean number
of visits to its states, in fractions.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from passline.exact.reduce import find_rings
from passline.machines.decision import DECIDED, Walk

Onward = dict[int, Fraction]


class DecidedWager(msgspec.Struct, frozen=True):
    """How a wager is decided. ``chances`` by net (cents); ``rolls`` and ``added`` are means.

    >>> coin = DecidedWager({-100: Fraction(1, 2), 100: Fraction(1, 2)}, Fraction(1), Fraction(0))
    >>> coin.mean, coin.variance
    (Fraction(0, 1), Fraction(10000, 1))
    """

    chances: dict[int, Fraction]
    rolls: Fraction
    added: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean net of a decision, in cents."""
        return sum((net * chance for net, chance in self.chances.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net."""
        square = sum((net * net * chance for net, chance in self.chances.items()), Fraction(0))
        return square - self.mean**2


def visits_of(walk: Walk) -> dict[int, Fraction]:
    """How many rolls a walk has in each of its states, on average."""
    return mean_visits([_onward(ways, walk.whole) for ways in walk.ways])


def solve_walk(walk: Walk) -> DecidedWager:
    """Solve a walk."""
    visits = visits_of(walk)
    chances: dict[int, Fraction] = {}
    for state, often in visits.items():
        for way in walk.ways[state]:
            if way.next == DECIDED:
                before = chances.get(way.net, Fraction(0))
                chances[way.net] = before + often * Fraction(way.weight, walk.whole)
    assert sum(chances.values()) == 1, "a walk that does not end"
    added = sum((often * walk.added[state] for state, often in visits.items()), Fraction(0))
    return DecidedWager(dict(sorted(chances.items())), sum(visits.values(), Fraction(0)), added)


def expected_nets(walk: Walk) -> dict[int, Fraction]:
    """The mean net of the decision to come (cents), from each state of a walk."""
    chain = [_onward(ways, walk.whole) for ways in walk.ways]
    found: dict[int, Fraction] = {}
    for ring in reversed(list(find_rings(chain, 0))):
        inside: dict[int, Onward] = {}
        gains: dict[int, Fraction] = {}
        for state in ring:
            at_once = sum(way.net * way.weight for way in walk.ways[state] if way.next == DECIDED)
            gains[state] = Fraction(at_once, walk.whole)
            for to, chance in chain[state].items():
                if to in found:
                    gains[state] += chance * found[to]
                else:
                    inside.setdefault(state, {})[to] = chance
        found |= _gained(ring, inside, gains)
    return found


def _gained(
    ring: list[int], inside: dict[int, Onward], gains: dict[int, Fraction]
) -> dict[int, Fraction]:
    """What each state of a ring gains in all: states are left out one by one, then put back in."""
    steps: list[tuple[int, Onward]] = []
    for out in ring:
        onward = inside.pop(out, {})
        again = 1 / (1 - onward.pop(out, Fraction(0)))
        onward = {to: chance * again for to, chance in onward.items()}
        gains[out] *= again
        for state, others in inside.items():
            reached = others.pop(out, None)
            if reached is None:
                continue
            gains[state] += reached * gains[out]
            for to, chance in onward.items():
                others[to] = others.get(to, Fraction(0)) + reached * chance
        steps.append((out, onward))
    found: dict[int, Fraction] = {}
    for state, onward in reversed(steps):
        found[state] = gains[state] + sum(
            (chance * found[to] for to, chance in onward.items()), Fraction(0)
        )
    return found


def pool_decisions(parts: list[tuple[Fraction, DecidedWager]]) -> DecidedWager:
    """One of several decisions, each with its chance (they sum to 1)."""
    chances: dict[int, Fraction] = {}
    for share, part in parts:
        for net, chance in part.chances.items():
            chances[net] = chances.get(net, Fraction(0)) + share * chance
    rolls = sum((share * part.rolls for share, part in parts), Fraction(0))
    added = sum((share * part.added for share, part in parts), Fraction(0))
    return DecidedWager(dict(sorted(chances.items())), rolls, added)


def _onward(ways: tuple[tuple[int, int, int], ...], whole: int) -> Onward:
    found: dict[int, int] = {}
    for to, weight, _ in ways:
        if to != DECIDED:
            found[to] = found.get(to, 0) + weight
    return {to: Fraction(weight, whole) for to, weight in found.items()}


def mean_visits(chain: list[Onward]) -> dict[int, Fraction]:
    """The mean number of visits to every state, from state 0."""
    coming: dict[int, Fraction] = {0: Fraction(1)}
    visits: dict[int, Fraction] = {}
    for ring in find_rings(chain, 0):
        inside = {state: dict(chain[state]) for state in ring}
        found = _solved(inside, {state: coming.get(state, Fraction(0)) for state in ring})
        visits.update(found)
        for state, often in found.items():
            for to, chance in chain[state].items():
                if to not in inside:
                    coming[to] = coming.get(to, Fraction(0)) + often * chance
    return visits


def _solved(ring: dict[int, Onward], coming: dict[int, Fraction]) -> dict[int, Fraction]:
    """Visits within a ring: states are left out one by one, then put back in.

    Whoever leads to a state that is left out leads instead to where it leads.
    """
    steps: list[tuple[int, Fraction, dict[int, Fraction]]] = []
    left = {
        state: {to: c for to, c in onward.items() if to in ring} for state, onward in ring.items()
    }
    while left:
        into = {state: [u for u in left if u != state and state in left[u]] for state in left}
        out = min(left, key=lambda s: (len(into[s]) * len(left[s]), s))
        onward = left.pop(out)
        again = 1 / (1 - onward.pop(out, Fraction(0)))
        from_ = {u: left[u].pop(out) * again for u in into[out]}
        steps.append((out, coming[out] * again, from_))
        for to, chance in onward.items():
            coming[to] += coming[out] * again * chance
            for u, reached in from_.items():
                left[u][to] = left[u].get(to, Fraction(0)) + reached * chance
    visits: dict[int, Fraction] = {}
    for state, direct, from_ in reversed(steps):
        visits[state] = direct + sum((visits[u] * c for u, c in from_.items()), Fraction(0))
    return visits
