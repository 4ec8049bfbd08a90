"""A game as CSV: a row for each settlement, and a row for each account that a line changed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from passline.money import dollars
from passline.plain import harmless
from passline.replay.accounts import accounts_of, changes
from passline.replay.moments import GameMoment

#: Column → what stands there.
COLUMNS: Final = {
    "moment": "the number of the entry in the log, or of the line of play in the record",
    "at": "when, UTC (live tables)",
    "line": "the line of the record's file",
    "role": "who said it: the role",
    "by": "who said it: the name",
    "said": "the line",
    "row": "settlement, or ledger",
    "player": "whose wager, rail or layout",
    "dice": "settlement: the throw",
    "wager": "settlement: the wager",
    "stake": "settlement: what lay there",
    "result": "settlement: win, lose, push, return or travel",
    "odds": "settlement: what it pays",
    "paid": "settlement: what it was paid",
    "vig": "settlement: the vigorish taken",
    "to": "settlement: where the wager travelled",
    "cite": "settlement: the clause that decides it",
    "account": "ledger: drop, bank, promotions, vigorish, tokes, rail or layout",
    "change": "ledger: by how much it changed; the changes of a moment sum to zero",
    "holds": "ledger: what it holds after the line",
}


def csv_head() -> str:
    """The first line."""
    return _text([list(COLUMNS)])


def csv_rows(moment: GameMoment) -> str:
    """The lines of a moment; none where it moved nothing.

    Text that a spreadsheet would reckon with is quoted for it.
    """
    return _text([_cells(row) for row in (*_settlements(moment), *_ledger(moment))])


def _cells(row: dict[str, str]) -> list[str]:
    return [row.get(column, "") for column in COLUMNS]


def _text(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def _said(moment: GameMoment) -> dict[str, str]:
    step = moment.step
    return {
        "moment": str(step.number),
        "at": step.at,
        "line": str(step.line or ""),
        "role": harmless(step.role),
        "by": harmless(step.by),
        "said": harmless(step.said),
    }


def _settlements(moment: GameMoment) -> Iterator[dict[str, str]]:
    if moment.throw is None:
        return
    rolled, said = moment.throw.rolled, _said(moment)
    for done in rolled.settlements:
        yield {
            **said,
            "row": "settlement",
            "player": harmless(done.player),
            "dice": f"{rolled.first} {rolled.second}",
            "wager": done.wager,
            "stake": dollars(done.stake),
            "result": done.result,
            "odds": done.odds or "",
            "paid": dollars(done.paid),
            "vig": dollars(done.vig),
            "to": done.to or "",
            "cite": harmless(done.cite),
        }


def _ledger(moment: GameMoment) -> Iterator[dict[str, str]]:
    before = moment.before.table if moment.before is not None else None
    holds, said = accounts_of(moment.after.table), _said(moment)
    for account, cents in changes(before, moment.after.table).items():
        yield {
            **said,
            "row": "ledger",
            "player": harmless(account.player),
            "account": account.kind,
            "change": dollars(cents),
            "holds": dollars(holds.get(account, 0)),
        }
