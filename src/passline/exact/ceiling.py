"""What no play can be above: a ceiling over the best chances, proved afterwards.

Anything that is nowhere below its mean after a stand is nowhere below the best chance (which is the
least such thing). What a play is worth, V, is that but for rounding and for what was not climbed;
so a little is added to it: V + e U, where U tells how many throws somebody can play at most, on
average, before it is over. U falls by one with each throw that is played for, so e need be no
larger than the most by which a stand is above V. Waiting with nothing at stake has no end and
costs nothing; places between which one waits so count as one.

Every function and number of the loops stands in this file, as in ``reach``.
"""

from __future__ import annotations

import numpy as np

from passline.exact.reach import Ladder
from passline.machines.arrays import Floats, Ints
from passline.machines.compiling import compiled

#: Sweeps over what was found longest between two over everything, and the ways all sweeps go.
_AGAIN, _WAYS = 200, 4 * 10**9
#: What U must fall by with a throw, of the one that it is meant to.
_FALLS = 0.5


@compiled()
def _lengthen(ladder: Ladder, idle: Ints, many: Floats, picks: Ints, whole: bool) -> float:
    """One sweep over U in place, over every stand or those picked; the most that it changed."""
    row, top, goal, stand, wait, need, way, to, by, chance = ladder
    most = 0.0
    for place in range(len(top)):
        home = idle[place]
        for rung in range(top[place] + 1):
            here = row[home] + rung if home >= 0 else row[place] + rung
            first, last = stand[place], stand[place + 1]
            if not whole:
                first = picks[row[place] + rung]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if need[s] > rung:
                    break
                if home >= 0 and s == wait[place]:
                    continue
                total, stay = 1.0, 0.0
                for w in range(way[s], way[s + 1]):
                    then, at = to[w], rung + by[w]
                    if at >= goal[then]:
                        continue
                    if idle[then] >= 0:
                        then = idle[then]
                    if row[then] + at == here:
                        stay += chance[w]
                    else:
                        total += chance[w] * many[row[then] + at]
                total = total / (1.0 - stay) if stay < 1.0 - 1e-12 else np.inf
                if total > many[here]:
                    most = max(most, total - many[here])
                    many[here] = total
                    picks[row[place] + rung] = s
    return most


@compiled()
def _above(ladder: Ladder, idle: Ints, value: Floats, many: Floats) -> tuple[float, float]:
    """The most by which a stand is above V, and the least by which U falls with one."""
    row, top, goal, stand, wait, need, way, to, by, chance = ladder
    above, falls = 0.0, np.inf
    for place in range(len(top)):
        home = idle[place]
        for rung in range(top[place] + 1):
            here = row[home] + rung if home >= 0 else row[place] + rung
            for s in range(stand[place], stand[place + 1]):
                if need[s] > rung:
                    break
                if home >= 0 and s == wait[place]:
                    continue
                total, throws = 0.0, 0.0
                for w in range(way[s], way[s + 1]):
                    then, at = to[w], rung + by[w]
                    if at >= goal[then]:
                        total += chance[w]
                        continue
                    if idle[then] >= 0:
                        then = idle[then]
                    total += chance[w] * value[row[then] + at]
                    throws += chance[w] * many[row[then] + at]
                above = max(above, total - value[here])
                falls = min(falls, many[here] - throws)
    return above, falls


def ceiling_over(ladder: Ladder, values: Floats, place: int, rung: int) -> float | None:
    """What no play without an end can be above in a state, whatever it does; ``values`` is what
    one play is worth. None where that was not found in some seconds."""
    idle = idle_places(ladder)
    value = values.copy()
    for home in np.unique(idle[idle >= 0]):
        places = np.flatnonzero(idle == home)
        if len(set(ladder.top[places].tolist())) > 1:
            return None
        rungs = np.arange(ladder.top[home] + 1)
        value[ladder.row[home] + rungs] = np.max(
            [values[ladder.row[p] + rungs] for p in places], axis=0
        )
    many, picks = np.zeros(ladder.states), np.full(ladder.states, -1, np.int64)
    left = float(_WAYS)
    while left > 0:
        change = _lengthen(ladder, idle, many, picks, True)
        left -= ladder.work
        if not np.isfinite(change):
            return None
        if change < 1 - _FALLS:
            break
        for _ in range(_AGAIN):
            if _lengthen(ladder, idle, many, picks, False) < (1 - _FALLS) / 2:
                break
            left -= ladder.states
    above, falls = _above(ladder, idle, value, many)
    if falls <= 0:
        return None
    # Sums of so many doubles are right to within this.
    rounding = (int(np.diff(ladder.way).max(initial=0)) + 4) * 2.0**-52
    home = int(idle[place]) if idle[place] >= 0 else place
    here = int(ladder.row[home]) + rung
    return min(1.0, float(value[here] + (above + rounding) / falls * many[here]))


def idle_places(ladder: Ladder) -> Ints:
    """For each place between which one may wait with nothing at stake, the first of them; else -1.

    >>> one = np.array([0])
    >>> waits = Ladder(
    ...     row=one, top=one + 3, goal=one + 4, stand=np.array([0, 1]), wait=one, need=one,
    ...     way=np.array([0, 1]), to=one, by=one, chance=np.array([1.0]),
    ... )
    >>> idle_places(waits).tolist()
    [0]
    """
    count = len(ladder.top)
    idle = np.ones(count, bool)
    onward: list[Ints] = []
    for place, stand in enumerate(ladder.wait.tolist()):
        ways = slice(int(ladder.way[stand]), int(ladder.way[stand + 1])) if stand >= 0 else slice(0)
        onward.append(ladder.to[ways])
        idle[place] = stand >= 0 and not ladder.need[stand] and not ladder.by[ways].any()
    changed = True
    while changed:
        keep = np.array([idle[p] and bool(idle[onward[p]].all()) for p in range(count)])
        changed, idle = bool((keep != idle).any()), keep
    first = int(np.argmax(idle)) if idle.any() else -1
    return np.where(idle, first, -1).astype(np.int64)
