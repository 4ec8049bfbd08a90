"""The JSON of a dealt record: rolls and refusals, with or without the crew's work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import asdict

from passline.crew.procedures import list_refusal_tasks
from passline.crew.report import ALL_TASKS, TaskFilter, list_line_tasks, task_to_json
from passline.crew.stick import make_stick_call as stick_call
from passline.crew.tasks import Task
from passline.game.layout.stakes import Settlement, Wagers
from passline.game.money.amounts import to_dollars
from passline.game.table.events import AnyEvent, Rolled, ThrowCorrected
from passline.game.table.evolve import evolve
from passline.game.table.state import NOBODY, Seat, Table
from passline.game.words.events import RollCaller
from passline.game.words.refusals import describe_refusal
from passline.record.deal import Dealt, RecordEntry

_LEDGER_FIELDS = ("win", "vig", "drop", "promo", "tokes")


def to_json(dealt: Dealt, call: RollCaller | None = None) -> dict[str, Any]:
    """Return a dealt record as a JSON object: the table, its players, the rolls and the refusals.

    ``call`` makes the words called on a roll (default: the stick's call).
    """
    call, table = call or stick_call, dealt.opening
    rolls: list[dict[str, Any]] = []
    for entry in dealt.entries:
        for name, item in entry_json(entry, table, call):
            if name != "refusals":
                add_roll(rolls, item)
        for event in entry.events:
            table = evolve(table, event)
    refusals = [_refusal_json(entry) for entry in dealt.refusals]
    return {**table_json(dealt.table), "rolls": rolls, "refusals": refusals}


def add_roll(rolls: list[dict[str, Any]], item: dict[str, Any]) -> None:
    """Add a roll's JSON object to the list in place.

    If it corrects the last roll, it replaces that one and keeps its line number.
    """
    if "corrected" in item:
        item = {**item, "line": rolls.pop()["line"]}
    rolls.append(item)


def table_json(table: Table) -> dict[str, Any]:
    """Return the part of a dealt record's JSON object that describes the table."""
    house = table.house
    theirs = {"dealers": _wagers_json(table, table.dealers)} if table.dealers else {}
    return {
        "rulebook": house.book.id,
        "game": house.game,
        "puck": table.puck,
        "shooter": None if table.shooter == NOBODY else table.seat(table.shooter).name,
        # The cost of promotions, ``promo``, is a part of ``win``.
        "house": {name: to_dollars(getattr(table, name)) for name in _LEDGER_FIELDS},
        "players": {seat.name: _seat_json(table, seat) for seat in table.seats},
        **theirs,
    }


def entry_json(
    entry: RecordEntry, table: Table, call: RollCaller
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (list name, item) that one entry adds to the JSON: to ``rolls`` or ``refusals``.

    ``table`` is the table before the entry, and ``call`` makes the words called on a roll. A throw
    that replaces the one before it has ``corrected`` (see `add_roll`).
    """
    if entry.refusal is not None:
        yield "refusals", _refusal_json(entry)
    corrected: dict[str, Any] = {}
    for event in entry.events:
        if isinstance(event, ThrowCorrected):
            note = {"line": entry.line, "by": event.by, "was": list(event.was)}
            corrected = {"corrected": note}
        if isinstance(event, Rolled):
            yield "rolls", _roll_json(entry.line, event, call(table, event)) | corrected
        table = evolve(table, event)


def _seat_json(table: Table, seat: Seat) -> dict[str, Any]:
    money = {"bought_in": to_dollars(seat.bought_in), "rail": to_dollars(seat.rail)}
    return {**money, **_wagers_json(table, seat.wagers)}


def _wagers_json(table: Table, wagers: Wagers) -> dict[str, Any]:
    slugs = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
    return {
        "layout": to_dollars(sum(stake.amount for stake in wagers.values())),
        "wagers": {slug: to_dollars(wagers[slug].amount) for slug in slugs},
    }


def _roll_json(line: int, rolled: Rolled, call: str) -> dict[str, Any]:
    return {
        "line": line,
        "dice": [rolled.first, rolled.second],
        "call": call,
        "puck": rolled.puck or None,
        "settlements": [settlement_json(s) for s in rolled.settlements],
    }


def settlement_json(done: Settlement) -> dict[str, Any]:
    """Return one settlement as a JSON object; it has ``to`` only if the wager traveled."""
    row = asdict(done)
    row |= {key: to_dollars(row[key]) for key in ("stake", "paid", "vig")}
    unused = {"back", "left", "promo"} | ({"to"} if done.to is None else set())
    return {key: value for key, value in row.items() if key not in unused}


def _refusal_json(entry: RecordEntry) -> dict[str, Any]:
    assert entry.refusal is not None
    return {
        "line": entry.line,
        "player": entry.player or None,
        "said": entry.said,
        "reason": describe_refusal(entry.refusal),
        "cite": entry.refusal.cite,
    }


def crew_json(
    dealt: Dealt, call: RollCaller | None = None, wanted: TaskFilter = ALL_TASKS
) -> dict[str, Any]:
    """Return what ``passline deal --crew --json`` prints: `to_json` with the crew's tasks.

    Each roll has its tasks in ``crew``; ``errands`` has those between rolls, by line. ``call``
    makes the words called on a roll (default: the stick's call), and ``wanted`` limits the tasks.
    """
    whole = to_json(dealt, call)
    errands: list[dict[str, Any]] = []
    rolls, thrown = whole["rolls"], -1
    table = dealt.opening
    taken = [entry for entry in dealt.entries if not entry.dropped_by]
    for line, entries in groupby(taken, key=lambda entry: entry.line):
        events: list[AnyEvent] = []
        for entry in entries:
            events += entry.events
            errands += _errand_json(line, refused_entry_tasks(table, entry), wanted)
        for event, tasks in list_line_tasks(table, events, call):
            if isinstance(event, Rolled):
                thrown += 1
                rolls[thrown]["crew"] = [task_to_json(t) for t in tasks if wanted.matches(t)]
            elif isinstance(event, ThrowCorrected):
                thrown -= 1
            else:
                errands += _errand_json(line, tasks, wanted)
            table = evolve(table, event)
    return {**whole, "errands": errands}


def refused_entry_tasks(table: Table, entry: RecordEntry) -> tuple[Task, ...]:
    """Return what the crew does about a refused entry, or () if the entry was accepted."""
    return list_refusal_tasks(table, entry.command) if entry.refusal is not None else ()


def _errand_json(line: int, tasks: Sequence[Task], wanted: TaskFilter) -> list[dict[str, Any]]:
    found = [task_to_json(task) for task in tasks if wanted.matches(task)]
    return [{"line": line, "tasks": found}] if found else []
