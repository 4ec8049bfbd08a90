"""The interface of a game that a terminal session plays, and the game on this machine.

Each accepted statement and each roll becomes a line of the record, so the file on disk can always
be dealt again. Games at a live table are in ``live_game``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from passline.game.house.house import House
from passline.game.layout.stakes import Settlement
from passline.game.table import commands as cmd
from passline.game.table.events import Rolled, ThrowCorrected
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.words.prompt import say_prompt
from passline.live.random_dice import DiceSource
from passline.record.deal import (
    RecordEntry,
    SinceThrow,
    deal_line,
    load_record_house,
    open_record_table,
)
from passline.record.read import HeaderPlayer, Record, RecordLine, read_record
from passline.record.write import header_lines
from passline.talk.echo import echo
from passline.talk.same_bet import BetMemory


class BaseGame(ABC):
    """A game that a player plays by typing lines: bets, rolls, and others such as a buy-in.

    ``throws`` is the number of rolls so far, ``thrown`` the last one and ``before`` the table
    before it. In a game on this machine, ``players_who_spoke`` are the players with an accepted
    statement since that roll, and ``written`` are all lines of the record; at a live table, both
    are empty. ``quit_note`` is a sentence on what happens to the game when its player quits.
    """

    house: House
    table: Table
    before: Table
    thrown: Rolled | None
    throws: int
    players_who_spoke: set[str]
    written: list[str]
    quit_note: str
    #: The house file that the record names, if any.
    house_file: str
    #: Delays interrupts while a line is added to the record and written to disk.
    guard: Callable[[], AbstractContextManager[object]] = nullcontext

    @property
    @abstractmethod
    def text(self) -> str:
        """The text of the record so far."""

    @abstractmethod
    def say(self, player: str, text: str) -> list[RecordEntry]:
        """Play a player's statements, separated by ``;``, and return an entry for each.

        An entry has the refusal if a clause forbids the statement. Raise RecordError if one is not
        understood; then none of them is played.
        """

    @abstractmethod
    def do_table_line(self, text: str) -> list[RecordEntry]:
        """Play a table line, such as a buy-in. Raise RecordError if it can't be read."""

    @abstractmethod
    def roll(self, dice: DiceSource) -> list[RecordEntry]:
        """Roll with ``dice``, or with the house's dice at a live table. Return the entries."""

    @abstractmethod
    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back what the player said last since the roll. Return (its words, the entries).

        A local game takes back the whole last line, a live one the last statement.
        """

    @abstractmethod
    def note(self, comment: str) -> None:
        """Write a comment into the record, such as a preference that ``--resume`` reads."""

    def handling_line(self) -> AbstractContextManager[None]:
        """Return a context for handling a typed line. A live game shows others' news after it."""
        return nullcontext()

    def initial_buy_in(self, player: str) -> int:
        """Return a player's first buy-in, in cents."""
        return self.table.seat(player).bought_in

    def settled(self, player: str) -> tuple[Settlement, ...]:
        """Return the settlements of a player's bets on the last roll; () before the first."""
        if self.thrown is None:
            return ()
        return tuple(done for done in self.thrown.settlements if done.player == player)


_LONGEST_LINE = 1000  # The most characters of a record line; readers accept more.


class LocalGame(BaseGame):
    """A game on this machine. After each line it calls ``keep`` with the record's text."""

    quit_note = say_prompt("nothing-lost")

    def __init__(self, record: Record, house: House, written: Sequence[str] = ()) -> None:
        self.record, self.house, self.house_file = record, house, record.house
        self.table: Table = open_record_table(record, house)
        self.written = list(written) or [*header_lines(record), ""]
        self.thrown: Rolled | None = None
        self.before: Table = self.table
        self.throws = 0
        self.players_who_spoke: set[str] = set()
        #: Called with the full text of the record after each change.
        self.keep: Callable[[str], None] = lambda _: None
        self._memory: BetMemory = {}
        self._since = SinceThrow()
        #: The statements of each line since the last roll, which ``undo`` can take back.
        self._undoable: list[tuple[str, list[str]]] = []

    @property
    def text(self) -> str:
        """The text of the record so far."""
        return "\n".join(self.written).rstrip("\n") + "\n"

    def say(self, player: str, text: str) -> list[RecordEntry]:
        """Play a player's statements, separated by ``;``, and record the accepted ones."""
        says = tuple(say.strip() for say in text.split(";") if say.strip())
        return self._play(RecordLine(0, text, player=player, says=says)) if says else []

    def note(self, comment: str) -> None:
        """Write a comment into the record, such as a preference that ``--resume`` reads."""
        with self.guard():
            self.written.append(comment)
            self.keep(self.text)

    def do_table_line(self, text: str) -> list[RecordEntry]:
        """Play and record a line that is no player's statement, such as a roll or a buy-in."""
        return self._play(RecordLine(0, text))

    def roll(self, dice: DiceSource) -> list[RecordEntry]:
        """Take two dice from the source and play their roll."""
        first, second = dice()
        return self.do_table_line(f"roll {first} {second}")

    def initial_buy_in(self, player: str) -> int:
        """Return a player's buy-in from the record's header, in cents."""
        return next(p.amount for p in self.record.players if p.name == player)

    def _play(self, line: RecordLine) -> list[RecordEntry]:
        # Copies: if a later statement of the line can't be read, none of it was played.
        memory = dict(self._memory)
        since = SinceThrow(entries=[*self._since.entries], bets=self._since.bets)
        entries = [entry for entry, _ in deal_line(self.table, line, memory, since)]
        self._memory, self._since = memory, since
        taken = [entry for entry in entries if entry.refusal is None]
        if taken:
            with self.guard():
                self._apply_entries(taken)
                self.written += _record_lines([entry.words for entry in taken], line.player)
                self.keep(self.text)
        return entries

    def _apply_entries(self, taken: list[RecordEntry]) -> None:
        """Apply a line's accepted entries to the table, and store what ``undo`` can take back."""
        player = taken[0].player or str(getattr(taken[0].command, "player", ""))
        self.players_who_spoke.add(player)
        words = []
        for entry in taken:
            undoable = _count_undoable(self.table, player)
            for event in entry.events:
                if isinstance(event, ThrowCorrected):
                    self.throws -= 1
                elif isinstance(event, Rolled):
                    self.thrown, self.before = event, self.table
                    self.throws += 1
                    self.players_who_spoke.clear()
                self.table = evolve(self.table, event)
            if isinstance(entry.command, cmd.Undo):
                self._remove_undone_words(player)
            elif _count_undoable(self.table, player) > undoable:
                words.append(spoken_words(entry))
        if words:
            self._undoable.append((player, words))

    def _remove_undone_words(self, player: str) -> None:
        """Remove the player's last statement from those that ``undo`` can take back."""
        for line in reversed(self._undoable):
            if line[0] == player:
                line[1].pop()
                break
        self._undoable = [line for line in self._undoable if line[1]]

    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back what the player's last line did, as far as it was said since the last roll.

        Return (the line's words, the entries of the undo). If there is nothing to take back, the
        words are "" and the table refuses the undo. The record gets a line of ``undo``: no line is
        ever deleted.
        """
        count = _count_undoable(self.table, player)
        lines = [words for speaker, words in self._undoable if speaker == player] if count else []
        words = lines[-1][-count:] if lines else []
        undone = self.say(player, "; ".join(["undo"] * max(len(words), 1)))
        return "; ".join(words), undone


def spoken_words(entry: RecordEntry) -> str:
    """Return an accepted statement in plain words, such as "place 6 for $12"."""
    return echo(entry.command) if entry.command is not None else entry.words


def _count_undoable(table: Table, player: str) -> int:
    """Return how many statements of a player since the last roll can be taken back."""
    seat = table.find(player)  # None if the speaker is a member of the crew.
    return sum(one.throws == table.throws for one in seat.undo_steps) if seat else 0


def _record_lines(words: list[str], player: str) -> Iterator[str]:
    """Yield the statements of one typed line as record lines, each within the length limit."""
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
    """Return a new record without lines. ``players`` has each name and buy-in in cents.

    ``source`` is (rulebook id, path of a house file); one of the two is empty. ``elections`` are
    the options that the house chose, as (key, value).
    """
    return Record(
        rulebook=source[0],
        house=source[1],
        game=game,
        elections=elections,
        players=tuple(HeaderPlayer(name, amount, 0) for name, amount in players),
        lines=(),
    )


def resume_game(text: str, base: Path, watch: Callable[[LocalGame], None]) -> LocalGame:
    """Return a game that continues after the last line of a record's text.

    The game keeps the record's lines as they are, except blank lines at the end. ``base`` is the
    folder for relative paths in the record. ``watch`` is called with the game at the start and
    after every roll, before players bet on it.
    """
    record = read_record(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    game = LocalGame(record, load_record_house(record, base), lines)
    watch(game)
    for line in record.lines:
        throws = game.throws
        entries = [entry for entry, _ in deal_line(game.table, line, game._memory, game._since)]
        if taken := [entry for entry in entries if entry.refusal is None]:
            game._apply_entries(taken)
        if game.throws > throws:
            watch(game)
    while game.written and not game.written[-1].strip():
        game.written.pop()
    return game
