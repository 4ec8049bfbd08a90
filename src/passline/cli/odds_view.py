"""What wagers are worth, for people: a table of all of them, or one in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from fractions import Fraction

import click

from passline.money import show_dollars
from passline.pricing.wager import OddsRow, RefusedOdds, WagerOdds
from passline.words.refusals import refusal_words

_COLUMNS = ("wager", "pays", "win %", "edge %", "exact", "% a roll", "rolls", "sd")
_WIDTHS = (21, 12, 6, 7, 8, 8, 5, 5)
_WIDE = 79
_LABEL = 12


def show_percent(value: Fraction, places: int = 3) -> str:
    """A share of a hundred, to so many places.

    >>> show_percent(Fraction(7, 495)), show_percent(Fraction(0))
    ('1.414', '0.000')
    """
    return f"{float(value * 100):.{places}f}"


def show_fraction(value: Fraction, width: int) -> str:
    """An exact fraction where it fits, else nothing.

    >>> show_fraction(Fraction(7, 495), 8), show_fraction(Fraction(10**9, 7), 8)
    ('7/495', '')
    """
    return str(value) if len(str(value)) <= width else ""


def show_rows(rows: Sequence[OddsRow]) -> None:
    """Every wager in a table that fits 80 columns."""
    click.secho(_line(_COLUMNS), bold=True)
    for row in rows:
        if isinstance(row, RefusedOdds):
            click.secho(_refused(row), fg="yellow")
        else:
            click.echo(_line([*_lead(row), *_cells(row)]))
    click.echo()
    for note in _notes(rows):
        click.echo(textwrap.fill(note, _WIDE, break_on_hyphens=False))


def _line(cells: Sequence[str]) -> str:
    first = [f"{cell:<{width}}" for cell, width in zip(cells[:2], _WIDTHS, strict=False)]
    rest = [f"{cell:>{width}}" for cell, width in zip(cells[2:], _WIDTHS[2:], strict=True)]
    return " ".join([*first, *rest])


def _refused(row: RefusedOdds) -> str:
    """The reason in place of figures, as much of it as fits."""
    lead = " ".join(f"{cell:<{width}}" for cell, width in zip(_lead(row), _WIDTHS, strict=False))
    reason = refusal_words(row.refusal).removeprefix(f"{row.wager} ")
    return f"{lead} {_short(reason, _WIDE - len(lead) - 1)}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def _lead(row: OddsRow) -> list[str]:
    """The wager, with the choice of an election it rests on or its odds, and what it pays."""
    choice = row.option.rpartition("=")[2] if row.option else ""
    label = row.wager + (f" {choice}" if choice not in {"", "true"} else "")
    if row.multiple and len(row.multiple) <= 5:
        label += f" {row.multiple}x"
    pays = row.pays if len(row.pays) <= _WIDTHS[1] else row.pays.split(" on ")[0] + " ..."
    return [label, pays]


def _cells(row: WagerOdds) -> list[str]:
    return [
        show_percent(row.win, 2),
        show_percent(row.edge),
        show_fraction(row.edge, _WIDTHS[4]),
        show_percent(row.edge_per_roll),
        f"{float(row.rolls):.2f}",
        f"{row.sd:.2f}",
    ]


def _notes(rows: Sequence[OddsRow]) -> Iterator[str]:
    stake = next((row.stake for row in rows if row.stake is not None), None)
    if stake is not None:
        yield f"As dealt for {show_dollars(stake)}: limits, breakage and vigorish as rounded."
    yield (
        "The edge is the house's, of the amount wagered, pushes counted; rolls: the mean to a "
        "decision; sd: of one decision, by the unit wagered. All exact."
    )
    if any(isinstance(row, WagerOdds) and row.edge_outlay is not None for row in rows):
        yield "Buy and lay: of the stake; ask for one of them to see it of stake plus vigorish."
    options = dict.fromkeys(row.option for row in rows if row.option)
    if options:
        yield f"Rows that rest on an election: {', '.join(str(option) for option in options)}."


def show_wager(rows: Sequence[OddsRow]) -> None:
    """One wager in full, each figure in percent and as its fraction."""
    for place, row in enumerate(rows):
        if place:
            click.echo()
        lead = f"{row.title} ({row.wager})" + (f", {row.option}" if row.option else "")
        click.secho(lead, bold=True)
        for label, text in _full(row):
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


def _full(row: OddsRow) -> Iterator[tuple[str, str]]:
    yield "pays", row.pays
    if row.multiple is not None:
        yield "odds", f"{row.multiple} times the flat wager"
    if row.stake is not None:
        yield "stake", show_dollars(row.stake)
    if isinstance(row, RefusedOdds):
        yield "refused", f"{refusal_words(row.refusal)} [{row.refusal.cite}]"
    else:
        yield from _figures(row)
    for point, part in row.by_point.items():
        yield f"on {point}", _on_point(part)
    yield "clauses", ", ".join(row.cites)


def _figures(row: WagerOdds) -> Iterator[tuple[str, str]]:
    for label, chance in (("wins", row.win), ("loses", row.lose), ("pushes", row.push)):
        if chance or label != "pushes":
            yield label, _both(chance)
    of = "the amount wagered, flat and odds on average" if row.multiple else "the amount wagered"
    yield "edge", f"{_both(row.edge)}  of {of}"
    if row.multiple is not None:
        yield "", f"{_both(row.edge_flat)}  of the flat wager alone"
    if row.push:
        yield "", f"{_both(row.edge_resolved)}  pushes left out"
    if row.edge_outlay not in (None, row.edge):
        assert row.edge_outlay is not None
        yield "", f"{_both(row.edge_outlay)}  of the stake and the vigorish paid with it"
    yield "", f"{_both(row.edge_per_roll)}  a roll"
    yield "rolls", f"{float(row.rolls):.4f} to a decision{_exactly(row.rolls)}"
    yield "sd", f"{row.sd:.4f} of one decision, by the unit wagered"


def _both(value: Fraction) -> str:
    return f"{show_percent(value, 4)}%{_exactly(value)}"


def _exactly(value: Fraction) -> str:
    """The fraction, unless it is too long to say anything to a person."""
    return f" = {value}" if len(str(value)) <= 40 else ""


def _on_point(part: OddsRow) -> str:
    if isinstance(part, RefusedOdds):
        return f"{part.pays}: refused, {refusal_words(part.refusal)} [{part.refusal.cite}]"
    rolls = f"{float(part.rolls):.2f}"
    return f"{part.pays}: wins {_both(part.win)}, edge {_both(part.edge)}, {rolls} rolls"
