"""The par sheet as CSV: a line for each wager, fractions exact and decimals beside them.

A layout has other columns, so it is a CSV of its own: a line for each fall of the dice.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction

from passline.money import dollars
from passline.pricing.costs import Fall
from passline.pricing.par import ParRow, ParSheet

_EXACT = ("win", "lose", "push", "edge", "edge_resolved", "edge_per_roll", "edge_outlay", "rolls")
_LIMITS = ("minimum", "stake", "paid", "cost")
HEADINGS = (
    "rulebook",
    "game",
    "wager",
    "title",
    "option",
    "multiple",
    "pays",
    "clauses",
    *(heading for name in _EXACT for heading in (name, f"{name}_decimal")),
    "one_in",
    "sd",
    "volatility_index",
    "minimum",
    "maximum",
    "maximum_pay",
    "maximum_cost",
    "tiers",
)


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


def render_layout_csv(sheet: ParSheet) -> str | None:
    """What each throw costs the house at the sheet's layout, the dearest first; None: no layout.

    The dice stand in two columns, for a spreadsheet reads 6-6 as a day in June.
    """
    found = sheet.exposure
    if found is None:
        return None
    wagers = list(dict.fromkeys((who, name) for fall in found.falls for who, name, _ in fall.by))
    own = (sheet.rulebook, sheet.game, str(found.puck or "off"), dollars(found.stakes))
    lines: list[Sequence[str]] = [(*LAYOUT_HEADINGS, *(f"{who} {name}" for who, name in wagers))]
    for fall in sorted(found.falls, key=lambda fall: -fall.cost):
        throw = (*map(str, fall.dice), str(fall.weight), dollars(fall.cost))
        lines.append((*own, str(found.refused), *throw, *_shares(fall, wagers)))
    return _written(lines)


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
