"""What commands that play a STRATEGY share: options, numbers, its machine, the picture."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import click

from passline.cli.common import fail, house_errors, tell
from passline.cli.outputs import check_outputs, force_option
from passline.cli.progress import count_states, show_progress

if TYPE_CHECKING:
    from passline.house import House
    from passline.machines import Machine, SavedMachine

_Command = TypeVar("_Command", bound=Callable[..., Any])
#: Megabytes that can be asked for.
_MOST_MEMORY = 2**20
_COUNT = re.compile(
    r"([0-9]{1,40}|[0-9]{1,3}(,[0-9]{3}){1,13}|[0-9]{1,3}(_[0-9]{3}){1,13})"
    r"(\.[0-9]{1,20})?(e\+?[0-9]{1,3})?",
    re.IGNORECASE,
)

#: Options that read the same in every such command.
SOURCE = click.option(
    "--rulebook",
    "source",
    metavar="RULEBOOK|FILE",
    help="A rulebook, or a house-rules file.",
)
COMPARE = click.option(
    "--compare",
    "others",
    multiple=True,
    metavar="STRATEGY",
    help="Another strategy beside the first; may be given again.",
)
_PICTURE = click.option("--plot", metavar="FILE", help="Draw a picture, FILE.png or FILE.svg.")


def _plot(command: _Command) -> _Command:
    """``--plot``, and ``--force`` with it."""
    return _PICTURE(force_option(command))


PLOT = _plot
WORKERS = click.option("--workers", metavar="N", help="Cores that play: all unless told.")
MEGABYTES = click.option(
    "--memory", metavar="MB", help="Megabytes that it may take: 128 unless told."
)
JSON = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


def read_count(option: str, text: str | None, least: int, most: int) -> int | None:
    """A whole number, which may be written 1000000, 1_000_000, 1,000,000 or 1e6."""
    if text is None:
        return None
    plain = text.strip()
    number = Decimal(-1)
    if _COUNT.fullmatch(plain):
        number = Decimal(plain.replace(",", "").replace("_", ""))
    if not least <= number <= most or number != number.to_integral_value():
        fail(f"{option} {text[:40]!r}: expected a whole number from {least:,} to {most:,}")
    return int(number)


def seed_of(text: str | None) -> int | None:
    """What ``--seed`` means."""
    from passline.simulation.seeds import SEEDS

    return read_count("--seed", text, 0, SEEDS - 1)


def workers_of(text: str | None) -> int | None:
    """What ``--workers`` means."""
    from passline.lab.simulations import MOST_WORKERS

    return read_count("--workers", text, 1, MOST_WORKERS)


def memory_of(text: str | None) -> int:
    """What ``--memory`` means: megabytes."""
    from passline.machines import MEMORY

    return read_count("--memory", text, 1, _MOST_MEMORY) or MEMORY


def check_plot(path: str, names: Sequence[str]) -> None:
    """Before the work: end the command unless the picture can be made and written."""
    from passline.charts import ChartError, check_path
    from passline.charts.marks import check_count

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
    from passline.charts import ChartError

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


def is_saved(name: str) -> bool:
    """Whether a STRATEGY is a saved machine."""
    return name.strip().endswith(".npz")


def house_at(
    source: str | None, game: str | None, options: tuple[tuple[str, str], ...]
) -> House | None:
    """The house that the options name; None where they name none, as for saved machines."""
    from passline.house.files import house_for

    if source is None:
        if game or options:
            fail("--game and -o go with --rulebook")
        return None
    with house_errors():
        return house_for(source, game, options)


def machine_of(name: str, house: House | None, memory: int) -> Machine | SavedMachine:
    """The machine of a STRATEGY, explored; what cannot be played ends the command."""
    from passline.lab.resolve import machine_for
    from passline.machines import MachineFileError, StrategyError

    if house is None and not is_saved(name):
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    try:
        with warnings.catch_warnings(record=True) as warned, show_progress(name) as bar:
            warnings.simplefilter("always")
            machine = machine_for(name, house, memory, count_states(bar))
    except (StrategyError, MachineFileError) as wrong:
        fail(str(wrong))
    except KeyboardInterrupt:
        fail(f"interrupted while {name} was explored: no roll was played")
    for warning in warned:
        note(str(warning.message))
    return machine


def plain_letters() -> bool:
    """Whether standard output takes no more than plain letters."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"
