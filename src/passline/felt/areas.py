"""Which area of the felt each wager belongs to, and the clauses about where things are.

An area is a part such as the pass line or the boxes. Each shape of rule in ``game/law/shapes`` says
its own area (`find_felt_area`). The clauses are data.
"""

from __future__ import annotations

import msgspec

from passline.game.law.book_parts import load_part
from passline.game.law.citations import CitedEntry
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot

#: The areas of a number's column.
COLUMN_AREAS: tuple[FeltArea, ...] = ("behind", "behind-odds", "box", "box-odds", "place")


def find_area(layout: Layout, spot: Spot) -> FeltArea:
    """Return the area of the felt to which a wager belongs.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(house_for("iowa"))
    >>> [find_area(felt, felt.spots[slug]) for slug in ("pass", "lay-4", "hard-8", "any-seven")]
    ['pass', 'behind', 'hard', 'seven']
    """
    dealt = {other.family: other.rule for other in layout.spots.values()}
    return spot.rule.find_felt_area(layout.house.book, dealt, spot.family, spot.number)


class PlaceCitation(CitedEntry, frozen=True):
    """The citation for where something is on the felt: a clause or a custom."""

    also: tuple[str, ...] = ()


class _TableLength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feet: int = 24
    cite: str = ""


class _CitedPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on: str = ""
    cite: str = ""
    also: tuple[str, ...] = ()


class _PrintedNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cite: str


class FeltFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rulebook says about its felt.

    `lies` has the citations for where things are, by the name of the thing, such as "pass" or
    "bank".
    """

    lies: dict[str, PlaceCitation]
    #: The longest table that the rulebook allows.
    longest: _TableLength = _TableLength()
    #: The line on which the puck is put, turned off, while the shooter rolls for come wagers only.
    special: _CitedPosition = _CitedPosition()
    #: Where the bowl is put on a dead game: in the center, or on the stick there.
    dead: _CitedPosition = _CitedPosition()
    #: The clause that requires a printed notice that call bets are not accepted.
    notice: _PrintedNotice | None = None


def load_felt(book: str) -> FeltFile:
    """Return what a rulebook says about its felt."""
    return load_part(book, "felt", FeltFile)


def cite_place(name: str, book: str) -> str:
    """Return the clause for where a thing (an area, "bank", "name") is on the felt, or the custom.

    For a thing that the rulebook's data does not list, the custom is that the center is the
    stick's.

    >>> cite_place("pass-odds", "iowa"), cite_place("name", "iowa")
    ('wagers.5.c.A#2', 'custom: the layout shows whose it is')
    """
    place = load_felt(book).lies.get(name)
    return place.cite if place is not None else "custom: the center is the stick's"
