"""A session: its plan, the ways it ends, its result, and its JSON. Money is in cents.

The numeric codes of the ways to end are defined only here; compiled loops get them as arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

import msgspec

from passline.game.money.amounts import show_money, to_dollars
from passline.lab.charts.style import is_reachable, shorten
from passline.lab.charts.svg import Mark, draw_fan
from passline.lab.machines.origin import MachineOrigin
from passline.lab.results import LabResult, ResultTable, show_percent
from passline.lab.sessions.distribution import (
    QUANTILE_PERCENTS,
    Distribution,
    Number,
    QuantileBand,
    exact_ratio,
)

if TYPE_CHECKING:
    from passline.lab.machines.arrays import IntArray

#: The three ways to end before the last roll: ruined, left ahead, left behind.
END_RUIN: Final = 0
END_GOAL: Final = 1
END_STOP_LOSS: Final = 2
#: Played to the last roll.
END_ROLLS_PLAYED: Final = 3

#: Names of the three early ends in results and reports, by number.
EARLY_ENDS = ("ruin", "goal", "stopped")


class Effort(NamedTuple):
    """The estimated cost of computing a session: seconds, and bytes of memory (``size``)."""

    seconds: float
    size: int


class Remedy(Enum):
    """What a user can do about a session that is too large. The value is the advice as text."""

    MEMORY = "allow more"
    ROLLS = "ask for fewer rolls"
    SAMPLE = "sample it"


class SessionTooLargeError(ValueError):
    """Raised for a session that cannot be computed within the memory or time allowed.

    ``why`` says how much it would take; ``remedies`` are ways to make it possible.

    >>> str(SessionTooLargeError("it would take 9 hours", Remedy.ROLLS, Remedy.SAMPLE))
    'it would take 9 hours: ask for fewer rolls, or sample it'
    """

    def __init__(self, why: str, *remedies: Remedy) -> None:
        super().__init__(why, *remedies)
        self.why, self.remedies = why, remedies

    def __str__(self) -> str:
        """Return the reason and the remedies in one line."""
        return self.describe({})

    def describe(self, options: dict[Remedy, str]) -> str:
        """Return the reason and the remedies in one line.

        ``options`` maps a remedy to the command's option for it, which is added in parentheses.
        """
        ways = [f"{w.value} ({options[w]})" if w in options else w.value for w in self.remedies]
        if len(ways) > 1:
            ways[-1] = f"or {ways[-1]}"
        return f"{self.why}: {', '.join(ways)}" if ways else self.why


#: The largest bankroll (cents), and the most rolls or trials.
MAX_BANKROLL, MAX_COUNT = 10**11, 10**10
#: The most shooters of a session.
MAX_SHOOTERS = 1000


#: An amount, or an array of amounts.
_Cents = TypeVar("_Cents", int, "IntArray")


class Plan(msgspec.Struct, frozen=True):
    """How long to play: ``rolls`` rolls from a bankroll, or fewer if a limit is reached.

    The player leaves when ahead by ``stop_win`` or behind by ``stop_loss`` cents, or when
    ``shooters`` shooters have sevened out. The first roll begins a shooter's hand.
    """

    bankroll: int
    rolls: int
    stop_win: int | None = None
    stop_loss: int | None = None
    shooters: int | None = None

    def find_level(self, cents: _Cents, unit: int) -> _Cents:
        """Return the lowest level that is at or above a worth of ``cents``.

        A level counts units of ``unit`` cents from the bankroll, which is level 0.

        >>> Plan(bankroll=1000, rolls=1).find_level(250, 100)
        -7
        """
        return -((self.bankroll - cents) // unit)

    def find_stop_levels(self, unit: int, unreachable: int) -> tuple[int, int]:
        """Return (goal, floor): the levels of ``stop_win`` and ``stop_loss``.

        A level counts units of ``unit`` cents from the bankroll. A session ends at or above the
        goal, and at or below the floor. If one is not set, return ``unreachable`` or
        ``-unreachable`` for it.
        """
        goal = unreachable if self.stop_win is None else -(-self.stop_win // unit)
        floor = -unreachable if self.stop_loss is None else -self.stop_loss // unit
        return goal, floor

    @property
    def goal(self) -> int | None:
        """The worth (cents) at which the player leaves as a winner; None without a ``stop_win``."""
        return None if self.stop_win is None else self.bankroll + self.stop_win

    @property
    def floor(self) -> int | None:
        """The worth (cents) at which the player leaves as a loser; None without a ``stop_loss``."""
        return None if self.stop_loss is None else self.bankroll - self.stop_loss


def check_plan(plan: Plan) -> None:
    """Raise ValueError if one of a plan's numbers is out of range."""
    for what, cents in (
        ("bankroll", plan.bankroll),
        ("stop-win", plan.stop_win),
        ("stop-loss", plan.stop_loss),
    ):
        if cents is not None and not 0 < cents <= MAX_BANKROLL:
            raise ValueError(
                f"a {what} of {cents:,} cents: expected 1 cent to {MAX_BANKROLL // 100:,} dollars"
            )
    if plan.shooters is not None and not 0 < plan.shooters <= MAX_SHOOTERS:
        raise ValueError(f"{plan.shooters:,} shooters: expected 1 to {MAX_SHOOTERS:,}")
    if not 0 < plan.rolls <= MAX_COUNT:
        raise ValueError(f"{plan.rolls:,} rolls: expected 1 to {MAX_COUNT:,}")


def choose_checkpoints(rolls: int, most: int = 51) -> tuple[int, ...]:
    """Return the rolls at which a session's quantiles are recorded: 0, the last, and some between.

    There are at most ``most`` of them, evenly spaced.

    >>> choose_checkpoints(4), choose_checkpoints(1000, 5)
    ((0, 1, 2, 3, 4), (0, 250, 500, 750, 1000))
    """
    steps = min(rolls, most - 1)
    return tuple(step * rolls // max(steps, 1) for step in range(steps + 1))


#: The arithmetic of an exact session: exact fractions, or doubles.
Arithmetic = Literal["fractions", "doubles"]
#: How to value bets still open at the end. "played": play them out; each comes down at its first
#: decision, and bets that are off wait. "fair": at their expected value. "stake": at their stake.
#: This does not change how a session ends or after how many rolls: those count bets at their stake.
OpenWagers = Literal["played", "fair", "stake"]
#: What a player does whose rail does not cover the strategy's bets. "stop": the player is ruined.
#: "reduce": the player goes on with each bet as large as the house and the rail allow, and is
#: ruined only if no bet can be made and nothing is up.
WhenShort = Literal["stop", "reduce"]
#: The fewest trials from which errors are estimated.
MIN_TRIALS = 16
#: Called with the rolls or trials done, and their total.
ProgressCallback = Callable[[int, int], None]


class Session(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The result of a session: the chance of each way to end, and the final worth.

    * ``ruin``: the chance that the session ended because the rail could not cover the strategy's
      next bets (``when_short`` says what the player does then).
    * ``broke``: the part of ruin with no bets up and less than the smallest bet; None if not known.
    * ``ever_short``: the chance that the rail could not cover the bets at some time. A player who
      stops then is ruined; one who goes on may not be.
    * ``goal``, ``stopped``: the chances of leaving at the win limit and at the loss limit.
    * ``left``: the chance of leaving after the plan's shooters; None if it does not count them.
    * ``rolls``: the mean number of rolls played.
    * ``final``: the distribution of the worth (rail plus bets) at the end, with open bets valued as
      ``open_wagers`` says.
    * ``fan``: quantiles of the worth at some rolls on the way, as if the session ended there.
    * ``ruined``: the chance of ruin by each of those rolls.
    * ``errors``: standard errors, if simulated.
    * ``over_by``: in a session without a limit of rolls, the roll by which 99 percent are over.
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
    fan: tuple[QuantileBand, ...]
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
    left: Number | None = None
    over_by: int | None = None

    @property
    def short(self) -> Number | None:
        """The chance of ruin by a player who could still make some bet, or has one up.

        None if ``broke`` is not known.
        """
        return None if self.broke is None else max(self.ruin - self.broke, 0 * self.ruin)

    def headline(self) -> str:
        """Return the plan, the mean result and the method in one line."""
        goal = f", goal {show_percent(self.goal)}" if self.plan.goal is not None else ""
        length = f"{self.plan.rolls:,} rolls"
        if self.plan.shooters is not None:
            length = "1 shooter" if self.plan.shooters == 1 else f"{self.plan.shooters:,} shooters"
        return (
            f"{length} from {show_money(self.plan.bankroll)}: "
            f"{show_money(self.final.mean)} on average, sd {show_money(self.final.sd)}, "
            f"ruin {show_percent(self.ruin)}{goal}; {self.method}"
        )

    def to_table(self) -> ResultTable:
        """Return a table of each final worth with its chance."""
        return self.final.to_table()

    def draw_fan(self, title: str) -> str:
        """Return an SVG chart of the quantiles of the bankroll over the rolls."""
        plan = self.plan
        marks = [
            Mark(cents, label)
            for cents, label in (
                (plan.bankroll, "begins"),
                (plan.goal, "leaves a winner"),
                (plan.floor, "leaves a loser"),
            )
            if cents is not None and is_reachable(cents)
        ]
        return draw_fan(title, self.fan, QUANTILE_PERCENTS, marks)

    def _draw_svg(self, table: ResultTable, title: str) -> str:
        if len(self.fan) > 1:
            return self.draw_fan(f"The bankroll of {shorten(title, 60)} over the rolls")
        return super()._draw_svg(table, title)


class SampledSession(Session, frozen=True, kw_only=True):
    """A sampled session, with the mean of the highest and of the lowest worth.

    ``errors`` omits standard errors that cannot be estimated: all of them with fewer than
    MIN_TRIALS trials or if the strategy could not be explored further, and that of a share of 0 or
    1. ``reason`` says what stopped the run, other than Ctrl-C. ``under_way`` counts trials that
    were begun but are not in the result; often these are the longer ones. ``highest`` and
    ``lowest`` are None if the run was cut short and is reported as of an earlier roll. ``device``
    names the graphics card, if one was used.
    """

    highest: float | None
    lowest: float | None
    device: str = ""
    under_way: int = 0
    reason: str = ""


#: The parts of ruin that results report in addition to the ways to end.
_RUIN_FIELDS = ("short", "broke", "ever_short")
_ERROR_FIELDS = ("mean", *EARLY_ENDS, "rolls", *_RUIN_FIELDS)


class PlayedSession(NamedTuple):
    """A session's result, and the machine that it was computed from."""

    about: MachineOrigin
    session: Session


def session_json(played: PlayedSession, distribution: bool = False) -> dict[str, object]:
    """Return the JSON of one session: money as decimal strings, chances as fractions and floats.

    With ``distribution``, include every final worth and the quantiles at each checkpoint.
    """
    about, session = played
    plan, final = session.plan, session.final
    found: dict[str, object] = {
        **about.to_json(),
        "bankroll": to_dollars(plan.bankroll),
        "rolls_planned": plan.rolls,
        **({} if session.over_by is None else {"over_by": session.over_by}),
        "stop_win": None if plan.stop_win is None else to_dollars(plan.stop_win),
        "stop_loss": None if plan.stop_loss is None else to_dollars(plan.stop_loss),
        **({} if plan.shooters is None else {"shooters": plan.shooters}),
        "method": session.method,
        "open": session.open_wagers,
        "when_short": session.when_short,
        "mean": to_dollars(round(final.mean)),
        # None if the mean is rounded or sampled.
        "mean_exact": str(final.mean / 100)
        if session.method == "exact" and isinstance(final.mean, Fraction)
        else None,
        "mean_float": float(final.mean) / 100,
        "sd": to_dollars(round(final.sd)),
        "sd_float": final.sd / 100,
    }
    ends = EARLY_ENDS if plan.shooters is None else (*EARLY_ENDS, "left")
    for word in (*ends, *_RUIN_FIELDS, "rolls"):
        part: Number | None = getattr(session, word)
        found[word] = None if part is None else format_exact(part)
        found[f"{word}_float"] = None if part is None else float(part)
    found["quantiles"] = {str(each): to_dollars(final.quantile(each)) for each in QUANTILE_PERCENTS}
    found |= _sampling_json(session) if session.trials else {"arithmetic": session.arithmetic}
    if distribution:
        found |= _distribution_json(session)
    return found | {
        "interrupted": session.interrupted,
        "states": session.states,
        "seconds": round(session.seconds, 6),
    }


def _sampling_json(session: Session) -> dict[str, object]:
    """Return the JSON fields that only a sampled session has. Unknown errors are null."""
    errors: dict[str, float | None] = {key: session.errors.get(key) for key in _ERROR_FIELDS}
    if errors["mean"] is not None:
        errors["mean"] /= 100
    found: dict[str, object] = {"trials": session.trials, "seed": session.seed}
    found["standard_errors"] = errors
    if isinstance(session, SampledSession):
        high, low = session.highest, session.lowest
        found["highest_mean"] = None if high is None else to_dollars(round(high))
        found["lowest_mean"] = None if low is None else to_dollars(round(low))
        found["device"] = session.device or "cpu"
        found["under_way"] = session.under_way
        found["reason"] = session.reason or None
    return found


def _distribution_json(session: Session) -> dict[str, object]:
    final = session.final
    return {
        "distribution": [
            {
                "worth": to_dollars(round(worth)),
                "chance": format_exact(exact_ratio(weight, final.whole)),
            }
            for worth, weight in zip(final.worths, final.weights, strict=True)
        ],
        "fan": [
            {
                "roll": band.roll,
                "ruin_float": ruined,
                "quantiles": {
                    str(percent): to_dollars(worth)
                    for percent, worth in zip(QUANTILE_PERCENTS, band.worths, strict=True)
                },
            }
            for band, ruined in zip(session.fan, session.ruined, strict=True)
        ],
    }


def format_exact(value: Number) -> str:
    """Return a fraction, or all digits of a float, as text that ``Fraction`` can read.

    >>> format_exact(Fraction(7, 495)), format_exact(0.25)
    ('7/495', '0.25')
    """
    return str(value) if isinstance(value, Fraction) else repr(float(value))
