"""``passline par``: write a house's par sheet (edge, hit frequency, volatility) for a test lab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.cli.common import fail
from passline.cli.files import check_outputs, force_option, open_record_file, write_output
from passline.game.words.refusals import describe_refusal

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.pricing.exposure import Exposure
    from passline.lab.pricing.par_sheet import ParSheet
    from passline.record.read import Record


@lab.declare(
    "passline par new-jersey -o offers.fire=A --csv -",
    lab.rulebook_argument(),
    click.option("--md", metavar="OUT", help="Write Markdown to OUT (- for standard output)."),
    click.option(
        "--html", metavar="OUT", help="Write a printable page to OUT (- for standard output)."
    ),
    click.option(
        "--csv",
        metavar="OUT",
        help="Write the wagers as CSV to OUT (- for standard output). Beside par.csv, "
        "par-columns.csv describes its columns and par-layout.csv holds --layout.",
    ),
    click.option(
        "--layout",
        metavar="RECORD",
        help="A table record: add what its next throw can cost the house, outcome by outcome.",
    ),
    lab.flag_option(
        "--explain", "Show where each figure comes from; for --csv, in par-explain.csv beside it."
    ),
    force_option,
    last=(lab.DICE_OPTION,),
)
def command(
    house: House,
    md: str | None,
    html: str | None,
    csv: str | None,
    layout: str | None,
    explain: bool,
    dice: Dice,
) -> None:
    """Write the par sheet of a RULEBOOK, or of the house in a FILE.

    Each wager with its clause, pay, hit frequency, edge, volatility, limits and what it can cost
    the house on one throw. By default, write Markdown to standard output.
    """
    from passline.game.law.book_files import book_ids
    from passline.lab.pricing.par_sheet import make_par_sheet

    outs = {"md": md, "html": html, "csv": csv}
    if sum(out == "-" for out in outs.values()) > 1:
        fail("only one of --md, --html and --csv goes to standard output")
    files = _output_files(outs, {"layout": layout is not None, "explain": explain})
    check_outputs(files)
    exposure = None if layout is None else _find_exposure(layout, house, dice)
    options_too = click.get_current_context().params["source"] in book_ids()
    sheet = make_par_sheet(house, options=options_too, layout=exposure, dice=dice, explain=explain)
    for part, out in files.items():
        write_output(_render_part(sheet, part, files), out)


def _output_files(outs: dict[str, str | None], beside: dict[str, bool]) -> dict[str, str]:
    """Return a dict from each part of the sheet to its file; ``-`` is standard output.

    ``beside`` says which further CSV parts are wanted. Without options, Markdown goes to standard
    output. With ``--csv``, the columns, the layout and the explanations go to files beside it; if
    the output is not a regular file, they follow the wagers in it.
    """
    files = {kind: out for kind, out in outs.items() if out is not None}
    csv = files.get("csv", "-")
    path = Path(csv)
    if csv != "-" and path.name and (path.is_file() or not path.exists()):
        for part in ("columns", *(part for part, wanted in beside.items() if wanted)):
            files[f"csv-{part}"] = str(path.with_name(f"{path.stem}-{part}{path.suffix}"))
    return files or {"md": "-"}


def _render_part(sheet: ParSheet, part: str, files: dict[str, str]) -> str:
    from passline.lab.pricing.par_formats import (
        render_columns_csv,
        render_csv,
        render_explained_csv,
        render_html,
        render_layout_csv,
        render_markdown,
    )

    if part == "csv-columns":
        return render_columns_csv()
    layout = render_layout_csv(sheet) or ""
    explained = render_explained_csv(sheet) if sheet.explained else ""
    if part in ("csv-layout", "csv-explain"):
        return layout if part == "csv-layout" else explained
    if part == "csv":
        below = [] if "csv-columns" in files else [text for text in (layout, explained) if text]
        return "\n".join([render_csv(sheet), *below])
    return {"md": render_markdown, "html": render_html}[part](sheet)


def _find_exposure(name: str, house: House, dice: Dice) -> Exposure:
    """Return what the next throw can cost the house at the end of the record ``name``.

    Exit 2 if the record is of another house, or no throw can follow it.
    """
    from passline.game.layout.stakes import Refusal
    from passline.lab.pricing.exposure import compute_exposure
    from passline.record.deal import deal_record, load_record_house
    from passline.record.read import read_record

    with open_record_file(name) as (lines, _, folder):
        record = read_record("\n".join(lines))
        _check_same_house(name, record, load_record_house(record, folder), house)
        dealt = deal_record(record, house)
    found = compute_exposure(dealt.table, len(dealt.refusals), dice)
    if isinstance(found, Refusal):
        fail(f"{name}: no throw can follow it: {describe_refusal(found)} [{found.cite}]")
    return found


def _check_same_house(name: str, record: Record, own: House, house: House) -> None:
    """Exit 2 if the record was played under other rules (``own``) than the sheet's ``house``."""
    if own.book.id != house.book.id or (record.game and own.game != house.game):
        there = f"{own.book.id}, {own.game}"
        fail(f"{name} is for {there}; the sheet is for {house.book.id}, {house.game}")
    if (record.house or record.elections) and own.elections != house.elections:
        fail(f"{name} has elections of its own that differ from those of the sheet")
