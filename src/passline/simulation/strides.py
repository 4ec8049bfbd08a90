"""Several rolls of a session at once, wherever none of them can end it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.machines.arrays import Cells, Ints

#: Bytes that a table of strides may take: it should stay in a core's cache.
ROOM = 2**18
#: The most rolls of one, and what a cell holds of each of its four numbers.
LONGEST, _BITS = 3, 16


class Strides(NamedTuple):
    """``cells[state * ways + i]`` for each of the ``ways`` in which ``depth`` rolls can fall.

    A cell holds, from the top and 16 bits each, the money of those rolls, the highest and the
    lowest that it was on the way, and the next state. Whose worth is never under ``safe[state]`` in
    some strides from there, and never at the goal, is not ended by them.
    """

    cells: Ints
    ways: int
    depth: int
    safe: Ints


def tabulate_strides(next_: Cells, money: Cells, low: Ints, horizon: int) -> tuple[Strides, ...]:
    """The longest strides that stay within ROOM, and single rolls for the rest of a way; none where
    a closed machine's numbers do not fit.

    ``low[state]`` is the worth, in the units of ``money``, under which a session ends; ``horizon``
    the rolls after which it is seen who ended.

    >>> once = np.array([[1, 0]]) * np.ones((2, 1), int), np.array([[-1, 1]]) * np.ones((2, 1), int)
    >>> found, single = tabulate_strides(*once, np.array([-5, -3]), 8)
    >>> found.depth, found.safe.tolist(), [cell >> 48 for cell in found.cells[:8].tolist()]
    (3, [-3, -3], [-3, -1, -1, 1, -1, 1, 1, 3])
    """
    states, ways = next_.shape
    widest = int(np.abs(money).max())
    if states >= 1 << _BITS or widest >= 1 << _BITS - 1:
        return ()
    deepest = max(
        depth
        for depth in range(1, LONGEST + 1)
        if depth == 1 or (states * ways**depth * 8 <= ROOM and widest * depth < 1 << _BITS - 1)
    )
    safe = low
    for _ in range(horizon):
        safe = np.maximum(low, safe[next_].max(axis=1))
    return tuple(_tabulated(next_, money, safe, depth) for depth in sorted({deepest, 1})[::-1])


def _tabulated(next_: Cells, money: Cells, safe: Ints, depth: int) -> Strides:
    states, ways = next_.shape
    once, coins = next_.astype(np.int64), money.astype(np.int64)
    onward, net, high, down = once, coins, coins, coins
    for _ in range(depth - 1):
        net = (net[:, :, None] + coins[onward]).reshape(states, -1)
        high = np.maximum(np.repeat(high, ways, axis=1), net)
        down = np.minimum(np.repeat(down, ways, axis=1), net)
        onward = once[onward].reshape(states, -1)
    mask = (1 << _BITS) - 1
    cells = ((net << _BITS | high & mask) << _BITS | down & mask) << _BITS | onward
    return Strides(cells=cells.ravel(), ways=ways**depth, depth=depth, safe=safe)
