"""``passline simulate``: play a strategy for many rolls, with the exact answer beside it.

With ``--plan``, estimate the time, the cost and the error of a long run from a short sample. This
module reads the options, runs the simulations and makes their JSON and text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from passline.cli import lab_commands as lab
from passline.cli.common import fail
from passline.game.money.amounts import show_dollars
from passline.lab.results import exact_json, exact_suffix

if TYPE_CHECKING:
    from passline.cli.progress import ProgressBar
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.simulate import Simulation, SimulationEstimate
    from passline.lab.simulation.rolls import PlayedRolls, WatchRolls

#: The largest --rolls and --cores, as in lab.simulate, which needs numpy and is imported later.
_MAX_ROLLS, _MAX_CORES = 10**15, 10**6
_DAY, _HOUR, _MINUTE = 86400, 3600, 60
_LABEL_WIDTH, _PLAN_LABEL_WIDTH = 15, 11
#: If exploring takes longer than this, in seconds, its time is printed beside the speed of play.
_LONG_EXPLORING_SECONDS = 0.5
#: From this many rolls on, a missing standard error means that all rolls gave the same result.
_ENOUGH_ROLLS = 1024


@lab.declare(
    "passline simulate pass-odds --rulebook new-jersey --rolls 1e8 --seed 7",
    lab.STRATEGY_ARGUMENT,
    lab.OPTIONAL_RULEBOOK,
    lab.count_option("--rolls", "Rolls to play, such as 1e9.", 1, _MAX_ROLLS, required=True),
    lab.SEED_OPTION,
    lab.WORKERS_OPTION,
    lab.DASK_OPTION,
    lab.DEVICE_OPTION,
    lab.flag_option("--plan", "Play nothing: estimate time, cost and error."),
    lab.count_option("--cores", "With --plan: cores, or cards, to play on.", 1, _MAX_CORES),
    click.option(
        "--price", metavar="DOLLARS", help="With --plan: the price of one core or card an hour."
    ),
    lab.COMPARE_OPTION,
    lab.plot_options,
    lab.MEMORY_OPTION,
    saved_machines=True,
    compiles=True,
)
def command(
    strategy: str,
    house: House | None,
    others: tuple[str, ...],
    memory: int | None,
    plan: bool,
    cores: int | None,
    price: str | None,
    dask: str | None,
    device: str,
    workers: int | None,
    **more: Any,
) -> lab.Report:
    """Play STRATEGY for N rolls and show what it nets, with the exact answer beside it.

    STRATEGY is a built-in name, file.py:function, or a saved machine. The same seed gives the same
    result on any number of workers. Ctrl-C keeps what was played. With --plan, only a sample is
    played, and the time, cost and error of N rolls are estimated. In --json, net, mean_per_roll,
    sd_per_roll and standard_error are in cents.
    """
    from passline.lab.simulate import estimate_simulation, simulate

    _check_options(click.get_current_context().params)
    more["card"] = lab.open_requested_card(device)
    machines, exploring = lab.explore_machines((strategy, *others), house, memory)
    if plan:
        costs: dict[str, Any] = {"cores": cores or 1, "price": _parse_price(price)}
        return _report_plans([estimate_simulation(each, **costs, **more) for each in machines])
    rolls: int = more["rolls"]
    with ExitStack() as stack:
        cluster = lab.join_cluster(dask, stack)
        more |= {"workers": workers, "executor": cluster}
        runs, error = lab.run_each(
            machines,
            lambda machine, bar: simulate(machine, watch=watch_rolls(bar, rolls), **more),
            lambda run: _describe_stop(run, rolls, "--dask: " if cluster else ""),
            cluster,
        )
    runs = [
        replace(each, exploring_seconds=each.exploring_seconds + before)
        for each, before in zip(runs, exploring, strict=False)
        if each.rolls
    ]
    if not runs:
        fail(error)
    return _report_runs(runs, more["dice"], error)


def _check_options(options: dict[str, Any]) -> None:
    given = {name for name, value in options.items() if value is not None}
    if {"workers", "dask"} <= given:
        fail("--workers is for this machine, --dask for a cluster: use one of them")
    for option in ("workers", "dask"):
        if options["device"] == "gpu" and option in given:
            fail(f"--{option} is for processors, --device gpu for a card: use one of them")
    for option in ("cores", "price"):
        if not options["plan"] and option in given:
            fail(f"--{option} goes with --plan, which plays nothing")
    for option in ("workers", "dask", "plot"):
        if options["plan"] and option in given:
            fail(f"--plan plays nothing: leave out --{option}")


def _describe_stop(run: Simulation, rolls: int, source: str) -> str:
    """Return why a run ended early and how much of it is shown; "" if it is complete.

    ``rolls`` is how many were wanted, and ``source`` begins the reason.
    """
    why = f"{source}{run.reason}" if run.reason else "interrupted"
    if not run.rolls:
        return f"{why}: nothing of {run.about.strategy} was played"
    return f"{why}; shown is what was done, {run.rolls:,} of {rolls:,} rolls" * run.interrupted


def _report_runs(runs: list[Simulation], dice: Dice, error: str) -> lab.Report:
    from passline.lab.charts.simulation import save_simulation
    from passline.lab.charts.style import make_heading

    named = [(each.about.strategy, each) for each in runs]
    heading = make_heading([each.about for each in runs])
    return lab.Report(
        json=lambda: lab.merge_compared(map(simulation_json, runs)) | lab.dice_json(dice),
        lines=lambda: simulation_lines(runs),
        save_plot=lambda path: save_simulation(path, named, heading),
        error=error,
    )


def _report_plans(plans: Sequence[SimulationEstimate]) -> lab.Report:
    return lab.Report(
        json=lambda: lab.merge_compared(map(plan_json, plans)),
        lines=lambda: (line for plan in plans for line in _plan_lines(plan)),
    )


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
    """Return the JSON of one plan: the error in cents a roll, the cost in dollars."""
    sample = plan.sample
    own = ("rolls", "cores", "hours", "seconds", "price", "cost", "standard_error", "error_from")
    return {
        **sample.about.to_json(),
        "method": "planned",
        **{name: getattr(plan, name) for name in own},
        "sd_rate": sample.sd_rate,
        "exact_mean_per_roll_float": None if sample.exact is None else float(sample.exact.mean),
        "rolls_per_second": sample.rolls_per_second,
        "sample_rolls": sample.rolls,
        "device": sample.device or "cpu",
    }


def _plan_lines(plan: SimulationEstimate) -> Iterator[str]:
    yield f"{plan.sample.about.strategy}: {plan.rolls:,} rolls planned, none of them played"
    yield from lab.fact_lines(_plan_facts(plan), _PLAN_LABEL_WIDTH)


def _plan_facts(plan: SimulationEstimate) -> Iterator[tuple[str, str]]:
    sample = plan.sample
    one = "card" if sample.device else "core"
    yield (
        "speed",
        f"{sample.rolls_per_second:.3g} rolls a second on one {one}, as {sample.rolls:,} just "
        "showed",
    )
    hours = f"{plan.hours:,.4g} {one}-hours"
    yield "time", f"{_duration_text(plan.seconds)} on {plan.cores:,} {one}s ({hours})"
    if plan.cost is not None and plan.price is not None:
        yield "cost", f"{show_dollars(round(plan.cost * 100))} at ${plan.price:g} a {one}-hour"
    if plan.standard_error is None:
        yield "error", "cannot be estimated from so few rolls"
        return
    how = "exact, from the chain" if plan.error_from == "chain" else "from the sample"
    yield "error", f"{plan.standard_error:.3g} cents a roll, one standard error ({how})"
    if sample.exact is not None and sample.exact.mean:
        mean = float(sample.exact.mean)
        share = plan.standard_error / abs(mean)
        yield "mean", f"{mean:.4f} cents a roll, exact: the error is {share:.2g} of it"


def _duration_text(seconds: float) -> str:
    """Return a duration in words.

    >>> _duration_text(3.25), _duration_text(7200), _duration_text(400_000)
    ('3.2 seconds', '2.0 hours', '4.6 days')
    """
    for size, word in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
        if seconds >= 2 * size or (size == _MINUTE and seconds >= size):
            return f"{seconds / size:,.1f} {word}"
    return f"{seconds:,.1f} seconds"


#: The fields of a run that its JSON has under the same names.
_RUN_FIELDS = (
    *("method", "rolls", "net", "mean_per_roll", "sd_per_roll", "standard_error", "games"),
    *("mean_of_games", "exact_sd_per_roll", "sd_rate", "states", "closed", "seed", "workers"),
    *("seconds", "exploring_seconds", "rolls_per_second", "rolls_per_lookup", "interrupted"),
)


def simulation_json(run: Simulation) -> dict[str, object]:
    """Return the JSON of one run: money in cents, the exact mean as a fraction and a float."""
    return {
        **run.about.to_json(),
        **{name: getattr(run, name) for name in _RUN_FIELDS},
        **exact_json(exact_mean_per_roll=run.exact_mean_per_roll),
        "standard_error_from": run.error_from,
        "classes": None if run.settling is None else run.settling.classes,
        "settling_rolls": None if run.settling is None else run.settling.rolls,
        "device": run.device or "cpu",
        "reason": run.reason or None,
    }


def simulation_lines(runs: Sequence[Simulation]) -> Iterator[str]:
    """Yield the facts of each run, and a chart of the means."""
    for place, each in enumerate(runs):
        about = each.about
        house = "" if about.house in ("", about.rulebook) else f"{about.house}, "
        title = f"{about.strategy}: {each.rolls:,} rolls at {house}{about.rulebook} {about.game}"
        yield f"\n{title}" if place else title
        yield from lab.fact_lines(_simulation_facts(each), _LABEL_WIDTH)
    yield f"\n{_means_chart(runs)}"


def _means_chart(run: Sequence[Simulation]) -> str:
    from passline.lab.charts.terminal import SimulatedMean, draw_means

    runs = [
        SimulatedMean(
            name=each.about.strategy,
            mean=each.mean_per_roll,
            error=each.standard_error,
            exact=None if (exact := each.exact_mean_per_roll) is None else float(exact),
        )
        for each in run
    ]
    return draw_means(runs, ascii=lab.is_ascii_output())


def _simulation_facts(run: Simulation) -> Iterator[tuple[str, str]]:
    yield "net", show_dollars(run.net)
    error = run.standard_error
    error_text = _no_error_words(run) if error is None else f"± {error:,.4f}, {_error_words(run)}"
    yield "mean a roll", f"{run.mean_per_roll:+,.4f} cents ({error_text})"
    exact = run.exact_mean_per_roll
    if exact is not None:
        yield (
            "exact",
            f"{float(exact):+,.4f} cents{exact_suffix(exact)}{_deviation_words(run, float(exact))}",
        )
        yield from _settling_rows(run)
    else:
        why = "too many states to solve" if run.closed else "not all its states are known"
        yield "exact", f"not computed: {why}"
    sd = run.exact_sd_per_roll
    beside = "" if sd is None else f" (exact {sd:,.2f})"
    yield "deviation", f"{run.sd_per_roll:,.2f} cents a roll{beside}"
    speed = run.rolls_per_second / 1e6
    workers = run.device or f"{run.workers} worker{'s' if run.workers > 1 else ''}"
    yield "speed", f"{speed:,.1f} million rolls a second, {run.seconds:.2f} s, {workers}"
    explored = run.exploring_seconds
    before = (
        f", explored in {explored:.2f} s before the play"
        if explored >= _LONG_EXPLORING_SECONDS
        else ""
    )
    yield "states", f"{run.states:,}{'' if run.closed else ' so far'}{before}"
    yield "seed", str(run.seed)


def _deviation_words(run: Simulation, exact: float) -> str:
    """Return how far a run's mean is from the expected one, such as ", 0.8 errors away".

    The expected mean is ``exact``. In a run of separate games it is ``run.mean_of_games``, which
    the text then states too. Return "" if the standard error is 0 or unknown.
    """
    error, games = run.standard_error, run.mean_of_games
    if not error:
        return ""
    of = "" if games is None else f", in such games {games:+,.4f}"
    away = abs(run.mean_per_roll - (exact if games is None else games)) / error
    return f"{of}, {away:.1f} errors away"


def _error_words(run: Simulation) -> str:
    return "standard error between games" if run.error_from == "games" else "standard error"


def _settling_rows(run: Simulation) -> Iterator[tuple[str, str]]:
    """Yield a row (label, text) if the strategy's mean converges slowly or to several values.

    A run of such a strategy is split into games that each start at an empty table, and the standard
    error is estimated from their results. The row says how many games there are, and why.
    """
    if run.settling is None or not run.settling.is_slow:
        return
    ways, rolls = run.settling.classes, run.settling.rolls
    why = (
        f"it settles down in {ways} ways" if ways > 1 else f"it takes {rolls:,.0f} rolls to settle"
    )
    yield "games", f"{run.games:,}, each from the opening: {why}, and games differ"


def _no_error_words(run: Simulation) -> str:
    if run.interrupted and run.reason:
        return "no error: it ended early, and not by chance"
    alike = not run.sd_per_roll and run.rolls >= _ENOUGH_ROLLS
    return "no error: every roll alike" if alike else "too few rolls for an error"


def watch_rolls(bar: ProgressBar | None, rolls: int) -> WatchRolls | None:
    """Return a callback that shows progress and the running estimate on the bar; None without one.

    ``rolls`` is the number of rolls to play.
    """
    if bar is None:
        return None
    return lambda played: bar(played.rolls, rolls, estimate_words(played))


def estimate_words(played: PlayedRolls) -> str:
    """Return the estimate so far with its standard error (cents a roll), and the speed."""
    error = "" if played.standard_error is None else f" ± {played.standard_error:,.3f}"
    speed = played.rolls_per_second / 1e6
    return f"{played.mean_per_roll:+,.3f}{error} cents a roll, {speed:,.0f} M rolls/s"
