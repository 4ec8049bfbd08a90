"""The exact distribution of a shooter's hand: its length, its points and the totals it shows.

The hand is a small Markov chain (``machines.hand_chain``), solved in fractions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from passline.lab.exact.markov import count_mean_visits, find_transitions
from passline.lab.machines.chain import FAIR_DICE_WEIGHT
from passline.lab.machines.hand_chain import (
    COLLECTED,
    COME_OUT,
    HAND_ENDED,
    CollectBranch,
    HandThrow,
)


class HandLength(msgspec.Struct, frozen=True):
    """How long a shooter's hand lasts, exactly.

    ``ways[state]`` lists what can be rolled in a state of the hand: state 0 is the come-out, each
    other state a point. The weights of each state add up to ``whole``.

    >>> coin = HandLength(((HandThrow(4, 0, 18, 0), HandThrow(7, HAND_ENDED, 18, 0)),))
    >>> coin.mean_rolls, coin.survival(3)
    (Fraction(2, 1), Fraction(1, 4))
    """

    ways: tuple[tuple[HandThrow, ...], ...]
    whole: int = FAIR_DICE_WEIGHT

    @property
    def mean_rolls(self) -> Fraction:
        """The mean number of rolls of a hand."""
        return sum(self.visits().values(), Fraction(0))

    @property
    def mean_points(self) -> Fraction:
        """The mean number of points made in a hand."""
        return sum(self.mean_points_by_number().values(), Fraction(0))

    @property
    def mean_decisions(self) -> Fraction:
        """The mean number of line decisions in a hand: naturals, craps, points, the seven-out."""
        decided = Fraction(0)
        for state, often in self.visits().items():
            ways = [way for way in self.ways[state] if way.next in (COME_OUT, HAND_ENDED)]
            decided += often * Fraction(sum(way.weight for way in ways), self.whole)
        return decided

    def mean_points_by_number(self) -> dict[int, Fraction]:
        """Return a dict from each point to the mean number of times that it is made in a hand."""
        means: defaultdict[int, Fraction] = defaultdict(Fraction)
        for state, often in self.visits().items():
            for way in self.ways[state]:
                if way.made:
                    means[way.made] += often * Fraction(way.weight, self.whole)
        return dict(sorted(means.items()))

    def survival(self, rolls: int) -> Fraction:
        """Return the probability that the hand lasts at least this many rolls."""
        return next(self.survivals([rolls]))

    def survivals(self, rolls: Iterable[int]) -> Iterator[Fraction]:
        """Yield the probability that the hand lasts at least n rolls, for each n in ``rolls``.

        ``rolls`` must be in rising order.
        """
        here, made = Counter({COME_OUT: 1}), 0
        for wanted in rolls:
            while made < max(wanted - 1, 0):
                after: Counter[int] = Counter()
                for state, often in here.items():
                    for way in self.ways[state]:
                        if way.next != HAND_ENDED:
                            after[way.next] += often * way.weight
                here, made = after, made + 1
            yield Fraction(sum(here.values()), self.whole**made)

    def points(self, most: int) -> Iterator[Fraction]:
        """Yield the chances of making exactly 0, 1, ... up to ``most`` points in a hand.

        The number of points made has a geometric distribution.
        """
        mean = self.mean_points  # again / (1 - again), since the number is geometric
        again = mean / (1 + mean)
        for number in range(most + 1):
            yield again**number * (1 - again)

    def decisions(self, most: int) -> Iterator[Fraction]:
        """Yield the chances of exactly 1, 2, ... up to ``most`` line decisions in a hand.

        The number of line decisions has a geometric distribution.
        """
        last = 1 / self.mean_decisions
        for number in range(most):
            yield (1 - last) ** number * last

    def pass_wins(self, naturals: Collection[int], most: int) -> Iterator[Fraction]:
        """Yield the chances that the pass line wins 0, 1, ... up to ``most`` times in a hand.

        ``naturals`` are the totals that win it on the come-out. The number of wins has a geometric
        distribution.
        """
        ways = [way for way in self.ways[COME_OUT] if way.next == COME_OUT]
        weight = sum(way.weight for way in ways if way.total in naturals)
        mean = self.mean_points + self.visits()[COME_OUT] * Fraction(weight, self.whole)
        again = mean / (1 + mean)
        for number in range(most + 1):
            yield again**number * (1 - again)

    def different_points(self, among: Sequence[int] = ()) -> tuple[Fraction, ...]:
        """Return the chances that a hand makes exactly 0, 1, ... different points of ``among``.

        Without ``among``, all points count. The method goes through the sets of points made, by
        size. A set is followed by a set with one new point, or by the end of the hand.
        """
        mean = self.mean_points_by_number()
        end = 1 / (1 + sum(mean.values(), Fraction(0)))
        chance = {p: often * end for p, often in mean.items() if not among or p in among}
        end = 1 - sum(chance.values(), Fraction(0))
        passed: dict[frozenset[int], Fraction] = {frozenset(): Fraction(1)}
        found = []
        for _ in range(len(chance) + 1):
            stops, after = Fraction(0), defaultdict[frozenset[int], Fraction](Fraction)
            for made, often in passed.items():
                left = 1 - sum((chance[point] for point in made), Fraction(0))
                stops += often * end / left
                for point in chance.keys() - made:
                    after[made | {point}] += often * chance[point] / left
            found.append(stops)
            passed = after
        return tuple(found)

    def visits(self) -> dict[int, Fraction]:
        """Return a dict from each state of a hand to the mean number of rolls made in it."""
        steps = ([(way.next, way.weight) for way in ways] for ways in self.ways)
        return count_mean_visits([find_transitions(each, self.whole) for each in steps])


def find_partial_collect_chance(
    weights: dict[int, int], needs: Iterable[int], against: int, least: int
) -> Fraction:
    """Return the probability that ``least`` different totals of ``needs`` come before ``against``.

    ``weights`` maps each total of the dice to its weight. ``against`` is a total too.

    >>> find_partial_collect_chance({2: 1, 12: 1, 7: 6}, (2, 12), 7, 1)
    Fraction(1, 4)
    """
    known: dict[frozenset[int], Fraction] = {}

    def find(missing: frozenset[int], count: int) -> Fraction:
        if not count:
            return Fraction(1)
        if missing not in known:
            whole = weights[against] + sum(weights[total] for total in missing)
            ways = (weights[total] * find(missing - {total}, count - 1) for total in missing)
            known[missing] = sum(ways, Fraction(0)) / whole
        return known[missing]

    return find(frozenset(needs), least)


def find_tally_chance(branches: Sequence[CollectBranch], whole: int) -> Fraction:
    """Return the probability that a wager such as fire collects enough in one hand of a shooter.

    ``branches`` are the transitions from ``walk_collecting``, with weights in parts of ``whole``.
    """
    size = 1 + max(branch.state for branch in branches)
    chain: list[dict[int, Fraction]] = [{} for _ in range(size)]
    for branch in branches:
        if branch.next >= 0:
            chain[branch.state][branch.next] = Fraction(branch.weight, whole)
    visits = count_mean_visits(chain)
    return sum(
        (
            visits.get(branch.state, Fraction(0)) * Fraction(branch.weight, whole)
            for branch in branches
            if branch.next == COLLECTED
        ),
        Fraction(0),
    )


def find_collect_chance(weights: dict[int, int], needs: Iterable[int], against: int) -> Fraction:
    """Return the probability that every total in ``needs`` is rolled before ``against``.

    ``weights`` maps each total of the dice to its weight. The sum runs over the sets of totals that
    are missing when ``against`` comes (inclusion and exclusion).

    >>> round(float(find_collect_chance({2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}, range(2, 7), 7)), 6)
    0.026354
    """
    # Maps the total weight of a set of missing totals to the number of sets of even size minus the
    # number of sets of odd size that have this weight.
    signs = Counter({0: 1})
    for total in needs:
        for weight, sign in list(signs.items()):
            signs[weight + weights[total]] -= sign
    own = weights[against]
    return sum((Fraction(sign * own, own + weight) for weight, sign in signs.items()), Fraction(0))
