"""The contract's JSON of a dealt record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from passline.crew.stick import call as stick_call
from passline.layout import Settlement, Wagers
from passline.money import dollars
from passline.record.deal import Dealt, RecordEntry
from passline.table import evolve
from passline.table.events import Rolled
from passline.table.state import NOBODY, Seat, Table
from passline.words.calls import Caller
from passline.words.refusals import refusal_words

_LEDGER = ("win", "vig", "drop", "promo", "tokes")


def to_json(dealt: Dealt, call: Caller | None = None) -> dict[str, Any]:
    """The whole object: table, players, rolls and refusals. ``call``: the stick's, unless given."""
    call = call or stick_call
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
    theirs = {"dealers": _up(table, table.dealers)} if table.dealers else {}
    return {
        "rulebook": house.book.id,
        "game": house.game,
        "puck": table.puck or None,
        "shooter": _shooter(table),
        "house": _house(table),
        "players": {seat.name: _seat(table, seat) for seat in table.seats},
        **theirs,
    }


def entry_json(
    entry: RecordEntry, table: Table, call: Caller
) -> Iterator[tuple[str, dict[str, Any]]]:
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
    """The house's ledger; ``promo``, what promotions cost, is a part of ``win``."""
    return {name: dollars(getattr(table, name)) for name in _LEDGER}


def _shooter(table: Table) -> str | None:
    return None if table.shooter == NOBODY else table.seat(table.shooter).name


def _seat(table: Table, seat: Seat) -> dict[str, Any]:
    money = {"bought_in": dollars(seat.bought_in), "rail": dollars(seat.rail)}
    return {**money, **_up(table, seat.wagers)}


def _up(table: Table, wagers: Wagers) -> dict[str, Any]:
    slugs = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
    return {
        "layout": dollars(sum(stake.amount for stake in wagers.values())),
        "wagers": {slug: dollars(wagers[slug].amount) for slug in slugs},
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


def _refusal(entry: RecordEntry) -> dict[str, Any]:
    assert entry.refusal is not None
    return {
        "line": entry.line,
        "player": entry.player or None,
        "said": entry.said,
        "reason": refusal_words(entry.refusal),
        "cite": entry.refusal.cite,
    }
