"""One wager, solved: the exact chances of every result, and the mean number of rolls.

The walk to a decision falls into rings, groups of states that lead back to each other; once a ring
is left it is never seen again. So rings are solved one after the other, each for the mean number
of visits to its states, in fractions.

How long a shooter's hand lasts: the chain of a hand, solved in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from passline.lab.exact.markov import find_components
from passline.lab.machines.chain import FAIR_DICE_WEIGHT
from passline.lab.machines.walks import COME_OUT, DECIDED, HAND_ENDED, BetWalk, HandBranch

Transitions = dict[int, Fraction]


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


def count_walk_visits(walk: BetWalk) -> dict[int, Fraction]:
    """How many rolls a walk has in each of its states, on average."""
    return count_mean_visits([_find_transitions(ways, walk.whole) for ways in walk.ways])


def solve_walk(walk: BetWalk) -> DecidedWager:
    """Solve a walk."""
    visits = count_walk_visits(walk)
    chances: dict[int, Fraction] = {}
    for state, often in visits.items():
        for way in walk.ways[state]:
            if way.next == DECIDED:
                before = chances.get(way.net, Fraction(0))
                chances[way.net] = before + often * Fraction(way.weight, walk.whole)
    assert sum(chances.values()) == 1, "a walk that does not end"
    added = sum((often * walk.added[state] for state, often in visits.items()), Fraction(0))
    return DecidedWager(dict(sorted(chances.items())), sum(visits.values(), Fraction(0)), added)


def find_expected_nets(walk: BetWalk) -> dict[int, Fraction]:
    """The mean net of the decision to come (cents), from each state of a walk."""
    chain = [_find_transitions(ways, walk.whole) for ways in walk.ways]
    found: dict[int, Fraction] = {}
    for ring in reversed(list(find_components(chain, 0))):
        inside: dict[int, Transitions] = {}
        gains: dict[int, Fraction] = {}
        for state in ring:
            at_once = sum(way.net * way.weight for way in walk.ways[state] if way.next == DECIDED)
            gains[state] = Fraction(at_once, walk.whole)
            for to, chance in chain[state].items():
                if to in found:
                    gains[state] += chance * found[to]
                else:
                    inside.setdefault(state, {})[to] = chance
        found |= _solve_gains(ring, inside, gains)
    return found


def _solve_gains(
    ring: list[int], inside: dict[int, Transitions], gains: dict[int, Fraction]
) -> dict[int, Fraction]:
    """What each state of a ring gains in all: states are left out one by one, then put back in."""
    steps: list[tuple[int, Transitions]] = []
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


def _find_transitions(ways: tuple[tuple[int, int, int], ...], whole: int) -> Transitions:
    found: dict[int, int] = {}
    for to, weight, _ in ways:
        if to != DECIDED:
            found[to] = found.get(to, 0) + weight
    return {to: Fraction(weight, whole) for to, weight in found.items()}


def count_mean_visits(chain: list[Transitions]) -> dict[int, Fraction]:
    """The mean number of visits to every state, from state 0."""
    coming: dict[int, Fraction] = {0: Fraction(1)}
    visits: dict[int, Fraction] = {}
    for ring in find_components(chain, 0):
        inside = {state: dict(chain[state]) for state in ring}
        found = _solve_visits(inside, {state: coming.get(state, Fraction(0)) for state in ring})
        visits.update(found)
        for state, often in found.items():
            for to, chance in chain[state].items():
                if to not in inside:
                    coming[to] = coming.get(to, Fraction(0)) + often * chance
    return visits


def _solve_visits(ring: dict[int, Transitions], coming: dict[int, Fraction]) -> dict[int, Fraction]:
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


class HandLength(msgspec.Struct, frozen=True):
    """A hand's chances. ``ways`` as ``walk_hand`` finds them, each state's of a ``whole``.

    >>> coin = HandLength(((HandBranch(0, 18, 0), HandBranch(HAND_ENDED, 18, 0)),))
    >>> coin.mean_rolls, coin.survival(3)
    (Fraction(2, 1), Fraction(1, 4))
    """

    ways: tuple[tuple[HandBranch, ...], ...]
    whole: int = FAIR_DICE_WEIGHT

    @property
    def mean_rolls(self) -> Fraction:
        """The mean number of throws."""
        return sum(self.visits().values(), Fraction(0))

    @property
    def mean_points(self) -> Fraction:
        """The mean number of points made."""
        return sum(self.mean_points_by_number().values(), Fraction(0))

    @property
    def mean_decisions(self) -> Fraction:
        """The mean number of throws that decide the line: naturals, craps, points, the end."""
        visits = self.visits()
        return sum(
            (
                often * Fraction(way.weight, self.whole)
                for state, often in visits.items()
                for way in self.ways[state]
                if way.next in (COME_OUT, HAND_ENDED)
            ),
            Fraction(0),
        )

    def mean_points_by_number(self) -> dict[int, Fraction]:
        """How often each point is made on average."""
        found: dict[int, Fraction] = {}
        for state, often in self.visits().items():
            for way in self.ways[state]:
                if way.made:
                    there = often * Fraction(way.weight, self.whole)
                    found[way.made] = found.get(way.made, Fraction(0)) + there
        return dict(sorted(found.items()))

    def survival(self, rolls: int) -> Fraction:
        """The chance that the hand lasts at least so many throws."""
        return next(self.survivals([rolls]))

    def survivals(self, rolls: Iterable[int]) -> Iterator[Fraction]:
        """The same for several numbers of throws, in rising order."""
        here, made = {COME_OUT: 1}, 0
        for wanted in rolls:
            while made < max(wanted - 1, 0):
                here = self._thrown(here)
                made += 1
            yield Fraction(sum(here.values()), self.whole**made)

    def points(self, most: int) -> Iterator[Fraction]:
        """The chances of making exactly 0, 1, ... up to ``most`` points.

        A point made leads back to the come-out, so every point is made with the same chance.
        """
        mean = self.mean_points  # of a geometric number: again / (1 - again)
        again = mean / (1 + mean)
        for number in range(most + 1):
            yield again**number * (1 - again)

    def decisions(self, most: int) -> Iterator[Fraction]:
        """The chances of exactly 1, 2, ... up to ``most`` decisions of the line.

        Each but the last leads back to the come-out, and is followed by another.
        """
        last = 1 / self.mean_decisions
        for number in range(most):
            yield (1 - last) ** number * last

    def different_points(self, among: Sequence[int] = ()) -> tuple[Fraction, ...]:
        """The chances that exactly 0, 1, ... different points are made (of those ``among``).

        Sets of points made are gone through by their size: a point that is made again changes
        nothing, so from a set leads its next new point, or the end of the hand.
        """
        mean = self.mean_points_by_number()
        end = 1 / (1 + sum(mean.values(), Fraction(0)))
        chance = {
            point: often * end for point, often in mean.items() if not among or point in among
        }
        end = 1 - sum(chance.values(), Fraction(0))
        passed = {frozenset[int](): Fraction(1)}
        found = []
        for _ in range(len(chance) + 1):
            stops, after = Fraction(0), dict[frozenset[int], Fraction]()
            for made, often in passed.items():
                left = 1 - sum((chance[point] for point in made), Fraction(0))
                stops += often * end / left
                for point in chance.keys() - made:
                    more = made | {point}
                    after[more] = after.get(more, Fraction(0)) + often * chance[point] / left
            found.append(stops)
            passed = after
        return tuple(found)

    def _thrown(self, here: dict[int, int]) -> dict[int, int]:
        after: dict[int, int] = {}
        for state, often in here.items():
            for way in self.ways[state]:
                if way.next != HAND_ENDED:
                    after[way.next] = after.get(way.next, 0) + often * way.weight
        return after

    def visits(self) -> dict[int, Fraction]:
        """How many throws a hand has in each of its states, on average."""
        chain: list[dict[int, Fraction]] = []
        for ways in self.ways:
            onward: dict[int, Fraction] = {}
            for way in ways:
                if way.next != HAND_ENDED:
                    there = Fraction(way.weight, self.whole)
                    onward[way.next] = onward.get(way.next, Fraction(0)) + there
            chain.append(onward)
        return count_mean_visits(chain)


def find_collect_chance(weights: dict[int, int], needs: Iterable[int], against: int) -> Fraction:
    """The chance that every total of ``needs`` is thrown before ``against`` is.

    By inclusion and exclusion: the chances that some of them are missing then. ``weights`` are
    those of the totals.

    >>> round(float(find_collect_chance({2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}, range(2, 7), 7)), 6)
    0.026354
    """
    # What each number of missing totals weighs together, and how many more even than odd sets.
    signs: dict[int, int] = {0: 1}
    for total in needs:
        for weight, sign in list(signs.items()):
            more = weight + weights[total]
            signs[more] = signs.get(more, 0) - sign
    own = weights[against]
    return sum((Fraction(sign * own, own + weight) for weight, sign in signs.items()), Fraction(0))
