"""How much odds a house takes: the maximums by flat bet and by posted limit, and their check."""

from __future__ import annotations

from passline.game.house.house import Multiple
from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import (
    Refusal,
    Wagers,
    check_payable,
    refuse,
    refuse_over,
    refuse_under,
)
from passline.game.money.amounts import Odds


def check_odds(
    layout: Layout, spot: Spot, puck: int, wagers: Wagers, amount: int
) -> Refusal | None:
    """Return a refusal unless a player's odds may total ``amount`` cents.

    They must be within the limits and payable in the house's chips. ``wagers`` are the player's,
    and must include the flat bet. ``puck`` is the point, or 0.
    """
    house = layout.house
    limits = house.book.odds
    number = spot.number or puck
    by_flat, posted = find_odds_caps(layout, spot, puck, wagers)
    if by_flat >= amount > posted:
        return refuse_over(spot.slug, limits.posted_max.cite, posted)
    if amount > by_flat:
        cite, most = find_limit_clause(layout, spot, number), min(by_flat, posted)
        slug, flat, behind = spot.slug, spot.flat, wagers[spot.flat].amount
        return refuse(
            "over-multiple", cite, [most], wager=slug, most=most, behind=behind, flat=flat
        )
    least = house.min_by_wager.get(spot.slug, 0)
    if amount < least:
        return refuse_under(spot.slug, house.book.stakes.under_min.cite, least)
    step = find_odds_price(spot, puck).step(house.chip)
    if house.true_odds_breakage == "refuse":
        return check_payable(spot.slug, amount, step, house.book.stakes.true_odds_breakage.cite)
    small = limits.under_min
    if small is not None and small.value == "exact" and amount < house.minimum:
        return check_payable(spot.slug, amount, step, small.cite)
    return None


def find_odds_price(spot: Spot, puck: int) -> Odds:
    """Return the odds at which an odds wager is paid: those for its number, or for the point.

    ``puck`` is the point, or 0.
    """
    return spot.odds if spot.number else spot.by_puck.get(puck, spot.odds)


def find_odds_cap(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> int:
    """Return the maximum odds in cents behind a player's flat bet.

    ``wagers`` are the player's, and must include the flat bet. ``puck`` is the point, or 0.
    """
    by_flat, posted = find_odds_caps(layout, spot, puck, wagers)
    return min(by_flat, posted)


def find_odds_caps(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> tuple[int, int]:
    """Return (maximum odds by the flat bet, maximum by the posted limit), both in cents.

    If no limit is posted, the two are equal. If the book allows it, either maximum is rounded up to
    the next amount that pays exactly. The arguments are those of ``find_odds_cap``.
    """
    house, rule = layout.house, spot.rule
    limits, price = house.book.odds, find_odds_price(spot, puck)
    # The limit may be a fraction of a cent, so it is kept as two integers: most / per.
    most, per = _find_odds_basis(layout, spot, wagers) * _find_odds_multiple(layout, spot, puck), 1
    if (house.laid_by if rule.is_laid(layout.house.book) else limits.taken_by.value) == "win":
        most, per = most * price.stake, price.win
    step = price.step(house.chip) if limits.fit.value else house.chip

    def fitted(top: Multiple, under: int) -> int:
        units = -(-top // (step * under)) if limits.fit.value else top // (step * under)
        return units * step

    by_flat = fitted(most, per)
    posted = house.max_by_wager.get(spot.slug, house.maximum if limits.posted_max.value else 0)
    return by_flat, fitted(posted, 1) if posted else by_flat


def _find_odds_basis(layout: Layout, spot: Spot, wagers: Wagers) -> int:
    """Return the flat bet in cents that the odds multiple applies to.

    For laid odds some books use the amount when the number was set, not the amount now.
    """
    rule, basis = spot.rule, layout.house.book.changes.dont_odds_basis
    flat = wagers[spot.flat]
    original = rule.is_laid(layout.house.book) and basis is not None and basis.value == "original"
    return flat.flat if original else flat.amount


def _find_odds_multiple(layout: Layout, spot: Spot, puck: int) -> Multiple:
    house, laid = layout.house, spot.rule.is_laid(layout.house.book)
    return (house.laid_multiples if laid else house.taken_multiples)[spot.number or puck]


def find_limit_clause(layout: Layout, spot: Spot, number: int) -> str:
    """Return the clause that limits odds on a number.

    It is the clause of the book's own multiple for that number. If there is none, or the house
    elected a multiple, it is the general clause on odds.
    """
    rule, limits = spot.rule, layout.house.book.odds
    assert isinstance(rule, OddsRule)
    printed = limits.laid if rule.is_laid(layout.house.book) else limits.taken
    elected = layout.house.elections
    if "odds.multiple" not in elected and f"odds.multiple.{number}" not in elected:
        for key, multiple in printed.items():
            if str(number) in key.split():
                return multiple.cite
    return rule.limited_by
