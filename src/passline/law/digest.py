"""A rulebook's digest: what tells two versions of one book apart."""

from __future__ import annotations

from passline.law.book import Book


def digest_of(book: Book) -> str:
    """SHA-256 over all that a book says, customs counted in; computed once for a book.

    >>> from passline.law import rulebook
    >>> len(digest_of(rulebook("iowa")))
    64
    """
    return book.digest
