"""``passline machine``: a strategy at a table as a finite state machine, and its exact cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.cli.common import fail, print_error
from passline.cli.files import check_outputs, force_option
from passline.cli.progress import show_progress, watch_states
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.exact.long_run import LongRun
    from passline.lab.machine_report import MachineReport
    from passline.lab.machines.machine import Machine, SavedMachine

_MAX_STATES = 10**9
_LABEL_WIDTH = 15


@lab.declare(
    "passline machine pass-odds --rulebook new-jersey",
    lab.STRATEGY_ARGUMENT,
    lab.OPTIONAL_RULEBOOK,
    click.option("--save", "out", metavar="FILE", help="Save the machine, such as to it.npz."),
    lab.count_option(
        "--limit",
        "States to explore before giving up; 50,000 by default.",
        1,
        _MAX_STATES,
        metavar="STATES",
    ),
    lab.MEMORY_OPTION,
    force_option,
    saved_machines=True,
)
def command(
    strategy: str,
    house: House | None,
    out: str | None,
    limit: int | None,
    memory: int | None,
    dice: Dice,
) -> lab.Report:
    """Explore STRATEGY (a built-in name or file.py:function) into a finite machine.

    Prints how many states it has and whether these are all of them. If they are, prints the exact
    mean and deviation of a roll (with --dice, by other dice; a saved machine works for any dice). A
    saved machine (FILE.npz) is read instead of explored.
    """
    from passline.lab.machine_report import machine_json, report_machine

    check_outputs({"save": out})
    machine: Machine | SavedMachine
    if lab.is_saved_machine(strategy):
        if house or limit or memory:
            fail(f"{strategy} is a saved machine: it has its own rules and states")
        machine = lab.explore_machine(strategy, None, None)
    else:
        assert house is not None
        machine = explore_strategy(house, strategy, limit, memory)
    report = report_machine(machine, dice)

    def save() -> None:
        if out is not None:
            machine.save(out)
            print_error(f"wrote {out}")

    return lab.Report(
        json=lambda: machine_json(report) | lab.dice_json(dice),
        lines=lambda: (str(machine.about), *lab.fact_lines(_facts(report), _LABEL_WIDTH)),
        finish=save,
    )


def explore_strategy(
    house: House, strategy: str, limit: int | None = None, memory: int | None = None
) -> Machine:
    """Return the machine of a strategy at a house, explored up to ``limit`` states.

    ``memory`` is the most megabytes to use. Without ``limit``, a large machine that was explored
    before is read from the cache.
    """
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB, MAX_CLOSED_STATES
    from passline.lab.machines.machine_cache import load_cached, store_in_cache
    from passline.lab.strategy_machine import make_machine

    machine = make_machine(house, strategy, memory=memory or DEFAULT_MEMORY_MB)
    if limit is None and load_cached(machine):
        return machine
    with show_progress(machine.about.strategy) as bar:
        machine.close(limit or MAX_CLOSED_STATES, watch_states(bar))
    store_in_cache(machine)
    return machine


def _facts(report: MachineReport) -> Iterator[tuple[str, str]]:
    from passline.lab.machines.chain import MAX_SOLVED_STATES

    machine = report.machine
    if not machine.closed:
        yield "states", f"{machine.states:,} known, {machine.explored:,} of them explored"
        yield "closed", "no: it has more states than --limit allows"
        return
    yield "states", f"{machine.states:,}, of {report.lumped:,} kinds in money and chance"
    yield "closed", "yes"
    if report.long_run is None:
        yield "exact", f"not computed: over {MAX_SOLVED_STATES:,} states are too many"
        return
    yield from _long_run_facts(report.long_run, report.sd_rate)


def _long_run_facts(found: LongRun, sd_rate: float | None) -> Iterator[tuple[str, str]]:
    mean, need = found.mean, found.need
    text = str(mean)
    exact = text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters; see --json)"
    yield "mean a roll", f"{float(mean):+.4f} cents, exactly {exact}"
    yield "sd of a roll", f"{show_money(found.sd)}"
    if sd_rate is not None:
        yield "volatility", f"{show_money(sd_rate)} per square root of rolls, in the long run"
    yield "needed", f"{show_money(need)} on average, to cover its bets"
    yield "of that", f"{float(mean / need if need else 0):+.4%} a roll"
    if found.classes > 1:
        yield (
            "settles down",
            f"in {found.classes:,} ways that it never leaves: the figures weigh each by its chance",
        )
