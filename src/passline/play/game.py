"""What a game is to whoever sits at it: a local one, whose record we write, or a live one.

A game in progress: a table, and the record of how it came about.

The record is the game: every say that was taken and every throw is a line of it, in canonical
words, so that what is on disk can always be dealt again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from passline.game.house.house import House
from passline.game.layout.stakes import Settlement
from passline.game.table import commands as cmd
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.live.random_dice import DiceSource
from passline.record.deal import RecordEntry, deal_line, load_record_house, open_record_table
from passline.record.read import HeaderPlayer, Record, RecordLine, read_record
from passline.record.write import header_lines
from passline.talk.same_bet import BetMemory


class BaseGame(ABC):
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
    def roll(self, dice: DiceSource) -> list[RecordEntry]:
        """Throw the dice: those of a source, or the house's own where it throws them."""

    @abstractmethod
    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back what a player said last since the throw: the words, and what came of it."""

    @abstractmethod
    def note(self, comment: str) -> None:
        """Write a comment into the record: what a player wants, to be found again."""

    def initial_buy_in(self, player: str) -> int:
        """What a player bought in for."""
        return self.table.seat(player).bought_in

    def settled(self, player: str) -> tuple[Settlement, ...]:
        """What the last throw did to a player's wagers."""
        if self.thrown is None:
            return ()
        return tuple(done for done in self.thrown.settlements if done.player == player)


#: Told the whole text of the record whenever it has changed.
Saver = Callable[[str], None]
#: Holds interrupts off while a line goes into the record and onto the disk.
Guard = Callable[[], AbstractContextManager[object]]
_LONGEST_LINE = 1000  # characters of a record's line; readers take more


class _UndoableLine(NamedTuple):
    """A line of a player's since the throw that may be taken back, say by say."""

    player: str
    words: tuple[str, ...]


def _save_nothing(_text: str) -> None:
    """Nobody keeps this game."""


class LocalGame(BaseGame):
    """A game of our own: its record is written here, and kept by whoever keeps it."""

    parting = "Nothing is lost when you go: passline play --resume goes on with this game."

    def __init__(self, record: Record, house: House, written: Sequence[str] = ()) -> None:
        self.record, self.house, self.house_file = record, house, record.house
        self.table: Table = open_record_table(record, house)
        self.written = list(written) or [*header_lines(record), ""]
        self.thrown: Rolled | None = None
        self.before: Table = self.table
        self.throws = 0
        self.spoke: set[str] = set()
        self.keep: Saver = _save_nothing
        self.guard: Guard = nullcontext
        self._memory: BetMemory = {}
        self._said: list[_UndoableLine] = []

    @property
    def text(self) -> str:
        """The record so far."""
        return "\n".join(self.written).rstrip("\n") + "\n"

    def say(self, player: str, text: str) -> list[RecordEntry]:
        """A player's says, split by ``;``: each is taken, or refused with its clause.

        What cannot be understood raises RecordError, and nothing of it happens.
        """
        says = tuple(say.strip() for say in text.split(";") if say.strip())
        return (
            self._played(RecordLine(number=0, text=text, player=player, says=says)) if says else []
        )

    def note(self, comment: str) -> None:
        """Write a comment into the record: what a player wants, to be found again."""
        with self.guard():
            self.written.append(comment)
            self.keep(self.text)

    def happen(self, text: str) -> list[RecordEntry]:
        """Something that happens at the table: a throw, dice taken or passed, a buy-in."""
        return self._played(RecordLine(0, text))

    def roll(self, dice: DiceSource) -> list[RecordEntry]:
        """Throw the dice of a source."""
        first, second = dice()
        return self.happen(f"roll {first} {second}")

    def initial_buy_in(self, player: str) -> int:
        """What the record's header has them buy in for."""
        return next(p.amount for p in self.record.players if p.name == player)

    def _played(self, line: RecordLine) -> list[RecordEntry]:
        table, entries, taken = self.table, [], []
        for entry, after in deal_line(table, line, self._memory):
            entries.append(entry)
            taken += [entry] if entry.refusal is None else []
            table = after
        if taken:
            with self.guard():
                self._happened(taken)
                self.written += _record_lines([entry.words for entry in taken], line.player)
                self.keep(self.text)
        return entries

    def _happened(self, taken: list[RecordEntry]) -> None:
        """The entries of a line have come true."""
        player = taken[0].player or str(getattr(taken[0].command, "player", ""))
        self.spoke.add(player)
        words = []
        for entry in taken:
            told = _count_undoable(self.table, player)
            for event in entry.events:
                if isinstance(event, Rolled):
                    self.thrown, self.before = event, self.table
                    self.throws += 1
                    self.spoke.clear()
                self.table = evolve(self.table, event)
            if isinstance(entry.command, cmd.Undo):
                self._remove_undone_words(player)
            elif _count_undoable(self.table, player) > told:
                words.append(entry.words)
        if words:
            self._said.append(_UndoableLine(player, tuple(words)))

    def _remove_undone_words(self, player: str) -> None:
        """The last say of a player's has been taken back."""
        for at in reversed(range(len(self._said))):
            if self._said[at].player == player:
                left = self._said[at].words[:-1]
                self._said[at : at + 1] = [_UndoableLine(player, left)] if left else []
                return

    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back what a player said last since the throw: the words, and what came of it.

        A correction is a line of the record like any other: nothing is ever cut off.
        """
        told = _count_undoable(self.table, player)
        mine = [said for said in self._said if said.player == player] if told else []
        words = mine[-1].words[-told:] if mine else ()
        undone = self.say(player, "; ".join(["undo"] * max(len(words), 1)))
        return "; ".join(words), undone


def _count_undoable(table: Table, player: str) -> int:
    """How much of what a player said since the throw can be taken back."""
    try:
        told = table.seat(player).told
    except ValueError:  # somebody of the crew
        return 0
    return sum(one.throws == table.throws for one in told)


def _record_lines(words: list[str], player: str) -> Iterator[str]:
    """The says of one line, in as many lines as a record's length asks for."""
    line = ""
    for word in words:
        if line and len(line) + len(word) > _LONGEST_LINE:
            yield line
            line = ""
        lead = f"{player}: " if player else ""
        line = f"{line}; {word}" if line else lead + word
    yield line


def new_record(
    source: tuple[str, str],
    game: str,
    elections: tuple[tuple[str, str], ...],
    players: tuple[tuple[str, int], ...],
) -> Record:
    """The header of a new game: a rulebook or else a house file, players with cents to buy in."""
    rulebook, house = source
    seats = tuple(HeaderPlayer(name, amount, 0) for name, amount in players)
    return Record(
        rulebook=rulebook, game=game, house=house, elections=elections, players=seats, lines=()
    )


def resume_game(text: str, base: Path, watch: Callable[[LocalGame], None]) -> LocalGame:
    """The game of a record, dealt up to its last line; its text stays as it was written.

    ``watch`` sees the game at its opening and after every throw, before anybody speaks.
    """
    record = read_record(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    game = LocalGame(record, load_record_house(record, base), lines)
    watch(game)
    for line in record.lines:
        throws = game.throws
        table, taken = game.table, []
        for entry, after in deal_line(table, line, game._memory):
            taken += [entry] if entry.refusal is None else []
            table = after
        if taken:
            game._happened(taken)
        if game.throws > throws:
            watch(game)
    while game.written and not game.written[-1].strip():
        game.written.pop()
    return game
