"""How much a wager may hold: chips, limits, odds behind a flat, and what can be paid exactly."""

from __future__ import annotations

from math import lcm
from typing import NamedTuple

from passline.house import Multiple
from passline.house.payouts import is_laid
from passline.law.wagers import Collect, OddsRule
from passline.layout.spots import Layout, Spot
from passline.layout.stakes import Refusal, Wagers, refuse
from passline.money import Odds

#: Beyond any wager, in cents: where a book sets no maximum.
MOST = 10**13


def check_amount(
    layout: Layout, spot: Spot, puck: int, wagers: Wagers, amount: int, limits: bool = True
) -> Refusal | None:
    """Whether a wager may hold this amount in all."""
    if isinstance(spot.rule, OddsRule):
        return check_chips(layout, amount) or _check_odds(layout, spot, puck, wagers, amount)
    refused = _check_limits(layout, spot, amount) if limits else None
    if isinstance(spot.rule, Collect):
        # A clause that asks for whole steps is named before the house's chips are.
        return refused or _check_step(spot, amount) or check_chips(layout, amount)
    return check_chips(layout, amount) or refused or _check_step(spot, amount)


class Bounds(NamedTuple):
    """What a wager may hold in all, in cents: ``least``, and on by ``step`` up to ``most``."""

    least: int
    most: int
    step: int


def bounds(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> Bounds:
    """The amounts that ``check_amount`` lets past: every one of them is taken.

    Others may be too, where a book pays broken amounts; odds are told in amounts that pay exactly.
    """
    house, stakes = layout.house, layout.house.book.stakes
    if isinstance(spot.rule, OddsRule):
        step = price_of(spot, puck).step(house.chip)
        stands = spot.flat in wagers and bool(spot.number or puck)
        most = odds_cap(layout, spot, puck, wagers) if stands else 0
        return Bounds(_up_to(max(house.min_by_wager.get(spot.slug, 0), step), step), most, step)
    step = lcm(house.chip, _whole_step(spot)[0])
    least = spot.minimum if stakes.under_min.value == "refuse" else step
    most = spot.maximum if stakes.over_max.value == "refuse" else MOST
    return Bounds(_up_to(max(least, step), step), most - most % step, step)


def _up_to(amount: int, step: int) -> int:
    return -(-amount // step) * step


def check_chips(layout: Layout, amount: int) -> Refusal | None:
    """Whether an amount is whole chips of this house."""
    chip = layout.house.chip
    if amount % chip == 0:
        return None
    near = [a for a in (amount - amount % chip, amount - amount % chip + chip) if a]
    custom = "custom: wagers are made in the house's chips"
    return refuse("whole-chips", custom, near, amount=amount, chip=chip)


def _check_limits(layout: Layout, spot: Spot, amount: int) -> Refusal | None:
    stakes = layout.house.book.stakes
    if amount < spot.minimum and stakes.under_min.value == "refuse":
        cite, least = spot.minimum_cite, spot.minimum
        return refuse("under-minimum", cite, [least], wager=spot.slug, least=least)
    if amount > spot.maximum and stakes.over_max.value == "refuse":
        cite, most = spot.maximum_cite, spot.maximum
        return refuse("over-maximum", cite, [most], wager=spot.slug, most=most)
    return None


def stake_step(spot: Spot) -> int:
    """What a stake comes in multiples of, in cents: what its pay asks for, and its own rule."""
    return lcm(spot.step, _whole_step(spot)[0])


def _check_step(spot: Spot, amount: int) -> Refusal | None:
    step, cite = _whole_step(spot)
    return _payable(spot.slug, amount, step, cite, spot.minimum)


def _whole_step(spot: Spot) -> tuple[int, str]:
    """A stake comes in multiples of this, and the clause: a gathering wager may have its own."""
    if isinstance(spot.rule, Collect) and spot.rule.step is not None:
        return spot.rule.step.value * 100, spot.rule.step.cite
    return spot.step, spot.step_cite


def _payable(slug: str, amount: int, step: int, cite: str, least: int = 1) -> Refusal | None:
    """Whether an amount is whole steps; the nearest that are, not under ``least``."""
    if amount % step == 0:
        return None
    below, above = amount - amount % step, amount - amount % step + step
    near = [a for a in (below, above) if a >= least]
    return refuse("not-payable", cite, near, wager=slug, amount=amount)


def price_of(spot: Spot, puck: int) -> Odds:
    """The odds at which an odds wager would be paid: its own number's, or the point's."""
    return spot.odds if spot.number else spot.by_puck.get(puck, spot.odds)


def odds_cap(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> int:
    """The most odds that may stand behind a flat wager, in cents."""
    by_flat, posted = odds_caps(layout, spot, puck, wagers)
    return min(by_flat, posted)


def odds_caps(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> tuple[int, int]:
    """What the flat wager allows, and what the posted maximum does, in cents.

    A stake may pass either up to the next amount that pays exactly, where the book says so.
    """
    house, rule = layout.house, spot.rule
    assert isinstance(rule, OddsRule)
    limits, price = house.book.odds, price_of(spot, puck)
    # The limit is a fraction of cents, kept as two whole numbers: most / per.
    most, per = _basis(layout, spot, wagers) * _multiple(layout, spot, puck), 1
    if (house.laid_by if is_laid(layout.house.book, rule) else limits.taken_by.value) == "win":
        most, per = most * price.stake, price.win
    step = price.step(house.chip) if limits.fit.value else house.chip

    def fitted(top: Multiple, under: int) -> int:
        units = -(-top // (step * under)) if limits.fit.value else top // (step * under)
        return units * step

    by_flat = fitted(most, per)
    posted = house.max_by_wager.get(spot.slug, house.maximum if limits.posted_max.value else 0)
    return by_flat, fitted(posted, 1) if posted else by_flat


def _basis(layout: Layout, spot: Spot, wagers: Wagers) -> int:
    """The flat that odds are measured by: a don't as first wagered, where the book says so."""
    rule, basis = spot.rule, layout.house.book.changes.dont_odds_basis
    assert isinstance(rule, OddsRule)
    flat = wagers[spot.flat]
    original = is_laid(layout.house.book, rule) and basis is not None and basis.value == "original"
    return flat.flat if original else flat.amount


def _multiple(layout: Layout, spot: Spot, puck: int) -> Multiple:
    rule, house = spot.rule, layout.house
    assert isinstance(rule, OddsRule)
    return (house.laid if is_laid(layout.house.book, rule) else house.taken)[spot.number or puck]


def _check_odds(
    layout: Layout, spot: Spot, puck: int, wagers: Wagers, amount: int
) -> Refusal | None:
    house = layout.house
    limits = house.book.odds
    number = spot.number or puck
    by_flat, posted = odds_caps(layout, spot, puck, wagers)
    if by_flat >= amount > posted:
        cite = limits.posted_max.cite
        return refuse("over-maximum", cite, [posted], wager=spot.slug, most=posted)
    if amount > by_flat:
        most = min(by_flat, posted)
        return refuse(
            "over-multiple",
            _limit_cite(layout, spot, number),
            [most],
            wager=spot.slug,
            most=most,
            behind=wagers[spot.flat].amount,
            flat=spot.flat,
        )
    if amount < house.min_by_wager.get(spot.slug, 0):
        cite, least = house.book.stakes.under_min.cite, house.min_by_wager[spot.slug]
        return refuse("under-minimum", cite, [least], wager=spot.slug, least=least)
    step = price_of(spot, puck).step(house.chip)
    if house.true_odds_breakage == "refuse":
        return _payable(spot.slug, amount, step, house.book.stakes.true_odds_breakage.cite)
    small = limits.under_min
    if small is not None and small.value == "exact" and amount < house.minimum:
        return _payable(spot.slug, amount, step, small.cite)
    return None


def _limit_cite(layout: Layout, spot: Spot, number: int) -> str:
    """A book that prints a number's own limit is cited by it, unless the house elected another."""
    rule, limits = spot.rule, layout.house.book.odds
    assert isinstance(rule, OddsRule)
    printed = limits.laid if is_laid(layout.house.book, rule) else limits.taken
    elected = layout.house.elections
    if "odds.multiple" not in elected and f"odds.multiple.{number}" not in elected:
        for key, multiple in printed.items():
            if str(number) in key.split():
                return multiple.cite
    return rule.limited_by
