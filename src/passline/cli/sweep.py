"""``passline sweep``: which parameters of a strategy are best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from passline.cli import lab_commands as lab
from passline.cli.common import fail
from passline.cli.progress import show_progress
from passline.lab.sessions.plan_and_result import MAX_COUNT

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.sweep import Combination, SweepResult, Value

_DEFAULT_AGAINST = "mean,ruin,drawdown"


def _read_vary(_: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> Any:
    """Return the values to try for each name, from texts such as "unit=5,10,25".

    Exit 2 if one is wrong.
    """
    found: dict[str, list[Value]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name.isidentifier() or not all(map(str.strip, values.split(","))):
            fail(f"--vary {text[:40]!r}: expected NAME=VALUE,VALUE, such as unit=5,10,25")
        if name in found:
            fail(f"--vary {name}: it is varied twice; list all its values once")
        found[name] = [_read_value(name, value.strip()) for value in values.split(",")]
    return found


def _read_value(name: str, text: str) -> Value:
    """Return one value of ``--vary`` from its text.

    For the session's own names it is cents, rolls, or None for a stop of "none". For any other
    name, it is true or false, a number, or text.
    """
    from passline.lab.strategies.parameters import parse_parameter
    from passline.lab.sweep import MONEY_NAMES

    if name == "rolls":
        return lab.parse_count("--vary rolls", text, 1, MAX_COUNT)
    if name in MONEY_NAMES:
        no_stop = name != "bankroll" and text.lower() == "none"
        return None if no_stop else lab.parse_dollars_option(f"--vary {name}", text)
    return parse_parameter(text)


def _read_against(_: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(filter(None, (each.strip() for each in text.split(","))))


@lab.declare(
    "passline sweep pass --vary unit=5,10,25 --vary stop_win=none,100 "
    "--against mean,ahead,drawdown --bankroll 200 --rolls 200 --rulebook new-jersey",
    lab.STRATEGY_ARGUMENT,
    lab.RULEBOOK_OPTION,
    click.option(
        "--vary",
        multiple=True,
        required=True,
        metavar="NAME=VALUES",
        callback=_read_vary,
        help="A parameter and its values, such as unit=5,10,25; may be repeated.",
    ),
    click.option(
        "--against",
        metavar="CRITERIA",
        default=_DEFAULT_AGAINST,
        show_default=True,
        callback=_read_against,
        help="What to compare by: mean, ruin, drawdown, sd, ahead, goal.",
    ),
    lab.dollars_option("--bankroll", "Dollars at the start."),
    lab.count_option("--rolls", "Rolls of the session.", 1, MAX_COUNT),
    lab.dollars_option("--stop-win", "Leave when ahead by this much."),
    lab.dollars_option("--stop-loss", "Leave when behind by this much."),
    lab.count_option("--trials", "Sample so many sessions of each combination.", 16, MAX_COUNT),
    lab.SEED_OPTION,
    lab.flag_option("--explain", "Show what each criterion means and how it was computed."),
    lab.plot_options,
    compiles=True,
)
def command(
    strategy: str,
    house: House,
    vary: dict[str, list[Value]],
    against: tuple[str, ...],
    explain: bool,
    **options: Any,
) -> lab.Report:
    """Show which version of STRATEGY is best: play a session of every combination of the values.

    A parameter is a keyword argument of the strategy's function (the built-in strategies have
    unit, in dollars), or bankroll, rolls, stop_win or stop_loss of the session. A stop may be
    none. The frontier has the combinations that no other beats on all criteria. Sessions are
    solved exactly where that is possible; the others are sampled on the same rolls.
    """
    from passline.lab.charts.sweep import save_sweep
    from passline.lab.sweep import sweep, sweep_json

    with show_progress(strategy) as bar:
        try:
            found = sweep(house, strategy, vary=vary, against=against, watch=bar, **options)
        except KeyboardInterrupt:
            fail(f"interrupted: no combination of {strategy} was finished")
    done = f"{len(found.combinations):,} of {found.total:,} combinations"
    return lab.Report(
        json=lambda: sweep_json(found) | lab.dice_json(found.dice),
        lines=lambda: _lines(found, explain),
        save_plot=lambda path: save_sweep(path, found),
        error=f"interrupted; shown are {done}" if found.interrupted else "",
    )


def _lines(found: SweepResult, explain: bool) -> Iterator[str]:
    from passline.lab.sweep import CRITERIA, describe_values, join_words

    fixed = {name: value for name, value in found.fixed.items() if value is not None}
    given = f", {describe_values(fixed)}" if fixed else ""
    count = len(found.combinations)
    combinations = "1 combination" if count == 1 else f"{count:,} combinations"
    yield lab.bold(f"{found.strategy} at {found.house.name}: {combinations}{given}")
    yield f"\nno other is as good on {join_words(found.against)} and better on one:"
    yield from lab.table_lines(_rows(found, found.frontier, False), left_columns=0)
    others = [each for each in found.combinations if each.beaten_by is not None]
    if others:
        yield "\nthe others:"
        yield from lab.table_lines(_rows(found, others, True), left_columns=0)
    if explain:
        yield ""
        yield from lab.fact_lines([(name, CRITERIA[name].words) for name in found.against], 10)
        yield "bets still open at the end are played out; a drawdown counts bets at their stake"
    yield f"\n{_method_words(found)}"


def _rows(
    found: SweepResult, combinations: Sequence[Combination], is_beaten: bool
) -> list[list[str]]:
    from passline.lab.sweep import show_figure, show_value

    rows = [["", *found.vary, *found.against, *(["beaten by"] if is_beaten else [])]]
    for each in combinations:
        figures = [
            show_figure(name, each.figures[name]) + _error_words(name, each.errors.get(name))
            for name in found.against
        ]
        values = [show_value(name, value) for name, value in each.values.items()]
        by = [str(each.beaten_by)] if is_beaten else []
        rows.append([str(each.number), *values, *figures, *by])
    return rows


def _error_words(name: str, error: float | None) -> str:
    from passline.lab.sweep import CRITERIA

    if error is None:
        return ""
    if CRITERIA[name].kind == "money":
        return f" ± {error / 100:.2f}"
    return f" ± {error * 100:.2g}%"


def _method_words(found: SweepResult) -> str:
    if found.trials is None:
        figures = [each.figures[name] for each in found.combinations for name in found.against]
        doubles = "drawdown" in found.against or any(isinstance(each, float) for each in figures)
        return "exact, in doubles" if doubles else "exact, in fractions"
    sampled = sum(bool(each.errors) for each in found.combinations)
    every = "all" if sampled == len(found.combinations) else f"{sampled:,} of the combinations"
    return (
        f"simulated: {every} in {found.trials:,} sessions on the same rolls, seed {found.seed}, "
        "± one standard error; figures without it are exact"
    )
