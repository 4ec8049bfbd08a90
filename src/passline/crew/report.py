"""The crew's work on events, line by line, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from passline.crew.buttons import buttons_of
from passline.crew.errands import called_tasks, errand_tasks
from passline.crew.hands import Motion
from passline.crew.tasks import Task, carried_out, ledger
from passline.crew.worklist import work_list
from passline.money import dollars
from passline.money.chips import Chips
from passline.table import Table, evolve
from passline.table.events import AnyEvent, Called, Rolled
from passline.words.calls import Caller


def tasks_of(table: Table, event: AnyEvent, call: Caller | None = None) -> tuple[Task, ...]:
    """What the crew does on an event. ``table`` is the table before it.

    Doing it moves exactly the money that the event moves, or this raises AssertionError.
    """
    after = evolve(table, event)
    if isinstance(event, Rolled):
        # What was called on or off is so no longer once it is decided, and its button comes off.
        called = [seat.id for seat in table.playing if buttons_of(table, seat.id)]
        buttons = [task for player in called for task in called_tasks(table, after, player)]
        tasks = (*work_list(table, event, call), *buttons)
    else:
        tasks = errand_tasks(table, event)
    assert carried_out(ledger(table), tasks) == ledger(after), event
    return tasks


def line_tasks(
    table: Table, events: Sequence[AnyEvent], call: Caller | None = None
) -> Iterator[tuple[AnyEvent, tuple[Task, ...]]]:
    """Each event of one line with what the crew does on it.

    Several wagers that a player calls on or off in one breath are one errand, done at the last.
    """
    last = {event.player: n for n, event in enumerate(events) if isinstance(event, Called)}
    first: dict[str, Table] = {}
    for number, event in enumerate(events):
        after = evolve(table, event)
        if isinstance(event, Called):
            before, player = first.setdefault(event.player, table), event.player
            yield event, called_tasks(before, after, player) if number == last[player] else ()
        else:
            yield event, tasks_of(table, event, call)
        table = after


def task_json(task: Task) -> dict[str, Any]:
    """One task; money in dollars, chips by colour."""
    return {
        "by": task.by,
        "post": task.post,
        "end": task.end or None,
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


def chips_json(chips: Chips) -> dict[str, Any]:
    """Chips: what they come to, and how many of each colour."""
    return {"amount": dollars(chips.amount), "chips": dict(chips.counts)}


def motions_json(motions: Iterable[Motion]) -> list[dict[str, Any]]:
    """The motions of a dealer's hands, in their order."""
    return [
        {
            "hand": motion.hand,
            "words": motion.words,
            **chips_json(motion.chips),
            "from": motion.source,
            "to": motion.target,
            "cites": motion.cites,
        }
        for motion in motions
    ]


def _pot(pot: tuple[str, str, str]) -> str:
    return " ".join(part for part in pot if part)


class WantedTasks(NamedTuple):
    """Which tasks to show: those of a post, those at an end, or all.

    >>> WantedTasks.of("left-base", ""), WantedTasks.of("stick", "right")
    (WantedTasks(post='base', ends=('left',)), WantedTasks(post='stick', ends=('right',)))
    """

    post: str = ""
    ends: tuple[str, ...] = ()

    @classmethod
    def of(cls, post: str, end: str) -> WantedTasks:
        """By a post's name, a base dealer's with the end before it, and an end's."""
        side, _, name = post.rpartition("-")
        return cls(name, tuple(at for at in (side, end) if at))

    def has(self, task: Task) -> bool:
        """Whether a task is wanted."""
        return self.post in ("", task.post) and all(task.end == end for end in self.ends)


EVERYTHING = WantedTasks()
