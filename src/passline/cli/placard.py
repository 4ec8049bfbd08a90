"""``passline placard``: print the payout card of a rulebook or a house."""

from __future__ import annotations

import click

from passline.cli.common import (
    complete_rulebook,
    election_option,
    exit_on_house_error,
    game_option,
)
from passline.cli.files import check_outputs, force_option, write_output


@click.command(epilog="\b\nExample:\n  passline placard new-jersey -o offers.fire=A")
@click.argument("source", metavar="RULEBOOK|FILE", shell_complete=complete_rulebook)
@game_option
@election_option
@click.option("--html", "out", metavar="OUT", help="Write a page to OUT (- for standard output).")
@force_option
def command(
    source: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    out: str | None,
    force: bool,
) -> None:
    """Print the payout card of a RULEBOOK, or of the house in a house-rules FILE."""
    from passline.game.house.load import house_for
    from passline.game.words.placard import render_placard_text

    check_outputs({"html": out})
    with exit_on_house_error():
        house = house_for(source, game, options)
    if out is None:
        click.echo(render_placard_text(house), nl=False)
    else:
        from passline.game.words.placard_html import render_placard_html

        write_output(render_placard_html(house), out)
