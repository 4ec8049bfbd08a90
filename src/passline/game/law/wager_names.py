"""The names of wagers: slugs, which records, JSON and house rules use, and standard names.

A slug is a wager with its number, such as ``place-win-6``; its family is the name without the
number. A book may name its wagers freely. The standard name is derived from a wager's shape, so
that talk and screens recognize a wager under any book. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from passline.game.law.book import Book
from passline.game.law.shapes import AnyWager, collect, composite, one_roll
from passline.game.law.side_bets import list_side_bet_slugs

_SLUG_NUMBERS = range(2, 13)
_HOP_SLUGS = tuple(f"hop-{a}-{b}" for a in range(1, 7) for b in range(a, 7))
_LINE_FAMILIES = ("pass", "dont-pass", "come", "dont-come", "pass-odds", "dont-pass-odds")
_COME_FAMILIES = ("come", "dont-come", "come-odds", "dont-come-odds")
_NUMBERED_FAMILIES = (*_COME_FAMILIES, "place-win", "place-lose", "buy", "lay", "horn-high")
_SINGLE_SLUGS = (
    *_LINE_FAMILIES,
    *(f"hard-{total}" for total in (4, 6, 8, 10)),
    "big-6",
    "big-8",
    "field",
    *one_roll.STANDARD_NAMES.values(),
    *composite.STANDARD_NAMES.values(),
    "fire",
    *collect.STANDARD_NAMES.values(),
)


@cache
def known_slugs() -> tuple[str, ...]:
    """Return every standard slug, whether or not a rulebook deals that wager.

    >>> "place-win-6" in known_slugs(), "hop-1-1" in known_slugs(), "place-6" in known_slugs()
    (True, True, False)
    """
    numbered = [f"{family}-{n}" for family in _NUMBERED_FAMILIES for n in _SLUG_NUMBERS]
    return (*_SINGLE_SLUGS, *list_side_bet_slugs(), *numbered, *_HOP_SLUGS)


def standard_name(book: Book, family: str) -> str:
    """Return the standard name of a wager, derived from its shape, or the book's own name.

    >>> from passline.game.law.load import rulebook
    >>> standard_name(rulebook("iowa"), "dont-come-odds"), standard_name(rulebook("iowa"), "field")
    ('dont-come-odds', 'field')
    """
    return book.wager[family].find_standard_name(book, family)


def standard_names(book: Book) -> dict[str, str]:
    """Return the standard name of every wager of a book, by the book's own name for it.

    If two wagers would have the same name, the first gets it and the other keeps its book's name.
    """
    found: dict[str, str] = {}
    for family in book.wager:
        name = standard_name(book, family)
        found[family] = family if name in found.values() else name
    return found


def find_family(book: Book, name: str) -> str:
    """Return the book's own name for a standard wager name; empty if it has no such wager.

    >>> from passline.game.law.load import rulebook
    >>> find_family(rulebook("iowa"), "dont-pass"), find_family(rulebook("iowa"), "put")
    ('dont-pass', '')
    """
    return next((own for own, floor in standard_names(book).items() if floor == name), "")


def odds_numbers(book: Book) -> tuple[int, ...]:
    """Return the numbers on which odds are taken or laid: points and numbers of come wagers."""
    rules = book.wager.values()
    travels = [n for rule in rules if rule.is_come for n in rule.list_numbers(book) if n]
    return tuple(sorted({*book.points.value, *travels}))


def iter_slugs(book: Book, family: str, rule: AnyWager) -> Iterator[tuple[str, int]]:
    """Yield (slug, number) for each number that a wager can be on, or (slug, 0) if it has none."""
    for number in rule.list_numbers(book):
        yield (f"{family}-{number}" if number else family), number


def wager_slugs(book: Book) -> tuple[str, ...]:
    """Return every wager slug of the book, whether or not a house offers that wager."""
    return tuple(
        slug for family, rule in book.wager.items() for slug, _ in iter_slugs(book, family, rule)
    )
