"""Moments: how a table stood after a line of its game, and what that line did.

A log's entry and a record's line are one shape, ``GameStep``; a moment is the step with the table
before and after it. State is the fold of the steps, by the engine and by nothing else.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.live.live_table import ThrowKept
from passline.record.deal import RecordEntry
from passline.table import Table, evolve
from passline.table import events as ev


class GameStep(Struct, frozen=True, kw_only=True):
    """One line of a game: its number from 0, who said what, and the events that it made.

    ``line`` is where it stands in a record's file (0 in a log), ``act`` what was done at a live
    table that is no line, ``at`` the time. ``refused``: what of it the rules forbade; a log holds
    nothing that was. ``hash`` and ``prev`` are a log's.
    """

    number: int
    said: str
    events: tuple[ev.AnyEvent, ...] = ()
    role: str = ""
    by: str = ""
    at: str = ""
    line: int = 0
    act: str = ""
    refused: tuple[RecordEntry, ...] = ()
    hash: str = ""
    prev: str = ""


class Stood(Struct, frozen=True, kw_only=True):
    """A table after the step of a number, and the last throw that counted until then."""

    number: int
    table: Table
    thrown: ThrowKept | None = None
    hash: str = ""


class GameMoment(Struct, frozen=True, kw_only=True):
    """A step, and the table before and after it. The opening has nothing before it."""

    step: GameStep
    before: Stood | None
    after: Stood

    @property
    def throw(self) -> ThrowKept | None:
        """The throw that counted, where the step is one."""
        counted = any(isinstance(event, ev.Rolled) for event in self.step.events)
        return self.after.thrown if counted else None


def advance(standing: Stood, step: GameStep) -> Stood:
    """The table once the next step is done."""
    table, thrown = standing.table, standing.thrown
    for event in step.events:
        if isinstance(event, ev.Rolled):
            thrown = ThrowKept(table, event)
        table = evolve(table, event)
    return Stood(number=step.number, table=table, thrown=thrown, hash=step.hash)


def opened(step: GameStep, table: Table) -> GameMoment:
    """The first moment: a table as it opens."""
    return GameMoment(
        step=replace(step, number=0),
        before=None,
        after=Stood(number=0, table=table, hash=step.hash),
    )
