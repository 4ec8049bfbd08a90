"""Sessions for pictures: small ones computed exactly, and one made by hand."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from passline.lab.exact.solve_session import solve_session
from passline.lab.machines.chain import Arc, Chain
from passline.lab.sessions.distribution import Distribution, QuantileBand
from passline.lab.sessions.plan_and_result import Plan, Session

PLAN = Plan(bankroll=10_000, rolls=60, stop_win=10_000, stop_loss=8_000)

HOUR = Plan(bankroll=10_000, rolls=60)


@cache
def coin(plan: Plan = HOUR, stake: int = 1000) -> Session:
    """A fair coin for a stake, tossed until the rail does not cover it."""
    return solve_session(Chain(((Arc(0, -stake, 18), Arc(0, stake, 18)),), (stake,)), plan)


def simulated(trials: int = 5_000) -> Session:
    """The coin's session as if it had been sampled."""
    return replace(coin(), method="simulated", trials=trials)


def still() -> Session:
    """Nothing is wagered, nothing happens."""
    return Session(
        plan=Plan(bankroll=500, rolls=1),
        method="exact",
        arithmetic="fractions",
        states=1,
        ruin=0.0,
        goal=0.0,
        stopped=0.0,
        rolls=1.0,
        final=Distribution((500,), (36,), 36),
        fan=(QuantileBand(0, (500,) * 5), QuantileBand(1, (500,) * 5)),
        ruined=(0.0, 0.0),
        seconds=0.0,
    )
