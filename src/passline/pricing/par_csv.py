"""The par sheet as CSV: a line for each wager, fractions exact and decimals beside them.

A layout has other columns, so it is a CSV of its own: a line for each fall of the dice. What the
columns say is a third: nothing but figures stands between the heading and the last wager.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from passline.money import dollars
from passline.pricing.costs import Fall
from passline.pricing.explain_cells import EXPLAINED_HEADINGS, explained_cells
from passline.pricing.par import NINE_IN_TEN, ParRow, ParSheet

_EXACT = {
    "win": "the chance that a decision wins",
    "lose": "the chance that a decision loses",
    "push": "the chance that a decision is level",
    "edge": "the house's share of the amount wagered, pushes counted",
    "edge_resolved": "the edge with pushes left out",
    "edge_per_roll": "the edge by the roll",
    "edge_outlay": "the edge of the stake and the vigorish paid with it; empty without vigorish",
    "rolls": "the mean number of rolls to a decision",
}
_LIMITS = ("least", "stake", "paid", "cost")


def _exact_columns() -> Iterator[tuple[str, str]]:
    for name, meaning in _EXACT.items():
        yield name, f"{meaning}; a fraction"
        yield f"{name}_decimal", f"{meaning}; a decimal"


#: The columns, and what each says. Money is in dollars.
COLUMNS = {
    "rulebook": "the rulebook's id",
    "game": "the game of the rulebook",
    "wager": "the wager's name in a record; +odds: with full odds behind it",
    "title": "the wager's name for people",
    "option": "the election that the row rests on",
    "multiple": "the odds behind a +odds wager, times the flat",
    "pays": "the odds posted, the stake not counted",
    "clauses": "what of the rulebook gives the pay",
    **dict(_exact_columns()),
    "one_in": "decisions to one hit, on average",
    "sd": "the standard deviation of one decision, by the unit wagered",
    "volatility_index": f"{NINE_IN_TEN} times sd",
    "minimum": "the least stake that is taken",
    "maximum": "the most that may be wagered and paid",
    "maximum_pay": "the most that a throw then wins",
    "maximum_cost": "the most that a throw then costs the house",
    "tiers": "a side wager's pay table: on what, the odds, the chance",
}
HEADINGS = tuple(COLUMNS)


#: The columns of a layout. One for each wager that a throw pays or takes follows: its share.
LAYOUT_HEADINGS = (
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
    """The wagers of a sheet as CSV, a heading first."""
    own = (sheet.rulebook, sheet.game)
    return _written([HEADINGS, *((*own, *_cells(row)) for row in sheet.rows)])


def render_columns_csv() -> str:
    """What each column of ``render_csv`` says, a line for each."""
    return _written([("column", "meaning"), *COLUMNS.items()])


def render_layout_csv(sheet: ParSheet) -> str | None:
    """What each throw costs the house at the sheet's layout, the dearest first; None: no layout.

    The dice stand in two columns, for a spreadsheet reads 6-6 as a day in June.
    """
    found = sheet.exposure
    if found is None:
        return None
    wagers = list(dict.fromkeys((who, name) for fall in found.falls for who, name, _ in fall.by))
    own = (sheet.rulebook, sheet.game, str(found.puck or "off"), dollars(found.stakes))
    headings = [name.replace("of_36", f"of_{found.whole}") for name in LAYOUT_HEADINGS]
    lines: list[Sequence[str]] = [(*headings, *(f"{who} {name}" for who, name in wagers))]
    for fall in sorted(found.falls, key=lambda fall: -fall.cost):
        throw = (*map(str, fall.dice), str(fall.weight), dollars(fall.cost))
        lines.append((*own, str(found.refused), *throw, *_shares(fall, wagers)))
    return _written(lines)


def render_explained_csv(sheet: ParSheet) -> str:
    """Every throw that decides a wager of the sheet: a line for each, which add up to its row."""
    lines = (line for found in sheet.explained for line in explained_cells(found))
    return _written([EXPLAINED_HEADINGS, *lines])


def _shares(fall: Fall, wagers: Sequence[tuple[str, str]]) -> list[str]:
    """What each wager costs on a fall, in the order of the columns."""
    costs = dict.fromkeys(wagers, 0)
    for who, name, cost in fall.by:
        costs[who, name] += cost
    return [dollars(cost) for cost in costs.values()]


def _written(lines: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def _cells(row: ParRow) -> list[str]:
    odds = row.odds
    found = [odds.wager, odds.title, odds.option or "", odds.multiple or "", odds.pays]
    found.append("; ".join(odds.cites))
    for name in _EXACT:
        value: Fraction | None = getattr(odds, name)
        found += ["", ""] if value is None else [str(value), repr(float(value))]
    found.append(repr(float(1 / odds.win)) if odds.win else "")
    found += [repr(odds.sd), repr(row.volatility)]
    found += [dollars(getattr(row.limit, name)) if row.limit else "" for name in _LIMITS]
    found.append("; ".join(f"{t.on or 'complete'}: {t.odds} at {t.chance}" for t in row.tiers))
    return found
