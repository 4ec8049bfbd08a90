"""Prepare to follow a wager to its decision: where the puck is, the stake, and the other bets."""

from __future__ import annotations

from math import lcm

from msgspec.structs import replace

from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Stake
from passline.game.layout.wager_checks import Moment, check_time, find_stake_step
from passline.game.table.state import Table
from passline.lab.machines.bet_walks import WalkSetup
from passline.lab.machines.next_states import State

#: A maximum in cents that is far above any posted one and any stake that pays exactly.
_NO_LIMIT = 10**12


def lift_limits(layout: Layout) -> Layout:
    """Return the same layout without minimums and maximums."""
    house = layout.house
    free = replace(house, minimum=house.chip, maximum=_NO_LIMIT, max_by_wager={}, min_by_wager={})
    spots = {
        slug: replace(spot, minimum=house.chip, maximum=_NO_LIMIT)
        for slug, spot in layout.spots.items()
    }
    return replace(layout, house=free, spots=spots)


def find_exact_stake(layout: Layout, spot: Spot) -> int:
    """Return a stake in cents on which nothing is rounded.

    There is no breakage, and the vigorish is in whole chips.
    """
    house = layout.house
    legs = [layout.spots[leg] for leg in spot.legs]
    whole = lcm(*(unit for each in (spot, *legs) for unit in _pay_units(each)))
    if spot.vig:
        whole *= house.vig[spot.vig].rate.denominator
    return lcm(find_stake_step(spot), house.chip * spot.units * whole)


def _pay_units(spot: Spot) -> set[int]:
    """Return the stakes in cents for which the wager's payouts are stated.

    A stake that is a multiple of all of them is paid exactly: of 600 for 7 to 6 in whole dollars.
    """
    cells = {verdict for table in set(spot.tables) for verdict in table if verdict is not None}
    return {verdict.per for verdict in cells} | {odds.stake for odds, _ in spot.tiers.values()}


def find_stake_with_odds(layout: Layout, flat: Spot) -> int:
    """Return a flat stake in cents behind which full odds are never rounded, on any number."""
    house = layout.house
    parts = {1, house.chip}
    for spot in layout.spots.values():
        if spot.rule.flat_family == flat.family:
            for price in (spot.odds, *spot.by_puck.values()):
                parts |= {price.win, price.stake}
    for multiple in (*house.taken_multiples.values(), *house.laid_multiples.values()):
        parts.add(multiple.denominator)
    return lcm(find_exact_stake(layout, flat), house.chip * lcm(*parts))


def make_course(layout: Layout, spot: Spot) -> WalkSetup:
    """Return how to follow a wager without odds to its decision.

    If the wager depends on the puck, the puck moves. Otherwise the puck stays on a point (not the
    wager's own number), because many wagers are off on come-out rolls.
    """
    rule = spot.rule
    if rule.follows_puck:
        return WalkSetup(State(), puck_stays=False)
    return WalkSetup(State(_choose_puck(layout, spot)), puck_stays=True)


def _choose_puck(layout: Layout, spot: Spot) -> int:
    points = layout.house.book.points.value
    other = [point for point in points if point != spot.number]
    return next((p for p in other if check_time(spot, Moment(p), {}) is None), 0)


def make_odds_course(layout: Layout, spot: Spot, point: int, flat: int) -> WalkSetup:
    """Return how to follow odds to their decision, behind a flat bet of ``flat`` cents.

    The puck stays on ``point``. With ``point`` 0, for odds on a number of their own, it is on some
    other point.
    """
    up = ((spot.flat, Stake(flat, flat)),)
    puck = point or next(p for p in layout.house.book.points.value if p != spot.number)
    return WalkSetup(State(puck, up), puck_stays=True, unwatched=frozenset({spot.flat}))


def add_full_odds(table: Table) -> list[tuple[str, int]]:
    """Return (slug, cents) of the most odds that the house takes now behind the player's bets."""
    layout, wagers = table.layout, table.seats[0].wagers
    return [
        (slug, find_odds_cap(layout, spot, table.point, wagers))
        for slug, spot in layout.spots.items()
        if spot.flat in wagers and slug not in wagers and (spot.number or table.point)
    ]
