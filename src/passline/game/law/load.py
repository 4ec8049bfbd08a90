"""The customs: what holds where a rulebook says nothing, laid beneath every book.

Where data is not of its type: the place by its keys, found by trying each part by itself.

msgspec gives the place of a fault in its message only, with the keys of tables left out. So nothing
is read from that: whatever is wrong is looked for further down, until no part of it is wrong.

Reading a rulebook from its file: typed, the customs beneath it, and checked whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec.structs import fields

from passline.game.law.book import Book
from passline.game.law.book_files import (
    BOOKS,
    BookError,
    BookFiles,
    find_book_files,
    read_book_data,
    read_book_file,
)
from passline.game.law.citations import key_path
from passline.game.law.validate import find_mistakes, find_unknown_clauses

__all__ = [
    "BOOKS",
    "BookError",
    "make_book",
    "read_book_text",
    "replace_book",
    "rulebook",
]

_CUSTOMS_FILE = Path(__file__).with_name("customs.toml")


def read_customs_text() -> str:
    """The TOML of the customs, as shipped."""
    return _CUSTOMS_FILE.read_text("utf-8")


_loaded_customs: dict[str, Any] = {}


def customs() -> dict[str, Any]:
    """The customs as data, in the sections of a book."""
    if not _loaded_customs:
        _loaded_customs.update(tomllib.loads(read_customs_text()))
    return _loaded_customs


def replace_customs(data: dict[str, Any]) -> None:
    """Put other customs in their place, for as long as this process lives: ``tools/mutate.py``."""
    _loaded_customs.clear()
    _loaded_customs.update(data)


def with_customs(data: Mapping[str, Any]) -> dict[str, Any]:
    """A book's data with the customs beneath it: what the book says, it says.

    >>> own = {"stakes": {"min_default": {"is": 10, "cite": "lv.1"}}}
    >>> [with_customs(own)["stakes"][key]["is"] for key in ("min_default", "chip_default")]
    [10, 1]
    """
    return _merge_sections(customs(), data)


def _merge_sections(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = {**below, **over}
    for key in below.keys() & over.keys():
        if _is_section(below[key]) and _is_section(over[key]):
            found[key] = _merge_sections(below[key], over[key])
    return found


def _is_section(part: object) -> bool:
    """Whether a part of a book holds values, and is none itself."""
    return isinstance(part, Mapping) and "is" not in part


class DataFault(NamedTuple):
    """The place of a fault by its keys (empty: the whole), and what is wrong there, in words."""

    path: str
    reason: str

    def __str__(self) -> str:
        """The place first."""
        return f"{self.path}: {self.reason}" if self.path else self.reason


def find_fault(data: Any, kind: Any, path: str = "") -> DataFault | None:
    """The first part of some data that is not of its type; None: all of it is. A key that is not
    of its own type is a fault of its table.

    >>> str(find_fault({"points": {"4": 5, "six": "6"}}, dict[str, dict[str, int]]))
    'points.six: Expected `int`, got `str`'
    """
    try:
        msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as wrong:
        for key in data if isinstance(data, dict) and get_origin(kind) is dict else ():
            if (found := find_fault(key, get_args(kind)[0], path)) is not None:
                return found
        for key, part, below in _iter_parts(data, kind):
            found = find_fault(part, below, key_path(path, key))
            if found is not None:
                return found
        return DataFault(path, str(wrong))
    return None


def _iter_parts(data: Any, kind: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """The parts that some data of a type has: each by its key, with its own type."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in (UnionType, Union):  # the latter of what has parameters: Cited[str] | None
        yield from _iter_union_parts(data, args)
    elif isinstance(data, dict) and origin is dict:
        yield from ((key, part, args[1]) for key, part in data.items())
    elif isinstance(data, list) and origin is tuple:
        yield from ((at, part, args[0]) for at, part in enumerate(data))
    elif isinstance(data, dict) and hasattr(origin, "__struct_config__"):
        for field in fields(kind):
            if field.encode_name in data:
                yield field.encode_name, data[field.encode_name], field.type


def _iter_union_parts(data: Any, members: tuple[Any, ...]) -> Iterator[tuple[str | int, Any, Any]]:
    """The parts of that member of a union which the data is meant to be: by its tag, or the one
    that can have parts."""
    structs = {m.__struct_config__.tag: m for m in members if hasattr(m, "__struct_config__")}
    tagged = [tag for tag in structs if tag is not None]
    if tagged and isinstance(data, dict):
        key = structs[tagged[0]].__struct_config__.tag_field
        if data.get(key) in tagged:
            yield from _iter_parts(data, structs[data[key]])
        elif key in data:
            yield key, data[key], Literal[tuple(tagged)]
    else:
        for member in members:
            yield from _iter_parts(data, member)


def read_book_text(book_id: str) -> str:
    """The TOML of a rulebook, as it lies on the shelf."""
    return read_book_file(find_book_files(book_id).book)


def convert_book(data: dict[str, Any]) -> Book:
    """A rulebook's data with the customs beneath it, every value of its type; not checked."""
    whole = with_customs(data)
    try:
        return msgspec.convert(whole, Book, strict=True)
    except msgspec.ValidationError:
        fault = find_fault(whole, Book)
        raise BookError(f"rulebook {data.get('id', '?')}: {fault}") from None


def make_book(data: dict[str, Any]) -> Book:
    """A rulebook from its data, checked whole.

    Raises BookError: one line, with the place in the book.
    """
    book = convert_book(data)
    for mistake in find_mistakes(book):
        raise BookError(f"rulebook {book.id}: {mistake}")
    return book


#: Books in use by their place on the shelf. Whoever needs a book asks ``rulebook`` and passes the
#: book on: nothing further down looks one up by its id.
_LOADED_BOOKS: dict[BookFiles, Book] = {}


def rulebook(book_id: str) -> Book:
    """The rulebook of that id.

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
        raise BookError(f"rulebook {book.id}: id: the file is called {found.book.name}")
    if not found.shipped:  # the shipped books are held to their registers by the tests
        for mistake in find_unknown_clauses(book, data, found):
            raise BookError(f"rulebook {book.id}: {mistake}")
    return book


def replace_book(book: Book) -> None:
    """Put a book in the place of the one on the shelf, for as long as this process lives.

    Only ``tools/mutate.py`` does so: it changes one value of a book and asks whether a test fails.
    """
    _LOADED_BOOKS[find_book_files(book.id)] = book


def forget_books() -> None:
    """Forget every book: the next that is asked for is read again."""
    _LOADED_BOOKS.clear()
