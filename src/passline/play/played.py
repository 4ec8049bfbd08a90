"""What a game is to whoever sits at it: a local one, whose record we write, or a live one."""

from __future__ import annotations

from abc import ABC, abstractmethod

from passline.dice.sources import Source
from passline.house import House
from passline.layout import Settlement
from passline.record.deal import RecordEntry
from passline.table import Table
from passline.table.events import Rolled


class Played(ABC):
    """A table that is played at, one line at a time.

    ``thrown`` is the last throw, ``before`` the table as it stood then, and ``spoke`` everybody
    who has said something that was taken since. ``written`` are the lines of the record that was
    written here. ``parting`` says what becomes of the game when its player goes.
    """

    house: House
    table: Table
    before: Table
    thrown: Rolled | None
    throws: int
    spoke: set[str]
    written: list[str]
    parting: str
    #: The house file that the record names, where it names one.
    house_file: str

    @property
    @abstractmethod
    def text(self) -> str:
        """The record so far."""

    @abstractmethod
    def say(self, player: str, text: str) -> list[RecordEntry]:
        """A player's says, split by ``;``: each is taken, or refused with its clause.

        What cannot be understood raises RecordError, and nothing of it happens.
        """

    @abstractmethod
    def happen(self, text: str) -> list[RecordEntry]:
        """Something that happens at the table: dice taken or passed, a buy-in. RecordError."""

    @abstractmethod
    def roll(self, dice: Source) -> list[RecordEntry]:
        """Throw the dice: those of a source, or the house's own where it throws them."""

    @abstractmethod
    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back what a player said last since the throw: the words, and what came of it."""

    @abstractmethod
    def note(self, comment: str) -> None:
        """Write a comment into the record: what a player wants, to be found again."""

    def came_with(self, player: str) -> int:
        """What a player bought in for."""
        return self.table.seat(player).bought_in

    def settled(self, player: str) -> tuple[Settlement, ...]:
        """What the last throw did to a player's wagers."""
        if self.thrown is None:
            return ()
        return tuple(done for done in self.thrown.settlements if done.player == player)
