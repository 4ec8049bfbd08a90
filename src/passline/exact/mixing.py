"""What sessions come to once the wagers that were left up are valued, each kind in its way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from passline.machines.arrays import Floats
from passline.sessions.distribution import PlayedOut, Worth

#: By kind: the lowest rung, and the weights from there up.
Parts = Iterable[tuple[int, int, Any]]


def mix_worths(
    parts: Parts, left: Sequence[PlayedOut], bankroll: int, unit: int
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


def mix_chances(
    parts: Iterable[tuple[int, int, Floats]],
    left: Sequence[PlayedOut],
    bankroll: int,
    unit: int,
) -> tuple[range, Floats]:
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


def mix_measured(
    parts: Iterable[tuple[int, int, Floats]],
    left: Sequence[PlayedOut],
    bankroll: int,
    unit: int,
) -> dict[Worth, float]:
    """As ``mix_worths``, in doubles: worths that lie whole steps apart are added up at once."""
    laid: dict[Worth, list[tuple[int, Floats, float]]] = {}
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


def at_expectation(outcomes: PlayedOut) -> PlayedOut:
    """What is left up, counted at what it is worth."""
    mean = sum((change * chance for change, chance in outcomes), Fraction(0))
    return ((int(mean) if mean.denominator == 1 else mean, Fraction(1)),)
