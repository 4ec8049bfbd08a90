"""The upper bound on the best probability of reaching a goal is above every policy."""

from __future__ import annotations

import numpy as np
import pytest

from passline.lab.exact.goal_solver import (
    GoalProblem,
    evaluate_policy,
    find_idle_places,
    find_upper_bound,
    solve_goal,
)


def games(*stakes: tuple[int, float], goal: int) -> GoalProblem:
    """Return a game of waiting, or of one even-money bet from a list of (levels, probability to
    win).
    """
    choices = [(0, ((0, 1.0),)), *((n, ((n, p), (-n, 1 - p))) for n, p in stakes)]
    branches = [branch for _, own in choices for branch in own]
    return GoalProblem(
        offset=np.array([0]),
        max_level=np.array([goal - 1]),
        goal=np.array([goal]),
        choice_start=np.array([0, len(choices)]),
        idle_choice=np.array([0]),
        need=np.array([need for need, _ in choices]),
        branch_start=np.cumsum([0, *(len(own) for _, own in choices)]),
        branch_place=np.zeros(len(branches), np.int64),
        branch_shift=np.array([by for by, _ in branches]),
        branch_chance=np.array([chance for _, chance in branches]),
    )


def ruin(level: int, goal: int, win: float) -> float:
    """Return the probability of the goal by the formula of the gambler's ruin."""
    ratio = (1 - win) / win
    return float((1 - ratio**level) / (1 - ratio**goal))


@pytest.mark.parametrize("win", [0.1, 0.45, 0.49, 0.51, 0.7])
def test_the_bound_is_tight_for_the_gamblers_ruin(win: float) -> None:
    problem = games((1, win), goal=20)
    values = solve_goal(problem).values
    for level in (1, 7, 19):
        bound = find_upper_bound(problem, values, 0, level)
        assert bound is not None
        assert values[level] - 1e-12 <= ruin(level, 20, win) <= bound < values[level] + 1e-9


def test_the_bound_of_a_bad_policy_is_above_the_best_one() -> None:
    """Bold play is best in an unfavorable game. The bound computed from a timid policy, which is
    far worse, is still above it.
    """
    problem = games((1, 0.4), (2, 0.4), (5, 0.4), goal=10)
    best = solve_goal(problem).values
    timid = np.ones(problem.states, np.int32)
    values = evaluate_policy(problem, timid)
    assert values[5] < best[5] - 0.1
    for level in range(1, 10):
        bound = find_upper_bound(problem, values, 0, level)
        assert bound is not None
        assert bound >= best[level]


def test_waiting_alone_never_reaches_the_goal() -> None:
    problem = games(goal=5)
    assert find_idle_places(problem).tolist() == [0]
    assert find_upper_bound(problem, solve_goal(problem).values, 0, 3) == 0


def test_no_bound_for_a_game_that_never_ends() -> None:
    """Rolls that change nothing, but are not marked as waiting, could go on forever."""
    problem = games((1, 0.4), goal=5)
    endless = problem._replace(idle_choice=np.array([-1]))
    assert find_upper_bound(endless, solve_goal(endless).values, 0, 3) is None
