"""``passline backup``: write everything that a server keeps to one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail, print_json
from passline.cli.files import force_option

if TYPE_CHECKING:
    from passline.live.backup_rows import BackupRow

#: What each table of a backup holds, for people.
ROW_NAMES = {
    "tables": ("table", "tables"),
    "entries": ("log entry", "log entries"),
    "reviews": ("answer of learners", "answers of learners"),
    "auditions": ("part of auditions", "parts of auditions"),
}
KEYS_NOTE = (
    "Keys are not in it: keep house.key, dice.key and signing.key ({place}) apart, or what is in "
    "PASSLINE_HOUSE_KEY, PASSLINE_DICE_KEY and PASSLINE_SIGNING_KEY."
)


@click.command(epilog="\b\nExample:\n  passline backup --out tables.backup --data ~/passline")
@click.option("--out", metavar="FILE", required=True, help="The file to write, mode 0600.")
@click.option("--data", metavar="DIR", help="The server's folder (default: the usual place).")
@click.option("--database", metavar="URL", help="The server's PostgreSQL database.")
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(out: str, data: str | None, database: str | None, force: bool, as_json: bool) -> None:
    """Write everything that a server keeps to one file: tables with their logs, hashed tokens and
    sealed secrets, and the school. Servers may keep running: the file shows one moment.

    passline restore puts it into an empty folder or database, of the same kind or the other. Keys
    are not in it. Exits 2 if it cannot be written.
    """
    from passline.live.backup_file import write_backup
    from passline.live.store import StoreError
    from passline.school.question_types import SchoolError

    place = find_place(data, database)
    path = Path(out)
    if path.exists() and not force:
        fail(f"{out} exists: choose another file, or add --force")
    try:
        counts = write_backup(path, _read_rows(place), replace=force)
    except (StoreError, SchoolError) as wrong:
        fail(str(wrong))
    if as_json:
        print_json({"file": str(path), "rows": counts})
        return
    click.echo(f"{path}: {describe_counts(counts)}")
    click.echo(describe_keys(place))


def find_place(data: str | None, database: str | None) -> Path | str:
    """Return where a server keeps its data: a folder, or a database URL. Exit 2 for both."""
    from passline.files import home_folder

    if data is not None and database is not None:
        fail("choose one of --data and --database")
    if database is not None:
        return database
    try:
        return Path(data) if data is not None else home_folder()
    except RuntimeError as wrong:
        fail(f"there is no folder for the logs ({wrong}): add --data DIR")


def _read_rows(place: Path | str) -> Iterator[BackupRow]:
    from passline.live.backup_rows import read_database_rows, read_folder_rows
    from passline.school.school_rows import read_school_rows

    if isinstance(place, str):
        yield from read_database_rows(place)
    else:
        yield from read_folder_rows(place)
        yield from read_school_rows(place)


def describe_counts(counts: dict[str, int]) -> str:
    """Return how much a backup holds, in words."""
    return ", ".join(
        f"{counts.get(name, 0):,} {words[counts.get(name, 0) != 1]}"
        for name, words in ROW_NAMES.items()
    )


def describe_keys(place: Path | str) -> str:
    """Return in words where to find the keys, which a backup does not hold."""
    from passline.files import home_folder

    return KEYS_NOTE.format(place=f"in {home_folder() if isinstance(place, str) else place}")
