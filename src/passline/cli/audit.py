"""``passline audit``: check a live table's log, and print shift reports from it.

The command reads a log file or the tables of a server's store; it changes nothing.
"""

from __future__ import annotations

import asyncio
import csv
import io
import re
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click
import msgspec

from passline.cli.common import NumberRange, complete_file, fail, print_error, print_json
from passline.game.money.amounts import to_dollars
from passline.game.words.log import SHIFT_FIGURES
from passline.live.audit.audit import (
    Audit,
    AuditResult,
    Receipt,
    decode_stored_row,
    iter_log_lines,
    parse_receipt,
)
from passline.live.audit.dice_check import FindDaySecret, no_day_secret
from passline.live.audit.findings import CHECKS, BadEntryError, NotALogError
from passline.live.audit.house_keys import (
    HousePublicKeys,
    find_day_secrets,
    read_public_keys,
)
from passline.live.audit.shift_reports import (
    ShiftPlan,
    ShiftReports,
    TableShift,
)
from passline.live.signing_key import is_public_key
from passline.text import escape_spreadsheet_cell, escape_unprintable
from passline.version import VERSION

if TYPE_CHECKING:
    from passline.live.store import Store, StoredRow

_UNVERIFIED_REASON = f"Passline {VERSION} cannot deal their version or their rulebook"
_DAILY_REASON = "the secret of its day is not known"
_OWN_KEY = "the log's own, which a house that rewrites its log can replace"
_NO_RECEIPT = "no --receipt vouches for it: a log that was rewritten whole would pass as well"
#: An audit of one table, and its shifts if reports are wanted.
_AuditOutcome = tuple["AuditResult", "list[TableShift]"]


@click.command(
    epilog="\b\nExample:\n  passline audit src/passline/samples/first-table.jsonl --report"
)
@click.argument("file", required=False, shell_complete=complete_file)
@click.option("--data", metavar="DIR", help="Audit the tables in a server's folder.")
@click.option("--database", metavar="URL", help="Audit the tables in a PostgreSQL database.")
@click.option("--table", metavar="T", help="Audit this table only; for FILE, the table's id.")
@click.option(
    "--receipt",
    "receipts",
    metavar="SEQ:HASH[:SIGNATURE]",
    multiple=True,
    help="An entry that must be in the log. Repeat for more.",
)
@click.option(
    "--public-key",
    metavar="HEX|URL",
    default="",
    help="The house's public key, for signed receipts, as you saved it from the server's "
    "/.well-known/passline.json, or the server's address, to read it there now (default: that of "
    "the signing key beside the store, else the key in the log, which the house could replace).",
)
@click.option(
    "--day-secret",
    metavar="HEX",
    default="",
    help="For a Daily's log: the secret that the server publishes after that day (default: from "
    "the dice key beside the store). Without it, its throws are unverified.",
)
@click.option("--report", is_flag=True, help="Print shift reports, if the logs pass the audit.")
@click.option(
    "--shift",
    metavar="HOURS",
    default="8h",
    show_default=True,
    help="With --report: the length of a shift, such as 8h; it must divide 24 hours.",
)
@click.option(
    "--shift-start",
    metavar="HOUR",
    type=NumberRange(0, 23),
    default=6,
    show_default=True,
    help="With --report: the hour at which a shift begins, in the table's time zone.",
)
@click.option("--csv", "as_csv", is_flag=True, help="With --report: print CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(
    file: str | None,
    data: str | None,
    database: str | None,
    table: str | None,
    receipts: tuple[str, ...],
    public_key: str,
    day_secret: str,
    report: bool,
    shift: str,
    shift_start: int,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Audit the log of a live table: a downloaded log in FILE (- for standard input), or the tables
    in a server's store, which may be running.

    Checks that the hash chain is intact and has every receipt, that dealing the lines again gives
    the same events, that the ledger sums to zero after each entry, and that every roll of the house
    is proven. Exits 0 if all is well, 1 with the first wrong entry and why, 2 if nothing can be
    read, 3 if nothing is wrong but something could not be checked: entries of another version or of
    a rulebook that is not here, or a Daily whose secret is not known. Differences in entries that
    cannot be dealt are notes.

    A log that was rewritten whole is as consistent as the one that was played. Only a receipt from
    outside tells them apart: give --receipt.

    --json has the counts, and for each check (chain, replay, ledger, dice) "ok", "unverified" or
    the number of the first wrong entry. For several tables it has the sums, and each table under
    "tables".

    --report prints drop, win, vigorish, hold, fills, tokes and rolls per hour by table and shift,
    and explains each figure.
    """
    if sum(given is not None for given in (file, data, database)) != 1:
        fail("name one of FILE, --data DIR and --database URL")
    if not report and as_csv:
        fail("--csv needs --report")
    if as_csv and as_json:
        fail("choose one of --csv and --json")
    plan = _parse_shift_plan(shift, shift_start) if report else None
    wanted = [_parse_receipt(text) for text in receipts]
    keys = _find_public_keys(public_key, data, database)
    if day_secret and not re.fullmatch("[0-9a-f]{64}", day_secret):
        fail(f"--day-secret {day_secret[:80]!r}: expected 64 hex digits")
    find_day_secret = _find_day_secrets(day_secret, data, database)
    options = _AuditOptions(receipts=wanted, plan=plan, find_day_secret=find_day_secret, keys=keys)
    if file is not None:
        outcomes = [_audit_file(file, table or "", options)]
    else:
        if day_secret:
            fail("--day-secret is for the log of one Daily: name its FILE")
        outcomes = asyncio.run(_audit_store(data, database, table, options))
    audits = [audited for audited, _ in outcomes]
    if plan is None:
        if as_json:
            print_json(audits_json(audits, keys.source))
        else:
            show_audit(audits, keys)
    elif all(one.first is None for one in audits):
        shifts = [one for _, some in outcomes for one in some]
        print_shift_reports(plan, shifts, "csv" if as_csv else "json" if as_json else "text")
    _exit_if_wrong(audits)


def _exit_if_wrong(audits: list[AuditResult]) -> None:
    """If an audit found an error, print the first wrong entry and exit with status 1.

    Otherwise exit with status 3 if something could not be checked.
    """
    for one in audits:
        if one.first is not None:
            where = f"table {one.table}: entry {one.first.entry}"
            print_error(f"passline audit: {where}: {one.first.why} ({one.first.check})")
            raise SystemExit(1)
    for one in audits:
        if one.unverified:
            where = f"table {one.table}: {one.unverified:,} entries from {one.first_unverified}"
            print_error(f"passline audit: {where} are unverified: {_UNVERIFIED_REASON}")
            raise SystemExit(3)
    for one in audits:
        if one.unproven:
            where = f"table {one.table}: {one.unproven:,} throws of a Daily"
            print_error(f"passline audit: {where} are unverified: {_DAILY_REASON}")
            raise SystemExit(3)


def _find_public_keys(given: str, data: str | None, database: str | None) -> HousePublicKeys:
    """Return the house's public keys: the one that the user gave, or those of the server's folder.

    Without any, the result is empty; then only the log names a key. Exit 2 for an unusable key.
    """
    if "://" in given:
        return HousePublicKeys(_fetch_public_key(given), given)
    if given:
        if not is_public_key(given):
            fail(f"--public-key {given[:80]!r}: expected 64 hex digits, or a server's address")
        return HousePublicKeys(given, "--public-key")
    if data is None and database is None:
        return HousePublicKeys("", "")
    return read_public_keys(_key_folder(data)) or HousePublicKeys("", "")


def _fetch_public_key(url: str) -> str:
    """Return the key that a server publishes. Exit 2 if it cannot be read."""
    import httpx

    try:
        answer = httpx.get(f"{url.rstrip('/')}/.well-known/passline.json", timeout=10)
        answer.raise_for_status()
        key = answer.json()["public_key"]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        fail(f"--public-key {url[:80]!r}: no server of Passline answers there. Check the address")
    if not isinstance(key, str) or not is_public_key(key):
        fail(f"--public-key {url[:80]!r}: the server published no key")
    return key


def _find_day_secrets(given: str, data: str | None, database: str | None) -> FindDaySecret:
    """Return a function (day, commitment) that finds the dice secret of a Daily, or "".

    A Daily is a game with one day's dice. The secret is the one that the user gave, or made from
    the dice keys in the server's folder. For a FILE without either, no secret is found.
    """
    if given:
        return lambda day, commit: given
    if data is None and database is None:
        return no_day_secret
    return find_day_secrets(_key_folder(data))


def _key_folder(data: str | None) -> Path:
    """Return the folder where a server keeps its keys; for a database, the default folder."""
    from passline.cli.backup import find_place

    folder = find_place(data, None)
    assert isinstance(folder, Path)
    return folder


def _parse_shift_plan(shift: str, start: int) -> ShiftPlan:
    hours = shift.strip().lower().removesuffix("h").strip()
    if not (hours.isascii() and hours.isdigit() and len(hours) < 3 and int(hours)):
        fail(f"--shift {shift!r}: expected hours that divide the day, such as 8h")
    if 24 % int(hours):
        fail(f"--shift {shift!r}: expected hours that divide the day: 1, 2, 3, 4, 6, 8, 12, 24")
    return ShiftPlan(int(hours), start)


def _parse_receipt(text: str) -> Receipt:
    try:
        return parse_receipt(text)
    except ValueError as wrong:
        fail(f"--receipt {text[:100]!r}: {wrong}")


class _AuditOptions(NamedTuple):
    """What to check a log against, and the shifts to report, if any. See `Audit`."""

    receipts: list[Receipt]
    plan: ShiftPlan | None
    find_day_secret: FindDaySecret
    keys: HousePublicKeys

    def start(self, table: str) -> tuple[Audit, ShiftReports | None]:
        """Return a new audit of one table, and its shift reports to fill in, if any."""
        from passline.school.throw_work import register_audit_check

        register_audit_check()
        reports = ShiftReports(self.plan, table) if self.plan is not None else None
        audit = Audit(
            table,
            self.receipts,
            reports,
            self.find_day_secret,
            self.keys.current,
            self.keys.replaced,
        )
        return audit, reports


def _audit_file(file: str, table: str, options: _AuditOptions) -> _AuditOutcome:
    from passline.files import UnreadableError, open_file, show_path

    audit, reports = options.start(table)
    name = "standard input" if file == "-" else show_path(file)
    try:
        if file == "-":
            audit.add_lines(iter_log_lines(sys.stdin.buffer))
        else:
            with open_file(file, "table log", plain=False) as opened:
                audit.add_lines(iter_log_lines(opened))
        return audit.end(), reports.shifts if reports else []
    except UnreadableError as wrong:
        fail(str(wrong))
    except NotALogError as wrong:
        fail(f"{name}: {wrong}")
    except OSError as wrong:
        fail(f"{name} cannot be read: {wrong.strerror or wrong}")


@contextmanager
def _exit_on_store_error() -> Iterator[None]:
    from passline.live.store import StoreError

    try:
        yield
    except StoreError as wrong:
        fail(str(wrong))


async def _audit_store(
    data: str | None, database: str | None, table: str | None, options: _AuditOptions
) -> list[_AuditOutcome]:
    from passline.live.stores.open_store import open_store

    with _exit_on_store_error():
        store = await open_store(Path(data) if data is not None else None, database, read_only=True)
        try:
            tables = [table] if table is not None else await store.ids()
            if options.receipts and len(tables) > 1:
                fail("--receipt is for one table: add --table T")
            if not tables:
                fail("there is no table to audit")
            return [await _audit_table(store, one, options) for one in tables]
        finally:
            await store.close()


async def _audit_table(store: Store, table: str, options: _AuditOptions) -> _AuditOutcome:
    audit, reports = options.start(table)
    async for row in _read_rows(store, table):
        audit.add_row(row)
        if audit.is_finished:
            break
    else:
        if not await store.rows(table, -1, 1) and table in await store.ids():
            audit.mark_entries_missing()
    try:
        return audit.end(), reports.shifts if reports else []
    except NotALogError:
        fail(f"there is no table {table[:80]!r}")


async def _read_rows(store: Store, table: str) -> AsyncIterator[StoredRow]:
    """Yield every stored row of a table in order, reading a page at a time."""
    from passline.live.store import PAGE_SIZE

    after = -1
    while page := await store.rows(table, after, PAGE_SIZE):
        for row in page:
            yield row
        after = max(after + len(page), _row_number(page[-1]))


def _row_number(row: StoredRow) -> int:
    """Return the sequence number of a stored row, or -1 if it can't be read."""
    try:
        return decode_stored_row(row)[0].seq
    except BadEntryError:
        return -1


_MONEY_COLUMNS = ("drop", "win", "vig")
#: Columns with text from users.
_TEXT_COLUMNS = ("table", "name")
_COLUMNS = ("table", "name", "begins", "ends", *SHIFT_FIGURES)


def audits_json(audits: Sequence[AuditResult], key_source: str = "") -> dict[str, Any]:
    """Return the JSON of one audit, or of several: sums, the first error, and each table.

    ``key_source`` says where the house's public key is from; empty if only the log has one.
    """
    if len(audits) == 1:
        return _audit_json(audits[0], key_source)
    first: dict[str, str | int] = {
        check: _join_outcomes([one.outcome_of(check) for one in audits]) for check in CHECKS
    }
    return {
        "entries": sum(one.entries for one in audits),
        "throws": sum(one.throws for one in audits),
        **first,
        "error": next((_error_json(one) for one in audits if one.first is not None), None),
        "tables": [_audit_json(one, key_source) for one in audits],
    }


def _join_outcomes(outcomes: Sequence[str | int]) -> str | int:
    """Return one outcome for several: the first wrong entry's number, ``unverified``, or ``ok``."""
    wrong = (outcome for outcome in outcomes if isinstance(outcome, int))
    return next(wrong, "unverified" if "unverified" in outcomes else "ok")


def _audit_json(audited: AuditResult, key_source: str) -> dict[str, Any]:
    return {
        "table": audited.table,
        "entries": audited.entries,
        "throws": audited.throws,
        **{check: audited.outcome_of(check) for check in CHECKS},
        "error": _error_json(audited),
        "receipts": audited.receipts,
        "receipt": audited.receipt,
        "vouched": audited.vouched,
        "public_key": audited.public_key,
        "public_key_from": key_source or ("log" if audited.public_key else None),
        "log_key": audited.log_key,
        "house_throws": audited.proven,
        "without_nonce": audited.bare,
        "typed_throws": audited.typed,
        "daily_unproven": audited.unproven,
        "fresh_commits": [{"entry": one.entry, "what": one.why} for one in audited.fresh],
        "notes": [msgspec.structs.asdict(one) for one in audited.notes],
        "noted": audited.noted,
        "unverified": audited.unverified,
        "versions": audited.versions,
        "head": audited.head,
    }


def _error_json(audited: AuditResult) -> dict[str, Any] | None:
    wrong = audited.first
    return None if wrong is None else {"table": audited.table, **msgspec.structs.asdict(wrong)}


def show_audit(audits: Sequence[AuditResult], house: HousePublicKeys) -> None:
    """Print audits as text. Of several tables, print one line for each without findings."""
    for audited in audits:
        for line in _audit_lines(audited, brief=len(audits) > 1):
            click.echo(escape_unprintable(line))
    for line in _trust_lines(audits, house):
        click.echo(escape_unprintable(f"  {line}"))


def _trust_lines(audits: Sequence[AuditResult], house: HousePublicKeys) -> Iterator[str]:
    """Yield what the audit trusts besides the log: the receipts, and the house's key.

    Without receipts, say that nothing outside the log vouches for it.
    """
    for audited in audits:
        if audited.receipts and audited.outcome_of("chain") == "ok" and audited.receipt == "ok":
            count = audited.receipts
            yield (
                f"{count} of {count} receipts are in the log: they vouch for entries 0 to "
                f"{audited.vouched}"
            )
    keys = {audited.public_key for audited in audits if audited.public_key}
    if house.source and keys:
        yield f"the house's key: {house.current}, from {house.source}"
        for audited in audits:
            if audited.log_key not in ("", house.current, *house.replaced):
                yield f"note: table {audited.table} names another key, {audited.log_key}"
    elif any(audited.receipts for audited in audits) and keys:
        yield f"the house's key: {next(iter(keys))}, {_OWN_KEY}"
    if not any(audited.receipts for audited in audits):
        yield _NO_RECEIPT


def _audit_lines(audited: AuditResult, brief: bool) -> list[str]:
    lead = f"table {audited.table}: {audited.entries:,} entries, {audited.throws:,} throws"
    quiet = not (audited.findings or audited.fresh or audited.noted or audited.unverified)
    if brief and quiet and not audited.unproven:
        typed = (
            f", {audited.typed:,} throws typed in, which nothing proves" if audited.typed else ""
        )
        return [f"{lead}: ok{typed}"]
    lines = [lead]
    for check in CHECKS:
        found = next((one for one in audited.findings if one.check == check), None)
        words = f"entry {found.entry}: {found.why}" if found else str(audited.outcome_of(check))
        if found is None and check == "dice":
            if audited.typed and not audited.proven:
                words = "no throws of the house"
            words += f": {', '.join(_describe_throws(audited))}"
        lines.append(f"  {check:<7} {words}")
    forged = next((one for one in audited.findings if one.check == "receipt"), None)
    if forged is not None:
        lines.append(f"  receipt entry {forged.entry}: {forged.why}")
    lines += [f"  entry {one.entry}: {one.why}" for one in audited.fresh]
    if audited.unverified:
        lines.append(f"  {audited.unverified:,} entries are unverified: {_UNVERIFIED_REASON}")
    lines += [f"  note: entry {one.entry}: {one.why}" for one in audited.notes]
    for what, listed, count in (
        ("notes", audited.notes, audited.noted),
        ("fresh commits", audited.fresh, audited.renewed),
    ):
        if count > len(listed):
            lines.append(f"  and {count - len(listed):,} more {what}")
    return lines


def _describe_throws(audited: AuditResult) -> Iterator[str]:
    """Yield the counts of throws: proven, typed in and unproven."""
    if audited.proven or not (audited.typed or audited.unproven):
        bare = f", {audited.bare:,} without a nonce" if audited.bare else ""
        yield f"{audited.proven:,} throws of the house proven{bare}"
    if audited.typed:
        yield f"{audited.typed:,} throws typed in by the crew, which nothing proves"
    if audited.unproven:
        yield f"{audited.unproven:,} throws of a Daily unproven, because {_DAILY_REASON}"


def print_shift_reports(
    plan: ShiftPlan, shifts: Sequence[TableShift], form: Literal["text", "csv", "json"]
) -> None:
    """Print the shift reports as text, CSV or JSON."""
    rows = [_shift_row(shift) for shift in shifts]
    if form == "json":
        told = {"hours": plan.hours, "start": plan.start}
        print_json({"shift": told, "definitions": dict(SHIFT_FIGURES), "rows": rows})
    elif form == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {**row, **{key: escape_spreadsheet_cell(str(row[key])) for key in _TEXT_COLUMNS}}
            for row in rows
        )
        for line in out.getvalue().splitlines():
            click.echo(escape_unprintable(line))
    else:
        _print_shift_table(plan, rows)


def _shift_row(shift: TableShift) -> dict[str, str | int]:
    minutes = shift.played.total_seconds() // 60
    return {
        "table": shift.table,
        "name": shift.name,
        "begins": shift.begins.isoformat(timespec="minutes"),
        "ends": shift.ends.isoformat(timespec="minutes"),
        **{key: to_dollars(getattr(shift, key)) for key in _MONEY_COLUMNS},
        "hold": shift.hold,
        "fills": to_dollars(shift.fills),
        "tokes": to_dollars(shift.tokes),
        "throws": shift.throws,
        "hours": f"{int(minutes) // 60}:{int(minutes) % 60:02d}",
        "throws_an_hour": shift.pace,
    }


def _print_shift_table(plan: ShiftPlan, rows: Sequence[dict[str, str | int]]) -> None:
    heads = {**{key: key.replace("_", " ") for key in _COLUMNS}, "hold": "hold %"}
    shown = [heads, *({key: escape_unprintable(str(row[key])) for key in _COLUMNS} for row in rows)]
    wide = {key: max(len(row[key]) for row in shown) for key in _COLUMNS}
    for row in shown:
        left = [row[key].ljust(wide[key]) for key in _COLUMNS[:4]]
        right = [row[key].rjust(wide[key]) for key in _COLUMNS[4:]]
        click.echo("  ".join(left + right).rstrip())
    start = f"{plan.start:02d}:00"
    click.echo(f"\nShifts of {plan.hours} hours from {start}, in the table's time zone.")
    for key, words in SHIFT_FIGURES.items():
        click.echo(f"{heads[key]}: {words}")
