"""A game in progress: a table, the record of how it came about, and a way back.

The record is the game: every say that was taken and every throw is a line of it, in canonical
words, so that what is on disk can always be dealt again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from passline.house import House
from passline.layout import Settlement
from passline.record.deal import Entry, opened, play_line
from passline.record.houses import house_of
from passline.record.read import Line, Player, Record, read_record
from passline.record.write import header_text
from passline.table import Table, evolve
from passline.table.events import Rolled
from passline.talk.same_bet import Memory

#: Told the whole text of the record whenever it has changed.
Keeper = Callable[[str], None]
#: Holds interrupts off while a line goes into the record and onto the disk.
Guard = Callable[[], AbstractContextManager[object]]
_LONGEST = 1000  # characters of a record's line; readers take more


class _Back(NamedTuple):
    """The way back from a line: the table before it, the length of the text, whose it was."""

    table: Table
    length: int
    player: str


def _keep_nothing(_text: str) -> None:
    """Nobody keeps this game."""


class Game:
    """A table that is played at, one line at a time.

    ``thrown`` is the last throw, ``before`` the table as it stood then, and ``spoke`` everybody
    who has said something that was taken since. ``written`` are the lines of the record so far.
    """

    def __init__(self, record: Record, house: House, written: Sequence[str] = ()) -> None:
        self.record, self.house = record, house
        self.table: Table = opened(record, house)
        self.written = list(written) or [*header_text(record), ""]
        self.thrown: Rolled | None = None
        self.before: Table = self.table
        self.throws = 0
        self.spoke: set[str] = set()
        self.keep: Keeper = _keep_nothing
        self.guard: Guard = nullcontext
        self._memory: Memory = {}
        self._back: list[_Back] = []

    @property
    def text(self) -> str:
        """The record so far."""
        return "\n".join(self.written).rstrip("\n") + "\n"

    def say(self, player: str, text: str) -> list[Entry]:
        """A player's says, split by ``;``: each is taken, or refused with its clause.

        What cannot be understood raises RecordError, and nothing of it happens.
        """
        says = tuple(say.strip() for say in text.split(";") if say.strip())
        return self._played(Line(0, text, player, says)) if says else []

    def note(self, comment: str) -> None:
        """Write a comment into the record: what a player wants, to be found again."""
        with self.guard():
            self.written.append(comment)
            self.keep(self.text)

    def happen(self, text: str) -> list[Entry]:
        """Something that happens at the table: a throw, dice taken or passed, a buy-in."""
        return self._played(Line(0, text))

    def _played(self, line: Line) -> list[Entry]:
        table, entries, taken = self.table, [], []
        for entry, after in play_line(table, line, self._memory):
            entries.append(entry)
            taken += [entry] if entry.refusal is None else []
            table = after
        if taken:
            with self.guard():
                self._happened(taken, table, len(self.written))
                self.written += _lines([entry.words for entry in taken], line.player)
                self.keep(self.text)
        return entries

    def _happened(self, taken: list[Entry], table: Table, length: int) -> None:
        """The entries of a line have come true; its text begins at this length."""
        player = taken[0].player or str(getattr(taken[0].command, "player", ""))
        self._back.append(_Back(self.table, length, player))
        self.spoke.add(player)
        before = self.table
        for event in (event for entry in taken for event in entry.events):
            if isinstance(event, Rolled):
                self.thrown, self.before = event, before
                self.throws += 1
                self.spoke.clear()
                self._back.clear()  # what has been rolled cannot be unsaid
            before = evolve(before, event)
        self.table = table

    def undo(self, player: str) -> str:
        """Take back what a player said last since the throw; the words, or nothing."""
        if not self._back or self._back[-1].player != player:
            return ""
        with self.guard():
            back = self._back.pop()
            gone = self.written[back.length :]
            self.table = back.table
            del self.written[back.length :]
            self.keep(self.text)
        return "; ".join(line.strip() for line in gone if line.strip())

    def stands(self) -> None:
        """What was said so far stands: it cannot be undone any more."""
        self._back.clear()

    def undoable(self, player: str) -> None:
        """Only what a player said last may be taken back: not what others said before that."""
        kept = len(self._back)
        while kept and self._back[kept - 1].player == player:
            kept -= 1
        del self._back[:kept]

    def settled(self, player: str) -> tuple[Settlement, ...]:
        """What the last throw did to a player's wagers."""
        if self.thrown is None:
            return ()
        return tuple(done for done in self.thrown.settlements if done.player == player)


def _lines(words: list[str], player: str) -> Iterator[str]:
    """The says of one line, in as many lines as a record's length asks for."""
    line = ""
    for word in words:
        if line and len(line) + len(word) > _LONGEST:
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
    seats = tuple(Player(name, amount, 0) for name, amount in players)
    return Record(
        rulebook=rulebook, game=game, house=house, elections=elections, players=seats, lines=()
    )


def resumed(text: str, base: Path, watch: Callable[[Game], None]) -> Game:
    """The game of a record, dealt up to its last line; its text stays as it was written.

    ``watch`` sees the game at its opening and after every throw, before anybody speaks.
    """
    record = read_record(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    game = Game(record, house_of(record, base), lines)
    watch(game)
    for line in record.lines:
        throws = game.throws
        table, taken = game.table, []
        for entry, after in play_line(table, line, game._memory):
            taken += [entry] if entry.refusal is None else []
            table = after
        if taken:
            game._happened(taken, table, line.number - 1)
        if game.throws > throws:
            watch(game)
    while game.written and not game.written[-1].strip():
        game.written.pop()
    return game
