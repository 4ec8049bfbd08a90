"""``passline serve``: live tables on the network."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import click

from passline.cli.common import fail

_HOUSE_KEY_VARIABLE = "PASSLINE_HOUSE_KEY"
_DICE_KEY_VARIABLE = "PASSLINE_DICE_KEY"
#: Seconds that the store has to finish what it took.
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
@click.option("--data", metavar="DIR", help="Keep the logs in SQLite in DIR.")
@click.option("--database", metavar="URL", help="Keep them in PostgreSQL, shared by any servers.")
@click.option("--restored", is_flag=True, help="After a restore: commit to fresh dice first.")
@click.option(
    "--streams",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Streams that one address may hold open; 0 is any number.",
)
@click.option("--json", "as_json", is_flag=True, help="Tell the address as JSON.")
def command(
    host: str,
    port: int,
    data: str | None,
    database: str | None,
    restored: bool,
    streams: int,
    as_json: bool,
) -> None:
    """Open live tables on the network, until Ctrl-C.

    Logs are kept where games at the prompt are; where there is no table yet, a machine-dealt one
    is opened, Practice. The operator's key is PASSLINE_HOUSE_KEY, or one
    that is made at the first start and kept in a file beside the logs.
    """
    if data is not None and database is not None:
        fail("--data and --database: expected one of them")
    folder = Path(data) if data is not None else _data_folder()
    _run_event_loop(_serve(host, port, folder, database, restored, streams, as_json))


def _run_event_loop(serving: Coroutine[Any, Any, None]) -> None:
    """Run to the end, on the quicker loop where there is one for this system."""
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
        fail(f"there is no place for the logs ({wrong}): expected --data DIR")


async def _serve(
    host: str,
    port: int,
    folder: Path,
    database: str | None,
    restored: bool,
    streams: int,
    as_json: bool,
) -> None:
    from passline.live.dice_proofs import KeyFileError, Sealer
    from passline.live.requests import ServiceError
    from passline.live.service import TableService
    from passline.live.store import StoreError
    from passline.live.stores.open_store import open_store
    from passline.school.learner_stores import open_answer_store, open_learner_tokens
    from passline.web.app import App
    from passline.web.server import ListenError, find_allowed_hosts, format_address, listen, serve

    try:
        house_key, key_file = _read_house_key(folder)
        sealer = Sealer(read_dice_key(folder))
        store = await open_store(None if database else folder, database)
    except (KeyFileError, StoreError) as wrong:
        fail(str(wrong))
    try:
        ear = listen(host, port)
        service = TableService(store, sealer, restored=restored)
        await service.start()
        if not restored:
            await service.open_practice()
        url = format_address(ear, host)
        reviews, keys = open_answer_store(folder, database), open_learner_tokens(folder, database)
        app = App(service, house_key, find_allowed_hosts(host), reviews, keys, streams)
        await serve(app, ear, lambda: _announce(url, key_file, as_json), app.streams)
        await service.stop()
    except (ListenError, ServiceError) as wrong:
        fail(str(wrong))
    finally:
        await store.close(_CLOSE_SECONDS)


def _read_house_key(folder: Path) -> tuple[str, Path | None]:
    """The operator's key, and the file that it is kept in."""
    from passline.live.dice_proofs import KeyFileError, load_or_create_key
    from passline.live.tokens import new_token

    given = os.environ.get(_HOUSE_KEY_VARIABLE)
    if not given:
        path = folder / "house.key"
        return load_or_create_key(path, new_token()), path.absolute()
    if not given.isascii() or not given.isprintable() or " " in given:
        raise KeyFileError(f"{_HOUSE_KEY_VARIABLE}: expected printable ASCII without a space")
    return given, None


def read_dice_key(folder: Path) -> bytes:
    """The key under which the secrets of throws to come are sealed."""
    from secrets import token_hex

    from passline.live.dice_proofs import KEY_BYTES, KeyFileError, load_or_create_key, parse_hex_key

    given = os.environ.get(_DICE_KEY_VARIABLE)
    try:
        return parse_hex_key(given or load_or_create_key(folder / "dice.key", token_hex(KEY_BYTES)))
    except KeyFileError as wrong:
        raise KeyFileError(
            f"{_DICE_KEY_VARIABLE if given else folder / 'dice.key'}: {wrong}"
        ) from None


def _announce(url: str, key_file: Path | None, as_json: bool) -> None:
    """One line, once people can come."""
    if as_json:
        told = json.dumps({"url": url, "house_key_file": str(key_file) if key_file else None})
    else:
        told = f"tables at {url}, the house key in {key_file or f'${_HOUSE_KEY_VARIABLE}'}"
    click.echo(told)
