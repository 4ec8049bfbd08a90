"""The compiled loops of counting what sampled sessions came to: one waits for them, all else plays.

All of the loops stands here: compiled code is made anew when this file changes.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from passline.machines.arrays import Ints
from passline.machines.compiling import compiled

#: What ends are summed up to, after how many ended in each way: rolls, their squares and the most
#: of them, the highest and the lowest worths.
ROLLED, SQUARED, LONGEST, HIGHEST, LOWEST, SUMS = range(4, 10)


@compiled("void(i8[:, :], i8, i8[::1], i8[::1], i8[::1])")
def sum_ends(ends: Ints, ruined: int, looks: Ints, sums: Ints, fell: Ints) -> None:
    """Add up how trials ended: to ``sums``, and to ``fell`` those ruined by each look. Squares too
    large for a word are wrong: ``sums`` tells the most rolls."""
    for trial in range(len(ends)):
        rolls = ends[trial, 1]
        sums[ends[trial, 0]] += 1
        sums[ROLLED] += rolls
        sums[SQUARED] += rolls * rolls
        sums[LONGEST] = max(sums[LONGEST], rolls)
        sums[HIGHEST] += ends[trial, 2]
        sums[LOWEST] += ends[trial, 3]
        if ends[trial, 0] == ruined:
            low, high = 0, len(looks)
            while low < high:
                middle = (low + high) // 2
                if looks[middle] < rolls:
                    low = middle + 1
                else:
                    high = middle
            if low < len(looks):
                fell[low] += 1
    for look in range(1, len(looks)):
        fell[look] += fell[look - 1]


@compiled("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def merge_counts(keys: Ints, many: Ints, others: Ints, more: Ints, into: Ints, counts: Ints) -> Any:
    """Two lists of distinct keys in rising order as one, with the sum of what goes with each; how
    many there are."""
    here, there, found = int64(0), int64(0), int64(0)
    while here < len(keys) or there < len(others):
        own = there == len(others) or (here < len(keys) and keys[here] <= others[there])
        key = keys[here] if own else others[there]
        into[found], counts[found] = key, 0
        if here < len(keys) and keys[here] == key:
            counts[found] += many[here]
            here += 1
        if there < len(others) and others[there] == key:
            counts[found] += more[there]
            there += 1
        found += 1
    return found
