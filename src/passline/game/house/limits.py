"""How little and how much a wager may hold in a house, and in what steps."""

from __future__ import annotations

from math import lcm

import msgspec

from passline.game.house.house import House
from passline.game.law.book import Book
from passline.game.law.wagers import (
    AnyWager,
    BookMaximum,
    Collect,
    Composite,
    OddsRule,
    OneRoll,
    Race,
)
from passline.game.money.amounts import Odds


class Limits(msgspec.Struct, frozen=True):
    """The least and the most a wager may hold, in cents, each with what gives it."""

    low: int
    low_cite: str
    high: int
    high_cite: str


def find_limits(house: House, rule: AnyWager, slug: str, number: int) -> Limits:
    """A wager's limits by itself (a composite's legs may bind it further)."""
    low, low_cite = house.minimum, house.book.stakes.under_min.cite
    high, high_cite = _find_table_maximum(house, slug, number, rule.most)
    if rule.area == "center":
        low = house.center_minimum
    if isinstance(rule, OddsRule):
        low = house.chip
    if isinstance(rule, Collect):
        if rule.minimum is not None:
            low, low_cite = rule.minimum.value * 100, rule.minimum.cite
        if rule.maximum is not None:
            most = rule.maximum.value * 100
            high, high_cite = min(most, house.max_by_wager.get(slug, most)), rule.maximum.cite
    return Limits(
        low=house.min_by_wager.get(slug, low), low_cite=low_cite, high=high, high_cite=high_cite
    )


def find_book_maximum(most: tuple[BookMaximum, ...], number: int) -> BookMaximum | None:
    """The least of the maxima that the book prints for a wager on this number."""
    lines = [line for line in most if not line.on or number in line.on]
    return min(lines, key=lambda line: line.dollars, default=None)


def _find_table_maximum(
    house: House, slug: str, number: int, most: tuple[BookMaximum, ...]
) -> tuple[int, str]:
    limit = house.max_by_wager.get(slug, house.maximum)
    printed = find_book_maximum(most, number)
    if printed is not None and printed.dollars * 100 <= limit:
        return printed.dollars * 100, printed.cite
    return limit, house.book.stakes.over_max.cite


def find_stake_step(house: House, rule: AnyWager, odds: list[Odds]) -> tuple[int, str]:
    """The multiples a stake comes in so that it can be paid, and what asks for them."""
    stakes = house.book.stakes
    true_odds = isinstance(rule, OddsRule) or (isinstance(rule, Race) and bool(rule.vig))
    how = house.true_odds_breakage if true_odds else house.breakage
    cite = stakes.true_odds_breakage.cite if true_odds else stakes.breakage.cite
    if how != "refuse" or isinstance(rule, Collect | OddsRule):
        return house.chip, cite
    return lcm(house.chip, *(o.step(house.chip) for o in odds)), cite


def find_high_leg(book: Book, rule: Composite, number: int) -> str:
    """The leg on which a composite's high number is played: it wins on that number alone."""
    for slug in rule.legs.value:
        leg = book.wager[slug]
        if isinstance(leg, OneRoll) and leg.win.value == (number,):
            return slug
    raise LookupError(f"no leg of {rule.title} wins on {number} alone")


def find_legs(book: Book, rule: AnyWager, number: int) -> dict[str, int]:
    """A composite's legs, units by slug; nothing for other wagers."""
    if not isinstance(rule, Composite):
        return {}
    legs = dict(rule.legs.value)
    if number and rule.high_units is not None:
        legs[find_high_leg(book, rule, number)] += rule.high_units.value
    return legs


def find_maximum(house: House, rule: AnyWager, slug: str, number: int) -> int:
    """The most a wager may hold, in cents: a composite no more than its legs hold straight."""
    high = find_limits(house, rule, slug, number).high
    legs = find_legs(house.book, rule, number)
    for leg, units in legs.items():
        straight = find_limits(house, house.book.wager[leg], leg, 0).high
        high = min(high, straight * sum(legs.values()) // units)
    return high
