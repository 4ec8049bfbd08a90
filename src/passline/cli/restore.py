"""``passline restore``: put a backup into an empty folder or database."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.backup import describe_counts, describe_keys, find_place
from passline.cli.common import complete_file, fail, print_json

if TYPE_CHECKING:
    from passline.live.backup_rows import BackupRow


@click.command(epilog="\b\nExample:\n  passline restore tables.backup --data ~/passline-new")
@click.argument("file", shell_complete=complete_file)
@click.option("--data", metavar="DIR", help="An empty folder (default: the usual place).")
@click.option("--database", metavar="URL", help="An empty PostgreSQL database.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, data: str | None, database: str | None, as_json: bool) -> None:
    """Put a backup into an empty place: a folder (SQLite) or a PostgreSQL database.

    The file is checked first, and everything is written in one transaction or not at all. Put the
    keys in place, then start with passline serve --restored: every table commits to new dice first.
    Exits 2 if the file is damaged or the place is not empty.
    """
    from passline.live.backup_file import read_backup
    from passline.live.store import StoreError
    from passline.school.question_types import SchoolError

    place, counts = find_place(data, database), dict[str, int]()
    if not isinstance(place, str):
        _check_empty(place)
    try:
        for row in read_backup(Path(file)):  # Nothing is written if the file is damaged.
            counts[row[0]] = counts.get(row[0], 0) + 1
        rows = read_backup(Path(file))
        if isinstance(place, str):
            _restore_database(place, rows)
        else:
            _restore_folder(place, rows)
    except (StoreError, SchoolError) as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"{place}: {wrong.strerror or wrong}")
    if as_json:
        print_json({"place": str(place), "rows": counts})
        return
    click.echo(f"{place}: {describe_counts(counts)}")
    click.echo(describe_keys(place))
    click.echo("Start the server with --restored the first time.")


def _check_empty(folder: Path) -> None:
    """Exit 2 if a folder has the file of a store or the school's data."""
    from passline.live.stores.sqlite import DATABASE_FILE
    from passline.school.school_rows import SCHOOL_FOLDER

    for name in (DATABASE_FILE, SCHOOL_FOLDER):
        if (folder / name).exists():
            fail(f"{folder / name} exists: restore to a new folder")


def _restore_database(url: str, rows: Iterable[BackupRow]) -> None:
    from passline.live.backup_rows import write_database_rows
    from passline.live.stores.open_store import open_store

    async def make_schema() -> None:
        await (await open_store(None, url)).close()

    asyncio.run(make_schema())
    write_database_rows(url, rows)


def _restore_folder(folder: Path, rows: Iterable[BackupRow]) -> None:
    """Write the live tables and the school to a folder.

    First write the school to a place beside its own. Move it there before the tables are committed,
    so that an interrupted restore leaves no tables without their school.
    """
    from passline.live.backup_rows import LIVE_COLUMNS, open_empty_folder, write_folder_rows
    from passline.school.school_rows import SCHOOL_FOLDER, write_school_rows

    school, half = folder / SCHOOL_FOLDER, folder / "restoring"
    with open_empty_folder(folder) as db:
        shutil.rmtree(half, ignore_errors=True)  # An earlier restore was interrupted.
        for row in rows:
            if row[0] in LIVE_COLUMNS:
                write_folder_rows(db, [row])
            else:
                write_school_rows(half, [row])
        if (half / SCHOOL_FOLDER).exists():
            (half / SCHOOL_FOLDER).rename(school)
            half.rmdir()
