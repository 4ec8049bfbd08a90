"""The compiled loops of counting what sampled sessions came to: one waits for them, all else plays.

All of the loops stands here: compiled code is made anew when this file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uint64

from passline.machines.arrays import Ints
from passline.machines.compiling import compiled

#: What ends are summed up to, after how many ended in each way: rolls, their squares and the most
#: of them, the highest and the lowest worths.
ROLLED, SQUARED, LONGEST, HIGHEST, LOWEST, SUMS = range(4, 10)
#: Two to the 64th by the golden ratio: what is multiplied by it is spread.
_MIX = np.uint64(0x9E3779B97F4A7C15)


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


@compiled("void(i8[::1], i8[::1], i8[::1], i8[::1])")
def count_keys(keys: Ints, many: Ints, slots: Ints, counts: Ints) -> None:
    """Add up what goes with equal keys: each has one of the ``slots``, a power of two of them and
    more than there are keys; ``counts``, zeros at first, tell which are taken."""
    last: Any = uint64(len(slots) - 1)
    for place in range(len(keys)):
        key = keys[place]
        mixed: Any = uint64(key) * _MIX
        slot = (mixed ^ (mixed >> uint64(32))) & last
        while counts[slot] and slots[slot] != key:
            slot = (slot + uint64(1)) & last
        slots[slot] = key
        counts[slot] += many[place]
