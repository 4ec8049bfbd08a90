"""The minimum, the maximum and the step of each wager in a house. Pure.

The limit of odds is in ``layout.odds_limits``; ``layout.wager_checks`` checks amounts.
"""

from __future__ import annotations

from math import lcm

import msgspec

from passline.game.house.house import House
from passline.game.law.shapes import AnyWager
from passline.game.law.wagers import BookMaximum
from passline.game.money.amounts import Odds


class Limits(msgspec.Struct, frozen=True):
    """The minimum (``low``) and the maximum (``high``) of a wager in cents.

    Each comes with the election or clause that sets it.
    """

    low: int
    low_cite: str
    high: int
    high_cite: str


def find_limits(house: House, rule: AnyWager, slug: str, number: int) -> Limits:
    """Return the limits of one wager. ``number`` is 0 if it is on no number.

    If the wager has legs (a horn), their own limits do not count here.
    """
    low, low_cite = house.minimum, house.book.stakes.under_min.cite
    high, high_cite = house.max_by_wager.get(slug, house.maximum), house.book.stakes.over_max.cite
    printed = find_book_maximum(rule.most, number)
    if printed is not None and printed.dollars * 100 <= high:
        high, high_cite = printed.dollars * 100, printed.cite
    if rule.area == "center":
        low = house.center_minimum
    if rule.is_odds:
        low = house.chip
    if rule.own_minimum is not None:
        low, low_cite = rule.own_minimum.value * 100, rule.own_minimum.cite
    if rule.own_maximum is not None:
        most = rule.own_maximum.value * 100
        high, high_cite = min(most, house.max_by_wager.get(slug, most)), rule.own_maximum.cite
    low = house.min_by_wager.get(slug, low)
    return Limits(low=low, low_cite=low_cite, high=high, high_cite=high_cite)


def find_book_maximum(most: tuple[BookMaximum, ...], number: int) -> BookMaximum | None:
    """Return the smallest maximum that the book sets for a wager on this number, or None."""
    lines = [line for line in most if not line.on or number in line.on]
    return min(lines, key=lambda line: line.dollars, default=None)


def find_stake_step(house: House, rule: AnyWager, odds: list[Odds]) -> tuple[int, str]:
    """Return (step, clause): a stake must be a multiple of ``step`` cents.

    ``odds`` are the odds at which the stake may be paid. If the house rounds payouts, any whole
    chips will do.
    """
    stakes = house.book.stakes
    true_odds = rule.pays_true_odds
    how = house.true_odds_breakage if true_odds else house.breakage
    cite = stakes.true_odds_breakage.cite if true_odds else stakes.breakage.cite
    if how != "refuse" or not rule.stake_fits_pay:
        return house.chip, cite
    return lcm(house.chip, *(o.step(house.chip) for o in odds)), cite


def find_maximum(house: House, rule: AnyWager, slug: str, number: int) -> int:
    """Return the maximum of a wager in cents. ``number`` is 0 if the wager is on no number.

    If the wager has legs (a horn), their maximums count too.
    """
    high = find_limits(house, rule, slug, number).high
    legs = rule.find_legs(house.book, number)
    for leg, units in legs.items():
        straight = find_limits(house, house.book.wager[leg], leg, 0).high
        high = min(high, straight * sum(legs.values()) // units)
    return high
