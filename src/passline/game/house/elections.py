"""Elections: the keys that a house may set, and parsing of their values.

An election is a dotted key and a value, as in a house-rules file: ``odds.multiple = 10``. This
module checks that the key exists and that the value has the right type. ``lint`` checks whether the
rulebook allows the value.

If the house's own book has no wager of the name in a key, this module looks in the other books, so
that lint can report that this book does not allow it. Only then are other books read.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from passline.game.house.payouts import find_payouts
from passline.game.house.rule_elections import BAR_KEY, LEFT_OUT, RULE_KINDS, find_group
from passline.game.law.book import Book
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.race import Race
from passline.game.law.wager_names import iter_slugs, known_slugs, odds_numbers, wager_slugs
from passline.game.money.amounts import AmountError, Odds, parse_dollars, to_dollars
from passline.game.money.rounding import ROUNDINGS

_OFFERS_PREFIX = "offers."


def list_elective_offers() -> tuple[str, ...]:
    """Return every key ``offers.KEY`` that some shipped rulebook lets a house elect."""
    keys = (key for name in BOOKS for key in rulebook(name).elect if key.startswith(_OFFERS_PREFIX))
    return tuple(dict.fromkeys(keys))


def _is_known_slug(name: str) -> bool:
    return name in known_slugs() or any(name in wager_slugs(rulebook(book)) for book in BOOKS)


def _find_wager(book: Book, name: str) -> AnyWager | None:
    for family, rule in book.wager.items():
        if name == family or name in dict(iter_slugs(book, family, rule)):
            return rule
    return None


def is_always_dealt(book: Book, name: str) -> bool:
    """Return whether this book deals a wager or promotion by itself, without an election.

    ``name`` is how an election of another book names it: ``offers.NAME``.
    """
    if name == "match_play":
        return bool(book.tender.match_play.value)
    if name == "shootout":
        return book.shootout is not None
    if name in LEFT_OUT:
        return any(find_group(book, rule) == name for rule in book.wager.values())
    if _find_wager(book, name) is not None:
        return True
    return any(_deals_same_wager(book, rulebook(o), name) for o in BOOKS)


def _deals_same_wager(book: Book, other: Book, name: str) -> bool:
    """Return whether this book always deals what ``other`` lets a house elect as ``offers.NAME``.

    ``name`` is a wager, or a wager and its number.
    """
    for family, rule in other.wager.items():
        own = book.wager.get(family)
        if own is not None and rule.offer == name:
            return True
        on = [n for pay in rule.pays if pay.elect.startswith(f"{name}=") for n in pay.on]
        if own is not None and on and set(on) <= set(own.list_numbers(book)):
            return True
    return False


_MONEY_KEYS = ("limits.smallest_chip", "limits.min", "limits.max", "limits.center_min")
_FIXED_KEYS = (
    "game",
    *_MONEY_KEYS,
    "limits.breakage",
    "odds.multiple",
    *(f"{which}.{key}" for which in ("buy", "lay") for key in ("rate", "when", "rounding", "base")),
    "dice.no_roll_by",
    "dice.set_of",
    BAR_KEY,
)
CHIPS_PREFIX = "chips."
_LIMIT_PREFIXES = ("limits.max_by_wager.", "limits.min_by_wager.")
#: Keys that are completed by a wager, a payout or a number.
_NUMBER_PREFIXES = ("odds.multiple.", "buy.when.", "lay.when.")
_KEY_PREFIXES = (
    *_LIMIT_PREFIXES,
    *_NUMBER_PREFIXES,
    "pays.",
    "fees.",
    CHIPS_PREFIX,
    *RULE_KINDS,
)
_KEY_PATTERN = re.compile(r"[a-z0-9_.-]{1,100}")
_COLOR_PATTERN = re.compile(r"[a-z][a-z-]{0,19}")
MAX_BITS = 64  # The largest integer that is accepted, in bits.
MAX_SHOWN_LENGTH = 60  # The most characters of a value that an error message repeats.


class ElectionError(ValueError):
    """Raised for a key that does not exist, or a value that cannot be read. The message says why.

    ``expected`` says what the value must be, without the key; empty if the key is wrong.
    """

    def __init__(self, message: str, key: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.key, self.expected = key, expected


def show_value(value: Any) -> str:
    """Return an election's value on one line, written as in a house-rules file; cut off if long.

    >>> show_value(True), show_value(Fraction(1, 20)), show_value(("boxperson", "dealer"))
    ('true', '0.05', 'boxperson, dealer')
    >>> show_value("two\\nlines")
    'two lines'
    """
    if value == "":
        return '""'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return _show_decimal(value)
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, tuple | list):
        return ", ".join(show_value(part) for part in value[:MAX_SHOWN_LENGTH]) or "[]"
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= MAX_SHOWN_LENGTH else text[:MAX_SHOWN_LENGTH] + "..."


def _show_decimal(value: Fraction) -> str:
    for places in range(16):
        shifted = value * 10**places
        if shifted.denominator == 1:
            whole, part = divmod(abs(shifted.numerator), 10**places)
            sign = "-" if value < 0 else ""
            return f"{sign}{whole}" + (f".{part:0{places}d}" if places else "")
    return str(value)


def show_election(key: str, value: Any) -> str:
    """Return the value of an election as the house wrote it, with money in dollars.

    >>> show_election("limits.max", 500000), show_election("limits.min", 1250)
    ('5000', '12.50')
    """
    if is_money(key) and isinstance(value, int) and not isinstance(value, bool):
        return to_dollars(value).removesuffix(".00")
    return show_value(value)


def is_money(key: str) -> bool:
    """Return whether an election key takes an amount of money."""
    return key in _MONEY_KEYS or key.startswith((*_LIMIT_PREFIXES, CHIPS_PREFIX))


def list_keys(book: Book) -> tuple[str, ...]:
    """Return the election keys of a book that are complete as they are.

    Other keys end with the name of a wager or a number.
    """
    return (*_FIXED_KEYS, *book.elect)


def check_key(book: Book, key: str) -> None:
    """Raise ElectionError, with the nearest key, if a key does not exist.

    A key that names a wager of another book is accepted here; lint reports it.
    """
    if key in list_keys(book):
        return
    # A letter may belong to another alphabet and look like a Latin one.
    if not _KEY_PATTERN.fullmatch(key):
        hint = _suggest_name(key, [*list_keys(book), *_KEY_PREFIXES])
        raise ElectionError(
            f"there is no house rule {_quote_key(key)} under {book.id}: keys are small letters, "
            f"digits, dots and hyphens{hint}"
        )
    stem = next((stem for stem in _KEY_PREFIXES if key.startswith(stem) and key != stem), "")
    if stem:
        _check_ending(book, key, stem)
    elif not _is_offer(book, key):
        known = dict.fromkeys((*list_keys(book), *list_elective_offers(), *_KEY_PREFIXES))
        heads = dict.fromkeys(f"{one.partition('.')[0]}." for one in known if "." in one)
        hint = _suggest_name(key, known) or f"; keys begin with {', '.join(heads)}"
        raise ElectionError(f"there is no house rule {show_value(key)!r} under {book.id}{hint}")


def check_table(book: Book, name: str) -> None:
    """Raise ElectionError for an empty TOML table, unless a key begins with its name."""
    keys = (*list_keys(book), *_KEY_PREFIXES)
    if not any(key.startswith(f"{name}.") for key in (*keys, *list_elective_offers())):
        heads = {key.rpartition(".")[0] for key in keys if "." in key}
        raise ElectionError(
            f"there is no table of house rules {_quote_key(name)} under {book.id}"
            f"{_suggest_name(name, sorted(heads))}"
        )


def _quote_key(key: str) -> str:
    """Return a key in quotes, shortened, with letters outside ASCII written as escapes."""
    return ascii(key if len(key) <= MAX_SHOWN_LENGTH else f"{key[:MAX_SHOWN_LENGTH]}...")


def _is_offer(book: Book, key: str) -> bool:
    """Return whether a key ``offers.NAME`` is about a wager of some book, or an option of one.

    A key such as ``offers.fire.4`` is about an option. Raise ElectionError if this book has another
    key for that wager.
    """
    if any(key == offer or key.startswith(f"{offer}.") for offer in list_elective_offers()):
        return True
    head, _, name = key.partition(".")
    known = (
        name in LEFT_OUT
        or _is_known_slug(name)
        or any(name in rulebook(other).wager for other in BOOKS)
    )
    if head != "offers" or not known:
        return False
    rule = _find_wager(book, name)
    if rule is not None and rule.offer:
        raise ElectionError(f"{key}: {name} is elected by {_OFFERS_PREFIX}{rule.offer}")
    return True


def _suggest_name(word: str, known: Iterable[str], lead: str = "") -> str:
    """Return "; did you mean ...?" with a similar name, or one that begins with ``word``; or "".

    ``lead`` is written before the name.
    """
    known = list(known)
    near = difflib.get_close_matches(word[:MAX_SHOWN_LENGTH], known, 1, 0.5)
    near += [name for name in known if word and name.startswith(word)]
    return f"; did you mean {lead}{near[0]}?" if near else ""


def _check_ending(book: Book, key: str, stem: str) -> None:
    """Raise ElectionError if the wager, payout, color or number that ends a key does not exist.

    ``stem`` is the key without that ending.
    """
    end = key.removeprefix(stem)
    if stem in _LIMIT_PREFIXES and end not in wager_slugs(book) and not _is_known_slug(end):
        hint = _suggest_name(end, wager_slugs(book), stem)
        raise ElectionError(
            f"{show_value(key)}: there is no wager {show_value(end)!r} under {book.id}{hint}"
        )
    if stem == "pays.":
        _check_payout(book, key, end)
    if stem in RULE_KINDS and end not in RULE_KINDS[stem]:
        known = ", ".join(RULE_KINDS[stem])
        raise ElectionError(f"{show_value(key)}: expected a kind of wager: {known}")
    if stem == CHIPS_PREFIX and not _COLOR_PATTERN.fullmatch(end):
        raise ElectionError(
            f"{show_value(key)}: expected a color in small letters, such as chips.pink"
        )
    if stem in _NUMBER_PREFIXES:
        numbers = _list_key_numbers(book, stem)
        if end not in map(str, numbers):
            given = ", ".join(map(str, numbers)) or "none"
            raise ElectionError(f"{show_value(key)}: the numbers under {book.id} are {given}")


def _check_payout(book: Book, key: str, end: str) -> None:
    payouts = find_payouts(book)
    if end in payouts:
        return
    if legs := _show_legs(book, end):
        raise ElectionError(f"{key}: {end} is paid as its legs: {legs}")
    others = any(end in find_payouts(rulebook(other)) for other in BOOKS)
    if end in wager_slugs(book) or not (others or _is_known_slug(end)):
        hint = _suggest_name(end, payouts, "pays.")
        raise ElectionError(
            f"{show_value(key)}: there is no payout {show_value(end)!r} under {book.id}{hint}"
        )


def find_unlisted_name(book: Book, key: str) -> str:
    """Return the wager or payout that a key names and this book does not have, or "".

    >>> from passline.game.law.load import rulebook
    >>> find_unlisted_name(rulebook("new-jersey"), "limits.max_by_wager.big-6")
    'big-6'
    """
    stem = next((stem for stem in (*_LIMIT_PREFIXES, "pays.") if key.startswith(stem)), "")
    end = key.removeprefix(stem)
    names = find_payouts(book) if stem == "pays." else wager_slugs(book)
    return end if stem and end not in names else ""


def _show_legs(book: Book, slug: str) -> str:
    rule = book.wager.get(slug) or book.wager.get(slug.rpartition("-")[0])
    return ", ".join(rule.find_legs(book, 0)) if rule is not None else ""


def _list_key_numbers(book: Book, stem: str) -> tuple[int, ...]:
    """Return the numbers that may end a key which begins with ``stem``, such as ``buy.when.``."""
    if stem == "odds.multiple.":
        return odds_numbers(book)
    rule = book.wager.get(stem.partition(".")[0])
    # If the book lacks the wager, accept any number, so that lint can report the missing wager.
    return rule.numbers.value if isinstance(rule, Race) else book.points.value


#: The value of an election: text, integer, exact fraction, true or false, or a list of words.
ElectionValue = str | int | bool | Fraction | tuple[str, ...]
Elections = dict[str, ElectionValue]

MAX_ELECTIONS = 1_000
_FOR_PATTERN = re.compile(r"(\d{1,4}) for (\d{1,4})", re.ASCII)
_DECIMAL_PATTERN = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d)?")


def flatten_keys(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, value) for nested tables. An empty table is yielded as a value.

    >>> list(flatten_keys({"odds": {"multiple": {"4": 3}}, "limits": {}}))
    [('odds.multiple.4', 3), ('limits', {})]
    """
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            yield from flatten_keys(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def select_elections(elected: Elections, stem: str) -> dict[str, Any]:
    """Return {rest of the key: value} for the elections whose keys begin with ``stem``."""
    return {key.removeprefix(stem): elected[key] for key in elected if key.startswith(stem)}


def parse_decimal(text: str) -> Fraction:
    """Return a decimal number exactly. Raise ValueError for infinities and overlong numbers.

    >>> parse_decimal("0.05")
    Fraction(1, 20)
    """
    plain = text.replace("_", "")
    if not _DECIMAL_PATTERN.fullmatch(plain):
        raise ValueError(f"{text[:MAX_SHOWN_LENGTH]} is no plain number like 0.05")
    return Fraction(plain)


def parse_value(text: str) -> Any:
    """Return a value typed on a command line or in a record: read as TOML, or else as text.

    >>> parse_value("10"), parse_value("A"), parse_value("true"), parse_value("3-4-5")
    (10, 'A', True, '3-4-5')
    """
    try:
        return tomllib.loads(f"value = {text}", parse_float=parse_decimal)["value"]
    except (ValueError, RecursionError):
        return text.strip()


def _refuse_value(key: str, value: Any, expected: str) -> ElectionError:
    return ElectionError(f"{key} = {show_value(value)}: {expected}", key, expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _read_amount(key: str, value: Any) -> int:
    error = _refuse_value(key, value, "expected dollars like 15 or 12.50")
    if isinstance(value, str):
        try:
            return parse_dollars(value)
        except AmountError:
            raise error from None
    cents = Fraction(value) * 100 if _is_number(value) else Fraction(0)
    if cents <= 0 or cents.denominator != 1:
        raise error
    return cents.numerator


def _read_rate(key: str, value: Any) -> Fraction:
    error = _refuse_value(key, value, "expected a rate like 0.05")
    if not _is_number(value) and not isinstance(value, str):
        raise error
    try:
        rate = parse_decimal(value) if isinstance(value, str) else Fraction(value)
    except ValueError:
        raise error from None
    if rate < 0:
        raise _refuse_value(key, value, "a rate is never negative")
    return rate


def _read_multiple(key: str, value: Any) -> int | Fraction | str:
    if value == "3-4-5" and key == "odds.multiple":
        return "3-4-5"
    if not _is_number(value):
        raise _refuse_value(key, value, 'expected a number, "3-4-5", or a table by point')
    return int(value) if Fraction(value).denominator == 1 else Fraction(value)


def _read_count(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refuse_value(key, value, "expected a whole number")
    return value


def _read_word(key: str, value: Any, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise _refuse_value(key, value, f"expected one of {', '.join(words)}")
    return value


def _read_truth(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refuse_value(key, value, "expected true or false")
    return value


def _read_words(key: str, value: Any, what: str) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(w, str) for w in words) or not words:
        raise _refuse_value(key, value, f"expected {what}")
    return tuple(words)


def parse_odds(text: str) -> Odds:
    """Parse odds in either form: "3 for 1" includes the stake, "2 to 1" does not.

    Raise ValueError for any other text.

    >>> parse_odds("3 for 1"), parse_odds("2 to 1")
    (Odds(win=2, stake=1), Odds(win=2, stake=1))
    """
    found = _FOR_PATTERN.fullmatch(text.strip())
    if found is None:
        return Odds.parse(text)
    back, stake = int(found.group(1)), int(found.group(2))
    if back < stake or not stake:
        raise ValueError(f"{text!r} gives back less than the stake")
    return Odds(back - stake, stake)


def _read_payout(key: str, value: Any) -> str:
    try:
        odds = parse_odds(value) if isinstance(value, str) else None
    except ValueError:
        odds = None
    if odds is None:
        raise _refuse_value(key, value, 'expected odds in a form like "9 to 5"')
    # Keep "3 for 1" as text: lint checks whether the book allows that form.
    return value.strip() if _FOR_PATTERN.fullmatch(value.strip()) else str(odds)


def _read_choice(key: str, value: Any) -> ElectionValue:
    if isinstance(value, bool | str | int):
        return value
    return _read_words(key, value, "true, false or a word")


def read_election(book: Book, key: str, value: Any) -> ElectionValue:
    """Return the value of one election, converted to the type of its key, such as dollars to cents.

    Raise ElectionError if the key does not exist or the value has the wrong type.
    """
    check_key(book, key)
    head, _, last = key.rpartition(".")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise _refuse_value(key, value, "that is beyond any table")
    # False means that this table does not use this color.
    if key.startswith(CHIPS_PREFIX) and value is False:
        return False
    if is_money(key):
        return _read_amount(key, value)
    if key == "limits.breakage":
        return _read_word(key, value, ("refuse", "down", "up"))
    if key.startswith("odds.multiple"):
        return _read_multiple(key, value)
    if head == "pays":
        return _read_payout(key, value)
    if last == "rate" or key.startswith("fees."):
        return _read_rate(key, value)
    if head in {"buy.when", "lay.when"} or last == "when":
        return _read_word(key, value, ("made", "won"))
    if last == "rounding":
        return _read_word(key, value, ROUNDINGS)
    if last == "base":
        return _read_word(key, value, ("win", "stake"))
    if key.startswith("working."):
        return _read_word(key, value, ("on", "off"))
    if key.startswith(("call_off.", "stays.")):
        return _read_truth(key, value)
    if key == BAR_KEY:
        return _read_count(key, value)
    if key == "dice.no_roll_by":
        return _read_words(key, value, "one or more roles")
    if key == "dice.set_of":
        return _read_count(key, value)
    if key == "game" and not isinstance(value, str):
        raise ElectionError(f"game = {show_value(value)}: expected the name of a game")
    return _read_choice(key, value)


def read_elections(book: Book, given: Mapping[str, Any]) -> Elections:
    """Convert all elections of a file or record, and return them by dotted key.

    ``given`` has dotted keys or nested dicts. Raise ElectionError for an election that cannot be
    read, with its key, and if there are over ``MAX_ELECTIONS``.
    """
    elections: Elections = {}
    for key, value in flatten_keys(given):
        try:
            if isinstance(value, Mapping):
                check_table(book, key)
            else:
                elections[key] = read_election(book, key, value)
        except ElectionError as error:
            raise ElectionError(str(error), key, error.expected) from None
        if len(elections) > MAX_ELECTIONS:
            raise ElectionError(f"over {MAX_ELECTIONS:,} elections: that is beyond any table")
    return elections
