"""Compile a house's rules into a layout: a spot for every wager that it deals.

A spot has the wager's odds, its limits, and its verdicts: what every throw does to it. Pure, and
cached by house: tables of the same house share one layout.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm

import msgspec

from passline.game.house.house import House
from passline.game.house.limits import find_limits, find_stake_step
from passline.game.house.payouts import find_pay_lines, is_dealt
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.composite import Composite
from passline.game.law.verdicts import PricedOutcomes, TableTerms, price_outcomes
from passline.game.law.wager_names import (
    iter_slugs,
    known_slugs,
    standard_names,
    wager_slugs,
)
from passline.game.layout.spots import Layout, Spot
from passline.game.money.amounts import Odds

#: How many compiled layouts are cached.
_MAX_CACHED_LAYOUTS = 64


def _make_spot(
    house: House, kind: str, family: str, slug: str, number: int, done: dict[str, Spot]
) -> Spot:
    book, rule = house.book, house.book.wager[family]
    lines = find_pay_lines(house, slug, rule, number)
    odds = [o for _, o in lines] or [Odds(1, 1)]
    limits = find_limits(house, rule, slug, number)
    step, step_cite = find_stake_step(house, rule, odds)
    legs, vig = rule.find_legs(book, number), rule.vig_kind

    def price(on: int) -> PricedOutcomes:
        return price_outcomes(find_pay_lines(house, slug, rule, on))

    leg_tables = {leg: done[leg].tables[0] for leg in legs}
    terms = TableTerms(book, family, number, price=price, leg_tables=leg_tables)
    spot = Spot(
        slug=slug,
        family=family,
        kind=kind,
        rule=rule,
        rank=len(done),
        number=number,
        tables=rule.make_tables(terms),
        flat=f"{rule.flat_family}-{number}" if rule.is_odds and number else rule.flat_family,
        behind=_find_odds_slug(house, family, rule, number),
        works=(rule.come_out or book.working).value == "on",
        stays=(rule.stays or book.stays).value,
        vig=vig,
        vig_won=bool(vig) and number in house.vig[vig].won_on,
        odds=odds[0],
        by_puck=_find_odds_by_puck(house, rule, slug, number),
        step=step,
        step_cite=step_cite,
        legs=legs,
        units=sum(legs.values()) or 1,
        raises=rule.raises or book.changes.raises,
        reduces=rule.reduces or book.changes.reduces,
        removes=rule.removes or book.changes.removes,
        minimum=limits.low,
        minimum_cite=limits.low_cite,
        maximum=limits.high,
        maximum_cite=limits.high_cite,
        tiers=rule.find_tiers(lines),
    )
    return _limit_by_legs(house, rule, spot, done) if isinstance(rule, Composite) else spot


def _limit_by_legs(house: House, rule: Composite, spot: Spot, done: dict[str, Spot]) -> Spot:
    """Return a composite's spot (such as the horn) with limits at which each leg is a legal bet.

    Every multiple of its step gives each leg a stake that can be paid, and its maximum keeps each
    leg within the leg's own. ``done`` has the spots compiled so far, by slug.
    """
    step = lcm(house.chip * spot.units, *(done[leg].step * spot.units for leg in spot.legs))
    step_cite = rule.units_by or rule.legs.cite
    high, high_cite = spot.maximum, spot.maximum_cite
    for leg, count in spot.legs.items():
        if done[leg].maximum * spot.units // count < high:
            high, high_cite = done[leg].maximum * spot.units // count, done[leg].maximum_cite
    return msgspec.structs.replace(
        spot,
        step=step,
        step_cite=step_cite,
        minimum=max(spot.minimum, step),
        minimum_cite=step_cite if step > spot.minimum else spot.minimum_cite,
        maximum=high,
        maximum_cite=high_cite,
    )


def _find_odds_by_puck(house: House, rule: AnyWager, slug: str, number: int) -> dict[int, Odds]:
    if not rule.is_odds or number:
        return {}
    lines = {p: find_pay_lines(house, slug, rule, p) for p in house.book.points.value}
    return {p: found[0][1] for p, found in lines.items() if found}


def _find_odds_slug(house: House, family: str, rule: AnyWager, number: int) -> str:
    """Return the slug of the odds that go behind a wager, or "" if the house deals none for it.

    Odds go behind line wagers, and behind come wagers that are on a number.
    """
    if not rule.is_line and not (rule.is_come and number):
        return ""
    for name, odds in house.book.wager.items():
        if odds.flat_family == family and is_dealt(house, odds):
            return f"{name}-{number}" if number else name
    return ""


class _LayoutKey:
    """A cache key for a house: the same book object, and equal values of everything else."""

    __slots__ = ("house", "values")

    def __init__(self, house: House) -> None:
        self.house = house
        self.values = _freeze(
            {name: getattr(house, name) for name in house.__struct_fields__ if name != "book"}
        )

    def __hash__(self) -> int:
        return hash((id(self.house.book), self.values))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _LayoutKey)
            and self.house.book is other.house.book
            and self.values == other.values
        )


def _freeze(value: object) -> object:
    """Return a value as a hashable key; 1 and True give different keys."""
    if isinstance(value, dict):
        return tuple(sorted((str(key), _freeze(of)) for key, of in value.items()))
    return type(value).__name__, repr(value)


def compile_layout(house: House) -> Layout:
    """Return the layout of a house: a spot for every wager that it deals, by slug."""
    return _compile_cached(_LayoutKey(house))


@lru_cache(_MAX_CACHED_LAYOUTS)
def _compile_cached(key: _LayoutKey) -> Layout:
    house, wagers = key.house, key.house.book.wager
    names, spots, called = standard_names(house.book), dict[str, Spot](), dict[str, str]()
    for family in sorted(wagers, key=lambda family: wagers[family].find_layout_order(house.book)):
        if is_dealt(house, wagers[family]):
            for slug, number in iter_slugs(house.book, family, wagers[family]):
                spots[slug] = _make_spot(house, names[family], family, slug, number, spots)
    for family, rule in wagers.items():
        for slug, number in iter_slugs(house.book, family, rule):
            called[f"{names[family]}-{number}" if number else names[family]] = slug
    known, slugs = frozenset(known_slugs()), wager_slugs(house.book)
    own = {slug: spot for slug, spot in spots.items() if slug not in known}
    return Layout(
        house=house,
        spots=spots,
        collects=any(s.tiers or s.rule.only_made == "new-shooter" for s in spots.values()),
        collects_after_seven=any(s.rule.made.value == "after-seven" for s in spots.values()),
        line_tables=next((s.tables for s in spots.values() if s.kind == "pass"), ()),
        slugs=known.union(slugs),
        called=called | {slug: slug for slug in slugs},
        renamed=tuple(
            s for s in sorted(own, key=lambda s: (-len(s), s)) if spots[s].floor in known
        ),
        own_names=_list_own_names([s for s in own.values() if s.floor not in known]),
    )


def _list_own_names(own: list[Spot]) -> tuple[tuple[str, str], ...]:
    """Return (name, slug) for each name by which players may call these wagers.

    The names are the slug and the title, in lowercase words. A wager that has only one number is
    also named without it.
    """
    families = [spot.family for spot in own]
    lone = [spot for spot in own if spot.number and families.count(spot.family) == 1]
    named = [(spot.slug, spot.slug) for spot in own]
    named += [(f"{spot.rule.title} {spot.number or ''}".strip(), spot.slug) for spot in own]
    named += [(name, spot.slug) for spot in lone for name in (spot.family, spot.rule.title)]
    found: dict[str, str] = {}
    for name, slug in named:
        found.setdefault(name.lower().replace("-", " "), slug)
    return tuple(found.items())
