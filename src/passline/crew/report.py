"""The crew's work on a dealt record: as data, and line by line."""

from __future__ import annotations

from typing import Any

from passline.crew.errands import errand_tasks
from passline.crew.tasks import Task, carried_out, ledger
from passline.crew.worklist import Caller, work_list
from passline.money import dollars
from passline.record import Dealt
from passline.table import Table, evolve
from passline.table.events import AnyEvent, Rolled


def tasks_of(table: Table, event: AnyEvent, call: Caller | None = None) -> tuple[Task, ...]:
    """What the crew does on an event. ``table`` is the table before it.

    Doing it moves exactly the money that the event moves, or this raises AssertionError.
    """
    if isinstance(event, Rolled):
        tasks = work_list(table, event, call)
    else:
        tasks = errand_tasks(table, event)
    assert carried_out(ledger(table), tasks) == ledger(evolve(table, event)), event
    return tasks


def task_json(task: Task) -> dict[str, Any]:
    """One task; money in dollars, chips by colour."""
    return {
        "by": task.by,
        "do": task.do,
        "player": task.player or None,
        "wager": task.wager or None,
        "amount": dollars(task.amount),
        "chips": dict(task.chips),
        "where": task.where or None,
        "words": task.words,
        "cite": task.cite,
        "moves": [
            {"from": _pot(move.source), "to": _pot(move.target), "amount": dollars(move.amount)}
            for move in task.moves
        ],
    }


def _pot(pot: tuple[str, str, str]) -> str:
    return " ".join(part for part in pot if part)


def crew_json(dealt: Dealt, call: Caller | None = None) -> dict[str, Any]:
    """The object of ``passline deal --crew --json``: the contract's, each roll with its ``crew``,
    and ``errands``: what the crew did between the rolls, by line."""
    whole = dealt.to_json(*(() if call is None else (call,)))
    errands: list[dict[str, Any]] = []
    rolls = iter(whole["rolls"])
    table = dealt.opening
    for entry in dealt.entries:
        for event in entry.events:
            tasks = [task_json(task) for task in tasks_of(table, event, call)]
            if isinstance(event, Rolled):
                next(rolls)["crew"] = tasks
            elif tasks:
                errands.append({"line": entry.line, "tasks": tasks})
            table = evolve(table, event)
    return {**whole, "errands": errands}
