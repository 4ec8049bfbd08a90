"""The par sheet as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from passline.pricing.explain_cells import TERM_COLUMNS, place_words, sum_lines, term_cells
from passline.pricing.par import ParSheet
from passline.pricing.par_cells import (
    COLUMNS,
    NO_LAYOUT,
    NOTES,
    TIER_COLUMNS,
    cells,
    exposed,
    fall_cells,
    fall_columns,
    label,
    tier_cells,
    tiered,
)

Columns = Sequence[tuple[str, bool]]


def render_markdown(sheet: ParSheet) -> str:
    """The sheet as one Markdown text."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: ParSheet) -> Iterator[str]:
    yield f"# Par sheet: {_plain(sheet.title)}"
    yield ""
    yield from _table((("", False), ("", False)), sheet.header)
    yield from ("", "## Wagers", "")
    yield from _table(COLUMNS, map(cells, sheet.rows))
    yield ""
    yield from (f"- {note}" for note in NOTES)
    for row in tiered(sheet):
        yield from ("", f"## {_plain(row.odds.title)}: {_plain(label(row))}", "")
        yield from _table(TIER_COLUMNS, map(tier_cells, row.tiers))
    for found in sheet.explained:
        yield from ("", f"## {_plain(found.row.title)} ({_plain(found.row.wager)}), unfolded", "")
        yield from _table(TERM_COLUMNS, map(term_cells, found.terms))
        yield ""
        yield from (f"- {_plain(place_words(place))}" for place in found.places)
        yield from (f"- {label or 'edge'}: {_plain(words)}" for label, words in sum_lines(found))
    if sheet.terms:
        yield from ("", "## Terms", "")
        yield from (f"- {_plain(title)}: {_plain(' '.join(words))}" for title, words in sheet.terms)
    yield from ("", "## What one throw can cost the house", "")
    if sheet.exposure is None:
        yield NO_LAYOUT
        return
    yield exposed(sheet.exposure)
    yield ""
    falls = sorted(sheet.exposure.falls, key=lambda fall: -fall.cost)
    yield from _table(fall_columns(sheet.exposure), map(fall_cells, falls))


def _table(columns: Columns, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _row([name for name, _ in columns])
    yield _row(["---:" if figures else "---" for _, figures in columns])
    yield from map(_row, rows)


def _row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(_plain(text) for text in texts)} |"


def _plain(text: str) -> str:
    """Words that Markdown takes as they are."""
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
