"""Report on one machine: its sizes, and its exact mean and deviation per roll in the long run.

``passline machine`` and ``passline strategies`` show the report. Money is in cents.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.chain import MAX_SOLVED_STATES

if TYPE_CHECKING:
    from passline.lab.machines.chain import Chain
    from passline.lab.machines.machine import Machine, SavedMachine

_COST_KEYS = (
    "exact_mean_per_roll",
    "mean_per_roll",
    "sd_per_roll",
    "exact_needed",
    "needed",
    "classes",
    "sd_rate",
)


class LongRunCost(msgspec.Struct, frozen=True):
    """What a strategy costs per roll in the long run, exactly, in cents.

    ``mean``: the mean change of money. ``needed``: the mean of the smallest rail that covers what
    the strategy bets (wagers, vigorish and tokes). ``sd``: the deviation of one roll. ``classes``:
    the number of sets of states that play can enter and never leave. ``sd_rate``: the long-run
    deviation, per square root of rolls.
    """

    mean: Fraction
    needed: Fraction
    sd: float
    classes: int = 1
    sd_rate: float | None = None

    @property
    def share(self) -> Fraction:
        """The mean change as a share of what is needed."""
        return self.mean / self.needed if self.needed else Fraction(0)


class MachineReport(msgspec.Struct, frozen=True):
    """A machine; if it is closed, also its number of merged states and its cost."""

    machine: Any
    lumped: int | None
    cost: LongRunCost | None


def compute_long_run_cost(chain: Chain) -> LongRunCost | None:
    """Return what a strategy costs in the long run; None if the chain has too many states."""
    from passline.lab.exact.long_run import find_volatility, solve_long_run

    if len(chain) > MAX_SOLVED_STATES:
        return None
    whole = solve_long_run(chain)
    return LongRunCost(
        mean=whole.mean,
        needed=whole.need,
        sd=whole.sd,
        classes=whole.classes,
        sd_rate=find_volatility(chain, whole),
    )


def report_machine(machine: Machine | SavedMachine, dice: Dice = FAIR) -> MachineReport:
    """Return the report on a machine, with its cost if it is closed."""
    if not machine.closed:
        return MachineReport(machine, None, None)
    chain = machine.chain(dice=dice)
    return MachineReport(machine, len(chain), compute_long_run_cost(chain))


def long_run_json(cost: LongRunCost | None) -> dict[str, object]:
    """Return the JSON fields of a cost: cents per roll, as fractions in text and as floats."""
    if cost is None:
        return dict.fromkeys(_COST_KEYS)
    figures = (str(cost.mean), float(cost.mean), cost.sd, str(cost.needed), float(cost.needed))
    return dict(zip(_COST_KEYS, (*figures, cost.classes, cost.sd_rate), strict=True))


def machine_json(report: MachineReport) -> dict[str, object]:
    """Return the JSON object of ``passline machine``."""
    machine = report.machine
    return {
        **msgspec.to_builtins(machine.about),
        "states": machine.states,
        "explored": machine.explored,
        "closed": machine.closed,
        "lumped": report.lumped,
        **long_run_json(report.cost),
    }
