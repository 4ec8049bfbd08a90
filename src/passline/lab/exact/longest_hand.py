"""Many hands in a row: the longest hand, and the chance that a wager wins in one of them.

The wagers are those that collect points or totals over a hand. All chances are in doubles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.hand_chain import (
    COLLECTED,
    COME_OUT,
    HAND_ENDED,
    CollectBranch,
    HandThrow,
)

#: What a hand collects: points made, or totals rolled before any seven.
CollectKind = Literal["points-made", "totals-thrown"]
#: Marks a hand that collects no more totals because a seven was rolled.
_SEVENED_OUT = frozenset({-1})
#: A state of a hand, and what it has collected.
_HandState = tuple[int, frozenset[int]]


def find_chances_by_roll(
    throws: Sequence[Sequence[HandThrow]],
    collects: CollectKind,
    needs: Sequence[int],
    least: int,
    rolls: int,
    against: int = 7,
) -> FloatArray:
    """Return, for 0 to ``rolls`` rolls, the chance that some hand collected ``least`` of ``needs``.

    ``needs`` are points or totals, as ``collects`` says. Points count until the hand ends; totals
    count until ``against`` is rolled. ``throws[state]`` lists what can be rolled in a state of a
    hand. When a hand ends, the next begins.
    """
    numbers: dict[_HandState, int] = {(COME_OUT, frozenset()): 0}
    states: list[_HandState] = list(numbers)
    arcs: list[tuple[int, int, int]] = []
    for number, state in enumerate(states):  # The list grows meanwhile.
        for after, weight in _list_next_states(throws, state, collects, frozenset(needs), against):
            to = -1
            if len(after[1] - _SEVENED_OUT) < least:
                to = numbers.setdefault(after, len(states))
                if to == len(states):
                    states.append(after)
            arcs.append((number, to, weight))
    return _accumulate_chances(
        np.array(arcs, np.int64), len(states), sum(t.weight for t in throws[0]), rolls
    )


def find_tally_chances_by_roll(
    branches: Sequence[CollectBranch], whole: int, rolls: int
) -> FloatArray:
    """Return, for 0 to ``rolls`` rolls, the chance that a wager collected enough in some hand.

    ``branches`` are the transitions of a hand from ``walk_collecting``, with weights in parts of
    ``whole``. When a hand ends, the next begins.
    """
    ends = {COLLECTED: -1, HAND_ENDED: 0}
    arcs = [(one.state, ends.get(one.next, one.next), one.weight) for one in branches]
    places = 1 + max(one.state for one in branches)
    return _accumulate_chances(np.array(arcs, np.int64), places, whole, rolls)


def _list_next_states(
    throws: Sequence[Sequence[HandThrow]],
    state_and_set: _HandState,
    collects: CollectKind,
    needs: frozenset[int],
    against: int,
) -> Iterator[tuple[_HandState, int]]:
    hand_state, collected = state_and_set
    for throw in throws[hand_state]:
        if throw.next == HAND_ENDED:
            yield (COME_OUT, frozenset()), throw.weight
            continue
        after = collected
        if collects == "points-made":
            after = collected | ({throw.made} & needs)
        elif throw.total == against:
            after = _SEVENED_OUT
        elif collected != _SEVENED_OUT:
            after = collected | ({throw.total} & needs)
        yield (throw.next, after), throw.weight


def _accumulate_chances(arcs: np.ndarray, places: int, whole: int, rolls: int) -> FloatArray:
    """Return, for 0 to ``rolls`` rolls, the probability that an arc to -1 (success) was taken.

    An arc is a transition: (state, next state, weight). The weights of a state add up to ``whole``.
    Play starts in state 0, and ``places`` is the number of states.
    """
    goes_on = arcs[arcs[:, 1] >= 0]
    source, target, weight = goes_on[:, 0], goes_on[:, 1], goes_on[:, 2] / whole
    hits = arcs[arcs[:, 1] < 0]
    gain = np.bincount(hits[:, 0], hits[:, 2] / whole, places)
    here: FloatArray = np.zeros(places)
    here[0] = 1.0
    found: FloatArray = np.zeros(rolls + 1)
    for roll in range(rolls):
        found[roll + 1] = found[roll] + here @ gain
        here = np.bincount(target, here[source] * weight, places).astype(np.float64)
    return found


def find_longest_hand(survivals: Sequence[float], rolls: int) -> FloatArray:
    """Return the chances that the longest hand within ``rolls`` rolls has at least 1, 2, ... rolls.

    ``survivals[k]`` is the chance that a hand lasts at least k + 1 rolls. The first roll begins a
    hand, and the last hand counts with the rolls it had. The result has one entry fewer than
    ``survivals``.

    Let A(m) be the chance that all hands within m rolls have fewer than n, and f(k) the chance that
    a hand ends after k rolls. The first hand ends after some k < n rolls and leaves m - k rolls, or
    for m < n it is not over yet. So A(m) is the sum of f(k) A(m - k), plus that chance.

    >>> find_longest_hand([1.0, 0.5, 0.25], 2).tolist()  # Hands that end with a coin's tails.
    [1.0, 0.5]
    """
    lasts = np.asarray(survivals, np.float64)
    ends = lasts[:-1] - lasts[1:]  # The chance that a hand ends after 1, 2, ... rolls.
    most = len(ends)
    # Row n - 1 is for hands of fewer than n rolls; column k - 1 for a first hand of k rolls.
    first = np.where(np.arange(most) < np.arange(most)[:, None], ends, 0.0)
    recent: FloatArray = np.zeros((most, most))  # A(m - 1), A(m - 2), ... by column
    shorter: FloatArray = np.ones(most)
    for roll in range(1, rolls + 1):
        recent = np.roll(recent, 1, axis=1)
        recent[:, 0] = shorter
        shorter = (first * recent).sum(axis=1)
        if roll < most:
            shorter[roll:] += lasts[roll]
    return 1.0 - shorter


def count_rolls_for_hands(throws: Sequence[Sequence[HandThrow]], hands: int, left: float) -> int:
    """Return after how many rolls ``hands`` hands are over, except with probability ``left``.

    ``throws[state]`` lists what can be rolled in a state of a hand. When a hand ends, the next
    begins.
    """
    states, whole = len(throws), sum(throw.weight for throw in throws[COME_OUT])
    onward: FloatArray = np.zeros((states, states))
    ends: FloatArray = np.zeros(states)
    for state, ways in enumerate(throws):
        for throw in ways:
            if throw.next == HAND_ENDED:
                ends[state] += throw.weight / whole
            else:
                onward[state, throw.next] += throw.weight / whole
    here: FloatArray = np.zeros((hands, states))
    here[0, COME_OUT] = 1.0
    rolls = 0
    while here.sum() > left:
        over = here @ ends
        here = here @ onward
        here[1:, COME_OUT] += over[:-1]
        rolls += 1
    return rolls
