"""Hand after hand, roll by roll: the chance that something is gathered in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from passline.machines.arrays import Floats
from passline.machines.hand import COME_OUT, ENDED, HandThrow

#: What a hand gathers: points that are made, or totals thrown before any seven.
Gathers = Literal["points-made", "totals-thrown"]
#: The state of a hand that gathers no more, since the seven was thrown.
_LOST = frozenset({-1})
#: A state of a hand, and what was gathered in it.
_Place = tuple[int, frozenset[int]]


def chances_by_roll(
    throws: Sequence[Sequence[HandThrow]],
    gathers: Gathers,
    needs: Sequence[int],
    least: int,
    rolls: int,
    against: int = 7,
) -> Floats:
    """By the number of rolls, 0 to ``rolls``: the chance that one of the hands so far gathered
    ``least`` of ``needs``. In doubles; a hand that ends is followed by the next.

    Points made count until the hand ends, totals until ``against`` is thrown.
    """
    numbers: dict[_Place, int] = {(COME_OUT, frozenset()): 0}
    waiting: list[_Place] = list(numbers)
    arcs: list[tuple[int, int, int]] = []
    done = 0
    while done < len(waiting):
        for place, weight in _onward(throws, waiting[done], gathers, frozenset(needs), against):
            if len(place[1] - _LOST) >= least:
                arcs.append((done, -1, weight))
                continue
            if place not in numbers:
                numbers[place] = len(waiting)
                waiting.append(place)
            arcs.append((done, numbers[place], weight))
        done += 1
    return _played(np.array(arcs, np.int64), len(waiting), sum(t.weight for t in throws[0]), rolls)


def _onward(
    throws: Sequence[Sequence[HandThrow]],
    place: _Place,
    gathers: Gathers,
    needs: frozenset[int],
    against: int,
) -> Iterator[tuple[_Place, int]]:
    state, gathered = place
    for throw in throws[state]:
        if throw.next == ENDED:
            yield (COME_OUT, frozenset()), throw.weight
            continue
        after = gathered
        if gathers == "points-made":
            after = gathered | ({throw.made} & needs)
        elif throw.total == against:
            after = _LOST
        elif gathered != _LOST:
            after = gathered | ({throw.total} & needs)
        yield (throw.next, after), throw.weight


def _played(arcs: np.ndarray, places: int, whole: int, rolls: int) -> Floats:
    """The chance of having come to where arcs to -1 lead, after each roll."""
    goes_on = arcs[arcs[:, 1] >= 0]
    source, target, weight = goes_on[:, 0], goes_on[:, 1], goes_on[:, 2] / whole
    there = arcs[arcs[:, 1] < 0]
    gain = np.bincount(there[:, 0], there[:, 2] / whole, places)
    here: Floats = np.zeros(places)
    here[0] = 1.0
    found: Floats = np.zeros(rolls + 1)
    for roll in range(rolls):
        found[roll + 1] = found[roll] + here @ gain
        here = np.bincount(target, here[source] * weight, places).astype(np.float64)
    return found
