"""Reading elections: what a house writes down, each value of the kind its key takes.

An election is a dotted key and a value, as in a house-rules file: ``odds.multiple = 10``. Whether
the rulebook allows the value is lint's business: a value that no book allows is read all the same,
as long as it is of the kind.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from passline.house.keys import (
    CHIPS,
    LONGEST,
    MOST_BITS,
    ElectionError,
    check_key,
    check_table,
    is_money,
    show,
)
from passline.law.book import Book
from passline.money import ROUNDINGS, AmountError, Odds, parse_dollars

#: A value as read: text, whole number, exact fraction, truth, or a list of words.
Value = str | int | bool | Fraction | tuple[str, ...]
Elections = dict[str, Value]

MOST_ELECTIONS = 1_000
_FOR = re.compile(r"(\d{1,4}) for (\d{1,4})", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d)?")


def flatten(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The dotted keys of nested tables; a table with nothing in it comes as it is.

    >>> list(flatten({"odds": {"multiple": {"4": 3}}, "limits": {}}))
    [('odds.multiple.4', 3), ('limits', {})]
    """
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def exact(text: str) -> Fraction:
    """A decimal number, exactly; no infinities, and nothing too long to compute with.

    >>> exact("0.05")
    Fraction(1, 20)
    """
    plain = text.replace("_", "")
    if not _DECIMAL.fullmatch(plain):
        raise ValueError(f"{text[:LONGEST]} is no plain number like 0.05")
    return Fraction(plain)


def value_of(text: str) -> Any:
    """A value as typed on a command line or in a record: TOML where it is TOML, else a word.

    >>> value_of("10"), value_of("A"), value_of("true"), value_of("3-4-5")
    (10, 'A', True, '3-4-5')
    """
    try:
        return tomllib.loads(f"value = {text}", parse_float=exact)["value"]
    except (ValueError, RecursionError):
        return text.strip()


def _amount(key: str, value: Any) -> int:
    wrong = ElectionError(f"{key} = {show(value)}: expected dollars like 15 or 12.50")
    if isinstance(value, str):
        try:
            return parse_dollars(value)
        except AmountError:
            raise wrong from None
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise wrong
    cents = Fraction(value) * 100
    if cents <= 0 or cents.denominator != 1:
        raise wrong
    return cents.numerator


def _rate(key: str, value: Any) -> Fraction:
    wrong = ElectionError(f"{key} = {show(value)}: expected a rate like 0.05")
    if isinstance(value, bool) or not isinstance(value, int | Fraction | str):
        raise wrong
    try:
        rate = exact(value) if isinstance(value, str) else Fraction(value)
    except ValueError:
        raise wrong from None
    if rate < 0:
        raise ElectionError(f"{key} = {show(value)}: a rate is never negative")
    return rate


def _multiple(key: str, value: Any) -> int | Fraction | str:
    if value == "3-4-5" and key == "odds.multiple":
        return "3-4-5"
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise ElectionError(
            f'{key} = {show(value)}: expected a number, "3-4-5", or a table by point'
        )
    return int(value) if Fraction(value).denominator == 1 else value


def _count(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ElectionError(f"{key} = {show(value)}: expected a whole number")
    return value


def _one_of(key: str, value: Any, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise ElectionError(f"{key} = {show(value)}: expected one of {', '.join(words)}")
    return value


def _words(key: str, value: Any, what: str) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(w, str) for w in words) or not words:
        raise ElectionError(f"{key} = {show(value)}: expected {what}")
    return tuple(words)


def odds_of(text: str) -> Odds:
    """Odds in either word: "3 for 1" counts the stake in, "2 to 1" leaves it out.

    >>> odds_of("3 for 1"), odds_of("2 to 1")
    (Odds(win=2, stake=1), Odds(win=2, stake=1))
    """
    found = _FOR.fullmatch(text.strip())
    if found is None:
        return Odds.parse(text)
    back, stake = int(found.group(1)), int(found.group(2))
    if back < stake or not stake:
        raise ValueError(f"{text!r} gives back less than the stake")
    return Odds(back - stake, stake)


def _pays(key: str, value: Any) -> str:
    try:
        odds = odds_of(value) if isinstance(value, str) else None
    except ValueError:
        odds = None
    if odds is None:
        raise ElectionError(f'{key} = {show(value)}: expected odds in a form like "9 to 5"')
    # "3 for 1" is kept as it was posted: whether that word may be used is the book's to say.
    return value.strip() if _FOR.fullmatch(value.strip()) else str(odds)


def _choice(key: str, value: Any) -> Value:
    if isinstance(value, bool | str | int):
        return value
    return _words(key, value, "true, false or a word")


def read_election(book: Book, key: str, value: Any) -> Value:
    """One election, its key known and its value of the right kind."""
    check_key(book, key)
    head, _, last = key.rpartition(".")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ElectionError(f"{key} = {show(value)}: that is beyond any table")
    if key.startswith(CHIPS) and value is False:  # a colour that this table does not use
        return False
    if is_money(key):
        return _amount(key, value)
    if key == "limits.breakage":
        return _one_of(key, value, ("refuse", "down", "up"))
    if key.startswith("odds.multiple"):
        return _multiple(key, value)
    if head == "pays":
        return _pays(key, value)
    if last == "rate" or key.startswith("fees."):
        return _rate(key, value)
    if head in {"buy.when", "lay.when"} or last == "when":
        return _one_of(key, value, ("made", "won"))
    if last == "rounding":
        return _one_of(key, value, ROUNDINGS)
    if last == "base":
        return _one_of(key, value, ("win", "stake"))
    if key == "dice.no_roll_by":
        return _words(key, value, "one or more roles")
    if key == "dice.set_of":
        return _count(key, value)
    if key == "game" and not isinstance(value, str):
        raise ElectionError(f"game = {show(value)}: expected the name of a game")
    return _choice(key, value)


def read_elections(book: Book, given: Mapping[str, Any]) -> Elections:
    """Every election of a file or a record, keys dotted or nested."""
    elections: Elections = {}
    for key, value in flatten(given):
        try:
            if isinstance(value, Mapping):
                check_table(book, key)
            else:
                elections[key] = read_election(book, key, value)
        except ElectionError as wrong:
            raise ElectionError(str(wrong), key) from None
        if len(elections) > MOST_ELECTIONS:
            raise ElectionError(f"over {MOST_ELECTIONS:,} elections: that is beyond any table")
    return elections
