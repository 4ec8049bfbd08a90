"""Which end of the table each player stands at, and what the crew members are called.

Seats go clockwise from the boxperson's left. The boxperson sits at the middle of the inner side,
the stickperson stands opposite, and a base dealer stands at the inner side of each end. So the
first half of the seats is the left end, running from the base dealer to the stick. The other half
is the right end, running from the stick back to the base dealer.

Every other module uses these functions to find an end.
"""

from __future__ import annotations

from typing import Literal

from passline.game.table import posts
from passline.game.table.dice_custody import is_automated
from passline.game.table.opening import PLACES, count_left_places, count_places
from passline.game.table.state import DEALERS, Table
from passline.game.words.crew import MACHINE_NAME

End = Literal["left", "right"]
WalkDirection = Literal["base-to-stick", "stick-to-base"]
ENDS: tuple[End, End] = ("left", "right")


def find_end(table: Table, player: str) -> End:
    """Return the end at which a player stands. The dealers' own wagers belong to the right end."""
    if player == DEALERS:
        return "right"  # By custom: the dealers' wagers are in front of no player.
    return find_place_end(table, table.seat(player).place)


def find_place_end(table: Table, place: int) -> End:
    """Return the end of the table that a rail position (a number from 1) is at."""
    return "left" if place in list_places_at("left", count_places(table)) else "right"


def list_places_at(end: End, places: int = PLACES) -> range:
    """Return the rail positions at an end of a table with `places` positions in all.

    >>> list(list_places_at("right"))
    [9, 10, 11, 12, 13, 14, 15, 16]
    """
    left = count_left_places(places)
    return range(1, left + 1) if end == "left" else range(left + 1, places + 1)


def opposite_end(end: str) -> End:
    """Return the other end.

    >>> opposite_end("left")
    'right'
    """
    return "right" if end == "left" else "left"


def list_players_at(table: Table, end: End, way: WalkDirection) -> list[str]:
    """Return the players at an end in the order in which its base dealer works.

    `way` says whether the dealer works toward the stick or away from it. The right end includes the
    dealers themselves, because wagers may be made for them.
    """
    names = [player for player, _ in table.everybody() if find_end(table, player) == end]
    # Seats run from the base dealer to the stick at the left end, and back at the right end.
    return names if (way == "base-to-stick") == (end == "left") else names[::-1]


def find_dice_end(table: Table, shooter: str) -> End:
    """Return the end at which the dice come to rest: opposite the shooter; "left" if no shooter."""
    return opposite_end(find_end(table, shooter)) if shooter else "left"


def count_base_dealers(table: Table) -> int:
    """Return how many base dealers this table has."""
    return posts.count_base_dealers(table.house)[0]


def name_base_dealer(table: Table, end: End) -> str:
    """Return what the dealer of an end is called, such as "base dealer, left end"."""
    if is_automated(table):
        return MACHINE_NAME
    return "base dealer" if count_base_dealers(table) == 1 else f"base dealer, {end} end"


def name_stickperson(table: Table) -> str:
    """Return what the crew member with the stick is called at this table."""
    return MACHINE_NAME if is_automated(table) else posts.stick_post(table.house).who


def name_boxperson(table: Table) -> str:
    """Return what the crew member who watches the bank is called at this table."""
    return MACHINE_NAME if is_automated(table) else posts.bank_post(table.house).who


def name_post(table: Table, post: str, end: End = "left") -> str:
    """Return what the holder of `stick`, `box` or `base` is called; return other posts as given."""
    match post:
        case "base":
            return name_base_dealer(table, end)
        case "stick":
            return name_stickperson(table)
        case "box":
            return name_boxperson(table)
    return post


def center_out_key(end: End, number: int) -> int:
    """Return a sort key that orders box numbers from the center of the table outward.

    The boxes run 4 5 6 8 9 10 from the players' left at both ends. So the 4 is nearest the center
    at the left end, and the 10 at the right end.

    >>> sorted((4, 10, 6), key=lambda number: center_out_key("right", number))
    [10, 6, 4]
    """
    return number if end == "left" else -number
