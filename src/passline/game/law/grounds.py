"""The names of what can be wrong with a throw or with dice. Each rulebook has its own.

A record may use any name that some rulebook defines. If the table's own rulebook does not define
the name, the table refuses the command and cites the clause; the parser does not. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from passline.game.law.book import Book, Ground
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook

#: A function that returns the grounds of one kind from a book.
GroundsSelector = Callable[[Book], tuple[Ground, ...]]


def no_roll_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons that make a throw void, that let it be called void, and that never do."""
    return (*book.throw.void, *book.throw.grounds, *book.throw.barred)


def pass_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons for which an official may order a shooter to pass the dice."""
    return book.dice.order_for


def new_dice_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons for bringing in a new set of dice."""
    return book.dice.new_set


def flaw_grounds(book: Book) -> tuple[Ground, ...]:
    """Return what an inspection may find wrong with dice."""
    return book.inspection.flaws


def recall_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons for which dice are called in."""
    return book.inspection.recall


def iter_ground_names(kind: GroundsSelector, *first: Book) -> Iterator[str]:
    """Yield the names of one kind of reason: first those of the given books, then those of every
    shipped book.

    A name may be repeated. Each book is read only when the iteration reaches it.

    >>> [name in iter_ground_names(no_roll_grounds) for name in ("off-table", "full-moon")]
    [True, False]
    """
    for book in chain(first, map(rulebook, BOOKS)):
        yield from (ground.name for ground in kind(book))


def warning_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons that count only after the shooter was warned."""
    return tuple(ground for ground in book.throw.grounds if ground.warned)
