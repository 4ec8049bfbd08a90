"""How a session ended, exact or sampled: one form, and ``method`` says which. Money in cents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from passline.results import LabResult, ResultTable, show_money, show_part
from passline.sessions.distribution import Band, Distribution, Number
from passline.sessions.plan import Plan

#: How an exact session is computed.
Arithmetic = Literal["fractions", "doubles"]
#: How wagers count that are up when a session ends. "played": they are played out, nothing more
#: being said: each comes down at its first decision, what is off waits. "fair": at what they are
#: worth on average. "stake": at their stake. How a session ended, and after how many rolls, is
#: judged when its rolls end, by rail and stakes.
OpenWagers = Literal["played", "fair", "stake"]
#: What a player does whose rail does not cover what the strategy bets. "stop": he is ruined.
#: "reduce": he plays on, each bet as large as the house takes and the rail holds; where none can be
#: made and nothing is up, he is ruined.
WhenShort = Literal["stop", "reduce"]
#: Trials from which on their spread says something.
FEWEST_TRIALS = 16
#: Told how far a session is: rolls or trials done, and how many there are.
WatchProgress = Callable[[int, int], None]


class Session(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """How a session ends.

    ``ruin``: the rail could not cover the strategy's next wagers (``when_short`` says what he does
    then). ``broke``: of those, with nothing up and less than the least wager that the house takes;
    None where that is not told. ``ever_short``: the strategy could not be followed at some time;
    who stops there is ruined, who plays on need not be. ``goal`` and ``stopped``: left at
    the stops. ``rolls``: the mean number of rolls played. ``final``: the worth at the end, wagers
    still up counted as ``open_wagers`` says. ``fan``: quantiles at some rolls on the way, as if the
    session ended there. ``ruined``: the
    chance of being ruined by each of those rolls. ``errors``: standard errors, where simulated.
    """

    plan: Plan
    method: Literal["exact", "simulated"]
    arithmetic: Arithmetic
    states: int
    ruin: Number
    goal: Number
    stopped: Number
    rolls: Number
    final: Distribution
    fan: tuple[Band, ...]
    ruined: tuple[float, ...]
    seconds: float
    trials: int | None = None
    seed: int | None = None
    interrupted: bool = False
    errors: dict[str, float] = {}
    open_wagers: OpenWagers = "stake"
    when_short: WhenShort = "stop"
    broke: Number | None = None
    ever_short: Number | None = None

    @property
    def short(self) -> Number | None:
        """Ruined with chips for some wager, or with something up, and too few for the strategy."""
        return None if self.broke is None else max(self.ruin - self.broke, 0 * self.ruin)

    def headline(self) -> str:
        """The plan, how it ends on average, and the method."""
        goal = f", goal {show_part(self.goal)}" if self.plan.goal is not None else ""
        return (
            f"{self.plan.rolls:,} rolls from {show_money(self.plan.bankroll)}: "
            f"{show_money(self.final.mean)} on average, sd {show_money(self.final.sd)}, "
            f"ruin {show_part(self.ruin)}{goal}; {self.method}"
        )

    def listed(self) -> ResultTable:
        """Each worth at the end, and its chance."""
        return self.final.listed()


class SampledSession(Session, frozen=True, kw_only=True):
    """A session that was sampled, with its extremes: the mean of the highest and lowest worth.

    ``errors`` leaves out what cannot be told: all where there are fewer trials than
    FEWEST_TRIALS or the machine could not grow on, and that of a share that is 0 or 1 or of a
    number that never differed. ``reason``: what broke it off, other than Ctrl-C. ``under_way``: how
    many trials were begun and are left out, which may well be the longer ones. The extremes are
    None where a plan was cut short on the way. ``device`` names the card, where one played.
    """

    highest: float | None
    lowest: float | None
    device: str = ""
    under_way: int = 0
    reason: str = ""
