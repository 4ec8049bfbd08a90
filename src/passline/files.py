"""Reading a file that a user names: bounded, with one clear line for whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from passline.plain import plain

_LONGEST = 200  # characters of a path that a message repeats


class UnreadableError(ValueError):
    """A file that cannot be read; the message is one line that says which and why."""


@contextmanager
def open_file(path: str | Path, what: str, *, plain: bool = True) -> Iterator[IO[bytes]]:
    """A file to read from; ``what`` it should be goes into messages.

    ``plain``: only a plain file will do. A pipe could keep a reader waiting for ever, and a device
    could go on for ever.
    """
    try:
        with open_bytes(path, what, plain=plain) as file:
            yield file
    except OSError as wrong:
        raise _unreadable(Path(path), wrong) from None


def open_bytes(path: str | Path, what: str, *, plain: bool = True) -> IO[bytes]:
    """As ``open_file``, for whoever does more than read while it is open."""
    path = Path(path)
    try:
        if path.is_dir():
            raise UnreadableError(f"{show_path(path)} is a folder: expected a {what}")
        if plain and path.exists() and not path.is_file():
            raise UnreadableError(f"{show_path(path)} is no plain file: expected a {what}")
        return path.open("rb")
    except UnreadableError:
        raise
    except FileNotFoundError:
        raise UnreadableError(f"there is no {what} {show_path(path)}") from None
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        raise _unreadable(path, wrong) from None


def _unreadable(path: Path, wrong: Exception) -> UnreadableError:
    why = getattr(wrong, "strerror", None) or str(wrong)
    return UnreadableError(f"{str(path)[:_LONGEST]!r} cannot be read: {why}")


def read_file(path: str | Path, what: str, most: int, *, plain: bool = True) -> bytes:
    """The bytes of a file, ``most`` of them at most.

    >>> read_file("/gone.toml", "house-rules file", 100)
    Traceback (most recent call last):
    passline.files.UnreadableError: there is no house-rules file /gone.toml
    """
    with open_file(path, what, plain=plain) as file:
        data = file.read(most + 1)
    if len(data) > most:
        size = f"{most // 1_000_000:,} MB" if most >= 1_000_000 else f"{most:,} bytes"
        raise UnreadableError(f"{show_path(path)} is over {size}: too large for a {what}")
    return data


def read_text(path: str | Path, what: str, most: int, *, plain: bool = True) -> str:
    """As ``read_file``, the text of it: UTF-8, and nothing else."""
    try:
        return read_file(path, what, most, plain=plain).decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError(f"{show_path(path)} is not UTF-8 text: expected a {what}") from None


def show_path(path: str | Path) -> str:
    """A path as a message gives it: on one line, nothing in it that a terminal obeys.

    >>> show_path("game.craps"), show_path("a\\x1b[2Jb")
    ('game.craps', 'a\\\\x1b[2Jb')
    """
    text = str(path)
    return plain(text if len(text) <= _LONGEST else text[:_LONGEST] + "...")
