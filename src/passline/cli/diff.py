"""``passline diff``: two houses side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passline.cli.common import exit_on_house_error, fail, print_json
from passline.cli.lab_options import (
    DICE_OPTION,
    HOURS_OPTION,
    PACE_OPTION,
    parse_dollars_option,
    parse_shift_rolls,
    read_dice_option,
    show_dice,
)
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from passline.game.dice.dice import Dice
    from passline.lab.pricing.explain import Explanation
    from passline.lab.pricing.house_comparison import HouseDifference, WagerSide


@click.command(
    epilog="\b\nExample:\n  passline diff new-jersey src/passline/samples/boardwalk.toml"
)
@click.argument("first", metavar="RULEBOOK|FILE")
@click.argument("second", metavar="RULEBOOK|FILE")
@click.option("--wager", metavar="WAGER", help="This one alone, such as field or pass+odds.")
@click.option(
    "--stake", metavar="AMOUNT", default="10", show_default=True, help="Dollars always up."
)
@HOURS_OPTION
@PACE_OPTION
@DICE_OPTION
@click.option("--all", "every", is_flag=True, help="Also the wagers that do not differ.")
@click.option(
    "--explain",
    "unfold",
    is_flag=True,
    help="Unfold the edges of the wagers shown, in both houses.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    first: str,
    second: str,
    wager: str | None,
    stake: str,
    hours: str | None,
    pace: str,
    dice: str | None,
    every: bool,
    unfold: bool,
    as_json: bool,
) -> None:
    """Show two houses side by side: every wager that they deal differently, its pay and its edge in
    each, and what the second wins more in a shift of --hours (8 unless told) on which --stake is
    always up and working. Exact. With odds (pass+odds): the edge of flat and odds together.
    """
    from passline.game.house.load import house_for
    from passline.lab.pricing.house_comparison import compare_houses, house_difference_json
    from passline.lab.pricing.wager_odds import WagerError

    rolls = parse_shift_rolls(hours or "8", pace)
    cents = parse_dollars_option("--stake", stake)
    if not rolls or not cents:
        fail("--stake: expected an amount above nought")
    thrown = read_dice_option(dice)
    with exit_on_house_error():
        houses = house_for(first, None, ()), house_for(second, None, ())
    try:
        found = compare_houses(*houses, thrown, wager, cents)
    except WagerError as wrong:
        fail(str(wrong))
    if as_json:
        told = house_difference_json(found, cents, rolls)
        print_json(told | (_explain_json(found, thrown, every) if unfold else {}))
        return
    show_dice(thrown)
    _show(found, cents, rolls, every)
    if unfold:
        from passline.cli.odds import show_explanation

        for side, one in _explain_wagers(found, thrown, every):
            click.secho(f"\n{getattr(found, side).name}", bold=True, nl=False)
            show_explanation(one)


def _explain_wagers(
    found: HouseDifference, dice: Dice, every: bool
) -> Iterator[tuple[str, Explanation]]:
    """The edges that are shown, unfolded, with the side that deals them."""
    from passline.lab.pricing.explain import explain_wager

    for each in found.wagers:
        for side in ("first", "second"):
            if (each.differs or every) and getattr(each, side) is not None:
                yield side, explain_wager(getattr(found, side), each.wager, dice=dice)


def _explain_json(found: HouseDifference, dice: Dice, every: bool) -> dict[str, object]:
    from passline.lab.pricing.explain import explanation_json

    return {
        "explain": [
            {"house": side, "wager": one.row.wager} | explanation_json(one)
            for side, one in _explain_wagers(found, dice, every)
        ]
    }


def _show(found: HouseDifference, stake: int, rolls: int, every: bool) -> None:
    click.secho(f"{found.first.name} | {found.second.name}", bold=True)
    rows = [("wager", "first", "second", "a shift", "as dealt")]
    for each in found.wagers:
        if each.differs or every:
            one, two = _side_words(each.first), _side_words(each.second)
            dollars, dealt = each.dollars(stake, rolls), each.difference_as_dealt(stake, rolls)
            rows.append((each.wager, one, two, _signed_dollars(dollars), _signed_dollars(dealt)))
    if len(rows) == 1:
        click.echo("no wager differs")
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for wager, *cells, shift, rounded in rows:
        left = [f"{cell:<{width}}" for cell, width in zip((wager, *cells), widths, strict=False)]
        click.echo("  ".join([*left, f"{shift:>{widths[3]}}", f"{rounded:>{widths[4]}}"]).rstrip())
    click.echo(
        f"\na shift: what the second wins more in {rolls:,} rolls with {show_money(stake)} always "
        "up and working, nothing rounded; as dealt: with pays and vigorish rounded as each house "
        "does for that stake, where both take it; exact"
    )


def _signed_dollars(cents: Fraction | None) -> str:
    return "" if cents is None else f"{float(cents) / 100:+,.2f}"


def _side_words(side: WagerSide | None) -> str:
    if side is None:
        return "not dealt"
    pays = side.pays if len(side.pays) <= 16 else f"{side.pays[:13]}..."
    return f"{float(side.edge):+.4%} ({pays})"
