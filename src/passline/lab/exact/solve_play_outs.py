"""Play open bets to their decisions, and add the outcomes to the distribution of final worths.

A play-out (``machines.play_out``) is a small chain in which the bets that are up when a session
ends are played until each is decided, and no new bets are made. Worths (rail plus bets) are in
cents.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from passline.lab.exact.markov import find_components, solve_component
from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc
from passline.lab.machines.play_out import NOTHING_UP
from passline.lab.sessions.distribution import PlayOutOutcomes, Worth

#: From a change of worth (cents) to its probability.
_Chances = dict[int, Fraction]


def solve_play_outs(
    ways: Sequence[tuple[Arc, ...]], whole: int = FAIR_DICE_WEIGHT
) -> list[PlayOutOutcomes]:
    """Return, for each play-out state, the distribution of the change of worth until the end.

    A play-out rolls on, without new bets, until the open bets are decided. A distribution is a
    tuple of (change in cents, probability). ``ways[state]`` lists the transitions of a state, with
    weights that add up to ``whole``.

    >>> coin = ((Arc(0, 0, 36),), (Arc(0, 100, 9), Arc(0, -100, 18), Arc(1, 0, 9)))
    >>> solve_play_outs(coin)[1]
    ((-100, Fraction(2, 3)), (100, Fraction(1, 3)))
    """
    everywhere = len(ways)
    onward = [[arc.next for arc in arcs] for arcs in ways] + [list(range(len(ways)))]
    found: list[_Chances] = [{} for _ in ways]
    found[NOTHING_UP] = {0: Fraction(1)}
    for component in reversed(list(find_components(onward, everywhere))):
        if component not in ([NOTHING_UP], [everywhere]):
            _solve_component(component, ways, found, whole)
    return [tuple(sorted(chances.items())) for chances in found]


def _solve_component(
    component: list[int], ways: Sequence[tuple[Arc, ...]], found: list[_Chances], whole: int
) -> None:
    """Find the distributions for states that all lead to each other (a component).

    Write them to ``found``. The components after this one must be solved already. ``ways[state]``
    lists the transitions of a state, with weights that add up to ``whole``. No money moves inside a
    component, because a decided bet never goes back up.
    """
    inside: dict[int, dict[int, Fraction]] = {place: {} for place in component}
    for place in component:
        stays = [arc for arc in ways[place] if arc.next in inside]
        for arc in stays:
            assert not arc.money, "money moved although no bet was decided"
            chance = inside[place].get(arc.next, 0) + Fraction(arc.weight, whole)
            inside[place][arc.next] = chance
        leaves = [arc for arc in ways[place] if arc.next not in inside]
        found[place] = _combine_arcs(leaves, found, whole)
    # No roll ever decides the bet: return the stake.
    if not any(found[place] for place in component):
        for place in component:
            found[place] = {0: Fraction(1)}
        return
    solve_component(component, inside, found)


def _combine_arcs(arcs: list[Arc], found: list[_Chances], whole: int) -> _Chances:
    """Return the mixture of the outcomes that some transitions lead to, by their probabilities.

    ``found[state]`` is the distribution from a state on, and ``whole`` the total weight of the
    transitions. Weights are first put over one denominator, far faster than adding fractions.
    """
    under = math.lcm(*{c.denominator for arc in arcs for c in found[arc.next].values()})
    ways: Counter[int] = Counter()
    for arc in arcs:
        for change, chance in found[arc.next].items():
            share = arc.weight * chance.numerator * (under // chance.denominator)
            ways[change + arc.money] += share
    return {change: Fraction(many, whole * under) for change, many in ways.items()}


#: For each kind of open bets: the kind, the lowest level, and the weights from that level up.
WeightsByKind = Iterable[tuple[int, int, Any]]


def add_open_bets_exact(
    weights_by_kind: WeightsByKind, play_outs: Sequence[PlayOutOutcomes], bankroll: int, unit: int
) -> tuple[dict[Worth, int], int]:
    """Play the open bets of ended sessions to their decisions. Return (weights, times).

    ``weights`` maps each final worth to its weight, an integer. All weights are multiplied by
    ``times``, the common denominator of the open bets' probabilities. ``weights_by_kind`` are the
    weights before, as ``BankrollEvolution.worths`` yields them. States with the same open bets are
    of one kind, and ``play_outs[kind]`` are the outcomes of these bets. ``bankroll`` is the
    starting bankroll and ``unit`` one bankroll level, in cents.
    """
    times = math.lcm(*(chance.denominator for each in play_outs for _, chance in each))
    found: Counter[Worth] = Counter()
    for kind, lowest, weights in weights_by_kind:
        for change, chance in play_outs[kind]:
            factor = chance.numerator * (times // chance.denominator)
            for place, weight in enumerate(weights):
                if weight:
                    found[bankroll + (lowest + place) * unit + change] += weight * factor
    return dict(sorted(found.items())), times


def add_open_bets_rounded(
    weights_by_kind: Iterable[tuple[int, int, FloatArray]],
    play_outs: Sequence[PlayOutOutcomes],
    bankroll: int,
    unit: int,
) -> tuple[range, FloatArray]:
    """Play the open bets of ended sessions to their decisions, in doubles.

    Return (worths in whole cents, their probabilities). ``weights_by_kind`` are the probabilities
    before, as ``BankrollEvolution.chances`` yields them. States with the same open bets are of one
    kind, and ``play_outs[kind]`` are the outcomes of these bets. ``bankroll`` is the starting
    bankroll and ``unit`` one bankroll level, in cents.
    """
    shifted = [
        (bankroll + lowest * unit + round(change), weights, float(chance))
        for kind, lowest, weights in weights_by_kind
        for change, chance in play_outs[kind]
    ]
    low = min(begin for begin, _, _ in shifted)
    high = max(begin + (len(weights) - 1) * unit for begin, weights, _ in shifted)
    step = math.gcd(unit, *(begin - low for begin, _, _ in shifted))
    added = np.zeros((high - low) // step + 1)
    apart = unit // step
    for begin, weights, chance in shifted:
        place = (begin - low) // step
        added[place : place + len(weights) * apart : apart] += weights * chance
    return range(low, high + 1, step), added


def add_open_bets_doubles(
    weights_by_kind: Iterable[tuple[int, int, FloatArray]],
    play_outs: Sequence[PlayOutOutcomes],
    bankroll: int,
    unit: int,
) -> dict[Worth, float]:
    """Return a dict from final worth in cents to probability, after open bets are played out.

    The arguments are those of ``add_open_bets_rounded``. Unlike it, do not round to whole cents.
    """
    shifted: dict[Worth, list[tuple[int, FloatArray, float]]] = {}
    for kind, lowest, weights in weights_by_kind:
        for change, chance in play_outs[kind]:
            steps, rest = divmod(change, unit)
            shifted.setdefault(rest, []).append((lowest + int(steps), weights, float(chance)))
    found: dict[Worth, float] = {}
    for rest, lines in shifted.items():
        low = min(begin for begin, _, _ in lines)
        added = np.zeros(max(begin + len(weights) for begin, weights, _ in lines) - low)
        for begin, weights, share in lines:
            added[begin - low : begin - low + len(weights)] += weights * share
        begin_at = bankroll + low * unit + rest
        there = np.flatnonzero(added)
        found.update(
            (begin_at + place * unit, weight)
            for place, weight in zip(there.tolist(), added[there].tolist(), strict=True)
        )
    return dict(sorted(found.items()))


def value_at_expectation(outcomes: PlayOutOutcomes) -> PlayOutOutcomes:
    """Return a distribution of one certain outcome: the expected value of ``outcomes``."""
    mean = sum((change * chance for change, chance in outcomes), Fraction(0))
    return ((int(mean) if mean.denominator == 1 else mean, Fraction(1)),)
