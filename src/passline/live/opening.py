"""Opening a table: what is asked for, made into a house and settings, and entry 0."""

from __future__ import annotations

from typing import Final

import msgspec

from passline.house.files import HouseError, HouseFile, house_from, parse_house
from passline.house.house import House
from passline.law import BOOKS
from passline.live.asks import HallError, OpenAsked
from passline.live.entries import Draft
from passline.live.live_table import MACHINE, POSTS, Pace, Settings
from passline.table import codec, tell_opening
from passline.table.custody import automated
from passline.table.opening import bare_table
from passline.version import VERSION

#: The table of a server that has none yet: dealt by the machine, open to anybody.
PRACTICE: Final = OpenAsked(rulebook="new-jersey", name="Practice")
_LONGEST_NAME = 60
_LONGEST_WAIT = 86_400


def house_asked(asked: OpenAsked) -> House:
    """The house that a table is to be dealt by. HallError 400 where the books allow none such."""
    if bool(asked.rulebook) == bool(asked.house):
        raise HallError(400, "expected one of rulebook (an id) and house (TOML text)")
    options = [(key, _typed(value)) for key, value in asked.elections.items()]
    try:
        if asked.house:
            file = parse_house(asked.house.encode("utf-8", "replace"), "house")
        elif asked.rulebook in BOOKS:
            file = HouseFile(rulebook=asked.rulebook, game=None, name="", elections={})
        else:
            known = ", ".join(BOOKS)
            raise HallError(400, f"there is no rulebook {asked.rulebook[:40]!r}: {known}")
        return house_from(file, asked.game or None, options)
    except HouseError as wrong:
        raise HallError(400, str(wrong)) from None


def _typed(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def settings_asked(asked: OpenAsked, house: House) -> Settings:
    """The settings that are asked for, defaults filled in. HallError 400 where they cannot be."""
    name = asked.name.strip() or house.name
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise HallError(400, f"name: expected at most {_LONGEST_NAME} characters on one line")
    pace = Pace(**asked.pace)
    for key, seconds in (("betting", pace.betting), ("shooter", pace.shooter)):
        if not 0 <= seconds <= _LONGEST_WAIT:
            raise HallError(400, f"pace.{key}: expected seconds, 0 to {_LONGEST_WAIT}")
    posts: dict[str, str] = {post: asked.posts.get(post, MACHINE) for post in POSTS}
    if asked.dice == "typed":
        if automated(bare_table(house)):
            raise HallError(400, f"dice: a machine throws at {house.game}: expected 'secure'")
        if posts["stick"] != "person":
            raise HallError(400, "typed dice need a person at the stick: posts.stick")
    return Settings(
        name=name,
        rulebook=house.book.id,
        game=house.game,
        dice=asked.dice,
        posts=posts,
        open=asked.open,
        pace=pace,
        buy_ins=asked.buy_ins,
        zone=_zone(asked.zone),
    )


def _zone(zone: str) -> str:
    """A zone's name. Only names that the system's list has are looked up: they are paths."""
    from zoneinfo import available_timezones

    if not zone or zone == "UTC":
        return "UTC"
    if zone not in available_timezones():
        raise HallError(400, f"zone: there is no {zone[:40]!r}: expected one such as Europe/Berlin")
    return zone


def opening_draft(table: str, house: House, settings: Settings, commit: str) -> Draft:
    """Entry 0: the version, the house in full, the settings, the first commit; and the table's id,
    without which nobody could prove a throw from the log alone."""
    opened = codec.to_plain(tell_opening(house))
    more = {
        "table": table,
        "version": VERSION,
        "house": opened["house"],
        "settings": msgspec.to_builtins(settings),
        "commit": commit,
    }
    return Draft(role="operator", by="house", events=[opened], more=more)
