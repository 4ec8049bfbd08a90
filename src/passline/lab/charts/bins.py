"""Group a distribution of thousands of worths into bars that a person can read."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple, Protocol

#: A bar more than this many times as high as the third highest is cut and labeled with its share.
_SPIKE_RATIO = 2.5
#: Shares below this are shown as 0.0%.
_MIN_SHARE = 0.0005
_MIN_BARS_TO_CUT = 8  # With fewer bars, no bar is cut.


class WeightedWorths(Protocol):
    """Amounts in cents in rising order, and the weight of each out of ``whole``.

    ``Distribution`` in ``lab.sessions.distribution`` has these attributes. This module cannot
    import it, because results import this module to draw themselves.
    """

    @property
    def worths(self) -> Sequence[int | Fraction]:
        """The amounts in cents, in rising order."""

    @property
    def weights(self) -> Sequence[int | float]:
        """The weight of each amount, in the order of ``worths``."""

    @property
    def whole(self) -> int | float:
        """The sum of all weights."""


class Bins(NamedTuple):
    """Bars of equal width (cents) starting at ``first``, with the share of all outcomes in each."""

    first: int
    width: int
    shares: tuple[float, ...]


def list_shares(found: WeightedWorths) -> list[float]:
    """Return the share of each worth as a float, even if the weights are too large for floats."""
    return [weight / found.whole for weight in found.weights]


def find_span(found: WeightedWorths, off: float = 0.001) -> tuple[int, int]:
    """Return (low, high): the worths of ``found`` to draw between.

    A share ``off`` of the weight is left out at each end.

    >>> from passline.lab.sessions.distribution import Distribution
    >>> find_span(Distribution((0, 500, 900), (5000, 4995, 5), 10000))
    (0, 500)
    """
    running = list(accumulate(list_shares(found)))
    low = bisect_right(running, off)
    high = bisect_left(running, running[-1] - off)
    return round(found.worths[min(low, len(running) - 1)]), round(
        found.worths[min(high, len(running) - 1)]
    )


def find_step(found: WeightedWorths) -> int:
    """Return the greatest common divisor of the differences between worths, in cents.

    Bars that are whole multiples of it show no false gaps.

    >>> from passline.lab.sessions.distribution import Distribution
    >>> find_step(Distribution((0, 1000, 2500), (1, 1, 1), 3))
    500
    """
    cents = [round(worth) for worth in found.worths]
    return math.gcd(*(worth - cents[0] for worth in cents))


def choose_bar_width(low: int, high: int, unit: int, most: int) -> int:
    """Return a width (cents) with which at most ``most`` bars cover ``low`` to ``high``.

    The width is a multiple of ``unit``, or a round amount if ``unit`` is 0.

    >>> choose_bar_width(0, 5000, 700, 10), choose_bar_width(0, 5000, 0, 10)
    (700, 1000)
    """
    least = max(math.ceil((high - low + 1) / most), 1)
    if unit:
        return -(-least // unit) * unit
    power = 1
    while power * 10 < least:
        power *= 10
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def make_bins(found: WeightedWorths, low: int, high: int, width: int) -> Bins:
    """Return bars of ``width`` cents from ``low`` to ``high``; worths outside are left out."""
    shares = [0.0] * ((high - low) // width + 1)
    for worth, share in zip(found.worths, list_shares(found), strict=True):
        if low <= worth <= high:
            shares[int(worth - low) // width] += share
    return Bins(low, width, tuple(shares))


def find_ceiling(shares: Sequence[float]) -> float:
    """Return the share at which to cut high bars, so that the other bars are visible.

    Usually the high bars are those of ruin or a goal. If none needs cutting, return the highest
    share.

    >>> find_ceiling((0.6, *[0.05] * 8)), find_ceiling((0.6, 0.2, 0.1, 0.1))
    (0.125, 0.6)
    """
    tall = sorted((share for share in shares if share), reverse=True)
    if len(tall) < _MIN_BARS_TO_CUT:
        return max(tall, default=1.0)
    # The third highest bar is an ordinary one, even with ruin at one end and a goal at the other.
    cut = _SPIKE_RATIO * tall[2]
    # If the other bars are almost zero, cutting would make them look important.
    return min(tall[0], cut) if cut >= _MIN_SHARE else tall[0]
