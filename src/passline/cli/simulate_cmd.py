"""``passline simulate``: a strategy's rolls by the million, the exact answer beside them."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from passline.cli.cluster_option import DASK, join_cluster
from passline.cli.common import election_option, fail, game_option
from passline.cli.device_option import DEVICE, card_asked
from passline.cli.lab_options import DICE, show_dice
from passline.cli.plan_rolls import CORES, PLAN, PRICE, check_plan_options, plan_machines
from passline.cli.progress import note_compiling, show_progress
from passline.cli.simulate_args import RollsAsked, read_rolls_asked
from passline.cli.strategy_options import (
    COMPARE,
    JSON,
    MEGABYTES,
    PLOT,
    SOURCE,
    WORKERS,
    check_plot,
    house_at,
    is_saved,
    machine_of,
    note,
    save_plot,
)

if TYPE_CHECKING:
    from passline.dice import Dice
    from passline.house import House
    from passline.lab.simulations import Simulation
    from passline.machines import Machine, SavedMachine
    from passline.simulation.gpu import GraphicsCard
    from passline.simulation.workers import Workers


@click.command(
    epilog="\b\nExample:\n  passline simulate pass-odds --rulebook new-jersey --rolls 1e8 --seed 7"
)
@click.argument("strategy", metavar="STRATEGY|FILE.npz")
@SOURCE
@click.option("--rolls", metavar="N", required=True, help="Rolls to play, such as 1e9.")
@click.option("--seed", metavar="N", help="Of the dice: the same rolls again.")
@WORKERS
@DASK
@DEVICE
@PLAN
@CORES
@PRICE
@DICE
@COMPARE
@PLOT
@game_option
@election_option
@MEGABYTES
@JSON
def command(strategy: str, **given: Any) -> None:
    """Play STRATEGY for N rolls and show what it nets, with the exact answer beside it.

    STRATEGY is a built-in's name, file.py:function, or a saved machine. The same seed gives the
    same result on any number of workers. Ctrl-C keeps what was played. With --plan, nothing but a
    sample is played: what so many rolls would take, cost and tell.
    """
    check_plan_options(given)
    asked = read_rolls_asked(given)
    card = card_asked(asked.device)
    names = (strategy, *given["others"])
    if given["plot"]:
        check_plot(given["plot"], names)
    house = house_at(given["source"], given["game"], given["options"])
    if given["memory"] is not None and all(map(is_saved, names)):
        note("--memory has no effect: a saved machine is as large as it is")
    machines, exploring = _explored(names, house, asked.memory)
    if given["plan"]:
        with note_compiling():
            plan_machines(machines, asked, card, given)
        return
    with note_compiling(), ExitStack() as stack:
        cluster = join_cluster(asked.dask, stack)
        found, wrong = _simulated(machines, asked, cluster, card)
    if not found:
        fail(wrong)
    found = [
        replace(each, exploring_seconds=each.exploring_seconds + before)
        for each, before in zip(found, exploring, strict=False)
    ]
    undrawn = save_plot(given["plot"], lambda path: _plot(path, found))
    _show(found, given["as_json"], asked.dice)
    if wrong or undrawn:
        fail("; ".join(filter(None, (wrong, undrawn))))


def _explored(
    names: tuple[str, ...], house: House | None, memory: int
) -> tuple[list[Machine | SavedMachine], list[float]]:
    """The machine of each strategy, and the seconds that exploring it took."""
    machines, taken = [], []
    for name in names:
        began = time.perf_counter()
        machines.append(machine_of(name, house, memory))
        taken.append(time.perf_counter() - began)
    return machines, taken


def _simulated(
    machines: list[Machine | SavedMachine],
    asked: RollsAsked,
    cluster: Workers | None,
    card: GraphicsCard | None,
) -> tuple[list[Simulation], str]:
    """A run of each machine; where one fails or is broken off, those so far, and why."""
    from passline.cli.simulate_view import watch_rolls
    from passline.lab.simulations import simulate
    from passline.simulation.workers import WorkersLost

    found: list[Simulation] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            with show_progress(name) as bar:
                each = simulate(
                    machine,
                    asked.rolls,
                    seed=asked.seed,
                    workers=asked.workers,
                    executor=cluster,
                    card=card,
                    dice=asked.dice,
                    watch=watch_rolls(bar, asked.rolls),
                )
        except KeyboardInterrupt:
            return found, _nothing(name, "interrupted")
        except Exception as wrong:
            if card is not None and isinstance(wrong, ValueError):
                return found, f"--device gpu: {name}: {wrong}"
            if cluster is None:
                if isinstance(wrong, ValueError) and not asked.dice.fair:
                    return found, f"--dice: {name}: {wrong}"
                raise
            return found, _nothing(name, f"--dask: {WorkersLost(wrong, cluster.who)}")
        why = each.reason or "interrupted"
        if cluster and each.reason:
            why = f"--dask: {why}"
        if not each.rolls:
            return found, _nothing(name, why)
        found.append(each)
        if each.interrupted:
            done = f"{each.rolls:,} of {asked.rolls:,} rolls"
            return found, f"{why}; shown is what was done, {done}"
    return found, ""


def _nothing(name: str, why: str) -> str:
    return f"{why}: no roll of {name} was played"


def _show(found: list[Simulation], as_json: bool, dice: Dice) -> None:
    from passline.cli import simulate_view as view

    if as_json:
        view.print_simulations(found, dice)
    else:
        show_dice(dice)
        view.show_simulations(found)


def _plot(path: str, found: list[Simulation]) -> None:
    from passline.charts import heading, save_simulation

    named = [(each.about.strategy, each) for each in found]
    save_simulation(path, named, heading([each.about for each in found]))
