"""Find the files of the rulebooks: those that come with passline, and the user's own.

A rulebook is a folder named for its id. It holds ``book.toml`` (its values), ``clauses.tsv`` (its
clauses) and one file for each further subject, such as ``felt.toml`` or ``crew/sequence.toml``; see
``book_parts``. The folder ``customs`` has the same files. They supply every value that a book
omits.

Users put their own books into the folders listed in the environment variable ``PASSLINE_BOOKS``,
separated as in ``PATH``. A user's book is such a folder, or just ``ID.toml`` and ``ID.tsv``. This
module reads files and that variable, and nothing else.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, wraps
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

#: The default rulebook of commands, pages and tables, and the rulebook of the school.
DEFAULT_BOOK, SCHOOL_BOOK = "new-jersey", "dealer-school"
BOOKS_VARIABLE = "PASSLINE_BOOKS"
BOOK_FILE, REGISTER_FILE = "book.toml", "clauses.tsv"

T = TypeVar("T")
_LAW_FOLDER = Path(str(resources.files("passline.game.law")))
#: The folder of the customs. It has the same files as a rulebook's folder.
CUSTOMS_FOLDER = _LAW_FOLDER / "customs"


class BookError(ValueError):
    """A rulebook is missing or contradicts itself. The one-line message names file and key."""


class BookFiles(NamedTuple):
    """The files of one rulebook: its ``book.toml`` and its clause register.

    ``shipped`` is true for a book that comes with passline. ``folder`` is None for a user's book of
    two files.
    """

    id: str
    book: Path
    register: Path
    shipped: bool
    folder: Path | None = None

    def show(self, path: Path) -> str:
        """Return a file's path for messages: relative to the package, or to the user's folder."""
        if self.folder is None:
            return path.name
        below = f"{self.id}/{path.relative_to(self.folder).as_posix()}"
        return f"game/law/books/{below}" if self.shipped else below

    @property
    def name(self) -> str:
        """The path of ``book.toml``, for messages."""
        return self.show(self.book)

    @property
    def register_name(self) -> str:
        """The path of the clause register, for messages."""
        return self.show(self.register)

    @property
    def parts(self) -> tuple[Path, ...]:
        """Every TOML file of the folder except ``book.toml``, sorted."""
        found = sorted(self.folder.rglob("*.toml")) if self.folder is not None else ()
        return tuple(path for path in found if path != self.book)


def _make_folder_book(folder: Path, *, shipped: bool) -> BookFiles:
    book, register = folder / BOOK_FILE, folder / REGISTER_FILE
    return BookFiles(folder.name, book, register, shipped=shipped, folder=folder)


_SHIPPED_BOOKS = {
    path.parent.name: _make_folder_book(path.parent, shipped=True)
    for path in sorted((_LAW_FOLDER / "books").glob(f"*/{BOOK_FILE}"))
}
#: The rulebooks that come with passline: every folder in ``books`` is one.
BOOKS: tuple[str, ...] = tuple(_SHIPPED_BOOKS)


def _find_user_books() -> Iterator[BookFiles]:
    for part in os.environ.get(BOOKS_VARIABLE, "").split(os.pathsep):
        folder = Path(part)
        if part and not folder.is_dir():
            raise BookError(
                f"{BOOKS_VARIABLE} names {part}, which is not a folder: "
                "create the folder or correct the variable"
            )
        for path in sorted(folder.iterdir()) if part else ():
            if path.suffix == ".toml":
                yield BookFiles(path.stem, path, path.with_suffix(".tsv"), shipped=False)
            elif (path / BOOK_FILE).is_file():
                yield _make_folder_book(path, shipped=False)


def book_ids() -> tuple[str, ...]:
    """Return the id of every rulebook: passline's, then the user's own."""
    return tuple(dict.fromkeys((*BOOKS, *(own.id for own in _find_user_books()))))


def find_book_files(book_id: str) -> BookFiles:
    """Return the files of a rulebook. Raise BookError if no book has that id, or several have."""
    if book_id in _SHIPPED_BOOKS and not os.environ.get(BOOKS_VARIABLE):
        return _SHIPPED_BOOKS[book_id]
    found = [_SHIPPED_BOOKS[book_id]] if book_id in _SHIPPED_BOOKS else []
    found += [own for own in _find_user_books() if own.id == book_id]
    if not found:
        raise BookError(f"no rulebook {book_id!r}: the rulebooks are {', '.join(book_ids())}")
    if len(found) > 1:
        raise BookError(f"two rulebooks are called {book_id!r}: {found[0].book}, {found[1].book}")
    return found[0]


def find_known_files(book_id: str) -> BookFiles | None:
    """Return the files of a rulebook, or None if it has none (a book made in memory)."""
    if not os.environ.get(BOOKS_VARIABLE):  # Asked thousands of times in a game.
        return _SHIPPED_BOOKS.get(book_id)
    return find_book_files(book_id) if book_id in book_ids() else None


def read_each_book(read: Callable[[str], T]) -> tuple[T, ...]:
    """Return the result of ``read`` for every rulebook that has no mistake.

    A book with a mistake is left out, so that it does not stop tables under other books. Its error
    is reported when the book itself is used.
    """
    found = []
    for book_id in book_ids():
        with suppress(BookError):
            found.append(read(book_id))
    return tuple(found)


def cached_by_book(load: Callable[[str], T]) -> Callable[[str], T]:
    """Return ``load``, a function of a book's id, with a cache.

    The cache key includes the paths of the book's files, since ``PASSLINE_BOOKS`` may change.
    """
    by_files = cache(lambda files, book_id: load(book_id))

    @wraps(load)
    def lookup(book_id: str) -> T:
        found: T = by_files(find_known_files(book_id), book_id)
        return found

    lookup.__dict__["cache_clear"] = by_files.cache_clear
    return lookup


def read_book_file(path: Path) -> str:
    """Return the text of a rulebook's file. Raise BookError if it cannot be read."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BookError(f"{path.name} is not UTF-8: {error.reason}") from None
    except OSError as error:
        raise BookError(f"{path} cannot be read: {error.strerror}") from None


def read_toml_file(path: Path) -> dict[str, Any]:
    """Return the data of a rulebook's TOML file.

    Raise BookError if it cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(read_book_file(path))
    except tomllib.TOMLDecodeError as error:
        shown = f"{path.parent.name}/{path.name}" if path.name == BOOK_FILE else path.name
        raise BookError(f"{shown} is not readable as TOML: {error}") from None


def read_book_data(files: BookFiles) -> dict[str, Any]:
    """Return the data of a rulebook's own ``book.toml``, without the customs."""
    return read_toml_file(files.book)
