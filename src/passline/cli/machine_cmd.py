"""``passline machine``: a strategy at a table as a finite machine, and what it comes to."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import click

from passline.cli.common import (
    election_option,
    fail,
    game_option,
    house_errors,
    print_json,
    tell,
)
from passline.cli.lab_options import DICE, dice_json, dice_of, show_dice
from passline.cli.outputs import check_outputs, force_option
from passline.cli.progress import count_states, show_progress
from passline.cli.strategy_options import memory_of, read_count

if TYPE_CHECKING:
    from passline.house import House
    from passline.machines import Machine, SavedMachine

#: States that can be asked for.
_MOST = 10**9


@click.command(epilog="\b\nExample:\n  passline machine pass-odds --rulebook new-jersey")
@click.argument("strategy", metavar="STRATEGY|FILE.npz")
@click.option("--rulebook", metavar="RULEBOOK|FILE", help="A rulebook, or a house-rules file.")
@game_option
@election_option
@click.option("--save", "out", metavar="FILE", help="Save the machine to FILE (such as it.npz).")
@click.option(
    "--limit",
    metavar="STATES",
    help="States to look for before giving up; 50,000 by default.",
)
@click.option(
    "--memory",
    metavar="MB",
    help="Megabytes that the machine may take; 128 by default.",
)
@DICE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@force_option
def command(
    strategy: str,
    rulebook: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    out: str | None,
    limit: str | None,
    memory: str | None,
    dice: str | None,
    as_json: bool,
    force: bool,
) -> None:
    """Explore STRATEGY (a built-in's name or file.py:function) into a finite machine.

    Prints how many states it has, whether that is all of them, and, where it is, the exact mean
    and the deviation of a roll (by other dice, with --dice; what is saved is for any). A saved
    machine (FILE.npz) is read instead of explored.
    """
    from passline.cli import machine_view
    from passline.machines import MachineFileError, StrategyError

    check_outputs({"save": out})
    thrown = dice_of(dice)
    try:
        if strategy.endswith(".npz"):
            if rulebook or game or options or limit or memory:
                fail(f"{strategy} is a saved machine: its rules and its states are in it")
            machine: Machine | SavedMachine = _loaded(strategy)
        else:
            if rulebook is None:
                fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
            with house_errors():
                from passline.house.files import house_for

                house = house_for(rulebook, game, options)
            states = read_count("--limit", limit, 1, _MOST)
            machine = explore_strategy(house, strategy, states, memory_of(memory))
        report = machine_view.report_on(machine, thrown)
        if as_json:
            print_json(machine_view.machine_json(report) | dice_json(thrown))
        else:
            show_dice(thrown)
            click.echo("\n".join(machine_view.lines(report)))
        if out is not None:
            machine.save(out)
            tell(f"wrote {out}")
    except (StrategyError, MachineFileError) as wrong:
        fail(str(wrong))


def _loaded(path: str) -> SavedMachine:
    from passline.machines import load_machine

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        machine = load_machine(path)
    for warning in warned:
        tell(f"note: {warning.message}")
    return machine


def explore_strategy(
    house: House, strategy: str, limit: int | None = None, memory: int | None = None
) -> Machine:
    """The machine of a strategy at a house, explored as far as its limit."""
    from passline.lab import seat_strategy
    from passline.machines import MEMORY
    from passline.machines.machine import CLOSE_AT
    from passline.strategies import load_strategy

    loaded = load_strategy(strategy)
    machine = seat_strategy(house, loaded.function, loaded.name, memory or MEMORY)
    with show_progress(loaded.name) as bar:
        machine.close(limit or CLOSE_AT, count_states(bar))
    return machine
