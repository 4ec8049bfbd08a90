"""What may be offered: under any of the books, so that lint can refuse what one of them has not.

The other books are looked at only for a name that a house's own book does not have.
"""

from __future__ import annotations

from passline.house.payouts import payouts_of, slugs_of, wager_slugs
from passline.law.book import Book
from passline.law.load import BOOKS, rulebook
from passline.law.slugs import known_slugs
from passline.law.wagers import AnyWager, Race

_OFFERS = "offers."


def elective_offers() -> tuple[str, ...]:
    """Every ``offers.KEY`` that some rulebook makes elective."""
    keys = (key for name in BOOKS for key in rulebook(name).elect if key.startswith(_OFFERS))
    return tuple(dict.fromkeys(keys))


def is_slug(name: str) -> bool:
    """Whether a word is a wager's slug, whichever rulebook deals it, if any does."""
    return name in known_slugs() or any(name in wager_slugs(rulebook(book)) for book in BOOKS)


def is_payout(name: str) -> bool:
    """Whether a word names a wager or a payout (``fire-4``) of some rulebook."""
    return is_slug(name) or any(name in payouts_of(rulebook(book)) for book in BOOKS)


def is_kind(name: str) -> bool:
    """Whether a word is a slug, or the name of a kind of wager (``place-win``)."""
    return is_slug(name) or any(name in rulebook(book).wager for book in BOOKS)


def elected_by(book: Book, name: str) -> str:
    """The election that puts a wager of this book on the layout, where one does."""
    rule = _wager(book, name)
    return f"{_OFFERS}{rule.offer}" if rule is not None and rule.offer else ""


def _wager(book: Book, name: str) -> AnyWager | None:
    """The wager that a slug, or the name of a kind, stands for in this book."""
    for family, rule in book.wager.items():
        if name == family or name in dict(slugs_of(book, family, rule)):
            return rule
    return None


def deals_always(book: Book, name: str) -> bool:
    """Whether the book deals, without an election, what ``offers.NAME`` stands for elsewhere."""
    if name == "match_play":
        return bool(book.tender.match_play.value)
    if name == "shootout":
        return book.shootout is not None
    if _wager(book, name) is not None:
        return True
    return any(_deals_too(book, rulebook(o), name) for o in BOOKS)


def _deals_too(book: Book, other: Book, name: str) -> bool:
    """Whether the book has the wager, or the number, that another book elects by this name."""
    for family, rule in other.wager.items():
        own = book.wager.get(family)
        if own is not None and rule.offer == name:
            return True
        on = [n for pay in rule.pays if pay.elect.startswith(f"{name}=") for n in pay.on]
        if isinstance(own, Race) and on and set(on) <= set(own.numbers.value):
            return True
    return False
