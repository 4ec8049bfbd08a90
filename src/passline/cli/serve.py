"""``passline serve``: serve live tables on the network."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from passline.cli.common import NumberRange, fail
from passline.cli.serve_config import ENVIRONMENT_PREFIX, check_environment, config_option

if TYPE_CHECKING:
    from passline.web.connection_limits import ConnectionLimits
    from passline.web.request_limits import ServerLimits

_HOUSE_KEY_VARIABLE = "PASSLINE_HOUSE_KEY"
_METRICS_KEY_VARIABLE = "PASSLINE_METRICS_KEY"
#: The least length of a house key or metrics key, in characters.
MIN_KEY_LENGTH = 16
#: A name of --hosts: a host name, or an address of IPv4 or (in brackets) IPv6. A scheme, path or
#: port would match no request.
_HOST_NAME = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
#: The largest number of tables that --hosting takes.
_MAX_HOSTING = 10_000
#: Seconds that the store may take to finish its writes.
_CLOSE_SECONDS = 2.0


class ServeOptions(Struct, frozen=True, kw_only=True):
    """The options of ``passline serve`` after parsing, by their names on the command line."""

    host: str
    port: int
    data: str | None
    database: str | None
    restored: bool
    hosts: str
    proxies: str
    connections: int | None
    connections_per_address: int | None
    streams: int
    streams_total: int | None
    downloads: int
    downloads_total: int
    seats: int | None
    log_mb: int
    log_mb_total: int
    hosting: str | None
    hosted_tables: int
    shifts: str
    shifts_total: int
    disk_reserve_mb: int
    house_key_file: str | None
    dice_key_file: str | None
    metrics_key_file: str | None
    log_format: str
    access_log: bool
    as_json: bool

    @property
    def folder(self) -> Path:
        """The folder of the logs and keys. Exit 2 if there is none."""
        return Path(self.data) if self.data is not None else _data_folder()


def _count_option(
    name: str, default: int | None, help_text: str
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the decorator of an option that takes a count; 0 means no limit."""
    return click.option(
        name,
        type=NumberRange(0),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=help_text,
    )


@click.command(
    context_settings={"auto_envvar_prefix": ENVIRONMENT_PREFIX},
    epilog="\b\nExamples:\n  passline serve --port 7117\n"
    "  passline serve --config /etc/passline/serve.toml\n"
    "  PASSLINE_SERVE_PORT=8000 passline serve --log-format json --access-log",
)
@config_option
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at.",
)
@click.option(
    "--port",
    type=NumberRange(0, 65535),
    metavar="N",
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
    "--hosts",
    metavar="NAMES",
    envvar=["PASSLINE_SERVE_HOSTS", "PASSLINE_HOSTS"],
    default="",
    help="Host names that the server answers to besides this machine's, separated by commas.",
)
@click.option(
    "--proxies",
    metavar="ADDRESSES",
    default="",
    help="Addresses or networks of trusted proxies, separated by commas. Only their "
    "X-Forwarded-For and X-Forwarded-Proto are believed.",
)
@_count_option(
    "--connections",
    None,
    "Connections in all (default: as many as the process may open, at most 20000).",
)
@_count_option(
    "--connections-per-address",
    None,
    "Connections, or requests in progress, of one address (default: half of them, at most 2500).",
)
@_count_option("--streams", 2000, "Open streams of one address.")
@_count_option(
    "--streams-total", None, "Open streams in all (default: nine tenths of --connections)."
)
@_count_option("--downloads", 20, "Long downloads (logs, records) of one address at a time.")
@_count_option("--downloads-total", 200, "Long downloads in all at a time.")
@_count_option(
    "--seats",
    None,
    "Seats that one address holds without a token (default: 1000 if only this machine can "
    "connect, else 32).",
)
@_count_option("--log-mb", 64, "Megabytes of log that one address writes in an hour.")
@_count_option("--log-mb-total", 1024, "Megabytes of log that all clients write in an hour.")
@click.option(
    "--hosting",
    metavar="off|PER_ADDRESS",
    help="How many tables one client address may host without the house key (default: 3 if --host "
    "is a loopback address, else off).",
)
@_count_option(
    "--hosted-tables", 1000, "Hosted tables, and those of shifts, in all that are open at a time."
)
@click.option(
    "--shifts",
    metavar="off|PER_ADDRESS",
    default="3",
    show_default=True,
    help="How many shifts of the school one client address may deal at a time; 0: any number. A "
    "shift opens a table, also where hosting is off. Without shifts there are no auditions.",
)
@_count_option("--shifts-total", 300, "Shifts of the school in all at a time.")
@_count_option(
    "--disk-reserve-mb", 256, "Megabytes of disk below which only the operator may write."
)
@click.option(
    "--house-key-file",
    metavar="FILE",
    help="The file of the operator's key (default: house.key beside the logs).",
)
@click.option(
    "--dice-key-file",
    metavar="FILE",
    help="The file of the key that seals dice secrets (default: dice.key beside the logs).",
)
@click.option(
    "--metrics-key-file",
    metavar="FILE",
    help="The file of the key for /metrics (default: metrics.key beside the logs).",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the server writes its own log to standard error.",
)
@click.option("--access-log", is_flag=True, help="Log every request.")
@click.option(
    "--json",
    "as_json",
    envvar="PASSLINE_SERVE_JSON",
    is_flag=True,
    help="Print the address as JSON.",
)
def command(**values: Any) -> None:
    """Serve live tables on the network, until Ctrl-C.

    If there is no table yet, the server opens Practice and deals it itself. The operator's
    key is PASSLINE_HOUSE_KEY; if that is not set, the first start creates a key and stores it in
    a file beside the logs. PASSLINE_METRICS_KEY, or a file, is a key that reads /metrics only.

    Every option may also be in the file of --config (such as streams-total = 500) and in the
    environment (PASSLINE_SERVE_STREAMS_TOTAL=500). The command line goes before the environment,
    the environment before the file.

    Limits are for one client address or in all; 0 means no limit. Over a limit the answer is 429 or
    503 with Retry-After. /healthz, /readyz and the operator have connections in reserve. Fixed
    limits: 20 lines a second per token; without a token, 2,000 requests for a seat a minute and 200
    new names an hour at one table; 30 hosted tables, 60 shifts and 60 tables of the Daily an hour;
    10 wrong keys or tokens a minute. A request may have 16 KB and take 10 seconds to arrive. A line
    may have 2,000 characters, an amount $10,000,000.
    """
    check_environment(click.get_current_context().command)
    options = ServeOptions(**values)
    if options.data is not None and options.database is not None:
        fail("choose one of --data and --database")
    _run_event_loop(_serve(options))


def _parse_hosting(hosting: str | None, host: str) -> int:
    """Return how many tables one client address may host, 0 for none; exit 2 if it is no number.

    Without the option it depends on whether ``host`` is a local address.
    """
    from passline.web.request_limits import LOCAL_HOSTING
    from passline.web.server import is_local

    if hosting is None:
        return LOCAL_HOSTING if is_local(host) else 0
    if hosting == "off":
        return 0
    if not (re.fullmatch("[0-9]{1,5}", hosting) and 0 < int(hosting) <= _MAX_HOSTING):
        fail(f"--hosting: use 'off' or a number of tables from 1 to {_MAX_HOSTING}")
    return int(hosting)


def _parse_shifts(shifts: str) -> int | None:
    """Return the value of --shifts: how many shifts one client address may have open at a time.

    0 means any number, and None that shifts are off ("off"). Exit 2 for any other text.
    """
    if shifts == "off":
        return None
    if not re.fullmatch("[0-9]{1,5}", shifts):
        fail("--shifts: use 'off' or a number of shifts, 0 for any number")
    return int(shifts)


def _parse_hosts(hosts: str) -> list[str]:
    """Return the names of --hosts. Exit 2 if one is no host name."""
    names = _split(hosts)
    for name in names:
        if not _HOST_NAME.fullmatch(name):
            fail(f"--hosts: {name!r} is not a host name, such as tables.example.com")
    return names


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


def _fit_limits(options: ServeOptions) -> tuple[ConnectionLimits, ServerLimits]:
    """Return the limits of the options, reduced to what the process allows. Raise LimitError."""
    from passline.web.connection_limits import fit_connections
    from passline.web.health import count_open_files, file_limit
    from passline.web.request_limits import ServerLimits
    from passline.web.server import raise_file_limit

    raise_file_limit()
    connections = fit_connections(
        file_limit(),
        count_open_files(),
        options.connections or None,
        options.connections_per_address,
    )
    streams_total = options.streams_total
    if streams_total is None:
        streams_total = max(1, connections.total * 9 // 10)
    of_address = connections.per_address * 9 // 10  # The rest is for requests beside the streams.
    streams = min(options.streams, max(1, of_address)) if of_address else options.streams
    return connections, ServerLimits(
        streams=streams,
        streams_total=streams_total,
        downloads=options.downloads,
        downloads_total=options.downloads_total,
        seats=_default_seats(options) if options.seats is None else options.seats,
        log_mb=options.log_mb,
        log_mb_total=options.log_mb_total,
        hosting=_parse_hosting(options.hosting, options.host),
        hosted_tables=options.hosted_tables,
        shifts=_parse_shifts(options.shifts),
        shifts_total=options.shifts_total,
        disk_reserve_mb=0 if options.database else options.disk_reserve_mb,
    )


def _default_seats(options: ServeOptions) -> int:
    """Return how many seats one client address may take if no option says how many.

    If only this machine can connect, one address may be many programs of one person.
    """
    from passline.web.request_limits import LOCAL_SEATS, ServerLimits
    from passline.web.server import is_local

    is_private = is_local(options.host) and not options.proxies
    return LOCAL_SEATS if is_private else ServerLimits().seats


async def _serve(options: ServeOptions) -> None:
    from passline.live.dice_proofs import KeyFileError, Sealer
    from passline.live.schema import ServiceError
    from passline.live.service import TableService
    from passline.live.signing_key import load_signing_key
    from passline.live.store import StoreError
    from passline.live.stores.open_store import check_tables_known, open_store
    from passline.school.learner_tokens import open_learner_stores
    from passline.web.app import App
    from passline.web.connection_limits import LimitError
    from passline.web.operator_log import set_up_logging
    from passline.web.proxies import Proxies, ProxyError
    from passline.web.server import ListenError, find_allowed_hosts, format_address, listen, serve

    folder, database = options.folder, options.database
    host_names = _parse_hosts(options.hosts)
    try:
        connection_limits, limits = _fit_limits(options)
        proxies = Proxies(_split(options.proxies))
        house_key, key_file = _read_key(
            _HOUSE_KEY_VARIABLE, Path(options.house_key_file or folder / "house.key")
        )
        metrics_key, _ = _read_key(
            _METRICS_KEY_VARIABLE, Path(options.metrics_key_file or folder / "metrics.key")
        )
        if metrics_key == house_key:
            fail("the metrics key is the house key: use another, which only reads /metrics")
        dice_file = Path(options.dice_key_file) if options.dice_key_file else None
        sealer, signing_key = Sealer(read_dice_key(folder, dice_file)), load_signing_key(folder)
        store = await open_store(None if database else folder, database)
    except (KeyFileError, StoreError, LimitError) as wrong:
        fail(str(wrong))
    except ProxyError as wrong:
        fail(f"--proxies: {wrong}")
    try:
        listener = listen(options.host, options.port)
        await check_tables_known(store, folder, database or str(folder))
        service = TableService(store, sealer, restored=options.restored, signing_key=signing_key)
        await service.start()
        if not options.restored:
            await service.open_practice()
            await check_tables_known(store, folder, database or str(folder))
        await store.check_not_emptied()  # From now on /readyz fails if its tables go.
        url = format_address(listener, options.host)
        school = open_learner_stores(database or folder)
        set_up_logging(options.log_format, options.access_log)
        app = App(
            service,
            house_key,
            find_allowed_hosts(options.host, host_names),
            *school,
            limits,
            folder,
            metrics_key,
            connection_limits,
            proxies,
        )
        app.start()
        await serve(
            app,
            listener,
            lambda: _announce(url, key_file, options.as_json),
            app.streams,
            app.connections,
        )
        app.close()
        await service.stop()
    except (ListenError, ServiceError, StoreError) as wrong:
        fail(str(wrong))
    finally:
        await store.close(_CLOSE_SECONDS)


def _split(names: str) -> list[str]:
    """Return the parts of a text between its commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def _read_key(variable: str, path: Path) -> tuple[str, Path | None]:
    """Return (key, its file); the file is None for a key from the environment variable.

    A key file that is missing is created. Raise KeyFileError if the key is too short or has
    characters that no header can hold.
    """
    from passline.live.dice_proofs import KeyFileError, load_or_create_key
    from passline.live.tokens import new_token

    given = os.environ.get(variable)
    key = given or load_or_create_key(path, new_token())
    source = variable if given else str(path)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise KeyFileError(f"{source}: use printable ASCII characters without spaces")
    if len(key) < MIN_KEY_LENGTH:
        raise KeyFileError(f"{source}: use at least {MIN_KEY_LENGTH} characters")
    return key, None if given else path.absolute()


def read_dice_key(folder: Path, file: Path | None = None) -> bytes:
    """Return the key that encrypts the secrets of future rolls.

    The key is in the environment, or in ``file`` (default: ``dice.key`` in the folder), which is
    created if missing. Raise KeyFileError if it is not a key or can't be read.
    """
    from secrets import token_hex

    from passline.live.dice_proofs import (
        DICE_KEY_FILE,
        DICE_KEY_VARIABLE,
        KEY_BYTES,
        KeyFileError,
        load_or_create_key,
        parse_hex_key,
    )

    given, file = os.environ.get(DICE_KEY_VARIABLE), file or folder / DICE_KEY_FILE
    try:
        return parse_hex_key(given or load_or_create_key(file, token_hex(KEY_BYTES)))
    except KeyFileError as wrong:
        raise KeyFileError(f"{DICE_KEY_VARIABLE if given else file}: {wrong}") from None


def _announce(url: str, key_file: Path | None, as_json: bool) -> None:
    """Print the server's address and the file of the operator's key, as text or JSON."""
    if as_json:
        line = json.dumps({"url": url, "house_key_file": str(key_file) if key_file else None})
    else:
        line = f"tables at {url}, the house key in {key_file or f'${_HOUSE_KEY_VARIABLE}'}"
    click.echo(line)
