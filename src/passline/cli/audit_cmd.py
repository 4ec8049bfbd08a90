"""``passline audit``: whether a table's log is whole and true, and the day's papers from it."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from passline.cli.common import fail, print_json, tell

if TYPE_CHECKING:
    from passline.live.appends import StoredRow
    from passline.live.audit import Audited, Receipt
    from passline.live.auditing.shifts import ShiftPlan, TableShift
    from passline.live.store import Store

#: An audit of one table, and its shifts where the papers are asked for.
_Outcome = tuple["Audited", "list[TableShift]"]


@click.command(
    epilog="\b\nExample:\n  passline audit src/passline/samples/first-table.jsonl --report"
)
@click.argument("file", required=False)
@click.option("--data", metavar="DIR", help="Audit the tables that a server keeps in DIR.")
@click.option("--database", metavar="URL", help="Audit the tables in a PostgreSQL database.")
@click.option("--table", metavar="T", help="One table of them; of a file, whose log it is.")
@click.option(
    "--receipt",
    "receipts",
    metavar="SEQ:HASH",
    multiple=True,
    help="An entry that must be in the log; may be given again.",
)
@click.option(
    "--day-secret",
    metavar="HEX",
    default="",
    help="Of a Daily: its day's secret, as GET /api/daily/DAY tells it afterwards.",
)
@click.option("--report", is_flag=True, help="The day's papers instead, from audited logs only.")
@click.option(
    "--shift",
    metavar="HOURS",
    default="8h",
    show_default=True,
    help="With --report: how long a shift is; it divides the day.",
)
@click.option(
    "--shift-start",
    metavar="HOUR",
    type=click.IntRange(0, 23),
    default=6,
    show_default=True,
    help="With --report: the hour at which a shift begins, in the table's zone.",
)
@click.option("--csv", "as_csv", is_flag=True, help="With --report: as CSV.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(
    file: str | None,
    data: str | None,
    database: str | None,
    table: str | None,
    receipts: tuple[str, ...],
    day_secret: str,
    report: bool,
    shift: str,
    shift_start: int,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Audit the log of a live table: FILE as GET /api/tables/T/log writes it ("-" is standard
    input), or the tables of a server, which may be running.

    The chain is whole, every receipt is in it, the lines dealt again give the same events, the
    ledger sums to zero after each entry, every throw of the house is proven. Exit 0; 1 with the
    first entry that is wrong and why; 2 where nothing can be read. Entries of another version may
    have been dealt by another law: there, differences are notes.

    --json: entries, throws, chain, replay, ledger, dice, each of the last four "ok" or the number
    of the first entry that is wrong. Of several tables these are sums and the first that is wrong,
    and each stands by itself under tables.

    --report: drop, win, vigorish, hold, fills, tokes and throws an hour by table and shift; what
    each of them is stands below the figures.
    """
    from passline.cli import audit_view

    if sum(given is not None for given in (file, data, database)) != 1:
        fail("expected one of FILE, --data DIR and --database URL")
    if not report and as_csv:
        fail("--csv: expected with --report")
    if as_csv and as_json:
        fail("--csv and --json: expected one of them")
    plan = _plan(shift, shift_start) if report else None
    kept = [_receipt(text) for text in receipts]
    if day_secret and not re.fullmatch("[0-9a-f]{64}", day_secret):
        fail(f"--day-secret {day_secret[:80]!r}: expected 64 hex digits")
    if file is not None:
        outcomes = [_file(file, table or "", kept, plan, day_secret)]
    else:
        if day_secret:
            fail("--day-secret is for the log of one Daily: expected FILE")
        outcomes = asyncio.run(_store(data, database, table, kept, plan))
    audits = [audited for audited, _ in outcomes]
    if plan is None:
        if as_json:
            print_json(audit_view.as_json(audits))
        else:
            audit_view.show_audit(audits)
    elif all(one.first is None for one in audits):
        shifts = [one for _, some in outcomes for one in some]
        audit_view.papers(plan, shifts, "csv" if as_csv else "json" if as_json else "text")
    _end(audits)


def _end(audits: list[Audited]) -> None:
    """Exit 1 with the first entry that is wrong."""
    for one in audits:
        if one.first is not None:
            wrong = one.first
            tell(
                f"passline audit: table {one.table}: entry {wrong.entry}: {wrong.why}"
                f" ({wrong.check})"
            )
            raise SystemExit(1)


def _plan(shift: str, start: int) -> ShiftPlan:
    from passline.live.auditing.shifts import ShiftPlan

    hours = shift.strip().lower().removesuffix("h").strip()
    if not (hours.isascii() and hours.isdigit() and len(hours) < 3 and int(hours)):
        fail(f"--shift {shift!r}: expected hours that divide the day, such as 8h")
    if 24 % int(hours):
        fail(f"--shift {shift!r}: expected hours that divide the day: 1, 2, 3, 4, 6, 8, 12, 24")
    return ShiftPlan(int(hours), start)


def _receipt(text: str) -> Receipt:
    from passline.live.audit import receipt_in

    try:
        return receipt_in(text)
    except ValueError as wrong:
        fail(f"--receipt {text[:100]!r}: {wrong}")


def _file(
    file: str, table: str, receipts: list[Receipt], plan: ShiftPlan | None, day_secret: str
) -> _Outcome:
    from passline.files import UnreadableError, open_file
    from passline.live.audit import Audit
    from passline.live.auditing.findings import NoLogError
    from passline.live.auditing.reading import lines_in
    from passline.live.auditing.shifts import Papers

    papers = Papers(plan, table) if plan is not None else None
    audit = Audit(table, receipts, papers, day_secret)
    try:
        if file == "-":
            audit.take_lines(lines_in(sys.stdin.buffer))
        else:
            with open_file(file, "log of a table", plain=False) as opened:
                audit.take_lines(lines_in(opened))
        return audit.end(), papers.shifts if papers else []
    except UnreadableError as wrong:
        fail(str(wrong))
    except NoLogError as wrong:
        fail(f"{file[:200]!r}: {wrong}")
    except OSError as wrong:
        fail(f"{file[:200]!r} cannot be read: {wrong.strerror or wrong}")


@contextmanager
def _store_errors() -> Iterator[None]:
    from passline.live.appends import StoreError

    try:
        yield
    except StoreError as wrong:
        fail(str(wrong))


async def _store(
    data: str | None,
    database: str | None,
    table: str | None,
    receipts: list[Receipt],
    plan: ShiftPlan | None,
) -> list[_Outcome]:
    from passline.live.stores import open_store

    with _store_errors():
        store = await open_store(Path(data) if data is not None else None, database, read_only=True)
        try:
            tables = [table] if table is not None else await store.ids()
            if receipts and len(tables) > 1:
                fail("--receipt is for one of several tables: expected --table T")
            return [await _table(store, one, receipts, plan) for one in tables] or _none()
        finally:
            await store.close()


def _none() -> NoReturn:
    fail("there is no table to audit")


async def _table(
    store: Store, table: str, receipts: list[Receipt], plan: ShiftPlan | None
) -> _Outcome:
    from passline.live.audit import Audit
    from passline.live.auditing.findings import NoLogError
    from passline.live.auditing.shifts import Papers

    papers = Papers(plan, table) if plan is not None else None
    audit = Audit(table, receipts, papers)
    async for row in _rows(store, table):
        audit.take_row(row)
        if audit.over:
            break
    try:
        return audit.end(), papers.shifts if papers else []
    except NoLogError:
        fail(f"there is no table {table[:80]!r}")


async def _rows(store: Store, table: str) -> AsyncIterator[StoredRow]:
    """Every row of a table, a page at a time, in the order of their numbers."""
    from passline.live.store import PAGE

    after = -1
    while page := await store.rows(table, after, PAGE):
        for row in page:
            yield row
        after = max(after + len(page), _number(page[-1]))


def _number(row: StoredRow) -> int:
    """The number that a row says it has; -1: none that can be read."""
    from passline.live.auditing.findings import WrongError
    from passline.live.auditing.reading import entry_in_row

    try:
        return entry_in_row(row)[0].seq
    except WrongError:
        return -1
