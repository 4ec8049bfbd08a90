"""May a wager be made, changed, taken down, called on or off? None, or the refusal."""

from __future__ import annotations

from typing import Literal, NamedTuple

from passline.law.cited import Cited
from passline.law.wagers import Collect, OddsRule, Race, Until
from passline.layout.amounts import check_amount
from passline.layout.spots import Layout, Spot
from passline.layout.stakes import Refusal, Wagers, refuse

#: What may be barred of a wager that is up.
HowChanged = Literal["raised", "reduced", "taken-down"]


class Moment(NamedTuple):
    """What of the table a wager's rules look at.

    ``fresh``: the shooter has thrown no come-out yet. ``riding``: collecting wagers that have
    seen a throw and are not decided (by what they count).
    """

    puck: int = 0
    fresh: bool = True
    riding: frozenset[str] = frozenset()


def spot_for(layout: Layout, slug: str) -> Spot | Refusal:
    """The spot of a wager, or why this house does not deal it."""
    spot = layout.spots.get(slug)
    if spot is not None:
        return spot
    house = layout.house
    for family, rule in house.book.wager.items():
        if slug == family or slug.startswith(f"{family}-"):
            if rule.games is not None and house.game not in rule.games.value:
                return refuse("not-in-game", rule.games.cite, wager=slug, game=house.game)
            key = f"offers.{rule.offer}"
            if rule.offer and key in house.book.elect and not house.offers(rule.offer):
                elective = house.book.elect[key]
                said = elective.default if elective.default.clauses else elective.choices
                return refuse("not-elected", said.cite, wager=slug, key=key)
    return refuse("not-a-wager", house.book.unlisted, wager=slug, book=house.book.id)


def _has_number(spot: Spot, puck: int) -> bool:
    """Whether a wager's number is set: a line wager's by the puck, odds' always."""
    return bool(spot.set_on(puck)) or isinstance(spot.rule, OddsRule)


def _until(rule: Cited[Until], spot: Spot, moment: Moment, what: HowChanged) -> Refusal | None:
    if rule.value == "always":
        return None
    if rule.value == "never":
        return refuse(f"not-{what}", rule.cite, wager=spot.slug)
    if _has_number(spot, moment.puck):
        return refuse(f"not-{what}-with-number", rule.cite, wager=spot.slug)
    return None


def _may_raise(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    refused = _until(spot.raises, spot, moment, "raised")
    up = wagers[spot.slug]
    if refused is not None and spot.rule.restored_by and up.amount < up.flat:
        return refuse("not-restored", spot.rule.restored_by, wager=spot.slug)
    return refused


def may_time(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    """Whether a new wager may be made now."""
    made, slug = spot.rule.made, spot.slug
    if spot.only_travels:
        return refuse("travels", made.cite, [spot.family], wager=slug, first=spot.family)
    if made.value == "come-out" and moment.puck:
        return refuse("before-come-out", made.cite, wager=slug)
    if made.value == "point" and not moment.puck:
        return refuse("with-point", made.cite, wager=slug)
    if made.value == "number":
        return _may_odds(spot, moment, wagers)
    if made.value == "new-shooter":
        return _may_gather(spot, moment)
    return None


def _may_odds(spot: Spot, moment: Moment, wagers: Wagers) -> Refusal | None:
    if spot.flat in wagers and (spot.number or moment.puck):
        return None
    return refuse("needs-flat", spot.rule.made.cite, wager=spot.slug, flat=spot.flat)


def _may_gather(spot: Spot, moment: Moment) -> Refusal | None:
    rule = spot.rule
    assert isinstance(rule, Collect)
    if moment.puck or not moment.fresh:
        return refuse("before-new-shooter", rule.made.cite, wager=spot.slug)
    if rule.counts.value in moment.riding:
        why = "custom: no new ones while earlier ones wait for their decision"
        return refuse("others-riding", why, wager=spot.slug)
    return None


def may_make(
    layout: Layout, spot: Spot, moment: Moment, wagers: Wagers, amount: int, limits: bool = True
) -> Refusal | None:
    """Whether a wager may be made, or an amount added to one that is up.

    Without ``limits`` its minimum and maximum are not asked (it went down unnoticed).
    """
    up = wagers.get(spot.slug)
    refused = may_time(spot, moment, wagers) if up is None else _may_raise(spot, moment, wagers)
    total = amount if up is None else up.amount + amount
    return refused or check_amount(layout, spot, moment.puck, wagers, total, limits)


def may_change(
    layout: Layout, spot: Spot, moment: Moment, wagers: Wagers, to: int
) -> Refusal | None:
    """Whether a wager that is up may be raised or reduced to an amount."""
    up = wagers[spot.slug].amount
    if to > up:
        refused = _may_raise(spot, moment, wagers)
    else:
        refused = _until(spot.reduces, spot, moment, "reduced")
    return refused or check_amount(layout, spot, moment.puck, wagers, to)


def may_take_down(spot: Spot, moment: Moment) -> Refusal | None:
    """Whether a wager that is up may come down undecided."""
    return _until(spot.removes, spot, moment, "taken-down")


def may_call(layout: Layout, spot: Spot, called: bool | None, on: bool) -> Refusal | None:
    """Whether a wager that is up may be called on, or off."""
    rule, book = spot.rule, layout.house.book
    if on:
        if called is False or (rule.call_on is not None and rule.call_on.value):
            return None
        deciding = rule.call_on or rule.come_out or book.working
        word = "on"
    else:
        if called is True or (rule.call_off is not None and rule.call_off.value != "no"):
            return None
        deciding = rule.call_off or rule.come_out or book.working  # type: ignore[assignment]
        word = "off"
    down = not on and isinstance(rule, Race)
    return refuse(f"not-called-{word}", deciding.cite, ["down"] if down else (), wager=spot.slug)
