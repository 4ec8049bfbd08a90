"""The best probability of reaching a goal, by dynamic programming in doubles.

A place is a table state: the puck and the bets that the player cannot take down (see
``machines.betting_choices``). A level counts the chips in the rail in betting units. A state of the
problem is a place and a level. Without a roll limit, the best probability V is the smallest
solution of V = max over choices of the mean of V after the roll. Value iteration starts from zero,
so the values never exceed V. Full sweeps over all choices alternate with sweeps over the current
policy. Only a choice that is better by more than rounding replaces another; otherwise equal choices
could alternate forever.

``find_upper_bound`` proves how close the result is. A function that is at least its own mean after
every choice is at least V. The computed values W miss this by at most e. Let U be a function that
is never negative and falls by d or more on average with each roll. Then W + (e / d) U is such a
function. If no bet favors the player, U follows from the variance of the bankroll
(``_bound_lengths``); otherwise it is the largest expected number of rolls still to play. Places
connected by waiting without a bet at risk are treated as one.

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
#: Iteration stops when a sweep changes no value by more than this (about half of the last binary
#: digit of a double near 1).
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
        """The number of (place, level) states: a table state, and the chips in the rail."""
        return int((self.max_level + 1).sum())

    @property
    def work(self) -> int:
        """The number of branches that a full sweep evaluates."""
        levels = np.repeat(self.max_level, np.diff(self.choice_start)) + 1 - self.need
        return int((np.maximum(levels, 0) * np.diff(self.branch_start)).sum())


@compile_loop()
def _look_ahead(
    problem: GoalProblem,
    value: FloatArray,
    starts: IntArray,
    choice: int,
    level: int,
    here: int,
    total: float,
    goal_value: float,
) -> tuple[float, float]:
    """Return (mean, stay) for making ``choice`` with ``level`` levels of chips in the rail.

    The mean is ``total`` plus the mean of the values after the roll. It leaves out the rolls that
    lead back to index ``here``; ``stay`` is their chance. The values of a table state begin at
    index ``starts[place]`` of ``value``. At the goal the value is ``goal_value``.
    """
    goal, branch_place, branch_shift, branch_chance = problem[2], *problem[7:]
    stay = 0.0
    for w in range(problem.branch_start[choice], problem.branch_start[choice + 1]):
        then, at = branch_place[w], level + branch_shift[w]
        if at >= goal[then]:
            total += branch_chance[w] * goal_value
        elif starts[then] + at == here:
            stay += branch_chance[w]
        else:
            total += branch_chance[w] * value[starts[then] + at]
    return total, stay


@compile_loop()
def _sweep_values(
    problem: GoalProblem, value: FloatArray, policy: PolicyArray, margin: float, all_choices: bool
) -> float:
    """Do one pass of value iteration: raise each state's chance of reaching the goal.

    Follow ``policy``. With ``all_choices``, try every choice instead, and write the best one to
    ``policy`` if it is better than the old one by more than the fraction ``margin``. Update
    ``value`` in place and return the largest change.
    """
    offset, need = problem.offset, problem.need
    most = 0.0
    # The last places first: most rolls and all single bet changes lead to a place found later.
    for place in range(len(offset) - 1, -1, -1):
        for level in range(problem.max_level[place], -1, -1):
            here = offset[place] + level
            best, best_choice, policy_value = 0.0, -1, 0.0
            first, last = problem.choice_start[place], problem.choice_start[place + 1]
            if not all_choices:
                first = policy[here]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if need[s] > level:
                    break
                total, stay = _look_ahead(problem, value, offset, s, level, here, 0.0, 1.0)
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
    """Compute the best chances with one roll more to play than in ``then_value``.

    Write them to ``value`` and the best choices to ``policy``. A choice replaces another only if it
    is better by more than the fraction ``margin``. Among equal choices, take the one that requires
    the fewest chips, but prefer any to waiting.
    """
    offset, need = problem.offset, problem.need
    for place in range(len(offset)):
        for level in range(problem.max_level[place], -1, -1):
            best, choice = 0.0, -1
            for s in range(problem.choice_start[place], problem.choice_start[place + 1]):
                if need[s] > level:
                    break
                total, _ = _look_ahead(problem, then_value, offset, s, level, -1, 0.0, 1.0)
                waits = choice == problem.idle_choice[place] and total > 0.0
                if choice < 0 or total > best * (1.0 + margin) or (waits and total >= best):
                    choice = s
                best = max(best, total)
            value[offset[place] + level] = best
            policy[offset[place] + level] = choice


@compile_loop()
def _follow_policy(
    problem: GoalProblem, then_value: FloatArray, value: FloatArray, policy: PolicyArray
) -> None:
    """Compute a fixed policy's chances of reaching the goal with one roll more to play.

    ``then_value`` has the chances with one roll fewer. Write the new ones to ``value``.
    """
    offset = problem.offset
    for place in range(len(offset)):
        for level in range(problem.max_level[place] + 1):
            here = offset[place] + level
            if policy[here] >= 0:
                value[here] = _look_ahead(
                    problem, then_value, offset, policy[here], level, -1, 0.0, 1.0
                )[0]


class GoalSolution(NamedTuple):
    """The best policy found (the number of a choice for each state), and its values.

    A value is the chance of reaching the goal from a state, never above the best possible one;
    ``find_upper_bound`` bounds the difference. The choice is -1 where no choice helps.
    """

    values: FloatArray
    policy: PolicyArray


def solve_goal(
    problem: GoalProblem,
    watch: Callable[[int], None] | None = None,
    ends: FloatArray | None = None,
) -> GoalSolution:
    """Return the policy with the best chance of ever reaching the goal, and its values.

    ``watch`` is called after each full sweep with the number of full sweeps done. ``ends`` has the
    values of the states without choices, and 0 for all others; None: 0 for all.
    """
    ends = np.zeros(problem.states) if ends is None else ends
    value = ends.copy()
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
    return GoalSolution(evaluate_policy(problem, policy, ends), policy)


def evaluate_policy(
    problem: GoalProblem, policy: PolicyArray, ends: FloatArray | None = None
) -> FloatArray:
    """Return a policy's chance of reaching the goal from every state, without a roll limit.

    ``ends`` is that of ``solve_goal``.
    """
    value = np.zeros(problem.states) if ends is None else ends.copy()
    policy_copy = policy.copy()
    for _ in range(_MAX_SWEEPS):
        if _sweep_values(problem, value, policy_copy, _MIN_IMPROVEMENT, False) <= _CONVERGED_CHANGE:
            break
    return value


def list_reached_states(
    problem: GoalProblem, policy: PolicyArray, level: int
) -> set[tuple[int, int]]:
    """Return the states (place, level) that a policy comes to from ``level`` at place 0."""
    found, waiting = {(0, level)}, [(0, level)]
    while waiting:
        place, level = waiting.pop()
        choice = policy[problem.offset[place] + level]
        if choice < 0:
            continue
        ways = slice(problem.branch_start[choice], problem.branch_start[choice + 1])
        levels = level + problem.branch_shift[ways]
        for state in zip(problem.branch_place[ways].tolist(), levels.tolist(), strict=True):
            if state[1] < problem.goal[state[0]] and state not in found:
                found.add(state)
                waiting.append(state)
    return found


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
    """Return (values, policies): the best chances within ``rolls`` rolls, and the best choices.

    ``policies[k]`` is for k + 1 rolls left. ``watch(k)`` is called when that policy is computed.
    """
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
    problem: GoalProblem,
    starts: IntArray,
    skipped: IntArray,
    lengths: FloatArray,
    policy: IntArray,
    all_choices: bool,
) -> float:
    """Do one pass of value iteration for U, the largest expected number of rolls still to play.

    U of a table state (a place) begins at index ``starts[place]`` of ``lengths``. Try all choices
    but ``skipped[place]``; without ``all_choices``, try only those in ``policy``. Raise ``lengths``
    in place, write the choices that raised it to ``policy``, and return the largest change.
    """
    most = 0.0
    for place in range(len(starts)):
        for level in range(problem.max_level[place] + 1):
            here, own = starts[place] + level, problem.offset[place] + level
            first, last = problem.choice_start[place], problem.choice_start[place + 1]
            if not all_choices:
                first = policy[own]
                if first < 0:
                    continue
                last = first + 1
            for s in range(first, last):
                if problem.need[s] > level:
                    break
                if s == skipped[place]:
                    continue
                total, stay = _look_ahead(problem, lengths, starts, s, level, here, 1.0, 0.0)
                total = total / (1.0 - stay) if stay < 1.0 - 1e-12 else np.inf
                if total > lengths[here]:
                    most = max(most, total - lengths[here])
                    lengths[here] = total
                    policy[own] = s
    return most


@compile_loop()
def _find_excess(
    problem: GoalProblem,
    starts: IntArray,
    skipped: IntArray,
    value: FloatArray,
    lengths: FloatArray,
) -> tuple[float, float]:
    """Return (excess, drop), the two numbers that ``find_upper_bound`` needs.

    The excess is the most by which a choice's mean after the roll exceeds the value before it. The
    drop is the least by which ``lengths``, the expected rolls still to play, falls in a roll. Leave
    out the choice ``skipped[place]`` of each table state. The numbers of a table state begin at
    index ``starts[place]`` of ``value`` and ``lengths``.
    """
    excess, drop = 0.0, np.inf
    for place in range(len(starts)):
        for level in range(problem.max_level[place] + 1):
            here = starts[place] + level
            for s in range(problem.choice_start[place], problem.choice_start[place + 1]):
                if problem.need[s] > level:
                    break
                if s == skipped[place]:
                    continue
                total, _ = _look_ahead(problem, value, starts, s, level, -1, 0.0, 1.0)
                length, _ = _look_ahead(problem, lengths, starts, s, level, -1, 0.0, 0.0)
                excess = max(excess, total - value[here])
                drop = min(drop, lengths[here] - length)
    return excess, drop


def find_upper_bound(
    problem: GoalProblem,
    values: FloatArray,
    place: int,
    level: int,
    worths: FloatArray | None = None,
) -> float | None:
    """Return an upper bound on every policy's chance of reaching the goal from one state.

    ``place`` is the number of a table state, and ``level`` counts the chips in the rail. ``values``
    are those of the best policy found. If no bet favors the player, ``worths`` are the most levels
    that can be expected back from the bets of each place. Return None if limited work finds no
    bound.
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
    # Idle places share the values of the first one, and waiting there is not a choice.
    starts = problem.offset[np.where(idle >= 0, idle, np.arange(len(idle)))]
    skipped = np.where(idle >= 0, problem.idle_choice, -1)
    arrays = problem, starts, skipped
    drop, lengths = 0.0, None if worths is None else _bound_lengths(problem, worths)
    if lengths is not None:
        excess, drop = _find_excess(*arrays, value, lengths)
    if drop <= 0:  # Some bet favors the player, or bets cancel each other: nothing varies.
        lengths = _solve_lengths(*arrays)
        if lengths is not None:
            excess, drop = _find_excess(*arrays, value, lengths)
    if lengths is None or drop <= 0:
        return None
    # The rounding error of a sum of this many doubles.
    rounding = (int(np.diff(problem.branch_start).max(initial=0)) + 4) * 2.0**-52
    here = int(starts[place]) + level
    return min(1.0, float(value[here] + (excess + rounding) / drop * lengths[here]))


def _bound_lengths(problem: GoalProblem, worths: FloatArray) -> FloatArray:
    """Return, for each state, a number that falls on average with every roll that can win or lose.

    No bet may favor the player. ``find_upper_bound`` uses it in place of the expected rolls still
    to play. Let X be the level plus the worth of the bets that are up, and T a number that X does
    not exceed. X does not grow on average, so (T - X)^2 grows on average by the variance of X or
    more, and T^2 - (T - X)^2 falls by as much. It is never negative.
    """
    most = float((problem.max_level + worths).max(initial=0.0)) + 1.0
    places = np.repeat(np.arange(len(worths)), problem.max_level + 1)
    levels = np.arange(problem.states) - problem.offset[places]
    lengths: FloatArray = most**2 - (most - levels - worths[places]) ** 2
    return lengths


def _solve_lengths(problem: GoalProblem, starts: IntArray, skipped: IntArray) -> FloatArray | None:
    """Return U, the largest expected number of rolls still to play, by value iteration.

    ``starts`` and ``skipped`` are those of ``_sweep_lengths``. Return None if U is infinite. The
    work is limited, so U may not be final.
    """
    lengths, policy = np.zeros(problem.states), np.full(problem.states, -1, np.int64)
    arrays = problem, starts, skipped, lengths, policy
    left = float(_MAX_LENGTH_WORK)
    while left > 0:
        change = _sweep_lengths(*arrays, True)
        left -= problem.work
        if not np.isfinite(change):
            return None
        if change < 1 - _MIN_LENGTH_DROP:
            break
        for _ in range(_LENGTH_SWEEPS):
            if _sweep_lengths(*arrays, False) < (1 - _MIN_LENGTH_DROP) / 2:
                break
            left -= problem.states
    return lengths


def find_idle_places(problem: GoalProblem) -> IntArray:
    """Return -1 for each table state, or for an idle one the number of the first idle one.

    A table state is idle if a player who only waits there never has a bet that can win or lose. So
    the caller can treat all idle states as one.

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
    idle = np.zeros(count, bool)
    next_places = [problem.branch_place[:0]] * count
    for place, choice in enumerate(problem.idle_choice.tolist()):
        if choice >= 0 and not problem.need[choice]:
            ways = slice(problem.branch_start[choice], problem.branch_start[choice + 1])
            next_places[place] = problem.branch_place[ways]
            idle[place] = not problem.branch_shift[ways].any()
    changed = True
    while changed:
        keep = np.array([idle[p] and bool(idle[next_places[p]].all()) for p in range(count)])
        changed, idle = bool((keep != idle).any()), keep
    first = int(np.argmax(idle)) if idle.any() else -1
    return np.where(idle, first, -1).astype(np.int64)
