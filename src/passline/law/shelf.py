"""Where the rulebooks lie: those that came with passline, and the user's own.

A book is ``ID.toml`` and its register ``ID.tsv``. Own books lie side by side in the folder that the
environment variable ``PASSLINE_BOOKS`` names (several folders with the path separator between).
"""

from __future__ import annotations

import os
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

FOLDERS = "PASSLINE_BOOKS"

_LAW = Path(str(resources.files("passline.law")))


class BookError(ValueError):
    """A rulebook that is not there, or does not hold together: one line, with the place."""


class Volume(NamedTuple):
    """One rulebook on the shelf: its file and its register."""

    id: str
    book: Path
    register: Path
    shipped: bool

    @property
    def name(self) -> str:
        """What the book's file is called where its places are named."""
        return f"law/books/{self.book.name}" if self.shipped else self.book.name

    @property
    def register_name(self) -> str:
        """The same of its register."""
        return f"law/clauses/{self.register.name}" if self.shipped else self.register.name


def _shipped() -> dict[str, Volume]:
    return {
        path.stem: Volume(
            id=path.stem, book=path, register=_LAW / "clauses" / f"{path.stem}.tsv", shipped=True
        )
        for path in sorted((_LAW / "books").glob("*.toml"))
    }


_OURS = _shipped()
#: The rulebooks that come with passline: every file in ``books/`` is one.
BOOKS: tuple[str, ...] = tuple(_OURS)


def _folders() -> tuple[Path, ...]:
    return tuple(Path(part) for part in os.environ.get(FOLDERS, "").split(os.pathsep) if part)


def _own() -> list[Volume]:
    paths = [path for folder in _folders() for path in sorted(folder.glob("*.toml"))]
    return [
        Volume(id=path.stem, book=path, register=path.with_suffix(".tsv"), shipped=False)
        for path in paths
    ]


def book_ids() -> tuple[str, ...]:
    """Every rulebook that can be asked for: passline's, then the user's own."""
    return tuple(dict.fromkeys((*BOOKS, *(volume.id for volume in _own()))))


def volume(book_id: str) -> Volume:
    """The rulebook of that id; one id stands for one book."""
    found = [_OURS[book_id]] if book_id in _OURS else []
    found += [own for own in _own() if own.id == book_id]
    if not found:
        missing = next((folder for folder in _folders() if not folder.is_dir()), None)
        lost = f" ({FOLDERS} names {missing}, which is no folder)" if missing else ""
        known = ", ".join(book_ids())
        raise BookError(f"no rulebook {book_id!r}: the rulebooks are {known}{lost}")
    if len(found) > 1:
        raise BookError(f"two rulebooks are called {book_id!r}: {found[0].book}, {found[1].book}")
    return found[0]


def text_of(path: Path) -> str:
    """A file of the shelf as text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as wrong:
        raise BookError(f"{path.name} is not UTF-8: {wrong.reason}") from None
    except OSError as wrong:
        raise BookError(f"{path} cannot be read: {wrong.strerror}") from None


def data_of(on_shelf: Volume) -> dict[str, Any]:
    """A rulebook's own data, without the customs."""
    try:
        return tomllib.loads(text_of(on_shelf.book))
    except tomllib.TOMLDecodeError as wrong:
        raise BookError(f"{on_shelf.book.name} is not readable as TOML: {wrong}") from None
