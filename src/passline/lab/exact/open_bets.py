"""Play-outs, solved: what comes of the wagers that are up when a player says no more.

What sessions come to once the wagers that were left up are valued, each kind in its way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from passline.lab.exact.markov import find_components
from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc
from passline.lab.machines.play_out import NOTHING_UP
from passline.lab.sessions.distribution import PlayOutOutcomes, Worth

#: What a play-out comes to, in no order.
_Chances = dict[int, Fraction]


def solve_play_outs(
    ways: Sequence[tuple[Arc, ...]], whole: int = FAIR_DICE_WEIGHT
) -> list[PlayOutOutcomes]:
    """What the play-out from each place comes to. ``ways`` as ``machines.play_out`` finds them.

    >>> coin = ((Arc(0, 0, 36),), (Arc(0, 100, 9), Arc(0, -100, 18), Arc(1, 0, 9)))
    >>> solve_play_outs(coin)[1]
    ((-100, Fraction(2, 3)), (100, Fraction(1, 3)))
    """
    everywhere = len(ways)
    onward = [[arc.next for arc in arcs] for arcs in ways] + [list(range(len(ways)))]
    found: list[_Chances] = [{} for _ in ways]
    found[NOTHING_UP] = {0: Fraction(1)}
    for ring in reversed(list(find_components(onward, everywhere))):
        if ring not in ([NOTHING_UP], [everywhere]):
            _solve_component(ring, ways, found, whole)
    return [tuple(sorted(chances.items())) for chances in found]


def _solve_component(
    ring: list[int], ways: Sequence[tuple[Arc, ...]], found: list[_Chances], whole: int
) -> None:
    """Places that lead back to each other: each is left out in turn, and then put back in.

    Within a ring no money moves: what is decided comes down, and never comes back up.
    """
    inside: dict[int, dict[int, Fraction]] = {place: {} for place in ring}
    for place in ring:
        leaves = []
        for arc in ways[place]:
            if arc.next in inside:
                assert not arc.money, "money moved, and everything stayed up"
                chance = Fraction(arc.weight, whole)
                inside[place][arc.next] = inside[place].get(arc.next, Fraction(0)) + chance
            else:
                leaves.append(arc)
        found[place] = _combine_arcs(leaves, found, whole)
    if not any(found[place] for place in ring):  # it waits for ever: down as it is
        for place in ring:
            found[place] = {0: Fraction(1)}
        return
    steps: list[tuple[int, dict[int, Fraction]]] = []
    for out in ring:
        on = inside.pop(out)
        again = 1 / (1 - on.pop(out, Fraction(0)))
        on = {to: chance * again for to, chance in on.items()}
        found[out] = {money: chance * again for money, chance in found[out].items()}
        for place, others in inside.items():
            reached = others.pop(out, None)
            if reached is None:
                continue
            _add_scaled(found[place], found[out], reached)
            for to, chance in on.items():
                others[to] = others.get(to, Fraction(0)) + reached * chance
        steps.append((out, on))
    for place, on in reversed(steps):
        for to, chance in on.items():
            _add_scaled(found[place], found[to], chance)


def _combine_arcs(arcs: list[Arc], found: list[_Chances], whole: int) -> _Chances:
    """What arcs to places that are solved come to: all over one denominator, which is far faster
    than fraction by fraction."""
    under = math.lcm(*{c.denominator for arc in arcs for c in found[arc.next].values()})
    ways: dict[int, int] = {}
    for arc in arcs:
        for change, chance in found[arc.next].items():
            share = arc.weight * chance.numerator * (under // chance.denominator)
            ways[change + arc.money] = ways.get(change + arc.money, 0) + share
    return {change: Fraction(many, whole * under) for change, many in ways.items()}


def _add_scaled(to: _Chances, more: _Chances, times: Fraction) -> None:
    for change, chance in more.items():
        to[change] = to.get(change, Fraction(0)) + times * chance


#: By kind: the lowest rung, and the weights from there up.
WeightsByKind = Iterable[tuple[int, int, Any]]


def add_open_bets_counted(
    parts: WeightsByKind, left: Sequence[PlayOutOutcomes], bankroll: int, unit: int
) -> tuple[dict[Worth, int], int]:
    """Every worth (cents) and the ways to it; and how many more ways there are than before: so many
    times as many as the chances of the outcomes ask for."""
    times = math.lcm(*(chance.denominator for each in left for _, chance in each))
    found: dict[Worth, int] = {}
    for kind, lowest, weights in parts:
        for change, chance in left[kind]:
            factor = chance.numerator * (times // chance.denominator)
            for place, weight in enumerate(weights):
                if weight:
                    worth = bankroll + (lowest + place) * unit + change
                    found[worth] = found.get(worth, 0) + weight * factor
    return dict(sorted(found.items())), times


def add_open_bets_rounded(
    parts: Iterable[tuple[int, int, FloatArray]],
    left: Sequence[PlayOutOutcomes],
    bankroll: int,
    unit: int,
) -> tuple[range, FloatArray]:
    """The same in doubles, to the whole cent: worths from the lowest up, and their chances."""
    laid = [
        (bankroll + lowest * unit + round(change), weights, float(chance))
        for kind, lowest, weights in parts
        for change, chance in left[kind]
    ]
    low = min(begin for begin, _, _ in laid)
    high = max(begin + (len(weights) - 1) * unit for begin, weights, _ in laid)
    step = math.gcd(unit, *(begin - low for begin, _, _ in laid))
    added = np.zeros((high - low) // step + 1)
    apart = unit // step
    for begin, weights, chance in laid:
        place = (begin - low) // step
        added[place : place + len(weights) * apart : apart] += weights * chance
    return range(low, high + 1, step), added


def add_open_bets_doubles(
    parts: Iterable[tuple[int, int, FloatArray]],
    left: Sequence[PlayOutOutcomes],
    bankroll: int,
    unit: int,
) -> dict[Worth, float]:
    """As ``add_open_bets_counted``, in doubles: worths that lie whole steps apart are added up at once."""  # noqa: E501
    laid: dict[Worth, list[tuple[int, FloatArray, float]]] = {}
    for kind, lowest, weights in parts:
        for change, chance in left[kind]:
            steps, rest = divmod(change, unit)
            laid.setdefault(rest, []).append((lowest + int(steps), weights, float(chance)))
    found: dict[Worth, float] = {}
    for rest, lines in laid.items():
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
    """What is left up, counted at what it is worth."""
    mean = sum((change * chance for change, chance in outcomes), Fraction(0))
    return ((int(mean) if mean.denominator == 1 else mean, Fraction(1)),)
