"""Arrays of integers too large for one machine word.

An array is ``limbs[limb, column]``, lowest limb first. A limb uses ``bits`` of its 64 bits, a whole
number of bytes, so that many can be added before the overflow must be carried.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.chain import FAIR_DICE_WEIGHT

LimbArray = NDArray[np.uint64]


def choose_limb_bits(heaviest: int) -> int:
    """Return how many bits of a limb to use, so that ``heaviest`` times a limb fits in 64 bits.

    A limb is one machine word of a large integer.

    >>> choose_limb_bits(36), choose_limb_bits(1332)
    (56, 48)
    >>> choose_limb_bits(255), choose_limb_bits(256)
    (56, 48)
    """
    return next(bits for bits in (56, 48, 40, 32, 24, 16, 8) if heaviest << bits < 1 << 64)


def count_limbs(rolls: int, bits: int, whole: int = FAIR_DICE_WEIGHT) -> int:
    """Return the number of limbs that an integer of ``whole`` to the power of ``rolls`` takes.

    A limb is one machine word of a large integer, of which ``bits`` bits are used.

    >>> count_limbs(0, 56), count_limbs(400, 56), 36**400 < 1 << (37 * 56)
    (1, 37, True)
    """
    return int(rolls * math.log2(whole) + 1) // bits + 1


def carry_limbs(limbs: LimbArray, bits: int) -> None:
    """Carry what exceeds ``bits`` bits of a limb into the next limb, in place.

    ``limbs[limb, column]`` are the words of large integers, lowest first. The last limb is not
    carried, so it must have room.
    """
    for limb in range(len(limbs) - 1):
        limbs[limb + 1] += limbs[limb] >> np.uint64(bits)
        limbs[limb] &= np.uint64((1 << bits) - 1)


def to_integers(limbs: LimbArray, bits: int) -> list[int]:
    """Convert each column of limbs (machine words with ``bits`` bits) to one Python integer.

    >>> to_integers(np.array([[5, 7], [0, 1]], np.uint64), 56) == [5, 7 + 2**56]
    True
    """
    columns = np.ascontiguousarray(limbs.T).astype("<u8")
    octets = columns.view(np.uint8).reshape(*columns.shape, 8)[:, :, : bits // 8]
    size = octets.shape[1] * octets.shape[2]
    line = octets.tobytes()
    return [int.from_bytes(line[at : at + size], "little") for at in range(0, len(line), size)]


def sum_limbs(limbs: LimbArray, bits: int) -> int:
    """Return the sum of all columns, each an integer in limbs (machine words with ``bits`` bits).

    >>> sum_limbs(np.full((2, 1000), 2**56 - 1, np.uint64), 56) == 1000 * (2**112 - 1)
    True
    """
    half = bits // 2  # Sum half limbs, so that millions of them fit in 64 bits.
    upper = (limbs >> np.uint64(half)).sum(axis=1).tolist()
    lower = (limbs & np.uint64((1 << half) - 1)).sum(axis=1).tolist()
    found = 0
    for limb in reversed(range(len(limbs))):
        found = (found << bits) + (int(upper[limb]) << half) + int(lower[limb])
    return found


def to_doubles(limbs: LimbArray, bits: int, whole: int) -> NDArray[np.float64]:
    """Return each column, an integer in machine words with ``bits`` bits, divided by ``whole``.

    Only the top three words are used: they have more digits than a double.

    >>> to_doubles(np.array([[9, 27]], np.uint64), 56, 36).tolist()
    [0.25, 0.75]
    """
    found: NDArray[Any] = np.zeros(limbs.shape[1])
    for limb in range(max(len(limbs) - 3, 0), len(limbs)):
        found += limbs[limb] * ((1 << bits * limb) / whole)
    return found
