"""Chains as look-up tables: several rolls a look-up, money and squares and next state in a word."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.machines import Chain
from passline.machines.arrays import Cells

#: Bytes that a table of more than one roll a look-up may take: it should stay in a core's cache.
#: One state has room for three rolls and no more.
ROOM = 2**20
DEEPEST = 3
#: Cells of a table of single rolls at most: other dice than fair ones have a cell for each of what
#: they weigh together.
LARGEST = 2**24
#: How many look-ups may be added up before the word is taken apart, at best and at worst.
_MOST, _LEAST = 2**16, 2**8


class LookUp(NamedTuple):
    """``cells[state * ways + i]`` for each of the ``ways`` in which ``depth`` rolls can fall.

    A cell holds, from the top, the money of those rolls in ``unit`` cents, the sum of the squares
    of the single changes (``square_bits`` wide) and the next state (``state_bits`` wide). At most
    ``most`` cells may be added up before the squares run into the money.
    """

    cells: NDArray[np.int64]
    ways: int
    depth: int
    unit: int
    state_bits: int
    square_bits: int
    most: int


def unroll(chain: Chain) -> tuple[Cells, Cells]:
    """The chain as a machine's arrays: next state and money for each of 36 outcomes, or of as many
    as its dice weigh.

    >>> from passline.machines import Arc
    >>> next_, money = unroll(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,)))
    >>> next_.shape, int(money.sum())
    ((1, 36), -600)
    """
    if len(chain) * chain.whole > LARGEST:
        raise ValueError(
            f"the weights of these dice come to {chain.whole:,}, in {len(chain):,} states: too "
            "fine to be thrown; take rounder weights, or an exact answer"
        )
    next_ = np.array([[arc.next for arc in arcs for _ in range(arc.weight)] for arcs in chain.arcs])
    money = np.array(
        [[arc.money for arc in arcs for _ in range(arc.weight)] for arcs in chain.arcs]
    )
    return next_.astype(np.int32), money.astype(np.int32)


def tabulate(next_: Cells, money: Cells, depth: int) -> LookUp | None:
    """The table of ``depth`` rolls a look-up, or None where its numbers do not fit into a word."""
    unit = math.gcd(*np.unique(money).tolist()) or 1
    once, coins = next_.astype(np.int64), money.astype(np.int64) // unit
    if not _square_fits(coins, depth):
        return None
    onward, net, square = once, coins, coins**2
    for _ in range(depth - 1):
        square = (square[:, :, None] + (coins**2)[onward]).reshape(len(once), -1)
        net = (net[:, :, None] + coins[onward]).reshape(len(once), -1)
        onward = once[onward].reshape(len(once), -1)
    state_bits = (len(once) - 1).bit_length()
    most = _MOST
    while most >= _LEAST:
        square_bits = (int(square.max()) * most).bit_length()
        money_bits = (int(np.abs(net).max()) * most).bit_length() + 1
        if state_bits + square_bits + money_bits < 64:
            cells = ((net << square_bits) + square << state_bits) + onward
            return LookUp(
                cells=cells.ravel(),
                ways=next_.shape[1] ** depth,
                depth=depth,
                unit=unit,
                state_bits=state_bits,
                square_bits=square_bits,
                most=most,
            )
        most //= 2
    return None


def _square_fits(coins: NDArray[np.int64], depth: int) -> bool:
    return int(np.abs(coins).max()) ** 2 * depth < 2**62


def tabulate_deepest(next_: Cells, money: Cells) -> LookUp | None:
    """The table with the most rolls a look-up that stays within ROOM; None where none fits.

    >>> from passline.machines import Arc
    >>> table = tabulate_deepest(*unroll(Chain(((Arc(0, -100, 26), Arc(0, 200, 10)),), (100,))))
    >>> table.depth, table.unit, len(table.cells)
    (3, 100, 46656)
    """
    for depth in range(DEEPEST, 0, -1):
        if depth == 1 or len(next_) * next_.shape[1] ** depth * 8 <= ROOM:
            table = tabulate(next_, money, depth)
            if table is not None:
                return table
    return None
