"""Hand after hand, roll by roll: the chance that something is gathered in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from passline.lab.machines.arrays import FloatArray
from passline.lab.machines.walks import COME_OUT, HAND_ENDED, HandThrow

#: What a hand gathers: points that are made, or totals thrown before any seven.
CollectKind = Literal["points-made", "totals-thrown"]
#: The state of a hand that gathers no more, since the seven was thrown.
_SEVENED_OUT = frozenset({-1})
#: A state of a hand, and what was gathered in it.
_HandState = tuple[int, frozenset[int]]


def find_chances_by_roll(
    throws: Sequence[Sequence[HandThrow]],
    gathers: CollectKind,
    needs: Sequence[int],
    least: int,
    rolls: int,
    against: int = 7,
) -> FloatArray:
    """By the number of rolls, 0 to ``rolls``: the chance that one of the hands so far gathered
    ``least`` of ``needs``. In doubles; a hand that ends is followed by the next.

    Points made count until the hand ends, totals until ``against`` is thrown.
    """
    numbers: dict[_HandState, int] = {(COME_OUT, frozenset()): 0}
    waiting: list[_HandState] = list(numbers)
    arcs: list[tuple[int, int, int]] = []
    done = 0
    while done < len(waiting):
        for place, weight in _list_next_states(
            throws, waiting[done], gathers, frozenset(needs), against
        ):
            if len(place[1] - _SEVENED_OUT) >= least:
                arcs.append((done, -1, weight))
                continue
            if place not in numbers:
                numbers[place] = len(waiting)
                waiting.append(place)
            arcs.append((done, numbers[place], weight))
        done += 1
    return _accumulate_chances(
        np.array(arcs, np.int64), len(waiting), sum(t.weight for t in throws[0]), rolls
    )


def _list_next_states(
    throws: Sequence[Sequence[HandThrow]],
    place: _HandState,
    gathers: CollectKind,
    needs: frozenset[int],
    against: int,
) -> Iterator[tuple[_HandState, int]]:
    state, gathered = place
    for throw in throws[state]:
        if throw.next == HAND_ENDED:
            yield (COME_OUT, frozenset()), throw.weight
            continue
        after = gathered
        if gathers == "points-made":
            after = gathered | ({throw.made} & needs)
        elif throw.total == against:
            after = _SEVENED_OUT
        elif gathered != _SEVENED_OUT:
            after = gathered | ({throw.total} & needs)
        yield (throw.next, after), throw.weight


def _accumulate_chances(arcs: np.ndarray, places: int, whole: int, rolls: int) -> FloatArray:
    """The chance of having come to where arcs to -1 lead, after each roll."""
    goes_on = arcs[arcs[:, 1] >= 0]
    source, target, weight = goes_on[:, 0], goes_on[:, 1], goes_on[:, 2] / whole
    there = arcs[arcs[:, 1] < 0]
    gain = np.bincount(there[:, 0], there[:, 2] / whole, places)
    here: FloatArray = np.zeros(places)
    here[0] = 1.0
    found: FloatArray = np.zeros(rolls + 1)
    for roll in range(rolls):
        found[roll + 1] = found[roll] + here @ gain
        here = np.bincount(target, here[source] * weight, places).astype(np.float64)
    return found
