"""Worths that sampled sessions came to, counted by the kind of state, and what was up valued."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from passline.machines.arrays import Ints
from passline.sessions import Distribution
from passline.sessions.distribution import AT_STAKE, PlayedOut, Worth
from passline.simulation.trials import KIND_BITS

#: Asked for what comes of what is up in each of these kinds of state.
Left = Callable[[Iterable[int]], Mapping[int, PlayedOut]]
#: Asked for the worth (cents) under which who is ruined in such a state is broke.
Bars = Callable[[Iterable[int]], Mapping[int, int]]
#: Keys that are kept before equal ones are counted together.
_MANY = 2**20


def at_stake(kinds: Iterable[int]) -> Mapping[int, PlayedOut]:
    """Wagers that are up count at their stake."""
    return dict.fromkeys(kinds, AT_STAKE)


class KeyCounts:
    """How many trials had each key of worth and kind at one look."""

    def __init__(self) -> None:
        self._parts: list[tuple[Ints, Ints]] = []
        self._size = 0

    def add(self, keys: Ints, many: Ints) -> None:
        """So many trials more, of each key."""
        self._parts.append((keys, many))
        self._size += len(keys)
        if self._size > _MANY:
            self._size = len(self.counted()[0]) // 2  # so that it may double before the next time

    def counted(self) -> tuple[Ints, Ints]:
        """The distinct keys in rising order, and how many trials had each."""
        if len(self._parts) != 1:
            from passline.simulation.tally_loops import count_keys

            keys, many = map(np.concatenate, zip(*self._parts, strict=True))
            slots, counts = np.zeros((2, 2 ** len(keys).bit_length()), np.int64)
            count_keys(keys, many, slots, counts)
            taken = np.flatnonzero(counts)
            taken = taken[np.argsort(slots[taken])]
            self._parts = [(slots[taken], counts[taken])]
        return self._parts[0]

    def kinds(self) -> set[int]:
        """The kinds of state that there were."""
        return set(np.unique(self.counted()[0] & (2**KIND_BITS - 1)).tolist())

    def count_between(self, above: int, under: int, bars: Bars) -> int:
        """How many had a worth above and under these two, and under the bar of their kind."""
        keys, many = self.counted()
        told = bars(self.kinds())
        kinds, worths = keys & (2**KIND_BITS - 1), keys >> KIND_BITS
        own = np.array([min(told[int(kind)], under) for kind in kinds], np.int64)
        return int(many[(worths > above) & (worths < own)].sum())

    def value(self, left: OpenValues, rng: np.random.Generator, trials: int) -> Distribution:
        """The worths, what was up played out once for every trial."""
        keys, many = self.counted()
        of = left.told[keys & (2**KIND_BITS - 1)]
        order = np.argsort(of, kind="stable")
        cuts = np.flatnonzero(np.diff(of[order])) + 1
        worths, counts = [], []
        for part in np.split(order, cuts):
            changes, chances = left.ways[of[part[0]]]
            here = (keys[part] >> KIND_BITS).astype(changes.dtype) * left.times
            if len(changes) == 1:
                worths.append(here + changes[0])
                counts.append(many[part])
                continue
            shares = rng.multinomial(many[part], chances)
            there = shares > 0
            worths.append((here[:, None] + changes)[there])
            counts.append(shares[there])
        found, added = add_up_keys(np.concatenate(worths), np.concatenate(counts))
        exact: list[Worth] = found.tolist()
        if left.times > 1:
            exact = [Fraction(worth, left.times) for worth in exact]
        return Distribution(tuple(exact), tuple(added.tolist()), trials)


class OpenValues:
    """What comes of what is up, by kind of state: ``ways`` that differ, changes of money in parts
    of ``times`` a cent and their chances, and which of them a kind is told."""

    def __init__(self, left: Mapping[int, PlayedOut]) -> None:
        numbers: dict[PlayedOut, int] = {}
        self.told = np.zeros(max(left) + 1, np.int64)
        for kind, outcomes in left.items():
            self.told[kind] = numbers.setdefault(outcomes, len(numbers))
        self.times = math.lcm(*(change.denominator for ways in numbers for change, _ in ways))
        dtype = object if self.times > 1 else np.int64
        self.ways = [
            (
                np.array([int(change * self.times) for change, _ in ways], dtype),
                [float(chance) for _, chance in ways],
            )
            for ways in numbers
        ]


def add_up_keys(keys: Any, many: Any) -> tuple[Any, Any]:
    """The distinct keys in rising order, and the sum of what goes with each.

    >>> [part.tolist() for part in add_up_keys(np.array([7, 5, 7]), np.array([1, 2, 3]))]
    [[5, 7], [2, 4]]
    """
    order = np.argsort(keys, kind="stable")
    sorted_ = keys[order]
    first = np.flatnonzero(np.append(True, sorted_[1:] != sorted_[:-1]))
    return sorted_[first], np.add.reduceat(many[order], first)
