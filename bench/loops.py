"""Plain numba loops that play pass with 3-4-5 odds, to compare the simulator's speed with.

One throws with numpy's own generator inside numba, the other with the generator that Passline
uses, written into the loop: one draw for both dice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from passline.lab.machines.compile_loops import compile_loop


@compile_loop("i8(i8, i8)")
def numpy_dice(rolls: int, seed: int) -> int:
    """Play with the dice of ``np.random``. Return the net win in cents."""
    np.random.seed(seed)
    net = point = 0
    for _ in range(rolls):
        total = np.random.randint(1, 7) + np.random.randint(1, 7)
        if point == 0:
            if total == 7 or total == 11:
                net += 1000
            elif total == 2 or total == 3 or total == 12:
                net -= 1000
            else:
                point = total
        elif total == point:
            net += 7000
            point = 0
        elif total == 7:
            if point == 4 or point == 10:
                net -= 4000
            elif point == 5 or point == 9:
                net -= 5000
            else:
                net -= 6000
            point = 0
    return net


@compile_loop("i8(i8, u8[::1])")
def inline_dice(rolls: int, state: NDArray[np.uint64]) -> int:
    """Play with xoshiro256++ and one multiplication for both dice. Return the net win in cents.

    ``state`` is the generator's; it is not changed.
    """
    s0, s1, s2, s3 = state
    half = uint64(0xFFFFFFFF)
    short = uint64(2**32) % uint64(36)
    net = 0
    point: Any = 0
    for _ in range(rolls):
        drawn = uint64(0)
        while (drawn & half) < short:
            spun = s0 + s3
            bits = ((spun << uint64(23)) | (spun >> uint64(41))) + s0
            shifted = s1 << uint64(17)
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            s3 = (s3 << uint64(45)) | (s3 >> uint64(19))
            drawn = (bits >> uint64(32)) * uint64(36)
        both = np.int64(drawn >> uint64(32))
        total = both // 6 + both % 6 + 2
        if point == 0:
            if total == 7 or total == 11:
                net += 1000
            elif total == 2 or total == 3 or total == 12:
                net -= 1000
            else:
                point = total
        elif total == point:
            net += 7000
            point = 0
        elif total == 7:
            if point == 4 or point == 10:
                net -= 4000
            elif point == 5 or point == 9:
                net -= 5000
            else:
                net -= 6000
            point = 0
    return net
