"""The crew's tasks for table events, one event or one line at a time, and their JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from passline.crew.motions import Motion
from passline.crew.on_off_buttons import find_buttons
from passline.crew.procedures import list_between_roll_tasks, list_button_tasks
from passline.crew.tasks import Task, apply_tasks, compute_ledger
from passline.crew.work_list import make_work_list
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.table.events import AnyEvent, Called, Rolled, ThrowCorrected
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.words.events import RollCaller


def list_event_tasks(
    table: Table, event: AnyEvent, call: RollCaller | None = None
) -> tuple[Task, ...]:
    """Return what the crew does for an event. `table` is the table before it.

    `call` makes the stick's call of a roll (default: in the rulebook's style). A corrected throw
    has no tasks: the crew puts everything back as it lay. Raise AssertionError if the tasks do not
    move exactly the money that the event moves.
    """
    if isinstance(event, ThrowCorrected):
        return ()
    after = evolve(table, event)
    if isinstance(event, Rolled):
        # A decided wager is no longer called on or off, so its button comes off.
        called = [seat.id for seat in table.playing if find_buttons(table, seat.id)]
        buttons = [task for player in called for task in list_button_tasks(table, after, player)]
        tasks = (*make_work_list(table, event, call), *buttons)
    else:
        tasks = list_between_roll_tasks(table, event)
    assert apply_tasks(compute_ledger(table), tasks) == compute_ledger(after), event
    return tasks


def list_line_tasks(
    table: Table, events: Sequence[AnyEvent], call: RollCaller | None = None
) -> Iterator[tuple[AnyEvent, tuple[Task, ...]]]:
    """Yield (event, the crew's tasks for it) for the events of one record line.

    `table` is the table before the line. `call` makes the stick's call of a roll. If a player calls
    several wagers on or off in one line, the last of those events has all their button tasks.
    """
    last = {event.player: n for n, event in enumerate(events) if isinstance(event, Called)}
    first: dict[str, Table] = {}
    for number, event in enumerate(events):
        after = evolve(table, event)
        if isinstance(event, Called):
            before, player = first.setdefault(event.player, table), event.player
            yield event, list_button_tasks(before, after, player) if number == last[player] else ()
        else:
            yield event, list_event_tasks(table, event, call)
        table = after


def task_to_json(task: Task) -> dict[str, Any]:
    """Return a task as a JSON object: money in dollars, chips as counts by color."""
    return {
        "by": task.by,
        "post": task.post,
        "end": task.end or None,
        "do": task.do,
        "player": task.player or None,
        "wager": task.wager or None,
        "amount": to_dollars(task.amount),
        "chips": dict(task.chips),
        "where": task.where or None,
        "words": task.words,
        "cite": task.cite,
        "moves": [
            {"from": str(source), "to": str(target), "amount": to_dollars(amount)}
            for source, target, amount in task.moves
        ],
    }


def chips_to_json(chips: Chips) -> dict[str, Any]:
    """Return chips as JSON data: their value and the count of each color."""
    return {"amount": to_dollars(chips.amount), "chips": dict(chips.counts)}


def motions_to_json(motions: Iterable[Motion]) -> list[dict[str, Any]]:
    """Return the motions of a dealer's hands as JSON data, in order."""
    return [
        {
            "hand": motion.hand,
            "words": motion.words,
            **chips_to_json(motion.chips),
            "from": motion.source,
            "to": motion.target,
            "cites": motion.cites,
        }
        for motion in motions
    ]


class TaskFilter(NamedTuple):
    """Which tasks to show: those of one post, at all of the given ends.

    An empty `post` means every post, and empty `ends` mean any end.

    >>> TaskFilter.parse("left-base", ""), TaskFilter.parse("stick", "right")
    (TaskFilter(post='base', ends=('left',)), TaskFilter(post='stick', ends=('right',)))
    """

    post: str = ""
    ends: tuple[str, ...] = ()

    @classmethod
    def parse(cls, post: str, end: str) -> TaskFilter:
        """Return the filter for a post (`left-base`, `stick`) and an end.

        Either may be "", for all posts or ends.
        """
        side, _, name = post.rpartition("-")
        return cls(name, tuple(at for at in (side, end) if at))

    def matches(self, task: Task) -> bool:
        """Return whether the filter shows a task."""
        return self.post in ("", task.post) and all(task.end == end for end in self.ends)


ALL_TASKS = TaskFilter()
