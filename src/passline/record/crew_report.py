"""The crew's work on a dealt record: the contract's JSON with what each throw asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from passline.crew.errands import refused_tasks
from passline.crew.report import EVERYTHING, WantedTasks, line_tasks, task_json
from passline.crew.tasks import Task
from passline.record.deal import Dealt, RecordEntry
from passline.record.report import to_json
from passline.table import Table, evolve
from passline.table.events import AnyEvent, Rolled
from passline.words.calls import Caller


def crew_json(
    dealt: Dealt, call: Caller | None = None, wanted: WantedTasks = EVERYTHING
) -> dict[str, Any]:
    """The object of ``passline deal --crew --json``: the contract's, each roll with its ``crew``,
    and ``errands``: what the crew did between the rolls, by line."""
    whole = to_json(dealt, call)
    errands: list[dict[str, Any]] = []
    rolls = iter(whole["rolls"])
    table = dealt.opening
    for line, entries in groupby(dealt.entries, key=lambda entry: entry.line):
        events: list[AnyEvent] = []
        for entry in entries:
            events += entry.events
            errands += _listed(line, refused_work(table, entry), wanted)
        for event, tasks in line_tasks(table, events, call):
            if isinstance(event, Rolled):
                next(rolls)["crew"] = [task_json(task) for task in tasks if wanted.has(task)]
            else:
                errands += _listed(line, tasks, wanted)
            table = evolve(table, event)
    return {**whole, "errands": errands}


def refused_work(table: Table, entry: RecordEntry) -> tuple[Task, ...]:
    """What the crew does about a say that was refused."""
    return refused_tasks(table, entry.command) if entry.refusal is not None else ()


def _listed(line: int, tasks: Sequence[Task], wanted: WantedTasks) -> list[dict[str, Any]]:
    found = [task_json(task) for task in tasks if wanted.has(task)]
    return [{"line": line, "tasks": found}] if found else []
