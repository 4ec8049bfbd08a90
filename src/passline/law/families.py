"""Families of wagers: the slugs of each, the flat that odds stand behind, and on which side."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.book import Book
from passline.law.wagers import AnyWager, Come, Composite, Line, OddsRule, OneRoll, Race


def flat_of(book: Book, rule: OddsRule) -> Line | Come:
    """The wager that odds stand behind."""
    flat = book.wager[rule.flat]
    assert isinstance(flat, Line | Come)
    return flat


def floor_name(book: Book, family: str) -> str:
    """What the floor calls a line, come, odds, buy or lay wager, whatever its book does: by its
    shape. The others go by their book's name.

    >>> from passline.law import rulebook
    >>> floor_name(rulebook("iowa"), "dont-come-odds"), floor_name(rulebook("iowa"), "field")
    ('dont-come-odds', 'field')
    """
    rule = book.wager[family]
    if isinstance(rule, OddsRule):
        return f"{floor_name(book, rule.flat)}-odds"
    if isinstance(rule, Race) and rule.vig:
        return rule.vig
    if not isinstance(rule, Line | Come):
        return family
    name = "pass" if isinstance(rule, Line) else "come"
    return name if rule.wins.value == "number" else f"dont-{name}"


def family_called(book: Book, name: str) -> str:
    """The book's name of what the floor calls so; empty: it has no such wager.

    >>> from passline.law import rulebook
    >>> family_called(rulebook("iowa"), "dont-pass"), family_called(rulebook("iowa"), "put")
    ('dont-pass', '')
    """
    return next((family for family in book.wager if floor_name(book, family) == name), "")


def is_hop(rule: AnyWager) -> bool:
    """Whether a wager is on one combination of dice, on the next roll alone."""
    return isinstance(rule, OneRoll) and all(isinstance(face, str) for face in rule.win.value)


def is_laid(book: Book, rule: OddsRule) -> bool:
    """Whether odds are laid against their number (behind a don't), not taken on it.

    >>> from passline.law import rulebook
    >>> law = rulebook("new-jersey")
    >>> [family for family, r in law.wager.items() if isinstance(r, OddsRule) and is_laid(law, r)]
    ['dont-pass-odds', 'dont-come-odds']
    """
    return flat_of(book, rule).wins.value == "seven"


def odds_numbers(book: Book) -> tuple[int, ...]:
    """The numbers that odds are taken or laid on: the points, and where a come wager travels."""
    rules = book.wager.values()
    travels = [n for rule in rules if isinstance(rule, Come) for n in rule.travels.value]
    return tuple(sorted({*book.points.value, *travels}))


def slugs_of(book: Book, family: str, rule: AnyWager) -> Iterator[tuple[str, int]]:
    """The slugs of a wager and the number each is on (0: none)."""
    if isinstance(rule, Race):
        yield from ((f"{family}-{n}", n) for n in rule.numbers.value)
    elif isinstance(rule, Come):
        yield family, 0
        yield from ((f"{family}-{n}", n) for n in rule.travels.value)
    elif isinstance(rule, OddsRule) and isinstance(flat := flat_of(book, rule), Come):
        yield from ((f"{family}-{n}", n) for n in flat.travels.value)
    elif isinstance(rule, Composite) and rule.high is not None:
        yield from ((f"{family}-{n}", n) for n in rule.high.value)
    else:
        yield family, 0


def wager_slugs(book: Book) -> tuple[str, ...]:
    """Every slug of the book, dealt or not."""
    return tuple(
        slug for family, rule in book.wager.items() for slug, _ in slugs_of(book, family, rule)
    )
