"""``passline machine``: a strategy at a table as a finite machine, and what it comes to.

What a closed machine comes to, worked out for people and for scripts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click
import msgspec

from passline.cli.common import (
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    print_json,
    tell,
)
from passline.cli.files import check_outputs, force_option
from passline.cli.lab_options import (
    DICE_OPTION,
    dice_json,
    parse_count,
    parse_memory,
    read_dice_option,
    show_dice,
)
from passline.cli.progress import show_progress, watch_states
from passline.game.dice.dice import FAIR, Dice
from passline.game.money.amounts import show_money
from passline.lab.machines.chain import MAX_SOLVED_STATES as LARGEST_CHAIN

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.machines.chain import Chain
    from passline.lab.machines.machine import Machine, SavedMachine

#: States that can be asked for.
_MAX_STATES = 10**9


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
@DICE_OPTION
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
    from passline.lab.machines.bettor import MachineFileError, StrategyError

    check_outputs({"save": out})
    thrown = read_dice_option(dice)
    try:
        if strategy.endswith(".npz"):
            if rulebook or game or options or limit or memory:
                fail(f"{strategy} is a saved machine: its rules and its states are in it")
            machine: Machine | SavedMachine = _load_saved(strategy)
        else:
            if rulebook is None:
                fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
            with exit_on_house_error():
                from passline.game.house.load import house_for

                house = house_for(rulebook, game, options)
            states = parse_count("--limit", limit, 1, _MAX_STATES)
            machine = explore_strategy(house, strategy, states, parse_memory(memory))
        report = report_machine(machine, thrown)
        if as_json:
            print_json(machine_json(report) | dice_json(thrown))
        else:
            show_dice(thrown)
            click.echo("\n".join(lines(report)))
        if out is not None:
            machine.save(out)
            tell(f"wrote {out}")
    except (StrategyError, MachineFileError) as wrong:
        fail(str(wrong))


def _load_saved(path: str) -> SavedMachine:
    from passline.lab.machines.machine import load_machine

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
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB, MAX_CLOSED_STATES
    from passline.lab.strategies.load import load_strategy
    from passline.lab.strategy_machine import make_machine

    loaded = load_strategy(strategy)
    machine = make_machine(house, loaded.function, loaded.name, memory or DEFAULT_MEMORY_MB)
    with show_progress(loaded.name) as bar:
        machine.close(limit or MAX_CLOSED_STATES, watch_states(bar))
    return machine


class LongRunCost(msgspec.Struct, frozen=True):
    """Exact and per roll, in cents: the mean change, the least worth that covers what the strategy
    says (its wagers, vigorish and tokes) on average; the deviation; in how many ways play can
    settle down for good; and how fast the swings grow in the long run."""

    mean: Fraction
    needed: Fraction
    sd: float
    classes: int = 1
    sd_rate: float | None = None

    @property
    def share(self) -> Fraction:
        """What a roll changes, of what is needed."""
        return self.mean / self.needed if self.needed else Fraction(0)


def compute_cost(chain: Chain) -> LongRunCost | None:
    """What a strategy costs in the long run; None where that is too much to work out."""
    from passline.lab.exact.long_run import find_volatility, solve_long_run

    if len(chain) > LARGEST_CHAIN:
        return None
    whole = solve_long_run(chain)
    return LongRunCost(
        mean=whole.mean,
        needed=whole.need,
        sd=whole.sd,
        classes=whole.classes,
        sd_rate=find_volatility(chain, whole),
    )


class MachineReport(msgspec.Struct, frozen=True):
    """A machine's sizes, and what it comes to where it is closed."""

    machine: Any
    lumped: int | None
    cost: LongRunCost | None


def report_machine(machine: Machine | SavedMachine, dice: Dice = FAIR) -> MachineReport:
    """Work out what a machine comes to."""
    if not machine.closed:
        return MachineReport(machine, None, None)
    chain = machine.chain(dice=dice)
    return MachineReport(machine, len(chain), compute_cost(chain))


def cost_json(cost: LongRunCost | None) -> dict[str, object]:
    """Per roll, in cents: fractions as text, with numbers beside them."""
    if cost is None:
        return dict.fromkeys(_COST_KEYS)
    figures = (str(cost.mean), float(cost.mean), cost.sd, str(cost.needed), float(cost.needed))
    return dict(zip(_COST_KEYS, (*figures, cost.classes, cost.sd_rate), strict=True))


_COST_KEYS = (
    "exact_mean_per_roll",
    "mean_per_roll",
    "sd_per_roll",
    "exact_needed",
    "needed",
    "classes",
    "sd_rate",
)


def machine_json(report: MachineReport) -> dict[str, object]:
    """A report as one JSON object."""
    machine = report.machine
    return {
        **msgspec.to_builtins(machine.about),
        "states": machine.states,
        "explored": machine.explored,
        "closed": machine.closed,
        "lumped": report.lumped,
        **cost_json(report.cost),
    }


def lines(report: MachineReport) -> Iterator[str]:
    """A report for people."""
    machine, cost = report.machine, report.cost
    yield str(machine.about)
    if not machine.closed:
        yield f"  states         {machine.states:,} known, {machine.explored:,} of them explored"
        yield "  closed         no: it has more states than were looked for (--limit)"
        return
    yield f"  states         {machine.states:,}, of {report.lumped:,} kinds in money and chance"
    yield "  closed         yes"
    if cost is None:
        yield f"  exact          not worked out: over {LARGEST_CHAIN:,} states are too many"
        return
    yield f"  mean a roll    {float(cost.mean):+.4f} cents, exactly {_fraction_text(cost.mean)}"
    yield f"  sd of a roll   {show_money(cost.sd)}"
    if cost.sd_rate is not None:
        yield f"  swings         {show_money(cost.sd_rate)} times the root of the rolls, in the end"
    yield f"  needed         {show_money(cost.needed)} on average, for what it says"
    yield f"  of that        {float(cost.share):+.4%} a roll"
    if cost.classes > 1:
        yield (
            f"  settles down   in {cost.classes:,} ways, never to leave them: each counts above by "
            "its chance"
        )


def _fraction_text(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters; see --json)"
