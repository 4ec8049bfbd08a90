"""Write a par sheet as Markdown, as an HTML page, or as CSV files, from the same cells.

The CSV file of wagers has one line for each wager, with exact fractions and decimals in separate
columns. A layout has other columns, so it is a CSV file of its own. A third file explains the
columns, so that the first has only numbers below its headings. The HTML page needs no other files,
can be printed, and reads well with a screen reader.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape

from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.odds import (
    COLUMN_NOTES,
    CSV_COLUMNS,
    EXACT_COLUMNS,
    NO_LAYOUT_NOTE,
    describe_next_throw_cost,
)
from passline.game.words.placard_html import render_page
from passline.lab.pricing.explain import (
    EXPLAINED_HEADINGS,
    TERM_COLUMNS,
    describe_place,
    explained_cells,
    summary_lines,
    term_cells,
)
from passline.lab.pricing.exposure import Exposure, ThrowCost
from passline.lab.pricing.par_sheet import ParRow, ParSheet, PayTier

#: The columns of the table of wagers: the heading, and whether the column holds numbers.
WAGER_COLUMNS = (
    ("Wager", False),
    ("Pays", False),
    ("Clause", False),
    ("Hit %", True),
    ("1 in", True),
    ("Push %", True),
    ("Edge %", True),
    ("Edge, exact", True),
    ("Resolved %", True),
    ("Of outlay %", True),
    ("A roll %", True),
    ("Rolls", True),
    ("SD", True),
    ("VI", True),
    ("Min", True),
    ("Max", True),
    ("Max pay", True),
    ("Max cost", True),
)
TIER_COLUMNS = (
    ("On", False),
    ("Pays", False),
    ("Clause", False),
    ("Chance %", True),
    ("1 in", True),
)


def throw_columns(found: Exposure) -> tuple[tuple[str, bool], ...]:
    """Return the columns of the table of dice outcomes and their cost to the house."""
    of = (f"Of {found.whole:,}", True)
    return (("Dice", False), of, ("Costs the house", True), ("By", False))


_MAX_FRACTION_CHARS = 14  # longer fractions do not fit a cell


def wager_cells(row: ParRow) -> list[str]:
    """Return the cells of a wager."""
    odds, limit = row.odds, row.limit
    pushes = odds.edge_resolved != odds.edge
    outlay = odds.edge_outlay
    return [
        row_label(row),
        odds.pays,
        ", ".join(odds.cites),
        show_sheet_percent(odds.win),
        show_one_in(odds.win),
        show_sheet_percent(odds.push) if odds.push else "",
        show_sheet_percent(odds.edge),
        str(odds.edge) if len(str(odds.edge)) <= _MAX_FRACTION_CHARS else "",
        show_sheet_percent(odds.edge_resolved) if pushes else "",
        show_sheet_percent(outlay) if outlay is not None else "",
        show_sheet_percent(odds.edge_per_roll),
        f"{float(odds.rolls):.3f}",
        f"{odds.sd:.3f}",
        f"{row.volatility:.3f}",
        *([show_dollars(limit.least), show_dollars(limit.stake)] if limit else ["", ""]),
        *([show_dollars(limit.paid), show_dollars(limit.cost)] if limit else ["", ""]),
    ]


def row_label(row: ParRow) -> str:
    """Return a wager's name, with the house option or the odds that distinguish its row."""
    more = row.odds.option or (f"odds {row.odds.multiple}" if row.odds.multiple else "")
    return f"{row.odds.wager} ({more})" if more else row.odds.wager


def show_sheet_percent(value: Fraction) -> str:
    """Return a share as text in percent, with the decimals of a par sheet."""
    return f"{float(value * 100):.4f}"


def show_one_in(chance: Fraction) -> str:
    """Return the mean number of decisions until one hit, as text."""
    return f"{float(1 / chance):,.2f}" if chance else "never"


def tier_cells(tier: PayTier) -> list[str]:
    """Return the cells of one line of a side wager's pay table."""
    on = tier.on or "complete"
    return [on, tier.odds, tier.cite, f"{float(tier.chance * 100):.6f}", show_one_in(tier.chance)]


def rows_with_tiers(sheet: ParSheet) -> Iterator[ParRow]:
    """Yield the wagers that have a pay table of several lines (tiers)."""
    return (row for row in sheet.rows if row.tiers)


def throw_cells(fall: ThrowCost) -> list[str]:
    """Return the cells of one outcome of the dice, and the wagers that make up its cost."""
    by = ", ".join(f"{who} {wager} {show_dollars(cost)}" for who, wager, cost in fall.by)
    first, second = fall.dice
    return [f"{first}-{second}", str(fall.weight), show_dollars(fall.cost), by or "nothing"]


def describe_exposure(found: Exposure) -> str:
    """Describe in one sentence what a throw can cost the house at a layout."""
    return describe_next_throw_cost(
        stakes=found.stakes,
        puck=found.puck,
        worst=found.worst.cost,
        dice=found.worst.dice,
        mean=round(-found.mean),
        refused=found.refused,
    )


_LIMIT_FIELDS = ("least", "stake", "paid", "cost")


CSV_HEADINGS = tuple(CSV_COLUMNS)


#: The first columns of a layout's CSV file. One column follows for each wager that costs money.
LAYOUT_CSV_HEADINGS = (
    "rulebook",
    "game",
    "puck",
    "stakes",
    "refused",
    "die_1",
    "die_2",
    "of_36",
    "cost",
)


def render_csv(sheet: ParSheet) -> str:
    """Return the wagers of a sheet as CSV, with headings."""
    own = (sheet.rulebook, sheet.game)
    return _write_csv([CSV_HEADINGS, *((*own, *_csv_cells(row)) for row in sheet.rows)])


def render_columns_csv() -> str:
    """Return a CSV that explains each column of ``render_csv``."""
    return _write_csv([("column", "meaning"), *CSV_COLUMNS.items()])


def render_layout_csv(sheet: ParSheet) -> str | None:
    """Return as CSV what each throw costs the house at the sheet's layout, the most expensive
    first.

    Return None if the sheet has no layout. The dice are in two columns, because a spreadsheet reads
    6-6 as a date.
    """
    found = sheet.exposure
    if found is None:
        return None
    wagers = list(dict.fromkeys((who, name) for fall in found.falls for who, name, _ in fall.by))
    own = (sheet.rulebook, sheet.game, str(found.puck or "off"), to_dollars(found.stakes))
    headings = [name.replace("of_36", f"of_{found.whole}") for name in LAYOUT_CSV_HEADINGS]
    lines: list[Sequence[str]] = [(*headings, *(f"{who} {name}" for who, name in wagers))]
    for fall in sorted(found.falls, key=lambda fall: -fall.cost):
        throw = (*map(str, fall.dice), str(fall.weight), to_dollars(fall.cost))
        lines.append((*own, str(found.refused), *throw, *_wager_costs(fall, wagers)))
    return _write_csv(lines)


def render_explained_csv(sheet: ParSheet) -> str:
    """Return as CSV the throws that decide each wager; they add up to the figures in its row."""
    lines = (line for found in sheet.explained for line in explained_cells(found))
    return _write_csv([EXPLAINED_HEADINGS, *lines])


def _wager_costs(fall: ThrowCost, wagers: Sequence[tuple[str, str]]) -> list[str]:
    """Return what each wager costs on an outcome, in the order of the columns."""
    costs = dict.fromkeys(wagers, 0)
    for who, name, cost in fall.by:
        costs[who, name] += cost
    return [to_dollars(cost) for cost in costs.values()]


def _write_csv(lines: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def _csv_cells(row: ParRow) -> list[str]:
    odds = row.odds
    found = [odds.wager, odds.title, odds.option or "", odds.multiple or "", odds.pays]
    found.append("; ".join(odds.cites))
    for name in EXACT_COLUMNS:
        value: Fraction | None = getattr(odds, name)
        found += ["", ""] if value is None else [str(value), repr(float(value))]
    found.append(repr(float(1 / odds.win)) if odds.win else "")
    found += [repr(odds.sd), repr(row.volatility)]
    found += [to_dollars(getattr(row.limit, name)) if row.limit else "" for name in _LIMIT_FIELDS]
    found.append("; ".join(f"{t.on or 'complete'}: {t.odds} at {t.chance}" for t in row.tiers))
    return found


_PAGE_STYLE = """
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
_BREAK_POINTS = re.compile(r"(?<= )(?=\()|(?<=[,;] )|(?<=/)")

Columns = Sequence[tuple[str, bool]]


def render_html(sheet: ParSheet) -> str:
    """Return the sheet as one HTML page."""
    return render_page(
        f"Par sheet: {sheet.title}", _PAGE_STYLE, _html_header(sheet), _html_sections(sheet)
    )


def render_html_parts(sheet: ParSheet) -> tuple[str, str]:
    """Return the sheet's heading and its sections as HTML, to be put into a page."""
    return _html_header(sheet), "\n".join(_html_sections(sheet))


def _html_header(sheet: ParSheet) -> str:
    facts = "\n".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in sheet.header)
    return f"<h1>{escape(f'Par sheet: {sheet.title}')}</h1>\n<dl>\n{facts}\n</dl>"


def _html_sections(sheet: ParSheet) -> Iterator[str]:
    yield from _html_section(
        "Wagers",
        _html_table("Every wager", WAGER_COLUMNS, map(wager_cells, sheet.rows)),
        COLUMN_NOTES,
    )
    for row in rows_with_tiers(sheet):
        title = f"{row.odds.title}: {row_label(row)}"
        tiers = _html_table(
            f"Pay table of {row_label(row)}", TIER_COLUMNS, map(tier_cells, row.tiers)
        )
        yield from _html_section(title, tiers)
    for found in sheet.explained:
        title = f"{found.row.title} ({found.row.wager}), unfolded"
        table = _html_table(
            "Every throw that decides it", TERM_COLUMNS, map(term_cells, found.terms)
        )
        sums = [f"{label or 'edge'}: {words}" for label, words in summary_lines(found)]
        yield from _html_section(title, table, [*map(describe_place, found.places), *sums])
    if sheet.terms:
        words = [f"{title}: {' '.join(notes)}" for title, notes in sheet.terms]
        yield from _html_section("Terms", (), words)
    yield from _html_costs(sheet)


def _html_costs(sheet: ParSheet) -> Iterator[str]:
    title = "What one throw can cost the house"
    if sheet.exposure is None:
        yield from _html_section(title, (), [NO_LAYOUT_NOTE])
        return
    falls = sorted(sheet.exposure.falls, key=lambda fall: -fall.cost)
    columns = throw_columns(sheet.exposure)
    table = _html_table("Every throw, the dearest first", columns, map(throw_cells, falls))
    yield from _html_section(title, table, [describe_exposure(sheet.exposure)])


def _html_section(title: str, body: Iterable[str], notes: Sequence[str] = ()) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(title)}</h2>"
    yield from body
    if notes:
        yield "<ul>"
        yield from (f"<li>{escape(note)}</li>" for note in notes)
        yield "</ul>"
    yield "</section>"


def _html_table(caption: str, columns: Columns, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    # A region that scrolls sideways must be reachable by keyboard.
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(caption)}">'
    yield f"<table>\n<caption>{escape(caption)}</caption>\n<thead><tr>"
    yield "".join(
        f'<th scope="col" class="{"n" if n else "t"}">{escape(name)}</th>' for name, n in columns
    )
    yield "</tr></thead>\n<tbody>"
    for row in rows:
        rest = zip(row[1:], columns[1:], strict=True)
        figures = "".join(_html_cell(text, n) for text, (_, n) in rest)
        yield f'<tr><th scope="row">{_html_breakable(row[0])}</th>{figures}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _html_cell(text: str, figures: bool) -> str:
    return f'<td class="n">{escape(text)}</td>' if figures else f"<td>{_html_breakable(text)}</td>"


def _html_breakable(text: str) -> str:
    """Return text as HTML with marks where a narrow column may break the line."""
    parts = [(part.rstrip(), part) for part in _BREAK_POINTS.split(text)]
    if len(parts) == 1:
        return escape(text)
    return "".join(f"<span>{escape(own)}</span>{part[len(own) :]}" for own, part in parts)


def render_markdown(sheet: ParSheet) -> str:
    """Return the sheet as Markdown."""
    return "\n".join(_markdown_lines(sheet)) + "\n"


def _markdown_lines(sheet: ParSheet) -> Iterator[str]:
    yield f"# Par sheet: {_escape_markdown(sheet.title)}"
    yield ""
    yield from _markdown_table((("", False), ("", False)), sheet.header)
    yield from ("", "## Wagers", "")
    yield from _markdown_table(WAGER_COLUMNS, map(wager_cells, sheet.rows))
    yield ""
    yield from (f"- {note}" for note in COLUMN_NOTES)
    for row in rows_with_tiers(sheet):
        yield from (
            "",
            f"## {_escape_markdown(row.odds.title)}: {_escape_markdown(row_label(row))}",
            "",
        )
        yield from _markdown_table(TIER_COLUMNS, map(tier_cells, row.tiers))
    for found in sheet.explained:
        yield from (
            "",
            f"## {_escape_markdown(found.row.title)} ({_escape_markdown(found.row.wager)}), unfolded",  # noqa: E501
            "",
        )
        yield from _markdown_table(TERM_COLUMNS, map(term_cells, found.terms))
        yield ""
        yield from (f"- {_escape_markdown(describe_place(place))}" for place in found.places)
        yield from (
            f"- {label or 'edge'}: {_escape_markdown(words)}"
            for label, words in summary_lines(found)
        )
    if sheet.terms:
        yield from ("", "## Terms", "")
        yield from (
            f"- {_escape_markdown(title)}: {_escape_markdown(' '.join(words))}"
            for title, words in sheet.terms
        )
    yield from ("", "## What one throw can cost the house", "")
    if sheet.exposure is None:
        yield NO_LAYOUT_NOTE
        return
    yield describe_exposure(sheet.exposure)
    yield ""
    falls = sorted(sheet.exposure.falls, key=lambda fall: -fall.cost)
    yield from _markdown_table(throw_columns(sheet.exposure), map(throw_cells, falls))


def _markdown_table(columns: Columns, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _markdown_row([name for name, _ in columns])
    yield _markdown_row(["---:" if figures else "---" for _, figures in columns])
    yield from map(_markdown_row, rows)


def _markdown_row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(_escape_markdown(text) for text in texts)} |"


def _escape_markdown(text: str) -> str:
    """Return text with Markdown's special characters escaped."""
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
