"""``passline odds``: what every wager is worth, exactly.

What wagers are worth, in the terminal: a table of all of them, or one in full.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import DICE_OPTION, dice_json, read_dice_option, show_dice
from passline.lab.pricing.explain import Explanation, describe_place, summary_lines, term_cells
from passline.lab.pricing.odds_table import (
    ODDS_COLUMNS,
    odds_details,
    odds_figures,
    odds_label,
    odds_notes,
    odds_reason,
    odds_title,
)
from passline.lab.pricing.wager_odds import OddsRow, RefusedOdds

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.lab.pricing.explain import Explanation
    from passline.lab.pricing.wager_odds import Appraiser, OddsRow

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
@DICE_OPTION
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
    cents, thrown = _parse_stake(stake), read_dice_option(dice)
    found = _find_rows(source, wager, cents, with_odds, multiples, thrown, (game, options))
    if as_json:
        from passline.lab.pricing.wager_odds import odds_json

        more = dice_json(thrown)
        print_json([odds_json(each[1]) | more | _explain_json(*each, explain) for each in found])
        return

    show_dice(thrown)
    (show_rows if wager is None else show_wager)([row for _, row in found])
    if explain:
        for one in _explain_rows(found):
            show_explanation(one)


def _explain_rows(found: Rows) -> Iterator[Explanation]:
    """The rows that have figures, unfolded."""
    from passline.lab.pricing.explain import explain_row
    from passline.lab.pricing.wager_odds import WagerOdds

    for appraiser, row in found:
        if isinstance(row, WagerOdds):
            yield explain_row(appraiser, row)


def _explain_json(appraiser: Appraiser, row: OddsRow, wanted: bool) -> dict[str, object]:
    from passline.lab.pricing.explain import explanation_json

    if not wanted:
        return {}
    told = [explanation_json(one) for one in _explain_rows([(appraiser, row)])]
    return {"explain": told[0] if told else None}


def _parse_stake(stake: str | None) -> int | None:
    from passline.game.money.amounts import AmountError, parse_dollars

    if stake is None:
        return None
    try:
        return parse_dollars(stake)
    except AmountError as wrong:
        fail(f"--stake {wrong}")


def _find_rows(
    source: str,
    wager: str | None,
    stake: int | None,
    with_odds: bool,
    multiples: tuple[str, ...],
    dice: Dice,
    elected: tuple[str | None, tuple[tuple[str, str], ...]],
) -> Rows:
    from passline.game.house.load import house_for
    from passline.game.law.book_files import book_ids
    from passline.lab.pricing.wager_odds import Appraiser, WagerError, appraise_all, list_with_odds

    game, options = elected
    with exit_on_house_error():
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


_COLUMN_WIDTHS = (21, 12, 6, 7, 8, 8, 5, 5)
_MAX_WIDTH = 79
_LABEL_WIDTH = 12
_WRAP_OPTIONS: Any = {"subsequent_indent": "    ", "break_on_hyphens": False}


def show_rows(rows: Sequence[OddsRow]) -> None:
    """Every wager in a table that fits 80 columns."""
    click.secho(_table_line(ODDS_COLUMNS), bold=True)
    for row in rows:
        if isinstance(row, RefusedOdds):
            click.secho(_refused_line(row), fg="yellow")
        else:
            click.echo(_table_line([*_wager_cells(row), *odds_figures(row, _COLUMN_WIDTHS[4])]))
    click.echo()
    for note in odds_notes(rows):
        click.echo(textwrap.fill(note, _MAX_WIDTH, break_on_hyphens=False))


def _table_line(cells: Sequence[str]) -> str:
    first = [f"{cell:<{width}}" for cell, width in zip(cells[:2], _COLUMN_WIDTHS, strict=False)]
    rest = [f"{cell:>{width}}" for cell, width in zip(cells[2:], _COLUMN_WIDTHS[2:], strict=True)]
    return " ".join([*first, *rest])


def _refused_line(row: RefusedOdds) -> str:
    """The reason in place of figures, as much of it as fits."""
    lead = " ".join(
        f"{cell:<{width}}" for cell, width in zip(_wager_cells(row), _COLUMN_WIDTHS, strict=False)
    )
    return f"{lead} {_shorten(odds_reason(row), _MAX_WIDTH - len(lead) - 1)}"


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def _wager_cells(row: OddsRow) -> list[str]:
    """The wager, and what it pays as far as it fits."""
    pays = row.pays if len(row.pays) <= _COLUMN_WIDTHS[1] else row.pays.split(" on ")[0] + " ..."
    return [odds_label(row), pays]


def show_wager(rows: Sequence[OddsRow]) -> None:
    """One wager in full, each figure in percent and as its fraction."""
    for place, row in enumerate(rows):
        if place:
            click.echo()
        click.secho(odds_title(row), bold=True)
        for label, text in odds_details(row):
            _print_labelled(label, text)


def _print_labelled(label: str, text: str) -> None:
    first = f"  {label:<{_LABEL_WIDTH}}"
    click.echo(
        textwrap.fill(
            text,
            _MAX_WIDTH,
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_on_hyphens=False,
            break_long_words=False,
        )
    )


def show_explanation(found: Explanation) -> None:
    """A wager's figures unfolded: place by place the throws that decide it, and the sums."""
    click.echo()
    click.secho(f"{odds_title(found.row)}: unfolded", bold=True)
    for place in found.places:
        click.echo(
            textwrap.fill(describe_place(place), _MAX_WIDTH, initial_indent="  ", **_WRAP_OPTIONS)
        )
        for term in found.terms:
            if term.place == place.place:
                _, dice, of, _, chance, does, net, part, cites = term_cells(term)
                click.echo(f"    {dice}: {of}, a chance of {chance}; {does}")
                click.echo(f"        net {net}, chance x net {part}  [{cites}]")
    for label, text in summary_lines(found):
        _print_labelled(label, text)
