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

from passline.live import opening
from passline.live.asks import HallError, OpenAsked, SeatAnswer, SeatAsked
from passline.live.dice import commit_to
from passline.live.hall import Hall
from passline.live.live_table import LiveTable
from passline.live.names import looks, seat_name
from passline.live.pacing import DAILY_THROWS
from passline.live.tables import store_errors
from passline.live.tokens import grant, new_token
from passline.money import dollars

#: What everybody begins with.
BUY_IN: Final = "500"
_ASKED: Final = OpenAsked(rulebook="new-jersey", open=False, pace={"betting": 0, "shooter": 0})
#: A day's secret is told so long after its end: no clock of ours is so far behind another.
_LATER: Final = timedelta(minutes=5)
#: Results that are told, and tables of a day that there may be.
MOST_RESULTS, MOST_TABLES = 500, 5_000


class DailyAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/daily``: who plays; ``token`` as for a seat."""

    name: str
    token: str = ""


def day_of(now: datetime) -> str:
    """The day, by the world's clock.

    >>> day_of(datetime(2026, 11, 16, 23, 59, tzinfo=UTC))
    '2026-11-16'
    """
    return now.astimezone(UTC).date().isoformat()


async def play(hall: Hall, asked: DailyAsked) -> tuple[str, SeatAnswer]:
    """Sit somebody down at a table of the day: the table, and the seat. The same name and token
    again gets the same; a name has one try a day. HallError 400, 409, 503."""
    day = day_of(hall.clock.now())
    name = seat_name(asked.name)
    table = _table_of(day, name)
    invitation = sha256(hall.dice.day_secret(f"invitation {table}")).hexdigest()[:48]
    secret = hall.dice.day_secret(day)
    async with store_errors():
        head = await hall.store.head(table)
        if head is None:
            if len(await _tables(hall, day)) >= MOST_TABLES:
                raise HallError(503, "so many play today that there is no room for more")
            house = opening.house_asked(_ASKED)
            settings = msgspec.structs.replace(
                opening.settings_asked(_ASKED, house), name=f"Daily {day}", dice="daily", day=day
            )
            draft = opening.opening_draft(table, house, settings, commit_to(secret))
            await hall.store.create(table, draft, grants=[grant(invitation, "player")])
    # A token that follows from the invitation would be everybody's: all come by the same one.
    token = asked.token or new_token()
    try:
        seat = await hall.sit(table, SeatAsked(name=name, buy_in=BUY_IN, token=token), invitation)
    except HallError as wrong:
        if wrong.status != 409:
            raise
        raise HallError(409, f"{name!r} has played today already: a name has one try") from None
    return table, seat


def _table_of(day: str, name: str) -> str:
    """A name's table of a day: there can be one only."""
    return f"d{sha256(f'{day}:{looks(name)}'.encode()).hexdigest()[:15]}"


async def told_daily(hall: Hall, day: str) -> dict[str, Any]:
    """A day: its commit, its results, and its secret once it is over. HallError 404 for one that
    has not come."""
    now = hall.clock.now()
    if not _is_day(day) or day > day_of(now):
        raise HallError(404, "there is no such day yet: expected one such as 2026-11-16")
    secret = hall.dice.day_secret(day)
    over = day_of(now - _LATER) > day
    return {
        "day": day,
        "throws": DAILY_THROWS,
        "buy_in": dollars(int(BUY_IN) * 100),
        "rulebook": _ASKED.rulebook,
        "commit": commit_to(secret),
        "secret": secret.hex() if over else None,
        "results": await _results(hall, day),
    }


def _is_day(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


async def _tables(hall: Hall, day: str) -> list[str]:
    listings = await hall.store.tables()
    return [
        found.table
        for found in listings
        if isinstance(found.settings, dict) and found.settings.get("day") == day
    ]


async def _results(hall: Hall, day: str) -> list[dict[str, Any]]:
    """Who has how much, the best first; equals share a place. Whoever has thrown nothing yet is
    left out."""
    async with store_errors():
        tables = await _tables(hall, day)
    rows = [_result((await hall.tables.get(table)).live) for table in tables]
    thrown = [row for row in rows if row is not None and row["throws"]]
    thrown.sort(key=lambda row: (-row["_cents"], row["name"]))
    found, place, last = [], 0, None
    for number, row in enumerate(thrown, 1):
        cents = row.pop("_cents")
        place, last = (place, last) if cents == last else (number, cents)
        found.append({"place": place, **row})
    return found[:MOST_RESULTS]


def _result(live: LiveTable) -> dict[str, Any] | None:
    """What a player has made of the day so far: what is up counts at its stake."""
    table = live.table
    if not table.seats:
        return None
    seat = table.seats[0]
    cents = seat.rail + sum(up.amount for up in seat.wagers.values()) - seat.bought_in
    done = table.throws >= DAILY_THROWS or not seat.here
    return {
        "name": seat.name,
        "result": dollars(cents),
        "throws": table.throws,
        "done": done,
        "_cents": cents,
    }
