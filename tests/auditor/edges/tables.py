"""The typed-in tables of the books, read."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from . import dealer_school, iowa, las_vegas, maryland_crapless, new_jersey, section_2

_TABLES = {
    "section-2": section_2.PAYS,
    "maryland-crapless": maryland_crapless.PAYS,
    "iowa": iowa.PAYS,
    "new-jersey": new_jersey.PAYS,
    "dealer-school": dealer_school.PAYS,
    "las-vegas": las_vegas.PAYS,
}
BOOKS = tuple(_TABLES)


class Line(NamedTuple):
    """A line of a table: ``wager [on when] [if option] | pays | clause``."""

    wager: str
    when: str
    option: str | None
    pays: str
    clause: str


def lines(book: str) -> list[Line]:
    """All that was typed in from a book."""
    found = []
    for row in _TABLES[book].strip().splitlines():
        said, pays, clause = (part.strip() for part in row.split("|"))
        named, _, option = said.partition(" if ")
        wager, _, when = named.partition(" on ")
        found.append(Line(wager=wager, when=when, option=option or None, pays=pays, clause=clause))
    return found


def odds(text: str) -> Fraction:
    """Odds as posted, for one unit.

    >>> odds("9 to 5")
    Fraction(9, 5)
    """
    paid, _, stake = text.partition(" to ")
    return Fraction(int(paid), int(stake))


def dice_of(when: str) -> list[tuple[int, int]]:
    """The pairs that ``3,4,9`` (totals) or ``1-5,3-3`` (faces) stand for.

    >>> dice_of("3"), dice_of("3-3")
    ([(1, 2), (2, 1)], [(3, 3)])
    """
    found = []
    for one in when.split(","):
        low, _, high = one.partition("-")
        for a in range(1, 7):
            for b in range(1, 7):
                faces = {a, b} == {int(low), int(high)} if high else a + b == int(low)
                if faces:
                    found.append((a, b))
    return found
