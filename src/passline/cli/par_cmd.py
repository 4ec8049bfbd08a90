"""``passline par``: the sheet that a test lab expects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, fail, game_option, house_errors
from passline.words.refusals import refusal_words

if TYPE_CHECKING:
    from passline.house import House
    from passline.pricing.costs import Exposure
    from passline.pricing.par import ParSheet
    from passline.record.read import Record

_LARGEST = 64 * 1024 * 1024


@click.command(epilog="\b\nExample:\n  passline par new-jersey -o offers.fire=A --csv -")
@click.argument("source", metavar="RULEBOOK|FILE")
@click.option("--md", metavar="OUT", help="Write Markdown to OUT (- for output).")
@click.option("--html", metavar="OUT", help="Write a page to print to OUT (- for output).")
@click.option(
    "--csv",
    metavar="OUT",
    help="Write the wagers as CSV to OUT (- for output); --layout, to a second file beside it: "
    "par-layout.csv for par.csv.",
)
@click.option(
    "--layout",
    metavar="RECORD",
    help="A table record: what its next throw can cost the house, outcome by outcome.",
)
@game_option
@election_option
def command(
    source: str,
    md: str | None,
    html: str | None,
    csv: str | None,
    layout: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
) -> None:
    """Write the par sheet of a RULEBOOK, or of the house in a FILE.

    Each wager with its clause, pay, hit frequency, edge, volatility, limits and what it can cost
    the house on one throw. Markdown to standard output, unless told otherwise.
    """
    from passline.house.files import house_for
    from passline.law import book_ids
    from passline.pricing.par import par_sheet

    outs = {"md": md, "html": html, "csv": csv}
    if sum(out == "-" for out in outs.values()) > 1:
        fail("only one of --md, --html and --csv goes to standard output")
    with house_errors():
        house = house_for(source, game, options)
    found = None if layout is None else _exposure(layout, house)
    sheet = par_sheet(house, options=source in book_ids(), layout=found)
    if all(out is None for out in outs.values()):
        outs["md"] = "-"
    for kind, out in outs.items():
        if out is not None:
            for where, text in _rendered(sheet, kind, out):
                _write(text, where)


def _rendered(sheet: ParSheet, kind: str, out: str) -> list[tuple[str, str]]:
    """The files to write, each with its text."""
    from passline.pricing.par_csv import render_csv, render_layout_csv
    from passline.pricing.par_html import render_html
    from passline.pricing.par_text import render_markdown

    if kind != "csv":
        return [(out, {"md": render_markdown, "html": render_html}[kind](sheet))]
    wagers, layout = render_csv(sheet), render_layout_csv(sheet)
    if layout is None:
        return [(out, wagers)]
    path = Path(out)
    # Nothing stands beside standard output, a pipe or a device: there, one after the other.
    if out == "-" or (path.exists() and not path.is_file()):
        return [(out, f"{wagers}\n{layout}")]
    return [(out, wagers), (str(path.with_name(f"{path.stem}-layout{path.suffix}")), layout)]


def _write(text: str, out: str) -> None:
    if out == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(out).write_text(text, "utf-8")
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        fail(f"{out} cannot be written: {getattr(wrong, 'strerror', None) or wrong}")
    click.echo(f"wrote {out}", err=True)


def _exposure(name: str, house: House) -> Exposure:
    """What the next throw can cost at the table that a record ends with."""
    from passline.layout import Refusal
    from passline.pricing.costs import exposure
    from passline.record import RecordError, read_record
    from passline.record.deal import deal_record

    try:
        record = read_record(_text(name))
        dealt = deal_record(record, _agreed(name, record, house))
    except RecordError as wrong:
        fail(f"{name}:{wrong.line}: {wrong.message}" if wrong.line else f"{name}: {wrong.message}")
    found = exposure(dealt.table, len(dealt.refusals))
    if isinstance(found, Refusal):
        fail(f"{name}: no throw can follow it: {refusal_words(found)} [{found.cite}]")
    return found


def _text(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as wrong:
        fail(f"{name} cannot be read: {getattr(wrong, 'strerror', None) or wrong}")
    if len(data) > _LARGEST:
        fail(f"{name} is over {_LARGEST // 1024 // 1024} MB: too large for a record")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record")


def _agreed(name: str, record: Record, house: House) -> House:
    """The house to deal a record under: the sheet's, which the record must not contradict."""
    from passline.record.houses import house_of

    own = house_of(record, Path(name).parent)
    if own.book.id != house.book.id or (record.game and own.game != house.game):
        there = f"{own.book.id}, {own.game}"
        fail(f"{name} is for {there}; the sheet is for {house.book.id}, {house.game}")
    if (record.house or record.elections) and own.elections != house.elections:
        fail(f"{name} has elections of its own that differ from those of the sheet")
    return house
