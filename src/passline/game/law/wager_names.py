"""Wager slugs: the short names that records, JSON and house rules use.

Families of wagers: the slugs of each, the flat that odds stand behind, and on which side.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import assert_never

from passline.game.law.book import Book
from passline.game.law.wagers import (
    POINT_NUMBERS,
    AnyWager,
    Collect,
    Come,
    Composite,
    Face,
    Hardway,
    Line,
    OddsRule,
    OneRoll,
    Race,
)

_SLUG_NUMBERS = range(2, 13)
_HOP_SLUGS = tuple(f"hop-{a}-{b}" for a in range(1, 7) for b in range(a, 7))
_SINGLE_SLUGS = [
    "pass",
    "dont-pass",
    "come",
    "dont-come",
    "pass-odds",
    "dont-pass-odds",
    "hard-4",
    "hard-6",
    "hard-8",
    "hard-10",
    "big-6",
    "big-8",
    "field",
    "any-seven",
    "any-craps",
    "craps-2",
    "craps-3",
    "craps-12",
    "eleven",
    "c-and-e",
    "horn",
    "whirl",
    "hi-lo",
    "three-way-craps",
    "six-seven-eight",
    "fire",
    "all-small",
    "all-tall",
    "make-them-all",
]
_NUMBERED_FAMILIES = [
    "come",
    "dont-come",
    "come-odds",
    "dont-come-odds",
    "place-win",
    "place-lose",
    "buy",
    "lay",
    "horn-high",
]


@cache
def known_slugs() -> tuple[str, ...]:
    """Every slug that can be said; whether a rulebook deals it is another matter.

    >>> "place-win-6" in known_slugs(), "hop-1-1" in known_slugs(), "place-6" in known_slugs()
    (True, True, False)
    """
    numbered = [f"{family}-{n}" for family in _NUMBERED_FAMILIES for n in _SLUG_NUMBERS]
    return (*_SINGLE_SLUGS, *numbered, *_HOP_SLUGS)


def find_flat_wager(book: Book, rule: OddsRule) -> Line | Come:
    """The wager that odds stand behind."""
    flat = book.wager[rule.flat]
    assert isinstance(flat, Line | Come)
    return flat


#: What the floor calls a wager of the center on these totals, decided by the next roll.
_ONE_ROLL_NAMES: dict[frozenset[Face], str] = {
    frozenset({7}): "any-seven",
    frozenset({2, 3, 12}): "any-craps",
    frozenset({2}): "craps-2",
    frozenset({3}): "craps-3",
    frozenset({12}): "craps-12",
    frozenset({11}): "eleven",
    frozenset({6, 7, 8}): "six-seven-eight",
}
#: What it calls a wager that has these legs, as many units on each.
_COMPOSITE_NAMES = {
    frozenset({"any-craps", "eleven"}): "c-and-e",
    frozenset({"craps-2", "craps-12"}): "hi-lo",
    frozenset({"craps-2", "craps-3", "craps-12"}): "three-way-craps",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12"}): "horn",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12", "any-seven"}): "whirl",
}
#: What it calls a wager on all of these totals before a seven.
_COLLECT_NAMES = {
    frozenset(POINT_NUMBERS[:5]): "all-small",
    frozenset(POINT_NUMBERS[5:]): "all-tall",
    frozenset(POINT_NUMBERS): "make-them-all",
}


def standard_name(book: Book, family: str) -> str:
    """What the floor calls a wager, whatever its book does: by its shape. One that the floor has
    no name for goes by its book's.

    >>> from passline.game.law.load import rulebook
    >>> standard_name(rulebook("iowa"), "dont-come-odds"), standard_name(rulebook("iowa"), "field")
    ('dont-come-odds', 'field')
    """
    rule = book.wager[family]
    match rule:
        case Line() | Come():
            name = "pass" if isinstance(rule, Line) else "come"
            return name if rule.wins.value == "number" else f"dont-{name}"
        case OddsRule():
            return f"{standard_name(book, rule.flat)}-odds"
        case Race():
            return rule.vig or _name_race_without_vig(rule)
        case Hardway():
            first, _, second = rule.win.value[0].partition("-")
            return f"hard-{int(first) + int(second)}"
        case OneRoll() if rule.area == "table":
            return "field"
        case OneRoll():
            faces = rule.win.value
            if is_hop(rule):
                return f"hop-{faces[0]}"
            return _ONE_ROLL_NAMES.get(frozenset(faces), family)
        case Composite():
            legs = frozenset(standard_name(book, leg) for leg in rule.legs.value)
            alike = len(set(rule.legs.value.values())) == 1
            name = _COMPOSITE_NAMES.get(legs, "") if alike else ""
            return (f"{name}-high" if rule.high is not None else name) if name else family
        case Collect():
            if rule.counts.value == "points-made":
                return "fire"
            return _COLLECT_NAMES.get(frozenset(rule.needs.value), family)
        case _:
            assert_never(rule)


def _name_race_without_vig(rule: Race) -> str:
    """A race without vigorish: place, to win or to lose; at even money it is the big 6 or 8."""
    if rule.wins.value == "seven":
        return "place-lose"
    return "big" if {pay.odds for pay in rule.pays} == {"1 to 1"} else "place-win"


def standard_names(book: Book) -> dict[str, str]:
    """Every wager of a book, and the floor's name for it. Of two that the floor calls the same,
    the first has the name, and the other goes by its book's.
    """
    found: dict[str, str] = {}
    for family in book.wager:
        name = standard_name(book, family)
        found[family] = family if name in found.values() else name
    return found


def find_family(book: Book, name: str) -> str:
    """The book's name of what the floor calls so; empty: it has no such wager.

    >>> from passline.game.law.load import rulebook
    >>> find_family(rulebook("iowa"), "dont-pass"), find_family(rulebook("iowa"), "put")
    ('dont-pass', '')
    """
    return next((own for own, floor in standard_names(book).items() if floor == name), "")


def is_hop(rule: AnyWager) -> bool:
    """Whether a wager is on one combination of dice, on the next roll alone."""
    if not isinstance(rule, OneRoll):
        return False
    return len(rule.win.value) == 1 and isinstance(rule.win.value[0], str)


def is_laid(book: Book, rule: OddsRule) -> bool:
    """Whether odds are laid against their number (behind a don't), not taken on it.

    >>> from passline.game.law.load import rulebook
    >>> law = rulebook("new-jersey")
    >>> [family for family, r in law.wager.items() if isinstance(r, OddsRule) and is_laid(law, r)]
    ['dont-pass-odds', 'dont-come-odds']
    """
    return find_flat_wager(book, rule).wins.value == "seven"


def odds_numbers(book: Book) -> tuple[int, ...]:
    """The numbers that odds are taken or laid on: the points, and where a come wager travels."""
    rules = book.wager.values()
    travels = [n for rule in rules if isinstance(rule, Come) for n in rule.travels.value]
    return tuple(sorted({*book.points.value, *travels}))


def iter_slugs(book: Book, family: str, rule: AnyWager) -> Iterator[tuple[str, int]]:
    """The slugs of a wager and the number each is on (0: none)."""
    if isinstance(rule, Race):
        yield from ((f"{family}-{n}", n) for n in rule.numbers.value)
    elif isinstance(rule, Come):
        yield family, 0
        yield from ((f"{family}-{n}", n) for n in rule.travels.value)
    elif isinstance(rule, OddsRule) and isinstance(flat := find_flat_wager(book, rule), Come):
        yield from ((f"{family}-{n}", n) for n in flat.travels.value)
    elif isinstance(rule, Composite) and rule.high is not None:
        yield from ((f"{family}-{n}", n) for n in rule.high.value)
    else:
        yield family, 0


def wager_slugs(book: Book) -> tuple[str, ...]:
    """Every slug of the book, dealt or not."""
    return tuple(
        slug for family, rule in book.wager.items() for slug, _ in iter_slugs(book, family, rule)
    )
