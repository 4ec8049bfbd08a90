"""Lint of odds multiples: within what the book lets be taken and laid behind a flat wager."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.finding import Finding, finding
from passline.house.house import THREE_FOUR_FIVE, House
from passline.house.keys import show
from passline.law.cited import Cited
from passline.law.wagers import Odds as OddsRule

_LAID = ("dont-pass", "dont-come")


def check_odds(house: House) -> Iterator[Finding]:
    """Every multiple elected, for the whole table or for one point."""
    for key, value in house.elections.items():
        if not key.startswith("odds.multiple"):
            continue
        multiples = THREE_FOUR_FIVE.values() if value == "3-4-5" else (value,)
        least, most = min(map(int, multiples)), max(map(int, multiples))  # type: ignore[arg-type]
        cites: list[str] = []
        allowed: dict[str, str] = {}
        for side, low, high in _bounds(house):
            if least < low.value:
                cites += low.clauses or (low.cite,)
            if most > high.value:
                cites += high.clauses or (high.cite,)
            allowed[side] = f"{low.value} to {high.value}"
        if cites:
            yield finding(key, show(value), _expected(allowed), cites)


def _expected(allowed: dict[str, str]) -> str:
    ranges = dict.fromkeys(allowed.values())
    if len(ranges) == 1:
        return f"{next(iter(ranges))}"
    return " and ".join(f"{words} {side}" for side, words in allowed.items())


def _bounds(house: House) -> Iterator[tuple[str, Cited[int], Cited[int]]]:
    """The least and the most for odds taken, then for odds laid, where the book has them."""
    odds = house.book.odds
    yield "taken", odds.least, odds.most
    rules = house.book.wager.values()
    if any(isinstance(rule, OddsRule) and rule.flat in _LAID for rule in rules):
        yield "laid", odds.laid_least or odds.least, odds.laid_most or odds.most
