"""Which part of the felt a wager belongs to: told by the shape of its rule, not by its name."""

from __future__ import annotations

from typing import Literal

from passline.law.families import flat_of, is_hop, is_laid
from passline.law.wagers import (
    Collect,
    Come,
    Composite,
    Face,
    Hardway,
    Line,
    OddsRule,
    OneRoll,
    Race,
)
from passline.layout import Layout, Spot

#: Parts of the felt. ``behind``, ``box`` and ``place`` are strips of a number's column.
FeltArea = Literal[
    "pass",
    "pass-odds",
    "dont-pass",
    "dont-pass-odds",
    "come",
    "dont-come",
    "behind",
    "behind-odds",
    "box",
    "box-odds",
    "place",
    "big",
    "field",
    "hard",
    "seven",
    "total",
    "totals",
    "hop",
    "circles",
    "high",
    "above-seven",
    "parts",
    "fire",
    "bonus",
]
#: What lies behind, in and on the lines of the number boxes.
STRIPS: tuple[FeltArea, ...] = ("behind", "behind-odds", "box", "box-odds", "place")
SEVEN = 7


def area_of(layout: Layout, spot: Spot) -> FeltArea:
    """Where a wager lies.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> felt = lay_felt(house_for("iowa"))
    >>> [area_of(felt, felt.spots[slug]) for slug in ("pass", "lay-4", "hard-8", "any-seven")]
    ['pass', 'behind', 'hard', 'seven']
    """
    rule = spot.rule
    match rule:
        case Line():
            return "pass" if rule.wins.value == "number" else "dont-pass"
        case Come():
            right = rule.wins.value == "number"
            if not spot.number:
                return "come" if right else "dont-come"
            return "box" if right else "behind"
        case OddsRule():
            return _odds_area(layout, rule)
        case Race():
            return _race_area(layout, spot, rule)
        case Hardway():
            return "hard"
        case OneRoll():
            return _one_roll_area(rule)
        case Composite():
            return _composite_area(layout, rule)
        case Collect():
            return "fire" if rule.counts.value == "points-made" else "bonus"


def _odds_area(layout: Layout, rule: OddsRule) -> FeltArea:
    book = layout.house.book
    laid = is_laid(book, rule)
    if isinstance(flat_of(book, rule), Line):
        return "dont-pass-odds" if laid else "pass-odds"
    return "behind-odds" if laid else "box-odds"


def _race_area(layout: Layout, spot: Spot, rule: Race) -> FeltArea:
    """Against the number: behind it. With vigorish: in the box, as a come bet lies. Else on the
    place lines, unless another wager of this kind is on more numbers: then it has its own box."""
    if rule.wins.value == "seven":
        return "behind"
    if rule.vig:
        return "box"
    mine = len(rule.numbers.value)
    rivals = [
        len(other.rule.numbers.value)
        for other in layout.spots.values()
        if isinstance(other.rule, Race)
        and other.rule.wins.value == "number"
        and not other.rule.vig
        and other.family != spot.family
    ]
    return "big" if any(most > mine for most in rivals) else "place"


def won_by(rule: OneRoll) -> tuple[Face, ...]:
    """The faces on which a one-roll wager wins."""
    return rule.win.value


def _one_roll_area(rule: OneRoll) -> FeltArea:
    faces = won_by(rule)
    if rule.area == "table":
        return "field"
    if is_hop(rule):
        return "hop"
    if faces == (SEVEN,):
        return "seven"
    return "total" if len(faces) == 1 else "totals"


def _composite_area(layout: Layout, rule: Composite) -> FeltArea:
    """High on one number: in that number's box. With a leg on the seven: above it. Two legs of
    which one is on several totals: the circles. Else among the other combinations."""
    if rule.high is not None:
        return "high"
    areas = [area_of(layout, layout.spots[leg]) for leg in rule.legs.value if leg in layout.spots]
    if "seven" in areas:
        return "above-seven"
    if sorted(areas) == ["total", "totals"]:
        return "circles"
    return "parts"
