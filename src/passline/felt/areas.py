"""Which part of the felt a wager belongs to, by the shape of its rule, and the clause for it.

The clauses stand in the ``felt.toml`` of each rulebook.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.law.book_parts import load_part
from passline.game.law.wager_names import find_flat_wager, is_hop, is_laid
from passline.game.law.wagers import (
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
from passline.game.layout.spots import Layout, Spot

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
COLUMN_AREAS: tuple[FeltArea, ...] = ("behind", "behind-odds", "box", "box-odds", "place")
SEVEN = 7


def find_area(layout: Layout, spot: Spot) -> FeltArea:
    """Where a wager lies.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(house_for("iowa"))
    >>> [find_area(felt, felt.spots[slug]) for slug in ("pass", "lay-4", "hard-8", "any-seven")]
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
            return _find_odds_area(layout, rule)
        case Race():
            return _find_race_area(layout, spot, rule)
        case Hardway():
            return "hard"
        case OneRoll():
            return _find_one_roll_area(rule)
        case Composite():
            return _find_composite_area(layout, rule)
        case Collect():
            return "fire" if rule.counts.value == "points-made" else "bonus"


def _find_odds_area(layout: Layout, rule: OddsRule) -> FeltArea:
    book = layout.house.book
    laid = is_laid(book, rule)
    if isinstance(find_flat_wager(book, rule), Line):
        return "dont-pass-odds" if laid else "pass-odds"
    return "behind-odds" if laid else "box-odds"


def _find_race_area(layout: Layout, spot: Spot, rule: Race) -> FeltArea:
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


def list_winning_faces(rule: OneRoll) -> tuple[Face, ...]:
    """The faces on which a one-roll wager wins."""
    return rule.win.value


def _find_one_roll_area(rule: OneRoll) -> FeltArea:
    faces = list_winning_faces(rule)
    if rule.area == "table":
        return "field"
    if is_hop(rule):
        return "hop"
    if faces == (SEVEN,):
        return "seven"
    return "total" if len(faces) == 1 else "totals"


def _find_composite_area(layout: Layout, rule: Composite) -> FeltArea:
    """High on one number: in that number's box. With a leg on the seven: above it. Two legs of
    which one is on several totals: the circles. Else among the other combinations."""
    if rule.high is not None:
        return "high"
    areas = [find_area(layout, layout.spots[leg]) for leg in rule.legs.value if leg in layout.spots]
    if "seven" in areas:
        return "above-seven"
    if sorted(areas) == ["total", "totals"]:
        return "circles"
    return "parts"


#: No table is dealt that is longer than this, in feet.
_LONGEST_TABLE_FEET = 24


class PlaceCitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clause by which something lies at a place on the felt, or the custom."""

    custom: str
    cite: str = ""
    also: tuple[str, ...] = ()


class _TableLength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feet: int
    cite: str


class _CitedPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on: str
    cite: str
    also: tuple[str, ...] = ()


class _PrintedNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cite: str


class _FeltFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lies: dict[str, PlaceCitation]
    #: How long a table may be.
    longest: _TableLength | None = None
    #: The line on which the puck lies, off, before a shooter who rolls on for come wagers alone.
    special: _CitedPosition | None = None
    #: Where the bowl stands on a dead game: in the center, or on the stick, which lies there.
    dead: _CitedPosition | None = None
    #: The layout says that call bets are not taken.
    notice: _PrintedNotice | None = None


def _load_felt(book: str) -> _FeltFile:
    return load_part(book, "felt", _FeltFile)


def cite_place(name: str, book: str) -> str:
    """Return the clause by which something lies where it does, or the custom.

    >>> cite_place("pass-odds", "iowa"), cite_place("name", "iowa")
    ('wagers.5.c.A#2', 'custom: the layout shows whose it is')
    """
    found = _load_felt(book).lies.get(name)
    if found is None:
        return "custom: the center is the stick's"
    return found.cite or f"custom: {found.custom}"


def find_longest_table(book: str) -> int:
    """Return how long a table of this book may be, in feet."""
    longest = _load_felt(book).longest
    return longest.feet if longest is not None else _LONGEST_TABLE_FEET


def find_special_puck_line(book: str) -> str:
    """Return the line that has the puck while only come wagers are decided; empty: as usual."""
    special = _load_felt(book).special
    return special.on if special is not None else ""


def find_dead_bowl_place(book: str) -> str:
    """Return where the bowl stands on a dead game: ``center`` or ``stick``; empty: as usual."""
    dead = _load_felt(book).dead
    return dead.on if dead is not None else ""


def has_printed_notice(book: str) -> bool:
    """Return whether the layout itself says that call bets are not taken."""
    return _load_felt(book).notice is not None
