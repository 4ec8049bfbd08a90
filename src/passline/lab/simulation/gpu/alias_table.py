"""Alias tables for the GPU: one 32-bit draw plays several rolls with exact probabilities.

From a state, ``depth`` rolls lead to a few hundred pairs of next state and money, each with an
integer weight (of ``36 ** depth`` with fair dice). Walker's alias method puts them into columns of
equal probability, two to a column: the top bits of a draw select the column, and the rest, compared
with a cut, one of the two. If the rest equals the cut (once in a million draws), another draw
decides, so that no probability is rounded. A table of twelve rolls takes some kilobytes.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.arrays import WordArray
from passline.lab.machines.chain import Chain

#: The bits of a draw.
DRAW_BITS = 32
#: The most rolls per draw (36 ** 12 is the largest power that fits in 63 bits), and that limit.
MAX_ROLLS_PER_DRAW, MAX_CHANCES = 12, 2**63
#: The largest table, in bytes, that shares a multiprocessor with another block's.
MAX_TABLE_BYTES = 100 * 2**10
#: The most columns, in bits.
_MAX_COLUMN_BITS = 12

#: Where the rolls lead from a state: from (next state, money) to weight.
OutcomeWeights = Counter[tuple[int, int]]


class AliasTable(NamedTuple):
    """A table with which one random draw plays ``depth`` rolls (Walker's alias method).

    There are ``cuts``, ``rests`` and two ``outcomes`` for each ``[state, column]``. An outcome
    packs two numbers: in the low ``state_bits`` the next state, and above them the money of the
    rolls in ``unit`` cents, less ``least``. A draw below the cut (of ``DRAW_BITS - column_bits``
    bits) takes the first outcome, a draw above it the second. After a draw equal to it, draw a
    number below ``whole``, and take the first outcome if that is below the rest.
    """

    cuts: NDArray[np.uint32]
    rests: WordArray
    outcomes: NDArray[np.uint32]
    depth: int
    unit: int
    least: int
    column_bits: int
    state_bits: int
    start: int
    whole: int

    @property
    def fits_16_bits(self) -> bool:
        """Whether an outcome fits in 16 bits, so that two fit in one word."""
        return int(self.outcomes.max()) < 2**16

    @property
    def size(self) -> int:
        """How many bytes all cells of the table take on the GPU."""
        return int(self.cuts.size) * (8 if self.fits_16_bits else 16)


def build_alias_table(chain: Chain, depth: int) -> AliasTable | None:
    """Return the table that plays ``depth`` rolls per random draw, or None if it does not fit.

    A state may have too many outcomes, or states and amounts may need too many bits.

    >>> from passline.lab.machines.chain import Arc
    >>> table = build_alias_table(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,)), 2)
    >>> table.cuts.shape, table.unit, table.least
    ((1, 4), 100, -2)
    """
    unit = math.gcd(*(arc.money for arcs in chain.arcs for arc in arcs)) or 1
    return _build_table(chain, unit, _roll_ahead(chain, unit, depth), depth)


def build_deepest_alias_table(chain: Chain, room: int = MAX_TABLE_BYTES) -> AliasTable | None:
    """Return the table with the most rolls per draw that takes at most ``room`` bytes.

    If not even one roll fits, return the table of one roll, which stays in the GPU's global memory.
    Return None if a state has too many outcomes, or a state and a change of money need more bits
    than a draw has.
    """
    unit = math.gcd(*(arc.money for arcs in chain.arcs for arc in arcs)) or 1
    best = None
    ways = _roll_ahead(chain, unit, 1)
    for depth in range(1, MAX_ROLLS_PER_DRAW + 1):
        table = _build_table(chain, unit, ways, depth)
        if table is None or (depth > 1 and table.size > room):
            break
        best = table
        if chain.whole ** (depth + 1) > MAX_CHANCES:
            break
        if depth < MAX_ROLLS_PER_DRAW:
            ways = _add_roll(chain, unit, ways)
    return best


def _roll_ahead(chain: Chain, unit: int, depth: int) -> list[OutcomeWeights]:
    ways = [OutcomeWeights({(state, 0): 1}) for state in range(len(chain))]
    for _ in range(depth):
        ways = _add_roll(chain, unit, ways)
    return ways


def _add_roll(chain: Chain, unit: int, after: list[OutcomeWeights]) -> list[OutcomeWeights]:
    found = []
    for arcs in chain.arcs:
        ways: OutcomeWeights = Counter()
        for arc in arcs:
            for (state, money), weight in after[arc.next].items():
                ways[state, money + arc.money // unit] += weight * arc.weight
        found.append(ways)
    return found


def _build_table(
    chain: Chain, unit: int, ways: list[OutcomeWeights], depth: int
) -> AliasTable | None:
    state_bits = max((len(chain) - 1).bit_length(), 1)
    least = min(money for each in ways for _, money in each)
    most = max(money for each in ways for _, money in each)
    column_bits = max((max(map(len, ways)) - 1).bit_length(), 1)
    if column_bits > _MAX_COLUMN_BITS or (most - least).bit_length() + state_bits > DRAW_BITS:
        return None
    columns, below, whole = 2**column_bits, DRAW_BITS - column_bits, chain.whole**depth
    cuts = np.zeros((len(chain), columns), np.uint32)
    rests = np.zeros((len(chain), columns), np.uint64)
    outcomes = np.zeros((len(chain), columns, 2), np.uint32)
    for state, each in enumerate(ways):
        kinds = [((money - least) << state_bits) | onward for onward, money in sorted(each)]
        weights = [each[way] for way in sorted(each)]
        for column, (share, own, other) in enumerate(_fill_columns(weights, whole, columns)):
            cuts[state, column], rests[state, column] = divmod(share << below, whole)
            outcomes[state, column] = kinds[own], kinds[other]
    return AliasTable(
        cuts=cuts,
        rests=rests,
        outcomes=outcomes,
        depth=depth,
        unit=unit,
        least=least,
        column_bits=column_bits,
        state_bits=state_bits,
        start=chain.start,
        whole=whole,
    )


def _fill_columns(weights: list[int], whole: int, columns: int) -> list[tuple[int, int, int]]:
    """Return Walker's alias columns, each as (own chances, own outcome, other outcome).

    A column has ``whole`` chances; those that are not its own outcome's belong to the other one.
    ``weights`` are the weights of the outcomes, and ``columns`` is the number of columns. Python
    integers are needed: each weight is multiplied by ``columns``, which may exceed 64 bits.

    >>> _fill_columns([1, 3], 4, 2)
    [(2, 0, 1), (4, 1, 1)]
    """
    left = [weight * columns for weight in weights]
    shared: list[tuple[int, int, int]] = []
    small = [kind for kind, weight in enumerate(left) if weight < whole]
    large = [kind for kind, weight in enumerate(left) if weight >= whole]
    while len(shared) < columns:
        giver = large[-1] if large else -1
        if small:
            kind = small.pop()
            shared.append((left[kind], kind, giver))
            left[giver] -= whole - left[kind]
        else:
            shared.append((whole, giver, giver))
            left[giver] -= whole
        if large and left[giver] < whole:
            large.pop()
            if left[giver]:
                small.append(giver)
    return shared
