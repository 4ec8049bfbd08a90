"""Files that a command writes: what may be written over, and the writing."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from passline.cli.common import fail, tell

_Command = TypeVar("_Command", bound=Callable[..., Any])

#: What the files of each output option are called: one that is there may be an earlier output.
_ENDINGS = {
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
_OUTPUTS = ("out", *_ENDINGS)


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
    inputs = list(_inputs(ctx))
    written: dict[str, Path] = {}
    for option, out in outs.items():
        if out is None or out == "-":
            continue
        path, shown = Path(out), f"--{option.partition('-')[0]} {out}"
        for other, taken in written.items():
            if _same(path, taken):
                fail(f"{shown} is what --{other.partition('-')[0]} writes (--force: all the same)")
        if any(_same(path, given) for given in inputs):
            fail(f"{shown} is an input of this command (--force writes over it)")
        if _is_file(path) and path.suffix.lower() not in _ENDINGS[option.partition("-")[0]]:
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


def _inputs(ctx: click.Context) -> Iterator[Path]:
    """Whatever this command was given that is a file, or a function in one (file.py:function)."""
    for name, value in ctx.params.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str) and name not in _OUTPUTS:
                yield from filter(_is_file, map(Path, (text, text.rpartition(":")[0])))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte in it
        return False


def _same(one: Path, other: Path) -> bool:
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
