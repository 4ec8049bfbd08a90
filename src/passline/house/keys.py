"""The election keys: which there are, what each goes on with, and how an election is shown."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from passline.house.offers import elected_by, elective_offers, is_kind, is_payout, is_slug
from passline.house.payouts import odds_numbers, payouts_of, wager_slugs
from passline.law.book import Book
from passline.law.wagers import Composite, Race
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
#: Keys that go on with a wager, a payout or a number.
_OPEN = (
    "limits.max_by_wager.",
    "limits.min_by_wager.",
    "odds.multiple.",
    "pays.",
    "buy.when.",
    "lay.when.",
    "fees.",
    "chips.",
)
CHIPS = "chips."
_MONEY = ("limits.max_by_wager.", "limits.min_by_wager.")
_KEY = re.compile(r"[a-z0-9_.-]{1,100}")
_COLOUR = re.compile(r"[a-z][a-z-]{0,19}")
_MONEY_KEYS = frozenset({"limits.smallest_chip", "limits.min", "limits.max", "limits.center_min"})
MOST_BITS = 64  # of a whole number: beyond any bank
LONGEST = 60  # characters of a value that an error repeats


class ElectionError(ValueError):
    """A key that does not exist or a value that cannot be read: which, and (the message) why."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def show(value: Any) -> str:
    """A value on one line, as a house-rules file would have it.

    >>> show(True), show(Fraction(1, 20)), show(("boxperson", "dealer")), show("two\\nlines")
    ('true', '0.05', 'boxperson, dealer', 'two lines')
    """
    if value == "":
        return '""'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return _decimal(value)
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, tuple | list):
        return ", ".join(show(part) for part in value[:LONGEST]) or "[]"
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


def show_election(key: str, value: Any) -> str:
    """The value of an election as its house wrote it: money in dollars.

    >>> show_election("limits.max", 500000), show_election("limits.min", 1250)
    ('5000', '12.50')
    """
    if is_money(key) and isinstance(value, int) and not isinstance(value, bool):
        return dollars(value).removesuffix(".00")
    return show(value)


def is_money(key: str) -> bool:
    """Whether the key takes an amount of money."""
    return key in _MONEY_KEYS or key.startswith((*_MONEY, CHIPS))


def keys_of(book: Book) -> tuple[str, ...]:
    """Every election key that a house under this book has, the open ones without their ending."""
    return (*_FIXED, *book.elect)


def check_key(book: Book, key: str) -> None:
    """Refuse a key that does not exist, with the nearest that does.

    A key that names a wager which this book does not have exists all the same: that the book does
    not permit it is for lint to say.
    """
    if key in keys_of(book):
        return
    if not _KEY.fullmatch(key):  # a letter of another alphabet, say, which may look like ours
        hint = _near(key, [*keys_of(book), *_OPEN])
        raise ElectionError(
            f"there is no election {_spelled(key)} under {book.id}: keys are small letters, "
            f"digits, dots and hyphens{hint}"
        )
    stem = next((stem for stem in _OPEN if key.startswith(stem) and key != stem), "")
    if stem:
        _check_ending(book, key, stem)
    elif not _is_offer(book, key):
        known = dict.fromkeys((*keys_of(book), *elective_offers()))
        hint = _near(key, [*known, *_OPEN]) or f"; keys begin with {', '.join(_heads(known))}"
        raise ElectionError(f"there is no election {show(key)!r} under {book.id}{hint}")


def check_table(book: Book, name: str) -> None:
    """Refuse an empty table of elections that no key goes through: a misspelt one."""
    stem = f"{name}."
    if not any(key.startswith(stem) for key in (*keys_of(book), *elective_offers(), *_OPEN)):
        heads = {key.rpartition(".")[0] for key in (*keys_of(book), *_OPEN) if "." in key}
        raise ElectionError(
            f"there is no table of elections {_spelled(name)} under {book.id}"
            f"{_near(name, sorted(heads))}"
        )


def _spelled(key: str) -> str:
    """A key in quotes, every letter that only looks like another written out."""
    return ascii(key if len(key) <= LONGEST else f"{key[:LONGEST]}...")


def _is_offer(book: Book, key: str) -> bool:
    """Whether a key is an offer of some book, a part of one (``offers.fire.4``), or a wager's."""
    if any(key == offer or key.startswith(f"{offer}.") for offer in elective_offers()):
        return True
    head, _, name = key.partition(".")
    if head != "offers" or not is_kind(name):
        return False
    if elected := elected_by(book, name):
        raise ElectionError(f"{key}: {name} is elected by {elected}")
    return True


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
    if stem in _MONEY and end not in wager_slugs(book) and not is_slug(end):
        hint = _near(end, wager_slugs(book), stem)
        raise ElectionError(f"{show(key)}: there is no wager {show(end)!r} under {book.id}{hint}")
    if stem == "pays.":
        _check_payout(book, key, end)
    if stem == CHIPS and not _COLOUR.fullmatch(end):
        raise ElectionError(f"{show(key)}: expected a colour in small letters, such as chips.pink")
    if stem in {"odds.multiple.", "buy.when.", "lay.when."}:
        numbers = _numbers(book, stem)
        if end not in map(str, numbers):
            given = ", ".join(map(str, numbers)) or "none"
            raise ElectionError(f"{show(key)}: the numbers under {book.id} are {given}")


def _check_payout(book: Book, key: str, end: str) -> None:
    payouts = payouts_of(book)
    if end in payouts:
        return
    if legs := _legs(book, end):
        raise ElectionError(f"{key}: {end} is paid as its legs: {legs}")
    if end in wager_slugs(book) or not is_payout(end):
        hint = _near(end, payouts, "pays.")
        raise ElectionError(f"{show(key)}: there is no payout {show(end)!r} under {book.id}{hint}")


def unlisted(book: Book, key: str) -> str:
    """The wager or payout that a key names and the book does not have; empty where it has it.

    >>> from passline.law import rulebook
    >>> unlisted(rulebook("new-jersey"), "limits.max_by_wager.big-6")
    'big-6'
    """
    stem = next((stem for stem in (*_MONEY, "pays.") if key.startswith(stem)), "")
    end = key.removeprefix(stem)
    names = payouts_of(book) if stem == "pays." else wager_slugs(book)
    return end if stem and end not in names else ""


def _legs(book: Book, slug: str) -> str:
    rule = book.wager.get(slug) or book.wager.get(slug.rpartition("-")[0])
    return ", ".join(rule.legs.value) if isinstance(rule, Composite) else ""


def _numbers(book: Book, stem: str) -> tuple[int, ...]:
    """The numbers that odds are taken on, or that are bought or laid."""
    if stem == "odds.multiple.":
        return odds_numbers(book)
    rule = book.wager.get(stem.partition(".")[0])
    # A book without the wager: any number is read, so that lint can say what the book lacks.
    return rule.numbers.value if isinstance(rule, Race) else book.points.value
