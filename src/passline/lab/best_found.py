"""What ``best`` finds: the chance, and the policy that gives it."""

from __future__ import annotations

import msgspec

from passline.house import House
from passline.strategies.policy import Policy


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The best chance of a goal (cents), and the policy that gives it.

    Where the menu is too large ``chance`` is that of the policy, which is not known to be the
    best: the best lies between ``low`` and ``high``. ``alone`` has the best chance with single
    wagers of the menu, and the odds behind them, where that is known.
    """

    house: House
    goal: int
    bankroll: int
    unit: int
    menu: tuple[str, ...]
    rolls: int | None
    chance: float
    low: float | None = None
    high: float | None = None
    method: str
    policy: Policy
    states: int
    stands: int
    alone: tuple[tuple[str, float], ...] = ()
