"""The best chance of coming to a goal: dynamic programming over places and chips, in doubles.

A state is a place and a rung of chips in the rail. Without an end the chance is the least that
satisfies ``V = max over stands of the mean of V`` (never coming there is failing). It is climbed to
from nought, so what is found is never above it; sweeps over everything that may be done alternate
with sweeps over what was found best. A stand is only given up for one that is better by more than
rounding, so that the play that is found comes to its end and does not wait for ever between equals.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.machines.arrays import Floats, Ints
from passline.machines.compiling import compiled

#: By how much a stand must be better, of what it is worth, to be taken instead of another.
_BETTER = 1e-13
#: Sweeps over what was found best between two over everything, and sweeps in all.
_AGAIN, _MOST = 100, 20_000
#: Ways that the sweeps over everything go at most, all together: some seconds.
_WAYS = 5 * 10**9
#: What a sweep may still change where it is done: half a unit in the last place of a chance.
_STILL = 1.2e-16

Picks = NDArray[np.int32]


class Ladder(NamedTuple):
    """Places with rungs of chips, their stands and the stands' ways, as arrays.

    Place ``p`` has the rungs 0 to ``top[p]``, its values from ``row[p]`` on; from rung
    ``goal[p]`` up the goal is reached. Its stands are ``stand[p]`` to ``stand[p + 1]``, those that
    need the fewest rungs first; ``wait[p]`` is the one that leaves all as it is. A stand's ways
    ``way[s]`` to ``way[s + 1]`` lead to place ``to``, ``by`` rungs up, with a chance.
    """

    row: Ints
    top: Ints
    goal: Ints
    stand: Ints
    wait: Ints
    need: Ints
    way: Ints
    to: Ints
    by: Ints
    chance: Floats

    @property
    def states(self) -> int:
        """How many states there are."""
        return int((self.top + 1).sum())

    @property
    def work(self) -> int:
        """How many ways a sweep over everything goes."""
        rungs = np.repeat(self.top, np.diff(self.stand)) + 1 - self.need
        return int((np.maximum(rungs, 0) * np.diff(self.way)).sum())


@compiled()
def _sweep(ladder: Ladder, value: Floats, picks: Picks, better: float, whole: bool) -> float:
    """One sweep in place, over everything or over what is picked; the most that it changed."""
    row, top, goal, stand, _wait, need, way, to, by, chance = ladder
    most = 0.0
    for place in range(len(top)):
        for rung in range(top[place], -1, -1):
            here = row[place] + rung
            best, best_pick, picked = 0.0, -1, 0.0
            first, last = stand[place], stand[place + 1]
            if not whole:
                first = picks[here]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if need[s] > rung:
                    break
                total, stay = 0.0, 0.0
                for w in range(way[s], way[s + 1]):
                    then, at = to[w], rung + by[w]
                    if at >= goal[then]:
                        total += chance[w]
                    elif row[then] + at == here:
                        stay += chance[w]
                    else:
                        total += chance[w] * value[row[then] + at]
                if stay > 0.0:  # done again until the dice lead elsewhere
                    total = total / (1.0 - stay) if stay < 1.0 - 1e-12 else 0.0
                if total > best:
                    best, best_pick = total, s
                if s == picks[here]:
                    picked = total
            if best_pick >= 0 and best > picked * (1.0 + better):
                picks[here] = best_pick
            if best > value[here]:
                most = max(most, best - value[here])
                value[here] = best
    return most


@compiled()
def _back(ladder: Ladder, then_value: Floats, value: Floats, picks: Picks, better: float) -> None:
    """One roll earlier: the values with a roll more to go. Of equals the one that takes the least
    is picked, but for waiting."""
    row, top, goal, stand, wait, need, way, to, by, chance = ladder
    for place in range(len(top)):
        for rung in range(top[place], -1, -1):
            here = row[place] + rung
            best, pick = 0.0, -1
            for s in range(stand[place], stand[place + 1]):
                if need[s] > rung:
                    break
                total = 0.0
                for w in range(way[s], way[s + 1]):
                    then, at = to[w], rung + by[w]
                    if at >= goal[then]:
                        total += chance[w]
                    else:
                        total += chance[w] * then_value[row[then] + at]
                waits = pick == wait[place] and total > 0.0
                if pick < 0 or total > best * (1.0 + better) or (waits and total >= best):
                    pick = s
                best = max(best, total)
            value[here] = best
            picks[here] = pick


@compiled()
def _follow(ladder: Ladder, then_value: Floats, value: Floats, picks: Picks) -> None:
    """One roll earlier, of what is picked."""
    row, top, goal, _stand, _wait, _need, way, to, by, chance = ladder
    for place in range(len(top)):
        for rung in range(top[place] + 1):
            s = picks[row[place] + rung]
            if s < 0:
                continue
            total = 0.0
            for w in range(way[s], way[s + 1]):
                then, at = to[w], rung + by[w]
                won = at >= goal[then]
                total += chance[w] * (1.0 if won else then_value[row[then] + at])
            value[row[place] + rung] = total


class Climbed(NamedTuple):
    """The best chance in every state without an end, and the stand that gives it (-1: none does).

    ``values`` are what the picked play is worth: never above the best. How far below it they may be
    ``ceiling`` tells.
    """

    values: Floats
    picks: Picks


def climb(ladder: Ladder, watch: Callable[[int], None] | None = None) -> Climbed:
    """Climb to the best chances from nought, and once more with the picked play alone."""
    value = np.zeros(ladder.states)
    picks: Picks = np.full(ladder.states, -1, np.int32)
    most, done = max(3, _WAYS // max(ladder.work, 1)), 0
    while done < min(most, _MOST):
        change = _sweep(ladder, value, picks, _BETTER, True)
        done += 1
        if watch is not None:
            watch(done)
        if change <= _STILL:
            break
        for _ in range(_AGAIN):
            if _sweep(ladder, value, picks, _BETTER, False) <= _STILL:
                break
    return Climbed(worth_of(ladder, picks), picks)


def worth_of(ladder: Ladder, picks: Picks) -> Floats:
    """What a play is worth in every state, without an end: climbed to from nought."""
    value, kept = np.zeros(ladder.states), picks.copy()
    for _ in range(_MOST):
        if _sweep(ladder, value, kept, _BETTER, False) <= _STILL:
            break
    return value


def worth_within(ladder: Ladder, picks: Picks, rolls: int) -> Floats:
    """What a play is worth in every state with so many rolls to go, the same whatever is left."""
    value = np.zeros(ladder.states)
    for _ in range(rolls):
        then = np.zeros(ladder.states)
        _follow(ladder, value, then, picks)
        if float(np.abs(then - value).max()) <= _STILL:
            break
        value = then
    return value


def roll_back(
    ladder: Ladder, rolls: int, watch: Callable[[int], None] | None = None
) -> tuple[Floats, list[Picks]]:
    """The best chance in every state with so many rolls to go, and the stands to pick with 1, 2,
    ... ``rolls`` to go."""
    value = np.zeros(ladder.states)
    plays: list[Picks] = []
    for done in range(rolls):
        before, picks = value, np.empty(ladder.states, np.int32)
        value = np.empty(ladder.states)
        _back(ladder, before, value, picks, _BETTER)
        plays.append(picks)
        if watch is not None:
            watch(done)
    return value, plays
