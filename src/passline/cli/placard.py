"""``passline placard``: print the payout card of a rulebook or a house."""

from __future__ import annotations

import click

from passline.cli.common import election_option, game_option, house_command, source_argument
from passline.cli.files import check_outputs, force_option, write_output
from passline.game.house.house import House
from passline.game.words.placard import render_placard_html, render_placard_text


@house_command("passline placard new-jersey -o offers.fire=A")
@source_argument
@game_option
@election_option
@click.option("--html", "out", metavar="OUT", help="Write a page to OUT (- for standard output).")
@force_option
def command(house: House, out: str | None, force: bool) -> None:
    """Print the payout card of a RULEBOOK, or of the house in a house-rules FILE."""
    check_outputs({"html": out})
    if out is None:
        click.echo(render_placard_text(house), nl=False)
    else:
        write_output(render_placard_html(house), out)
