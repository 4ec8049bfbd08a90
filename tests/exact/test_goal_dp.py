"""The ceiling over the best chances: above every play, and proved to be."""

from __future__ import annotations

import numpy as np
import pytest

from passline.lab.exact.goal_dp import (
    GoalProblem,
    evaluate_policy,
    find_idle_places,
    find_upper_bound,
    solve_goal,
)


def games(*stakes: tuple[int, float], goal: int) -> GoalProblem:
    """Waiting, or one wager of some at even money: each (rungs, chance to win)."""
    stands = [(0, ((0, 1.0),)), *((n, ((n, p), (-n, 1 - p))) for n, p in stakes)]
    ways = [way for _, own in stands for way in own]
    return GoalProblem(
        offset=np.array([0]),
        max_level=np.array([goal - 1]),
        goal=np.array([goal]),
        choice_start=np.array([0, len(stands)]),
        idle_choice=np.array([0]),
        need=np.array([need for need, _ in stands]),
        branch_start=np.cumsum([0, *(len(own) for _, own in stands)]),
        branch_place=np.zeros(len(ways), np.int64),
        branch_shift=np.array([by for by, _ in ways]),
        branch_chance=np.array([chance for _, chance in ways]),
    )


def ruin(rung: int, goal: int, win: float) -> float:
    """The gambler's ruin, by its formula."""
    ratio = (1 - win) / win
    return float((1 - ratio**rung) / (1 - ratio**goal))


@pytest.mark.parametrize("win", [0.1, 0.45, 0.49, 0.51, 0.7])
def test_it_closes_on_the_gamblers_ruin(win: float) -> None:
    ladder = games((1, win), goal=20)
    values = solve_goal(ladder).values
    for rung in (1, 7, 19):
        top = find_upper_bound(ladder, values, 0, rung)
        assert top is not None
        assert values[rung] - 1e-12 <= ruin(rung, 20, win) <= top < values[rung] + 1e-9


def test_it_is_above_the_best_where_another_play_was_valued() -> None:
    """Bold play is best where the game is against one; one rung at a time is far below it, and the
    ceiling over it above the best all the same."""
    ladder = games((1, 0.4), (2, 0.4), (5, 0.4), goal=10)
    best = solve_goal(ladder).values
    timid = np.ones(ladder.states, np.int32)
    values = evaluate_policy(ladder, timid)
    assert values[5] < best[5] - 0.1
    for rung in range(1, 10):
        top = find_upper_bound(ladder, values, 0, rung)
        assert top is not None
        assert top >= best[rung]


def test_waiting_costs_nothing_and_proves_nothing() -> None:
    ladder = games(goal=5)
    assert find_idle_places(ladder).tolist() == [0]
    assert find_upper_bound(ladder, solve_goal(ladder).values, 0, 3) == 0


def test_a_play_that_never_ends_is_not_proved() -> None:
    """A throw that does nothing but is no waiting: somebody may play it for ever."""
    ladder = games((1, 0.4), goal=5)
    endless = ladder._replace(idle_choice=np.array([-1]))
    assert find_upper_bound(endless, solve_goal(endless).values, 0, 3) is None
