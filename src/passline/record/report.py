"""The contract's JSON of a dealt record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from passline.layout import Settlement
from passline.money import dollars
from passline.record.calls import Caller
from passline.record.deal import Dealt, Entry
from passline.table import evolve
from passline.table.events import Rolled
from passline.table.state import NOBODY, Seat, Table


def to_json(dealt: Dealt, call: Caller) -> dict[str, Any]:
    """The whole object: table, players, rolls and refusals."""
    return {
        **standing_json(dealt.table),
        "rolls": [
            _roll(entry.line, rolled, call(before, rolled))
            for entry, before, rolled in dealt.throws()
        ],
        "refusals": [_refusal(entry) for entry in dealt.refusals],
    }


def standing_json(table: Table) -> dict[str, Any]:
    """The part of the object that says how the table stands."""
    house = table.house
    return {
        "rulebook": house.book.id,
        "game": house.game,
        "puck": table.puck or None,
        "shooter": _shooter(table),
        "house": _house(table),
        "players": {seat.name: _seat(table, seat) for seat in table.seats},
    }


def entry_json(entry: Entry, table: Table, call: Caller) -> Iterator[tuple[str, dict[str, Any]]]:
    """What one entry adds to the object: to its ``rolls`` or its ``refusals``.

    ``table`` is the table before it.
    """
    if entry.refusal is not None:
        yield "refusals", _refusal(entry)
    for event in entry.events:
        if isinstance(event, Rolled):
            yield "rolls", _roll(entry.line, event, call(table, event))
        table = evolve(table, event)


def _house(table: Table) -> dict[str, str]:
    """The contract's three sums, and what is in the toke box where there is something."""
    house = {
        "win": dollars(table.win),
        "vig": dollars(table.vig),
        "drop": dollars(table.drop),
    }
    return {**house, "tokes": dollars(table.tokes)} if table.tokes else house


def _shooter(table: Table) -> str | None:
    return None if table.shooter == NOBODY else table.seats[table.shooter].name


def _seat(table: Table, seat: Seat) -> dict[str, Any]:
    slugs = sorted(seat.wagers, key=lambda slug: table.layout.spots[slug].rank)
    return {
        "bought_in": dollars(seat.bought_in),
        "rail": dollars(seat.rail),
        "layout": dollars(sum(stake.amount for stake in seat.wagers.values())),
        "wagers": {slug: dollars(seat.wagers[slug].amount) for slug in slugs},
    }


def _roll(line: int, rolled: Rolled, call: str) -> dict[str, Any]:
    return {
        "line": line,
        "dice": [rolled.first, rolled.second],
        "call": call,
        "puck": rolled.puck or None,
        "settlements": [settlement_json(s) for s in rolled.settlements],
    }


def settlement_json(done: Settlement) -> dict[str, Any]:
    """One settlement; ``to`` only where a wager travelled."""
    row: dict[str, Any] = {
        "player": done.player,
        "wager": done.wager,
        "stake": dollars(done.stake),
        "result": done.result,
        "odds": done.odds,
        "paid": dollars(done.paid),
        "vig": dollars(done.vig),
        "cite": done.cite,
    }
    if done.to is not None:
        row["to"] = done.to
    return row


def _refusal(entry: Entry) -> dict[str, Any]:
    assert entry.refusal is not None
    return {
        "line": entry.line,
        "player": entry.player or None,
        "said": entry.said,
        "reason": entry.refusal.reason,
        "cite": entry.refusal.cite,
    }
