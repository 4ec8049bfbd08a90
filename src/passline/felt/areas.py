"""Which part of the felt a wager belongs to: told by the shape of its rule, not by its name.

Where things lie, book by book, with the clause that says so: ``felt.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot

#: What lies behind, in and on the lines of the number boxes.
COLUMN_AREAS: tuple[FeltArea, ...] = ("behind", "behind-odds", "box", "box-odds", "place")


def find_area(layout: Layout, spot: Spot) -> FeltArea:
    """Where a wager lies.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(house_for("iowa"))
    >>> [find_area(felt, felt.spots[slug]) for slug in ("pass", "lay-4", "hard-8", "any-seven")]
    ['pass', 'behind', 'hard', 'seven']
    """
    dealt = {other.family: other.rule for other in layout.spots.values()}
    return spot.rule.find_felt_area(layout.house.book, dealt, spot.family, spot.number)


#: No table is dealt that is longer than this, in feet.
_LONGEST_TABLE_FEET = 24


class PlaceCitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place on the felt: its clause by rulebook, or the custom."""

    cite: dict[str, str]
    custom: str
    also: dict[str, tuple[str, ...]] = {}

    def cited(self, book: str) -> str:
        """The book's clause, or the custom."""
        return self.cite.get(book, f"custom: {self.custom}")


class _TableLengths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    feet: dict[str, int]
    cite: dict[str, str]


class _PlaceByBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    on: dict[str, str]
    cite: dict[str, str]
    also: dict[str, tuple[str, ...]] = {}


class _PrintedNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cite: dict[str, str]


class _FeltFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lies: dict[str, PlaceCitation]
    longest: _TableLengths
    special: _PlaceByBook
    dead: _PlaceByBook
    notice: _PrintedNotice


@cache
def _load_felt() -> _FeltFile:
    text = resources.files("passline.felt").joinpath("felt.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_FeltFile)


def cite_place(name: str, book: str) -> str:
    """The clause by which something lies where it does.

    >>> cite_place("pass-odds", "iowa"), cite_place("name", "iowa")
    ('wagers.5.c.A#2', 'custom: the layout shows whose it is')
    """
    found = _load_felt().lies.get(name)
    return found.cited(book) if found is not None else "custom: the center is the stick's"


def find_longest_table(book: str) -> int:
    """How long a table of this book may be, in feet."""
    return _load_felt().longest.feet.get(book, _LONGEST_TABLE_FEET)


def find_special_puck_line(book: str) -> str:
    """The line on which the puck lies while only come wagers are decided; empty: as ever."""
    return _load_felt().special.on.get(book, "")


def find_dead_bowl_place(book: str) -> str:
    """Where the bowl stands on a dead game: ``center``, or ``stick``; empty: as ever."""
    return _load_felt().dead.on.get(book, "")


def has_printed_notice(book: str) -> bool:
    """Whether the layout itself says that call bets are not taken."""
    return book in _load_felt().notice.cite
