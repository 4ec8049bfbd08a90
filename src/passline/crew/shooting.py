"""Whether the shooter bets the don't side, and saying so whenever that comes true."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from passline.crew.errand_steps import said
from passline.crew.facts import place_of
from passline.crew.tasks import Task
from passline.table import Table
from passline.table.state import NOBODY


def from_the_dont(table: Table) -> str:
    """The shooter, if he has a wager against the line and none for it; else nobody."""
    if table.shooter == NOBODY:
        return ""
    seat, layout = table.seat(table.shooter), table.layout
    sides = {place_of(layout, layout.spots[slug]) for slug in seat.wagers}
    return seat.id if "donts" in sides and "line" not in sides else ""


def comes_true(before: Table, after: Table, told: Collection[Task]) -> Iterator[Task]:
    """Iowa's stick.4: it is announced when it comes true, unless the crew has just said so."""
    who = from_the_dont(after)
    if who and who != from_the_dont(before):
        yield from (task for task in said(after, "from-the-dont") if task not in told)
