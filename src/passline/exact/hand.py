"""How long a shooter's hand lasts: the chain of a hand, solved in fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from passline.exact.decision import mean_visits
from passline.machines import WHOLE
from passline.machines.hand import ENDED, HandWay


class HandLength(msgspec.Struct, frozen=True):
    """A hand's chances. ``ways`` as ``walk_hand`` finds them.

    >>> coin = HandLength(((HandWay(0, 18, False), HandWay(ENDED, 18, False)),))
    >>> coin.mean_rolls, coin.survival(3)
    (Fraction(2, 1), Fraction(1, 4))
    """

    ways: tuple[tuple[HandWay, ...], ...]

    @property
    def mean_rolls(self) -> Fraction:
        """The mean number of throws."""
        return sum(self._visits().values(), Fraction(0))

    @property
    def mean_points(self) -> Fraction:
        """The mean number of points made."""
        visits = self._visits()
        return sum(
            (
                often * Fraction(way.weight, WHOLE)
                for state, often in visits.items()
                for way in self.ways[state]
                if way.made
            ),
            Fraction(0),
        )

    def survival(self, rolls: int) -> Fraction:
        """The chance that the hand lasts at least so many throws."""
        return next(self.survivals([rolls]))

    def survivals(self, rolls: Sequence[int]) -> Iterator[Fraction]:
        """The same for several numbers of throws, in rising order."""
        here, made = {0: 1}, 0
        for wanted in rolls:
            while made < max(wanted - 1, 0):
                here = self._thrown(here)
                made += 1
            yield Fraction(sum(here.values()), WHOLE**made)

    def points(self, most: int) -> Iterator[Fraction]:
        """The chances of making exactly 0, 1, ... up to ``most`` points.

        A point made leads back to the come-out, so every point is made with the same chance.
        """
        again = self._another_point()
        for number in range(most + 1):
            yield again**number * (1 - again)

    def _another_point(self) -> Fraction:
        """The chance, on the come-out, of making a point before the hand ends."""
        mean = self.mean_points  # of a geometric number: again / (1 - again)
        return mean / (1 + mean)

    def _thrown(self, here: dict[int, int]) -> dict[int, int]:
        after: dict[int, int] = {}
        for state, often in here.items():
            for way in self.ways[state]:
                if way.next != ENDED:
                    after[way.next] = after.get(way.next, 0) + often * way.weight
        return after

    def _visits(self) -> dict[int, Fraction]:
        chain: list[dict[int, Fraction]] = []
        for ways in self.ways:
            onward: dict[int, Fraction] = {}
            for way in ways:
                if way.next != ENDED:
                    onward[way.next] = onward.get(way.next, Fraction(0)) + Fraction(
                        way.weight, WHOLE
                    )
            chain.append(onward)
        return mean_visits(chain)
