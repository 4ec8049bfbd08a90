"""Declare a command of the lab once, read its options, and print its result.

A command lists its parameters in ``declare``. Options read their own text: the command receives
cents, counts, fractions and dice, and a house in place of ``--rulebook``, ``--game`` and ``-o``. It
returns a ``Report``, which is printed as JSON or as text, and drawn with ``--plot``. Input that
cannot be used ends the command with one line and exit status 2.
"""

from __future__ import annotations

import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from passline.cli import common
from passline.cli.common import fail, print_error
from passline.cli.files import check_outputs, force_option
from passline.cli.progress import ProgressBar, note_compiling, show_progress, watch_states

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers

#: Adds one argument or option to a command.
Parameter = Callable[[Any], Any]
_Result = TypeVar("_Result")
_NUMBER_PATTERN = re.compile(
    r"([0-9]{1,40}|[0-9]{1,3}(,[0-9]{3}){1,13}|[0-9]{1,3}(_[0-9]{3}){1,13})"
    r"(\.[0-9]{1,20})?(e\+?[0-9]{1,3})?",
    re.IGNORECASE,
)
#: The largest seed, number of workers (as in ``lab.simulate``, which needs numpy) and megabytes.
_MAX_SEED, _MAX_WORKERS, _MAX_MEMORY = 2**64 - 1, 1024, 2**20
#: The longest shift, in rolls and in hours.
MAX_SHIFT_ROLLS, _MAX_SHIFT_HOURS = 10**6, 10**4
_MISSING_RULEBOOK = "name a rulebook, such as {option}new-jersey, or a house-rules file"
#: What ``--open`` does, in words.
OPEN_WAGERS_WORDS = {
    "played": "bets still open when the rolls end are played out",
    "fair": "bets still open when the rolls end count at their expected value",
    "stake": "bets still open when the rolls end count at their stake",
}


class Report(NamedTuple):
    """The result of a lab command: functions that make its JSON, its text and its picture.

    ``error`` is set if the work stopped early: the results so far are printed, then the error, and
    the command exits with status 2. ``finish`` is called after the output, to save a file.
    """

    json: Callable[[], object]
    lines: Callable[[], Iterable[str]]
    save_plot: Callable[[str], None] | None = None
    error: str = ""
    finish: Callable[[], None] | None = None


def _read_option(parse: Callable[..., Any], *limits: int) -> Callable[..., Any]:
    """Return a click callback that converts an option's text with ``parse``.

    ``parse`` is called with the option's name, the text and the ``limits``.
    """

    def callback(_: click.Context, parameter: click.Parameter, text: str | None) -> Any:
        return parse(parameter.opts[0], text, *limits)

    return callback


def count_option(name: str, help_text: str, least: int, most: int, **more: Any) -> Parameter:
    """Return an option that takes a whole number from ``least`` to ``most``, such as 1e6."""
    more.setdefault("metavar", "N")
    return click.option(
        name, help=help_text, callback=_read_option(parse_count, least, most), **more
    )


def dollars_option(name: str, help_text: str, **more: Any) -> Parameter:
    """Return an option that takes dollars and gives the command cents."""
    read = _read_option(parse_dollars_option)
    return click.option(name, metavar="AMOUNT", help=help_text, callback=read, **more)


def percent_option(name: str, help_text: str, default: str | None = None) -> Parameter:
    """Return an option that takes a percent and gives the command a Fraction from 0 to 100."""
    read = _read_option(parse_percent)
    return click.option(name, metavar="PERCENT", help=help_text, callback=read, default=default)


def parse_count(option: str, text: str | None, least: int, most: int) -> int | None:
    """Return the whole number in ``text``, such as 1000000, 1_000_000, 1,000,000 or 1e6.

    Return None for None. Exit 2, naming ``option``, if it is not from ``least`` to ``most``.
    """
    if text is None:
        return None
    plain = text.strip()
    number = Decimal(-1)
    if _NUMBER_PATTERN.fullmatch(plain):
        number = Decimal(plain.replace(",", "").replace("_", ""))
    if not least <= number <= most or number != number.to_integral_value():
        fail(f"{option} {text[:40]!r}: expected a whole number from {least:,} to {most:,}")
    return int(number)


def parse_percent(option: str, text: str | None) -> Fraction:
    """Return a percent from 0 to 100 such as 20 or 2.5, not divided by 100; 0 for None.

    Exit 2, naming ``option``, for any other text.
    """
    plain = (text or "0").strip().removesuffix("%")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", plain) or not 0 <= Fraction(plain) <= 100:
        fail(f"{option} {(text or '')[:40]!r}: expected a percent from 0 to 100")
    return Fraction(plain)


def parse_dollars_option(option: str, text: str | None) -> int | None:
    """Return dollars as cents; None for None.

    Exit 2, naming ``option``, if the text is no amount, or one too large for a bankroll.
    """
    from passline.game.money.amounts import AmountError, parse_dollars, show_dollars
    from passline.lab.sessions.plan_and_result import MAX_BANKROLL

    if text is None:
        return None
    try:
        cents = parse_dollars(text)
    except AmountError as error:
        fail(f"{option} {error}")
    if cents > MAX_BANKROLL:
        fail(f"{option} {text}: expected {show_dollars(MAX_BANKROLL)} at most")
    return cents


def read_dice_option(option: str, text: str | None) -> Dice:
    """Return the dice that ``--dice`` or the argument DICE describes; fair dice by default.

    Exit 2, naming ``option``, if the text describes none.
    """
    from passline.game.dice.dice import FAIR, WeightsError, parse_dice

    if text is None:
        return FAIR
    try:
        return parse_dice(text)
    except WeightsError as error:
        fail(f"{option}: {error}")


def flag_option(name: str, help_text: str) -> Parameter:
    """Return an option without a value."""
    return click.option(name, is_flag=True, help=help_text)


def rulebook_argument(default: str | None = None) -> Parameter:
    """Return the argument RULEBOOK|FILE (optional with a default), ``--game`` and ``-o``."""
    add = click.argument(
        "source",
        metavar="RULEBOOK|FILE" if default is None else "[RULEBOOK|FILE]",
        default=default,
        required=default is None,
        shell_complete=common.complete_rulebook,
    )
    return lambda command: add(common.game_option(common.election_option(command)))


def rulebook_option(help_text: str, default: str | None = None) -> Parameter:
    """Return the options ``--rulebook``, ``--game`` and ``-o``, which select a house."""
    add = click.option(
        "--rulebook",
        "source",
        metavar="RULEBOOK|FILE",
        shell_complete=common.complete_rulebook,
        default=default,
        show_default=default is not None,
        help=help_text,
    )
    return lambda command: add(common.game_option(common.election_option(command)))


STRATEGY_ARGUMENT = click.argument(
    "strategy", metavar="STRATEGY|FILE.npz", shell_complete=common.complete_strategy
)
RULEBOOK_OPTION = rulebook_option("A rulebook, or a house-rules file.  [required]")
OPTIONAL_RULEBOOK = rulebook_option(
    "A rulebook, or a house-rules file; required unless STRATEGY is a saved machine."
)
COMPARE_OPTION = click.option(
    "--compare",
    "others",
    multiple=True,
    metavar="STRATEGY",
    shell_complete=common.complete_strategy,
    help="Another strategy to show beside the first; may be repeated.",
)
WORKERS_OPTION = count_option(
    "--workers", "Processor cores to use; all of them by default.", 1, _MAX_WORKERS
)
SEED_OPTION = count_option(
    "--seed", "Seed of the dice: the same seed gives the same rolls.", 0, _MAX_SEED
)
MEMORY_OPTION = count_option(
    "--memory", "Megabytes to use at most; 128 by default.", 1, _MAX_MEMORY, metavar="MB"
)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
DICE_OPTION = click.option(
    "--dice",
    metavar="DICE",
    callback=_read_option(read_dice_option),
    help="Other dice: 36 weights, two dice's six each (1,1,1,1,1,2 x 1,1,1,1,1,1), or sevens=1/7.",
)
PACE_OPTION = count_option(
    "--rolls-per-hour", "Rolls in an hour.", 1, MAX_SHIFT_ROLLS, default="100", show_default=True
)
HOURS_OPTION = count_option("--hours", "Hours in a shift.", 1, _MAX_SHIFT_HOURS)
OPEN_WAGERS_OPTION = click.option(
    "--open",
    "open_wagers",
    type=click.Choice(["played", "fair", "stake"]),
    default="played",
    help="How to value bets still open at the end: play them out (default), expected value, or "
    "face value.",
)
DASK_OPTION = click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler."
)
DEVICE_OPTION = click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    help="Play on the processor's cores (default), or on an NVIDIA card.",
)
_PLOT_OPTION = click.option(
    "--plot", metavar="FILE", help="Save a picture as FILE.png or FILE.svg."
)


def plot_options(command: Any) -> Any:
    """Add the options ``--plot`` and ``--force`` to a command."""
    return _PLOT_OPTION(force_option(command))


def declare(
    example: str,
    *parameters: Parameter,
    last: tuple[Parameter, ...] = (DICE_OPTION, JSON_OPTION),
    saved_machines: bool = False,
    compiles: bool = False,
) -> Callable[[Callable[..., Report | None]], click.Command]:
    """Return a decorator that declares a command of the lab, with an example and parameters.

    The function receives the parameters by name, ``house`` in place of ``source``, ``game`` and
    ``options``, and neither ``as_json`` nor ``plot``. ``last`` are the options that almost every
    command has. With ``saved_machines``, a STRATEGY may be a saved machine (FILE.npz), which needs
    no rulebook: then ``house`` may be None. With ``compiles``, a note says that the first run
    compiles loops. A function that writes its own files returns None.
    """

    def decorate(function: Callable[..., Report | None]) -> click.Command:
        @wraps(function)
        def run(**values: Any) -> None:
            as_json, plot = values.pop("as_json", False), values.pop("plot", None)
            values.pop("force", None)
            names = _strategy_names(values)
            if not saved_machines and any(map(is_saved_machine, names)):
                fail("a saved machine does not store its wagers: name the strategy itself")
            if plot:
                check_plot(plot, names)
            if "source" in values:
                chosen = values.pop("source"), values.pop("game", None), values.pop("options", ())
                values["house"] = find_house(*chosen)
                if values["house"] is None and not all(map(is_saved_machine, names)):
                    fail(_MISSING_RULEBOOK.format(option=_rulebook_option_name()))
            try:
                with note_compiling() if compiles else nullcontext():
                    report = function(**values)
                if report is not None:
                    print_report(report, as_json, plot, values.get("dice"))
            except ValueError as error:
                fail(str(error))

        command: Any = run
        for parameter in reversed((*parameters, *last)):
            command = parameter(command)
        return click.command(epilog=f"\b\nExample:\n  {example}")(command)

    return decorate


def _rulebook_option_name() -> str:
    """Return "--rulebook ", or "" for a command that takes the rulebook as an argument."""
    parameters = click.get_current_context().command.params
    option = any("--rulebook" in parameter.opts for parameter in parameters)
    return "--rulebook " if option else ""


def _strategy_names(values: dict[str, Any]) -> tuple[str, ...]:
    if "strategy" in values:
        return (values["strategy"], *values.get("others", ()))
    return tuple(values.get("strategies", ("",)))


def check_plot(path: str, names: tuple[str, ...]) -> None:
    """Exit 2, before the work begins, if the picture cannot be drawn or written.

    ``names`` are the strategies to draw.
    """
    from passline.lab.charts.figure_file import ChartError, check_path
    from passline.lab.charts.style import check_count

    check_outputs({"plot": path})
    try:
        check_path(path)
        check_count(names)
    except ChartError as error:
        fail(f"--plot {error}")


def print_note(words: str) -> None:
    """Print a note on standard error. The command continues."""
    print_error(f"note: {words}")


def is_saved_machine(name: str) -> bool:
    """Return whether a STRATEGY names a saved machine."""
    return name.strip().endswith(".npz")


def find_house(
    source: str | None, game: str | None, options: tuple[tuple[str, str], ...]
) -> House | None:
    """Return the house that ``--rulebook``, ``--game`` and ``-o`` select, or None.

    None means that no rulebook was named. Exit 2 if the house cannot be made.
    """
    from passline.game.house.load import house_for

    if source is None:
        if game or options:
            fail("--game and -o go with --rulebook")
        return None
    with common.exit_on_house_error():
        return house_for(source, game, options)


def explore_machine(
    name: str,
    house: House | None,
    memory: int | None,
    shooter_limit: int | None = None,
    *,
    sampled: bool = False,
) -> Machine | SavedMachine:
    """Return the machine of the STRATEGY ``name``: all its states and the moves between them.

    It is explored at ``house``, or read from a saved file. ``memory`` is the most megabytes to use,
    and ``shooter_limit`` the most cents to risk on one shooter. A machine that is only ``sampled``
    is explored as it is played, unless it is small. Exit 2 if the strategy cannot be played.
    """
    from passline.lab.machines.bettor import MachineFileError, StrategyError
    from passline.lab.machines.machine import (
        DEFAULT_MEMORY_MB,
        MAX_CLOSED_STATES,
        MAX_STATES_BEFORE_PLAY,
    )
    from passline.lab.strategy_machine import resolve_machine

    try:
        with warnings.catch_warnings(record=True) as caught, show_progress(name) as bar:
            warnings.simplefilter("always")
            megabytes = memory or DEFAULT_MEMORY_MB
            limit = MAX_STATES_BEFORE_PLAY if sampled else MAX_CLOSED_STATES
            watch = watch_states(bar)
            machine = resolve_machine(name, house, megabytes, watch, shooter_limit, limit)
    except (StrategyError, MachineFileError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail(f"interrupted while {name} was explored: no roll was played")
    for warning in caught:
        print_note(str(warning.message))
    return machine


def explore_machines(
    names: Sequence[str],
    house: House | None,
    memory: int | None,
    *,
    exact: bool = False,
    shooter_limit: int | None = None,
) -> tuple[list[Machine | SavedMachine], list[float]]:
    """Return (machines of the strategies, seconds that exploring each took), both in order.

    Print a note if ``memory`` has no effect: without ``exact``, if all machines are saved ones.
    ``shooter_limit`` is as in ``explore_machine``.
    """
    if memory is not None and not exact and all(map(is_saved_machine, names)):
        print_note("--memory has no effect: a saved machine has a fixed size")
    machines, seconds = [], []
    for name in names:
        began = time.perf_counter()
        machines.append(explore_machine(name, house, memory, shooter_limit, sampled=not exact))
        seconds.append(time.perf_counter() - began)
    return machines, seconds


def run_each(
    machines: Sequence[Machine | SavedMachine],
    run: Callable[[Machine | SavedMachine, ProgressBar | None], _Result],
    describe_stop: Callable[[_Result], str],
    cluster: Workers | None,
) -> tuple[list[_Result], str]:
    """Return (results, error): call ``run`` for each machine, until one fails or stops early.

    The error is "" if all are complete. ``describe_stop`` returns why a result is not complete, or
    "". ``cluster`` is the Dask cluster that plays, if any.
    """
    results: list[_Result] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            with show_progress(name) as bar:
                results.append(run(machine, bar))
        except KeyboardInterrupt:
            return results, f"interrupted: nothing of {name} was played"
        except ValueError as error:
            return results, f"{name}: {error}"
        except Exception as error:
            if cluster is None:
                raise
            from passline.lab.simulation.workers import WorkersLost

            why = WorkersLost(error, cluster.name)
            return results, f"--dask: {why}: nothing of {name} was played"
        if stop := describe_stop(results[-1]):
            return results, stop
    return results, ""


def count_shift_rolls(hours: int | None, pace: int, rolls: int | None = None) -> int | None:
    """Return the rolls of a shift: ``rolls``, or ``hours`` times ``pace`` (rolls an hour), or None.

    Exit 2 if the user typed both, or the shift is too long.
    """
    if hours is not None and rolls is not None:
        fail("--hours and --rolls both set the length of a shift: use one of them")
    if rolls is not None or hours is None:
        return rolls
    if hours * pace > MAX_SHIFT_ROLLS:
        fail(f"a shift of {hours * pace:,} rolls: expected {MAX_SHIFT_ROLLS:,} at most")
    return hours * pace


def join_cluster(address: str | None, stack: ExitStack) -> Workers | None:
    """Return the workers of the Dask cluster at ``address``, or None without an address.

    When ``stack`` closes, it releases them. Exit 2 if the cluster cannot be reached.
    """
    if address is None:
        return None
    from passline.lab.simulation.workers import ClusterError, open_dask_workers

    try:
        return stack.enter_context(open_dask_workers(address))
    except ClusterError as error:
        fail(f"--dask: {error}")


def open_requested_card(device: str) -> GraphicsCard | None:
    """Return the graphics card for ``--device gpu``, else None. Exit 2 if there is no card."""
    if device != "gpu":
        return None
    from passline.lab.simulation.gpu.card import NoCardError, open_card

    try:
        return open_card()
    except NoCardError as error:
        fail(f"--device gpu: {error}")


def print_report(report: Report, as_json: bool, plot: str | None, dice: Dice | None) -> None:
    """Save the picture if ``plot`` names a file, then print the report as JSON or text.

    The text begins with a line about ``dice`` that are not fair. The picture comes first, because
    the reader of a pipe may close it. If the picture fails, or the report has an error, exit 2
    after the output.
    """
    plot_error = _save_plot(report, plot)
    if as_json:
        _print_long_json(report.json)
    else:
        for line in chain(unfair_dice_lines(dice), report.lines()):
            click.echo(line)
    if report.finish is not None:
        report.finish()
    if report.error or plot_error:
        fail("; ".join(filter(None, (report.error, plot_error))))


def _save_plot(report: Report, path: str | None) -> str:
    """Write the picture if ``path`` is set. Return an error message, or an empty string."""
    if not path or report.save_plot is None:
        return ""
    from passline.lab.charts.figure_file import ChartError

    try:
        report.save_plot(path)
    except ChartError as error:
        return f"--plot {error}"
    except KeyboardInterrupt:
        return "interrupted while the picture was drawn"
    print_error(f"wrote {path}")
    return ""


def _print_long_json(make: Callable[[], object]) -> None:
    """Print the JSON that ``make`` returns. Its fractions may exceed Python's limit of digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        common.print_json(make())
    finally:
        sys.set_int_max_str_digits(before)


def unfair_dice_lines(dice: Dice | None) -> Iterator[str]:
    """Yield a line about the dice if they are not fair, else nothing."""
    if dice is not None and not dice.fair:
        yield f"the dice are not fair: a seven {float(dice.sevens):.4%} of the time"


def dice_json(dice: Dice) -> dict[str, str]:
    """Return {"dice": weights} for dice that are not fair; {} for fair dice."""
    return {} if dice.fair else {"dice": str(dice)}


def merge_compared(objects: Iterable[dict[str, object]]) -> dict[str, object]:
    """Return the first JSON object, with the others in its field ``compared``."""
    first, *others = objects
    return first | ({"compared": others} if others else {})


def bold(text: str) -> str:
    """Return text in bold, for a headline."""
    return click.style(text, bold=True)


def fact_lines(facts: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield one indented line for each label and its text, with labels padded to ``width``."""
    for label, text in facts:
        yield f"  {label:<{width}}{text}"


def table_lines(rows: Sequence[Sequence[str]], left_columns: int = 1) -> Iterator[str]:
    """Yield indented lines of a table; the first ``left_columns`` are aligned to the left."""
    from passline.lab.results import align_columns

    left = [column < left_columns for column in range(len(rows[0]))]
    for line in align_columns(rows, left):
        yield f"  {line}"


def is_ascii_output() -> bool:
    """Return whether to draw with ASCII characters only: standard output is not UTF-8."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"
