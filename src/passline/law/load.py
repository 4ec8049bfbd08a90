"""Reading a rulebook from its file: typed, the customs beneath it, and checked whole."""

from __future__ import annotations

from typing import Any

import msgspec

from passline.law.book import Book
from passline.law.check import mistakes, uncited
from passline.law.customs import with_customs
from passline.law.fault_place import find_fault
from passline.law.shelf import BOOKS, BookError, Volume, data_of, text_of, volume

__all__ = ["BOOKS", "BookError", "book_from", "book_text", "install", "rulebook"]


def book_text(book_id: str) -> str:
    """The TOML of a rulebook, as it lies on the shelf."""
    return text_of(volume(book_id).book)


def typed_book(data: dict[str, Any]) -> Book:
    """A rulebook's data with the customs beneath it, every value of its type; not checked."""
    whole = with_customs(data)
    try:
        return msgspec.convert(whole, Book, strict=True)
    except msgspec.ValidationError:
        fault = find_fault(whole, Book)
        raise BookError(f"rulebook {data.get('id', '?')}: {fault}") from None


def book_from(data: dict[str, Any]) -> Book:
    """A rulebook from its data, checked whole.

    Raises BookError: one line, with the place in the book.
    """
    book = typed_book(data)
    for mistake in mistakes(book):
        raise BookError(f"rulebook {book.id}: {mistake}")
    return book


#: Books in use by their place on the shelf. Whoever needs a book asks ``rulebook`` and passes the
#: book on: nothing further down looks one up by its id.
_IN_USE: dict[Volume, Book] = {}


def rulebook(book_id: str) -> Book:
    """The rulebook of that id.

    >>> rulebook("new-jersey").points.value
    (4, 5, 6, 8, 9, 10)
    """
    found = volume(book_id)
    if found not in _IN_USE:
        _IN_USE[found] = _read(found)
    return _IN_USE[found]


def _read(found: Volume) -> Book:
    data = data_of(found)
    book = book_from(data)
    if book.id != found.id:
        raise BookError(f"rulebook {book.id}: id: the file is called {found.book.name}")
    if not found.shipped:  # the shipped books are held to their registers by the tests
        for mistake in uncited(book, data, found):
            raise BookError(f"rulebook {book.id}: {mistake}")
    return book


def install(book: Book) -> None:
    """Put a book in the place of the one on the shelf, for as long as this process lives.

    Only ``tools/mutate.py`` does so: it changes one value of a book and asks whether a test fails.
    """
    _IN_USE[volume(book.id)] = book


def reload_books() -> None:
    """Forget every book: the next that is asked for is read again."""
    _IN_USE.clear()
