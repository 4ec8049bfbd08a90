"""The best probability of reaching a goal: dynamic programming over table states and chips, in
doubles.

A place is a table state: the puck and the bets that the player cannot take down (see
``machines.betting_choices``). A level is the chips in the rail, in betting units. A state of the
problem is a place and a level. Without a roll limit, the best probability V is the smallest
solution of V = max over choices of the mean of V after the roll. Value iteration starts from zero,
so the values never exceed V. Full sweeps over all choices alternate with sweeps over the current
policy. A choice is replaced only by one that is better by more than rounding, so that equal choices
do not alternate forever.

``find_upper_bound`` proves how close the result is. Any function that is at least its own mean
after every choice is at least V. The computed values W have this property except for rounding and
early stopping. Let U be the largest expected number of rolls still to play. U falls by one with
each roll, so W + e U has the property if e is the largest violation of W. A player may wait forever
with no bet at risk, which would make U infinite, so places connected by such waiting are treated as
one.

Loops use only constants of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop

#: A choice must be better by this fraction of its value to replace another.
_MIN_IMPROVEMENT = 1e-13
#: How many policy sweeps follow each full sweep, and the most full sweeps.
_POLICY_SWEEPS, _MAX_SWEEPS = 100, 20_000
#: The most transitions that all full sweeps together may evaluate. They take some seconds.
_MAX_SWEEP_WORK = 5 * 10**9
#: Iteration stops when a sweep changes no value by more than this (about half a unit in the last
#: place).
_CONVERGED_CHANGE = 1.2e-16

PolicyArray = NDArray[np.int32]


class GoalProblem(NamedTuple):
    """The decision problem as flat arrays. A place is a table state (see the module docstring).

    * Place p has the levels 0 to ``max_level[p]``. Its values start at index ``offset[p]``. From
      level ``goal[p]`` on, the goal is reached.
    * The choices at place p are ``choice_start[p]`` to ``choice_start[p + 1]``, sorted by ``need``:
      the levels of chips that a choice requires. ``idle_choice[p]`` is the choice that changes no
      bets.
    * The branches of choice c are ``branch_start[c]`` to ``branch_start[c + 1]``. Each leads to
      place ``branch_place``, ``branch_shift`` levels up, with probability ``branch_chance``.
    """

    offset: IntArray
    max_level: IntArray
    goal: IntArray
    choice_start: IntArray
    idle_choice: IntArray
    need: IntArray
    branch_start: IntArray
    branch_place: IntArray
    branch_shift: IntArray
    branch_chance: FloatArray

    @property
    def states(self) -> int:
        """Return the number of (place, level) states."""
        return int((self.max_level + 1).sum())

    @property
    def work(self) -> int:
        """Return the number of branches that a full sweep evaluates."""
        levels = np.repeat(self.max_level, np.diff(self.choice_start)) + 1 - self.need
        return int((np.maximum(levels, 0) * np.diff(self.branch_start)).sum())


@compile_loop()
def _sweep_values(
    problem: GoalProblem, value: FloatArray, policy: PolicyArray, margin: float, all_choices: bool
) -> float:
    """Do one pass of value iteration: recompute each state's chance of reaching the goal.

    With ``all_choices``, take the best choice of each state and store it in ``policy``; otherwise
    follow ``policy``. Update ``value`` in place and return the largest change.
    """
    offset, max_level, goal, choice_start, _idle_choice = problem[:5]
    need, branch_start, branch_place, branch_shift, branch_chance = problem[5:]
    most = 0.0
    for place in range(len(max_level)):
        for level in range(max_level[place], -1, -1):
            here = offset[place] + level
            best, best_choice, policy_value = 0.0, -1, 0.0
            first, last = choice_start[place], choice_start[place + 1]
            if not all_choices:
                first = policy[here]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if need[s] > level:
                    break
                total, stay = 0.0, 0.0
                for w in range(branch_start[s], branch_start[s + 1]):
                    then, at = branch_place[w], level + branch_shift[w]
                    if at >= goal[then]:
                        total += branch_chance[w]
                    elif offset[then] + at == here:
                        stay += branch_chance[w]
                    else:
                        total += branch_chance[w] * value[offset[then] + at]
                if stay > 0.0:  # The roll may change nothing: repeat the choice until it does.
                    total = total / (1.0 - stay) if stay < 1.0 - 1e-12 else 0.0
                if total > best:
                    best, best_choice = total, s
                if s == policy[here]:
                    policy_value = total
            if best_choice >= 0 and best > policy_value * (1.0 + margin):
                policy[here] = best_choice
            if best > value[here]:
                most = max(most, best - value[here])
                value[here] = best
    return most


@compile_loop()
def _step_back(
    problem: GoalProblem,
    then_value: FloatArray,
    value: FloatArray,
    policy: PolicyArray,
    margin: float,
) -> None:
    """Compute the best values and policy with one more roll to play than ``then_value`` has.

    Among equal choices, take the one that requires the fewest chips, but prefer any choice to
    waiting.
    """
    offset, max_level, goal, choice_start, idle_choice = problem[:5]
    need, branch_start, branch_place, branch_shift, branch_chance = problem[5:]
    for place in range(len(max_level)):
        for level in range(max_level[place], -1, -1):
            here = offset[place] + level
            best, choice = 0.0, -1
            for s in range(choice_start[place], choice_start[place + 1]):
                if need[s] > level:
                    break
                total = 0.0
                for w in range(branch_start[s], branch_start[s + 1]):
                    then, at = branch_place[w], level + branch_shift[w]
                    if at >= goal[then]:
                        total += branch_chance[w]
                    else:
                        total += branch_chance[w] * then_value[offset[then] + at]
                waits = choice == idle_choice[place] and total > 0.0
                if choice < 0 or total > best * (1.0 + margin) or (waits and total >= best):
                    choice = s
                best = max(best, total)
            value[here] = best
            policy[here] = choice


@compile_loop()
def _follow_policy(
    problem: GoalProblem, then_value: FloatArray, value: FloatArray, policy: PolicyArray
) -> None:
    """Compute the values of a fixed policy with one more roll to play than ``then_value`` has."""
    offset, max_level, goal, _choice_start, _idle_choice = problem[:5]
    _need, branch_start, branch_place, branch_shift, branch_chance = problem[5:]
    for place in range(len(max_level)):
        for level in range(max_level[place] + 1):
            s = policy[offset[place] + level]
            if s < 0:
                continue
            total = 0.0
            for w in range(branch_start[s], branch_start[s + 1]):
                then, at = branch_place[w], level + branch_shift[w]
                won = at >= goal[then]
                total += branch_chance[w] * (1.0 if won else then_value[offset[then] + at])
            value[offset[place] + level] = total


class GoalSolution(NamedTuple):
    """The best policy found (a choice's number for every state, -1: none helps), and its values.

    ``values`` are never above the best possible. ``find_upper_bound`` bounds how far below they may
    be.
    """

    values: FloatArray
    policy: PolicyArray


def solve_goal(problem: GoalProblem, watch: Callable[[int], None] | None = None) -> GoalSolution:
    """Return the policy with the best chance of reaching the goal ever, and its values."""
    value = np.zeros(problem.states)
    policy: PolicyArray = np.full(problem.states, -1, np.int32)
    most, done = max(3, _MAX_SWEEP_WORK // max(problem.work, 1)), 0
    while done < min(most, _MAX_SWEEPS):
        change = _sweep_values(problem, value, policy, _MIN_IMPROVEMENT, True)
        done += 1
        if watch is not None:
            watch(done)
        if change <= _CONVERGED_CHANGE:
            break
        for _ in range(_POLICY_SWEEPS):
            if _sweep_values(problem, value, policy, _MIN_IMPROVEMENT, False) <= _CONVERGED_CHANGE:
                break
    return GoalSolution(evaluate_policy(problem, policy), policy)


def evaluate_policy(problem: GoalProblem, policy: PolicyArray) -> FloatArray:
    """Return a policy's chance of reaching the goal from every state, without a roll limit."""
    value, kept = np.zeros(problem.states), policy.copy()
    for _ in range(_MAX_SWEEPS):
        if _sweep_values(problem, value, kept, _MIN_IMPROVEMENT, False) <= _CONVERGED_CHANGE:
            break
    return value


def evaluate_policy_within(problem: GoalProblem, policy: PolicyArray, rolls: int) -> FloatArray:
    """Return a policy's chance of reaching the goal from every state within ``rolls`` rolls."""
    value = np.zeros(problem.states)
    for _ in range(rolls):
        then = np.zeros(problem.states)
        _follow_policy(problem, value, then, policy)
        if float(np.abs(then - value).max()) <= _CONVERGED_CHANGE:
            break
        value = then
    return value


def solve_goal_within(
    problem: GoalProblem, rolls: int, watch: Callable[[int], None] | None = None
) -> tuple[FloatArray, list[PolicyArray]]:
    """Return the best chances within ``rolls`` rolls, and the policies for 1, 2, ... rolls left."""
    value = np.zeros(problem.states)
    policies: list[PolicyArray] = []
    for done in range(rolls):
        before, policy = value, np.empty(problem.states, np.int32)
        value = np.empty(problem.states)
        _step_back(problem, before, value, policy, _MIN_IMPROVEMENT)
        policies.append(policy)
        if watch is not None:
            watch(done)
    return value, policies


#: For U: how many policy sweeps follow each full sweep, and the most transitions of all sweeps.
_LENGTH_SWEEPS, _MAX_LENGTH_WORK = 200, 4 * 10**9
#: How much U must fall with each roll. Without rounding it would fall by 1.
_MIN_LENGTH_DROP = 0.5


@compile_loop()
def _sweep_lengths(
    problem: GoalProblem, idle: IntArray, lengths: FloatArray, policy: IntArray, all_choices: bool
) -> float:
    """Do one pass of value iteration for U, the largest expected number of rolls still to play.
    Update ``lengths`` in place, over all choices or those in ``policy``. Return the largest change.
    """
    offset, max_level, goal, choice_start, idle_choice = problem[:5]
    need, branch_start, branch_place, branch_shift, branch_chance = problem[5:]
    most = 0.0
    for place in range(len(max_level)):
        first_idle = idle[place]
        for level in range(max_level[place] + 1):
            here = offset[first_idle] + level if first_idle >= 0 else offset[place] + level
            first, last = choice_start[place], choice_start[place + 1]
            if not all_choices:
                first = policy[offset[place] + level]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if need[s] > level:
                    break
                if first_idle >= 0 and s == idle_choice[place]:
                    continue
                total, stay = 1.0, 0.0
                for w in range(branch_start[s], branch_start[s + 1]):
                    then, at = branch_place[w], level + branch_shift[w]
                    if at >= goal[then]:
                        continue
                    if idle[then] >= 0:
                        then = idle[then]
                    if offset[then] + at == here:
                        stay += branch_chance[w]
                    else:
                        total += branch_chance[w] * lengths[offset[then] + at]
                total = total / (1.0 - stay) if stay < 1.0 - 1e-12 else np.inf
                if total > lengths[here]:
                    most = max(most, total - lengths[here])
                    lengths[here] = total
                    policy[offset[place] + level] = s
    return most


@compile_loop()
def _find_excess(
    problem: GoalProblem, idle: IntArray, value: FloatArray, lengths: FloatArray
) -> tuple[float, float]:
    """Return the largest amount by which a choice's mean exceeds the values, and the smallest fall
    of U in one roll.
    """
    offset, max_level, goal, choice_start, idle_choice = problem[:5]
    need, branch_start, branch_place, branch_shift, branch_chance = problem[5:]
    excess, drop = 0.0, np.inf
    for place in range(len(max_level)):
        first_idle = idle[place]
        for level in range(max_level[place] + 1):
            here = offset[first_idle] + level if first_idle >= 0 else offset[place] + level
            for s in range(choice_start[place], choice_start[place + 1]):
                if need[s] > level:
                    break
                if first_idle >= 0 and s == idle_choice[place]:
                    continue
                total, next_length = 0.0, 0.0
                for w in range(branch_start[s], branch_start[s + 1]):
                    then, at = branch_place[w], level + branch_shift[w]
                    if at >= goal[then]:
                        total += branch_chance[w]
                        continue
                    if idle[then] >= 0:
                        then = idle[then]
                    total += branch_chance[w] * value[offset[then] + at]
                    next_length += branch_chance[w] * lengths[offset[then] + at]
                excess = max(excess, total - value[here])
                drop = min(drop, lengths[here] - next_length)
    return excess, drop


def find_upper_bound(
    problem: GoalProblem, values: FloatArray, place: int, level: int
) -> float | None:
    """Return an upper bound on every policy's chance of reaching the goal from a place and level.

    ``values`` are those of the best policy found. Return None if no bound is found within some
    seconds.
    """
    idle = find_idle_places(problem)
    value = values.copy()
    for first_idle in np.unique(idle[idle >= 0]):
        places = np.flatnonzero(idle == first_idle)
        if len(set(problem.max_level[places].tolist())) > 1:
            return None
        levels = np.arange(problem.max_level[first_idle] + 1)
        value[problem.offset[first_idle] + levels] = np.max(
            [values[problem.offset[p] + levels] for p in places], axis=0
        )
    lengths, policy = np.zeros(problem.states), np.full(problem.states, -1, np.int64)
    left = float(_MAX_LENGTH_WORK)
    while left > 0:
        change = _sweep_lengths(problem, idle, lengths, policy, True)
        left -= problem.work
        if not np.isfinite(change):
            return None
        if change < 1 - _MIN_LENGTH_DROP:
            break
        for _ in range(_LENGTH_SWEEPS):
            if _sweep_lengths(problem, idle, lengths, policy, False) < (1 - _MIN_LENGTH_DROP) / 2:
                break
            left -= problem.states
    excess, drop = _find_excess(problem, idle, value, lengths)
    if drop <= 0:
        return None
    # The rounding error of a sum of this many doubles.
    rounding = (int(np.diff(problem.branch_start).max(initial=0)) + 4) * 2.0**-52
    first_idle = int(idle[place]) if idle[place] >= 0 else place
    here = int(problem.offset[first_idle]) + level
    return min(1.0, float(value[here] + (excess + rounding) / drop * lengths[here]))


def find_idle_places(problem: GoalProblem) -> IntArray:
    """Return the first idle place for each idle place (waiting there risks no bet), else -1.

    >>> one = np.array([0])
    >>> waits = GoalProblem(
    ...     offset=one, max_level=one + 3, goal=one + 4, choice_start=np.array([0, 1]),
    ...     idle_choice=one, need=one, branch_start=np.array([0, 1]), branch_place=one,
    ...     branch_shift=one, branch_chance=np.array([1.0]),
    ... )
    >>> find_idle_places(waits).tolist()
    [0]
    """
    count = len(problem.max_level)
    idle = np.ones(count, bool)
    next_places: list[IntArray] = []
    for place, choice in enumerate(problem.idle_choice.tolist()):
        ways = (
            slice(int(problem.branch_start[choice]), int(problem.branch_start[choice + 1]))
            if choice >= 0
            else slice(0)
        )
        next_places.append(problem.branch_place[ways])
        idle[place] = (
            choice >= 0 and not problem.need[choice] and not problem.branch_shift[ways].any()
        )
    changed = True
    while changed:
        keep = np.array([idle[p] and bool(idle[next_places[p]].all()) for p in range(count)])
        changed, idle = bool((keep != idle).any()), keep
    first = int(np.argmax(idle)) if idle.any() else -1
    return np.where(idle, first, -1).astype(np.int64)
