"""The reasons (grounds) for a no roll, for passing or replacing the dice, and for rejecting dice.

Each rulebook names its own. A record may use any name that some rulebook defines: the parser
accepts it. If the table's own rulebook does not define the name, the table refuses the command and
cites the clause. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from operator import attrgetter

from passline.game.law.book import Book, Ground
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook

#: A function that returns the grounds of one kind from a book.
GroundsSelector = Callable[[Book], tuple[Ground, ...]]


def no_roll_grounds(book: Book) -> tuple[Ground, ...]:
    """Return every reason in a book about void throws.

    First come those that make a throw void, then those for which an official may call it void ("no
    roll"), then those for which nobody may.
    """
    return (*book.throw.void, *book.throw.grounds, *book.throw.barred)


#: The reasons for which an official may order a shooter to pass the dice.
pass_grounds: GroundsSelector = attrgetter("dice.order_for")
#: The reasons for bringing in a new set of dice.
new_dice_grounds: GroundsSelector = attrgetter("dice.new_set")
#: What an inspection may find wrong with dice.
flaw_grounds: GroundsSelector = attrgetter("inspection.flaws")
#: The reasons for which dice are called in.
recall_grounds: GroundsSelector = attrgetter("inspection.recall")


def iter_ground_names(kind: GroundsSelector, *first: Book) -> Iterator[str]:
    """Yield the names of reasons of one kind: from the ``first`` books, then every shipped book.

    ``kind`` is the function that selects the reasons in a book. A name may be repeated. Each book
    is read only when the iteration reaches it.

    >>> [name in iter_ground_names(no_roll_grounds) for name in ("off-table", "full-moon")]
    [True, False]
    """
    for book in chain(first, map(rulebook, BOOKS)):
        yield from (ground.name for ground in kind(book))


def warning_grounds(book: Book) -> tuple[Ground, ...]:
    """Return the reasons for which a throw may be called no roll only after a warning."""
    return tuple(ground for ground in book.throw.grounds if ground.warned)
