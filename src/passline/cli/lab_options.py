"""The options of the lab's commands, and the decorator that turns a function into such a command.

A command lists its parameters once, in ``lab_command``. Options read their own text: the command
receives cents, counts, fractions and dice, and a house in place of ``--rulebook``, ``--game`` and
``-o``. It returns a ``LabReport``, which ``lab_output`` prints. Input that cannot be used ends the
command with one line and exit status 2.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from decimal import Decimal
from fractions import Fraction
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import (
    complete_rulebook,
    complete_strategy,
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    tell,
)
from passline.cli.files import check_outputs, force_option
from passline.cli.lab_output import LabReport, print_report
from passline.cli.progress import note_compiling, show_progress, watch_states

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers

#: Adds one argument or option to a command.
Parameter = Callable[[Any], Any]
_NUMBER_PATTERN = re.compile(
    r"([0-9]{1,40}|[0-9]{1,3}(,[0-9]{3}){1,13}|[0-9]{1,3}(_[0-9]{3}){1,13})"
    r"(\.[0-9]{1,20})?(e\+?[0-9]{1,3})?",
    re.IGNORECASE,
)
#: The largest --memory, in megabytes, and the longest shift, in rolls and in hours.
_MAX_MEMORY, MAX_SHIFT_ROLLS, _MAX_SHIFT_HOURS = 2**20, 10**6, 10**4
_MISSING_RULEBOOK = "--rulebook is missing: expected a rulebook's id or a house-rules file"


def lab_command(
    example: str, *parameters: Parameter, saved_machines: bool = False, compiles: bool = False
) -> Callable[[Callable[..., LabReport | None]], click.Command]:
    """Declare a command of the lab: an example for its help, and its parameters in order.

    The function receives the parameters by name, ``house`` in place of ``source``, ``game`` and
    ``options``, and neither ``as_json`` nor ``plot``. With ``saved_machines``, a STRATEGY may be a
    saved machine (FILE.npz), which needs no rulebook: then ``house`` may be None. With
    ``compiles``, a note says that the first run compiles loops. A function that writes its own
    files returns None.
    """

    def declare(function: Callable[..., LabReport | None]) -> click.Command:
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
                    fail(_MISSING_RULEBOOK)
            try:
                with note_compiling() if compiles else nullcontext():
                    report = function(**values)
                if report is not None:
                    print_report(report, as_json, plot)
            except ValueError as error:
                fail(str(error))

        command: Any = run
        for parameter in reversed(parameters):
            command = parameter(command)
        return click.command(epilog=f"\b\nExample:\n  {example}")(command)

    return declare


def _strategy_names(values: dict[str, Any]) -> tuple[str, ...]:
    if "strategy" in values:
        return (values["strategy"], *values.get("others", ()))
    return tuple(values.get("strategies", ("",)))


def _read_option(parse: Callable[..., Any], *limits: int) -> Callable[..., Any]:
    """Return a click callback that parses the option's text with its name as the first argument."""

    def callback(_: click.Context, parameter: click.Parameter, text: str | None) -> Any:
        return parse(parameter.opts[0], text, *limits)

    return callback


def count_option(name: str, help_text: str, least: int, most: int, **more: Any) -> Parameter:
    """Declare an option that takes a whole number, such as 1000000, 1,000,000 or 1e6."""
    more.setdefault("metavar", "N")
    return click.option(
        name, help=help_text, callback=_read_option(parse_count, least, most), **more
    )


def dollars_option(name: str, help_text: str, **more: Any) -> Parameter:
    """Declare an option that takes an amount in dollars and yields cents."""
    read = _read_option(parse_dollars_option)
    return click.option(name, metavar="AMOUNT", help=help_text, callback=read, **more)


def percent_option(name: str, help_text: str) -> Parameter:
    """Declare an option that takes a percent from 0 to 100 and yields a fraction, 0 by default."""
    read = _read_option(parse_percent)
    return click.option(name, metavar="PERCENT", help=help_text, callback=read)


def parse_count(option: str, text: str | None, least: int, most: int) -> int | None:
    """Return a whole number, which may be written 1000000, 1_000_000, 1,000,000 or 1e6."""
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
    """Return a percent, such as 20 or 2.5; 0 if there is no text."""
    plain = (text or "0").strip().removesuffix("%")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", plain) or not 0 <= Fraction(plain) <= 100:
        fail(f"{option} {(text or '')[:40]!r}: expected a percent from 0 to 100")
    return Fraction(plain)


def parse_dollars_option(option: str, text: str | None) -> int | None:
    """Return an amount of money in cents."""
    from passline.game.money.amounts import AmountError, parse_dollars
    from passline.lab.sessions.session import MAX_BANKROLL

    if text is None:
        return None
    try:
        cents = parse_dollars(text)
    except AmountError as error:
        fail(f"{option} {error}")
    if cents > MAX_BANKROLL:
        fail(f"{option} {text}: expected ${MAX_BANKROLL // 100:,} at most")
    return cents


def read_dice_option(option: str, text: str | None) -> Dice:
    """Return the dice that ``--dice`` or the argument DICE describes; fair dice by default."""
    from passline.game.dice.dice import FAIR, WeightsError, parse_dice

    if text is None:
        return FAIR
    try:
        return parse_dice(text)
    except WeightsError as error:
        fail(f"{option} {error}")


def _read_seed(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    from passline.lab.simulation.seeds import SEED_LIMIT

    return parse_count(option, text, 0, SEED_LIMIT - 1)


def _read_workers(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    from passline.lab.simulate import MAX_WORKERS

    return parse_count(option, text, 1, MAX_WORKERS)


STRATEGY_ARGUMENT = click.argument(
    "strategy", metavar="STRATEGY|FILE.npz", shell_complete=complete_strategy
)
RULEBOOK_OPTION = click.option(
    "--rulebook",
    "source",
    metavar="RULEBOOK|FILE",
    shell_complete=complete_rulebook,
    help="A rulebook, or a house-rules file.",
)
COMPARE_OPTION = click.option(
    "--compare",
    "others",
    multiple=True,
    metavar="STRATEGY",
    shell_complete=complete_strategy,
    help="Another strategy to show beside the first; may be repeated.",
)
WORKERS_OPTION = click.option(
    "--workers",
    metavar="N",
    callback=_read_option(_read_workers),
    help="Processor cores to use; all of them by default.",
)
SEED_OPTION = click.option(
    "--seed",
    metavar="N",
    callback=_read_option(_read_seed),
    help="Seed of the dice: the same seed gives the same rolls.",
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
    "--rolls-per-hour",
    "Rolls in an hour.",
    1,
    MAX_SHIFT_ROLLS,
    default="100",
    show_default=True,
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
EXPLAIN_OPTION = partial(click.option, "--explain", is_flag=True)
_PLOT_OPTION = click.option(
    "--plot", metavar="FILE", help="Save a picture as FILE.png or FILE.svg."
)


def plot_options(command: Any) -> Any:
    """Add the options ``--plot`` and ``--force``."""
    return _PLOT_OPTION(force_option(command))


def house_options(command: Any) -> Any:
    """Add the options ``--game`` and ``-o``, which select a house together with the rulebook."""
    return game_option(election_option(command))


def check_plot(path: str, names: tuple[str, ...]) -> None:
    """Before the work begins, end the command if the picture cannot be drawn or written."""
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
    tell(f"note: {words}")


def is_saved_machine(name: str) -> bool:
    """Return whether a STRATEGY names a saved machine."""
    return name.strip().endswith(".npz")


def find_house(
    source: str | None, game: str | None, options: tuple[tuple[str, str], ...]
) -> House | None:
    """Return the house that the options name, or None if they name none."""
    from passline.game.house.load import house_for

    if source is None:
        if game or options:
            fail("--game and -o go with --rulebook")
        return None
    with exit_on_house_error():
        return house_for(source, game, options)


def explore_machine(name: str, house: House | None, memory: int | None) -> Machine | SavedMachine:
    """Return the machine of a STRATEGY, explored. End the command if it cannot be played."""
    from passline.lab.machines.bettor import MachineFileError, StrategyError
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB
    from passline.lab.strategy_machine import resolve_machine

    if house is None and not is_saved_machine(name):
        fail(_MISSING_RULEBOOK)
    try:
        with warnings.catch_warnings(record=True) as caught, show_progress(name) as bar:
            warnings.simplefilter("always")
            megabytes = memory or DEFAULT_MEMORY_MB
            machine = resolve_machine(name, house, megabytes, watch_states(bar))
    except (StrategyError, MachineFileError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail(f"interrupted while {name} was explored: no roll was played")
    for warning in caught:
        print_note(str(warning.message))
    return machine


def count_shift_rolls(hours: int | None, pace: int, rolls: int | None = None) -> int | None:
    """Return the rolls of a shift: ``rolls``, or hours times pace; None if neither is set."""
    if hours is not None and rolls is not None:
        fail("--hours and --rolls both set the length of a shift: use one of them")
    if rolls is not None or hours is None:
        return rolls
    if hours * pace > MAX_SHIFT_ROLLS:
        fail(f"a shift of {hours * pace:,} rolls: expected {MAX_SHIFT_ROLLS:,} at most")
    return hours * pace


def join_cluster(address: str | None, stack: ExitStack) -> Workers | None:
    """Return the workers of the Dask cluster at ``address``, until ``stack`` closes."""
    if address is None:
        return None
    from passline.lab.simulation.workers import ClusterError, open_dask_workers

    try:
        return stack.enter_context(open_dask_workers(address))
    except ClusterError as error:
        fail(f"--dask {error}")


def open_requested_card(device: str) -> GraphicsCard | None:
    """Return the graphics card for ``--device gpu``. End the command if there is none."""
    if device != "gpu":
        return None
    from passline.lab.simulation.gpu.card import NoCardError, open_card

    try:
        return open_card()
    except NoCardError as error:
        fail(f"--device gpu: {error}")
