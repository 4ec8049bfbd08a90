"""Lint of odds: multiples within the book's range, and no other limit that undercuts its least."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from passline.house.finding import Finding, clauses_of, finding
from passline.house.house import House, three_four_five
from passline.house.limits import limits_of
from passline.house.payouts import flat_of, is_laid, lines_for, slugs_of
from passline.law.cited import Cited
from passline.law.wagers import OddsRule
from passline.money import show_dollars

_MAX, _MIN = "limits.max_by_wager.", "limits.min_by_wager."


def lint_odds(house: House) -> Iterator[Finding]:
    """Every multiple elected, for the whole table or for one point; then limits in dollars."""
    for key, value in house.elections.items():
        if key.startswith("odds.multiple"):
            yield from _check_multiple(house, key, value)
    for family, rule in house.book.wager.items():
        if isinstance(rule, OddsRule):
            for slug, number in slugs_of(house.book, family, rule):
                yield from _check_dollars(house, rule, slug, number)


def _check_multiple(house: House, key: str, value: object) -> Iterator[Finding]:
    multiples = three_four_five(house.book).values() if value == "3-4-5" else (value,)
    times = [m for m in multiples if isinstance(m, int | Fraction)]
    broken: list[Cited[int]] = []
    allowed: dict[str, str] = {}
    for side, low, high in _bounds(house):
        broken += [low] if min(times) < low.value else []
        broken += [high] if high is not None and max(times) > high.value else []
        allowed[side] = f"{low.value} or more" if high is None else f"{low.value} to {high.value}"
    if broken:
        yield finding(key, value, _expected(allowed), clauses_of(*broken))


def _expected(allowed: dict[str, str]) -> str:
    ranges = dict.fromkeys(allowed.values())
    if len(ranges) == 1:
        return f"{next(iter(ranges))}"
    return " and ".join(f"{words} {side}" for side, words in allowed.items())


def _bounds(house: House) -> Iterator[tuple[str, Cited[int], Cited[int] | None]]:
    """The least and the most (None: there is none) for odds taken, then for odds laid, where the
    book has them."""
    odds = house.book.odds
    yield "taken", odds.least, odds.most
    rules = house.book.wager.values()
    if any(isinstance(rule, OddsRule) and is_laid(house.book, rule) for rule in rules):
        yield "laid", odds.laid_least or odds.least, odds.laid_most or odds.most


def _check_dollars(house: House, rule: OddsRule, slug: str, number: int) -> Iterator[Finding]:
    """Limits of its own in dollars: they leave every flat wager the least multiple of the book."""
    if slug not in house.max_by_wager and slug not in house.min_by_wager:
        return
    odds, title = house.book.odds, flat_of(house.book, rule).title.lower()
    least = (odds.laid_least if is_laid(house.book, rule) else None) or odds.least
    cites = clauses_of(least)
    if rule.limited_by in cites:
        cites = (rule.limited_by, *cites)
    low, high = _guaranteed(house, rule, slug, number)
    low, high = low * least.value, high * least.value
    if odds.posted_max.value:
        high = min(high, Fraction(house.maximum))
    takes = f"{title} wager takes odds of {least.value} times"
    if house.max_by_wager.get(slug, high) < high:
        allowed = f"at least {_dollars(high)}, so that the largest {takes}"
        yield finding(_MAX + slug, house.max_by_wager[slug], allowed, cites)
    if odds.under_min is not None and odds.under_min.cites:  # odds under any minimum are taken
        low, cites = Fraction(house.chip), odds.under_min.clauses
        takes = f"{title} wager takes odds under the table's minimum"
    if house.min_by_wager.get(slug, low) > low:
        allowed = f"at most {_dollars(low)}, so that the smallest {takes}"
        yield finding(_MIN + slug, house.min_by_wager[slug], allowed, cites)


def _dollars(cents: Fraction) -> str:
    return show_dollars(ceil(cents))


def _guaranteed(house: House, rule: OddsRule, slug: str, number: int) -> tuple[Fraction, Fraction]:
    """What once the smallest and once the largest flat wager come to in odds, in cents."""
    flat = flat_of(house.book, rule)
    limits = limits_of(house, flat, rule.flat, 0)
    high = limits.high
    if number:  # a come wager that has travelled holds no more than it could before
        high = min(high, limits_of(house, flat, f"{rule.flat}-{number}", number).high)
    points = (number,) if number else house.book.points.value
    stakes = [_once(house, rule, slug, point) for point in points]
    return limits.low * min(stakes), high * max(stakes)


def _once(house: House, rule: OddsRule, slug: str, point: int) -> Fraction:
    """The odds that are once a flat dollar: a dollar, or what wins one where the win is bounded."""
    if not is_laid(house.book, rule) and house.book.odds.taken_by.value == "stake":
        return Fraction(1)
    return 1 / lines_for(house, slug, rule, point)[0][1].ratio
