"""The Daily: fifty throws of one shooter, the same for everyone on one day, and a ranking.

Everyone plays alone at their own table with the day's dice: throw N is derived from the day's
secret and "daily:DAY:N:". The hash of the secret is public from the start. The secret is published
after the day, so that anyone can check the throws. The tables are private, because a watcher who
plays later would see the throws in advance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.money.amounts import to_dollars
from passline.live import schema, table_setup
from passline.live.dice_proofs import hash_secret
from passline.live.lobby import DailyResult
from passline.live.scheduled_actions import DAILY_THROWS
from passline.live.service import TableService
from passline.live.table_cache import translate_store_errors
from passline.live.tokens import make_grant, new_token
from passline.text import fold_look_alikes

#: Everyone's buy-in, in dollars.
BUY_IN: Final = "500"
_DAILY_TABLE: Final = schema.OpenTableRequest(
    rulebook=DEFAULT_BOOK, open=False, pace={"betting": 0, "shooter": 0}
)
#: How long after its end a day's secret is published, in case a server's clock is behind.
_REVEAL_DELAY: Final = timedelta(minutes=5)
#: The most results that are listed, and the most tables of a day.
MAX_RESULTS, MAX_TABLES = 500, 5_000


class DailyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/daily``: the player's name, and a token for the seat."""

    name: str
    token: str = ""


def format_day(now: datetime) -> str:
    """Return the UTC date of a time as text.

    >>> format_day(datetime(2026, 11, 16, 23, 59, tzinfo=UTC))
    '2026-11-16'
    """
    return now.astimezone(UTC).date().isoformat()


async def join_daily(
    service: TableService,
    request: DailyRequest,
    address: str = "",
    admit: Callable[[], None] = lambda: None,
) -> tuple[str, schema.SeatResponse]:
    """Seat a player at their own table of today's Daily. Return (table id, seat).

    The same name and token get the same answer again; a name can play only once a day. ``address``
    is the network address of the request: if several names come from there, only the one that
    throws first is ranked. ``admit`` is called before a table is opened, and may refuse by raising
    ServiceError. Raise ServiceError also if the name has played, the day has too many tables, or
    its secret was published.
    """
    async with translate_store_errors():
        await service.clock.synchronize()
        day = format_day(service.clock.now())
        if await service.dice.is_published(service.store, day):
            raise schema.ServiceError("daily-published", day=day)
    name = schema.check_seat_name(request.name)
    table = _daily_table_id(day, name)
    invitation = sha256(service.dice.day_secret(f"invitation {table}")).hexdigest()[:48]
    secret = service.dice.day_secret(day)
    async with translate_store_errors():
        head = await service.store.head(table)
        if head is None:
            admit()
            if len(await _list_day_tables(service, day)) >= MAX_TABLES:
                raise schema.ServiceError("daily-full")
            house = table_setup.read_requested_house(_DAILY_TABLE)
            settings = msgspec.structs.replace(
                table_setup.read_requested_settings(_DAILY_TABLE, house),
                name=f"Daily {day}",
                dice="daily",
                day=day,
                sender=service.hosting.host_id(address) if address else UNSET,
            )
            draft = table_setup.make_opening_draft(
                table, house, settings, hash_secret(secret), service.signing_key.public_key
            )
            await service.store.create(table, draft, grants=[make_grant(invitation, "player")])
    # The token must not follow from the invitation, which everyone could compute.
    token = request.token or new_token()
    try:
        claim = schema.SeatRequest(name=name, buy_in=BUY_IN, token=token)
        seat = await service.sit(table, claim, invitation)
    except schema.ServiceError as wrong:
        if wrong.code != "conflict":
            raise
        raise schema.ServiceError("daily-played", name=name) from None
    return table, seat


def _daily_table_id(day: str, name: str) -> str:
    """Return the id of a player's table for a day. The same day and name give the same id."""
    return f"d{sha256(f'{day}:{fold_look_alikes(name)}'.encode()).hexdigest()[:15]}"


async def daily_json(service: TableService, day: str) -> dict[str, Any]:
    """Return a day's rules, results and dice commitment as JSON, and its secret once it is over.

    Before the secret is told, the store ends the day for good (`HouseDice.publish_day`). Raise
    ServiceError for a day in the future, for text that is not a date, and if the store fails.
    """
    async with translate_store_errors():
        await service.clock.synchronize()
    now = service.clock.now()
    if not _is_day(day) or day > format_day(now):
        raise schema.ServiceError("unknown-day")
    secret = None
    if format_day(now - _REVEAL_DELAY) > day:
        async with translate_store_errors():
            secret = await service.dice.publish_day(service.store, day)
    return {
        "day": day,
        "throws": DAILY_THROWS,
        "buy_in": to_dollars(int(BUY_IN) * 100),
        "rulebook": _DAILY_TABLE.rulebook,
        "commit": hash_secret(service.dice.day_secret(day)),
        "secret": secret.hex() if secret else None,
        "results": await _list_results(service, day),
    }


def _is_day(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


async def _list_day_tables(service: TableService, day: str) -> list[str]:
    """Return the ids of the tables of a day's Daily, sorted."""
    rows = await service.lobby_rows.rows()
    return sorted(table for table, row in rows.items() if row.daily == day)


async def _list_results(service: TableService, day: str) -> list[dict[str, Any]]:
    """Return the results of a day as JSON objects, best first. Equal results share a rank.

    Only players who threw are listed. Of several names at one address, only the one that threw
    first has a rank, because the others may have known the throws. Those without a rank come last.
    Everything comes from the lobby's rows, so no table is loaded.
    """
    rows = await service.lobby_rows.rows()
    played = {table: row.result for table, row in rows.items() if row.daily == day and row.result}
    ranked = _find_ranked(played)
    order = sorted(
        played, key=lambda table: (table not in ranked, -played[table].cents, played[table].name)
    )
    every = [played[table].cents for table in order if table in ranked]
    places = {cents: place for place, cents in reversed(list(enumerate(every, 1)))}
    return [
        _result_json(played[table], places[played[table].cents] if table in ranked else None)
        for table in order[:MAX_RESULTS]
    ]


def _find_ranked(played: Mapping[str, DailyResult]) -> set[str]:
    """Return the ids of the ranked tables: for each address, the one that threw first."""
    first: dict[str, str] = {}
    for table, result in played.items():
        other = first.setdefault(result.sender or table, table)
        if (result.first_thrown_at, table) < (played[other].first_thrown_at, other):
            first[result.sender or table] = table
    return set(first.values())


def _result_json(result: DailyResult, place: int | None) -> dict[str, Any]:
    """Return a result as a JSON object. ``place`` is its rank, or None if it has none."""
    return {
        "place": place,
        "name": result.name,
        "result": to_dollars(result.cents),
        "throws": result.throws,
        "done": result.throws >= DAILY_THROWS or not result.here,
    }
