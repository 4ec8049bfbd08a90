"""``passline serve``: serve live tables on the network."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import click

from passline.cli.common import fail

_HOUSE_KEY_VARIABLE = "PASSLINE_HOUSE_KEY"
_DICE_KEY_VARIABLE = "PASSLINE_DICE_KEY"
#: The largest number of tables that --hosting takes.
_MAX_HOSTING = 10_000
#: Seconds that the store may take to finish its writes.
_CLOSE_SECONDS = 2.0


@click.command(epilog="\b\nExample:\n  passline serve --port 7117")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=7117,
    show_default=True,
    help="The port to listen at; 0 takes a free one.",
)
@click.option(
    "--data",
    metavar="DIR",
    help="Store the logs in SQLite in DIR (default: where passline play saves games).",
)
@click.option(
    "--database", metavar="URL", help="Store the logs in PostgreSQL; several servers may share it."
)
@click.option(
    "--restored",
    is_flag=True,
    help="Start after restoring a backup: commit every table to new dice first.",
)
@click.option(
    "--streams",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Open streams allowed per client address; 0 for no limit.",
)
@click.option(
    "--hosting",
    metavar="off|PER_ADDRESS",
    help="How many tables one client address may host without the house key (default: 3 if --host "
    "is a loopback address, else off).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def command(
    host: str,
    port: int,
    data: str | None,
    database: str | None,
    restored: bool,
    streams: int,
    hosting: str | None,
    as_json: bool,
) -> None:
    """Serve live tables on the network, until Ctrl-C.

    If there is no table yet, the server opens Practice and deals it itself. The operator's
    key is PASSLINE_HOUSE_KEY; if that is not set, the first start creates a key and stores it in
    a file beside the logs.

    Limits, by client address or token: --streams open streams; 20 lines a second per token; without
    a token, 2,000 seats a minute and 200 new names an hour at one table; --hosting tables at a time
    and 30 an hour. A request may have 16 KB
    and take 10 seconds to arrive. A line may have 2,000 characters, an amount $10,000,000.
    """
    if data is not None and database is not None:
        fail("choose one of --data and --database")
    folder = Path(data) if data is not None else _data_folder()
    hosted = _parse_hosting(hosting, host)
    _run_event_loop(_serve(host, port, folder, database, restored, streams, hosted, as_json))


def _parse_hosting(hosting: str | None, host: str) -> int:
    """Return how many tables one client address may host, 0 for none; exit 2 if it is no number.

    Without the option it depends on whether ``host`` is a local address.
    """
    from passline.web.limits import LOCAL_HOSTING
    from passline.web.server import is_local

    if hosting is None:
        return LOCAL_HOSTING if is_local(host) else 0
    if hosting == "off":
        return 0
    if not (re.fullmatch("[0-9]{1,5}", hosting) and 0 < int(hosting) <= _MAX_HOSTING):
        fail(f"--hosting: use 'off' or a number of tables from 1 to {_MAX_HOSTING}")
    return int(hosting)


def _run_event_loop(serving: Coroutine[Any, Any, None]) -> None:
    """Run the server to its end, on uvloop if it is installed."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def _data_folder() -> Path:
    from passline.files import home_folder

    try:
        return home_folder()
    except RuntimeError as wrong:
        fail(f"there is no folder for the logs ({wrong}): add --data DIR")


async def _serve(
    host: str,
    port: int,
    folder: Path,
    database: str | None,
    restored: bool,
    streams: int,
    hosting: int,
    as_json: bool,
) -> None:
    from passline.live.dice_proofs import KeyFileError, Sealer
    from passline.live.requests import ServiceError
    from passline.live.service import TableService
    from passline.live.signing import load_signing_key
    from passline.live.store import StoreError
    from passline.live.stores.open_store import open_store
    from passline.school.learner_tokens import open_learner_stores
    from passline.web.app import App
    from passline.web.server import ListenError, find_allowed_hosts, format_address, listen, serve

    try:
        house_key, key_file = _read_house_key(folder)
        sealer, signing_key = Sealer(read_dice_key(folder)), load_signing_key(folder)
        store = await open_store(None if database else folder, database)
    except (KeyFileError, StoreError) as wrong:
        fail(str(wrong))
    try:
        listener = listen(host, port)
        service = TableService(store, sealer, restored=restored, signing_key=signing_key)
        await service.start()
        if not restored:
            await service.open_practice()
        url = format_address(listener, host)
        answers, tokens = open_learner_stores(database or folder)
        app = App(service, house_key, find_allowed_hosts(host), answers, tokens, streams, hosting)
        await serve(app, listener, lambda: _announce(url, key_file, as_json), app.streams)
        await service.stop()
    except (ListenError, ServiceError) as wrong:
        fail(str(wrong))
    finally:
        await store.close(_CLOSE_SECONDS)


def _read_house_key(folder: Path) -> tuple[str, Path | None]:
    """Return (the operator's key, its file); the file is None for a key from the environment."""
    from passline.live.dice_proofs import KeyFileError, load_or_create_key
    from passline.live.tokens import new_token

    given = os.environ.get(_HOUSE_KEY_VARIABLE)
    if not given:
        path = folder / "house.key"
        return load_or_create_key(path, new_token()), path.absolute()
    if not given.isascii() or not given.isprintable() or " " in given:
        raise KeyFileError(f"{_HOUSE_KEY_VARIABLE}: use printable ASCII characters without spaces")
    return given, None


def read_dice_key(folder: Path) -> bytes:
    """Return the key that encrypts the secrets of future rolls.

    It comes from the environment, or from ``dice.key`` in the folder, which is created if missing.
    """
    from secrets import token_hex

    from passline.live.dice_proofs import KEY_BYTES, KeyFileError, load_or_create_key, parse_hex_key

    given = os.environ.get(_DICE_KEY_VARIABLE)
    try:
        return parse_hex_key(given or load_or_create_key(folder / "dice.key", token_hex(KEY_BYTES)))
    except KeyFileError as wrong:
        source = _DICE_KEY_VARIABLE if given else folder / "dice.key"
        raise KeyFileError(f"{source}: {wrong}") from None


def _announce(url: str, key_file: Path | None, as_json: bool) -> None:
    """Print the server's address and where the operator's key is, as text or JSON."""
    if as_json:
        line = json.dumps({"url": url, "house_key_file": str(key_file) if key_file else None})
    else:
        line = f"tables at {url}, the house key in {key_file or f'${_HOUSE_KEY_VARIABLE}'}"
    click.echo(line)
