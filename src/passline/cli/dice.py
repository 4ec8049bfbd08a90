"""``passline dice``: what dice that are not fair are worth, and how many rolls reveal them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.words.wagers import wager_label

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.pricing.other_dice import OtherDice

_TEST_METHODS = {
    "exact": "exact",
    "convolution": "by convolution",
    "normal": "by the normal approximation: numpy is not installed",
}


@lab.declare(
    "passline dice sevens=1/7 pass --rulebook new-jersey",
    click.argument("text", metavar="DICE"),
    click.argument("wager", required=False),
    lab.rulebook_option("A rulebook, or a house-rules file.", DEFAULT_BOOK),
    last=(lab.JSON_OPTION,),
)
def command(text: str, wager: str | None, house: House) -> lab.Report:
    """Show what DICE that are not fair are worth: the edge of every wager, or of one WAGER, and how
    many rolls reveal that they are not fair.

    DICE: 36 weights, two dice's six each (1,1,1,1,1,2 x 1,1,1,1,1,1), one die's six for both,
    sevens=1/7 (the ways to seven share a seventh, the others the rest), or off=1/100 (both dice
    longer by a hundredth from the one to the six; a model: each face comes up in proportion to its
    solid angle). The number of rolls is that of a likelihood-ratio test that wrongly suspects fair
    dice 1 percent of the time and detects these 90 percent of the time.
    """
    from passline.game.dice.dice import describe_dice_model
    from passline.lab.pricing.other_dice import other_dice_json, price_dice

    model = describe_dice_model(text)
    result = price_dice(house, lab.read_dice_option("DICE", text), wager)
    return lab.Report(
        json=lambda: other_dice_json(result) | {"model": model},
        lines=lambda: _lines(result, model),
    )


def _lines(result: OtherDice, model: str | None) -> Iterator[str]:
    yield from lab.unfair_dice_lines(result.dice)
    if model is not None:
        yield f"assumed: {model}"
    evidence = result.evidence
    if evidence.rolls is None:
        yield "these dice are fair: no number of rolls shows a difference"
    else:
        yield (
            f"{evidence.rolls:,} rolls reveal it: size {evidence.size:.0%}, power "
            f"{evidence.power:.0%}, {_TEST_METHODS[evidence.method]}"
        )
    yield ""
    rows = [["wager", "fair", "these", "worth"]]
    for each in result.wagers:
        figures = (each.fair, each.edge, each.worth)
        rows.append([wager_label(each.wager), *(f"{float(figure):+.4%}" for figure in figures)])
    yield from lab.table_lines(rows)
    yield "\nThe edge is the house's, of the amount wagered; worth is the player's gain. Exact."
