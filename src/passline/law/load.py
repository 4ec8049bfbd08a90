"""Reading a rulebook from its file, once."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import msgspec

from passline.law.book import Book

_BOOKS = resources.files("passline.law").joinpath("books")

#: The rulebooks: every file in ``books/`` is one.
BOOKS: tuple[str, ...] = tuple(
    sorted(
        file.name.removesuffix(".toml") for file in _BOOKS.iterdir() if file.name[-5:] == ".toml"
    )
)


class BookError(ValueError):
    """A rulebook that is not there, or does not hold together."""


def book_text(book_id: str) -> str:
    """The TOML of a rulebook, as shipped."""
    if book_id not in BOOKS:
        raise BookError(f"no rulebook {book_id!r}: the rulebooks are {', '.join(BOOKS)}")
    return _BOOKS.joinpath(f"{book_id}.toml").read_text("utf-8")


def book_from(data: dict[str, Any]) -> Book:
    """Check a rulebook's data and give it its types."""
    try:
        return msgspec.convert(data, Book, strict=True)
    except msgspec.ValidationError as wrong:
        raise BookError(f"rulebook {data.get('id', '?')}: {wrong}") from wrong


#: Books in use, by id. Whoever needs a book asks ``rulebook`` each time and keeps none.
_IN_USE: dict[str, Book] = {}


def rulebook(book_id: str) -> Book:
    """The rulebook of that id.

    >>> rulebook("new-jersey").points.value
    (4, 5, 6, 8, 9, 10)
    """
    if book_id not in _IN_USE:
        _IN_USE[book_id] = book_from(tomllib.loads(book_text(book_id)))
    return _IN_USE[book_id]


def install(book: Book) -> None:
    """Put a book in the place of the shipped one, for as long as this process lives.

    Only ``tools/mutate.py`` does so: it changes one value of a book and asks whether a test fails.
    """
    _IN_USE[book.id] = book
