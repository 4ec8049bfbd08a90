"""Chains as alias tables: one 32-bit draw plays several rolls, and exactly so.

From a state, ``depth`` rolls lead to a few hundred pairs of next state and money, each with a whole
number of chances, of ``36 ** depth`` with fair dice. Walker's method puts them into ``columns`` of
equal chance, two to a column: the top bits of a draw choose the column, the rest which of the two.
The rest is compared with a cut; seldom (once in a million draws) those bits cannot tell which side
of it they are on, and then another draw decides, so that no chance is rounded. A table of twelve
rolls takes some kilobytes, where a table of outcomes would take 36 ** 12 cells a state.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.chain import Chain

#: Bits of a draw.
DRAW_BITS = 32
#: Rolls a draw at most: 36 ** 12 is the last power of which 64 bits can hold a chance.
MAX_ROLLS_PER_DRAW, MAX_CHANCES = 12, 2**63
#: Bytes of a table that share a multiprocessor with another block's.
MAX_TABLE_BYTES = 100 * 2**10
#: Columns at most, as bits.
_MAX_COLUMN_BITS = 12

#: Where the rolls lead from a state, and with how many chances: (next state, money) → weight.
OutcomeWeights = Counter[tuple[int, int]]


class AliasTable(NamedTuple):
    """``cuts``, ``rests`` and the pairs of ``outs``, each ``[state, column]``.

    An out is the money of the rolls in ``unit`` cents, less ``least``, above the next state's
    ``state_bits``. Below the cut (of ``BITS - column_bits`` bits) the first of the pair is meant,
    above it the second, and at it the first where one of ``whole`` chances (of all outcomes of the
    rolls together) is below the rest.
    """

    cuts: NDArray[np.uint32]
    rests: NDArray[np.uint64]
    outs: NDArray[np.uint32]
    depth: int
    unit: int
    least: int
    column_bits: int
    state_bits: int
    start: int
    whole: int

    @property
    def narrow(self) -> bool:
        """Whether two outs fit into one word."""
        return int(self.outs.max()) < 2**16

    @property
    def size(self) -> int:
        """Bytes of its cells on the card."""
        return int(self.cuts.size) * (8 if self.narrow else 16)


def build_alias_table(chain: Chain, depth: int) -> AliasTable | None:
    """The table of ``depth`` rolls a draw; None where its numbers do not fit into a draw.

    >>> from passline.lab.machines.chain import Arc
    >>> table = build_alias_table(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,)), 2)
    >>> table.cuts.shape, table.unit, table.least
    ((1, 4), 100, -2)
    """
    unit = math.gcd(*(arc.money for arcs in chain.arcs for arc in arcs)) or 1
    return _build_table(chain, unit, _roll_ahead(chain, unit, depth), depth)


def build_deepest_alias_table(chain: Chain, room: int = MAX_TABLE_BYTES) -> AliasTable | None:
    """The table with the most rolls a draw that takes no more than ``room`` bytes.

    Where not even one roll does, the table of one roll, which stays in the card's own memory;
    None where its numbers do not fit.
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
    """One roll more, ahead of what is known to come after it."""
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
    outs = np.zeros((len(chain), columns, 2), np.uint32)
    for state, each in enumerate(ways):
        kinds = [((money - least) << state_bits) | onward for onward, money in sorted(each)]
        weights = [each[way] for way in sorted(each)]
        for column, (share, own, other) in enumerate(_fill_columns(weights, whole, columns)):
            cuts[state, column], rests[state, column] = divmod(share << below, whole)
            outs[state, column] = kinds[own], kinds[other]
    return AliasTable(
        cuts=cuts,
        rests=rests,
        outs=outs,
        depth=depth,
        unit=unit,
        least=least,
        column_bits=column_bits,
        state_bits=state_bits,
        start=chain.start,
        whole=whole,
    )


def _fill_columns(weights: list[int], whole: int, columns: int) -> list[tuple[int, int, int]]:
    """Columns of ``whole`` chances each: how many are one kind's, which, and whose the rest is.

    In whole numbers: each weight times ``columns``, shared out over as many columns of ``whole``.

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
