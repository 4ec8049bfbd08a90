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

BOOKS_VARIABLE = "PASSLINE_BOOKS"

_LAW_FOLDER = Path(str(resources.files("passline.game.law")))


class BookError(ValueError):
    """A rulebook that is not there, or does not hold together: one line, with the place."""


class BookFiles(NamedTuple):
    """One rulebook on the shelf: its file and its register."""

    id: str
    book: Path
    register: Path
    shipped: bool

    @property
    def name(self) -> str:
        """What the book's file is called where its places are named."""
        return f"game/law/books/{self.book.name}" if self.shipped else self.book.name

    @property
    def register_name(self) -> str:
        """The same of its register."""
        return f"game/law/clauses/{self.register.name}" if self.shipped else self.register.name


def _find_shipped_books() -> dict[str, BookFiles]:
    return {
        path.stem: BookFiles(
            id=path.stem,
            book=path,
            register=_LAW_FOLDER / "clauses" / f"{path.stem}.tsv",
            shipped=True,
        )
        for path in sorted((_LAW_FOLDER / "books").glob("*.toml"))
    }


_SHIPPED_BOOKS = _find_shipped_books()
#: The rulebooks that come with passline: every file in ``books/`` is one.
BOOKS: tuple[str, ...] = tuple(_SHIPPED_BOOKS)


def _list_user_folders() -> tuple[Path, ...]:
    return tuple(
        Path(part) for part in os.environ.get(BOOKS_VARIABLE, "").split(os.pathsep) if part
    )


def _find_user_books() -> list[BookFiles]:
    paths = [path for folder in _list_user_folders() for path in sorted(folder.glob("*.toml"))]
    return [
        BookFiles(id=path.stem, book=path, register=path.with_suffix(".tsv"), shipped=False)
        for path in paths
    ]


def book_ids() -> tuple[str, ...]:
    """Every rulebook that can be asked for: passline's, then the user's own."""
    return tuple(dict.fromkeys((*BOOKS, *(volume.id for volume in _find_user_books()))))


def find_book_files(book_id: str) -> BookFiles:
    """The rulebook of that id; one id stands for one book."""
    found = [_SHIPPED_BOOKS[book_id]] if book_id in _SHIPPED_BOOKS else []
    found += [own for own in _find_user_books() if own.id == book_id]
    if not found:
        missing = next((folder for folder in _list_user_folders() if not folder.is_dir()), None)
        lost = f" ({BOOKS_VARIABLE} names {missing}, which is no folder)" if missing else ""
        known = ", ".join(book_ids())
        raise BookError(f"no rulebook {book_id!r}: the rulebooks are {known}{lost}")
    if len(found) > 1:
        raise BookError(f"two rulebooks are called {book_id!r}: {found[0].book}, {found[1].book}")
    return found[0]


def read_book_file(path: Path) -> str:
    """A file of the shelf as text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as wrong:
        raise BookError(f"{path.name} is not UTF-8: {wrong.reason}") from None
    except OSError as wrong:
        raise BookError(f"{path} cannot be read: {wrong.strerror}") from None


def read_book_data(on_shelf: BookFiles) -> dict[str, Any]:
    """A rulebook's own data, without the customs."""
    try:
        return tomllib.loads(read_book_file(on_shelf.book))
    except tomllib.TOMLDecodeError as wrong:
        raise BookError(f"{on_shelf.book.name} is not readable as TOML: {wrong}") from None
