"""``passline replay``: step through a game in the browser, served on this machine only."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from passline.cli.common import NumberRange, complete_file, fail
from passline.cli.files import locate_line

if TYPE_CHECKING:
    from passline.live.replay.timeline import ReplaySource

_HOST: Final = "127.0.0.1"

#: A game: its steps, its record, and its log if it has one.
_ReplayGame = tuple["ReplaySource", str, "str | None"]


@click.command(epilog="\b\nExample:\n  passline replay src/passline/samples/first-game.craps")
@click.argument("file", metavar="FILE|-", shell_complete=complete_file)
@click.option(
    "--port",
    type=NumberRange(0, 65535),
    default=0,
    help="The port on this machine (default: a free one).",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def command(file: str, port: int, no_browser: bool, as_json: bool) -> None:
    """Step through a game in the browser.

    FILE is a .craps record or the downloaded log of a live table (- for standard input). Go
    forward and back by line or by roll, and see the felt, the rails, the ledger, and the clause
    behind every payout. Only this machine can open the page; Ctrl-C ends it.
    """
    from passline.live.schema import ServiceError

    try:
        game = _read_game(file)
        asyncio.run(_serve(game, port, no_browser, as_json))
    except ServiceError as wrong:
        fail(wrong.message)


def _read_game(file: str) -> _ReplayGame:
    """Return (source of the replay, text of the record, text of the log) of the game in a file.

    The file is a record, and the log None; or it is a log, from which the record is exported. "-"
    is standard input. Exit if the file cannot be read or played.
    """
    from passline.files import UnreadableError, open_file

    try:
        if file == "-":
            return _deal_game(sys.stdin.buffer.read(), "standard input", Path())
        with open_file(file, ".craps record or log", plain=False) as opened:
            return _deal_game(opened.read(), file, Path(file).parent)
    except UnreadableError as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"{file[:200]!r} cannot be read: {wrong.strerror or wrong}")


def _deal_game(data: bytes, name: str, folder: Path) -> _ReplayGame:
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _read_log(data, name)
    from passline.live.replay.timeline import RecordSource
    from passline.record.deal import deal_record, load_record_house
    from passline.record.read import read_record
    from passline.talk.errors import RecordError

    try:
        text = data.decode("utf-8-sig")
        if not text.strip():
            fail(f"{name} is empty: expected a record that begins with 'rulebook: ...'")
        record = read_record(text)
        dealt = deal_record(record, load_record_house(record, folder))
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record or a log")
    except RecordError as wrong:
        fail(f"{locate_line(name, wrong.line)}: {wrong.message}")
    return RecordSource(dealt, Path(name).stem or "record"), text, None


def _read_log(data: bytes, name: str) -> _ReplayGame:
    """Return (steps, record, log) of the game in a log. Exit 2 if its hash chain is broken."""
    import io

    from passline.live.audit.audit import decode_line, iter_log_lines
    from passline.live.audit.findings import BadEntryError
    from passline.live.hash_chain import ChainError, iter_verified
    from passline.live.log_entries import Entry
    from passline.live.record_export import export_record
    from passline.live.replay.timeline import LogSource

    entries: list[Entry] = []
    try:
        lines = iter_log_lines(io.BytesIO(data))
        for entry in iter_verified(decode_line(line)[0] for line in lines):
            entries.append(entry)
        source = LogSource(entries)
        return source, export_record(entries), "".join(f"{e.text().decode()}\n" for e in entries)
    except BadEntryError as wrong:
        fail(f"{name}: entry {len(entries)} cannot be read: {wrong}")
    except ChainError as wrong:
        fail(f"{name}: {wrong} (for details: passline audit)")
    except (AssertionError, LookupError, TypeError, ValueError) as wrong:
        fail(f"{name}: the log does not open a table: {wrong}")


async def _serve(game: _ReplayGame, port: int, no_browser: bool, as_json: bool) -> None:
    from passline.live.replay.timeline import GameTimeline
    from passline.web.app import ReplayApp
    from passline.web.server import ListenError, find_allowed_hosts, format_address, listen, serve

    source, record, log = game
    try:
        await GameTimeline(source).last_number()  # Report an unplayable game before serving it.
    except (AssertionError, LookupError, TypeError, ValueError) as wrong:
        fail(f"the game cannot be dealt: {wrong}")
    app = ReplayApp(source, record, log, find_allowed_hosts(_HOST) or ())
    try:
        listener = listen(_HOST, port)
    except ListenError as wrong:
        fail(str(wrong))
    url = format_address(listener, _HOST) + app.path
    await serve(app, listener, lambda: announce_address(url, no_browser, as_json))


def announce_address(url: str, no_browser: bool, as_json: bool) -> None:
    """Print the address, and open it in a browser if there is a screen, unless ``no_browser``."""
    import json

    words = f"Open {url} to step through the game. Press Ctrl-C to stop."
    click.echo(json.dumps({"url": url}) if as_json else words)
    sys.stdout.flush()
    if not no_browser and _has_screen():
        import webbrowser

        webbrowser.open(url)


def _has_screen() -> bool:
    """Return whether a browser can open a window. A browser inside the terminal does not count."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
