"""What an audit shows: outcomes and the day's papers, as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Literal

import click

from passline.cli.common import print_json
from passline.live.audit import Audited
from passline.live.auditing.findings import CHECKS
from passline.live.auditing.shifts import DEFINITIONS, ShiftPlan, TableShift
from passline.money import dollars
from passline.plain import harmless, plain
from passline.version import VERSION

_Form = Literal["text", "csv", "json"]
_MONEY = ("drop", "win", "vig")
#: Columns that may hold any text.
_NAMED = ("table", "name")
_COLUMNS = ("table", "name", "begins", "ends", *DEFINITIONS)


def as_json(audits: Sequence[Audited]) -> dict[str, Any]:
    """One table's object; of several, the sums, the first that is wrong, and each by itself."""
    if len(audits) == 1:
        return _one(audits[0])
    first: dict[str, str | int] = {
        check: next((got for one in audits if (got := one.of(check)) != "ok"), "ok")
        for check in CHECKS
    }
    return {
        "entries": sum(one.entries for one in audits),
        "throws": sum(one.throws for one in audits),
        **first,
        "error": next((_error(one) for one in audits if one.first is not None), None),
        "tables": [_one(one) for one in audits],
    }


def _one(audited: Audited) -> dict[str, Any]:
    return {
        "table": audited.table,
        "entries": audited.entries,
        "throws": audited.throws,
        **{check: audited.of(check) for check in CHECKS},
        "error": _error(audited),
        "receipts": audited.receipts,
        "house_throws": audited.proven,
        "without_nonce": audited.bare,
        "daily_unproven": audited.unproven,
        "fresh_commits": [{"entry": one.entry, "what": one.why} for one in audited.fresh],
        "notes": [{"entry": one.entry, "why": one.why} for one in audited.notes],
        "noted": audited.noted,
        "versions": audited.versions,
        "head": audited.head,
    }


def _error(audited: Audited) -> dict[str, Any] | None:
    wrong = audited.first
    if wrong is None:
        return None
    told = {"entry": wrong.entry, "check": wrong.check, "why": wrong.why}
    return {"table": audited.table, **told}


def show_audit(audits: Sequence[Audited]) -> None:
    """The outcomes for people: of several tables, those that are as they should be in a line."""
    for audited in audits:
        for line in _lines(audited, brief=len(audits) > 1):
            click.echo(plain(line))


def _lines(audited: Audited, brief: bool) -> list[str]:
    lead = f"table {audited.table}: {audited.entries:,} entries, {audited.throws:,} throws"
    quiet = not (audited.findings or audited.fresh or audited.noted)
    if brief and quiet:
        return [f"{lead}: ok"]
    lines = [lead]
    for check in CHECKS:
        found = next((one for one in audited.findings if one.check == check), None)
        words = "ok" if found is None else f"entry {found.entry}: {found.why}"
        if found is None and check == "dice":
            bare = f", {audited.bare:,} without a nonce" if audited.bare else ""
            words = f"ok: {audited.proven:,} throws of the house proven{bare}"
            if audited.unproven:
                words += f", {audited.unproven} of a Daily once its day's secret is told"
        lines.append(f"  {check:<7} {words}")
    if audited.receipts and audited.of("chain") == "ok":
        lines.append(f"  {audited.receipts} of {audited.receipts} receipts are in it")
    lines += [f"  entry {one.entry}: {one.why}" for one in audited.fresh]
    others = sum(count for version, count in audited.versions.items() if version != VERSION)
    if others:
        lines.append(f"  {others:,} entries of another version than {VERSION}: theirs are notes")
    lines += [f"  note: entry {one.entry}: {one.why}" for one in audited.notes]
    for what, listed, count in (
        ("notes", audited.notes, audited.noted),
        ("fresh commits", audited.fresh, audited.renewed),
    ):
        if count > len(listed):
            lines.append(f"  and {count - len(listed):,} {what} more")
    return lines


def papers(
    plan: ShiftPlan, shifts: Sequence[TableShift], form: Literal["text", "csv", "json"]
) -> None:
    """The day's papers."""
    rows = [_row(shift) for shift in shifts]
    if form == "json":
        told = {"hours": plan.hours, "start": plan.start}
        print_json({"shift": told, "definitions": dict(DEFINITIONS), "rows": rows})
    elif form == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {**row, **{key: harmless(str(row[key])) for key in _NAMED}} for row in rows
        )
        click.echo(_plain_lines(out.getvalue()), nl=False)
    else:
        _print(plan, rows)


def _row(shift: TableShift) -> dict[str, str | int]:
    minutes = shift.played.total_seconds() // 60
    return {
        "table": shift.table,
        "name": shift.name,
        "begins": shift.begins.isoformat(timespec="minutes"),
        "ends": shift.ends.isoformat(timespec="minutes"),
        **{key: dollars(getattr(shift, key)) for key in _MONEY},
        "hold": shift.hold,
        "fills": dollars(shift.fills),
        "tokes": dollars(shift.tokes),
        "throws": shift.throws,
        "hours": f"{int(minutes) // 60}:{int(minutes) % 60:02d}",
        "throws_an_hour": shift.pace,
    }


def _plain_lines(text: str) -> str:
    """Text that a terminal only prints, its lines kept."""
    return "".join(f"{plain(line)}\n" for line in text.splitlines())


def _print(plan: ShiftPlan, rows: Sequence[dict[str, str | int]]) -> None:
    heads = {**{key: key.replace("_", " ") for key in _COLUMNS}, "hold": "hold %"}
    shown = [heads, *({key: plain(str(row[key])) for key in _COLUMNS} for row in rows)]
    wide = {key: max(len(row[key]) for row in shown) for key in _COLUMNS}
    for row in shown:
        cells = [
            row[key].ljust(wide[key]) if key in _COLUMNS[:4] else row[key].rjust(wide[key])
            for key in _COLUMNS
        ]
        click.echo("  ".join(cells).rstrip())
    click.echo(f"\nShifts of {plan.hours} hours from {plan.start:02d}:00, by the table's own zone.")
    for key, words in DEFINITIONS.items():
        click.echo(f"{heads[key]}: {words}")
