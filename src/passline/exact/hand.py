"""How long a shooter's hand lasts: the chain of a hand, solved in fractions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from passline.exact.decision import mean_visits
from passline.machines import WHOLE
from passline.machines.hand import COME_OUT, ENDED, HandWay


class HandLength(msgspec.Struct, frozen=True):
    """A hand's chances. ``ways`` as ``walk_hand`` finds them, each state's of a ``whole``.

    >>> coin = HandLength(((HandWay(0, 18, 0), HandWay(ENDED, 18, 0)),))
    >>> coin.mean_rolls, coin.survival(3)
    (Fraction(2, 1), Fraction(1, 4))
    """

    ways: tuple[tuple[HandWay, ...], ...]
    whole: int = WHOLE

    @property
    def mean_rolls(self) -> Fraction:
        """The mean number of throws."""
        return sum(self.visits().values(), Fraction(0))

    @property
    def mean_points(self) -> Fraction:
        """The mean number of points made."""
        return sum(self.mean_made().values(), Fraction(0))

    @property
    def mean_decisions(self) -> Fraction:
        """The mean number of throws that decide the line: naturals, craps, points, the end."""
        visits = self.visits()
        return sum(
            (
                often * Fraction(way.weight, self.whole)
                for state, often in visits.items()
                for way in self.ways[state]
                if way.next in (COME_OUT, ENDED)
            ),
            Fraction(0),
        )

    def mean_made(self) -> dict[int, Fraction]:
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
        mean = self.mean_made()
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
                if way.next != ENDED:
                    after[way.next] = after.get(way.next, 0) + often * way.weight
        return after

    def visits(self) -> dict[int, Fraction]:
        """How many throws a hand has in each of its states, on average."""
        chain: list[dict[int, Fraction]] = []
        for ways in self.ways:
            onward: dict[int, Fraction] = {}
            for way in ways:
                if way.next != ENDED:
                    there = Fraction(way.weight, self.whole)
                    onward[way.next] = onward.get(way.next, Fraction(0)) + there
            chain.append(onward)
        return mean_visits(chain)


def chance_to_gather(weights: dict[int, int], needs: Iterable[int], against: int) -> Fraction:
    """The chance that every total of ``needs`` is thrown before ``against`` is.

    By inclusion and exclusion: the chances that some of them are missing then. ``weights`` are
    those of the totals.

    >>> round(float(chance_to_gather({2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}, range(2, 7), 7)), 6)
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
