"""Records as commands are given them: a file, or standard input, line by line."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from passline.cli.common import fail
from passline.files import UnreadableError, open_bytes

_LONGEST = 1_000_000  # characters of a line, with its comment


@contextmanager
def opened_record(source: str) -> Iterator[tuple[Iterator[str], str, Path]]:
    """The lines of a record as they come, the name to call it by, and the folder it lies in."""
    if source == "-":
        yield _decoded(sys.stdin.buffer, "standard input"), "-", Path()
        return
    try:
        file = open_bytes(source, ".craps record", plain=False)
    except UnreadableError as wrong:
        fail(str(wrong))
    with file:
        yield _decoded(file, source), source, Path(source).parent


def _decoded(file: IO[bytes], name: str) -> Iterator[str]:
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
