"""``passline odds``: what every wager is worth, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json
from passline.cli.lab_options import DICE, dice_json, dice_of, show_dice

if TYPE_CHECKING:
    from passline.dice import Dice
    from passline.pricing.appraise import Appraiser
    from passline.pricing.explain import Explanation
    from passline.pricing.wager import OddsRow

    Rows = list[tuple[Appraiser, OddsRow]]


@click.command(epilog="\b\nExample:\n  passline odds new-jersey pass --with-odds --explain")
@click.argument("source", metavar="RULEBOOK|FILE")
@click.argument("wager", required=False)
@click.option(
    "--stake",
    metavar="AMOUNT",
    help="As dealt for this stake: limits, breakage and rounded vigorish.",
)
@click.option(
    "--with-odds",
    is_flag=True,
    help="Also line and come wagers with all the odds that the house allows.",
)
@click.option(
    "--multiple",
    "multiples",
    multiple=True,
    metavar="M",
    help="Also with odds at this multiple (2, 10, 3-4-5); may be given again.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Unfold every figure: the throws that decide, what each pays, its clause, the sums.",
)
@DICE
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list and nothing else.")
def command(
    source: str,
    wager: str | None,
    stake: str | None,
    with_odds: bool,
    multiples: tuple[str, ...],
    explain: bool,
    dice: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show what each wager of a RULEBOOK, or of the house in a FILE, is worth; or one WAGER.

    Every figure is exact, found by dealing the wager to its decision. An edge is the house's share
    of the amount wagered. For a rulebook, pay tables that a house may elect are rows of their own.
    """
    cents, thrown = _cents(stake), dice_of(dice)
    found = _rows(source, wager, cents, with_odds, multiples, thrown, (game, options))
    if as_json:
        from passline.pricing.rows import row_json

        more = dice_json(thrown)
        print_json([row_json(each[1]) | more | _explain_json(*each, explain) for each in found])
        return
    from passline.cli.odds_view import show_explained, show_rows, show_wager

    show_dice(thrown)
    (show_rows if wager is None else show_wager)([row for _, row in found])
    if explain:
        for one in _explained(found):
            show_explained(one)


def _explained(found: Rows) -> Iterator[Explanation]:
    """The rows that have figures, unfolded."""
    from passline.pricing.explain import explain_row
    from passline.pricing.wager import WagerOdds

    for appraiser, row in found:
        if isinstance(row, WagerOdds):
            yield explain_row(appraiser, row)


def _explain_json(appraiser: Appraiser, row: OddsRow, wanted: bool) -> dict[str, object]:
    from passline.pricing.explain import explanation_json

    if not wanted:
        return {}
    told = [explanation_json(one) for one in _explained([(appraiser, row)])]
    return {"explain": told[0] if told else None}


def _cents(stake: str | None) -> int | None:
    from passline.money import AmountError, parse_dollars

    if stake is None:
        return None
    try:
        return parse_dollars(stake)
    except AmountError as wrong:
        fail(f"--stake {wrong}")


def _rows(
    source: str,
    wager: str | None,
    stake: int | None,
    with_odds: bool,
    multiples: tuple[str, ...],
    dice: Dice,
    elected: tuple[str | None, tuple[tuple[str, str], ...]],
) -> Rows:
    from passline.house.files import house_for
    from passline.law import book_ids
    from passline.pricing.appraise import Appraiser
    from passline.pricing.rows import appraise_all, list_with_odds
    from passline.pricing.wager import WagerError

    game, options = elected
    with house_errors():
        house = house_for(source, game, options)
        others = [
            house_for(source, game, (*options, ("odds.multiple", multiple)))
            for multiple in multiples
        ]
    try:
        found = appraise_all(
            house,
            wager,
            options=source in book_ids(),
            stake=stake,
            with_odds=with_odds,
            dice=dice,
        )
        for other in (Appraiser(other, stake, dice) for other in others):
            found += [(other, row) for row in list_with_odds(other, wager)]
    except WagerError as wrong:
        fail(str(wrong))
    return found
