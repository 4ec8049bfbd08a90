"""Solve finite Markov chains exactly, in fractions, by eliminating states one by one.

To eliminate a state, connect its predecessors directly to its successors and add its expected gains
to theirs. This module needs no numpy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

#: From each next state to its probability.
Transitions = dict[int, Fraction]
ChanceRows = list[Transitions]
GainRows = list[list[Fraction]]


def reduce_to_state(
    keep: int, ways: ChanceRows, gains: GainRows
) -> tuple[Fraction, list[Fraction]]:
    """Return (chance, gains): the chance of a return to ``keep``, and expected gains until then.

    ``ways[state]`` maps next states to probabilities. If they add up to less than 1, the rest is
    the probability of leaving the chain. ``gains[state]`` lists the expected gains of one visit,
    one entry for each quantity. Both arguments are modified.

    >>> half = Fraction(1, 2)
    >>> reduce_to_state(0, [{1: Fraction(1)}, {1: half, 0: half}], [[Fraction(1)], [Fraction(1)]])
    (Fraction(1, 1), [Fraction(3, 1)])
    """
    sources: list[set[int]] = [set() for _ in ways]
    for state, onward in enumerate(ways):
        for to in onward:
            sources[to].add(state)
    remaining = set(range(len(ways))) - {keep}
    while remaining:
        state = min(remaining, key=lambda s: (len(sources[s]) * len(ways[s]), s))
        remaining.discard(state)
        _eliminate_state(state, ways, gains, sources)
    return ways[keep].get(keep, Fraction(0)), gains[keep]


def _eliminate_state(
    state: int, ways: ChanceRows, gains: GainRows, sources: list[set[int]]
) -> None:
    onward = ways[state]
    self_chance = onward.pop(state, None)
    if self_chance is not None:
        sources[state].discard(state)
        scale = 1 / (1 - self_chance)
        onward = {to: chance * scale for to, chance in onward.items()}
        gains[state] = [gain * scale for gain in gains[state]]
    for to in onward:
        sources[to].discard(state)
    for before in sources[state]:
        chance = ways[before].pop(state)
        for place, gain in enumerate(gains[state]):
            if gain:
                gains[before][place] += chance * gain
        for to, then in onward.items():
            ways[before][to] = ways[before].get(to, 0) + chance * then
            sources[to].add(before)
    ways[state] = {}


def solve_component(
    component: list[int], inside: dict[int, dict[int, Fraction]], gains: list[dict[int, Fraction]]
) -> None:
    """Replace the gains of one visit to each state by the total gains until the component is left.

    All gains are expected ones. ``component`` is a set of states. ``inside[state]`` maps next
    states in it to probabilities, and is emptied. ``gains[state]`` maps each quantity to its gain
    on one visit, and is replaced by the total. States are eliminated one by one, then substituted
    back.

    >>> half, gains = Fraction(1, 2), [{0: Fraction(1)}]
    >>> solve_component([0], {0: {0: half}}, gains)
    >>> gains
    [{0: Fraction(2, 1)}]
    """
    eliminated: list[tuple[int, dict[int, Fraction]]] = []
    for state in component:
        row = inside.pop(state)
        scale = 1 / (1 - row.pop(state, Fraction(0)))
        row = {to: chance * scale for to, chance in row.items()}
        gains[state] = {kind: gain * scale for kind, gain in gains[state].items()}
        for other, chances in inside.items():
            reached = chances.pop(state, None)
            if reached is None:
                continue
            _add_scaled(gains[other], gains[state], reached)
            for to, chance in row.items():
                chances[to] = chances.get(to, Fraction(0)) + reached * chance
        eliminated.append((state, row))
    for state, row in reversed(eliminated):
        for to, chance in row.items():
            _add_scaled(gains[state], gains[to], chance)


def _add_scaled(to: dict[int, Fraction], more: dict[int, Fraction], factor: Fraction) -> None:
    for kind, gain in more.items():
        to[kind] = to.get(kind, Fraction(0)) + factor * gain


def find_transitions(steps: Iterable[tuple[int, int]], whole: int) -> Transitions:
    """Return a dict from each next state to its probability.

    ``steps`` are pairs (next state, weight), with weights in parts of ``whole``. A next state of -1
    ends the chain and is left out.

    >>> find_transitions([(1, 6), (-1, 12), (1, 18)], 36)
    {1: Fraction(2, 3)}
    """
    weights: Counter[int] = Counter()
    for to, weight in steps:
        if to >= 0:
            weights[to] += weight
    return {to: Fraction(weight, whole) for to, weight in weights.items()}


def count_mean_visits(chain: ChanceRows) -> dict[int, Fraction]:
    """Return a dict from state to the mean number of visits to it, starting in state 0.

    ``chain[state]`` maps next states to probabilities.
    """
    entering = defaultdict[int, Fraction](Fraction, {0: Fraction(1)})
    visits: dict[int, Fraction] = {}
    for component in find_components(chain, 0):
        inside = {state: chain[state] for state in component}
        solved = _solve_visits(inside, {state: entering[state] for state in component})
        visits |= solved
        for state, often in solved.items():
            for to, chance in chain[state].items():
                if to not in inside:
                    entering[to] += often * chance
    return visits


def _solve_visits(
    component: dict[int, dict[int, Fraction]], entering: dict[int, Fraction]
) -> dict[int, Fraction]:
    """Return a dict from each state of a component to the mean number of visits to it.

    A component is a set of states that all lead to each other. ``component[state]`` maps next
    states to probabilities. ``entering[state]`` is the mean number of entries from outside; it is
    changed in place. States are eliminated, then substituted back.
    """
    steps: list[tuple[int, Fraction, dict[int, Fraction]]] = []
    rows = {
        state: {to: c for to, c in onward.items() if to in component}
        for state, onward in component.items()
    }
    while rows:
        into = {state: [u for u in rows if u != state and state in rows[u]] for state in rows}
        out = min(rows, key=lambda s: (len(into[s]) * len(rows[s]), s))
        onward = rows.pop(out)
        scale = 1 / (1 - onward.pop(out, Fraction(0)))
        from_ = {u: rows[u].pop(out) * scale for u in into[out]}
        steps.append((out, entering[out] * scale, from_))
        for to, chance in onward.items():
            entering[to] += entering[out] * scale * chance
            for u, reached in from_.items():
                rows[u][to] = rows[u].get(to, Fraction(0)) + reached * chance
    visits: dict[int, Fraction] = {}
    for state, direct, from_ in reversed(steps):
        visits[state] = direct + sum((visits[u] * c for u, c in from_.items()), Fraction(0))
    return visits


def find_components(ways: Sequence[Iterable[int]], start: int) -> Iterator[list[int]]:
    """Yield the strongly connected components that can be reached from ``start`` (Tarjan).

    Each comes before its successors. ``ways[state]`` lists the next states.

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
                component = [path.pop()]
                while component[-1] != state:
                    component.append(path.pop())
                on_path.difference_update(component)
                found.append(component[::-1])
        elif to not in order:
            enter(to)
        elif to in on_path:
            low[state] = min(low[state], order[to])
    return reversed(found)
