"""``passline move``: move live tables to another store."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec import Struct

from passline.cli.common import fail, print_error, print_json

if TYPE_CHECKING:
    from passline.live.store import Store

_STORE_METAVAR = "DIR|URL"


@click.command(
    epilog="\b\nExample:\n  passline move --from ~/passline --to postgresql:///passline --all"
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option(
    "--from", "source", metavar=_STORE_METAVAR, required=True, help="The store that has the tables."
)
@click.option(
    "--to", "target", metavar=_STORE_METAVAR, required=True, help="The store to move them to."
)
@click.option("--all", "every", is_flag=True, help="Move every table that has not moved yet.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(tables: tuple[str, ...], source: str, target: str, every: bool, as_json: bool) -> None:
    """Move tables to another store: a folder (SQLite) or a postgresql:// address.

    Each log is audited first. Its old copy ends with an entry that says it moved; the new copy is
    written in one transaction, with the hashed tokens and a new commitment to the dice. --all also
    copies the school's records. Players
    keep their seats. Stop the server of a folder first; servers of a database may keep running. A
    move that failed or was interrupted is finished by the same command. Exits 1 if a table could
    not be moved, and says why.
    """
    if bool(tables) == every:
        fail("name the tables to move, or use --all")
    if source.rstrip("/") == target.rstrip("/"):
        fail("--from and --to are the same store")
    report = asyncio.run(_move_tables(source, target, tables))
    if as_json:
        print_json(msgspec.to_builtins(report))
    else:
        for table, seq in report.moved.items():
            how = (
                "was moved half-way; the move is finished" if table in report.finished else "moved"
            )
            click.echo(f"{table} {how}; its log continues after entry {seq}")
        if not report.moved and not report.kept:
            click.echo("no table is left to move")
        if report.school:
            click.echo(f"the school's {report.school:,} records are there too")
    if report.elsewhere:
        which = ", ".join(report.elsewhere)
        print_error(
            f"passline move: moved to another store before: {which}. Name one to move it here."
        )
    for why in report.kept.values():
        print_error(f"passline move: {why}")
    if report.kept:
        raise SystemExit(1)


async def _open_store_at(place: str, to_be_read: bool) -> Store:
    from passline.live.stores.open_store import open_store

    if "://" in place:
        return await open_store(None, place)
    from passline.live.stores.sqlite import DATABASE_FILE

    if to_be_read and not (Path(place) / DATABASE_FILE).is_file():
        fail(f"{place[:200]!r} has no tables: name a server's folder or a postgresql:// address")
    return await open_store(Path(place))


class MoveReport(Struct):
    """What became of each table in a move to another store, by its id.

    ``moved`` has the number of the last entry, ``finished`` the moved tables whose move had been
    interrupted before, ``kept`` the reason why a table was not moved. ``elsewhere`` lists tables
    that were moved to another store earlier. ``school`` counts the school's records that were
    copied.
    """

    moved: dict[str, int] = {}
    finished: list[str] = []
    kept: dict[str, str] = {}
    elsewhere: list[str] = []
    school: int = 0


async def _move_tables(source: str, target: str, tables: tuple[str, ...]) -> MoveReport:
    """Move tables between stores and return what became of each.

    An empty tuple moves all that are still in the source, and copies the school's records too. Exit
    2 if a store, a key or the school can't be used.
    """
    from secrets import token_bytes

    from passline.cli.serve import read_dice_key
    from passline.files import home_folder
    from passline.live.dice_proofs import KeyFileError, Sealer
    from passline.live.move_table import MoveError, find_move_status, move_table
    from passline.live.store import StoreError
    from passline.live.stores.open_store import hash_place
    from passline.live.throw_with_proof import HouseDice
    from passline.school.question_types import SchoolError
    from passline.school.throw_work import register_audit_check

    register_audit_check()
    report, target_id = MoveReport(), hash_place(target)
    try:
        async with AsyncExitStack() as stack:
            left = await _open_store_at(source, to_be_read=True)
            stack.push_async_callback(left.close)
            reached = await _open_store_at(target, to_be_read=False)
            stack.push_async_callback(reached.close)
            key = read_dice_key(home_folder() if "://" in target else Path(target))
            dice = HouseDice(Sealer(key), token_bytes)
            for table in tables or await left.ids():
                status = await find_move_status(left, reached, table, target_id)
                if not tables and status == "elsewhere":
                    report.elsewhere.append(table)
                if not tables and status in ("done", "elsewhere"):
                    continue
                try:
                    head = await move_table(left, reached, table, dice, target_id)
                except MoveError as wrong:
                    report.kept[table] = str(wrong)
                    continue
                report.moved[table] = head.seq
                if status != "here":
                    report.finished.append(table)
            if not tables:
                report.school = _copy_school(source, target)
    except (StoreError, KeyFileError, SchoolError, RuntimeError) as wrong:
        fail(str(wrong))
    return report


def _copy_school(source: str, target: str) -> int:
    """Copy the school's records to another store and return how many there are.

    Records that the target has already stay as they are.
    """
    from passline.school.school_rows import read_school_rows, write_school_rows

    rows = list(read_school_rows(source if "://" in source else Path(source)))
    write_school_rows(target if "://" in target else Path(target), rows)
    return len(rows)
