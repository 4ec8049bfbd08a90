"""``passline tables``: delete and prune the tables of a stopped server or of a database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.backup import find_place
from passline.cli.common import NumberRange, fail, print_error, print_json

if TYPE_CHECKING:
    from passline.live.store import Store

_data_option = click.option("--data", metavar="DIR", help="The server's folder; stop it first.")
_database_option = click.option("--database", metavar="URL", help="The PostgreSQL database.")
_yes_option = click.option("--yes", is_flag=True, help="Delete; without it, only show what would.")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(epilog="\b\nExample:\n  passline tables prune --days 90 --data ~/passline")
def command() -> None:
    """Delete tables for good: their logs, tokens and secrets. Make a backup first.

    Nothing is deleted without --yes. Stop the server of a folder first; servers of a database may
    keep running.
    """


@click.command("delete", epilog="\b\nExample:\n  passline tables delete t1 --data ~/passline")
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@_data_option
@_database_option
@_yes_option
@_json_option
def delete(
    tables: tuple[str, ...], data: str | None, database: str | None, yes: bool, as_json: bool
) -> None:
    """Delete tables by their ids, open or closed. Exits 2 if there is no such table."""
    place = find_place(data, database)
    _finish(asyncio.run(_delete_tables(place, tables, None, yes)), yes, as_json)


@click.command(
    "prune",
    short_help="Delete tables that are over, and whose last entry is older than some days.",
    epilog="\b\nExample:\n  passline tables prune --days 90 --yes",
)
@click.option(
    "--days",
    type=NumberRange(1),
    required=True,
    help="The least age of the last entry.",
)
@_data_option
@_database_option
@_yes_option
@_json_option
def prune(days: int, data: str | None, database: str | None, yes: bool, as_json: bool) -> None:
    """Delete tables whose last entry is older than some days: those that are closed, have moved
    away, or were of a Daily. Open tables stay.
    """
    place, before = find_place(data, database), datetime.now(UTC) - timedelta(days=days)
    _finish(asyncio.run(_delete_tables(place, (), before, yes)), yes, as_json)


def _finish(found: list[str], yes: bool, as_json: bool) -> None:
    if as_json:
        print_json({"deleted" if yes else "would_delete": found})
        return
    for table in found:
        click.echo(f"{table} {'is deleted' if yes else 'would be deleted'}")
    if not found:
        click.echo("no table is that old")
    elif not yes:
        print_error("passline tables: nothing was deleted: add --yes")


async def _delete_tables(
    place: Path | str, tables: tuple[str, ...], before: datetime | None, yes: bool
) -> list[str]:
    """Delete tables by id, or without ids those that are over since ``before``. Return the ids.

    Without ``yes``, only find them. Exit 2 if a table does not exist or the store can't be used.
    """
    from passline.live.log_entries import format_time
    from passline.live.store import StoreError
    from passline.live.stores.open_store import open_store
    from passline.live.stores.sqlite import DATABASE_FILE

    folder = place if isinstance(place, Path) else None
    if folder is not None and not (folder / DATABASE_FILE).is_file():
        fail(f"{str(place)[:200]!r} has no tables: name a server's folder")
    try:
        store = await open_store(folder, None if folder else str(place))
        try:
            known = await store.ids()
            for table in tables:
                if table not in known:
                    fail(f"there is no table {table[:80]!r}")
            found = list(dict.fromkeys(tables))
            if before is not None:
                limit = format_time(before)
                found = [table for table in known if await _is_over(store, table, limit)]
            for table in found if yes else ():
                await store.delete_table(table)
            return found
        finally:
            await store.close()
    except (StoreError, OSError) as wrong:
        fail(str(wrong))


async def _is_over(store: Store, table: str, limit: str) -> bool:
    """Return whether a table is over and its last entry is before ``limit``.

    A table is over if it is closed, was moved, or was a Daily's (a game with one day's dice). A
    damaged table is not over.
    """
    from passline.live.schema import ServiceError
    from passline.live.store import CorruptStoreError
    from passline.live.table_cache import load_table

    try:
        live = (await load_table(store, table)).live
    except (ServiceError, CorruptStoreError):
        return False
    return live.head.at < limit and (live.is_closed or bool(live.settings.daily))


command.add_command(delete)
command.add_command(prune)
