"""How fast a strategy's swings grow: the long-run variance of the money by the roll.

One roll says something about the next, so the variance of many rolls is not that of one times their
number. What is still to be expected in a state, beside the mean, makes the rolls' surprises
independent (Poisson's equation); their mean square is the rate.
"""

from __future__ import annotations

import math

import numpy as np

from passline.exact.long_run import LongRun
from passline.machines import Chain

#: States up to which the equations are solved.
MOST = 2_000


def sd_rate(chain: Chain, whole: LongRun) -> float | None:
    """The deviation of N rolls' money by the root of N, in cents, as N grows; in doubles.

    It is also what the standard error of a mean roll is by the root of the rolls. None where the
    chain has several classes that are never left (a game takes one of them for good), or too many
    states.

    >>> from passline.exact.long_run import solve_long_run
    >>> from passline.machines import Arc
    >>> turns = Chain(((Arc(1, 5, 18), Arc(1, -5, 18)), (Arc(0, 0, 36),)), (0, 0))
    >>> round(sd_rate(turns, solve_long_run(turns)) ** 2, 9)
    12.5
    """
    if whole.classes > 1 or len(chain) > MOST:
        return None
    states, mean = len(chain), float(whole.mean)
    onward, money = np.zeros((states, states)), np.zeros(states)
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            onward[state, arc.next] += arc.weight / chain.whole
            money[state] += arc.weight / chain.whole * (arc.money - mean)
    stays = np.eye(states) - onward
    balance, one = stays.T.copy(), np.zeros(states)
    balance[-1], one[-1] = 1.0, 1.0  # any one of these equations follows from the others
    often = np.linalg.solve(balance, one)
    # What is ahead of a state: up to what all have in common, which is left at nought on average.
    ahead = np.linalg.solve(stays + often, money)
    rate = 0.0
    for state, arcs in enumerate(chain.arcs):
        for arc in arcs:
            surprise = arc.money - mean + ahead[arc.next] - ahead[state]
            rate += often[state] * arc.weight / chain.whole * surprise**2
    return math.sqrt(max(rate, 0.0))
