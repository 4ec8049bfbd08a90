"""Who stands where: the two ends of the table, and the crew's names.

Seats go clockwise from the boxperson's left. The boxperson sits at the middle of the inner side,
the stickperson stands opposite, a base dealer at the inner side of each end. So the first half of
the seats is the box's left end, from the base dealer to the stick; the rest the right end, from the
stick back to its base dealer.
"""

from __future__ import annotations

from typing import Literal

from passline.game.table import posts
from passline.game.table.dice_custody import is_automated
from passline.game.table.opening import count_places
from passline.game.table.state import DEALERS, Table

End = Literal["left", "right"]
WalkDirection = Literal["base-to-stick", "stick-to-base"]
_MACHINE = "the machine"
ENDS: tuple[End, End] = ("left", "right")


def find_end(table: Table, player: str) -> End:
    """The end at which a player stands."""
    if player == DEALERS:
        return "right"  # nobody stands there for them
    return "left" if table.seat(player).place <= count_places(table) // 2 else "right"


def opposite_end(end: End) -> End:
    """The opposite end.

    >>> opposite_end("left")
    'right'
    """
    return "right" if end == "left" else "left"


def list_players_at(table: Table, end: End, way: WalkDirection) -> list[str]:
    """The players of an end, in the order in which its dealer comes to them; the dealers' own
    wagers, which lie before nobody, among those of the right end."""
    names = [player for player, _ in table.everybody() if find_end(table, player) == end]
    outward = end == "left"  # seat order runs from the base at the left end, to it at the right
    return names if (way == "base-to-stick") == outward else names[::-1]


def find_dice_end(table: Table, shooter: str) -> End:
    """The end at which the dice come to rest: opposite the shooter."""
    return opposite_end(find_end(table, shooter)) if shooter else "left"


def count_base_dealers(table: Table) -> int:
    """How many base dealers deal here."""
    return posts.count_base_dealers(table.house)[0]


def name_base_dealer(table: Table, end: End) -> str:
    """What the dealer of an end is called."""
    if is_automated(table):
        return _MACHINE
    return "base dealer" if count_base_dealers(table) == 1 else f"base dealer, {end} end"


def name_stickperson(table: Table) -> str:
    """Who has the stick."""
    return _MACHINE if is_automated(table) else posts.stick_post(table.house).who


def name_boxperson(table: Table) -> str:
    """Who watches the bank."""
    return _MACHINE if is_automated(table) else posts.bank_post(table.house).who


def name_post(table: Table, post: str, end: End = "left") -> str:
    """Who has a post: ``stick``, ``box``, ``base`` (of an end), or anybody else by that name."""
    if post == "base":
        return name_base_dealer(table, end)
    return {"stick": name_stickperson, "box": name_boxperson}.get(post, lambda _: post)(table)


def center_out_key(end: End, number: int) -> int:
    """Orders numbers from the center outwards.

    The boxes run 4 5 6 8 9 10 from the players' left at both ends, so that at the box's left end
    the 4 lies nearest the center, at the right end the 10.

    >>> sorted((4, 10, 6), key=lambda number: center_out_key("right", number))
    [10, 6, 4]
    """
    return number if end == "left" else -number
