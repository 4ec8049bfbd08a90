"""Daily: one shooter's fifty throws, the same for everybody on a day, and a table of results.

Everybody plays alone, at a table of one's own whose dice are the day's: throw N of a day is that of
its secret and "daily:DAY:N:". The secret's hash is told from the first minute; the secret itself
when the day is over, so that anybody can check. The tables are not open: who watched one would see
what is to come.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from passline.game.money.amounts import to_dollars
from passline.live import table_setup
from passline.live.dice_proofs import hash_secret
from passline.live.live_table import LiveTable
from passline.live.requests import (
    OpenTableRequest,
    SeatRequest,
    SeatResponse,
    ServiceError,
    check_seat_name,
)
from passline.live.schedule import DAILY_THROWS
from passline.live.service import TableService
from passline.live.table_cache import translate_store_errors
from passline.live.tokens import make_grant, new_token
from passline.text import fold_look_alikes

#: What everybody begins with.
BUY_IN: Final = "500"
_DAILY_TABLE: Final = OpenTableRequest(
    rulebook="new-jersey", open=False, pace={"betting": 0, "shooter": 0}
)
#: A day's secret is told so long after its end: no clock of ours is so far behind another.
_REVEAL_DELAY: Final = timedelta(minutes=5)
#: Results that are told, and tables of a day that there may be.
MAX_RESULTS, MAX_TABLES = 500, 5_000


class DailyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/daily``: who plays; ``token`` as for a seat."""

    name: str
    token: str = ""


def format_day(now: datetime) -> str:
    """The day, by the world's clock.

    >>> format_day(datetime(2026, 11, 16, 23, 59, tzinfo=UTC))
    '2026-11-16'
    """
    return now.astimezone(UTC).date().isoformat()


async def join_daily(service: TableService, asked: DailyRequest) -> tuple[str, SeatResponse]:
    """Sit somebody down at a table of the day: the table, and the seat. The same name and token
    again gets the same; a name has one try a day. ServiceError (``invalid``), 409, 503."""
    day = format_day(service.clock.now())
    name = check_seat_name(asked.name)
    table = _daily_table_id(day, name)
    invitation = sha256(service.dice.day_secret(f"invitation {table}")).hexdigest()[:48]
    secret = service.dice.day_secret(day)
    async with translate_store_errors():
        head = await service.store.head(table)
        if head is None:
            if len(await _list_day_tables(service, day)) >= MAX_TABLES:
                raise ServiceError(
                    "unavailable", "so many play today that there is no room for more"
                )
            house = table_setup.read_requested_house(_DAILY_TABLE)
            settings = msgspec.structs.replace(
                table_setup.read_requested_settings(_DAILY_TABLE, house),
                name=f"Daily {day}",
                dice="daily",
                day=day,
            )
            draft = table_setup.make_opening_draft(table, house, settings, hash_secret(secret))
            await service.store.create(table, draft, grants=[make_grant(invitation, "player")])
    # A token that follows from the invitation would be everybody's: all come by the same one.
    token = asked.token or new_token()
    try:
        seat = await service.sit(
            table, SeatRequest(name=name, buy_in=BUY_IN, token=token), invitation
        )
    except ServiceError as wrong:
        if wrong.code != "conflict":
            raise
        raise ServiceError(
            "conflict", f"{name!r} has played today already: a name has one try"
        ) from None
    return table, seat


def _daily_table_id(day: str, name: str) -> str:
    """A name's table of a day: there can be one only."""
    return f"d{sha256(f'{day}:{fold_look_alikes(name)}'.encode()).hexdigest()[:15]}"


async def daily_json(service: TableService, day: str) -> dict[str, Any]:
    """A day: its commit, its results, and its secret once it is over. ServiceError for one that
    has not come."""
    now = service.clock.now()
    if not _is_day(day) or day > format_day(now):
        raise ServiceError("not_found", "there is no such day yet: expected one such as 2026-11-16")
    secret = service.dice.day_secret(day)
    over = format_day(now - _REVEAL_DELAY) > day
    return {
        "day": day,
        "throws": DAILY_THROWS,
        "buy_in": to_dollars(int(BUY_IN) * 100),
        "rulebook": _DAILY_TABLE.rulebook,
        "commit": hash_secret(secret),
        "secret": secret.hex() if over else None,
        "results": await _list_results(service, day),
    }


def _is_day(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


async def _list_day_tables(service: TableService, day: str) -> list[str]:
    listings = await service.store.tables()
    return [
        found.table
        for found in listings
        if isinstance(found.settings, dict) and found.settings.get("day") == day
    ]


async def _list_results(service: TableService, day: str) -> list[dict[str, Any]]:
    """Who has how much, the best first; equals share a place. Whoever has thrown nothing yet is
    left out."""
    async with translate_store_errors():
        tables = await _list_day_tables(service, day)
    rows = [_result_json((await service.tables.get(table)).live) for table in tables]
    thrown = [row for row in rows if row is not None and row["throws"]]
    thrown.sort(key=lambda row: (-row["_cents"], row["name"]))
    found, place, last = [], 0, None
    for number, row in enumerate(thrown, 1):
        cents = row.pop("_cents")
        place, last = (place, last) if cents == last else (number, cents)
        found.append({"place": place, **row})
    return found[:MAX_RESULTS]


def _result_json(live: LiveTable) -> dict[str, Any] | None:
    """What a player has made of the day so far: what is up counts at its stake."""
    table = live.table
    if not table.seats:
        return None
    seat = table.seats[0]
    cents = seat.rail + sum(up.amount for up in seat.wagers.values()) - seat.bought_in
    done = table.throws >= DAILY_THROWS or not seat.here
    return {
        "name": seat.name,
        "result": to_dollars(cents),
        "throws": table.throws,
        "done": done,
        "_cents": cents,
    }
