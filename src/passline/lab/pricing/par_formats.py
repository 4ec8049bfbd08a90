"""Write a par sheet (a table of all wagers' exact figures) as Markdown, HTML or CSV.

The CSV file of wagers has exact fractions and decimals in separate columns. The cost of each throw
at a layout and the meanings of the columns are CSV files of their own. The HTML page needs no other
files, can be printed, and reads well with a screen reader.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.html_documents import render_document
from passline.game.words.odds import (
    COLUMN_NOTES,
    CSV_COLUMNS,
    EXACT_COLUMNS,
    NO_LAYOUT_NOTE,
    describe_next_throw_cost,
    say_odds,
)
from passline.game.words.wagers import layout_name
from passline.lab.pricing import explain
from passline.lab.pricing.exposure import Exposure, ThrowCost
from passline.lab.pricing.odds_table import odds_label, show_percent
from passline.lab.pricing.par_sheet import ParRow, ParSheet, PayTier

#: The headings of the tables; a column with ``#`` holds numbers.
WAGER_COLUMNS = (
    *("Wager", "Pays", "Clause", "#Hit %", "#1 in", "#Push %", "#Edge %", "#Edge, exact"),
    *("#Resolved %", "#Of outlay %", "#A roll %", "#Rolls", "#SD", "#VI"),
    *("#Min", "#Max", "#Max pay", "#Max cost"),
)
_TIER_COLUMNS = ("On", "Pays", "Clause", "#Chance %", "#1 in")
_LIMIT_FIELDS = ("least", "stake", "paid", "cost")
CSV_HEADINGS = tuple(CSV_COLUMNS)
#: The first columns of a layout's CSV file. One column follows for each wager that costs money.
LAYOUT_CSV_HEADINGS = (
    *("rulebook", "game", "puck", "stakes", "refused"),
    *("die_1", "die_2", "of_36", "cost"),
)
_MAX_FRACTION_CHARS = 14  # longer fractions do not fit a cell


class SheetTable(NamedTuple):
    """A table of a par sheet, with its cells as text."""

    caption: str
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]


class SheetSection(NamedTuple):
    """A part of a par sheet: its title, its table if it has one, and notes."""

    title: str
    table: SheetTable | None = None
    notes: Sequence[str] = ()


def list_sections(sheet: ParSheet) -> Iterator[SheetSection]:
    """Yield the parts of a sheet: wagers, pay tables, explanations, terms, cost of one throw."""
    wagers = SheetTable(say_odds("par.every-wager"), WAGER_COLUMNS, map(wager_cells, sheet.rows))
    yield SheetSection(say_odds("par.wagers"), wagers, COLUMN_NOTES)
    for row in sheet.rows:
        if row.tiers:
            title, label = row.odds.title, odds_label(row.odds)
            cells = map(_tier_cells, row.tiers)
            tiers = SheetTable(say_odds("par.pay-table", label=label), _TIER_COLUMNS, cells)
            yield SheetSection(say_odds("par.wager", title=title, label=label), tiers)
    for found in sheet.explained:
        sums = [
            f"{label or say_odds('par.edge')}: {words}"
            for label, words in explain.summary_lines(found)
        ]
        cells = map(explain.term_cells, found.terms)
        terms = SheetTable(say_odds("par.deciding-throws"), explain.TERM_COLUMNS, cells)
        notes = [*map(explain.describe_place, found.places), *sums]
        title, label = found.row.title, odds_label(found.row)
        yield SheetSection(say_odds("par.explained", title=title, label=label), terms, notes)
    if sheet.terms:
        notes = [f"{title}: {' '.join(w)}" for title, w in sheet.terms]
        yield SheetSection(say_odds("par.terms"), notes=notes)
    title, exposure = say_odds("par.exposure"), sheet.exposure
    if exposure is None:
        yield SheetSection(title, notes=[NO_LAYOUT_NOTE])
        return
    numbers = say_odds("par.of", whole=exposure.whole), say_odds("par.cost")
    columns = (say_odds("par.dice"), *(f"#{head}" for head in numbers), say_odds("par.by"))
    falls = map(_throw_cells, exposure.dearest_first())
    throws = SheetTable(say_odds("par.throws"), columns, falls)
    yield SheetSection(title, throws, [_describe_exposure(exposure)])


def wager_cells(row: ParRow) -> list[str]:
    """Return the cells of a wager as text, in the order of WAGER_COLUMNS."""
    odds, limit = row.odds, row.limit
    outlay = odds.edge_outlay
    return [
        odds_label(odds),
        odds.pays,
        ", ".join(odds.cites),
        show_percent(odds.win, 4),
        _show_one_in(odds.win),
        show_percent(odds.push, 4) if odds.push else "",
        show_percent(odds.edge, 4),
        str(odds.edge) if len(str(odds.edge)) <= _MAX_FRACTION_CHARS else "",
        show_percent(odds.edge_resolved, 4) if odds.edge_resolved != odds.edge else "",
        show_percent(outlay, 4) if outlay is not None else "",
        show_percent(odds.edge_per_roll, 4),
        f"{float(odds.rolls):.3f}",
        f"{odds.sd:.3f}",
        f"{row.volatility:.3f}",
        *(show_dollars(getattr(limit, name)) if limit else "" for name in _LIMIT_FIELDS),
    ]


def _show_one_in(chance: Fraction) -> str:
    return f"{float(1 / chance):,.2f}" if chance else "never"


def _tier_cells(tier: PayTier) -> list[str]:
    chance = show_percent(tier.chance, 6), _show_one_in(tier.chance)
    return [tier.on or "complete", tier.odds, tier.cite, *chance]


def _throw_cells(fall: ThrowCost) -> list[str]:
    by = [f"{who} {layout_name(wager)} {show_dollars(cost)}" for who, wager, cost in fall.by]
    dice = "-".join(map(str, fall.dice))
    return [dice, str(fall.weight), show_dollars(fall.cost), ", ".join(by) or "nothing"]


def _describe_exposure(found: Exposure) -> str:
    return describe_next_throw_cost(
        stakes=found.stakes,
        puck=found.puck,
        worst=found.worst.cost,
        dice=found.worst.dice,
        mean=round(-found.mean),
        refused=found.refused,
    )


def render_csv(sheet: ParSheet) -> str:
    """Return the wagers of a sheet as CSV, with headings."""
    own = (sheet.rulebook, sheet.game)
    return _write_csv([CSV_HEADINGS, *((*own, *_csv_cells(row)) for row in sheet.rows)])


def render_columns_csv() -> str:
    """Return a CSV that explains each column of ``render_csv``."""
    return _write_csv([("column", "meaning"), *CSV_COLUMNS.items()])


def render_layout_csv(sheet: ParSheet) -> str | None:
    """Return as CSV what each throw costs the house at the sheet's layout; None without a layout.

    The most expensive throw comes first. Each die has its own column, because a spreadsheet reads
    6-6 as a date.
    """
    found = sheet.exposure
    if found is None:
        return None
    wagers = list(dict.fromkeys((who, name) for fall in found.falls for who, name, _ in fall.by))
    own = (sheet.rulebook, sheet.game, str(found.puck or "off"), to_dollars(found.stakes))
    headings = [name.replace("of_36", f"of_{found.whole}") for name in LAYOUT_CSV_HEADINGS]
    lines: list[Sequence[str]] = [(*headings, *(f"{who} {name}" for who, name in wagers))]
    for fall in found.dearest_first():
        throw = (*map(str, fall.dice), str(fall.weight), to_dollars(fall.cost))
        lines.append((*own, str(found.refused), *throw, *_wager_costs(fall, wagers)))
    return _write_csv(lines)


def render_explained_csv(sheet: ParSheet) -> str:
    """Return as CSV the throws that decide each wager and add up to its figures."""
    lines = (line for found in sheet.explained for line in explain.explained_cells(found))
    return _write_csv([explain.EXPLAINED_HEADINGS, *lines])


def _wager_costs(fall: ThrowCost, wagers: Sequence[tuple[str, str]]) -> list[str]:
    """Return what each wager costs the house on an outcome, in dollars as text.

    ``wagers`` are pairs of player and wager, in the order of the columns.
    """
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


def render_html(sheet: ParSheet) -> str:
    """Return the sheet as one HTML document. Raise MissingExtra if Jinja2 is not installed."""
    return render_document("par.html", "par_sheet.css", sheet=sheet, sections=list_sections(sheet))


def render_markdown(sheet: ParSheet) -> str:
    """Return the sheet as Markdown."""
    lines = [f"# Par sheet: {_escape_markdown(sheet.title)}", ""]
    lines += _markdown_table(("", ""), sheet.header)
    for section in list_sections(sheet):
        lines += ["", f"## {_escape_markdown(section.title)}", ""]
        if section.table:
            lines += [*_markdown_table(section.table.columns, section.table.rows), ""]
        lines += [f"- {_escape_markdown(note)}" for note in section.notes]
    return "\n".join(lines).rstrip("\n") + "\n"


def _markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _markdown_row([name.lstrip("#") for name in columns])
    yield _markdown_row(["---:" if name.startswith("#") else "---" for name in columns])
    yield from map(_markdown_row, rows)


def _markdown_row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(_escape_markdown(text) for text in texts)} |"


def _escape_markdown(text: str) -> str:
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
