"""``passline conformance``: how a table settles every bet on every roll, as JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from passline.cli import lab_commands as lab
from passline.cli.common import fail, print_error, print_json
from passline.cli.files import check_outputs, force_option
from passline.cli.progress import show_progress

if TYPE_CHECKING:
    from passline.game.house.house import House


def _show_schema(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from passline.lab.conformance import conformance_schema

        print_json(conformance_schema())
        ctx.exit()


@lab.declare(
    "passline conformance --rulebook new-jersey --out new-jersey.jsonl",
    lab.RULEBOOK_OPTION,
    click.option(
        "--out",
        metavar="FILE",
        default="-",
        help="Write to FILE (- for standard output, the default).",
    ),
    click.option(
        "--schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_schema,
        help="Print the JSON Schema of a row and exit.",
    ),
    force_option,
    last=(),
)
def command(house: House, out: str) -> None:
    """Write every settlement that a table of a RULEBOOK can meet, as JSON lines.

    One row for each bet, point, dice and stake that the table can come to, with the result, the pay
    and the clause; and for each bet, how many states it has. Test another implementation of the
    same rules with them.
    """
    from passline.files import replace_file
    from passline.lab.conformance import list_conformance_rows

    check_outputs({"out": out})
    encode = msgspec.json.Encoder().encode
    with show_progress(f"conformance {house.book.id}") as bar:
        rows = [encode(row) + b"\n" for row in list_conformance_rows(house, bar)]
    if out == "-":
        click.echo(b"".join(rows).decode(), nl=False)
        return
    try:
        replace_file(Path(out), b"".join(rows))
    except (OSError, ValueError) as error:  # ValueError: the path contains a zero byte.
        fail(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}")
    print_error(f"wrote {out}")
