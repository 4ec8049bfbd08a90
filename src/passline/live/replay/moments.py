"""Moments: how a table stood after a line of its game, and what that line did.

A log's entry and a record's line are one shape, ``GameStep``; a moment is the step with the table
before and after it. State is the fold of the steps, by the engine and by nothing else.

The throws of a game, hand by hand: where each stands, in a few bytes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from passline.game.table import events as ev
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.live.live_table import TableThrow
from passline.record.deal import RecordEntry


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


class TableAtStep(Struct, frozen=True, kw_only=True):
    """A table after the step of a number, and the last throw that counted until then."""

    number: int
    table: Table
    thrown: TableThrow | None = None
    hash: str = ""


class GameMoment(Struct, frozen=True, kw_only=True):
    """A step, and the table before and after it. The opening has nothing before it."""

    step: GameStep
    before: TableAtStep | None
    after: TableAtStep

    @property
    def throw(self) -> TableThrow | None:
        """The throw that counted, where the step is one."""
        counted = any(isinstance(event, ev.Rolled) for event in self.step.events)
        return self.after.thrown if counted else None


def apply_step(standing: TableAtStep, step: GameStep) -> TableAtStep:
    """The table once the next step is done."""
    table, thrown = standing.table, standing.thrown
    for event in step.events:
        if isinstance(event, ev.Rolled):
            thrown = TableThrow(table, event)
        table = evolve(table, event)
    return TableAtStep(number=step.number, table=table, thrown=thrown, hash=step.hash)


def make_opening_moment(step: GameStep, table: Table) -> GameMoment:
    """The first moment: a table as it opens."""
    return GameMoment(
        step=replace(step, number=0),
        before=None,
        after=TableAtStep(number=0, table=table, hash=step.hash),
    )


#: After these the next throw begins another hand.
_HAND_END_EVENTS = (ev.DicePassed, ev.GameDied, ev.TableClosed)


class ThrowPosition(NamedTuple):
    """A throw: its step's number, and the faces; both 0 where it was no roll."""

    number: int
    first: int
    second: int


class HandSummary(NamedTuple):
    """A shooter's hand: its number from 1, whose it is (nobody's where a machine throws), and its
    throws."""

    hand: int
    shooter: str
    throws: tuple[ThrowPosition, ...]


class ThrowIndex:
    """Every throw so far, those that were no roll too."""

    def __init__(self) -> None:
        self._numbers, self._faces = array("Q"), bytearray()
        #: The first throw of each hand, and whose hand it is.
        self._begins, self._shooters = array("Q"), list[str]()
        self._over = True

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return len(self._begins)

    def add_step(self, step: GameStep, shooter: str) -> None:
        """The next step; ``shooter`` had the dice before it."""
        for event in step.events:
            if isinstance(event, ev.Rolled | ev.NoRoll):
                self._throw(step.number, event, shooter)
            elif isinstance(event, _HAND_END_EVENTS):
                self._over = True

    def _throw(self, number: int, event: ev.Rolled | ev.NoRoll, shooter: str) -> None:
        if self._over:
            self._begins.append(len(self._numbers))
            self._shooters.append(event.shooter if isinstance(event, ev.Rolled) else shooter)
        self._numbers.append(number)
        self._over = False
        if isinstance(event, ev.NoRoll):
            self._faces.append(0)
            return
        self._faces.append(event.first * 8 + event.second)
        # Where nobody shoots nothing passes: there a hand ends when the puck goes off unmade.
        unmade = event.was and not event.puck and event.first + event.second != event.was
        self._over = bool(unmade and not event.shooter)

    def count_until(self, number: int) -> int:
        """How many throws there were once a step was done."""
        return bisect_right(self._numbers, number)

    def previous_throw(self, number: int) -> int | None:
        """The step of the last throw before one."""
        place = bisect_left(self._numbers, number)
        return self._numbers[place - 1] if place else None

    def next_throw(self, number: int) -> int | None:
        """The step of the next throw after one."""
        place = bisect_right(self._numbers, number)
        return self._numbers[place] if place < len(self._numbers) else None

    def hand_at(self, number: int) -> int:
        """The hand of the last throw up to a step; 0: there was none."""
        return bisect_left(self._begins, self.count_until(number))

    def hand(self, hand: int) -> HandSummary:
        """A hand by its number."""
        first = self._begins[hand - 1]
        end = self._begins[hand] if hand < self.hands else len(self._numbers)
        marks = tuple(
            ThrowPosition(self._numbers[place], *divmod(self._faces[place], 8))
            for place in range(first, end)
        )
        return HandSummary(hand, self._shooters[hand - 1], marks)
