"""Judge from recorded rolls whether dice are fair: counts, tests, and the edge with these dice.

The verdict comes from one sequential test, which may be looked at after every roll. Its figure, the
evidence, starts at 1. With fair dice it is a martingale, so the chance that it ever reaches 20 is
at most 1/20 (Ville's inequality). The other tests are valid only if the number of rolls was fixed
beforehand. All figures are computed, none is simulated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import msgspec

from passline.game.dice.dice import (
    OUTCOMES,
    SEVEN,
    TOTALS,
    Dice,
    make_dice,
    make_dice_with_sevens,
)
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.law.book_files import DEFAULT_BOOK
from passline.lab.exact.rolls_to_detect_bias import count_rolls_to_detect, sum_binomial
from passline.lab.pricing.wager_odds import Appraiser, WagerOdds
from passline.lab.results import LabResult, ResultTable, show_percent

#: The most rolls that are read.
MAX_ROLLS = 5_000_000
#: How many rolls the prior of the sequential test is worth. It expects chances within about
#: 2.6 percentage points of those of fair dice, which covers the biases that people report.
PRIOR_ROLLS = 200
#: The evidence that counts as strong, and as very strong.
STRONG, VERY_STRONG = 20, 100
#: The probability with which a confidence band contains the true figure.
CONFIDENCE = 0.95
#: The most faces for which the distribution of their chi-square statistic is computed exactly.
_MAX_EXACT_FACES = 120
#: The most rolls for which that of the eleven totals is. With few rolls the chi-square distribution
#: is far off: it gives a single 12 a probability of 1 in 9,000, in place of 1 in 18.
_MAX_EXACT_TOTALS = 40
#: The weights of estimated dice add up to about this.
_WEIGHT_PARTS = 10**9
#: A category that never came counts as this many rolls, so that its chance may rise above zero.
_NEVER_CAME = 1e-9

#: The outcomes that dice in no particular order cannot distinguish, such as (3, 4) and (4, 3).
_PAIRS: tuple[tuple[int, int], ...] = tuple((a, b) for a, b in OUTCOMES if a <= b)

Method = Literal["exact", "chi-square", "normal"]


class CountedFace(msgspec.Struct, frozen=True):
    """How often a face or a total came, and how often fair dice would show it.

    ``p_value`` is the exact two-sided probability of a count at least this far from expectation.
    """

    name: int
    count: int
    expected: float
    p_value: float


class DiceTest(msgspec.Struct, frozen=True):
    """A test of fair dice for a number of rolls that was fixed beforehand.

    ``figure`` is its statistic. ``p_value`` is the probability that fair dice give one as extreme.
    ``method`` says how that was computed.
    """

    name: str
    figure: float
    p_value: float
    method: Method


class Band(msgspec.Struct, frozen=True):
    """An estimate with two confidence bands: for a fixed number of rolls, and for any time.

    ``low`` and ``high`` hold with 95 percent confidence if the number of rolls was fixed
    beforehand. ``any_low`` and ``any_high`` hold with 95 percent confidence after every roll at
    once, so they hold for somebody who stops when the figures look good.
    """

    estimate: float
    low: float
    high: float
    any_low: float
    any_high: float


class DiceEvidence(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What recorded rolls say about the dice; the result of ``evidence``.

    ``evidence`` is the figure of the sequential test after the last roll, ``most`` its largest
    value so far and ``most_at`` the roll that reached it. ``p_value`` is 1 / ``most``, valid
    however often one looks. ``strong_at`` is the first roll at which the evidence reached 20, or
    None. ``path`` has the logarithm to base 10 of the evidence after each roll. ``parts`` has the
    likelihood ratios after the last roll, by what they count ("sevens", "totals", ...);
    ``evidence`` is their average. ``faces`` is empty if only totals are known. ``seven`` is the
    chance of a seven, ``edge`` the house's edge on ``wager``. ``rolls_to_show`` is how many rolls a
    test of fixed length needs to reveal certain dice, by their name.
    """

    house: House
    wager: str
    rolls: int
    faces: tuple[CountedFace, ...]
    totals: tuple[CountedFace, ...]
    tests: tuple[DiceTest, ...]
    evidence: float
    most: float
    most_at: int
    strong_at: int | None
    path: tuple[float, ...]
    parts: dict[str, float]
    seven: Band
    edge: Band
    fair_edge: Fraction
    rolls_to_show: dict[str, int | None]

    @property
    def p_value(self) -> float:
        """An upper bound on the probability that fair dice ever give evidence this strong."""
        return min(1.0, 1 / self.most)

    @property
    def rolls_per_seven(self) -> float | None:
        """The seven-to-rolls ratio: rolls for each seven. None if no seven came."""
        sevens = self.totals[SEVEN - TOTALS[0]].count
        return self.rolls / sevens if sevens else None

    def headline(self) -> str:
        """Return the verdict in one line."""
        seven = show_percent(self.seven.estimate)
        return f"{self.rolls:,} rolls: {self.verdict()}; a seven {seven} of the time"

    def verdict(self) -> str:
        """Return in words how strong the evidence against fair dice is."""
        odds = f"{self.most:,.0f} to 1" if self.most < 1e6 else f"{self.most:.0e} to 1"
        if self.most >= VERY_STRONG:
            return f"very strong evidence that the dice are not fair ({odds})"
        if self.most >= STRONG:
            return f"strong evidence that the dice are not fair ({odds})"
        return "no strong evidence against fair dice"

    def to_table(self) -> ResultTable:
        """Return a table of the totals: count, expectation and p-value."""
        return ResultTable(
            {"total": "count", "count": "count", "expected": "figure", "p_value": "share"},
            [(each.name, each.count, each.expected, each.p_value) for each in self.totals],
            x_column="total",
            y_column="count",
        )


def evidence(
    rolls: Sequence[tuple[int, int] | int],
    house: House | str = DEFAULT_BOOK,
    wager: str = "pass",
) -> DiceEvidence:
    """Return what rolls say about the dice, and about the edge of a wager.

    ``rolls`` are pairs of faces in the order in which they were thrown, or totals alone; then the
    ways to throw a total are taken as equally likely. Raise ValueError for no rolls, too many, a
    roll that two dice cannot make, or a mix of faces and totals. Raise WagerError if the house does
    not deal the wager.

    >>> found = evidence([(1, 1), (6, 1), (3, 4), (2, 5)] * 30)
    >>> found.rolls, found.rolls_per_seven, found.strong_at
    (120, 1.3333333333333333, 21)
    """
    if not rolls:
        raise ValueError("there are no rolls: expected one at least")
    if len(rolls) > MAX_ROLLS:
        raise ValueError(f"{len(rolls):,} rolls: expected {MAX_ROLLS:,} at most")
    dealt = as_house(house)
    pairs, totals = _split_rolls(rolls)
    logs, parts = trace_evidence(rolls)
    best = max(range(len(logs)), key=logs.__getitem__)
    strong = next((n for n, log in enumerate(logs, 1) if log >= math.log10(STRONG)), None)
    by_total = [totals.count(total) for total in TOTALS]
    counts = _Counts.of_pairs(pairs) if pairs else _Counts.of_totals(by_total)
    fair = _price(Appraiser(dealt), wager)
    return DiceEvidence(
        house=dealt,
        wager=wager,
        rolls=len(totals),
        faces=_count_faces(pairs),
        totals=tuple(
            _compare_count(total, count, len(totals), _total_chance(total))
            for total, count in zip(TOTALS, by_total, strict=True)
        ),
        tests=tuple(_run_tests(pairs, totals, by_total)),
        evidence=10 ** min(logs[-1], 300),
        most=max(1.0, 10 ** min(logs[best], 300)),
        most_at=best + 1,
        strong_at=strong,
        path=tuple(logs),
        parts=parts,
        seven=_estimate_seven(by_total[SEVEN - TOTALS[0]], len(totals)),
        edge=_estimate_edge(dealt, wager, counts),
        fair_edge=fair,
        rolls_to_show=_count_rolls_needed(counts),
    )


def trace_evidence(
    rolls: Sequence[tuple[int, int] | int],
) -> tuple[list[float], dict[str, float]]:
    """Return (logs, parts): the evidence after each roll, and the ratios that it averages.

    ``logs`` has logarithms to base 10. ``parts`` has the likelihood ratios after the last roll, by
    what each counts.

    >>> logs, parts = trace_evidence([7, 7])
    >>> round(10 ** logs[-1], 4), round(parts["sevens"], 4)
    (1.0249, 1.0249)
    """
    pairs, totals = _split_rolls(rolls)
    mixtures = _make_mixtures(bool(pairs))
    logs = list(_accumulate_evidence(mixtures, pairs, totals))
    return logs, {name: math.exp(min(each.log, 690)) for name, each in mixtures.items()}


def _split_rolls(
    rolls: Sequence[tuple[int, int] | int],
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return (pairs of faces, totals); there are no pairs if the rolls are totals.

    Raise ValueError for a roll that two dice cannot make, or for a mix of faces and totals.
    """
    pairs: list[tuple[int, int]] = []
    totals: list[int] = []
    for number, roll in enumerate(rolls, 1):
        if isinstance(roll, int):
            if roll not in TOTALS:
                raise ValueError(f"roll {number} is {roll}: two dice show 2 to 12")
            totals.append(roll)
            continue
        if tuple(roll) not in OUTCOMES:
            raise ValueError(f"roll {number} is {roll}: a die shows 1 to 6")
        pairs.append((roll[0], roll[1]))
        totals.append(sum(roll))
    if pairs and len(pairs) != len(totals):
        raise ValueError("some rolls are faces and some are totals: expected one kind")
    return pairs, totals


def _total_chance(total: int) -> Fraction:
    return Fraction(6 - abs(SEVEN - total), len(OUTCOMES))


def _compare_count(name: int, count: int, of: int, chance: Fraction) -> CountedFace:
    return CountedFace(
        name=name,
        count=count,
        expected=float(of * chance),
        p_value=_binomial_p_value(count, of, float(chance)),
    )


def _count_faces(pairs: Sequence[tuple[int, int]]) -> tuple[CountedFace, ...]:
    thrown = [face for pair in pairs for face in pair]
    return tuple(
        _compare_count(face, thrown.count(face), len(thrown), Fraction(1, 6))
        for face in range(1, 7)
        if thrown
    )


def _binomial_p_value(count: int, of: int, chance: float) -> float:
    """Return the exact two-sided p-value of ``count`` successes in ``of`` trials.

    The p-value is twice the smaller tail of the binomial distribution, at most 1.
    """
    below = sum_binomial(of, chance, count)
    above = sum_binomial(of, 1 - chance, of - count)
    return min(1.0, 2 * min(below, above))


# The sequential test.


class _Mixture:
    """A likelihood ratio of unfair to fair dice, updated after each roll.

    Rolls are counted in categories, such as the totals. ``chances`` are the chances of these with
    fair dice. The unfair dice are averaged over a Dirichlet prior centered on them.
    """

    def __init__(self, chances: Sequence[float]) -> None:
        self.chances = chances
        self.weights = [PRIOR_ROLLS * chance for chance in chances]
        self.whole = float(PRIOR_ROLLS)
        self.log = 0.0

    def add(self, category: int) -> None:
        """Update the likelihood ratio and the prior with one roll; ``category`` is its number."""
        self.log += math.log(self.weights[category] / (self.whole * self.chances[category]))
        self.weights[category] += 1
        self.whole += 1


def _make_mixtures(faces_known: bool) -> dict[str, _Mixture]:
    """Return a likelihood ratio with no rolls yet for each way of counting them, by name.

    The ways are sevens and totals and, if faces are known, faces and pairs of faces.
    """
    found = {
        "sevens": _Mixture([5 / 6, 1 / 6]),
        "totals": _Mixture([float(_total_chance(total)) for total in TOTALS]),
    }
    if faces_known:
        found["faces"] = _Mixture([1 / 6] * 6)
        found["pairs"] = _Mixture([(1 if a == b else 2) / len(OUTCOMES) for a, b in _PAIRS])
    return found


def _accumulate_evidence(
    mixtures: dict[str, _Mixture], pairs: Sequence[tuple[int, int]], totals: Sequence[int]
) -> Iterator[float]:
    """Yield the logarithm (base 10) of the evidence after each roll.

    The evidence is the average of the likelihood ratios ``mixtures``, which are updated in place.
    Each is a martingale under fair dice, and so is their average.
    """
    for number, total in enumerate(totals):
        mixtures["sevens"].add(total == SEVEN)
        mixtures["totals"].add(total - TOTALS[0])
        if pairs:
            low, high = sorted(pairs[number])
            mixtures["faces"].add(low - 1)
            mixtures["faces"].add(high - 1)
            mixtures["pairs"].add(_PAIR_INDEX[low, high])
        top = max(each.log for each in mixtures.values())
        mean = math.fsum(math.exp(each.log - top) for each in mixtures.values()) / len(mixtures)
        yield (top + math.log(mean)) / math.log(10)


_PAIR_INDEX = {pair: index for index, pair in enumerate(_PAIRS)}


# Tests for a fixed number of rolls.


def _run_tests(
    pairs: Sequence[tuple[int, int]], totals: Sequence[int], by_total: Sequence[int]
) -> Iterator[DiceTest]:
    if pairs:
        thrown = [face for pair in pairs for face in pair]
        yield _test_faces([thrown.count(face) for face in range(1, 7)])
        yield _test_independence(pairs)
    yield _test_totals(by_total)
    sevens = by_total[SEVEN - TOTALS[0]]
    p_value = _binomial_p_value(sevens, len(totals), 1 / 6)
    yield DiceTest(name="sevens", figure=float(sevens), p_value=p_value, method="exact")
    yield _test_runs([total == SEVEN for total in totals])
    if len(totals) > 2:
        yield _test_correlation(totals)


def _chi_square(counts: Sequence[int], expected: Sequence[float]) -> float:
    return math.fsum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))


def _test_faces(counts: Sequence[int]) -> DiceTest:
    """Return the chi-square test of the six faces, exact for small samples."""
    thrown = sum(counts)
    statistic = _chi_square(counts, [thrown / 6] * 6)
    if thrown <= _MAX_EXACT_FACES:
        p_value = exact_faces_tail(sum(n * n for n in counts), thrown)
        return DiceTest(name="faces", figure=statistic, p_value=p_value, method="exact")
    return DiceTest(
        name="faces", figure=statistic, p_value=chi_square_tail(statistic, 5), method="chi-square"
    )


def exact_faces_tail(squares: int, thrown: int) -> float:
    """Return the probability that fair dice show counts of the six faces as uneven, or more so.

    ``squares`` is the sum of the squares of the six counts, and ``thrown`` the sum of the counts.

    >>> exact_faces_tail(4, 2), round(exact_faces_tail(2, 2), 12)
    (0.16666666666666666, 1.0)
    """
    whole = math.factorial(thrown)
    added = 0
    for parts in _partitions(thrown, 6, thrown):
        if sum(n * n for n in parts) >= squares:
            ways = math.factorial(6)
            for count in {*parts}:
                ways //= math.factorial(parts.count(count))
            arrangements = whole
            for count in parts:
                arrangements //= math.factorial(count)
            added += ways * arrangements
    return float(Fraction(added, 6**thrown))


def _test_totals(counts: Sequence[int]) -> DiceTest:
    """Return the chi-square test of the eleven totals, exact for few rolls."""
    rolls = sum(counts)
    expected = [float(rolls * _total_chance(total)) for total in TOTALS]
    statistic = _chi_square(counts, expected)
    if rolls <= _MAX_EXACT_TOTALS:
        p_value = exact_totals_tail(counts)
        return DiceTest(name="totals", figure=statistic, p_value=p_value, method="exact")
    return DiceTest(
        name="totals", figure=statistic, p_value=chi_square_tail(statistic, 10), method="chi-square"
    )


def exact_totals_tail(counts: Sequence[int]) -> float:
    """Return the probability that fair dice give a chi-square statistic of totals this large.

    ``counts`` says how often each total from 2 to 12 came. The statistic is a sum of squared counts
    divided by the ways to throw the total, so a multiple of it is a whole number.

    >>> exact_totals_tail([0] * 10 + [1]) == 1 / 18
    True
    """
    rolls, ways = sum(counts), [int(len(OUTCOMES) * _total_chance(total)) for total in TOTALS]
    steps = [math.lcm(*ways) // each for each in ways]
    reached = sum(n * n * step for n, step in zip(counts, steps, strict=True))
    # below[n] has the ways in which n rolls show the totals so far, by their part of the sum: a
    # polynomial, written as one number with ``bits`` for each coefficient. Sums from ``reached`` on
    # are cut off.
    bits = (len(OUTCOMES) ** rolls).bit_length()
    mask = (1 << bits * reached) - 1
    below = [1, *[0] * rolls]
    for way, step in zip(ways, steps, strict=True):
        terms = [0] * (rolls + 1)
        for before, number in enumerate(below):
            for many in range(rolls - before + 1):
                if number and many * many * step < reached:
                    factor = way**many * math.comb(rolls - before, many)
                    terms[before + many] += number * factor << bits * many * many * step
        below = [number & mask for number in terms]
    one, less = (1 << bits) - 1, 0
    for place in range(reached):
        less += below[rolls] >> bits * place & one
    return float(1 - Fraction(less, len(OUTCOMES) ** rolls))


def _partitions(whole: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield each way to write ``whole`` as ``parts`` numbers of at most ``most``.

    The numbers of each way are in falling order.
    """
    if parts == 1:
        if whole <= most:
            yield (whole,)
        return
    for first in range(min(whole, most), -(-whole // parts) - 1, -1):
        for rest in _partitions(whole - first, parts - 1, first):
            yield (first, *rest)


def _test_independence(pairs: Sequence[tuple[int, int]]) -> DiceTest:
    """Return the test of whether doubles come as often as with two independent fair dice."""
    doubles = sum(a == b for a, b in pairs)
    p_value = _binomial_p_value(doubles, len(pairs), 1 / 6)
    return DiceTest(name="doubles", figure=float(doubles), p_value=p_value, method="exact")


def _test_runs(sevens: Sequence[bool]) -> DiceTest:
    """Return the Wald-Wolfowitz test of whether sevens come in streaks, spread out, or at random.

    ``sevens`` says of each roll whether it was a seven. Only their order is tested, not how many
    there are.
    """
    runs = 1 + sum(a != b for a, b in pairwise(sevens))
    many = sum(sevens)
    p_value, method = runs_p_value(runs, many, len(sevens) - many)
    return DiceTest(name="runs of sevens", figure=float(runs), p_value=p_value, method=method)


def runs_p_value(runs: int, many: int, others: int) -> tuple[float, Method]:
    """Return (two-sided p-value, method) of a number of runs of two kinds in random order.

    A run is a stretch of one kind, such as rolls without a seven. ``many`` and ``others`` are the
    numbers of the two kinds. The p-value is exact for up to 2,000 rolls; beyond, by the normal
    approximation. It is 1 if there is only one kind.

    >>> runs_p_value(2, 2, 2)
    (0.6666666666666666, 'exact')
    """
    if not many or not others:
        return 1.0, "exact"
    whole = many + others
    if whole > 2_000:
        mean = 1 + 2 * many * others / whole
        variance = (mean - 1) * (mean - 2) / (whole - 1)
        away = max(abs(runs - mean) - 0.5, 0) / math.sqrt(variance)
        return 2 * NormalDist().cdf(-away), "normal"
    ways = [_runs_ways(count, many, others) for count in range(2, whole + 1)]
    below, above = sum(ways[: runs - 1]), sum(ways[runs - 2 :])
    return min(1.0, float(Fraction(2 * min(below, above), math.comb(whole, many)))), "exact"


def _runs_ways(runs: int, many: int, others: int) -> int:
    """Return in how many orders two kinds make exactly ``runs`` runs (stretches of one kind).

    ``many`` and ``others`` are the numbers of the two kinds.
    """
    half, odd = divmod(runs, 2)
    if odd:
        return math.comb(many - 1, half) * math.comb(others - 1, half - 1) + math.comb(
            many - 1, half - 1
        ) * math.comb(others - 1, half)
    return 2 * math.comb(many - 1, half - 1) * math.comb(others - 1, half - 1)


def _test_correlation(totals: Sequence[int]) -> DiceTest:
    """Return the test of whether a total depends on the one before it (correlation at lag one)."""
    many = len(totals)
    mean = math.fsum(totals) / many
    spread = math.fsum((total - mean) ** 2 for total in totals)
    if not spread:
        return DiceTest(name="one roll to the next", figure=0.0, p_value=1.0, method="normal")
    shared = math.fsum((a - mean) * (b - mean) for a, b in pairwise(totals))
    figure = shared / spread
    # In random order the mean is -1/n and the variance about 1/n.
    away = abs(figure + 1 / many) * math.sqrt(many)
    return DiceTest(
        name="one roll to the next",
        figure=figure,
        p_value=2 * NormalDist().cdf(-away),
        method="normal",
    )


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least ``statistic``.

    ``freedom`` is its number of degrees of freedom.

    >>> round(chi_square_tail(11.0705, 5), 4), round(chi_square_tail(18.307, 10), 4)
    (0.05, 0.05)
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = freedom % 2
    # The powers of the series: 0, 1, 2, ... or 1/2, 3/2, ... after the complement of erf.
    powers = [k + odd / 2 for k in range((freedom - odd) // 2)]
    series = [math.exp(k * math.log(half) - half - math.lgamma(k + 1)) for k in powers]
    return min(1.0, math.fsum([math.erfc(math.sqrt(half)) if odd else 0.0, *series]))


# Estimates with confidence bands.


class _Counts(NamedTuple):
    """How often each category of rolls came, and the dice outcomes (0 to 35) in each category.

    A category is a pair of faces, or a total if the faces are not known.
    """

    counts: tuple[int, ...]
    outcomes: tuple[tuple[int, ...], ...]

    @classmethod
    def of_pairs(cls, pairs: Sequence[tuple[int, int]]) -> _Counts:
        """Count each of the 21 pairs of faces in any order."""
        counts = [0] * len(_PAIRS)
        for a, b in pairs:
            counts[_PAIR_INDEX[min(a, b), max(a, b)]] += 1
        held: list[list[int]] = [[] for _ in _PAIRS]
        for index, (a, b) in enumerate(OUTCOMES):
            held[_PAIR_INDEX[min(a, b), max(a, b)]].append(index)
        return cls(tuple(counts), tuple(map(tuple, held)))

    @classmethod
    def of_totals(cls, by_total: Sequence[int]) -> _Counts:
        """Return the counts of the eleven totals: ``by_total`` has them from 2 to 12."""
        held = tuple(
            tuple(i for i, faces in enumerate(OUTCOMES) if sum(faces) == t) for t in TOTALS
        )
        return cls(tuple(by_total), held)

    def by_total(self) -> _Counts:
        """Return the same rolls counted by total."""
        added = [0] * len(TOTALS)
        for count, held in zip(self.counts, self.outcomes, strict=True):
            added[sum(OUTCOMES[held[0]]) - TOTALS[0]] += count
        return _Counts.of_totals(added)

    @property
    def rolls(self) -> int:
        """The number of rolls that were counted."""
        return sum(self.counts)

    @property
    def fair_chances(self) -> list[float]:
        """The chance of each category (a pair of faces, or a total) with fair dice."""
        return [len(held) / len(OUTCOMES) for held in self.outcomes]

    def make_dice(self, chances: Sequence[float]) -> Dice:
        """Return dice for which each category (a pair of faces, or a total) has the given chance.

        The outcomes in a category share its chance equally. A chance of 0 becomes a tiny one.
        """
        weights = [1] * len(OUTCOMES)
        for chance, held in zip(chances, self.outcomes, strict=True):
            for index in held:
                weights[index] = max(1, round(chance / len(held) * _WEIGHT_PARTS))
        return make_dice(weights)

    def estimate(self) -> list[float]:
        """Return the share of rolls in each category (a pair of faces, or a total).

        A category that never came gets a share just above zero.
        """
        counts = [max(count, _NEVER_CAME) for count in self.counts]
        whole = math.fsum(counts)
        return [count / whole for count in counts]


def _estimate_seven(sevens: int, rolls: int) -> Band:
    """Return the estimated chance of a seven with its two bands, from ``sevens`` in ``rolls``.

    The band for a fixed number of rolls is Clopper and Pearson's, which is exact.
    """
    rest = (1 - CONFIDENCE) / 2
    low = high = sevens / rolls
    if sevens:
        low = _bisect(lambda p: sum_binomial(rolls, 1 - p, rolls - sevens) - rest, 0.0, low)
    if sevens < rolls:
        high = _bisect(lambda p: rest - sum_binomial(rolls, p, sevens), high, 1.0)
    counts = (rolls - sevens, sevens)
    radius = _any_time_radius(counts, [5 / 6, 1 / 6])
    p = sevens / rolls
    ends = [_bound_linear(counts, (0.0, side), radius)[1] for side in (-1.0, 1.0)]
    return Band(estimate=p, low=low, high=high, any_low=min(ends[0], p), any_high=max(ends[1], p))


def _any_time_radius(counts: Sequence[int], fair: Sequence[float]) -> float:
    """Return how far the log likelihood of believable chances may be below its maximum.

    Chances are believable if a mixture likelihood ratio does not reject them at 1 in 20. They form
    a confidence set that is valid after every roll at once. ``counts`` are counts of categories,
    and ``fair`` their chances with fair dice.
    """
    rolls = sum(counts)
    mixed = math.lgamma(PRIOR_ROLLS) - math.lgamma(PRIOR_ROLLS + rolls)
    best = 0.0
    for count, chance in zip(counts, fair, strict=True):
        prior = PRIOR_ROLLS * chance
        mixed += math.lgamma(prior + count) - math.lgamma(prior)
        best += count * math.log(count / rolls) if count else 0.0
    return best - mixed - math.log(1 - CONFIDENCE)


def _bound_linear(counts: Sequence[float], slopes: Sequence[float], radius: float) -> list[float]:
    """Return the believable chances that maximize the sum of slope i times chance i.

    They are chances of categories of rolls, which came ``counts`` times. Believable means that
    their log likelihood is at most ``radius`` below its maximum. By Lagrange's rule chance i is
    proportional to count i / (m - slope i), for a number m above every slope. The nearer m is to
    the largest slope, the farther the chances are from the observed shares.
    """
    kept = [max(count, _NEVER_CAME) for count in counts]
    top, spread = max(slopes), max(slopes) - min(slopes)
    if not spread:
        return [count / math.fsum(kept) for count in kept]
    rolls = math.fsum(kept)
    best = math.fsum(count * math.log(count / rolls) for count in kept)

    def chances_at(log_gap: float) -> list[float]:
        gap = spread * math.exp(log_gap)
        shares = [n / (top - slope + gap) for n, slope in zip(kept, slopes, strict=True)]
        whole = math.fsum(shares)
        return [share / whole for share in shares]

    def loss(log_gap: float) -> float:
        found = chances_at(log_gap)
        return best - math.fsum(n * math.log(p) for n, p in zip(kept, found, strict=True)) - radius

    return chances_at(_bisect(lambda log_gap: -loss(log_gap), -80.0, 40.0))


def _bisect(rises: Callable[[float], float], low: float, high: float) -> float:
    """Return where the rising function ``rises`` crosses zero, between ``low`` and ``high``."""
    for _ in range(100):
        middle = (low + high) / 2
        if rises(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _price(appraiser: Appraiser, wager: str) -> Fraction:
    row = appraiser.price(wager)
    if not isinstance(row, WagerOdds):
        raise ValueError(f"{wager} has no edge of its own here: choose another wager")
    return row.edge


class _EdgeByDice:
    """Computes the house's edge on a wager with any dice, reusing the work for the dice before."""

    def __init__(self, house: House, wager: str) -> None:
        self._wager, self._appraiser = wager, Appraiser(house)

    def price(self, dice: Dice) -> float:
        self._appraiser = self._appraiser.with_dice(dice)
        return float(_price(self._appraiser, self._wager))


def _estimate_edge(house: House, wager: str, counts: _Counts) -> Band:
    """Return the house's edge on a wager with the observed dice, and its two confidence bands.

    The band for a fixed number of rolls is that of the profile likelihood, an approximation for
    large samples.
    """
    by_dice = _EdgeByDice(house, wager)

    def edge_of(used: _Counts, chances: Sequence[float]) -> float:
        return by_dice.price(used.make_dice(chances))

    used = counts
    if _depends_on_totals_only(edge_of, counts):
        used = counts.by_total()
    estimate = edge_of(used, used.estimate())
    fixed = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) ** 2 / 2
    any_time = _any_time_radius(used.counts, used.fair_chances)
    ends = [
        _bound_edge(lambda chances: edge_of(used, chances), used, radius, side)
        for radius in (fixed, any_time)
        for side in (-1.0, 1.0)
    ]
    return Band(estimate, *ends)


def _depends_on_totals_only(
    edge_of: Callable[[_Counts, Sequence[float]], float], counts: _Counts
) -> bool:
    """Return whether a wager's edge depends only on the chances of the totals.

    ``edge_of(counts, chances)`` returns the edge. Test it by moving chance between two ways to
    throw the same total.
    """
    if len(counts.counts) == len(TOTALS):
        return True
    chances = [chance * (1 + i / 50) for i, chance in enumerate(counts.fair_chances)]
    slopes = _slopes(lambda given: edge_of(counts, given), chances)
    by_total: dict[int, list[float]] = {}
    for slope, held in zip(slopes, counts.outcomes, strict=True):
        by_total.setdefault(sum(OUTCOMES[held[0]]), []).append(slope)
    return all(max(same) - min(same) < 1e-3 for same in by_total.values())


def _slopes(figure: Callable[[Sequence[float]], float], chances: Sequence[float]) -> list[float]:
    """Return the partial derivatives of ``figure`` at ``chances``.

    The chances need not add up to 1; ``figure`` always gets chances that do.
    """

    def normalized_figure(given: Sequence[float]) -> float:
        whole = math.fsum(given)
        return figure([each / whole for each in given])

    here = normalized_figure(chances)
    found = []
    for index, chance in enumerate(chances):
        step = max(chance, 1e-4) * 1e-3
        moved = list(chances)
        moved[index] = chance + step
        found.append((normalized_figure(moved) - here) / step)
    return found


def _bound_edge(
    edge_of: Callable[[Sequence[float]], float], used: _Counts, radius: float, side: float
) -> float:
    """Return the smallest (``side`` -1) or largest (1) edge that the rolls leave possible.

    ``edge_of`` returns the edge for chances of the categories of ``used``. These chances may have a
    log likelihood of at most ``radius`` below the maximum. The edge is nearly linear in the
    chances, so each step moves to the best chances of its linear approximation, as long as that
    improves it.
    """
    chances = used.estimate()
    best = edge_of(chances)
    for _ in range(12):
        slopes = [side * slope for slope in _slopes(edge_of, chances)]
        target = _bound_linear(used.counts, slopes, radius)
        part = 1.0
        while part > 0.01:
            trial = [p + part * (q - p) for p, q in zip(chances, target, strict=True)]
            found = edge_of(trial)
            if side * (found - best) > 1e-9:
                break
            part /= 2
        else:
            return best
        gained, best, chances = abs(found - best), found, trial
        if gained < 1e-7:
            return best
    return best


def _count_rolls_needed(counts: _Counts) -> dict[str, int | None]:
    """Return, by name, how many rolls a test needs to reveal dice, if the number is fixed before.

    "sevens=1/6.5" and "sevens=1/7" are dice with fewer sevens than fair ones. "these" are the
    observed dice, moved toward fair ones by the prior; None means that they come out fair.
    """
    whole = counts.rolls + PRIOR_ROLLS
    drawn = [
        (count + PRIOR_ROLLS * fair) / whole
        for count, fair in zip(counts.counts, counts.fair_chances, strict=True)
    ]
    named = {
        "sevens=1/6.5": make_dice_with_sevens(Fraction(2, 13)),
        "sevens=1/7": make_dice_with_sevens(Fraction(1, 7)),
        "these": counts.make_dice(drawn),
    }
    return {name: count_rolls_to_detect(dice).rolls for name, dice in named.items()}


def evidence_json(found: DiceEvidence) -> dict[str, Any]:
    """Return the JSON of ``passline evidence``."""
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "rolls": found.rolls,
        "verdict": found.verdict(),
        "evidence": found.evidence,
        "most": found.most,
        "most_at": found.most_at,
        "strong_at": found.strong_at,
        "parts": found.parts,
        "p_value": found.p_value,
        "rolls_per_seven": found.rolls_per_seven,
        "seven": msgspec.to_builtins(found.seven),
        "wager": found.wager,
        "edge": msgspec.to_builtins(found.edge),
        "fair_edge": str(found.fair_edge),
        "confidence": CONFIDENCE,
        "faces": msgspec.to_builtins(found.faces),
        "totals": msgspec.to_builtins(found.totals),
        "tests": msgspec.to_builtins(found.tests),
        "rolls_to_show": found.rolls_to_show,
    }
