"""The election keys: which there are, what each goes on with, and how an election is shown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from passline.house.payouts import payouts_of, wager_slugs
from passline.law.book import Book
from passline.law.wagers import Come, Composite, Race
from passline.money import dollars

_FIXED = (
    "game",
    "limits.smallest_chip",
    "limits.min",
    "limits.max",
    "limits.center_min",
    "limits.breakage",
    "odds.multiple",
    "buy.rate",
    "buy.when",
    "buy.rounding",
    "buy.base",
    "lay.rate",
    "lay.when",
    "lay.rounding",
    "lay.base",
    "dice.no_roll_by",
    "dice.set_of",
)
#: Offers that some rulebook makes elective: known under every book, so that lint can refuse them.
OFFERS = tuple(
    f"offers.{name}"
    for name in [
        "fire",
        "bonus",
        "six-seven-eight",
        "place-2",
        "place-3",
        "place-11",
        "place-12",
        "match_play",
        "buy",
        "lay",
        "place-lose",
    ]
)
#: Keys that go on with a wager, a payout or a number.
_OPEN = (
    "limits.max_by_wager.",
    "limits.min_by_wager.",
    "odds.multiple.",
    "pays.",
    "buy.when.",
    "lay.when.",
    "fees.",
)
_MONEY = ("limits.max_by_wager.", "limits.min_by_wager.")
_MONEY_KEYS = frozenset({"limits.smallest_chip", "limits.min", "limits.max", "limits.center_min"})
LARGEST = 64  # bits of a whole number: beyond any bank
LONGEST = 60  # characters of a value that an error repeats


class ElectionError(ValueError):
    """A key that does not exist or a value that cannot be read: the message says which and why."""


def show(value: Any) -> str:
    """A value on one line, as a house-rules file would have it.

    >>> show(True), show(Fraction(1, 20)), show(("boxperson", "dealer")), show("two\\nlines")
    ('true', '0.05', 'boxperson, dealer', 'two lines')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return _decimal(value)
    if isinstance(value, int) and value.bit_length() > LARGEST:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, tuple | list):
        return ", ".join(show(part) for part in value[:LONGEST])
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def _decimal(value: Fraction) -> str:
    for places in range(16):
        shifted = value * 10**places
        if shifted.denominator == 1:
            whole, part = divmod(abs(shifted.numerator), 10**places)
            sign = "-" if value < 0 else ""
            return f"{sign}{whole}" + (f".{part:0{places}d}" if places else "")
    return str(value)


def either(words: Sequence[str]) -> str:
    """Words to choose from.

    >>> either(["down", "half-up", "exact"])
    'down, half-up or exact'
    """
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def show_election(key: str, value: Any) -> str:
    """The value of an election as its house wrote it: money in dollars.

    >>> show_election("limits.max", 500000), show_election("limits.min", 1250)
    ('5000', '12.50')
    """
    if is_money(key) and isinstance(value, int):
        return dollars(value).removesuffix(".00")
    return show(value)


def is_money(key: str) -> bool:
    """Whether the key takes an amount of money."""
    return key in _MONEY_KEYS or key.startswith(_MONEY)


def keys_of(book: Book) -> tuple[str, ...]:
    """Every election key that a house under this book has, the open ones without their ending."""
    return (*_FIXED, *book.elect)


def check_key(book: Book, key: str) -> None:
    """Refuse a key that does not exist, with the nearest that does."""
    known = dict.fromkeys((*keys_of(book), *OFFERS))
    if key in known:
        return
    stem = next((stem for stem in _OPEN if key.startswith(stem) and key != stem), "")
    if stem:
        _check_ending(book, key, stem)
    elif not any(key.startswith(f"{offer}.") for offer in known if offer.startswith("offers.")):
        hint = _near(key, [*known, *_OPEN]) or f"; keys begin with {', '.join(_heads(known))}"
        raise ElectionError(f"there is no election {show(key)!r} under {book.id}{hint}")


def _heads(known: Iterable[str]) -> dict[str, None]:
    return dict.fromkeys(f"{key.partition('.')[0]}." for key in (*known, *_OPEN) if "." in key)


def _near(word: str, known: Iterable[str], lead: str = "") -> str:
    """A hint at the nearest name, or at one that the word begins."""
    known = list(known)
    near = difflib.get_close_matches(word[:LONGEST], known, 1, 0.5)
    near += [name for name in known if word and name.startswith(word)]
    return f"; did you mean {lead}{near[0]}?" if near else ""


def _check_ending(book: Book, key: str, stem: str) -> None:
    """The wager, payout or number that an open key goes on with must exist."""
    end = key.removeprefix(stem)
    if stem in _MONEY and end not in (slugs := wager_slugs(book)):
        hint = _near(end, slugs, stem)
        raise ElectionError(f"{show(key)}: there is no wager {show(end)!r} under {book.id}{hint}")
    if stem == "pays." and end not in (payouts := payouts_of(book)):
        if legs := _legs(book, end):
            raise ElectionError(f"{key}: {end} is paid as its legs: {legs}")
        hint = _near(end, payouts, stem)
        raise ElectionError(f"{show(key)}: there is no payout {show(end)!r} under {book.id}{hint}")
    if stem in {"odds.multiple.", "buy.when.", "lay.when."}:
        numbers = _numbers(book, stem)
        if end not in map(str, numbers):
            given = ", ".join(map(str, numbers)) or "none"
            raise ElectionError(f"{show(key)}: the numbers under {book.id} are {given}")


def _legs(book: Book, slug: str) -> str:
    rule = book.wager.get(slug) or book.wager.get(slug.rpartition("-")[0])
    return ", ".join(rule.legs.value) if isinstance(rule, Composite) else ""


def _numbers(book: Book, stem: str) -> tuple[int, ...]:
    """The numbers that odds are taken on, or that are bought or laid."""
    rule = book.wager.get("come" if stem == "odds.multiple." else stem.partition(".")[0])
    if isinstance(rule, Come):
        return rule.travels.value
    if isinstance(rule, Race):
        return rule.numbers.value
    # A book without the wager: any number is read, so that lint can say what the book lacks.
    return book.points.value
