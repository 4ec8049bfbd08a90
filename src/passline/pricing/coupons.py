"""What a match play coupon is worth, by the engine that deals it."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from passline.dice import FAIR, Dice
from passline.exact.decision import solve_walk
from passline.house import House
from passline.layout import Refusal, lay_felt
from passline.machines.decision import walk_wager
from passline.pricing.setups import course_of
from passline.pricing.wager import StakeRefused, WagerError


def coupon_worth(house: House, wager: str, face: int, dice: Dice = FAIR) -> Fraction:
    """What a coupon of so many cents adds to a wager of as many, in cents; a push keeps it.

    Raises WagerError, with the clause, where the house or the rules do not take it.

    >>> from passline.house.files import house_for
    >>> taken = house_for("new-jersey", None, [("offers.match_play", "true")])
    >>> coupon_worth(taken, "pass", 1000)
    Fraction(48800, 99)
    """
    layout = lay_felt(house)
    slug = layout.slug(wager)
    if slug not in layout.spots:
        raise WagerError(f"there is no wager {wager[:40]!r} here to match")
    course = replace(course_of(layout, layout.spots[slug]), dice=dice)
    plain = walk_wager(layout, slug, face, course)
    matched = walk_wager(layout, slug, face, replace(course, match=face))
    for walked in (plain, matched):
        if isinstance(walked, Refusal):
            raise StakeRefused(f"{slug} with a coupon", face, walked)
    assert not isinstance(plain, Refusal)
    assert not isinstance(matched, Refusal)
    without, with_it = solve_walk(plain), solve_walk(matched)
    return (with_it.mean - without.mean) / (1 - without.chances.get(0, Fraction(0)))
