"""Who stands where: the two ends of the table, and the crew's names.

Seats go clockwise from the boxperson's left. The boxperson sits at the middle of the inner side,
the stickperson stands opposite, a base dealer at the inner side of each end. So the first half of
the seats is the box's left end, from the base dealer to the stick; the rest the right end, from the
stick back to its base dealer.
"""

from __future__ import annotations

from typing import Literal

from passline.table import Table, posts
from passline.table.custody import automated
from passline.table.opening import places_of
from passline.table.state import DEALERS

End = Literal["left", "right"]
Way = Literal["base-to-stick", "stick-to-base"]
_MACHINE = "the machine"
ENDS: tuple[End, End] = ("left", "right")


def end_of(table: Table, player: str) -> End:
    """The end at which a player stands."""
    if player == DEALERS:
        return "right"  # nobody stands there for them
    return "left" if table.seat(player).place <= places_of(table) // 2 else "right"


def other(end: End) -> End:
    """The opposite end.

    >>> other("left")
    'right'
    """
    return "right" if end == "left" else "left"


def standing_at(table: Table, end: End, way: Way) -> list[str]:
    """The players of an end, in the order in which its dealer comes to them."""
    names = [seat.name for seat in table.seats if end_of(table, seat.id) == end]
    outward = end == "left"  # seat order runs from the base at the left end, to it at the right
    return names if (way == "base-to-stick") == outward else names[::-1]


def dice_end(table: Table, shooter: str) -> End:
    """The end at which the dice come to rest: opposite the shooter."""
    return other(end_of(table, shooter)) if shooter else "left"


def base_dealers(table: Table) -> int:
    """How many base dealers deal here."""
    return posts.base_dealers(table.house)[0]


def base_at(table: Table, end: End) -> str:
    """What the dealer of an end is called."""
    if automated(table):
        return _MACHINE
    return "base dealer" if base_dealers(table) == 1 else f"base dealer, {end} end"


def stick(table: Table) -> str:
    """Who has the stick."""
    return _MACHINE if automated(table) else posts.stick(table.house).who


def box(table: Table) -> str:
    """Who watches the bank."""
    return _MACHINE if automated(table) else posts.bank(table.house).who
