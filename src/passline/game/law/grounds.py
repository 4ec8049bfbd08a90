"""The words for what may be wrong with a throw or with dice: each is a rulebook's own.

A record may say any ground that some published book knows: that this book does not is for the
table to say, with its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from passline.game.law.book import Book, Ground
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook

#: Grounds of one kind, as a book lists them.
GroundsSelector = Callable[[Book], tuple[Ground, ...]]


def no_roll_grounds(book: Book) -> tuple[Ground, ...]:
    """What makes a throw void, what it may be called for, and what never does."""
    return (*book.throw.void, *book.throw.grounds, *book.throw.barred)


def pass_grounds(book: Book) -> tuple[Ground, ...]:
    """What a shooter may be ordered to pass for."""
    return book.dice.order_for


def new_dice_grounds(book: Book) -> tuple[Ground, ...]:
    """What a new set comes in for."""
    return book.dice.new_set


def flaw_grounds(book: Book) -> tuple[Ground, ...]:
    """What an inspection may find."""
    return book.inspection.flaws


def recall_grounds(book: Book) -> tuple[Ground, ...]:
    """What dice are called in for."""
    return book.inspection.recall


def iter_ground_names(kind: GroundsSelector, *first: Book) -> Iterator[str]:
    """The grounds of a kind by name: of these books, then of every published one.

    A name may come twice. A book is read only when its turn comes.

    >>> "off-table" in iter_ground_names(no_roll_grounds), "full-moon" in iter_ground_names(no_roll_grounds)
    (True, False)
    """  # noqa: E501
    for book in chain(first, map(rulebook, BOOKS)):
        yield from (ground.name for ground in kind(book))


def warning_grounds(book: Book) -> tuple[Ground, ...]:
    """What counts only once a shooter was warned."""
    return tuple(ground for ground in book.throw.grounds if ground.warned)
