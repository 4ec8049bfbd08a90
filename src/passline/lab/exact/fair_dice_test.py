"""Count the rolls needed to show that dice are not fair, by a likelihood-ratio test."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

import msgspec

from passline.game.dice.dice import Dice
from passline.lab.results import LabResult, ResultTable, show_percent

#: The probability of rejecting fair dice (size), and of detecting these dice (power).
TEST_SIZE, TEST_POWER = 0.01, 0.9
#: The most rolls for which the exact test is computed.
_MAX_EXACT_ROLLS = 100_000
#: Binomial terms further from the mean, in standard deviations, are left out.
_MAX_DEVIATIONS = 12


class FairDiceTest(LabResult, msgspec.Struct, frozen=True):
    """The fewest rolls with which the best test of unfair dice has this ``size`` and ``power``.

    ``size`` is the probability of rejecting fair dice, ``power`` that of detecting these dice.
    ``rolls`` is None if the dice are fair. ``method`` is "exact" if the test counts one kind of
    roll (binomial distribution), and "normal" if it approximates the log likelihood ratio by a
    normal distribution.
    """

    rolls: int | None
    method: Literal["exact", "normal"]
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
    """Return how many rolls it takes to distinguish these dice from fair ones.

    >>> from passline.game.dice.dice import FAIR
    >>> count_rolls_to_detect(FAIR).rolls is None
    True
    """
    if dice.fair:
        return FairDiceTest(rolls=None, method="exact", size=size, power=power)
    fair = 1 / len(dice.weights)
    chances = [weight / dice.whole for weight in dice.weights]
    ratios = [math.log(chance / fair) for chance in chances]
    mean = sum(fair * ratio for ratio in ratios)
    mean_own = sum(chance * ratio for chance, ratio in zip(chances, ratios, strict=True))
    sd = math.sqrt(sum(fair * (r - mean) ** 2 for r in ratios))
    sd_own = math.sqrt(sum(c * (r - mean_own) ** 2 for c, r in zip(chances, ratios, strict=True)))
    normal = NormalDist()
    apart = normal.inv_cdf(1 - size) * sd + normal.inv_cdf(power) * sd_own
    about = math.ceil((apart / (mean_own - mean)) ** 2)
    if len(set(dice.weights)) > 2 or about > _MAX_EXACT_ROLLS:
        return FairDiceTest(rolls=about, method="normal", size=size, power=power)
    rarer = min(dice.weights)
    often = dice.weights.count(rarer)
    counted = _search_exact_rolls(
        often / len(dice.weights), often * rarer / dice.whole, about, size, power
    )
    return FairDiceTest(rolls=counted, method="exact", size=size, power=power)


def _search_exact_rolls(fair: float, own: float, about: int, size: float, power: float) -> int:
    """Return the fewest rolls, near ``about``, with which a count has this size and power.

    The test counts one kind of roll. Its probability is ``fair`` with fair dice and ``own`` with
    the dice under test.
    """
    rolls = max(about - int(4 * math.sqrt(about)), 1)
    while True:
        most = _find_quantile(rolls, fair, size)
        if most >= 0 and sum_binomial(rolls, own, most) >= power:
            return rolls
        rolls += 1


def _find_quantile(rolls: int, chance: float, size: float) -> int:
    """Return the largest count whose cumulative probability is at most ``size``; -1 if none is."""
    added, many = 0.0, _find_first_term(rolls, chance)
    while added + (term := _find_binomial_chance(rolls, chance, many)) <= size:
        added += term
        many += 1
    return many - 1


def sum_binomial(rolls: int, chance: float, many: int) -> float:
    """Return the probability of at most ``many`` successes in ``rolls`` rolls.

    Terms more than twelve standard deviations below the mean are left out.

    >>> sum_binomial(2, 0.5, 1), sum_binomial(5, 0.25, -1)
    (0.75, 0)
    """
    if chance in (0, 1):
        return float(many >= rolls * chance)
    terms = range(_find_first_term(rolls, chance), many + 1)
    return math.fsum(_find_binomial_chance(rolls, chance, n) for n in terms)


def _find_first_term(rolls: int, chance: float) -> int:
    return max(0, int(rolls * chance - _MAX_DEVIATIONS * math.sqrt(rolls * chance * (1 - chance))))


def _find_binomial_chance(rolls: int, chance: float, many: int) -> float:
    """Return the probability of exactly ``many`` successes in ``rolls`` rolls."""
    ways = math.lgamma(rolls + 1) - math.lgamma(many + 1) - math.lgamma(rolls - many + 1)
    return math.exp(ways + many * math.log(chance) + (rolls - many) * math.log(1 - chance))
