"""Distributions of worth (rail plus bets, in cents), with counts or probabilities as weights."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import msgspec

from passline.game.money.amounts import show_money
from passline.lab.results import LabResult, ResultTable

Number = Fraction | float
#: A worth (rail plus open bets) in cents: a fraction if open bets count at expected value.
Worth = int | Fraction
#: The possible results of open bets: each change of worth in cents, with its chance.
PlayOutOutcomes = tuple[tuple[Worth, Fraction], ...]
#: The result of open bets that count at their stake: no change of worth, for certain.
AT_STAKE: PlayOutOutcomes = ((0, Fraction(1)),)
#: The quantiles that are reported, in percent.
QUANTILE_PERCENTS = (5, 25, 50, 75, 95)


class Distribution(LabResult, msgspec.Struct, frozen=True):
    """A probability distribution: worths in rising order, and the weight of each out of ``whole``.

    Whole-number weights (numbers of dice outcomes, or of trials) are exact; floats are rounded.

    >>> coin = Distribution((0, 200), (1, 1), 2)
    >>> coin.mean, coin.sd, coin.quantile(50)
    (Fraction(100, 1), 100.0, 0)
    """

    worths: tuple[Worth, ...]
    weights: tuple[int, ...] | tuple[float, ...]
    whole: int | float

    @property
    def mean(self) -> Number:
        """The mean worth, in cents."""
        return exact_ratio(sum(map(_weighted, self.worths, self.weights)), self.whole)

    @property
    def variance(self) -> Number:
        """The variance of the worth, in cents squared."""
        mean = self.mean
        middle = round(mean)
        square = sum(
            ((w - middle) ** 2) * p for w, p in zip(self.worths, self.weights, strict=True)
        )
        return exact_ratio(square, self.whole) - (mean - middle) ** 2

    @property
    def sd(self) -> float:
        """The standard deviation of the worth, in cents."""
        return math.sqrt(max(self.variance, 0))

    def headline(self) -> str:
        """Return the mean, the standard deviation and the middle half of the worths in one line."""
        low, high = self.quantile(25), self.quantile(75)
        return (
            f"{show_money(self.mean)} on average, sd {show_money(self.sd)}, half of it between "
            f"{show_money(low)} and {show_money(high)}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of each worth with its chance."""
        chances = [exact_ratio(weight, self.whole) for weight in self.weights]
        records = list(zip(self.worths, chances, strict=True))
        return ResultTable(
            {"worth": "money", "chance": "share"}, records, x_column="worth", y_column="chance"
        )

    def quantile(self, percent: int) -> int:
        """Return the smallest worth in cents with at least ``percent`` of the weight up to it."""
        return find_quantiles(self.worths, self.weights, (percent,))[0]


def _weighted(worth: Worth, weight: int | float) -> int | float:
    return worth * weight


def exact_ratio(part: Worth | float, whole: int | float) -> Number:
    """Return ``part / whole``: a fraction if both are exact, otherwise a double."""
    if isinstance(part, int | Fraction) and isinstance(whole, int):
        return Fraction(part, whole)
    return float(part) / whole


def find_quantiles(
    worths: Sequence[Worth],
    weights: Sequence[int | float],
    percents: Sequence[int] = QUANTILE_PERCENTS,
) -> tuple[int, ...]:
    """Return, for each percent, the smallest worth with at least that much of the weight up to it.

    The result is in whole cents. ``worths`` must be in rising order; ``weights`` are parallel to
    it.
    """
    running = list(accumulate(weights))
    total = running[-1]
    found = []
    for percent in percents:
        if isinstance(total, int):
            place = bisect_left(running, -(-total * percent // 100))
        else:  # Tolerate floating-point rounding in the running sum.
            place = bisect_left(running, total * percent / 100 * (1 - 1e-12))
        found.append(round(worths[min(place, len(worths) - 1)]))
    return tuple(found)


class QuantileBand(msgspec.Struct, frozen=True):
    """The quantiles of the worth after ``roll`` rolls, one for each of QUANTILE_PERCENTS, in cents.

    Ended sessions keep their last worth.
    """

    roll: int
    worths: tuple[int, ...]
