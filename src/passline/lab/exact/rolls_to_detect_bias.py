"""Count the rolls needed to show that dice are not fair, by a likelihood-ratio test."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from statistics import NormalDist
from typing import Literal

import msgspec

from passline.game.dice.dice import OUTCOMES, Dice
from passline.lab.results import LabResult, ResultTable, show_percent

#: The probability of rejecting fair dice (size), and of detecting these dice (power).
TEST_SIZE, TEST_POWER = 0.01, 0.9
#: The most rolls for which the exact test is computed.
_MAX_EXACT_ROLLS = 100_000
#: Binomial terms further from the mean, in standard deviations, are left out.
_MAX_DEVIATIONS = 12
#: The number of grid points for the distribution of the log likelihood ratio.
_GRID_SIZE = 2**18


class FairDiceTest(LabResult, msgspec.Struct, frozen=True):
    """The number of rolls that a test needs to tell some unfair dice from fair ones.

    ``size`` is the probability of rejecting fair dice, ``power`` that of detecting the unfair dice.
    ``rolls`` is None if the dice are fair. ``method`` is "exact" if the test counts one kind of
    roll (binomial distribution), "convolution" if the distribution of the log likelihood ratio is
    convolved on a fine grid, and "normal" if numpy is not installed and that distribution is
    approximated.
    """

    rolls: int | None
    method: Literal["exact", "convolution", "normal"]
    size: float = TEST_SIZE
    power: float = TEST_POWER

    def headline(self) -> str:
        """Return one line: the number of rolls, the size and the power."""
        shown = "the dice are fair" if self.rolls is None else f"{self.rolls:,} rolls would show it"
        return (
            f"{shown}, at a size of {show_percent(self.size)} and a power of "
            f"{show_percent(self.power)}; {self.method}"
        )

    def to_table(self) -> ResultTable:
        """Return the test as a table of one row."""
        return ResultTable(
            {"rolls": "count", "size": "share", "power": "share", "method": "words"},
            [(self.rolls, self.size, self.power, self.method)],
        )


def count_rolls_to_detect(
    dice: Dice, size: float = TEST_SIZE, power: float = TEST_POWER
) -> FairDiceTest:
    """Return how many rolls it takes to tell these dice from fair ones.

    ``size`` is the probability of rejecting fair dice, and ``power`` that of detecting these.

    >>> from passline.game.dice.dice import FAIR
    >>> count_rolls_to_detect(FAIR).rolls is None
    True
    """
    if dice.fair:
        return FairDiceTest(rolls=None, method="exact", size=size, power=power)
    chances = [weight / dice.whole for weight in dice.weights if weight]
    ratios = [math.log(chance * len(dice.weights)) for chance in chances]
    about = _estimate_rolls(ratios, chances, size, power)
    if len(set(dice.weights)) > 2 or about > _MAX_EXACT_ROLLS:
        if not has_numpy():
            return FairDiceTest(rolls=about, method="normal", size=size, power=power)
        counted = _search_convolved_rolls(tuple(ratios), tuple(chances), about, size, power)
        return FairDiceTest(rolls=counted, method="convolution", size=size, power=power)
    rarer = min(dice.weights)
    often = dice.weights.count(rarer)
    counted = _search_exact_rolls(
        often / len(dice.weights), often * rarer / dice.whole, about, size, power
    )
    return FairDiceTest(rolls=counted, method="exact", size=size, power=power)


def _estimate_rolls(ratios: list[float], chances: list[float], size: float, power: float) -> int:
    """Return about how many rolls a test of this ``size`` and ``power`` needs.

    ``ratios`` are the log likelihood ratios of the outcomes, ``chances`` their probabilities with
    the dice under test. The estimate is a normal approximation. If the dice never throw some
    outcome, return instead how many rolls without it are enough: with fair dice, the chance of that
    is at most ``size``.
    """
    share = len(chances) / len(OUTCOMES)
    if share < 1:
        return math.ceil(math.log(size) / math.log(share))
    fair = 1 / len(OUTCOMES)
    mean = sum(fair * ratio for ratio in ratios)
    mean_own = sum(chance * ratio for chance, ratio in zip(chances, ratios, strict=True))
    sd = math.sqrt(sum(fair * (r - mean) ** 2 for r in ratios))
    sd_own = math.sqrt(sum(c * (r - mean_own) ** 2 for c, r in zip(chances, ratios, strict=True)))
    normal = NormalDist()
    apart = normal.inv_cdf(1 - size) * sd + normal.inv_cdf(power) * sd_own
    return math.ceil((apart / (mean_own - mean)) ** 2)


@lru_cache(64)
def _search_convolved_rolls(
    ratios: tuple[float, ...], chances: tuple[float, ...], about: int, size: float, power: float
) -> int:
    """Return the fewest rolls with which the likelihood-ratio test of this ``size`` has ``power``.

    ``about`` is an estimate to begin with. ``ratios`` are the log likelihood ratios of the
    outcomes, ``chances`` their probabilities with the dice under test.
    """

    def is_enough(rolls: int) -> bool:
        return convolved_power(ratios, chances, rolls, size) >= power

    low, high = 0, max(about, 1)
    while not is_enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def has_numpy() -> bool:
    """Return whether numpy is installed, as the extra "lab" does."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


def convolved_power(
    ratios: Sequence[float], chances: Sequence[float], rolls: int, size: float
) -> float:
    """Return the power of the likelihood-ratio test of ``rolls`` rolls that has the size ``size``.

    The size is the chance that the test takes fair dice for biased, and the power the chance that
    it finds the biased ones. ``ratios`` and ``chances`` are of the outcomes that the dice under
    test throw. Any other outcome shows that they are not these dice.

    The distribution of one roll's log ratio is put on a grid, each value shared between its two
    neighbors so that the mean stays, and convolved with itself by Fourier transforms. The test is
    randomized at its threshold, so that its size is exactly ``size``.
    """
    import numpy as np

    values, own = np.array(ratios), np.array(chances)
    fair = np.full(len(values), 1 / len(values))
    means = [float(weights @ values) for weights in (fair, own)]
    spreads = [
        math.sqrt(float(w @ (values - m) ** 2)) for w, m in zip((fair, own), means, strict=True)
    ]
    # The grid holds both distributions with many standard deviations to each side.
    width = rolls * (means[1] - means[0]) + _MAX_DEVIATIONS * math.sqrt(rolls) * 2 * max(spreads)
    width = max(width, 4 * (values.max() - values.min()))
    step = width / _GRID_SIZE
    middle = (means[0] + means[1]) / 2
    places = (values - middle) / step
    below = np.floor(places)
    above_share = places - below
    index = below.astype(np.int64) % _GRID_SIZE
    powers = []
    for weights in (fair, own):
        grid = np.zeros(_GRID_SIZE)
        np.add.at(grid, index, weights * (1 - above_share))
        np.add.at(grid, (index + 1) % _GRID_SIZE, weights * above_share)
        summed = np.fft.irfft(np.fft.rfft(grid) ** rolls, _GRID_SIZE)
        powers.append(np.roll(np.maximum(summed, 0), _GRID_SIZE // 2))
    powers[0] *= (len(values) / len(OUTCOMES)) ** rolls
    if powers[0].sum() <= size:
        return 1.0
    tail = np.cumsum(powers[0][::-1])  # with fair dice, from the largest ratio down
    counted = int(np.searchsorted(tail, size))
    before = float(tail[counted - 1]) if counted else 0.0
    at = float(powers[0][::-1][counted])
    detected = float(np.cumsum(powers[1][::-1])[counted - 1]) if counted else 0.0
    part = (size - before) / at if at else 0.0
    return detected + part * float(powers[1][::-1][counted])


@lru_cache(64)
def _search_exact_rolls(fair: float, own: float, about: int, size: float, power: float) -> int:
    """Return the fewest rolls with which the best test of this ``size`` has ``power``.

    The test counts one kind of roll, such as sevens. Its probability is ``fair`` with fair dice and
    ``own`` with the dice under test. The search begins a little below the estimate ``about``.
    """
    rolls = max(about - int(4 * math.sqrt(about)), 1)
    while True:
        most = _find_quantile(rolls, fair, size)
        if most >= 0 and sum_binomial(rolls, own, most) >= power:
            return rolls
        rolls += 1


def _find_quantile(rolls: int, chance: float, size: float) -> int:
    """Return the largest count whose cumulative probability is at most ``size``; -1 if none is.

    The count is that of successes in ``rolls`` rolls, each with probability ``chance``.
    """
    added = 0.0
    for many, term in _iterate_binomial(rolls, chance):
        added += term
        if added > size:
            return many - 1
    return rolls


def sum_binomial(rolls: int, chance: float, many: int) -> float:
    """Return the probability of at most ``many`` successes in ``rolls`` rolls.

    Terms more than twelve standard deviations below the mean are left out.

    >>> round(sum_binomial(2, 0.5, 1), 12), sum_binomial(5, 0.25, -1)
    (0.75, 0.0)
    """
    if chance in (0, 1):
        return float(many >= rolls * chance)
    terms = takewhile(lambda each: each[0] <= many, _iterate_binomial(rolls, chance))
    return math.fsum(term for _, term in terms)


def _iterate_binomial(rolls: int, chance: float) -> Iterator[tuple[int, float]]:
    """Yield (n, chance of exactly n successes) from twelve standard deviations below the mean."""
    many = max(0, int(rolls * chance - _MAX_DEVIATIONS * math.sqrt(rolls * chance * (1 - chance))))
    ways = math.lgamma(rolls + 1) - math.lgamma(many + 1) - math.lgamma(rolls - many + 1)
    term = math.exp(ways + many * math.log(chance) + (rolls - many) * math.log(1 - chance))
    odds = chance / (1 - chance)
    while many <= rolls:
        yield many, term
        term *= odds * (rolls - many) / (many + 1)
        many += 1
