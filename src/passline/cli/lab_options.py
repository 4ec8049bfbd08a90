"""What commands that play a STRATEGY share: options, numbers, its machine, the picture.

What commands of the lab share: other dice, and how long a shift is.

``--dask``: what is played is played on a cluster.

``--device gpu``: a graphics card instead of the processor's cores.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from passline.cli.common import exit_on_house_error, fail, tell
from passline.cli.files import check_outputs, force_option
from passline.cli.progress import show_progress, watch_states

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers

_Command = TypeVar("_Command", bound=Callable[..., Any])
#: Megabytes that can be asked for.
_MAX_MEMORY = 2**20
_NUMBER_PATTERN = re.compile(
    r"([0-9]{1,40}|[0-9]{1,3}(,[0-9]{3}){1,13}|[0-9]{1,3}(_[0-9]{3}){1,13})"
    r"(\.[0-9]{1,20})?(e\+?[0-9]{1,3})?",
    re.IGNORECASE,
)

#: Options that read the same in every such command.
RULEBOOK_OPTION = click.option(
    "--rulebook",
    "source",
    metavar="RULEBOOK|FILE",
    help="A rulebook, or a house-rules file.",
)
COMPARE_OPTION = click.option(
    "--compare",
    "others",
    multiple=True,
    metavar="STRATEGY",
    help="Another strategy beside the first; may be given again.",
)
_PLOT_OPTION = click.option("--plot", metavar="FILE", help="Draw a picture, FILE.png or FILE.svg.")


def _plot_and_force_options(command: _Command) -> _Command:
    """``--plot``, and ``--force`` with it."""
    return _PLOT_OPTION(force_option(command))


PLOT_OPTIONS = _plot_and_force_options
WORKERS_OPTION = click.option("--workers", metavar="N", help="Cores that play: all unless told.")
MEMORY_OPTION = click.option(
    "--memory", metavar="MB", help="Megabytes that it may take: 128 unless told."
)
JSON_OPTION = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


def parse_count(option: str, text: str | None, least: int, most: int) -> int | None:
    """A whole number, which may be written 1000000, 1_000_000, 1,000,000 or 1e6."""
    if text is None:
        return None
    plain = text.strip()
    number = Decimal(-1)
    if _NUMBER_PATTERN.fullmatch(plain):
        number = Decimal(plain.replace(",", "").replace("_", ""))
    if not least <= number <= most or number != number.to_integral_value():
        fail(f"{option} {text[:40]!r}: expected a whole number from {least:,} to {most:,}")
    return int(number)


def parse_seed(text: str | None) -> int | None:
    """What ``--seed`` means."""
    from passline.lab.simulation.seeds import SEED_LIMIT

    return parse_count("--seed", text, 0, SEED_LIMIT - 1)


def parse_workers(text: str | None) -> int | None:
    """What ``--workers`` means."""
    from passline.lab.simulate import MAX_WORKERS

    return parse_count("--workers", text, 1, MAX_WORKERS)


def parse_memory(text: str | None) -> int:
    """What ``--memory`` means: megabytes."""
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB

    return parse_count("--memory", text, 1, _MAX_MEMORY) or DEFAULT_MEMORY_MB


def check_plot(path: str, names: Sequence[str]) -> None:
    """Before the work: end the command unless the picture can be made and written."""
    from passline.lab.charts.figure_file import ChartError, check_path
    from passline.lab.charts.style import check_count

    check_outputs({"plot": path})
    try:
        check_path(path)
        check_count(names)
    except ChartError as wrong:
        fail(f"--plot {wrong}")


def save_plot(path: str | None, save: Callable[[str], None]) -> str:
    """After the work: save the picture, if one is wanted, and say so; what went wrong, if it did.

    Before anything is printed: who reads it may go away.
    """
    from passline.lab.charts.figure_file import ChartError

    if not path:
        return ""
    try:
        save(path)
    except ChartError as wrong:
        return f"--plot {wrong}"
    except KeyboardInterrupt:
        return "interrupted while the picture was drawn"
    tell(f"wrote {path}")
    return ""


def note(words: str) -> None:
    """A line on standard error that ends nothing."""
    tell(f"note: {words}")


def is_saved_machine(name: str) -> bool:
    """Whether a STRATEGY is a saved machine."""
    return name.strip().endswith(".npz")


def find_house(
    source: str | None, game: str | None, options: tuple[tuple[str, str], ...]
) -> House | None:
    """The house that the options name; None where they name none, as for saved machines."""
    from passline.game.house.load import house_for

    if source is None:
        if game or options:
            fail("--game and -o go with --rulebook")
        return None
    with exit_on_house_error():
        return house_for(source, game, options)


def explore_machine(name: str, house: House | None, memory: int) -> Machine | SavedMachine:
    """The machine of a STRATEGY, explored; what cannot be played ends the command."""
    from passline.lab.machines.bettor import MachineFileError, StrategyError
    from passline.lab.strategy_machine import resolve_machine

    if house is None and not is_saved_machine(name):
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    try:
        with warnings.catch_warnings(record=True) as warned, show_progress(name) as bar:
            warnings.simplefilter("always")
            machine = resolve_machine(name, house, memory, watch_states(bar))
    except (StrategyError, MachineFileError) as wrong:
        fail(str(wrong))
    except KeyboardInterrupt:
        fail(f"interrupted while {name} was explored: no roll was played")
    for warning in warned:
        note(str(warning.message))
    return machine


def is_ascii_output() -> bool:
    """Whether standard output takes no more than plain letters."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"


#: Rolls of a shift beyond which nobody means what he says.
_MAX_SHIFT_ROLLS, _MAX_SHIFT_HOURS = 10**6, 10**4

DICE_OPTION = click.option(
    "--dice",
    "dice",
    metavar="DICE",
    help="Other dice: 36 weights, two dice's six each (1,1,1,1,1,2 x 1,1,1,1,1,1), or sevens=1/7.",
)
PACE_OPTION = click.option(
    "--rolls-per-hour", "pace", metavar="N", default="100", show_default=True, help="The pace."
)
OPEN_WAGERS_OPTION = click.option(
    "--open",
    "open_wagers",
    type=click.Choice(["played", "fair", "stake"]),
    default="played",
    help="What is up at the end: played out (unless told), at expectation, or at its stake.",
)
#: What ``--open`` means, in words.
OPEN_WAGERS_WORDS = {
    "played": "what is up is played out once the rolls end",
    "fair": "what is up counts at what it is worth on average",
    "stake": "what is up counts at its stake",
}
HOURS_OPTION = click.option("--hours", metavar="N", help="Hours of a shift.")


def read_dice_option(text: str | None, option: str = "--dice") -> Dice:
    """What ``--dice`` means, or an argument."""
    from passline.game.dice.dice import FAIR, WeightsError, parse_dice

    if text is None:
        return FAIR
    try:
        return parse_dice(text)
    except WeightsError as wrong:
        fail(f"{option} {wrong}")


def dice_json(dice: Dice) -> dict[str, str]:
    """What JSON says of other dice than fair ones."""
    return {} if dice.fair else {"dice": str(dice)}


def show_dice(dice: Dice) -> None:
    """What people are told of other dice than fair ones."""
    if not dice.fair:
        click.echo(f"other dice than fair ones: a seven {float(dice.sevens):.4%} of the time")


def parse_percent(option: str, text: str | None) -> Fraction:
    """A percent, such as 20 or 2.5; nothing is 0."""
    if text is None:
        return Fraction(0)
    plain = text.strip().removesuffix("%")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", plain) or not 0 <= Fraction(plain) <= 100:
        fail(f"{option} {text[:40]!r}: expected a percent from 0 to 100")
    return Fraction(plain)


def parse_dollars_option(option: str, text: str | None) -> int | None:
    """An amount of money, in cents."""
    from passline.game.money.amounts import AmountError, parse_dollars
    from passline.lab.sessions.session import MAX_BANKROLL

    if text is None:
        return None
    try:
        cents = parse_dollars(text)
    except AmountError as wrong:
        fail(f"{option} {wrong}")
    if cents > MAX_BANKROLL:
        fail(f"{option} {text}: expected ${MAX_BANKROLL // 100:,} at most")
    return cents


def parse_pace(text: str) -> int:
    """What ``--rolls-per-hour`` means."""
    return parse_count("--rolls-per-hour", text, 1, _MAX_SHIFT_ROLLS) or 0


def parse_shift_rolls(hours: str | None, pace: str, rolls: str | None = None) -> int | None:
    """The rolls of a shift, by its hours or by themselves; None: neither is given."""
    if hours is not None and rolls is not None:
        fail("--hours and --rolls both say how long a shift is: give one of them")
    if rolls is not None:
        return parse_count("--rolls", rolls, 1, _MAX_SHIFT_ROLLS)
    an_hour = parse_pace(pace)
    if hours is None:
        return None
    found = (parse_count("--hours", hours, 1, _MAX_SHIFT_HOURS) or 0) * an_hour
    if found > _MAX_SHIFT_ROLLS:
        fail(f"a shift of {found:,} rolls: expected {_MAX_SHIFT_ROLLS:,} at most")
    return found


DASK_OPTION = click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler."
)


def join_cluster(address: str | None, stack: ExitStack) -> Workers | None:
    """The workers of the cluster that was asked for, until the stack is left."""
    if address is None:
        return None
    from passline.lab.simulation.workers import ClusterError, open_dask_workers

    try:
        return stack.enter_context(open_dask_workers(address))
    except ClusterError as wrong:
        fail(f"--dask {wrong}")


DEVICE_OPTION = click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    help="What plays: the processor's cores, or an NVIDIA card.",
)


def open_requested_card(device: str) -> GraphicsCard | None:
    """The card, where one is asked for; where there is none, that ends the command."""
    if device != "gpu":
        return None
    from passline.lab.simulation.gpu.card import NoCardError, open_card

    try:
        return open_card()
    except NoCardError as wrong:
        fail(f"--device gpu: {wrong}")
