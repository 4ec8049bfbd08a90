"""The crew's tasks, done in order, move exactly the money that the engine settled."""

from __future__ import annotations

import random

import msgspec
import pytest

from passline.crew.learner_steps import list_crew_work
from passline.crew.procedures import list_between_roll_tasks
from passline.crew.tasks import Task, apply_tasks, compute_ledger
from passline.crew.work_list import make_work_list
from passline.game.layout.stakes import Refusal
from passline.game.table.decide import decide
from passline.game.table.events import AnyEvent, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from tests.properties.houses import HOUSES, is_citation, shown
from tests.properties.moves import command_for, random_move
from tests.properties.test_commands import bought_in

every_house = pytest.mark.parametrize("number", range(len(HOUSES)), ids=lambda n: shown(HOUSES[n]))


def tasks_of(table: Table, event: AnyEvent) -> tuple[Task, ...]:
    """Return what the crew does for any event."""
    if isinstance(event, Rolled):
        return make_work_list(table, event)
    return list_between_roll_tasks(table, event)


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
            assert apply_tasks(compute_ledger(table), tasks) == compute_ledger(after), event
            for task in tasks:
                assert is_citation(HOUSES[number][0], task.cite), task
            table = after


def test_the_work_on_one_roll_is_listed_once() -> None:
    table = bought_in(0)
    rolled = Rolled(first=3, second=3, shooter="", was=0, puck=6, settlements=())
    work = list_crew_work(table, rolled)
    assert work.steps
    assert list_crew_work(table, rolled) is work
    other = msgspec.structs.replace(table, throws=table.throws + 1)  # equal in all that matters
    assert list_crew_work(other, rolled) is not work
    assert list_crew_work(other, rolled).steps == work.steps
    seven = msgspec.structs.replace(rolled, second=4, puck=0)
    assert list_crew_work(table, seven).occasion == "come-out"
