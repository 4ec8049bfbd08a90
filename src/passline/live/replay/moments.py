"""The moments of a game: the table after each line, and what the line did. Pure.

An entry of a log and a line of a record both become a `GameStep`. A moment is a step with the table
before and after it, computed by the engine. `ThrowIndex` finds the steps of throws and hands.
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
from passline.live.log_entries import DiceProof
from passline.record.deal import RecordEntry


class GameStep(Struct, frozen=True, kw_only=True):
    """One line of a game: its number from 0, its text, and its events.

    * ``line`` is the line number in a record's file (0 in a log).
    * ``act`` is an action at a live table that has no line, and ``player`` the player concerned.
    * ``refused`` holds the commands that the rules forbade (never in a log).
    * ``at`` is the time. ``hash`` and ``prev`` come from the log, as do ``commit``, a new
      commitment to the house's dice, and ``fair``, the proof of a throw.
    """

    number: int
    said: str
    events: tuple[ev.AnyEvent, ...] = ()
    role: str = ""
    by: str = ""
    at: str = ""
    line: int = 0
    act: str = ""
    player: str = ""
    refused: tuple[RecordEntry, ...] = ()
    hash: str = ""
    prev: str = ""
    commit: str = ""
    fair: DiceProof | None = None


class TableAtStep(Struct, frozen=True, kw_only=True):
    """The table after step ``number``, and the last throw up to that step (``thrown``).

    ``hash`` is the hash of the step's log entry. ``commit`` is the commitment to the next throw of
    the house's dice. ``is_fresh`` means that a separate entry made it, not the throw before it.
    ``house_throws`` counts the proven throws so far.
    """

    number: int
    table: Table
    thrown: TableThrow | None = None
    hash: str = ""
    commit: str = ""
    is_fresh: bool = False
    house_throws: int = 0

    @property
    def faces(self) -> tuple[int, int] | None:
        """The faces of the last throw, or None before the first throw."""
        rolled = self.thrown.rolled if self.thrown is not None else None
        return (rolled.first, rolled.second) if rolled is not None else None


class GameMoment(Struct, frozen=True, kw_only=True):
    """A step, and the table before and after it. ``before`` is None for the opening."""

    step: GameStep
    before: TableAtStep | None
    after: TableAtStep

    @property
    def throw(self) -> TableThrow | None:
        """The throw of this step, or None if the step is not a throw that counted."""
        counted = any(isinstance(event, ev.Rolled) for event in self.step.events)
        return self.after.thrown if counted else None


def apply_step(standing: TableAtStep, step: GameStep) -> TableAtStep:
    """Return the table after the next step. ``standing`` is the table before that step."""
    table, thrown = standing.table, standing.thrown
    for event in step.events:
        if isinstance(event, ev.Rolled):
            thrown = TableThrow(table, event)
        table = evolve(table, event)
    return TableAtStep(
        number=step.number,
        table=table,
        thrown=thrown,
        hash=step.hash,
        commit=step.fair.next if step.fair is not None else step.commit or standing.commit,
        is_fresh=step.fair is None and (bool(step.commit) or standing.is_fresh),
        house_throws=standing.house_throws + (step.fair is not None),
    )


def make_opening_moment(step: GameStep, table: Table) -> GameMoment:
    """Return the first moment of a game. ``table`` is the table after the opening."""
    return GameMoment(
        step=replace(step, number=0),
        before=None,
        after=TableAtStep(number=0, table=table, hash=step.hash, commit=step.commit),
    )


#: Events that end a hand.
_HAND_END_EVENTS = (ev.DicePassed, ev.GameDied, ev.TableClosed)


class ThrowPosition(NamedTuple):
    """One throw: its step's number and its faces, which are 0 for a no roll."""

    number: int
    first: int
    second: int


class HandSummary(NamedTuple):
    """One shooter's hand: its number (the first is 1), the shooter's name, and its throws.

    The shooter's name is empty if a machine throws the dice.
    """

    hand: int
    shooter: str
    throws: tuple[ThrowPosition, ...]


class ThrowIndex:
    """Finds the throws and the hands of a game by the numbers of their steps.

    No rolls count as throws.
    """

    def __init__(self) -> None:
        self._numbers, self._faces = array("Q"), bytearray()
        #: The first throw of each hand, and its shooter.
        self._begins, self._shooters = array("Q"), list[str]()
        self._over = True

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self._begins)

    def add_step(self, step: GameStep, shooter: str) -> None:
        """Add the next step. ``shooter`` is the player who had the dice before the step."""
        for event in step.events:
            if isinstance(event, ev.ThrowCorrected):
                self._forget_last()
            elif isinstance(event, ev.Rolled | ev.NoRoll):
                self._throw(step.number, event, shooter)
            elif isinstance(event, _HAND_END_EVENTS):
                self._over = True

    def _throw(self, number: int, event: ev.Rolled | ev.NoRoll, shooter: str) -> None:
        """Add a throw. If the hand before it is over, begin a new hand."""
        if self._over:
            self._begins.append(len(self._numbers))
            self._shooters.append(event.shooter if isinstance(event, ev.Rolled) else shooter)
        self._numbers.append(number)
        self._over = False
        if isinstance(event, ev.NoRoll):
            self._faces.append(0)
            return
        self._faces.append(event.first * 8 + event.second)
        # Where a machine throws, no dice pass: a hand ends when the point is lost.
        unmade = event.was and not event.puck and event.first + event.second != event.was
        self._over = bool(unmade and not event.shooter)

    def _forget_last(self) -> None:
        """Remove the last throw, which was corrected.

        The step that corrects it adds the right one.
        """
        self._numbers.pop()
        self._faces.pop()
        self._over = bool(self._begins) and self._begins[-1] == len(self._numbers)
        if self._over:
            self._begins.pop()
            self._shooters.pop()

    def count_until(self, number: int) -> int:
        """Return how many throws there were up to and including step ``number``."""
        return bisect_right(self._numbers, number)

    def previous_throw(self, number: int) -> int | None:
        """Return the step number of the last throw before step ``number``, or None."""
        place = bisect_left(self._numbers, number)
        return self._numbers[place - 1] if place else None

    def next_throw(self, number: int) -> int | None:
        """Return the step number of the first throw after step ``number``, or None."""
        place = bisect_right(self._numbers, number)
        return self._numbers[place] if place < len(self._numbers) else None

    def hand_at(self, number: int) -> int:
        """Return the number of the hand (from 1) at step ``number``; 0 before the first throw."""
        return bisect_left(self._begins, self.count_until(number))

    def hand(self, hand: int) -> HandSummary:
        """Return a hand by its number, from 1."""
        first = self._begins[hand - 1]
        end = self._begins[hand] if hand < self.hands else len(self._numbers)
        marks = tuple(
            ThrowPosition(self._numbers[place], *divmod(self._faces[place], 8))
            for place in range(first, end)
        )
        return HandSummary(hand, self._shooters[hand - 1], marks)
