"""What may be done with a wager: its amounts, when it may be made, changed, taken down or called.

Every check returns None if the action is allowed, or the refusal with its clause. Pure.
"""

from __future__ import annotations

from math import lcm
from typing import Any, Literal, NamedTuple

from passline.game.house.payouts import is_left_out
from passline.game.house.rule_elections import find_group
from passline.game.law.citations import CitedValue
from passline.game.law.wagers import ChangePeriod
from passline.game.layout.odds_limits import check_odds, find_odds_cap, find_odds_price
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import (
    Refusal,
    Wagers,
    check_payable,
    refuse,
    refuse_over,
    refuse_under,
)

#: The maximum in cents where a book sets none: larger than any wager.
NO_MAXIMUM = 10**13
_LEFT_OUT_REASON = "custom: the list of wagers is what may be dealt, and a house need not deal all"


def check_amount(
    layout: Layout, spot: Spot, puck: int, wagers: Wagers, amount: int, limits: bool = True
) -> Refusal | None:
    """Return a refusal unless the wager's total may be this amount in cents.

    Without ``limits``, the minimum and maximum are not checked, except for odds. ``puck`` is the
    point, or 0.
    """
    if spot.is_odds:
        return check_chips(layout, amount) or check_odds(layout, spot, puck, wagers, amount)
    refused = _check_limits(layout, spot, amount) if limits else None
    chips = check_chips(layout, amount, _find_own_step(spot)[0])
    if spot.rule.is_collect:
        # A clause that requires whole steps is cited before the house's smallest chip.
        return refused or _check_step(layout, spot, amount) or chips
    return chips or refused or _check_step(layout, spot, amount)


class AmountBounds(NamedTuple):
    """The totals that a wager may have, in cents: from ``least`` to ``most``, by ``step``."""

    least: int
    most: int
    step: int


def find_bounds(layout: Layout, spot: Spot, puck: int, wagers: Wagers) -> AmountBounds:
    """Return the totals that ``check_amount`` allows, as a range with a step.

    For odds, the range has only the amounts that pay exactly, although ``check_amount`` allows
    others where the house rounds payouts. ``puck`` is the point, or 0.
    """
    house, stakes = layout.house, layout.house.book.stakes
    if spot.is_odds:
        step = find_odds_price(spot, puck).step(house.chip)
        stands = spot.flat in wagers and bool(spot.number or puck)
        most = find_odds_cap(layout, spot, puck, wagers) if stands else 0
        least = max(house.min_by_wager.get(spot.slug, 0), step)
        return AmountBounds(-(-least // step) * step, most, step)
    step = lcm(house.chip, _find_own_step(spot)[0])
    least = spot.minimum if stakes.under_min.value == "refuse" else step
    most = spot.maximum if stakes.over_max.value == "refuse" else NO_MAXIMUM
    return AmountBounds(-(-max(least, step) // step) * step, most - most % step, step)


def check_chips(layout: Layout, amount: int, step: int = 1) -> Refusal | None:
    """Return a refusal unless the amount is whole chips of this house.

    It offers the nearest amounts in whole chips that are also multiples of ``step`` cents.
    """
    chip = layout.house.chip
    if amount % chip == 0:
        return None
    both = lcm(chip, step)
    below = amount - amount % both
    near = [a for a in (below, below + both) if a]
    custom = "custom: wagers are made in the house's chips"
    return refuse("whole-chips", custom, near, amount=amount, chip=chip)


def _check_limits(layout: Layout, spot: Spot, amount: int) -> Refusal | None:
    stakes = layout.house.book.stakes
    if amount < spot.minimum and stakes.under_min.value == "refuse":
        return refuse_under(spot.slug, spot.minimum_cite, spot.minimum)
    if amount > spot.maximum and stakes.over_max.value == "refuse":
        return refuse_over(spot.slug, spot.maximum_cite, spot.maximum)
    return None


def find_stake_step(spot: Spot) -> int:
    """Return the cents that a stake must be a multiple of to satisfy both payout and own rule."""
    return lcm(spot.step, _find_own_step(spot)[0])


def _check_step(layout: Layout, spot: Spot, amount: int) -> Refusal | None:
    step, cite = _find_own_step(spot)
    if amount % step == 0:
        return None
    return check_payable(spot.slug, amount, lcm(layout.house.chip, step), cite, spot.minimum)


def _find_own_step(spot: Spot) -> tuple[int, str]:
    """Return (cents, clause): the multiple that a stake must be, by the wager's own rule.

    A wager without such a rule has the multiple that its payout requires.
    """
    if spot.rule.own_step is not None:
        return spot.rule.own_step.value * 100, spot.rule.own_step.cite
    return spot.step, spot.step_cite


#: The changes to a wager that may be refused.
WagerChange = Literal["raised", "reduced", "taken-down"]


class Moment(NamedTuple):
    """The state of the table that the rules of a wager depend on.

    ``puck`` is the point, or 0. ``fresh`` means that the shooter has not thrown a come-out roll,
    ``after_seven`` that the last throw was a seven. ``riding`` has the keys of undecided collecting
    wagers such as fire (``find_riding_key``): no new wager with such a key may be made.
    """

    puck: int = 0
    fresh: bool = True
    riding: frozenset[str] = frozenset()
    after_seven: bool = False


def find_spot(layout: Layout, slug: str) -> Spot | Refusal:
    """Return the spot of a wager, or the refusal that says why this house does not deal it."""
    spot = layout.spots.get(slug)
    if spot is not None:
        return spot
    house = layout.house
    for family, rule in house.book.wager.items():
        if slug == family or slug.startswith(f"{family}-"):
            if rule.games is not None and house.game not in rule.games.value:
                return refuse("not-in-game", rule.games.cite, wager=slug, game=house.game)
            if is_left_out(house, rule):
                group = f"offers.{find_group(house.book, rule)}"
                return refuse("not-elected", _LEFT_OUT_REASON, wager=slug, key=group)
            key = f"offers.{rule.offer}"
            if rule.offer and key in house.book.elect and not house.offers(rule.offer):
                elective = house.book.elect[key]
                by = elective.default if elective.default.clauses else elective.choices
                return refuse("not-elected", by.cite, wager=slug, key=key)
    return refuse("not-a-wager", house.book.unlisted, wager=slug, book=house.book.id)


def _has_number(spot: Spot, puck: int) -> bool:
    """Return whether a wager is on a number. A line wager is once the puck is on, odds always."""
    return bool(spot.number_with_puck(puck)) or spot.is_odds


def check_change_period(
    rule: CitedValue[ChangePeriod], spot: Spot, moment: Moment, what: WagerChange
) -> Refusal | None:
    """Return a refusal unless ``rule`` allows the change ``what`` of a wager at this moment."""
    if rule.value == "always":
        return None
    if rule.value == "never":
        return refuse(f"not-{what}", rule.cite, wager=spot.slug)
    if _has_number(spot, moment.puck):
        return refuse(f"not-{what}-with-number", rule.cite, wager=spot.slug)
    return None


def check_raise(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    """Return a refusal unless a wager that is up may be raised now; its amount is not checked."""
    refused = check_change_period(spot.raises, spot, moment, "raised")
    up = wagers[spot.slug]
    if refused is not None and spot.rule.restored_by and up.amount < up.flat:
        return refuse("not-restored", spot.rule.restored_by, wager=spot.slug)
    return refused


def check_time(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    """Return a refusal unless a new wager may be made at this moment."""
    made, slug = spot.rule.made, spot.slug
    if spot.only_travels:
        return refuse("travels", made.cite, [spot.family], wager=slug, first=spot.family)
    if made.value == "come-out" and moment.puck:
        return refuse("before-come-out", made.cite, wager=slug)
    if made.value == "point" and not moment.puck:
        return refuse("with-point", made.cite, wager=slug)
    if made.value == "number":
        return _check_flat_is_up(spot, moment, wagers)
    if made.value in ("new-shooter", "after-seven"):
        return _check_new_shooter(spot, moment)
    return None


def _check_flat_is_up(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    if spot.flat in wagers and (spot.number or moment.puck):
        return None
    return refuse("needs-flat", spot.rule.made.cite, wager=spot.slug, flat=spot.flat)


def _check_new_shooter(spot: Spot, moment: Moment) -> Refusal | None:
    rule = spot.rule
    after_seven = rule.made.value == "after-seven"
    if moment.puck or not (moment.fresh or (after_seven and moment.after_seven)):
        if after_seven:
            return refuse("after-a-seven", rule.made.cite, wager=spot.slug)
        return refuse("before-new-shooter", rule.made.cite, wager=spot.slug)
    if rule.find_riding_key(spot.slug) in moment.riding:
        why = "custom: no new ones while earlier ones wait for their decision"
        return refuse("others-riding", why, wager=spot.slug)
    return None


def check_new_wager(
    layout: Layout, spot: Spot, moment: Moment, wagers: Wagers, amount: int, limits: bool = True
) -> Refusal | None:
    """Return a refusal unless a player may bet this amount on a wager, or add it to one that is up.

    Without ``limits``, the minimum and maximum are not checked, as if the crew did not notice.
    """
    up = wagers.get(spot.slug)
    refused = check_time(spot, moment, wagers) if up is None else check_raise(spot, moment, wagers)
    total = amount if up is None else up.amount + amount
    return refused or check_amount(layout, spot, moment.puck, wagers, total, limits)


def check_change(
    layout: Layout, spot: Spot, moment: Moment, wagers: Wagers, to: int
) -> Refusal | None:
    """Return a refusal unless a wager that is up may be raised or reduced to ``to`` cents."""
    up = wagers[spot.slug].amount
    if to > up:
        refused = check_raise(spot, moment, wagers)
    else:
        refused = check_change_period(spot.reduces, spot, moment, "reduced")
    return refused or check_amount(layout, spot, moment.puck, wagers, to)


def check_take_down(spot: Spot, moment: Moment) -> Refusal | None:
    """Return a refusal unless a wager that is up may be taken down before it is decided."""
    return check_change_period(spot.removes, spot, moment, "taken-down")


def check_call(layout: Layout, spot: Spot, called: bool | None, on: bool) -> Refusal | None:
    """Return a refusal unless a wager that is up may be called on (``on``) or off.

    ``called`` is the player's earlier call, or None; a player may always reverse it.
    """
    rule, book = spot.rule, layout.house.book
    own: CitedValue[Any] | None = rule.call_on if on else rule.call_off
    if called is (not on) or (own is not None and own.value not in (False, "no")):
        return None
    cite = (own or rule.come_out or book.working).cite
    down = ["down"] if not on and rule.is_race else []
    return refuse(f"not-called-{'on' if on else 'off'}", cite, down, wager=spot.slug)
