"""What ``best`` finds: the chance, and the policy that gives it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from passline.house import House
from passline.money import show_dollars
from passline.results import LabResult, ResultTable, show_part
from passline.strategies.policy import Laid, Policy


class BestOpening(NamedTuple):
    """With so much in the rail (cents), the puck off and nothing up: the chance, and what to have
    up for the throw."""

    rail: int
    chance: float
    lay: tuple[Laid, ...]


class Best(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The best chance of a goal (cents), and the policy that gives it.

    Where the menu is too large ``chance`` is that of the policy, which is not known to be the
    best: the best lies between ``low`` and ``high``. ``alone`` has the best chance with single
    wagers of the menu, and the odds behind them, where that is known. ``openings``: the chance of
    the same play with less or more in the rail at first. ``sure_to``: without an end, no play is
    better by more than this, which is proved (``exact.ceiling``).
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
    sure_to: float | None = None
    method: str
    policy: Policy
    states: int
    stands: int
    alone: tuple[tuple[str, float], ...] = ()
    openings: tuple[BestOpening, ...] = ()

    def headline(self) -> str:
        """What was found, in a line."""
        goal, bankroll = show_dollars(self.goal), show_dollars(self.bankroll)
        ends = f"within {self.rolls:,} rolls" if self.rolls else "before ruin"
        if self.low is None or self.high is None:
            chance = show_part(self.chance)
        else:
            chance = f"{show_part(self.low)} to {show_part(self.high)}"
        return f"{goal} from {bankroll} {ends}: {chance} at best, with {', '.join(self.menu)}"

    def listed(self) -> ResultTable:
        """What the play is worth, and begins with, by what is in the rail."""
        rows = [(one.rail, one.chance, show_laid(one.lay)) for one in self.openings]
        return ResultTable(
            columns={"rail": "money", "chance": "share", "lay": "words"},
            records=rows,
            across="rail",
            up="chance",
            line=True,
        )


def show_laid(wagers: tuple[Laid, ...]) -> str:
    """Wagers in words.

    >>> show_laid((Laid("pass", 1000), Laid("field", 500)))
    'pass $10, field $5'
    """
    return ", ".join(f"{w.wager} {show_dollars(w.amount)}" for w in wagers)
