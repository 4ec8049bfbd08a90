"""Odds and vigorish of a rulebook, checked: multiples for every number, rates, choices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passline.law.book import Book, Vig
from passline.law.cited import Cited
from passline.law.families import is_laid, odds_numbers
from passline.law.places import key_path
from passline.law.wagers import NUMBERS, Line, OddsRule, Race
from passline.law.wagers import Come as ComeRule

_RATE = re.compile(r"0(\.\d{1,6})?")


def check_odds(book: Book) -> Iterator[str]:
    """How much odds a flat carries must be said for every number that has them."""
    limits = book.odds
    for key in ("taken", "laid", "three_four_five"):
        yield from _check_table(f"odds.{key}", getattr(limits, key))
    for least, most in (("least", "most"), ("laid_least", "laid_most")):
        low, high = getattr(limits, least), getattr(limits, most)
        if low is not None and low.value < 1:
            yield f"odds.{least}: {low.value} is no multiple: expected 1 or more"
        if low is not None and high is not None and low.value > high.value:
            yield f"odds.{least}: {low.value} is over odds.{most}, {high.value}"
    default = limits.default
    if default is not None and isinstance(default.value, int) and default.value < 1:
        yield f"odds.default: {default.value} is no multiple: expected 1 or more"
    yield from _check_default_fits(book)
    yield from _check_reach(book)


def _check_default_fits(book: Book) -> Iterator[str]:
    """What is dealt where nobody elects is a multiple that a house may elect."""
    limits = book.odds
    default = limits.default.value if limits.default is not None else None
    if not isinstance(default, int) or default < 1:
        return
    if limits.least is not None and default < limits.least.value:
        yield f"odds.default: {default} is under odds.least, {limits.least.value}"
    if limits.most is not None and default > limits.most.value:
        yield f"odds.default: {default} is over odds.most, {limits.most.value}"


def _check_table(path: str, table: dict[str, Cited[int]]) -> Iterator[str]:
    seen: set[str] = set()
    for key, multiple in table.items():
        where = key_path(path, key)
        for word in key.split() or [""]:
            if not word.isdigit() or int(word) not in NUMBERS:
                yield f'{where}: {word!r} is no number: expected numbers in a form like "4 10"'
            elif word in seen:
                yield f"{where}: {word} stands there twice"
            seen.add(word)
        if multiple.value < 1:
            yield f"{where}: {multiple.value} is no multiple: expected 1 or more"


def _sides(book: Book) -> set[bool]:
    """Whether the book has taken odds (False), laid odds (True), or both."""
    return {
        is_laid(book, rule)
        for rule in book.wager.values()
        if isinstance(rule, OddsRule) and isinstance(book.wager.get(rule.flat), Line | ComeRule)
    }


def _check_reach(book: Book) -> Iterator[str]:
    """No multiple is ever guessed: by default, or printed for every number."""
    limits, sides = book.odds, _sides(book)
    if True in sides and limits.laid_by is None:
        yield "odds.laid_by: what limits laid odds is not said: expected stake or win"
    if True in sides and book.changes.dont_odds_basis is None:
        yield "changes.dont_odds_basis: it is not said what laid odds are measured by"
    everywhere = {n for key in limits.three_four_five for n in key.split()}
    for number in odds_numbers(book) if sides else ():
        if str(number) not in everywhere:
            yield f"odds.three_four_five: what 3-4-5 odds are on {number} is not said"
    default = limits.default.value if limits.default is not None else None
    for laid in sorted(sides):
        printed = limits.laid if laid else limits.taken
        reached = {n for key in printed for n in key.split()}
        if default == "3-4-5":
            reached |= everywhere
        missing = [str(n) for n in odds_numbers(book) if str(n) not in reached]
        if missing and not isinstance(default, int):
            side = "laid" if laid else "taken"
            yield f"odds.default: no multiple is given for odds {side} on {', '.join(missing)}"


def check_vig(book: Book) -> Iterator[str]:
    """Rates that are rates, and choices that have the book's own among them."""
    for which, vig in book.vig.items():
        path = f"vig.{which}"
        for key in ("rate", "most"):
            rate = getattr(vig, key).value
            if not _RATE.fullmatch(rate):
                yield f"{path}.{key}: {rate!r} is no rate: expected a form like 0.05"
        yield from _check_choices(path, vig)
        races = [r for r in book.wager.values() if isinstance(r, Race) and r.vig == which]
        if not races:
            yield f"{path}: no wager pays it"
        numbers = {number for race in races for number in race.numbers.value}
        for number in vig.won_on.value if vig.won_on is not None else ():
            if number not in numbers:
                yield f"{path}.won_on: no wager that pays it is on {number}"


def _check_choices(path: str, vig: Vig) -> Iterator[str]:
    rates = (vig.rate.value, vig.most.value)
    if all(_RATE.fullmatch(rate) for rate in rates) and float(rates[0]) > float(rates[1]):
        yield f"{path}.rate: {rates[0]} is over the most, {rates[1]}"
    if vig.base.value not in vig.bases.value:
        yield f"{path}.base: {vig.base.value!r} is not among the bases"
    if vig.when.value not in vig.whens.value:
        yield f"{path}.when: {vig.when.value!r} is not among the whens"
