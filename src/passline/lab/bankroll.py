"""Find the smallest bankroll with which a strategy is ruined no more often than a given chance.

A player is ruined when rail plus bets no longer cover the strategy's next bets. A strategy does not
see its chips, so a larger bankroll never makes ruin more likely. Money is in cents.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.lab import say_lab
from passline.lab.exact.bankroll_grid import build_grid, find_roll_deviation
from passline.lab.exact.ruin_by_bankroll import RuinCurve, solve_ruin_curve
from passline.lab.machines.chain import Chain
from passline.lab.machines.machine import Machine, SavedMachine
from passline.lab.machines.origin import MachineOrigin
from passline.lab.results import LabResult, ResultTable, make_columns, show_percent
from passline.lab.sessions.plan_and_result import MAX_BANKROLL, Plan
from passline.lab.simulate import check_number
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.policy import Policy
from passline.lab.strategy_machine import explore_machine, make_machine

#: The name of a policy of ``passline best`` begins with this.
POLICY_PREFIX = "best:"
#: The longest session, in rolls.
MAX_ROLLS = 10**6
#: Above the bankroll that is found, this many standard deviations are computed too: a session that
#: wins so much is ruined less than once in 10^27.
_DEVIATIONS = 11.1
#: About how many bankrolls the curve has.
_CURVE_POINTS = 60


class RuinRow(msgspec.Struct, frozen=True):
    """A bankroll (cents), and the chance of ruin after each number of rolls in ``checkpoints``.

    ``checkpoints`` is a field of the result that this row belongs to.
    """

    bankroll: int
    ruin: tuple[float, ...]


class BankrollResult(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The bankroll that a strategy needs for a chance of ruin. Money is in cents.

    * ``least``: the least bankroll in whole chips with a chance of ruin of at most ``target``;
      ``ruin`` is its chance. ``ruin_below`` is the chance from ``below``, one chip less.
    * ``bankroll``: a bankroll that the caller asked about, and its chance ``bankroll_ruin``.
      ``multiple`` is how many times as large all bets may be with it; 0 means it is too small. This
      supposes that larger bets pay in proportion and are within the maximum.
    * ``rolls``: the length of the session. ``checkpoints``: the numbers of rolls of the ``curve``.
    """

    about: MachineOrigin
    rolls: int
    rolls_per_hour: int
    target: Fraction
    least: int
    ruin: float
    below: int
    ruin_below: float
    checkpoints: tuple[int, ...]
    curve: tuple[RuinRow, ...]
    bankroll: int | None = None
    bankroll_ruin: float | None = None
    multiple: int | None = None

    def headline(self) -> str:
        """Return one line: the least bankroll, and how many times its bets ``bankroll`` allows."""
        found = (
            f"{self.about.strategy}, {self.rolls:,} rolls: {show_dollars(self.least)} for a chance "
            f"of ruin of at most {show_percent(self.target)}"
        )
        if self.bankroll is not None:
            found += f"; {show_dollars(self.bankroll)} allows {self.multiple} times its bets"
        return f"{found}; exact"

    def to_table(self) -> ResultTable:
        """Return a table of bankrolls with the chance of ruin at each checkpoint."""
        names = [self.describe_checkpoint(rolls) for rolls in self.checkpoints]
        columns = make_columns(bankroll="money")
        columns.update((name, "share") for name in names)
        return ResultTable(
            columns,
            [(row.bankroll, *row.ruin) for row in self.curve],
            x_column="bankroll",
            y_column=names[-1],
            as_line=True,
        )

    def describe_checkpoint(self, rolls: int) -> str:
        """Return the name of a checkpoint: hours if it is whole hours, otherwise rolls."""
        if rolls % self.rolls_per_hour:
            return "1 roll" if rolls == 1 else f"{rolls:,} rolls"
        hours = rolls // self.rolls_per_hour
        return "1 hour" if hours == 1 else f"{hours:,} hours"


def bankroll(
    house: House | str,
    strategy: Strategy | str,
    *,
    hours: int = 4,
    rolls_per_hour: int = 100,
    rolls: int | None = None,
    ruin: Fraction | float = Fraction(1, 20),
    bankroll: int | None = None,
    dice: Dice = FAIR,
) -> BankrollResult:
    """Return a result with the least bankroll for a chance of ruin of at most ``ruin``.

    The session lasts ``rolls`` rolls, or ``hours`` of ``rolls_per_hour``. With ``bankroll`` (cents)
    also return how many times as large the bets may be. Raise ValueError, with a message of one
    line, for input that makes no sense, or a strategy with too many states.

    >>> found = bankroll("new-jersey", lambda view: "field for 5", rolls=2, ruin=0.5)
    >>> found.least, round(found.ruin, 12)
    (1000, 0.308641975309)
    """
    if isinstance(strategy, Policy):
        raise ValueError(say_lab("bankroll-policy"))
    dealt = as_house(house)
    made = make_machine(dealt, strategy)
    explore_machine(made)
    length = hours * rolls_per_hour if rolls is None else rolls
    return find_bankroll(
        made,
        length,
        Fraction(ruin),
        rolls_per_hour=rolls_per_hour,
        bankroll=bankroll,
        chip=dealt.chip,
        dice=dice,
    )


def find_bankroll(
    machine: Machine | SavedMachine,
    rolls: int,
    ruin: Fraction,
    *,
    rolls_per_hour: int = 100,
    bankroll: int | None = None,
    chip: int = 100,
    dice: Dice = FAIR,
    watch: Callable[[int, int], None] | None = None,
) -> BankrollResult:
    """Return a result with the least bankroll for a chance of ruin of at most ``ruin``.

    ``rolls`` is the length of the session; the result also has the chances after some hours of
    ``rolls_per_hour`` rolls. The bankroll is rounded up to whole chips of ``chip`` cents. With
    ``bankroll`` (cents), also report its chance of ruin. ``watch`` is called with the rolls done
    and the rolls in all. Raise ValueError for input out of range, a machine that is not completely
    explored, a policy of ``passline best`` (it plays for one bankroll), or too much work.
    """
    check_number("rolls", rolls, 1, MAX_ROLLS)
    check_number("rolls per hour", rolls_per_hour, 1, MAX_ROLLS)
    if not 0 <= ruin < 1:
        raise ValueError(f"a chance of ruin of {show_percent(ruin)}: expected 0% to less than 100%")
    if bankroll is not None and not 0 < bankroll <= MAX_BANKROLL:
        raise ValueError(f"a bankroll of {show_dollars(bankroll)}: expected more than zero")
    if machine.about.strategy.startswith(POLICY_PREFIX):
        raise ValueError(say_lab("bankroll-policy"))
    if not machine.closed:
        raise ValueError(say_lab("bankroll-unexplored", states=machine.states))
    chain = machine.chain(dice=dice)
    checkpoints = _choose_hours(rolls, rolls_per_hour)
    curve = _solve_curve(chain, checkpoints, float(ruin), bankroll or 0, watch)
    # A chance that is too small for doubles is not zero.
    first = curve.find_least(float(ruin)) if ruin else find_safe_bankroll(chain, rolls)
    assert first is not None, "the largest bankroll is safe"
    least = -(-first // chip) * chip
    multiple = None if bankroll is None else bankroll // first if first else 0
    largest = max(2 * least, chip)
    step = _round_step(largest, chip)
    amounts = {*range(step, largest + step, step), least, *([bankroll] if bankroll else [])}
    return BankrollResult(
        about=machine.about,
        rolls=rolls,
        rolls_per_hour=rolls_per_hour,
        target=ruin,
        least=least,
        ruin=curve.find_chances(least)[-1],
        below=least - chip,
        ruin_below=curve.find_chances(least - chip)[-1],
        checkpoints=checkpoints,
        curve=tuple(RuinRow(one, tuple(curve.find_chances(one))) for one in sorted(amounts)),
        bankroll=bankroll,
        bankroll_ruin=None if bankroll is None else curve.find_chances(bankroll)[-1],
        multiple=multiple,
    )


def find_safe_bankroll(chain: Chain, rolls: int) -> int:
    """Return the least bankroll in cents that no rolls can ruin: the worst ones are survived.

    >>> from passline.lab.strategy_machine import machine
    >>> find_safe_bankroll(machine("new-jersey", "pass").chain(), 400)
    401000
    """
    target, money = np.array([(arc.next, arc.money) for ways in chain.arcs for arc in ways]).T
    starts = np.cumsum([0, *map(len, chain.arcs)])[:-1]
    safe = need = np.array(chain.need, np.int64)
    for _ in range(rolls):
        safe = np.maximum(need, np.maximum.reduceat(safe[target] - money, starts))
    return int(safe[chain.start])


def _choose_hours(rolls: int, rolls_per_hour: int, most: int = 6) -> tuple[int, ...]:
    """Return at most ``most`` numbers of rolls to report: whole hours and the last roll.

    The hours are evenly spaced.

    >>> _choose_hours(400, 100), _choose_hours(250, 100), _choose_hours(1200, 100)
    ((100, 200, 300, 400), (100, 200, 250), (200, 400, 600, 800, 1000, 1200))
    """
    step = -(-rolls // (most * rolls_per_hour)) * rolls_per_hour
    return (*range(step, rolls, step), rolls)


def _round_step(largest: int, chip: int) -> int:
    """Return the step in cents between the bankrolls of a report that goes up to ``largest``.

    The step is a round amount in whole chips, about one sixtieth of ``largest``.
    """
    step = chip
    while step * _CURVE_POINTS < largest:
        tens = 10 ** (len(str(step // chip)) - 1)
        step += tens * chip if (step // chip) // tens < 5 else 5 * tens * chip
    return step


def _solve_curve(
    chain: Chain,
    checkpoints: tuple[int, ...],
    ruin: float,
    bankroll: int,
    watch: Callable[[int, int], None] | None,
) -> RuinCurve:
    """Return the chance of ruin for every bankroll up to a limit that this function chooses.

    The limit is above ``bankroll`` (cents) and above the least bankroll with a chance of at most
    ``ruin``, unless no session can lose so much. Raise ValueError if the curve takes too much work.
    """
    rolls, most = checkpoints[-1], max(chain.need)
    worst = most + rolls * max(max(-arc.money for ways in chain.arcs for arc in ways), 0)
    grid = build_grid(chain, Plan(most, rolls))
    spread = int(_DEVIATIONS * find_roll_deviation(grid) * grid.unit * rolls**0.5) + most
    top = min(worst, max(2 * spread, bankroll + spread)) if ruin else max(worst, bankroll)
    while True:
        curve = solve_ruin_curve(chain, checkpoints, top, watch)
        if curve is None:
            raise ValueError(say_lab("bankroll-too-long", rolls=rolls))
        # The curve is exact if a session that rises above it is practically never ruined.
        if top >= worst or (curve.find_least(ruin) or top) + spread <= top:
            return curve
        top = min(worst, 2 * top)


def bankroll_json(found: BankrollResult) -> dict[str, Any]:
    """Return the JSON of ``passline bankroll`` as a dict, with dollars as decimal strings."""
    given = found.bankroll
    return {
        **found.about.to_json(),
        "rolls": found.rolls,
        "rolls_per_hour": found.rolls_per_hour,
        "target": float(found.target),
        "least": to_dollars(found.least),
        "ruin": found.ruin,
        "below": to_dollars(found.below),
        "ruin_below": found.ruin_below,
        "bankroll": None if given is None else to_dollars(given),
        "bankroll_ruin": found.bankroll_ruin,
        "multiple": found.multiple,
        "checkpoints": list(found.checkpoints),
        "curve": [
            {"bankroll": to_dollars(row.bankroll), "ruin": list(row.ruin)} for row in found.curve
        ],
        "method": "exact, in doubles",
    }
