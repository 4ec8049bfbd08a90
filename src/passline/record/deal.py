"""Deal a record: send every line to the table, and collect the events and the refusals.

This module also opens the house and the table that a record's header names. It reads files only for
house rules that the header names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from passline.game.house.house import House
from passline.game.house.load import HouseError, house_for, read_house_file
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.corrections import NOT_AT_TABLE_CITE
from passline.game.table.decide import decide
from passline.game.table.events import Answer
from passline.game.table.evolve import evolve
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.game.words.events import RollCaller
from passline.game.words.refusals import describe_refusal
from passline.record.read import JOIN_LINE, Record, RecordLine, read_record
from passline.record.table_lines import read_table_line, write_table_line
from passline.talk.canonical import format_command
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.same_bet import BetMemory, remember_decisions
from passline.talk.understand import understand

HouseLoader = Callable[[Record], House]


class RecordEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One command of a record and the table's answer: the events, or a refusal.

    ``line`` is the number of the command's line, ``said`` what was written, and ``words`` the same
    as a canonical phrase. ``command`` is None if the words could not be played.
    """

    line: int
    player: str
    said: str
    words: str
    command: cmd.AnyCommand | None
    events: tuple[ev.AnyEvent, ...]
    refusal: Refusal | None
    #: The line of the correction after which this statement no longer holds, and is refused.
    dropped_by: int = 0


class SinceThrow(msgspec.Struct):
    """What a correction of the last throw needs, to deal again what followed it.

    ``entries`` are the entries accepted since the throw. ``bets`` are the bets that, before it,
    players could repeat ("same bet").
    """

    entries: list[RecordEntry] = []
    bets: BetMemory = {}


class Dealt(msgspec.Struct, frozen=True, kw_only=True):
    """The result of dealing a record: its entries, and the table as it opened and as it ended."""

    record: Record
    opening: Table
    entries: tuple[RecordEntry, ...]
    table: Table

    @property
    def refusals(self) -> tuple[RecordEntry, ...]:
        """The entries that the rules refused."""
        return tuple(entry for entry in self.entries if entry.refusal is not None)

    def throws(self) -> Iterator[tuple[RecordEntry, Table, ev.Rolled]]:
        """Yield (entry, table before it, roll) for every throw that counted.

        A throw that was corrected is left out; the entry that corrects it has the right one.
        """
        table, last = self.opening, None
        for entry in self.entries:
            for event in entry.events:
                if isinstance(event, ev.ThrowCorrected):
                    last = None
                elif isinstance(event, ev.Rolled):
                    if last is not None:
                        yield last
                    last = (entry, table, event)
                table = evolve(table, event)
        if last is not None:
            yield last

    def to_json(self, call: RollCaller | None = None) -> dict[str, Any]:
        """Return what ``passline deal --json`` prints; ``call`` makes the call of each roll."""
        from passline.record.report import to_json

        return to_json(self, call)


def open_record_table(record: Record, house: House) -> Table:
    """Return the table of a record's header, with everyone seated and bought in.

    Raise RecordError if a buy-in is refused.
    """
    table = open_table(house, tuple(player.name for player in record.players))
    for player in record.players:
        answer = decide(table, cmd.BuyIn(player.name, player.amount))
        if isinstance(answer, Refusal):
            raise RecordError(f"{player.name}: {describe_refusal(answer)}", player.line)
        for event in answer:
            table = evolve(table, event)
    return table


def _read_commands(
    table: Table, line: RecordLine, said: str, memory: BetMemory
) -> list[cmd.AnyCommand]:
    """Return the commands of one statement (``said``) of a line, by a player or about the table.

    ``memory`` holds the bets that players may repeat ("same bet"). Raise RecordError, with the line
    number, if the statement cannot be read.
    """
    try:
        if line.player:
            return understand(table, line.player, said, memory)
        return [read_table_line(said, table)]
    except RecordError as error:
        raise error.with_line(line.number) from None


def deal_line(
    table: Table,
    line: RecordLine,
    memory: BetMemory | None = None,
    since: SinceThrow | None = None,
) -> Iterator[tuple[RecordEntry, Table]]:
    """Deal one line and yield (entry, table after it) for each command.

    Each statement is decided on the table after the one before it. ``memory`` holds the bets that
    players may repeat ("same bet"), and ``since`` what was accepted since the last throw; this
    function updates both in place. If the line corrects a throw, some statements made since may now
    be refused: each then follows as an entry of its own line. Raise RecordError if a statement
    cannot be read; the commands before it have been yielded.
    """
    memory = {} if memory is None else memory
    since = SinceThrow() if since is None else since
    absent = _refuse_absent(table, line) if line.came else None
    for said in line.says or (line.text,):
        if absent is not None:
            yield _make_entry(line, said, said, absent), table
            continue
        try:
            commands = _read_commands(table, line, said, memory)
        except UnplayableError as error:
            yield _make_entry(line, said, said, error.refusal), table
            continue
        for command in commands:
            words = format_command(command) if line.player else write_table_line(command)
            if isinstance(command, cmd.CorrectThrow):
                again = tuple(entry.command for entry in since.entries if entry.command is not None)
                command = msgspec.structs.replace(command, again=again)
            answer = decide(table, command)
            entry = _make_entry(line, said, words, answer, command)
            dropped: list[RecordEntry] = []
            if not isinstance(answer, Refusal):
                for event in answer:
                    table = evolve(table, event)
                dropped = _remember_entry(since, memory, table, entry)
            yield entry, table
            yield from ((other, table) for other in dropped)


def _remember_entry(
    since: SinceThrow, memory: BetMemory, table: Table, entry: RecordEntry
) -> list[RecordEntry]:
    """Update what a later throw correction or "same bet" needs, after an entry was accepted.

    Change ``since`` (what happened since the last throw) and ``memory`` (the bets that players can
    repeat) in place. ``table`` is the table after the entry. If the entry corrects the last throw,
    return the earlier entries that the correction drops.
    """
    corrects = isinstance(entry.command, cmd.CorrectThrow)
    thrown = any(isinstance(event, ev.Rolled) for event in entry.events)
    dropped: list[RecordEntry] = []
    if corrects:
        refused = {e.number: e.refusal for e in entry.events if isinstance(e, ev.CommandDropped)}
        dropped = [
            msgspec.structs.replace(
                since.entries[number], events=(), refusal=refusal, dropped_by=entry.line
            )
            for number, refusal in refused.items()
        ]
        since.entries = [one for n, one in enumerate(since.entries) if n not in refused]
        memory.clear()
        memory.update(since.bets)
    elif thrown:
        since.entries, since.bets = [], dict(memory)
    elif table.correctable is None:
        since.entries = []
    else:
        since.entries.append(entry)
    remember_decisions(memory, table, entry.events)
    return dropped


def _refuse_absent(table: Table, line: RecordLine) -> Refusal | None:
    """Return a refusal if a player of the line is absent because the table refused to seat them.

    Return None if nobody is absent, or if the line is one by which a player joins.
    """
    named = {line.player} if line.player else set(line.text.split())
    missing = [name for name in named & line.came if table.find(name) is None]
    if not missing or JOIN_LINE.match(line.text):
        return None
    return refuse("not-here", NOT_AT_TABLE_CITE, player=min(missing))


def _make_entry(
    line: RecordLine,
    said: str,
    words: str,
    answer: Answer,
    command: cmd.AnyCommand | None = None,
) -> RecordEntry:
    return RecordEntry(
        line=line.number,
        player=line.player,
        said=said,
        words=words,
        command=command,
        events=() if isinstance(answer, Refusal) else answer,
        refusal=answer if isinstance(answer, Refusal) else None,
    )


def deal_lines(
    table: Table, lines: Iterable[RecordLine]
) -> Iterator[tuple[RecordEntry, Table, Table]]:
    """Deal lines one by one and yield (entry, table before it, table after it)."""
    memory: BetMemory = {}
    since = SinceThrow()
    for line in lines:
        for entry, after in deal_line(table, line, memory, since):
            yield entry, table, after
            table = after


def deal_record(record: Record, house: House) -> Dealt:
    """Return the result of dealing a record by the rules of a house.

    Raise RecordError for a line that cannot be read or a buy-in that is refused.
    """
    table = opening = open_record_table(record, house)
    entries: list[RecordEntry] = []
    for entry, _, after in deal_lines(opening, record.lines):
        entries.append(entry)
        table = after
    return Dealt(record=record, opening=opening, entries=tuple(entries), table=table)


def deal_text(text: str, opener: HouseLoader | None = None) -> Dealt:
    """Return the result of dealing the text of a record. Raise RecordError if it can't be read.

    ``opener`` loads the house that the header names (default: `load_record_house`).

    >>> deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3").table.win
    -1000
    """
    record = read_record(text)
    return deal_record(record, (opener or load_record_house)(record))


def load_record_house(record: Record, base: Path | None = None) -> House:
    """Return the house that a header names; a house file's path is relative to ``base``.

    Raise RecordError, with the line at fault, if the house can't be loaded.
    """
    source = record.rulebook
    try:
        if record.house:
            path = (base or Path()) / record.house
            named = read_house_file(path).rulebook
            if source and named != source:
                where = record.where["house"]
                raise RecordError(f"{record.house} is for {named}, the record for {source}", where)
            source = str(path)
        return house_for(source, record.game or None, record.elections)
    except HouseError as error:
        raise RecordError(str(error), _line_at_fault(record, error.key)) from None


def _line_at_fault(record: Record, at_fault: str) -> int:
    """Return the number of the header line that caused a house error.

    ``at_fault`` is the error's election key. If no line sets that key, return the line that
    names the house file or the rulebook.
    """
    if at_fault == "game" and record.game:
        return record.where["game"]
    for key in sorted((key for key, _ in record.elections), key=len, reverse=True):
        if at_fault == key or at_fault.startswith(f"{key}."):
            return record.where[f"house.{key}"]
    return record.where["house" if record.house else "rulebook"]
