"""``passline odds``: what every wager is worth, exactly: a table of all of them, or one in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_wager, exit_on_house_error, labeled_text
from passline.lab.pricing import odds_table as table
from passline.lab.pricing.explain import Explanation, describe_place, summary_lines, term_cells
from passline.lab.pricing.wager_odds import OddsRow, RefusedOdds

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.pricing.wager_odds import Appraiser

    Rows = list[tuple[Appraiser, OddsRow]]


@lab.declare(
    "passline odds new-jersey pass --with-odds --explain",
    lab.rulebook_argument(),
    click.argument("wager", required=False, shell_complete=complete_wager),
    lab.dollars_option(
        "--stake", "As dealt for this stake: limits, breakage and rounded vigorish."
    ),
    lab.flag_option(
        "--with-odds", "Also line and come wagers with all the odds that the house allows."
    ),
    click.option(
        "--multiple",
        "multiples",
        multiple=True,
        metavar="M",
        help="Also with odds at this multiple (2, 10, 3-4-5); may be repeated.",
    ),
    lab.flag_option(
        "--explain",
        "Show where each figure comes from: the throws that decide, what each pays, its "
        "clause, the sums.",
    ),
)
def command(
    house: House,
    wager: str | None,
    stake: int | None,
    with_odds: bool,
    multiples: tuple[str, ...],
    explain: bool,
    dice: Dice,
) -> lab.Report:
    """Show what each wager of a RULEBOOK, or of the house in a FILE, is worth; or one WAGER.

    WAGER is what a player says at the table, such as "place 6" or "any 7"; a kind, such as buy;
    or pass+odds. Every figure is exact, found by dealing the wager to its
    decision. An edge is the house's share of the amount wagered. For a rulebook, each pay table
    that a house may choose is a row of its own.
    """
    from passline.lab.pricing.explain import explain_row, explanation_json
    from passline.lab.pricing.wager_odds import WagerOdds, odds_json

    rows = _find_rows(house, wager, stake, with_odds, multiples, dice)
    explained = [
        explain_row(appraiser, row) if explain and isinstance(row, WagerOdds) else None
        for appraiser, row in rows
    ]

    def row_json(row: OddsRow, explanation: Explanation | None) -> dict[str, Any]:
        more = {"explain": explanation and explanation_json(explanation)} if explain else {}
        return odds_json(row) | lab.dice_json(dice) | more

    def lines() -> Iterator[str]:
        priced = [row for _, row in rows]
        yield from _table_lines(priced) if wager is None else _wager_lines(priced)
        for explanation in filter(None, explained):
            yield from explanation_lines(explanation)

    return lab.Report(
        json=lambda: [row_json(row, each) for (_, row), each in zip(rows, explained, strict=True)],
        lines=lines,
    )


def _find_rows(
    house: House,
    wager: str | None,
    stake: int | None,
    with_odds: bool,
    multiples: tuple[str, ...],
    dice: Dice,
) -> Rows:
    from passline.game.house.load import house_for
    from passline.game.law.book_files import book_ids
    from passline.lab.pricing.wager_odds import Appraiser, appraise_all, list_with_odds

    chosen = click.get_current_context().params
    source, game, options = chosen["source"], chosen["game"], chosen["options"]
    with exit_on_house_error():
        others = [
            house_for(source, game, (*options, ("odds.multiple", multiple)))
            for multiple in multiples
        ]
    rows = appraise_all(
        house, wager, options=source in book_ids(), stake=stake, with_odds=with_odds, dice=dice
    )
    for other in (Appraiser(other, stake, dice) for other in others):
        rows += [(other, row) for row in list_with_odds(other, wager)]
    return rows


_COLUMN_WIDTHS = (21, 12, 6, 7, 8, 8, 5, 5)
_MAX_WIDTH = 79
_LABEL_WIDTH = 12
_WRAP_OPTIONS: Any = {"subsequent_indent": "    ", "break_on_hyphens": False}


def _table_lines(rows: Sequence[OddsRow]) -> Iterator[str]:
    """Yield a table of all wagers that fits 80 columns."""
    yield lab.bold(_table_line(table.ODDS_COLUMNS))
    for row in rows:
        if isinstance(row, RefusedOdds):
            yield click.style(_refused_line(row), fg="yellow")
        else:
            yield _table_line([*_wager_cells(row), *table.odds_figures(row, _COLUMN_WIDTHS[4])])
    yield ""
    for note in table.odds_notes(rows):
        yield textwrap.fill(note, _MAX_WIDTH, break_on_hyphens=False)


def _table_line(cells: Sequence[str]) -> str:
    first = [f"{cell:<{width}}" for cell, width in zip(cells[:2], _COLUMN_WIDTHS, strict=False)]
    rest = [f"{cell:>{width}}" for cell, width in zip(cells[2:], _COLUMN_WIDTHS[2:], strict=True)]
    return " ".join([*first, *rest])


def _refused_line(row: RefusedOdds) -> str:
    lead = " ".join(
        f"{cell:<{width}}" for cell, width in zip(_wager_cells(row), _COLUMN_WIDTHS, strict=False)
    )
    return f"{lead} {_shorten(table.odds_reason(row), _MAX_WIDTH - len(lead) - 1)}"


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def _wager_cells(row: OddsRow) -> list[str]:
    """Return [wager, what it pays], shortened to fit their columns."""
    pays = row.pays if len(row.pays) <= _COLUMN_WIDTHS[1] else row.pays.split(" on ")[0] + " ..."
    return [table.odds_label(row), pays]


def _wager_lines(rows: Sequence[OddsRow]) -> Iterator[str]:
    for place, row in enumerate(rows):
        if place:
            yield ""
        yield lab.bold(table.odds_title(row))
        for label, text in table.odds_details(row):
            yield labeled_text(label, text, _MAX_WIDTH, _LABEL_WIDTH)


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield where a wager's figures come from: the throws that decide it, then the sums."""
    yield ""
    yield lab.bold(f"{table.odds_title(explanation.row)}: explained")
    for place in explanation.places:
        yield textwrap.fill(describe_place(place), _MAX_WIDTH, initial_indent="  ", **_WRAP_OPTIONS)
        for term in explanation.terms:
            if term.place == place.place:
                _, dice, of, _, chance, does, net, part, cites = term_cells(term)
                yield f"    {dice}: {of}, a chance of {chance}; {does}"
                yield f"        net {net}, chance x net {part}  [{cites}]"
    for label, text in summary_lines(explanation):
        yield labeled_text(label, text, _MAX_WIDTH, _LABEL_WIDTH)
