"""The words for what may be wrong with a throw or with dice: each is a rulebook's own.

A record may say any ground that some published book knows: that this book does not is for the
table to say, with its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from passline.law.book import Book, Ground
from passline.law.load import BOOKS, rulebook

#: Grounds of one kind, as a book lists them.
GroundsOf = Callable[[Book], tuple[Ground, ...]]


def for_no_roll(book: Book) -> tuple[Ground, ...]:
    """What makes a throw void, what it may be called for, and what never does."""
    return (*book.throw.void, *book.throw.grounds, *book.throw.barred)


def for_pass(book: Book) -> tuple[Ground, ...]:
    """What a shooter may be ordered to pass for."""
    return book.dice.order_for


def for_new_dice(book: Book) -> tuple[Ground, ...]:
    """What a new set comes in for."""
    return book.dice.new_set


def for_flaw(book: Book) -> tuple[Ground, ...]:
    """What an inspection may find."""
    return book.inspection.flaws


def for_recall(book: Book) -> tuple[Ground, ...]:
    """What dice are called in for."""
    return book.inspection.recall


def known_grounds(kind: GroundsOf, *first: Book) -> Iterator[str]:
    """The grounds of a kind by name: of these books, then of every published one.

    A name may come twice. A book is read only when its turn comes.

    >>> "off-table" in known_grounds(for_no_roll), "full-moon" in known_grounds(for_no_roll)
    (True, False)
    """
    for book in chain(first, map(rulebook, BOOKS)):
        yield from (ground.name for ground in kind(book))


def for_warning(book: Book) -> tuple[Ground, ...]:
    """What counts only once a shooter was warned."""
    return tuple(ground for ground in book.throw.grounds if ground.warned)
