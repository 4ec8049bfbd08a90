"""Chains of exact chances: their rings, and how they are reduced to the state asked about.

Leaving a state out: whoever leads to it leads instead to where it leads, and gains on the way what
is gained there. Sums and products of fractions only, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

ChanceRows = list[dict[int, Fraction]]
GainRows = list[list[Fraction]]


def reduce_to_state(
    keep: int, ways: ChanceRows, gains: GainRows
) -> tuple[Fraction, list[Fraction]]:
    """The chance of coming back to ``keep``, and what is gained between two visits.

    ``ways[state]`` are the chances of going on to other states (what they lack to 1 leaves the
    chain); ``gains[state]`` is what one visit gains on average, of each thing counted. Both are
    used up.

    >>> half = Fraction(1, 2)
    >>> reduce_to_state(0, [{1: Fraction(1)}, {1: half, 0: half}], [[Fraction(1)], [Fraction(1)]])
    (Fraction(1, 1), [Fraction(3, 1)])
    """
    into: list[set[int]] = [set() for _ in ways]
    for state, onward in enumerate(ways):
        for to in onward:
            into[to].add(state)
    left = set(range(len(ways))) - {keep}
    while left:
        state = min(left, key=lambda s: (len(into[s]) * len(ways[s]), s))
        left.discard(state)
        _eliminate_state(state, ways, gains, into)
    return ways[keep].get(keep, Fraction(0)), gains[keep]


def _eliminate_state(state: int, ways: ChanceRows, gains: GainRows, into: list[set[int]]) -> None:
    onward = ways[state]
    stays = onward.pop(state, None)
    if stays is not None:
        into[state].discard(state)
        again = 1 / (1 - stays)
        onward = {to: chance * again for to, chance in onward.items()}
        gains[state] = [gain * again for gain in gains[state]]
    for to in onward:
        into[to].discard(state)
    for before in into[state]:
        chance = ways[before].pop(state)
        _add_gains(gains[before], chance, gains[state])
        for to, then in onward.items():
            ways[before][to] = ways[before].get(to, 0) + chance * then
            into[to].add(before)
    ways[state] = {}


def _add_gains(to: list[Fraction], chance: Fraction, gains: Sequence[Fraction]) -> None:
    for place, gain in enumerate(gains):
        if gain:
            to[place] += chance * gain


def find_components(ways: Sequence[Iterable[int]], start: int) -> Iterator[list[int]]:
    """The groups of states that lead back to each other, each before those it leads to (Tarjan).

    ``ways[state]`` are the states it leads to. What cannot be reached from ``start`` is left out.

    >>> list(find_components([[1], [0, 2], [2], [0]], 0))
    [[0, 1], [2]]
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    stack: list[tuple[int, Iterator[int]]] = []

    def enter(state: int) -> None:
        order[state] = low[state] = len(order)
        path.append(state)
        on_path.add(state)
        stack.append((state, iter(ways[state])))

    enter(start)
    while stack:
        state, onward = stack[-1]
        to = next(onward, None)
        if to is None:
            stack.pop()
            if stack:
                low[stack[-1][0]] = min(low[stack[-1][0]], low[state])
            if low[state] == order[state]:
                ring = [path.pop()]
                while ring[-1] != state:
                    ring.append(path.pop())
                on_path.difference_update(ring)
                found.append(ring[::-1])
        elif to not in order:
            enter(to)
        elif to in on_path:
            low[state] = min(low[state], order[to])
    return reversed(found)
