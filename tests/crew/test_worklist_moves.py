"""Doing the crew's lists in order moves exactly the money that the engine settled."""

from __future__ import annotations

import random

import pytest

from passline.crew.errands import errand_tasks
from passline.crew.tasks import Task, carried_out, ledger
from passline.crew.worklist import work_list
from passline.layout import Refusal
from passline.table import Table, decide, evolve
from passline.table.events import AnyEvent, Rolled
from tests.properties.houses import HOUSES, is_citation, shown
from tests.properties.moves import command_for, random_move
from tests.properties.test_commands import bought_in

every_house = pytest.mark.parametrize("number", range(len(HOUSES)), ids=lambda n: shown(HOUSES[n]))


def tasks_of(table: Table, event: AnyEvent) -> tuple[Task, ...]:
    """What the crew does on any event."""
    if isinstance(event, Rolled):
        return work_list(table, event)
    return errand_tasks(table, event)


@every_house
@pytest.mark.parametrize("seed", range(3))
def test_the_lists_move_what_the_engine_settled(number: int, seed: int) -> None:
    rng = random.Random(f"crew {number} {seed}")
    table = bought_in(number)
    for _ in range(400):
        answer = decide(table, command_for(table, random_move(rng)))
        if isinstance(answer, Refusal):
            continue
        for event in answer:
            tasks = tasks_of(table, event)
            after = evolve(table, event)
            assert carried_out(ledger(table), tasks) == ledger(after), event
            for task in tasks:
                assert is_citation(HOUSES[number][0], task.cite), task
            table = after
