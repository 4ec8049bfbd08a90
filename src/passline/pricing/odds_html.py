"""What wagers are worth, as parts of a page: a table of all of them, or one in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

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

#: Characters of an exact edge; a longer one says nothing to a person.
_WIDEST = 20
#: How a wager and a clause are shown: as links, where there is something to lead to.
Linked = Callable[[str], str]


def wager_table(rows: Sequence[OddsRow], wager: Callable[[OddsRow, str], str]) -> str:
    """Every wager in a table; ``wager`` makes its name into markup."""
    heads = "".join(
        f'<th scope="col"{_class(place)}>{escape(head)}</th>'
        for place, head in enumerate(ODDS_COLUMNS)
    )
    lines = "".join(f"<tr>{_cells(row, wager(row, odds_label(row)))}</tr>\n" for row in rows)
    notes = "".join(f"<li>{escape(note)}</li>\n" for note in odds_notes(rows))
    return (
        '<div class="scroll" role="group" tabindex="0" aria-label="Every wager">\n<table>\n'
        f'<caption class="unseen">Every wager</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f'<tbody>\n{lines}</tbody>\n</table>\n</div>\n<ul class="notes">\n{notes}</ul>'
    )


def _class(place: int) -> str:
    return ' class="n"' if place > 1 else ""


def _cells(row: OddsRow, head: str) -> str:
    first = f'<th scope="row">{head}</th><td>{escape(row.pays)}</td>'
    if isinstance(row, RefusedOdds):
        return f'{first}<td colspan="{len(ODDS_COLUMNS) - 2}">{escape(odds_reason(row))}</td>'
    figures = odds_figures(row, _WIDEST)
    return first + "".join(f'<td class="n">{escape(cell)}</td>' for cell in figures)


def wager_section(row: OddsRow, clause: Linked) -> str:
    """One wager in full; ``clause`` makes a citation into markup."""
    parts: list[tuple[str, list[str]]] = []
    for label, words in odds_in_full(row):
        if label == "clauses":
            parts.append((label, [", ".join(map(clause, row.cites))]))
        elif label:
            parts.append((label, [escape(words)]))
        else:
            parts[-1][1].append(escape(words))
    told = "".join(
        f"<dt>{escape(label.capitalize())}</dt>{''.join(f'<dd>{one}</dd>' for one in those)}\n"
        for label, those in parts
    )
    return (
        f'<section>\n<h2>{escape(odds_lead(row))}</h2>\n<dl class="facts">\n{told}</dl>\n</section>'
    )
