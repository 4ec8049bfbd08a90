"""Records as commands are given them: a file, or standard input, line by line."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from passline.cli.common import fail

_LONGEST = 1_000_000  # characters of a line, with its comment


@contextmanager
def opened_record(source: str) -> Iterator[tuple[Iterator[str], str, Path]]:
    """The lines of a record as they come, the name to call it by, and the folder it lies in."""
    if source == "-":
        yield _decoded(sys.stdin.buffer, "standard input"), "-", Path()
        return
    path = Path(source)
    try:
        if path.is_dir():
            fail(f"{source} is a folder: expected a .craps record")
        file = path.open("rb")
    except FileNotFoundError:
        fail(f"there is no file {source}")
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        fail(f"{source} cannot be read: {getattr(wrong, 'strerror', None) or wrong}")
    with file:
        yield _decoded(file, source), source, path.parent


def _decoded(file: BinaryIO, name: str) -> Iterator[str]:
    """The lines of a file, none of them held for longer than it takes to read it."""
    text = io.TextIOWrapper(file, "utf-8-sig")  # an end of line of any system is one
    empty = True
    try:
        while line := text.readline(_LONGEST):
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
