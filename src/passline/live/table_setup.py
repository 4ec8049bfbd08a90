"""Opening a table: what is request for, made into a house and settings, and entry 0."""

from __future__ import annotations

from typing import Final

import msgspec

from passline.game.house.house import House
from passline.game.house.load import HouseError, HouseFile, make_house_from_file, parse_house_file
from passline.game.law.book_files import BOOKS
from passline.game.table import codec
from passline.game.table.dice_custody import is_automated
from passline.game.table.opening import opening_event, unopened_table
from passline.live.entries import Draft
from passline.live.live_table import MACHINE, POST_NAMES, Pace, Settings
from passline.live.requests import OpenTableRequest, ServiceError
from passline.version import VERSION

#: The table of a server that has none yet: dealt by the machine, open to anybody.
PRACTICE_TABLE: Final = OpenTableRequest(rulebook="new-jersey", name="Practice")
_MAX_NAME_LENGTH = 60
_MAX_WAIT_SECONDS = 86_400


def read_requested_house(request: OpenTableRequest) -> House:
    """The house that a table is to be dealt by. ServiceError where the books allow none such."""
    if bool(request.rulebook) == bool(request.house):
        raise ServiceError("invalid", "expected one of rulebook (an id) and house (TOML text)")
    options = [(key, _option_text(value)) for key, value in request.elections.items()]
    try:
        if request.house:
            file = parse_house_file(request.house.encode("utf-8", "replace"), "house")
        elif request.rulebook in BOOKS:
            file = HouseFile(rulebook=request.rulebook, game=None, name="", elections={})
        else:
            known = ", ".join(BOOKS)
            raise ServiceError(
                "invalid", f"there is no rulebook {request.rulebook[:40]!r}: {known}"
            )
        return make_house_from_file(file, request.game or None, options)
    except HouseError as wrong:
        raise ServiceError("invalid", str(wrong)) from None


def _option_text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_requested_settings(request: OpenTableRequest, house: House) -> Settings:
    """The settings that are request for, defaults filled in. ServiceError where they cannot be."""
    name = request.name.strip() or house.name
    if len(name) > _MAX_NAME_LENGTH or not name.isprintable():
        raise ServiceError(
            "invalid", f"name: expected at most {_MAX_NAME_LENGTH} characters on one line"
        )
    pace = Pace(**request.pace)
    for key, seconds in (("betting", pace.betting), ("shooter", pace.shooter)):
        if not 0 <= seconds <= _MAX_WAIT_SECONDS:
            raise ServiceError("invalid", f"pace.{key}: expected seconds, 0 to {_MAX_WAIT_SECONDS}")
    posts: dict[str, str] = {post: request.posts.get(post, MACHINE) for post in POST_NAMES}
    if request.dice == "typed":
        if is_automated(unopened_table(house)):
            raise ServiceError(
                "invalid", f"dice: a machine throws at {house.game}: expected 'secure'"
            )
        if posts["stick"] != "person":
            raise ServiceError("invalid", "typed dice need a person at the stick: posts.stick")
    return Settings(
        name=name,
        rulebook=house.book.id,
        game=house.game,
        dice=request.dice,
        posts=posts,
        open=request.open,
        pace=pace,
        buy_ins=request.buy_ins,
        zone=_check_zone(request.zone),
    )


def _check_zone(zone: str) -> str:
    """A zone's name. Only names that the system's list has are looked up: they are paths."""
    from zoneinfo import available_timezones

    if not zone or zone == "UTC":
        return "UTC"
    if zone not in available_timezones():
        raise ServiceError(
            "invalid", f"zone: there is no {zone[:40]!r}: expected one such as Europe/Berlin"
        )
    return zone


def make_opening_draft(table: str, house: House, settings: Settings, commit: str) -> Draft:
    """Entry 0: the version, the house in full, the settings, the first commit; and the table's id,
    without which nobody could prove a throw from the log alone."""
    opened = codec.event_to_builtins(opening_event(house))
    more = {
        "table": table,
        "version": VERSION,
        "house": opened["house"],
        "settings": msgspec.to_builtins(settings),
        "commit": commit,
    }
    return Draft(role="operator", by="house", events=[opened], more=more)
