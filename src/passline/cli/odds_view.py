"""What wagers are worth, in the terminal: a table of all of them, or one in full."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import click

from passline.pricing.explain import Explanation
from passline.pricing.explain_cells import place_words, sum_lines, term_cells
from passline.pricing.odds_cells import (
    ODDS_COLUMNS,
    odds_figures,
    odds_in_full,
    odds_label,
    odds_lead,
    odds_notes,
    odds_reason,
)
from passline.pricing.wager import OddsRow, RefusedOdds

_WIDTHS = (21, 12, 6, 7, 8, 8, 5, 5)
_WIDE = 79
_LABEL = 12
_HANG: Any = {"subsequent_indent": "    ", "break_on_hyphens": False}


def show_rows(rows: Sequence[OddsRow]) -> None:
    """Every wager in a table that fits 80 columns."""
    click.secho(_line(ODDS_COLUMNS), bold=True)
    for row in rows:
        if isinstance(row, RefusedOdds):
            click.secho(_refused(row), fg="yellow")
        else:
            click.echo(_line([*_lead(row), *odds_figures(row, _WIDTHS[4])]))
    click.echo()
    for note in odds_notes(rows):
        click.echo(textwrap.fill(note, _WIDE, break_on_hyphens=False))


def _line(cells: Sequence[str]) -> str:
    first = [f"{cell:<{width}}" for cell, width in zip(cells[:2], _WIDTHS, strict=False)]
    rest = [f"{cell:>{width}}" for cell, width in zip(cells[2:], _WIDTHS[2:], strict=True)]
    return " ".join([*first, *rest])


def _refused(row: RefusedOdds) -> str:
    """The reason in place of figures, as much of it as fits."""
    lead = " ".join(f"{cell:<{width}}" for cell, width in zip(_lead(row), _WIDTHS, strict=False))
    return f"{lead} {_short(odds_reason(row), _WIDE - len(lead) - 1)}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def _lead(row: OddsRow) -> list[str]:
    """The wager, and what it pays as far as it fits."""
    pays = row.pays if len(row.pays) <= _WIDTHS[1] else row.pays.split(" on ")[0] + " ..."
    return [odds_label(row), pays]


def show_wager(rows: Sequence[OddsRow]) -> None:
    """One wager in full, each figure in percent and as its fraction."""
    for place, row in enumerate(rows):
        if place:
            click.echo()
        click.secho(odds_lead(row), bold=True)
        for label, text in odds_in_full(row):
            _labelled(label, text)


def _labelled(label: str, text: str) -> None:
    first = f"  {label:<{_LABEL}}"
    click.echo(
        textwrap.fill(
            text,
            _WIDE,
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_on_hyphens=False,
            break_long_words=False,
        )
    )


def show_explained(found: Explanation) -> None:
    """A wager's figures unfolded: place by place the throws that decide it, and the sums."""
    click.echo()
    click.secho(f"{odds_lead(found.row)}: unfolded", bold=True)
    for place in found.places:
        click.echo(textwrap.fill(place_words(place), _WIDE, initial_indent="  ", **_HANG))
        for term in found.terms:
            if term.place == place.place:
                _, dice, of, _, chance, does, net, part, cites = term_cells(term)
                click.echo(f"    {dice}: {of}, a chance of {chance}; {does}")
                click.echo(f"        net {net}, chance x net {part}  [{cites}]")
    for label, text in sum_lines(found):
        _labelled(label, text)
