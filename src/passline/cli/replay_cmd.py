"""``passline replay``: a game in the browser, walked through, without a server of live tables."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.replay import ReplaySource

_HOST: Final = "127.0.0.1"

#: A game: its steps, the record, and the log where it has one.
_Game = tuple["ReplaySource", str, "str | None"]


@click.command(epilog="\b\nExample:\n  passline replay src/passline/samples/first-game.craps")
@click.argument("file", metavar="FILE|-")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen at on this machine; a free one unless it is given.",
)
@click.option("--no-browser", is_flag=True, help="Only tell the address.")
@click.option("--json", "as_json", is_flag=True, help="Tell the address as JSON.")
def command(file: str, port: int, no_browser: bool, as_json: bool) -> None:
    """Walk through a game in the browser: FILE is a .craps record, or the log of a live table as
    GET /api/tables/T/log writes it ("-" is standard input).

    By line and by throw, forward and back: the felt, the rails, the ledger, and the clause of every
    settlement. Only this machine can ask, until Ctrl-C.
    """
    from passline.live.asks import HallError

    try:
        game = _game(file)
        asyncio.run(_serve(game, port, no_browser, as_json))
    except HallError as wrong:
        fail(wrong.message)


def _game(file: str) -> _Game:
    """The game in a file, read and dealt."""
    from passline.files import UnreadableError, open_file

    try:
        if file == "-":
            return _dealt(sys.stdin.buffer.read(), "standard input", Path())
        with open_file(file, ".craps record or log", plain=False) as opened:
            return _dealt(opened.read(), file, Path(file).parent)
    except UnreadableError as wrong:
        fail(str(wrong))
    except OSError as wrong:
        fail(f"{file[:200]!r} cannot be read: {wrong.strerror or wrong}")


def _dealt(data: bytes, name: str, folder: Path) -> _Game:
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _log(data, name)
    from passline.record.deal import deal_record
    from passline.record.houses import house_of
    from passline.record.read import read_record
    from passline.replay import RecordSource
    from passline.talk.errors import RecordError

    try:
        text = data.decode("utf-8-sig")
        if not text.strip():
            fail(f"{name} is empty: expected a record that begins with 'rulebook: ...'")
        record = read_record(text)
        dealt = deal_record(record, house_of(record, folder))
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record or a log")
    except RecordError as wrong:
        fail(f"{name}:{wrong.line}: {wrong.message}" if wrong.line else f"{name}: {wrong.message}")
    return RecordSource(dealt, Path(name).stem or "record"), text, None


def _log(data: bytes, name: str) -> _Game:
    """A log, held to its chain: what it tells otherwise is not shown."""
    import io

    from passline.live.auditing.findings import WrongError
    from passline.live.auditing.reading import entry_in, lines_in
    from passline.live.entries import ChainError, Entry, chained
    from passline.live.records import record_text
    from passline.replay import LogSource

    entries: list[Entry] = []

    def read() -> Iterator[Entry]:
        for line in lines_in(io.BytesIO(data)):
            yield entry_in(line)[0]

    try:
        for entry in chained(read()):
            entries.append(entry)
        source = LogSource(entries)
        return source, record_text(entries), "".join(f"{e.text().decode()}\n" for e in entries)
    except WrongError as wrong:
        fail(f"{name}: entry {len(entries)} cannot be read: {wrong}")
    except ChainError as wrong:
        fail(f"{name}: {wrong} (passline audit says more)")
    except (AssertionError, LookupError, TypeError, ValueError) as wrong:
        fail(f"{name}: the log opens no table: {wrong}")


async def _serve(game: _Game, port: int, no_browser: bool, as_json: bool) -> None:
    from passline.replay import GameWalk
    from passline.web import BusyError, ReplayApp, address_of, listen, own_names, serve

    source, record, log = game
    try:
        await GameWalk(source).upto()  # what cannot be folded is told before it is shown
    except (AssertionError, LookupError, TypeError, ValueError) as wrong:
        fail(f"the game cannot be dealt: {wrong}")
    app = ReplayApp(source, record, log, own_names(_HOST) or ())
    try:
        ear = listen(_HOST, port)
    except BusyError as wrong:
        fail(str(wrong))
    url = address_of(ear, _HOST) + app.path
    await serve(app, ear, lambda: tell_address(url, no_browser, as_json))


def tell_address(url: str, no_browser: bool, as_json: bool) -> None:
    """One line, once it can be asked; and a browser, where there is one."""
    import json

    click.echo(json.dumps({"url": url}) if as_json else f"the game is at {url} until Ctrl-C")
    sys.stdout.flush()
    if not no_browser and _has_screen():
        import webbrowser

        webbrowser.open(url)


def _has_screen() -> bool:
    """Whether a browser would have a window: one in this terminal would take it over."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
