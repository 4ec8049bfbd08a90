"""``passline dice``: what other dice would be worth, and how many rolls would show them."""

from __future__ import annotations

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import read_dice_option, show_dice
from passline.game.law.book_files import DEFAULT_BOOK

_TEST_METHODS = {"exact": "exact", "normal": "by the normal approximation"}


@click.command(epilog="\b\nExample:\n  passline dice sevens=1/7 pass --rulebook new-jersey")
@click.argument("dice", metavar="DICE")
@click.argument("wager", required=False)
@click.option(
    "--rulebook",
    "source",
    metavar="RULEBOOK|FILE",
    default=DEFAULT_BOOK,
    show_default=True,
    help="A rulebook, or a house-rules file.",
)
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    dice: str,
    wager: str | None,
    source: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show what DICE that are not fair are worth: the edge of every wager, or of one WAGER, and how
    many rolls would show that they are not.

    DICE: 36 weights, two dice's six each (1,1,1,1,1,2 x 1,1,1,1,1,1), one die's six for both,
    sevens=1/7 (the ways to seven share a seventh, the others the rest), or off=1/100 (both dice
    longer by a hundredth from the one to the six; a face comes as often as its solid angle is
    large, which is a model). Shown: by the likelihood-ratio test of fair dice against these that
    calls fair dice unfair in 1 percent and finds these in 90.
    """
    from passline.game.dice.dice import describe_dice_model
    from passline.game.house.load import house_for
    from passline.lab.pricing.other_dice import other_dice_json, price_dice
    from passline.lab.pricing.wager_odds import WagerError

    thrown = read_dice_option(dice, "DICE")
    with exit_on_house_error():
        house = house_for(source, game, options)
    try:
        found = price_dice(house, thrown, wager)
    except WagerError as wrong:
        fail(str(wrong))
    if as_json:
        print_json(other_dice_json(found) | {"model": describe_dice_model(dice)})
        return
    show_dice(thrown)
    if (model := describe_dice_model(dice)) is not None:
        click.echo(f"assumed: {model}")
    evidence = found.evidence
    if evidence.rolls is None:
        click.echo("these are fair dice: nothing would show")
    else:
        click.echo(
            f"{evidence.rolls:,} rolls would show it: size {evidence.size:.0%}, power "
            f"{evidence.power:.0%}, {_TEST_METHODS[evidence.method]}"
        )
    width = max((len(each.wager) for each in found.wagers), default=5)
    click.echo(f"\n{'wager':<{width}}  {'fair':>9}  {'these':>9}  {'worth':>9}")
    for each in found.wagers:
        figures = (each.fair, each.edge, each.worth)
        shown = "  ".join(f"{float(figure):>+9.4%}" for figure in figures)
        click.echo(f"{each.wager:<{width}}  {shown}")
    click.echo("\nThe edge is the house's, of the amount wagered; worth: to the player. Exact.")
