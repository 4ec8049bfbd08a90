"""Print the result of a lab command: as JSON, as text with aligned columns, and as a picture.

A command returns a ``LabReport``: functions that make its JSON, its lines of text and its picture.
``print_report`` calls those that the options ask for and prints the results.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from passline.cli.common import fail, print_json, tell

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice

#: What ``--open`` does, in words.
OPEN_WAGERS_WORDS = {
    "played": "bets still open when the rolls end are played out",
    "fair": "bets still open when the rolls end count at their expected value",
    "stake": "bets still open when the rolls end count at their stake",
}


class LabReport(NamedTuple):
    """The result of a lab command, and how to show it.

    ``json`` makes a JSON value; ``lines`` makes the text; ``save_plot`` writes the picture to a
    path. ``error`` is set if the work stopped early: the results so far are printed, then the
    error, and the command exits with status 2. ``dice`` are named in the text if they are not fair.
    ``finish`` is called after the output, for example to save a file.
    """

    json: Callable[[], object]
    lines: Callable[[], Iterable[str]]
    dice: Dice | None = None
    save_plot: Callable[[str], None] | None = None
    error: str = ""
    finish: Callable[[], None] | None = None


def print_report(report: LabReport, as_json: bool, plot: str | None) -> None:
    """Save the picture if ``plot`` names a file, then print the JSON or the text.

    The picture comes first, because the reader of a pipe may close it. A picture that fails ends
    the command with status 2 after the output.
    """
    plot_error = _save_plot(report, plot)
    if as_json:
        _print_long_json(report.json)
    else:
        if report.dice is not None and not report.dice.fair:
            click.echo(
                f"the dice are not fair: a seven {float(report.dice.sevens):.4%} of the time"
            )
        for line in report.lines():
            click.echo(line)
    if report.finish is not None:
        report.finish()
    if report.error or plot_error:
        fail("; ".join(filter(None, (report.error, plot_error))))


def _save_plot(report: LabReport, path: str | None) -> str:
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
    tell(f"wrote {path}")
    return ""


def _print_long_json(make: Callable[[], object]) -> None:
    """Print JSON whose fractions may have more digits than Python prints by default."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        print_json(make())
    finally:
        sys.set_int_max_str_digits(before)


def dice_json(dice: Dice) -> dict[str, str]:
    """Return the JSON field for dice that are not fair; nothing for fair dice."""
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
    """Return whether standard output cannot take characters beyond ASCII."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"
