"""Turn a request to open a table into a house, settings and the table's first entry. Pure."""

from __future__ import annotations

from typing import Final

import msgspec

from passline.game.house.house import House
from passline.game.house.load import (
    HouseError,
    HouseFile,
    find_book,
    make_house_from_file,
    parse_house_file,
)
from passline.game.law.book_files import DEFAULT_BOOK, book_ids
from passline.game.table import codec
from passline.game.table.dice_custody import is_automated
from passline.game.table.open_close import opening_event, unopened_table
from passline.game.words.live import FORM_LABELS
from passline.game.words.refusals import describe_election_error
from passline.live.live_table import MACHINE, POST_NAMES
from passline.live.log_entries import Draft
from passline.live.schema import OpenTableRequest, ServiceError
from passline.live.table_settings import Pace, Settings
from passline.version import VERSION

#: The table that a server without tables opens: the machine deals, and anybody may play.
PRACTICE_TABLE: Final = OpenTableRequest(rulebook=DEFAULT_BOOK, name="Practice")
_MAX_NAME_LENGTH = 60
_MAX_WAIT_SECONDS = 86_400


def read_requested_house(request: OpenTableRequest) -> House:
    """Return the house that a request describes: its rulebook, game and elections.

    Raise ServiceError if the request names no known rulebook, both a rulebook and a house file, or
    an election that the rulebook does not allow.
    """
    if bool(request.rulebook) == bool(request.house):
        raise ServiceError("rulebook-or-house")
    options = [
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in request.elections.items()
    ]
    try:
        if request.house:
            file = parse_house_file(request.house.encode("utf-8", "replace"), "house")
        elif request.rulebook in book_ids():
            file = HouseFile(rulebook=find_book(request.rulebook).id)
        else:
            raise ServiceError("unknown-rulebook", rulebook=request.rulebook, books=book_ids())
        return make_house_from_file(file, request.game or None, options)
    except HouseError as wrong:
        if wrong.expected and wrong.key in FORM_LABELS and wrong.key in request.elections:
            words = describe_election_error(wrong.key, wrong.expected, FORM_LABELS[wrong.key])
            raise ServiceError("invalid", words) from None
        raise ServiceError("invalid", str(wrong)) from None


def read_requested_settings(request: OpenTableRequest, house: House) -> Settings:
    """Return the table settings of a request, with defaults filled in.

    Raise ServiceError if the name, the pace, the time zone or the source of the dice is not
    allowed.
    """
    name = request.name.strip() or house.name
    if len(name) > _MAX_NAME_LENGTH or not name.isprintable():
        raise ServiceError("table-name", most=_MAX_NAME_LENGTH)
    pace = Pace(**request.pace)
    for key, seconds in (("betting", pace.betting), ("shooter", pace.shooter)):
        if not 0 <= seconds <= _MAX_WAIT_SECONDS:
            raise ServiceError("pace-seconds", key=key, most=_MAX_WAIT_SECONDS)
    posts: dict[str, str] = {post: request.posts.get(post, MACHINE) for post in POST_NAMES}
    if request.dice == "typed":
        if is_automated(unopened_table(house)):
            raise ServiceError("machine-dice", game=house.game)
        if posts["stick"] != "person":
            raise ServiceError("typed-dice-stick")
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
    """Return the time zone name ``zone``, or "UTC" if it is empty.

    Raise ServiceError for an unknown name. Only listed names are accepted, because ``ZoneInfo``
    would take any other name as a file's path.
    """
    from zoneinfo import available_timezones

    if not zone or zone == "UTC":
        return "UTC"
    if zone not in available_timezones():
        raise ServiceError("unknown-zone", zone=zone)
    return zone


def make_opening_draft(
    table: str, house: House, settings: Settings, commit: str, public_key: str
) -> Draft:
    """Return the draft of entry 0: the table's id, version, house, settings and dice commitment.

    ``commit`` is the dice commitment, empty where a person types in real dice. ``public_key`` is
    the public part of the house's signing key (see `live.signing_key`).
    """
    opened = codec.event_to_builtins(opening_event(house))
    more = {
        "table": table,
        "version": VERSION,
        "house": opened["house"],
        "settings": msgspec.to_builtins(settings),
        "commit": commit,
        "public_key": public_key,
    }
    return Draft(role="operator", by="house", events=[opened], more=more)
