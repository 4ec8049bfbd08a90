"""Names at a live table: as in a record, no two that look alike, and not the house's."""

from __future__ import annotations

import unicodedata
from typing import Final

from passline.law.roles import POSTS
from passline.live.asks import HallError
from passline.plain import printed as looks
from passline.record.read import player_name
from passline.talk.errors import RecordError

__all__ = ["looks", "seat_name"]

#: Nobody's name: who speaks for the house. In a log, a record and a view a player `box` would be
#: taken for the box; entries by `machine` are the machine's own; and with a player `limits` there
#: the floor could post none.
_HOUSE: Final = frozenset(
    looks(word)
    for word in (
        *(post.name for post in POSTS),
        *("machine", "operator", "house", "watcher", "surveillance", "player", "nobody", "limits"),
    )
)


def seat_name(name: str) -> str:
    """A name that a player, or whoever has a post, can have. HallError 400 where it is none."""
    try:
        found = player_name(unicodedata.normalize("NFC", name))
    except RecordError as wrong:
        raise HallError(400, wrong.message) from None
    if looks(found) in _HOUSE:
        raise HallError(400, f"{found!r} speaks for the house: expected a name of your own")
    return found
