"""Players' names at a live table: as in a record, and no two that look alike."""

from __future__ import annotations

import unicodedata
from typing import Final

from passline.live.asks import HallError
from passline.record.read import player_name
from passline.talk.errors import RecordError

#: Letters of other scripts that look like these: nobody sits down as another's double.
_ALIKE: Final = str.maketrans(
    "аеорсухіјѕԁһӏԛԝвнкмтαονρτυικηωɑɡıⅼ",
    "aeopcyxijsdhlqwbhkmtaovptuiknwagil",
)
#: Nobody's name: who speaks for the house.
_HOUSE: Final = frozenset({"machine", "operator", "watcher", "surveillance", "nobody"})


def looks(name: str) -> str:
    """What a name looks like: two that look the same are one name.

    >>> looks("Ann") == looks("аnn"), looks("ann") == looks("anne")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return bare.translate(_ALIKE)


def seat_name(name: str) -> str:
    """A name that a player can have. HallError 400 where it is none."""
    try:
        found = player_name(unicodedata.normalize("NFC", name))
    except RecordError as wrong:
        raise HallError(400, wrong.message) from None
    if looks(found) in _HOUSE:
        raise HallError(400, f"{found!r} speaks for the house: expected a name of your own")
    return found
