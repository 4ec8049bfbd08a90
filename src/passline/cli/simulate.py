"""What ``passline simulate`` is asked: its numbers, read and checked.

``passline simulate --plan``: what so many rolls would take and tell, before they are played.

``passline simulate``: a strategy's rolls by the million, the exact answer beside them.

Simulations shown: one JSON object for scripts, a few lines for people.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec.structs import replace

from passline.cli.common import election_option, fail, game_option, print_json
from passline.cli.lab_options import (
    COMPARE_OPTION,
    DASK_OPTION,
    DEVICE_OPTION,
    DICE_OPTION,
    JSON_OPTION,
    MEMORY_OPTION,
    PLOT_OPTIONS,
    RULEBOOK_OPTION,
    WORKERS_OPTION,
    check_plot,
    dice_json,
    explore_machine,
    find_house,
    is_ascii_output,
    is_saved_machine,
    join_cluster,
    note,
    open_requested_card,
    parse_count,
    parse_memory,
    parse_seed,
    parse_workers,
    read_dice_option,
    save_plot,
    show_dice,
)
from passline.cli.progress import note_compiling, show_progress
from passline.game.dice.dice import FAIR, Dice
from passline.game.money.amounts import show_dollars

if TYPE_CHECKING:
    from passline.cli.progress import ProgressBar
    from passline.game.house.house import House
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.simulate import Simulation, SimulationEstimate
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.rolls import PlayedRolls, WatchRolls
    from passline.lab.simulation.workers import Workers


class SimulationRequest(NamedTuple):
    """The run that is meant."""

    rolls: int
    seed: int | None
    workers: int | None
    dask: str | None
    memory: int
    device: str
    dice: Dice


def read_simulation_request(given: dict[str, Any]) -> SimulationRequest:
    """The options as they are meant; what makes no sense ends the command."""
    from passline.lab.simulate import MAX_ROLLS

    if given["workers"] is not None and given["dask"] is not None:
        fail("--workers are this machine's, --dask brings its own: give one of them")
    if given["device"] == "gpu":
        for option in ("workers", "dask"):
            if given[option] is not None:
                fail(f"--{option} are processors, --device gpu is a card: give one of them")
    return SimulationRequest(
        rolls=parse_count("--rolls", given["rolls"], 1, MAX_ROLLS) or 0,
        seed=parse_seed(given["seed"]),
        workers=parse_workers(given["workers"]),
        dask=given["dask"],
        memory=parse_memory(given["memory"]),
        device=given["device"],
        dice=read_dice_option(given["dice"]),
    )


PLAN_OPTION = click.option("--plan", is_flag=True, help="Do not play: tell time, cost and error.")
CORES_OPTION = click.option(
    "--cores", metavar="N", help="With --plan: cores, or cards, to play on."
)
PRICE_OPTION = click.option(
    "--price", metavar="DOLLARS", help="With --plan: what one costs for an hour."
)
_DAY, _HOUR, _MINUTE = 86400, 3600, 60


def show_plans(
    machines: list[Machine | SavedMachine],
    asked: SimulationRequest,
    card: GraphicsCard | None,
    given: dict[str, Any],
) -> None:
    """A plan for each machine, shown."""
    from passline.lab.simulate import MAX_CORES, estimate_simulation

    cores = parse_count("--cores", given["cores"], 1, MAX_CORES) or 1
    price = _parse_price(given["price"])
    found = [
        estimate_simulation(
            machine,
            asked.rolls,
            cores=cores,
            price=price,
            seed=asked.seed,
            card=card,
            dice=asked.dice,
        )
        for machine in machines
    ]
    if given["as_json"]:
        first, *others = map(plan_json, found)
        print_json(first | ({"compared": others} if others else {}))
        return
    for each in found:
        click.echo("\n".join(_plan_lines(each)))


def check_plan_options(given: dict[str, Any]) -> None:
    """End the command where its options do not go together."""
    if not given["plan"]:
        for option in ("cores", "price"):
            if given[option] is not None:
                fail(f"--{option} goes with --plan, which plays nothing")
        return
    for option in ("workers", "dask", "plot"):
        if given[option] is not None:
            fail(f"--plan plays nothing: --{option} has nothing to do")


def _parse_price(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        price = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        price = Decimal(-1)
    if not price.is_finite() or not 0 < price < 10**6:
        fail(f"--price {text[:40]!r}: expected dollars for an hour, such as 0.04")
    return float(price)


def plan_json(plan: SimulationEstimate) -> dict[str, object]:
    """One plan: the error in cents a roll, the cost in dollars."""
    sample = plan.sample
    return {
        "strategy": sample.about.strategy,
        "rulebook": sample.about.rulebook,
        "game": sample.about.game,
        "elections": sample.about.elections,
        "method": "planned",
        "rolls": plan.rolls,
        "cores": plan.cores,
        "hours": plan.hours,
        "seconds": plan.seconds,
        "price": plan.price,
        "cost": plan.cost,
        "standard_error": plan.standard_error,
        "error_from": plan.error_from,
        "sd_rate": sample.sd_rate,
        "exact_mean_per_roll_float": None if sample.exact is None else float(sample.exact.mean),
        "rolls_per_second": sample.rolls_per_second,
        "sample_rolls": sample.rolls,
        "device": sample.device or "cpu",
    }


def _plan_lines(plan: SimulationEstimate) -> list[str]:
    sample = plan.sample
    one = "card" if sample.device else "core"
    lines = [
        f"{sample.about.strategy}: {plan.rolls:,} rolls planned, none of them played",
        f"  speed      {sample.rolls_per_second:.3g} rolls a second on one {one}, "
        f"as {sample.rolls:,} just showed",
        f"  time       {_clock(plan.seconds)} on {plan.cores:,} {one}s "
        f"({plan.hours:,.4g} {one}-hours)",
    ]
    if plan.cost is not None and plan.price is not None:
        lines.append(
            f"  cost       {show_dollars(round(plan.cost * 100))} at ${plan.price:g} a {one}-hour"
        )
    if plan.standard_error is None:
        lines.append("  error      cannot be told from so few rolls")
        return lines
    how = "exact, from the chain" if plan.error_from == "chain" else "by the sample"
    lines.append(f"  error      {plan.standard_error:.3g} cents a roll, one standard error ({how})")
    if sample.exact is not None and sample.exact.mean:
        mean = float(sample.exact.mean)
        share = plan.standard_error / abs(mean)
        lines.append(f"  mean       {mean:.4f} cents a roll, exact: the error is {share:.2g} of it")
    return lines


def _clock(seconds: float) -> str:
    """A time as people say it.

    >>> _clock(3.25), _clock(7200), _clock(400_000)
    ('3.2 seconds', '2.0 hours', '4.6 days')
    """
    for size, word in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
        if seconds >= 2 * size or (size == _MINUTE and seconds >= size):
            return f"{seconds / size:,.1f} {word}"
    return f"{seconds:,.1f} seconds"


@click.command(
    epilog="\b\nExample:\n  passline simulate pass-odds --rulebook new-jersey --rolls 1e8 --seed 7"
)
@click.argument("strategy", metavar="STRATEGY|FILE.npz")
@RULEBOOK_OPTION
@click.option("--rolls", metavar="N", required=True, help="Rolls to play, such as 1e9.")
@click.option("--seed", metavar="N", help="Of the dice: the same rolls again.")
@WORKERS_OPTION
@DASK_OPTION
@DEVICE_OPTION
@PLAN_OPTION
@CORES_OPTION
@PRICE_OPTION
@DICE_OPTION
@COMPARE_OPTION
@PLOT_OPTIONS
@game_option
@election_option
@MEMORY_OPTION
@JSON_OPTION
def command(strategy: str, **given: Any) -> None:
    """Play STRATEGY for N rolls and show what it nets, with the exact answer beside it.

    STRATEGY is a built-in's name, file.py:function, or a saved machine. The same seed gives the
    same result on any number of workers. Ctrl-C keeps what was played. With --plan, nothing but a
    sample is played: what so many rolls would take, cost and tell.
    """
    check_plan_options(given)
    asked = read_simulation_request(given)
    card = open_requested_card(asked.device)
    names = (strategy, *given["others"])
    if given["plot"]:
        check_plot(given["plot"], names)
    house = find_house(given["source"], given["game"], given["options"])
    if given["memory"] is not None and all(map(is_saved_machine, names)):
        note("--memory has no effect: a saved machine is as large as it is")
    machines, exploring = _explore_machines(names, house, asked.memory)
    if given["plan"]:
        with note_compiling():
            show_plans(machines, asked, card, given)
        return
    with note_compiling(), ExitStack() as stack:
        cluster = join_cluster(asked.dask, stack)
        found, wrong = _run_simulations(machines, asked, cluster, card)
    if not found:
        fail(wrong)
    found = [
        replace(each, exploring_seconds=each.exploring_seconds + before)
        for each, before in zip(found, exploring, strict=False)
    ]
    undrawn = save_plot(given["plot"], lambda path: _plot_simulations(path, found))
    _show(found, given["as_json"], asked.dice)
    if wrong or undrawn:
        fail("; ".join(filter(None, (wrong, undrawn))))


def _explore_machines(
    names: tuple[str, ...], house: House | None, memory: int
) -> tuple[list[Machine | SavedMachine], list[float]]:
    """The machine of each strategy, and the seconds that exploring it took."""
    machines, taken = [], []
    for name in names:
        began = time.perf_counter()
        machines.append(explore_machine(name, house, memory))
        taken.append(time.perf_counter() - began)
    return machines, taken


def _run_simulations(
    machines: list[Machine | SavedMachine],
    asked: SimulationRequest,
    cluster: Workers | None,
    card: GraphicsCard | None,
) -> tuple[list[Simulation], str]:
    """A run of each machine; where one fails or is broken off, those so far, and why."""
    from passline.lab.simulate import simulate
    from passline.lab.simulation.workers import WorkersLost

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
            return found, _not_played_words(name, "interrupted")
        except Exception as wrong:
            if card is not None and isinstance(wrong, ValueError):
                return found, f"--device gpu: {name}: {wrong}"
            if cluster is None:
                if isinstance(wrong, ValueError) and not asked.dice.fair:
                    return found, f"--dice: {name}: {wrong}"
                raise
            return found, _not_played_words(name, f"--dask: {WorkersLost(wrong, cluster.name)}")
        why = each.reason or "interrupted"
        if cluster and each.reason:
            why = f"--dask: {why}"
        if not each.rolls:
            return found, _not_played_words(name, why)
        found.append(each)
        if each.interrupted:
            done = f"{each.rolls:,} of {asked.rolls:,} rolls"
            return found, f"{why}; shown is what was done, {done}"
    return found, ""


def _not_played_words(name: str, why: str) -> str:
    return f"{why}: no roll of {name} was played"


def _show(found: list[Simulation], as_json: bool, dice: Dice) -> None:

    if as_json:
        print_simulations(found, dice)
    else:
        show_dice(dice)
        show_simulations(found)


def _plot_simulations(path: str, found: list[Simulation]) -> None:
    from passline.lab.charts.simulation import save_simulation
    from passline.lab.charts.style import make_heading

    named = [(each.about.strategy, each) for each in found]
    save_simulation(path, named, make_heading([each.about for each in found]))


_LABEL_WIDTH = 15
_LONG_EXPLORING_SECONDS = 0.5  # seconds of exploring, worth a word beside the speed of the play
_ENOUGH_ROLLS = 1024  # rolls, enough for an error unless they are all alike


def print_simulations(found: Sequence[Simulation], dice: Dice = FAIR) -> None:
    """JSON: the first run's fields, and the others' in ``compared``."""
    first, *others = (simulation_json(each) for each in found)
    if others:
        first["compared"] = others
    print_json(first | dice_json(dice))


def simulation_json(found: Simulation) -> dict[str, object]:
    """One run: money in cents; the exact mean as a fraction, with a float beside it."""
    exact = found.exact_mean_per_roll
    return {
        "strategy": found.about.strategy,
        "rulebook": found.about.rulebook,
        "game": found.about.game,
        "elections": found.about.elections,
        "method": found.method,
        "rolls": found.rolls,
        "net": found.net,
        "mean_per_roll": found.mean_per_roll,
        "sd_per_roll": found.sd_per_roll,
        "standard_error": found.standard_error,
        "standard_error_from": found.error_from,
        "games": found.games,
        "classes": None if found.settling is None else found.settling.classes,
        "settling_rolls": None if found.settling is None else found.settling.rolls,
        "mean_of_games": found.mean_of_games,
        "exact_mean_per_roll": None if exact is None else str(exact),
        "exact_mean_per_roll_float": None if exact is None else float(exact),
        "exact_sd_per_roll": found.exact_sd_per_roll,
        "sd_rate": found.sd_rate,
        "states": found.states,
        "closed": found.closed,
        "seed": found.seed,
        "workers": found.workers,
        "device": found.device or "cpu",
        "seconds": found.seconds,
        "exploring_seconds": found.exploring_seconds,
        "rolls_per_second": found.rolls_per_second,
        "rolls_per_lookup": found.rolls_per_lookup,
        "interrupted": found.interrupted,
        "reason": found.reason or None,
    }


def show_simulations(found: Sequence[Simulation]) -> None:
    """What a person reads."""
    for place, each in enumerate(found):
        if place:
            click.echo()
        click.echo("\n".join(_simulation_lines(each)))
    click.echo(f"\n{_means_chart(found)}")


def _means_chart(found: Sequence[Simulation]) -> str:
    from passline.lab.charts.terminal import SimulatedMean, draw_means

    runs = [
        SimulatedMean(
            name=each.about.strategy,
            mean=each.mean_per_roll,
            error=each.standard_error,
            exact=_float(each),
        )
        for each in found
    ]
    return draw_means(runs, ascii=is_ascii_output())


def _float(found: Simulation) -> float | None:
    exact = found.exact_mean_per_roll
    return None if exact is None else float(exact)


def _simulation_lines(found: Simulation) -> Iterator[str]:
    about = found.about
    house = "" if about.house in ("", about.rulebook) else f"{about.house}, "
    yield f"{about.strategy}: {found.rolls:,} rolls at {house}{about.rulebook} {about.game}"
    for label, words in _simulation_facts(found):
        yield f"  {label:<{_LABEL_WIDTH}}{words}"


def _simulation_facts(found: Simulation) -> Iterator[tuple[str, str]]:
    yield "net", show_dollars(found.net)
    error = found.standard_error
    told = _no_error_words(found) if error is None else f"± {error:,.4f}, {_error_words(found)}"
    yield "mean a roll", f"{found.mean_per_roll:+,.4f} cents ({told})"
    exact = found.exact_mean_per_roll
    if exact is not None:
        yield (
            "exact",
            f"{float(exact):+,.4f} cents{_fraction_words(exact)}{_deviation_words(found, float(exact))}",  # noqa: E501
        )
        yield from _settling_rows(found)
    else:
        why = "too many states to solve" if found.closed else "not all its states are known"
        yield "exact", f"not computed: {why}"
    sd = found.exact_sd_per_roll
    beside = "" if sd is None else f" (exact {sd:,.2f})"
    yield "deviation", f"{found.sd_per_roll:,.2f} cents a roll{beside}"
    speed = found.rolls_per_second / 1e6
    workers = found.device or f"{found.workers} worker{'s' if found.workers > 1 else ''}"
    yield "speed", f"{speed:,.1f} million rolls a second, {found.seconds:.2f} s, {workers}"
    explored = found.exploring_seconds
    before = (
        f", explored in {explored:.2f} s before the play"
        if explored >= _LONG_EXPLORING_SECONDS
        else ""
    )
    yield "states", f"{found.states:,}{'' if found.closed else ' so far'}{before}"
    yield "seed", str(found.seed)


def _deviation_words(found: Simulation, exact: float) -> str:
    """How far the run is from what it should come to: its games, where those are its measure."""
    error, games = found.standard_error, found.mean_of_games
    if not error:
        return ""
    of = "" if games is None else f", in such games {games:+,.4f}"
    away = abs(found.mean_per_roll - (exact if games is None else games)) / error
    return f"{of}, {away:.1f} errors away"


def _error_words(found: Simulation) -> str:
    return "standard error between games" if found.error_from == "games" else "standard error"


def _settling_rows(found: Simulation) -> Iterator[tuple[str, str]]:
    """Why the error is the one between games, where that is the machine's doing."""
    if found.settling is None or not found.settling.slow:
        return
    ways, rolls = found.settling.classes, found.settling.rolls
    why = (
        f"it settles down in {ways} ways" if ways > 1 else f"it takes {rolls:,.0f} rolls to settle"
    )
    yield "games", f"{found.games:,}, each from the opening: {why}, and games differ"


def _no_error_words(found: Simulation) -> str:
    if found.interrupted and found.reason:
        return "no error: it ended at what it met, not by chance"
    alike = not found.sd_per_roll and found.rolls >= _ENOUGH_ROLLS
    return "no error: every roll alike" if alike else "too few rolls for an error"


def _fraction_words(exact: object) -> str:
    text = str(exact)
    return f" = {text}" if len(text) <= 40 else ""


def watch_rolls(bar: ProgressBar | None, rolls: int) -> WatchRolls | None:
    """What a run tells on its way, put on the bar with the running estimate."""
    if bar is None:
        return None
    return lambda played: bar(played.rolls, rolls, estimate_words(played))


def estimate_words(played: PlayedRolls) -> str:
    """The running estimate and its error, and the speed."""
    error = "" if played.standard_error is None else f" ± {played.standard_error:,.3f}"
    speed = played.rolls_per_second / 1e6
    return f"{played.mean_per_roll:+,.3f}{error} cents a roll, {speed:,.0f} M rolls/s"
