"""Report on one machine (a strategy as a finite state machine): its size and its long run.

The long run is the exact mean and deviation per roll. ``passline machine`` and ``passline
strategies`` show the report. Money is in cents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.lab.machines.chain import MAX_SOLVED_STATES

if TYPE_CHECKING:
    from passline.lab.exact.long_run import LongRun
    from passline.lab.machines.machine import Machine, SavedMachine

_COST_KEYS = (
    *("exact_mean_per_roll", "mean_per_roll", "sd_per_roll", "exact_needed", "needed"),
    *("classes", "sd_rate"),
)


class MachineReport(msgspec.Struct, frozen=True):
    """A machine and, if it is completely explored, figures of its long run.

    ``lumped`` is the number of its states after equivalent ones are merged. ``long_run`` is in
    cents, and None if there are too many states to solve. ``sd_rate`` is the long-run volatility in
    cents per square root of rolls.
    """

    machine: Any
    lumped: int | None = None
    long_run: LongRun | None = None
    sd_rate: float | None = None


def report_machine(machine: Machine | SavedMachine, dice: Dice = FAIR) -> MachineReport:
    """Return the report on a machine, with its long run if it is completely explored."""
    if not machine.closed:
        return MachineReport(machine)
    from passline.lab.exact.long_run import find_volatility, solve_long_run

    chain = machine.chain(dice=dice)
    if len(chain) > MAX_SOLVED_STATES:
        return MachineReport(machine, len(chain))
    whole = solve_long_run(chain)
    return MachineReport(
        machine=machine, lumped=len(chain), long_run=whole, sd_rate=find_volatility(chain, whole)
    )


def long_run_json(report: MachineReport) -> dict[str, object]:
    """Return the JSON fields of a long run: cents per roll, as fractions in text and as floats."""
    found = report.long_run
    if found is None:
        return dict.fromkeys(_COST_KEYS)
    figures = (str(found.mean), float(found.mean), found.sd, str(found.need), float(found.need))
    return dict(zip(_COST_KEYS, (*figures, found.classes, report.sd_rate), strict=True))


def machine_json(report: MachineReport) -> dict[str, object]:
    """Return the JSON object of ``passline machine``."""
    machine = report.machine
    return {
        **msgspec.to_builtins(machine.about),
        "states": machine.states,
        "explored": machine.explored,
        "closed": machine.closed,
        "lumped": report.lumped,
        **long_run_json(report),
    }
