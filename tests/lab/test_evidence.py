"""The evidence against fair dice: second opinions that share nothing with the lab's code."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from passline.lab.dice_evidence import (
    PRIOR_ROLLS,
    chi_square_tail,
    evidence,
    exact_faces_tail,
    exact_totals_tail,
    runs_p_value,
    trace_evidence,
)

PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def thrown(seed: int, many: int, weights: list[float] | None = None) -> list[tuple[int, int]]:
    dice = random.Random(seed)
    return [(dice.choices(range(1, 7), weights)[0], dice.randint(1, 6)) for _ in range(many)]


def test_the_evidence_of_fair_dice_is_one_on_average() -> None:
    # A martingale: the mean over every way to throw twice is one, and so it is after one.
    by_faces = [trace_evidence(two)[0] for two in itertools.product(PAIRS, repeat=2)]
    by_total = [trace_evidence([sum(a), sum(b)])[0] for a, b in itertools.product(PAIRS, repeat=2)]
    for every in (by_faces, by_total):
        for roll in (0, 1):
            mean = math.fsum(10 ** logs[roll] for logs in every) / len(every)
            assert mean == pytest.approx(1, abs=1e-9)


def test_the_evidence_is_the_ratio_of_two_probabilities() -> None:
    rolls = thrown(4, 60)
    found = evidence(rolls)

    def ratio(counts: Counter[int], fair: dict[int, Fraction]) -> float:
        """Polya's urn, by exact fractions: no gamma functions, no running products of ours."""
        urn = {key: PRIOR_ROLLS * chance for key, chance in fair.items()}
        above, below, whole = Fraction(1), Fraction(1), Fraction(PRIOR_ROLLS)
        for key, count in counts.items():
            for _ in range(count):
                above *= urn[key] / whole
                below *= fair[key]
                urn[key] += 1
                whole += 1
        return float(above / below)

    totals = Counter(sum(pair) for pair in rolls)
    fair_totals = {t: Fraction(sum(sum(p) == t for p in PAIRS), 36) for t in range(2, 13)}
    assert found.parts["totals"] == pytest.approx(ratio(totals, fair_totals))
    sevens = Counter(int(sum(pair) == 7) for pair in rolls)
    assert found.parts["sevens"] == pytest.approx(
        ratio(sevens, {0: Fraction(5, 6), 1: Fraction(1, 6)})
    )
    faces = Counter(face for pair in rolls for face in pair)
    assert found.parts["faces"] == pytest.approx(
        ratio(faces, {face: Fraction(1, 6) for face in range(1, 7)})
    )
    pairs = Counter(10 * min(pair) + max(pair) for pair in rolls)
    fair_pairs = {10 * a + b: Fraction(1 + (a != b), 36) for a, b in PAIRS if a <= b}
    assert found.parts["pairs"] == pytest.approx(ratio(pairs, fair_pairs))
    assert found.evidence == pytest.approx(math.fsum(found.parts.values()) / 4)


def test_fair_dice_seldom_look_unfair_and_biased_dice_soon_do() -> None:
    highest = [max(trace_evidence(thrown(seed, 300))[0]) for seed in range(100)]
    assert sum(10**log >= 20 for log in highest) <= 8
    loaded = evidence(thrown(1, 1500, [1, 1, 1, 1, 1, 2]))
    assert loaded.strong_at is not None
    assert "strong evidence" in loaded.verdict()


def test_the_exact_tail_of_the_faces_by_enumeration() -> None:
    for many in (1, 2, 3, 5):
        squares = Counter(
            sum(faces.count(face) ** 2 for face in range(6))
            for faces in itertools.product(range(6), repeat=many)
        )
        for least in squares:
            wanted = sum(n for value, n in squares.items() if value >= least) / 6**many
            assert exact_faces_tail(least, many) == pytest.approx(wanted)


def test_the_exact_tail_of_the_totals_by_enumeration() -> None:
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    for many in (1, 2, 3, 4):
        chances: Counter[tuple[int, ...]] = Counter()
        for totals in itertools.product(ways, repeat=many):
            chances[tuple(totals.count(t) for t in ways)] += math.prod(ways[t] for t in totals)
        # The chi-square statistic, plus the number of rolls, times that number and divided by 36.
        size = {
            counts: sum(Fraction(n * n, way) for n, way in zip(counts, ways.values(), strict=True))
            for counts in chances
        }
        for counts in list(chances)[:: 7 if many > 2 else 1]:
            wanted = sum(n for other, n in chances.items() if size[other] >= size[counts])
            assert exact_totals_tail(counts) == pytest.approx(wanted / 36**many, abs=1e-12)


def test_a_few_rolls_are_not_tested_by_an_approximation() -> None:
    tests = {test.name: test for test in evidence([(6, 6)]).tests}
    assert tests["totals"].p_value == pytest.approx(1 / 18)
    assert tests["totals"].method == "exact"
    assert {t.method for t in evidence(thrown(1, 40)).tests} <= {"exact", "normal"}
    many = {test.name: test for test in evidence(thrown(1, 41)).tests}
    assert many["totals"].method == "chi-square"


def test_the_runs_by_enumeration() -> None:
    for many, others in ((1, 4), (2, 3), (4, 4)):
        counted: Counter[int] = Counter()
        for places in itertools.combinations(range(many + others), many):
            order = [place in places for place in range(many + others)]
            counted[1 + sum(a != b for a, b in itertools.pairwise(order))] += 1
        whole = sum(counted.values())
        for runs in counted:
            below = sum(n for value, n in counted.items() if value <= runs) / whole
            above = sum(n for value, n in counted.items() if value >= runs) / whole
            p_value, method = runs_p_value(runs, many, others)
            assert p_value == pytest.approx(min(1, 2 * min(below, above)))
            assert method == "exact"
    exact, method = runs_p_value(300, 300, 1700)
    assert method == "exact"
    near, method = runs_p_value(301, 301, 1700)
    assert method == "normal"
    assert exact == pytest.approx(near, rel=0.6)


def test_the_chi_square_tail_by_adding_up_its_density() -> None:
    for freedom, statistic in ((5, 3.0), (10, 14.5), (25, 20.0), (1, 2.0)):
        step, top = 0.002, 200.0
        density = [
            math.exp((freedom / 2 - 1) * math.log(x) - x / 2)
            for x in (statistic + step * (k + 0.5) for k in range(int(top / step)))
        ]
        wanted = math.fsum(density) * step / (2 ** (freedom / 2) * math.gamma(freedom / 2))
        assert chi_square_tail(statistic, freedom) == pytest.approx(wanted, rel=1e-4)


def test_the_band_of_a_seven_leaves_the_right_tails() -> None:
    rolls = [(6, 1)] * 12 + [(1, 1)] * 48
    band = evidence(rolls).seven

    def tail(p: float, counts: range) -> float:
        return math.fsum(math.comb(60, k) * p**k * (1 - p) ** (60 - k) for k in counts)

    assert tail(band.low, range(12, 61)) == pytest.approx(0.025)
    assert tail(band.high, range(13)) == pytest.approx(0.025)
    assert band.any_low < band.low < band.estimate < band.high < band.any_high
    # At the end of the band for any time the mixture is just 20 times as likely as that chance.
    urn = math.lgamma(200 / 6 + 12) - math.lgamma(200 / 6) + math.lgamma(1000 / 6 + 48)
    urn += math.lgamma(200) - math.lgamma(1000 / 6) - math.lgamma(260)
    for p in (band.any_low, band.any_high):
        assert urn - 12 * math.log(p) - 48 * math.log(1 - p) == pytest.approx(math.log(20))


def pass_edge(chances: dict[int, float]) -> float:
    """The pass line's edge by its textbook formula."""
    wins = chances[7] + chances[11]
    wins += math.fsum(chances[n] ** 2 / (chances[n] + chances[7]) for n in (4, 5, 6, 8, 9, 10))
    return 1 - 2 * wins


def test_no_dice_within_the_likelihood_have_an_edge_outside_the_band() -> None:
    rolls = thrown(9, 400, [1.2, 1, 1, 1, 1, 1])
    found = evidence(rolls)
    counts = Counter(map(sum, rolls))
    shares = {total: counts[total] / 400 for total in range(2, 13)}
    assert found.edge.estimate == pytest.approx(pass_edge(shares), abs=1e-6)
    best = math.fsum(n * math.log(shares[total]) for total, n in counts.items())
    dice, inside, reached = random.Random(2), 0, [0.0, 0.0]
    for _ in range(20_000):
        drawn = {total: dice.gammavariate(0.7 * n + 0.5, 1) for total, n in counts.items()}
        whole = math.fsum(drawn.values())
        chances = {total: share / whole for total, share in drawn.items()}
        loss = best - math.fsum(n * math.log(chances[total]) for total, n in counts.items())
        if loss <= 1.9207:
            inside += 1
            edge = pass_edge(chances)
            assert found.edge.low - 1e-6 <= edge <= found.edge.high + 1e-6
            reached = [min(reached[0], edge), max(reached[1], edge)]
    assert inside > 10
    assert found.edge.any_low < found.edge.low < reached[0]
    assert reached[1] < found.edge.high < found.edge.any_high


def test_the_band_of_a_linear_edge_is_the_best_there_is() -> None:
    # One number decides any seven: its band is that of the chance of a seven.
    rolls = thrown(3, 300)
    found = evidence(rolls, "new-jersey", "any-seven")
    sevens = sum(sum(pair) == 7 for pair in rolls)

    def loss(p: float) -> float:
        share = sevens / 300
        return sevens * math.log(share / p) + (300 - sevens) * math.log((1 - share) / (1 - p))

    for edge in (found.edge.low, found.edge.high):
        assert loss((1 - edge) / 5) == pytest.approx(1.9207, abs=1e-3)


def test_totals_alone_give_the_same_as_faces_where_faces_do_not_matter() -> None:
    rolls = thrown(5, 200)
    by_faces, by_totals = evidence(rolls), evidence([sum(pair) for pair in rolls])
    assert by_totals.faces == ()
    assert by_totals.totals == by_faces.totals
    assert by_totals.seven == by_faces.seven
    assert by_totals.edge.estimate == pytest.approx(by_faces.edge.estimate)
    assert set(by_totals.parts) == {"sevens", "totals"}


@pytest.mark.parametrize("rolls", [[(1, 1)], [(3, 4)], [(6, 6)] * 40, [7] * 30, [2, 12]])
def test_odd_samples_have_finite_figures(rolls: list[tuple[int, int] | int]) -> None:
    for wager in ("pass", "dont-pass", "hard-8", "place-win-6", "field"):
        found = evidence(rolls, "iowa", wager)
        for band in (found.seven, found.edge):
            figures = (band.any_low, band.low, band.estimate, band.high, band.any_high)
            assert all(map(math.isfinite, figures))
            assert band.any_low <= band.estimate <= band.any_high
            assert band.low <= band.estimate <= band.high


@pytest.mark.parametrize(
    ("rolls", "words"),
    [
        ([], "no rolls"),
        ([(0, 3)], "roll 1"),
        ([7, 13], "roll 2"),
        ([7, (3, 4)], "one kind"),
    ],
)
def test_rolls_that_are_none(rolls: list[tuple[int, int] | int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evidence(rolls)
