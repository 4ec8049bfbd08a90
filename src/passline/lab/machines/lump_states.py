"""Lumping: of states that nothing tells apart, one is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.chain import Arc, Chain


def lump_states(
    next_: NDArray[np.int32],
    money: NDArray[np.int32] | NDArray[np.int64],
    need: NDArray[np.int64],
    apart: Sequence[int] = (),
    dice: Dice = FAIR,
) -> Chain:
    """The smallest chain that behaves like these arrays of a closed machine.

    ``apart`` tells states apart besides: only those with the same number are made one.

    >>> still = np.zeros((2, 36), np.int32)
    >>> len(lump_states(still + 1, still, np.zeros(2, np.int64)))
    1
    """
    return lump_with_reduced_bets(
        next_, money, need, apart, dice, np.zeros((len(need), 0), np.int32)
    )[0]


def lump_with_reduced_bets(
    next_: NDArray[np.int32],
    money: NDArray[np.int32] | NDArray[np.int64],
    need: NDArray[np.int64],
    apart: Sequence[int],
    dice: Dice,
    aside: NDArray[np.int32],
) -> tuple[Chain, NDArray[np.int32]]:
    """The same of states that lead elsewhere besides, where their worth does not cover them: by
    worth, one place after the other (-1: nowhere). With it, these ways of the states that are kept.
    """
    kept = np.array(apart or [0] * len(need), np.int64)
    kinds = _number_rows(np.stack([need, kept], axis=1))
    prices = np.unique(money, return_inverse=True)[1].reshape(money.shape).astype(np.int64)
    count, span = int(kinds.max()) + 1, int(prices.max()) + 1
    while True:
        ways = _normalize_rows(kinds[next_] * span + prices, dice)
        beside = np.where(aside < 0, -1, kinds[aside])
        kinds = _number_rows(np.hstack([kinds.reshape(-1, 1), ways, beside]))
        found = int(kinds.max()) + 1
        if found == count:
            break
        count = found
    first = {int(kind): state for state, kind in reversed(list(enumerate(kinds)))}
    arcs = []
    for kind in range(count):
        row = first[kind]
        ways_on: Counter[tuple[int, int]] = Counter()
        for n, m, weight in zip(next_[row], money[row], dice.weights, strict=True):
            ways_on[int(kinds[n]), int(m)] += weight
        arcs.append(tuple(Arc(n, m, weight) for (n, m), weight in sorted(ways_on.items())))
    rows = [first[kind] for kind in range(count)]
    chain = Chain(
        arcs=tuple(arcs),
        need=tuple(int(need[first[kind]]) for kind in range(count)),
        start=int(kinds[0]),
        kinds=tuple(int(kept[first[kind]]) for kind in range(count)) if apart else (),
        whole=dice.whole,
    )
    return chain, np.where(aside[rows] < 0, -1, kinds[aside[rows]]).astype(np.int32)


def _normalize_rows(ways: NDArray[np.int64], dice: Dice) -> NDArray[np.int64]:
    """Rows that are the same where the same ways on have the same chances."""
    if dice.fair:
        return np.sort(ways, axis=1)
    order = np.argsort(ways, axis=1, kind="stable")
    ways = np.take_along_axis(ways, order, axis=1)
    summed = np.cumsum(np.array(dice.weights, np.int64)[order], axis=1)
    last = np.ones(ways.shape, bool)  # of the outcomes that go the same way
    last[:, :-1] = ways[:, 1:] != ways[:, :-1]
    ways, summed = np.where(last, ways, -1), np.where(last, summed, 0)
    order = np.argsort(~last, axis=1, kind="stable")
    return np.hstack([np.take_along_axis(each, order, axis=1) for each in (ways, summed)])


def _number_rows(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each distinct row."""
    found: NDArray[np.int64] = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    return found.astype(np.int64)
