"""Families of wagers: the slugs of each, the flat that odds stand behind, and on which side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from passline.law.book import Book
from passline.law.wagers import (
    NUMBERS,
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


def flat_of(book: Book, rule: OddsRule) -> Line | Come:
    """The wager that odds stand behind."""
    flat = book.wager[rule.flat]
    assert isinstance(flat, Line | Come)
    return flat


#: What the floor calls a wager of the center on these totals, decided by the next roll.
_ONE_ROLL: dict[frozenset[Face], str] = {
    frozenset({7}): "any-seven",
    frozenset({2, 3, 12}): "any-craps",
    frozenset({2}): "craps-2",
    frozenset({3}): "craps-3",
    frozenset({12}): "craps-12",
    frozenset({11}): "eleven",
    frozenset({6, 7, 8}): "six-seven-eight",
}
#: What it calls a wager that has these legs, as many units on each.
_LEGS = {
    frozenset({"any-craps", "eleven"}): "c-and-e",
    frozenset({"craps-2", "craps-12"}): "hi-lo",
    frozenset({"craps-2", "craps-3", "craps-12"}): "three-way-craps",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12"}): "horn",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12", "any-seven"}): "whirl",
}
#: What it calls a wager on all of these totals before a seven.
_GATHERED = {
    frozenset(NUMBERS[:5]): "all-small",
    frozenset(NUMBERS[5:]): "all-tall",
    frozenset(NUMBERS): "make-them-all",
}


def floor_name(book: Book, family: str) -> str:
    """What the floor calls a wager, whatever its book does: by its shape. One that the floor has
    no name for goes by its book's.

    >>> from passline.law import rulebook
    >>> floor_name(rulebook("iowa"), "dont-come-odds"), floor_name(rulebook("iowa"), "field")
    ('dont-come-odds', 'field')
    """
    rule = book.wager[family]
    match rule:
        case Line() | Come():
            name = "pass" if isinstance(rule, Line) else "come"
            return name if rule.wins.value == "number" else f"dont-{name}"
        case OddsRule():
            return f"{floor_name(book, rule.flat)}-odds"
        case Race():
            return rule.vig or _unvigged(rule)
        case Hardway():
            first, _, second = rule.win.value[0].partition("-")
            return f"hard-{int(first) + int(second)}"
        case OneRoll() if rule.area == "table":
            return "field"
        case OneRoll():
            faces = rule.win.value
            if is_hop(rule):
                return f"hop-{faces[0]}"
            return _ONE_ROLL.get(frozenset(faces), family)
        case Composite():
            legs = frozenset(floor_name(book, leg) for leg in rule.legs.value)
            alike = len(set(rule.legs.value.values())) == 1
            name = _LEGS.get(legs, "") if alike else ""
            return (f"{name}-high" if rule.high is not None else name) if name else family
        case Collect():
            if rule.counts.value == "points-made":
                return "fire"
            return _GATHERED.get(frozenset(rule.needs.value), family)
        case _:
            assert_never(rule)


def _unvigged(rule: Race) -> str:
    """A race without vigorish: place, to win or to lose; at even money it is the big 6 or 8."""
    if rule.wins.value == "seven":
        return "place-lose"
    return "big" if {pay.odds for pay in rule.pays} == {"1 to 1"} else "place-win"


def floor_names(book: Book) -> dict[str, str]:
    """Every wager of a book, and the floor's name for it. Of two that the floor calls the same,
    the first has the name, and the other goes by its book's.
    """
    found: dict[str, str] = {}
    for family in book.wager:
        name = floor_name(book, family)
        found[family] = family if name in found.values() else name
    return found


def family_called(book: Book, name: str) -> str:
    """The book's name of what the floor calls so; empty: it has no such wager.

    >>> from passline.law import rulebook
    >>> family_called(rulebook("iowa"), "dont-pass"), family_called(rulebook("iowa"), "put")
    ('dont-pass', '')
    """
    return next((own for own, floor in floor_names(book).items() if floor == name), "")


def is_hop(rule: AnyWager) -> bool:
    """Whether a wager is on one combination of dice, on the next roll alone."""
    if not isinstance(rule, OneRoll):
        return False
    return len(rule.win.value) == 1 and isinstance(rule.win.value[0], str)


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
