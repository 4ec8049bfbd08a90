"""The best chance of coming to a goal: dynamic programming over places and chips, in doubles.

A state is a place and a rung of chips in the rail. Without an end the chance is the least that
satisfies ``V = max over stands of the mean of V`` (never coming there is failing). It is climbed to
from nought, so what is found is never above it; sweeps over everything that may be done alternate
with sweeps over what was found best. A stand is only given up for one that is better by more than
rounding, so that the play that is found comes to its end and does not wait for ever between equals.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.

What no play can be above: a ceiling over the best chances, proved afterwards.

Anything that is nowhere below its mean after a stand is nowhere below the best chance (which is the
least such thing). What a play is worth, V, is that but for rounding and for what was not climbed;
so a little is added to it: V + e U, where U tells how many throws somebody can play at most, on
average, before it is over. U falls by one with each throw that is played for, so e need be no
larger than the most by which a stand is above V. Waiting with nothing at stake has no end and
costs nothing; places between which one waits so count as one.

Every function and number of the loops stands in this file, as in ``reach``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop

#: By how much a stand must be better, of what it is worth, to be taken instead of another.
_MIN_IMPROVEMENT = 1e-13
#: Sweeps over what was found best between two over everything, and sweeps in all.
_POLICY_SWEEPS, _MAX_SWEEPS = 100, 20_000
#: Ways that the sweeps over everything go at most, all together: some seconds.
_MAX_SWEEP_WORK = 5 * 10**9
#: What a sweep may still change where it is done: half a unit in the last place of a chance.
_CONVERGED_CHANGE = 1.2e-16

PolicyArray = NDArray[np.int32]


class GoalProblem(NamedTuple):
    """Places with rungs of chips, their stands and the stands' ways, as arrays.

    Place ``p`` has the rungs 0 to ``top[p]``, its values from ``row[p]`` on; from rung
    ``goal[p]`` up the goal is reached. Its stands are ``stand[p]`` to ``stand[p + 1]``, those that
    need the fewest rungs first; ``wait[p]`` is the one that leaves all as it is. A stand's ways
    ``way[s]`` to ``way[s + 1]`` lead to place ``to``, ``by`` rungs up, with a chance.
    """

    row: IntArray
    top: IntArray
    goal: IntArray
    stand: IntArray
    wait: IntArray
    need: IntArray
    way: IntArray
    to: IntArray
    by: IntArray
    chance: FloatArray

    @property
    def states(self) -> int:
        """How many states there are."""
        return int((self.top + 1).sum())

    @property
    def work(self) -> int:
        """How many ways a sweep over everything goes."""
        rungs = np.repeat(self.top, np.diff(self.stand)) + 1 - self.need
        return int((np.maximum(rungs, 0) * np.diff(self.way)).sum())


@compile_loop()
def _sweep_values(
    ladder: GoalProblem, value: FloatArray, picks: PolicyArray, better: float, whole: bool
) -> float:
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


@compile_loop()
def _step_back(
    ladder: GoalProblem,
    then_value: FloatArray,
    value: FloatArray,
    picks: PolicyArray,
    better: float,
) -> None:
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


@compile_loop()
def _follow_policy(
    ladder: GoalProblem, then_value: FloatArray, value: FloatArray, picks: PolicyArray
) -> None:
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


class GoalSolution(NamedTuple):
    """The best chance in every state without an end, and the stand that gives it (-1: none does).

    ``values`` are what the picked play is worth: never above the best. How far below it they may be
    ``ceiling`` tells.
    """

    values: FloatArray
    picks: PolicyArray


def solve_goal(ladder: GoalProblem, watch: Callable[[int], None] | None = None) -> GoalSolution:
    """Climb to the best chances from nought, and once more with the picked play alone."""
    value = np.zeros(ladder.states)
    picks: PolicyArray = np.full(ladder.states, -1, np.int32)
    most, done = max(3, _MAX_SWEEP_WORK // max(ladder.work, 1)), 0
    while done < min(most, _MAX_SWEEPS):
        change = _sweep_values(ladder, value, picks, _MIN_IMPROVEMENT, True)
        done += 1
        if watch is not None:
            watch(done)
        if change <= _CONVERGED_CHANGE:
            break
        for _ in range(_POLICY_SWEEPS):
            if _sweep_values(ladder, value, picks, _MIN_IMPROVEMENT, False) <= _CONVERGED_CHANGE:
                break
    return GoalSolution(evaluate_policy(ladder, picks), picks)


def evaluate_policy(ladder: GoalProblem, picks: PolicyArray) -> FloatArray:
    """What a play is worth in every state, without an end: climbed to from nought."""
    value, kept = np.zeros(ladder.states), picks.copy()
    for _ in range(_MAX_SWEEPS):
        if _sweep_values(ladder, value, kept, _MIN_IMPROVEMENT, False) <= _CONVERGED_CHANGE:
            break
    return value


def evaluate_policy_within(ladder: GoalProblem, picks: PolicyArray, rolls: int) -> FloatArray:
    """What a play is worth in every state with so many rolls to go, the same whatever is left."""
    value = np.zeros(ladder.states)
    for _ in range(rolls):
        then = np.zeros(ladder.states)
        _follow_policy(ladder, value, then, picks)
        if float(np.abs(then - value).max()) <= _CONVERGED_CHANGE:
            break
        value = then
    return value


def solve_goal_within(
    ladder: GoalProblem, rolls: int, watch: Callable[[int], None] | None = None
) -> tuple[FloatArray, list[PolicyArray]]:
    """The best chance in every state with so many rolls to go, and the stands to pick with 1, 2,
    ... ``rolls`` to go."""
    value = np.zeros(ladder.states)
    plays: list[PolicyArray] = []
    for done in range(rolls):
        before, picks = value, np.empty(ladder.states, np.int32)
        value = np.empty(ladder.states)
        _step_back(ladder, before, value, picks, _MIN_IMPROVEMENT)
        plays.append(picks)
        if watch is not None:
            watch(done)
    return value, plays


#: Sweeps over what was found longest between two over everything, and the ways all sweeps go.
_LENGTH_SWEEPS, _MAX_LENGTH_WORK = 200, 4 * 10**9
#: What U must fall by with a throw, of the one that it is meant to.
_MIN_LENGTH_DROP = 0.5


@compile_loop()
def _sweep_lengths(
    ladder: GoalProblem, idle: IntArray, many: FloatArray, picks: IntArray, whole: bool
) -> float:
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


@compile_loop()
def _find_excess(
    ladder: GoalProblem, idle: IntArray, value: FloatArray, many: FloatArray
) -> tuple[float, float]:
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


def find_upper_bound(
    ladder: GoalProblem, values: FloatArray, place: int, rung: int
) -> float | None:
    """What no play without an end can be above in a state, whatever it does; ``values`` is what
    one play is worth. None where that was not found in some seconds."""
    idle = find_idle_places(ladder)
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
    left = float(_MAX_LENGTH_WORK)
    while left > 0:
        change = _sweep_lengths(ladder, idle, many, picks, True)
        left -= ladder.work
        if not np.isfinite(change):
            return None
        if change < 1 - _MIN_LENGTH_DROP:
            break
        for _ in range(_LENGTH_SWEEPS):
            if _sweep_lengths(ladder, idle, many, picks, False) < (1 - _MIN_LENGTH_DROP) / 2:
                break
            left -= ladder.states
    above, falls = _find_excess(ladder, idle, value, many)
    if falls <= 0:
        return None
    # Sums of so many doubles are right to within this.
    rounding = (int(np.diff(ladder.way).max(initial=0)) + 4) * 2.0**-52
    home = int(idle[place]) if idle[place] >= 0 else place
    here = int(ladder.row[home]) + rung
    return min(1.0, float(value[here] + (above + rounding) / falls * many[here]))


def find_idle_places(ladder: GoalProblem) -> IntArray:
    """For each place between which one may wait with nothing at stake, the first of them; else -1.

    >>> one = np.array([0])
    >>> waits = GoalProblem(
    ...     row=one, top=one + 3, goal=one + 4, stand=np.array([0, 1]), wait=one, need=one,
    ...     way=np.array([0, 1]), to=one, by=one, chance=np.array([1.0]),
    ... )
    >>> find_idle_places(waits).tolist()
    [0]
    """
    count = len(ladder.top)
    idle = np.ones(count, bool)
    onward: list[IntArray] = []
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
