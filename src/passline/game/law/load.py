"""Load a rulebook: read ``book.toml``, merge it with its bases and the customs, and validate it.

A base is another rulebook that this one builds on. The customs are the values used where no book
says anything. Other modules call ``rulebook`` once and pass the ``Book`` on, instead of its id.
This module reads the files that ``book_files`` finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from passline.game.law.base_books import BASE_KEY, ORIGIN_KEY, mark_origin, without_origin
from passline.game.law.book import Book
from passline.game.law.book_files import (
    BOOK_FILE,
    CUSTOMS_FOLDER,
    BookError,
    BookFiles,
    cached_by_book,
    find_book_files,
    read_book_data,
    read_book_file,
    read_toml_file,
)
from passline.game.law.book_parts import find_fault
from passline.game.law.citations import inherit_data, key_path, read_citations
from passline.game.law.side_bets import add_side_bets
from passline.game.law.validate import find_mistakes, find_unknown_clauses

_CUSTOMS_FILE = CUSTOMS_FOLDER / BOOK_FILE


def read_customs_text() -> str:
    """Return the TOML of the customs: the values used where a rulebook says nothing."""
    return read_book_file(_CUSTOMS_FILE)


_loaded_customs: dict[str, Any] = {}


def customs() -> dict[str, Any]:
    """Return the customs (values used where a book says nothing) as data, in a book's sections.

    The dict is shared: do not change it.
    """
    if not _loaded_customs:
        _loaded_customs.update(read_toml_file(_CUSTOMS_FILE))
    return _loaded_customs


def replace_customs(data: dict[str, Any]) -> None:
    """Replace the customs in this process. Only the mutation-testing tools call this."""
    _loaded_customs.clear()
    _loaded_customs.update(data)


def with_customs(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a book's data merged with the customs. Where both have a value, the book's wins.

    >>> own = {"stakes": {"min_default": {"is": 10, "cite": "lv.1"}}}
    >>> [with_customs(own)["stakes"][key]["is"] for key in ("min_default", "chip_default")]
    [10, 1]
    """
    return add_side_bets(_merge_sections(customs(), data))


def _merge_sections(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = {**below, **over}
    for key in below.keys() & over.keys():
        if _is_section(below[key]) and _is_section(over[key]):
            found[key] = _merge_sections(below[key], over[key])
    return found


def _is_section(part: object) -> bool:
    """Return whether a dict in a book's data is a section that contains values.

    A dict with the key ``is`` is a single value.
    """
    return isinstance(part, Mapping) and "is" not in part


def read_book_text(book_id: str) -> str:
    """Return the text of a rulebook's ``book.toml``."""
    return read_book_file(find_book_files(book_id).book)


_NO_SUCH_WAGER = ": its base has no wager of this name to change, and a new one needs a shape"


def convert_book(data: dict[str, Any]) -> Book:
    """Merge a rulebook's data with its bases and the customs and convert it to a Book.

    The book is not validated. Raise BookError with the key path of a value of the wrong type.
    """
    whole = with_customs(without_origin(inherit_data(data)))
    try:
        return msgspec.convert(whole, Book, strict=True)
    except msgspec.ValidationError:
        fault = find_fault(whole, Book)
        hint = _NO_SUCH_WAGER if BASE_KEY in data and str(fault).endswith("field `shape`") else ""
        raise BookError(f"rulebook {data.get('id', '?')}: {fault}{hint}") from None


def make_book(data: dict[str, Any]) -> Book:
    """Return the Book of a rulebook's data, merged with the customs and validated.

    Raise BookError at the first mistake, with its key path.
    """
    book = convert_book(data)
    for mistake in find_mistakes(book):
        raise BookError(f"rulebook {book.id}: {mistake}")
    return book


class ValueOrigin(NamedTuple):
    """A value of a rulebook: its key path, the value as data, its citation, and whose it is.

    ``book`` is the rulebook or base in whose ``book.toml`` the value stands, or ``customs``.
    """

    path: str
    value: Any
    cite: str
    book: str


def list_values(book_id: str) -> tuple[ValueOrigin, ...]:
    """Return every value of a rulebook in the book's order, with the values from bases and customs.

    >>> [one.book for one in list_values("iowa") if one.path == "stakes.chip_default"]
    ['customs']
    """
    own = mark_origin(inherit_data(read_book_data(find_book_files(book_id))), book_id)
    whole = with_customs(own)
    order = {path: at for at, (path, _) in enumerate(_iter_values(own))}
    found = [_describe_value(path, entry) for path, entry in _iter_values(whole)]
    return tuple(sorted(found, key=lambda one: order.get(one.path, len(order))))


@cached_by_book
def _origins_by_path(book_id: str) -> dict[str, str]:
    return {one.path: one.book for one in list_values(book_id)}


def find_origins(book_id: str, path: str) -> tuple[str, ...]:
    """Return the books that the values at and below a key path come from, without repetition.

    A value from the customs counts as the book ``customs``.

    >>> find_origins("iowa", "wager.field")
    ('iowa',)
    """
    found = _origins_by_path(book_id).items()
    return tuple(
        dict.fromkeys(
            book for key, book in found if key == path or key.startswith((f"{path}.", f"{path}["))
        )
    )


def _iter_values(data: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (key path, entry) for every table with ``is`` in a book's data."""
    if isinstance(data, dict) and "is" in data:
        yield path, data
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _iter_values(value, key_path(path, key))


def _describe_value(path: str, entry: dict[str, Any]) -> ValueOrigin:
    cites = ", ".join(read_citations(entry)) or f"custom: {entry.get('custom', '')}"
    book = entry.get(ORIGIN_KEY, CUSTOMS_FOLDER.name)
    return ValueOrigin(path=path, value=entry["is"], cite=cites, book=book)


#: The loaded books by their files.
_LOADED_BOOKS: dict[BookFiles, Book] = {}


def rulebook(book_id: str) -> Book:
    """Return a rulebook by its id. Raise BookError if there is none, or something in it is wrong.

    >>> rulebook("new-jersey").points.value
    (4, 5, 6, 8, 9, 10)
    """
    found = find_book_files(book_id)
    if found not in _LOADED_BOOKS:
        _LOADED_BOOKS[found] = _load_book(found)
    return _LOADED_BOOKS[found]


def _load_book(found: BookFiles) -> Book:
    data = read_book_data(found)
    book = make_book(data)
    if book.id != found.id:
        kind, name = ("folder", found.id) if found.folder is not None else ("file", found.book.name)
        raise BookError(f"rulebook {book.id}: id: the {kind} is called {name}")
    # The citations of the shipped books are checked by tests, not at load time.
    if not found.shipped:
        for mistake in find_unknown_clauses(book, data, found):
            raise BookError(f"rulebook {book.id}: {mistake}")
    return book


def replace_book(book: Book) -> None:
    """Replace a rulebook for the rest of this process.

    Only the mutation-testing tools call this: they change one value and check that a test fails.
    """
    _LOADED_BOOKS[find_book_files(book.id)] = book


def forget_books() -> None:
    """Forget every loaded book, so that the next call reads it again."""
    _LOADED_BOOKS.clear()
