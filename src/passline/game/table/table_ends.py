"""The places at a table, and which of its two ends each is at. No other module computes this.

Places (seat positions) go clockwise from the boxperson's left. The boxperson sits at the middle of
the inner side, the stickperson stands opposite, and a base dealer stands at the inner side of each
end. So the first half of the places is the left end, running from the base dealer to the stick. The
other half is the right end, running from the stick back to the base dealer.
"""

from __future__ import annotations

from typing import Literal

from passline.game.table.state import DEALERS, Table

End = Literal["left", "right"]
WalkDirection = Literal["base-to-stick", "stick-to-base"]
ENDS: tuple[End, End] = ("left", "right")

#: The number of places at a table: eight at each end. A record may seat more players.
PLACES = 16
_LARGE_TABLE_PLACES = 24


def count_places(table: Table) -> int:
    """Return the number of places: sixteen, or more if the table opened with more players."""
    return PLACES if table.furthest <= PLACES else _LARGE_TABLE_PLACES


def list_places_at(end: End, places: int = PLACES) -> range:
    """Return the places at an end of a table with `places` places in all.

    >>> list(list_places_at("right"))
    [9, 10, 11, 12, 13, 14, 15, 16]
    """
    left = places // 2
    return range(1, left + 1) if end == "left" else range(left + 1, places + 1)


def assign_places(count: int) -> tuple[int, ...]:
    """Return the places for this many players: half at the left end, half at the right.

    >>> assign_places(3)
    (1, 2, 9)
    """
    places = PLACES if count <= PLACES else _LARGE_TABLE_PLACES
    left, right = list_places_at("left", places), list_places_at("right", places)
    return (*left[: (count + 1) // 2], *right[: count // 2])


def find_place_end(table: Table, place: int) -> End:
    """Return the end of the table that a place is at."""
    return "left" if place in list_places_at("left", count_places(table)) else "right"


def find_end(table: Table, player: str) -> End:
    """Return the end at which a player stands. The dealers' own wagers belong to the right end."""
    if player == DEALERS:
        return "right"  # By custom: the dealers' wagers are in front of no player.
    return find_place_end(table, table.seat(player).place)


def opposite_end(end: str) -> End:
    """Return the other end.

    >>> opposite_end("left")
    'right'
    """
    return "right" if end == "left" else "left"


def find_dice_end(table: Table, shooter: str) -> End:
    """Return the end at which the dice come to rest: opposite the shooter; "left" if no shooter."""
    return opposite_end(find_end(table, shooter)) if shooter else "left"


def list_players_at(table: Table, end: End, way: WalkDirection) -> list[str]:
    """Return the players at an end in the order in which its base dealer works.

    `way` says whether the dealer works toward the stick or away from it. The right end includes the
    dealers themselves, because wagers may be made for them.
    """
    left = list_places_at("left", count_places(table))
    names = [seat.id for seat in table.playing if (seat.place in left) == (end == "left")]
    names += [DEALERS] if table.dealers and end == "right" else []
    # Places run from the base dealer to the stick at the left end, and back at the right end.
    return names if (way == "base-to-stick") == (end == "left") else names[::-1]


def center_out_key(end: End, number: int) -> int:
    """Return a sort key that orders box numbers from the center of the table outward.

    The boxes run 4 5 6 8 9 10 from the players' left at both ends. So the 4 is nearest the center
    at the left end, and the 10 at the right end.

    >>> sorted((4, 10, 6), key=lambda number: center_out_key("right", number))
    [10, 6, 4]
    """
    return number if end == "left" else -number
