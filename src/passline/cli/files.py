"""Check the output files of commands before they run, write them, and read records."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from passline.cli.common import fail, print_error
from passline.files import UnreadableError, open_bytes
from passline.talk.errors import RecordError

if TYPE_CHECKING:
    from passline.record.deal import Dealt

#: The suffixes of each output option: an existing file with one of them is an earlier output.
_OUTPUT_SUFFIXES = {
    "html": (".html", ".htm"),
    "md": (".md",),
    "csv": (".csv",),
    "plot": (".png", ".svg"),
    "save": (".npz",),
    "out": (".svg",),
    "export": (".json",),
    "policy": (".json",),
}
#: Parameters that name outputs. Every other parameter that names a file is an input.
_OUTPUT_PARAMETERS = ("out", *_OUTPUT_SUFFIXES)


#: ``check_outputs`` reads this option.
force_option = click.option(
    "--force", is_flag=True, help="Replace an existing file, whatever it is."
)


def check_outputs(outs: Mapping[str, str | None]) -> None:
    """Exit with status 2 if an output can't be written or would replace a file by mistake.

    Call this before the work, so that no long run is lost. ``outs`` maps options (``html``,
    ``csv-layout``) to paths; ``-`` is standard output, and None is ignored. An output may replace
    an earlier output, known by its suffix. Only with ``--force`` may it replace an input, a record
    or another file, or two outputs be the same file.
    """
    ctx = click.get_current_context()
    force, inputs = ctx.params.get("force"), list(_find_inputs(ctx))
    written: dict[Path, str] = {}
    for name, out in outs.items():
        if out is None or out == "-":
            continue
        option, path = name.partition("-")[0], Path(out)
        shown = f"--{option} {out}"
        if error := _find_write_error(path):
            fail(f"{shown} cannot be written: {os.strerror(error)}")
        if force:
            continue
        for taken, other in written.items():
            if _is_same_file(path, taken):
                fail(f"{shown} is also written by --{other} (--force allows it)")
        if any(_is_same_file(path, given) for given in inputs):
            fail(f"{shown} is an input of this command (--force replaces it)")
        if _is_file(path) and path.suffix.lower() not in _OUTPUT_SUFFIXES[option]:
            fail(f"{shown} is an existing file, not an earlier output (--force replaces it)")
        written[path] = option


def _find_write_error(path: Path) -> int:
    """Return the errno if a file can't be written to this path, else 0.

    Also return 0 for a name that the system does not accept: writing the file reports that.
    """
    try:
        if path.is_dir():
            return errno.EISDIR
        if not path.parent.is_dir():
            return errno.ENOTDIR if path.parent.exists() else errno.ENOENT
        return 0 if os.access(path if path.exists() else path.parent, os.W_OK) else errno.EACCES
    except (OSError, ValueError):  # Writing the file reports what is wrong with such a name.
        return 0


def _find_inputs(ctx: click.Context) -> Iterator[Path]:
    """Yield every existing file that a parameter names, except outputs.

    For ``file.py:function``, that is ``file.py``.
    """
    for name, value in ctx.params.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str) and name not in _OUTPUT_PARAMETERS:
                yield from filter(_is_file, map(Path, (text, text.rpartition(":")[0])))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # The name is too long or contains a zero byte.
        return False


def _is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths are the same file. Follow links; the files need not exist."""
    try:
        if one.exists() and other.exists():
            return one.samefile(other)
        return one.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def write_output(text: str, out: str) -> None:
    """Write text to a file and print its name; ``-`` is standard output. Exit 2 if that fails."""
    if out == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(out).write_text(text, "utf-8")
    except (OSError, ValueError) as error:  # ValueError: the path contains a zero byte.
        fail(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}")
    print_error(f"wrote {out}")


_MAX_LINE_LENGTH = 1_000_000  # characters, including the comment
_STANDARD_INPUT = "standard input"


def locate_line(name: str, line: int) -> str:
    """Return a file's name and line for a message; line 0 means no line.

    >>> locate_line("game.craps", 3), locate_line("standard input", 3), locate_line("game.craps", 0)
    ('game.craps:3', 'standard input, line 3', 'game.craps')
    """
    if not line:
        return name
    return f"{name}, line {line}" if name == _STANDARD_INPUT else f"{name}:{line}"


@contextmanager
def open_record_file(
    source: str, expected: str = "expected a record that begins with 'rulebook: ...'"
) -> Iterator[tuple[Iterator[str], str, Path]]:
    """Open a record and yield (its lines, a name for messages, its folder).

    ``source`` is a path, or "-" for standard input. ``expected`` is said of an empty file. Exit 2
    if it can't be read. A RecordError in the body also ends the command, with its message and the
    place in the file.
    """
    name = _STANDARD_INPUT if source == "-" else source
    try:
        if source == "-":
            yield _decode_lines(sys.stdin.buffer, name, expected), name, Path()
            return
        with open_bytes(source, ".craps record", plain=False) as file:
            yield _decode_lines(file, name, expected), name, Path(source).parent
    except UnreadableError as error:
        fail(str(error))
    except RecordError as error:
        sys.stdout.flush()
        fail(f"{locate_line(name, error.line)}: {error.message}")


def _decode_lines(file: IO[bytes], name: str, expected: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 file one at a time. Exit 2 if it is empty or not UTF-8."""
    text = io.TextIOWrapper(file, "utf-8-sig")  # Universal newlines.
    empty = True
    try:
        while line := text.readline(_MAX_LINE_LENGTH):
            empty = empty and not line.strip()
            yield line.rstrip("\n")
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record")
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror}")
    finally:
        if not file.closed:
            text.detach()
    if empty:
        fail(f"{name} is empty: {expected}")


def deal_record_or_log(texts: list[str], name: str, folder: Path) -> Dealt:
    """Deal the game in the lines of a file, which is a record or the log of a live table.

    ``name`` is the file's name for messages, ``folder`` the one that house files are relative to.
    Exit 2 if a log cannot be read; raise RecordError if a record cannot.
    """
    from msgspec.structs import replace

    from passline.record.deal import deal_record, load_record_house
    from passline.record.read import read_lines

    first = next((text for text in texts if text.strip()), "")
    if first.lstrip().startswith("{"):
        texts, folder = _log_to_record(texts, name), Path()
    record, play = read_lines(texts)
    house = load_record_house(record, folder)
    return deal_record(replace(record, lines=tuple(play)), house)


def _log_to_record(texts: list[str], name: str) -> list[str]:
    from passline.live.log_entries import EntryError, read_entry
    from passline.live.record_export import export_record_lines

    try:
        entries = [read_entry(text.encode()) for text in texts if text.strip()]
        return list(export_record_lines(entries))
    except (EntryError, ValueError, KeyError, AssertionError) as error:
        fail(f"{name} is not the log of a table: {error}")
