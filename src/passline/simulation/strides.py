"""Several rolls of a session at once, wherever none of them can end it.

From a state, some rolls lead to a few hundred moves: the next state, the money, the highest and the
lowest that it was on the way; each with a whole number of chances. Walker's method puts them into
columns of equal chance, two to a column: the top bits of half a draw choose the column, the rest
which of the two, and where those bits cannot tell, which is seldom, a further draw does, so that no
chance is rounded. A move that may have ended the session is one of several ways to fall: one of
them is drawn, by what it weighs among them, and gone through roll by roll.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.machines.arrays import Cells, Ints, Words

#: Bytes that a table of strides may take, so that it stays in a core's nearest caches; and the ways
#: to fall that are gone through to make it.
ROOM, MOST_WAYS = 2**17, 2**15
#: Rolls of a stride, of which one is always had, and what a move holds of each of its four numbers.
DEPTHS, _BITS = (1, 2, 4), 16


class Strides(NamedTuple):
    """``depth`` rolls a draw: ``cells[state << column_bits | column]``, and a move or way likewise.

    A cell holds the cut (in its upper half) and the two slots of its column, the first in the
    lowest bits: below the cut the first is meant, above it the second, and at it the first where
    one of ``whole`` chances is below the rest (``rests``). ``moves[state << column_bits | slot]``
    holds, from the top and 16 bits each, the money of those rolls, the highest and the lowest that
    it was on the way, the beginning counted, and the next state. Whose worth is never under
    ``safe[state]`` on the way, and never at the goal, is not ended by it; nor who was not under the
    move's own of ``bounds``.

    The ways of a move are those from its ``first`` up to the next one's. ``sums`` is what all up to
    each weigh, and ``throws`` has ``depth`` outcomes for each.
    """

    depth: int
    column_bits: int
    whole: int
    cells: Words
    rests: Ints
    moves: Ints
    safe: Ints
    bounds: Ints
    first: Ints
    sums: Ints
    throws: Ints


class _Ways(NamedTuple):
    """Every way to fall: from where, to where, what it weighs and brings, the worth under which it
    ends a session on the way, and its outcomes."""

    start: Ints
    state: Ints
    weight: Ints
    net: Ints
    high: Ints
    low: Ints
    bound: Ints
    throws: Ints


def tabulate_strides(next_: Cells, money: Cells, low: Ints) -> tuple[Strides, ...]:
    """Strides of 4 and 2 rolls, if they stay within ROOM, and of one; none where a closed machine's
    numbers do not fit.

    ``low[state]`` is the worth, in the units of ``money``, under which a session ends.

    >>> once = np.array([[1, 0]]) * np.ones((2, 1), int), np.array([[-1, 1]]) * np.ones((2, 1), int)
    >>> found = tabulate_strides(*once, np.array([-5, -3]))
    >>> [each.depth for each in found], found[-1].safe.tolist()
    ([4, 2, 1], [-3, -3])
    >>> [move >> 48 for move in found[1].moves[:4].tolist()]
    [-2, 0, 0, 2]
    """
    states, outcomes = next_.shape
    if states >= 1 << _BITS or int(np.abs(money).max()) >= 1 << _BITS - 1:
        return ()
    arcs, ways, safe = _arcs(next_, money), _begin(low), low
    found: list[Strides] = []
    for depth in range(1, max(DEPTHS) + 1):
        if depth > 1 and int(np.diff(arcs[0])[ways.state].sum()) > MOST_WAYS:
            break
        ways = _go_on(ways, arcs, low)
        safe = np.maximum(low, safe[next_].max(axis=1))
        if depth in DEPTHS:
            made = _tabulated(ways, safe, depth, outcomes**depth)
            if made is None:
                break
            found.append(made)
    return tuple(found[::-1])


def _arcs(next_: Cells, money: Cells) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Outcomes that do the same in a state: where its arcs begin, and of each where it leads, its
    money, how many they are and the first of them."""
    states, outcomes = next_.shape
    rows = np.repeat(np.arange(states), outcomes)
    keys = np.stack([rows, next_.ravel(), money.ravel()], axis=1).astype(np.int64)
    kinds, at, many = np.unique(keys, axis=0, return_index=True, return_counts=True)
    first = np.searchsorted(kinds[:, 0], np.arange(states + 1))
    return first, kinds[:, 1], kinds[:, 2], many.astype(np.int64), at % outcomes


def _begin(low: Ints) -> _Ways:
    here, none = np.arange(len(low)), np.zeros(len(low), np.int64)
    return _Ways(
        start=here,
        state=here,
        weight=none + 1,
        net=none,
        high=none,
        low=none,
        bound=low,
        throws=np.zeros((len(low), 0), np.int64),
    )


def _go_on(ways: _Ways, arcs: tuple[Ints, ...], low: Ints) -> _Ways:
    """One roll more."""
    first, next_, money, many, outcome = arcs
    wide = np.diff(first)[ways.state]
    old = np.repeat(np.arange(len(wide)), wide)
    arc = np.arange(len(old)) - np.repeat(wide.cumsum() - wide, wide) + first[ways.state[old]]
    net, state = ways.net[old] + money[arc], next_[arc]
    return _Ways(
        start=ways.start[old],
        state=state,
        weight=ways.weight[old] * many[arc],
        net=net,
        high=np.maximum(ways.high[old], net),
        low=np.minimum(ways.low[old], net),
        bound=np.maximum(ways.bound[old], low[state] - net),
        throws=np.hstack([ways.throws[old], outcome[arc, None]]),
    )


def _tabulated(ways: _Ways, safe: Ints, depth: int, whole: int) -> Strides | None:
    """The table, or None where it takes too much room (single rolls may) or its numbers too many
    bits."""
    if max(int(ways.high.max()), -int(ways.low.min())) >= 1 << _BITS - 1:
        return None
    mask, states = (1 << _BITS) - 1, len(safe)
    packed = ((ways.net << _BITS | ways.high) << _BITS | ways.low & mask) << _BITS | ways.state
    order = np.lexsort((packed, ways.start))
    packed, start = packed[order], ways.start[order]
    new = np.append(True, (np.diff(packed) != 0) | (np.diff(start) != 0))
    begin = np.flatnonzero(new)  # of the ways of each move
    many = np.bincount(start[begin], minlength=states)
    bits = max(int(many.max() - 1).bit_length(), 1)
    if (depth > 1 and (states << bits) * 16 > ROOM) or whole.bit_length() + 32 - bits > 62:
        return None
    before = many.cumsum() - many
    at = (start[begin] << bits) + np.arange(len(begin)) - before[start[begin]]
    first = np.zeros((states << bits) + 1, np.int64)
    first[at + 1] = np.append(begin[1:], len(order))
    moves, bounds = np.zeros((2, states << bits), np.int64)
    moves[at], bounds[at] = packed[begin], np.maximum.reduceat(ways.bound[order], begin)
    weights = ways.weight[order]
    cells, rests = _columns(np.add.reduceat(weights, begin), before, whole, bits)
    return Strides(
        depth=depth,
        column_bits=bits,
        whole=whole,
        cells=cells,
        rests=rests,
        moves=moves,
        safe=safe,
        bounds=bounds,
        first=np.maximum.accumulate(first),
        sums=weights.cumsum(),
        throws=ways.throws[order].ravel(),
    )


def _columns(weights: Ints, before: Ints, whole: int, bits: int) -> tuple[Words, Ints]:
    """The cells of every state's columns, and their rests."""
    from passline.simulation.session_loops import share_out

    columns = np.zeros((3, len(before) << bits), np.int64)
    for state, own in enumerate(np.split(weights, before[1:])):
        share_out(own, whole, *columns[:, state << bits : state + 1 << bits])
    shares, owns, others = columns
    cuts, rests = np.divmod(shares << 32 - bits, whole)
    return (cuts << 32 | others << 16 | owns).astype(np.uint64), rests
