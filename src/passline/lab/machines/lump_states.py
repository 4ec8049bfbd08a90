"""Merge the states of a machine that behave the same, by partition refinement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.arrays import Int32Array, IntArray
from passline.lab.machines.chain import Chain, merge_ways


def lump_states(
    next_: Int32Array,
    money: Int32Array | IntArray,
    need: IntArray,
    apart: Sequence[int] = (),
    dice: Dice = FAIR,
) -> Chain:
    """Return the smallest chain that behaves like these arrays of a completely explored machine.

    ``next_[state, outcome]`` is the next state, ``money[state, outcome]`` the change of money and
    ``need[state]`` the least worth that covers the bets, both in cents. States with different
    numbers in ``apart`` are never merged.

    >>> still = np.zeros((2, 36), np.int32)
    >>> len(lump_states(still + 1, still, np.zeros(2, np.int64)))
    1
    """
    return lump_with_reduced_bets(
        next_, money, need, apart, dice, np.zeros((len(need), 0), np.int32)
    )[0]


def lump_with_reduced_bets(
    next_: Int32Array,
    money: Int32Array | IntArray,
    need: IntArray,
    apart: Sequence[int],
    dice: Dice,
    reduced: Int32Array,
) -> tuple[Chain, Int32Array]:
    """Merge equivalent states, as ``lump_states`` does, where players short of chips bet less.

    ``reduced[state, k]`` is the state for a player whose worth, the k-th possible one, does not
    cover the state's bets; -1 if there is none. Return (chain, the same array for the chain's
    states). States are merged only if their reduced states are. The other arguments are those of
    ``lump_states``.
    """
    labels = np.array(apart or [0] * len(need), np.int64)
    kinds = _number_rows(np.stack([need, labels], axis=1))
    prices = np.unique(money, return_inverse=True)[1].reshape(money.shape).astype(np.int64)
    count, span = int(kinds.max()) + 1, int(prices.max()) + 1
    while True:
        sorted_ways = _normalize_rows(kinds[next_] * span + prices, dice)
        reduced_kinds = np.where(reduced < 0, -1, kinds[reduced])
        kinds = _number_rows(np.hstack([kinds.reshape(-1, 1), sorted_ways, reduced_kinds]))
        found = int(kinds.max()) + 1
        if found == count:
            break
        count = found
    first = {int(kind): state for state, kind in reversed(list(enumerate(kinds)))}
    rows = [first[kind] for kind in range(count)]
    ways = (zip(kinds[next_[row]].tolist(), money[row].tolist(), strict=True) for row in rows)
    chain = Chain(
        arcs=tuple(merge_ways(each, dice) for each in ways),
        need=tuple(int(need[row]) for row in rows),
        start=int(kinds[0]),
        kinds=tuple(int(labels[row]) for row in rows) if apart else (),
        whole=dice.whole,
    )
    return chain, np.where(reduced[rows] < 0, -1, kinds[reduced[rows]]).astype(np.int32)


def _normalize_rows(ways: IntArray, dice: Dice) -> IntArray:
    """Sort the entries of each row, so that rows with the same transitions and chances are equal.

    ``ways[state, outcome]`` is a number that stands for a transition.
    """
    if dice.fair:
        return np.sort(ways, axis=1)
    order = np.argsort(ways, axis=1, kind="stable")
    ways = np.take_along_axis(ways, order, axis=1)
    summed = np.cumsum(np.array(dice.weights, np.int64)[order], axis=1)
    last = np.ones(ways.shape, bool)  # the last of the outcomes with the same transition
    last[:, :-1] = ways[:, 1:] != ways[:, :-1]
    ways, summed = np.where(last, ways, -1), np.where(last, summed, 0)
    order = np.argsort(~last, axis=1, kind="stable")
    return np.hstack([np.take_along_axis(array, order, axis=1) for array in (ways, summed)])


def _number_rows(rows: IntArray) -> IntArray:
    """Return the rank, from 0, of each row among the distinct rows in ascending order."""
    # The bytes of unsigned numbers, highest first, are sorted like the rows, and much faster.
    keys = (rows.astype(np.int64).view(np.uint64) ^ np.uint64(1 << 63)).astype(">u8")
    whole_rows = keys.view(f"V{keys.itemsize * keys.shape[1]}").reshape(-1)
    return np.unique(whole_rows, return_inverse=True)[1].astype(np.int64)
