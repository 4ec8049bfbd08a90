"""``passline placard``: the payout card of a rulebook or a house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, fail, game_option, house_errors

if TYPE_CHECKING:
    from passline.house import House


@click.command(epilog="\b\nExample:\n  passline placard new-jersey -o offers.fire=A")
@click.argument("source", metavar="RULEBOOK|FILE")
@game_option
@election_option
@click.option("--html", "out", metavar="OUT", help="Write a page to print to OUT (- for output).")
def command(
    source: str, game: str | None, options: tuple[tuple[str, str], ...], out: str | None
) -> None:
    """Print the payout card of a RULEBOOK, or of the house in a house-rules FILE."""
    from passline.house.files import house_for
    from passline.house.placard import render_text

    with house_errors():
        house = house_for(source, game, options)
    if out is None:
        click.echo(render_text(house), nl=False)
    else:
        _write_page(house, out)


def _write_page(house: House, out: str) -> None:
    from passline.house.placard_html import render_html

    page = render_html(house)
    if out == "-":
        click.echo(page, nl=False)
        return
    try:
        Path(out).write_text(page, "utf-8")
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        fail(f"{out} cannot be written: {getattr(wrong, 'strerror', None) or wrong}")
    click.echo(f"wrote {out}", err=True)
