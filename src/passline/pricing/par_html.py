"""The par sheet as a page: self-contained, printable, and read well by a screen reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from passline.house.placard_html import frame_page
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

_STYLE = """
:root { --ink: #14201a; --soft: #4c5a52; --felt: #0b5d3b; --line: #c3cec7; --paper: #fffefb; }
* { box-sizing: border-box; }
html { background: #e9ede9; }
body {
  margin: 1.5rem auto; padding: 1.6rem 1.8rem; max-width: 100rem; background: var(--paper);
  color: var(--ink); border-top: .6rem solid var(--felt);
  font: .9rem/1.4 system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
}
h1 { margin: 0 0 .8rem; font-size: 1.7rem; }
h2 { margin: 1.6rem 0 .4rem; color: var(--felt); font-size: 1.1rem; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.scroll { overflow-x: auto; /* a shade on the right for as long as more is to come there */
  background: linear-gradient(to left, var(--paper) 40%, #0000) right/3rem 100% no-repeat local,
    linear-gradient(to left, #0003, #0000) right/.9rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .78rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .18rem .35rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
thead th { border-bottom: 2px solid var(--felt); }
tbody th { font-weight: 600; }
tr > :first-child { position: sticky; left: 0; background: var(--paper); }
.t { min-width: 8.7rem; }
.t:first-child { min-width: 9.2rem; }
td span, th span { display: inline-block; }
th span + span { font-weight: 400; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
td.n { white-space: nowrap; }
li { margin: .15rem 0; }
/* Where the table must scroll anyhow, a clause gets a whole line. */
@media screen and (max-width: 80rem) { .t:nth-child(3) { min-width: 13.5rem; } }
@page { size: letter landscape; margin: 9mm; }
@media print {
  html, body { background: none; }
  body { margin: 0; padding: 0; max-width: none; border: 0; font-size: 8pt; }
  .scroll { overflow: visible; background: none; }
  tr > :first-child { position: static; background: none; }
  table { font-size: 6pt; width: 100%; }
  th, td { padding: .3mm .8mm; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  .t, .t:first-child { min-width: 0; }
}
"""

# Before "(", after "," or ";", and after the "/" within a clause.
_BETWEEN = re.compile(r"(?<= )(?=\()|(?<=[,;] )|(?<=/)")

Columns = Sequence[tuple[str, bool]]


def render_html(sheet: ParSheet) -> str:
    """The sheet as one HTML page."""
    return frame_page(f"Par sheet: {sheet.title}", _STYLE, _head(sheet), _sections(sheet))


def par_parts(sheet: ParSheet) -> tuple[str, str]:
    """The sheet for a page that has a frame of its own: its heading, and its sections."""
    return _head(sheet), "\n".join(_sections(sheet))


def _head(sheet: ParSheet) -> str:
    facts = "\n".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in sheet.header)
    return f"<h1>{escape(f'Par sheet: {sheet.title}')}</h1>\n<dl>\n{facts}\n</dl>"


def _sections(sheet: ParSheet) -> Iterator[str]:
    yield from _section("Wagers", _table("Every wager", COLUMNS, map(cells, sheet.rows)), NOTES)
    for row in tiered(sheet):
        title = f"{row.odds.title}: {label(row)}"
        tiers = _table(f"Pay table of {label(row)}", TIER_COLUMNS, map(tier_cells, row.tiers))
        yield from _section(title, tiers)
    for found in sheet.explained:
        title = f"{found.row.title} ({found.row.wager}), unfolded"
        table = _table("Every throw that decides it", TERM_COLUMNS, map(term_cells, found.terms))
        sums = [f"{label or 'edge'}: {words}" for label, words in sum_lines(found)]
        yield from _section(title, table, [*map(place_words, found.places), *sums])
    if sheet.terms:
        words = [f"{title}: {' '.join(notes)}" for title, notes in sheet.terms]
        yield from _section("Terms", (), words)
    yield from _costs(sheet)


def _costs(sheet: ParSheet) -> Iterator[str]:
    title = "What one throw can cost the house"
    if sheet.exposure is None:
        yield from _section(title, (), [NO_LAYOUT])
        return
    falls = sorted(sheet.exposure.falls, key=lambda fall: -fall.cost)
    columns = fall_columns(sheet.exposure)
    table = _table("Every throw, the dearest first", columns, map(fall_cells, falls))
    yield from _section(title, table, [exposed(sheet.exposure)])


def _section(title: str, body: Iterable[str], notes: Sequence[str] = ()) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(title)}</h2>"
    yield from body
    if notes:
        yield "<ul>"
        yield from (f"<li>{escape(note)}</li>" for note in notes)
        yield "</ul>"
    yield "</section>"


def _table(caption: str, columns: Columns, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    # A region that scrolls sideways can be reached by keyboard.
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
    yield f"<table>\n<caption>{escape(caption)}</caption>\n<thead><tr>"
    yield "".join(
        f'<th scope="col" class="{"n" if n else "t"}">{escape(name)}</th>' for name, n in columns
    )
    yield "</tr></thead>\n<tbody>"
    for row in rows:
        rest = zip(row[1:], columns[1:], strict=True)
        figures = "".join(_cell(text, n) for text, (_, n) in rest)
        yield f'<tr><th scope="row">{_parts(row[0])}</th>{figures}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _cell(text: str, figures: bool) -> str:
    return f'<td class="n">{escape(text)}</td>' if figures else f"<td>{_parts(text)}</td>"


def _parts(text: str) -> str:
    """Words that a narrow column breaks between their parts, and within one only if it must."""
    parts = [(part.rstrip(), part) for part in _BETWEEN.split(text)]
    if len(parts) == 1:
        return escape(text)
    return "".join(f"<span>{escape(own)}</span>{part[len(own) :]}" for own, part in parts)
