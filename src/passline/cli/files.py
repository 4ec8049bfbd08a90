"""Files that a command writes: what may be written over, and the writing.

Records as commands are given them: a file, or standard input, line by line.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from passline.cli.common import fail, tell
from passline.files import UnreadableError, open_bytes

_Command = TypeVar("_Command", bound=Callable[..., Any])

#: What the files of each output option are called: one that is there may be an earlier output.
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
#: The parameters that name outputs: every other one that names a file is an input.
_OUTPUT_PARAMETERS = ("out", *_OUTPUT_SUFFIXES)


def force_option(command: _Command) -> _Command:
    """The ``--force`` option, which ``check_outputs`` reads."""
    return click.option(
        "--force",
        is_flag=True,
        help="Write over whatever is there: an input, a record, another file of this command.",
    )(command)


def check_outputs(outs: Mapping[str, str | None]) -> None:
    """Before the work: end the command where a file that it writes would take another's place.

    ``outs``: the files by their options (``html``, ``csv-layout``), ``-`` for standard output. An
    earlier output, by its ending, may be written over; an input, a record, or anything else only
    with ``--force``, and no two outputs are one file. So does a path at which nothing can be
    written: nobody works for an hour and loses what came of it.
    """
    for option, out in outs.items():
        if out is not None and out != "-":
            _check_writable(f"--{option.partition('-')[0]} {out}", Path(out))
    ctx = click.get_current_context()
    if ctx.params.get("force"):
        return
    inputs = list(_find_inputs(ctx))
    written: dict[str, Path] = {}
    for option, out in outs.items():
        if out is None or out == "-":
            continue
        path, shown = Path(out), f"--{option.partition('-')[0]} {out}"
        for other, taken in written.items():
            if _is_same_file(path, taken):
                fail(f"{shown} is what --{other.partition('-')[0]} writes (--force: all the same)")
        if any(_is_same_file(path, given) for given in inputs):
            fail(f"{shown} is an input of this command (--force writes over it)")
        if _is_file(path) and path.suffix.lower() not in _OUTPUT_SUFFIXES[option.partition("-")[0]]:
            fail(f"{shown} is there, and looks like no earlier output (--force writes over it)")
        written[option] = path


def _check_writable(shown: str, path: Path) -> None:
    try:
        if path.is_dir():
            wrong = errno.EISDIR
        elif not path.parent.exists():
            wrong = errno.ENOENT
        elif not path.parent.is_dir():
            wrong = errno.ENOTDIR
        else:
            wrong = (
                0 if os.access(path if path.exists() else path.parent, os.W_OK) else errno.EACCES
            )
    except (OSError, ValueError):  # the writing itself says what is wrong with such a name
        return
    if wrong:
        fail(f"{shown} cannot be written: {os.strerror(wrong)}")


def _find_inputs(ctx: click.Context) -> Iterator[Path]:
    """Whatever this command was given that is a file, or a function in one (file.py:function)."""
    for name, value in ctx.params.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str) and name not in _OUTPUT_PARAMETERS:
                yield from filter(_is_file, map(Path, (text, text.rpartition(":")[0])))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte in it
        return False


def _is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths are one file, links followed, also one that is not there yet."""
    try:
        if one.exists() and other.exists():
            return one.samefile(other)
        return one.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def write_output(text: str, out: str) -> None:
    """Write a page or a sheet where it was asked for, and say so; ``-``: standard output."""
    if out == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(out).write_text(text, "utf-8")
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        fail(f"{out} cannot be written: {getattr(wrong, 'strerror', None) or wrong}")
    tell(f"wrote {out}")


_MAX_LINE_LENGTH = 1_000_000  # characters of a line, with its comment


@contextmanager
def open_record_file(source: str) -> Iterator[tuple[Iterator[str], str, Path]]:
    """The lines of a record as they come, the name to call it by, and the folder it lies in."""
    if source == "-":
        yield _decode_lines(sys.stdin.buffer, "standard input"), "-", Path()
        return
    try:
        file = open_bytes(source, ".craps record", plain=False)
    except UnreadableError as wrong:
        fail(str(wrong))
    with file:
        yield _decode_lines(file, source), source, Path(source).parent


def _decode_lines(file: IO[bytes], name: str) -> Iterator[str]:
    """The lines of a file, none of them held for longer than it takes to read it."""
    text = io.TextIOWrapper(file, "utf-8-sig")  # an end of line of any system is one
    empty = True
    try:
        while line := text.readline(_MAX_LINE_LENGTH):
            empty = empty and not line.strip()
            yield line.rstrip("\n")
    except UnicodeDecodeError:
        fail(f"{name} is not UTF-8 text: expected a .craps record")
    except OSError as wrong:
        fail(f"{name} cannot be read: {wrong.strerror}")
    finally:
        if not file.closed:
            text.detach()
    if empty:
        fail(f"{name} is empty: expected a record that begins with 'rulebook: ...'")
