"""Dealing a record: every line through the table, with what happened and what was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from passline.house import House
from passline.layout import Refusal, refuse
from passline.record.read import JOINS, Record, RecordLine, read_record
from passline.record.table_lines import happening_words, read_happening
from passline.table import Table, decide, evolve, open_table
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.decide import AWAY
from passline.table.events import Answer
from passline.talk.errors import RecordError
from passline.talk.same_bet import Memory, remember
from passline.talk.says import say_words
from passline.talk.understand import UnplayableError, understand
from passline.words.calls import Caller
from passline.words.refusals import refusal_words

Opener = Callable[[Record], House]


class RecordEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One command of a record and its answer; ``words`` is the command written canonically."""

    line: int
    player: str
    said: str
    words: str
    command: cmd.AnyCommand | None
    events: tuple[ev.AnyEvent, ...]
    refusal: Refusal | None


class Dealt(msgspec.Struct, frozen=True, kw_only=True):
    """A record, dealt."""

    record: Record
    opening: Table
    entries: tuple[RecordEntry, ...]
    table: Table

    @property
    def refusals(self) -> tuple[RecordEntry, ...]:
        """What the rules forbade."""
        return tuple(entry for entry in self.entries if entry.refusal is not None)

    def throws(self) -> Iterator[tuple[RecordEntry, Table, ev.Rolled]]:
        """Every throw that counted: its entry, the table as it stood before it, and the throw."""
        table = self.opening
        for entry in self.entries:
            for event in entry.events:
                if isinstance(event, ev.Rolled):
                    yield entry, table, event
                table = evolve(table, event)

    def to_json(self, call: Caller | None = None) -> dict[str, Any]:
        """The object that ``passline deal --json`` prints; ``call`` words each throw as the stick
        does, unless another is given."""
        from passline.record.report import to_json

        return to_json(self, call)


def open_record(record: Record, house: House) -> Table:
    """The table of a record's header: everybody seated and bought in."""
    table = open_table(house, tuple(player.name for player in record.players))
    for player in record.players:
        answer = decide(table, cmd.BuyIn(player.name, player.amount))
        if isinstance(answer, Refusal):
            raise RecordError(f"{player.name}: {refusal_words(answer)}", player.line)
        for event in answer:
            table = evolve(table, event)
    return table


def _commands(table: Table, line: RecordLine, said: str, memory: Memory) -> list[cmd.AnyCommand]:
    """What was asked for, as commands; an error that has the line's number if it is unreadable."""
    try:
        if line.player:
            return understand(table, line.player, said, memory)
        return [read_happening(said, table)]
    except RecordError as wrong:
        raise wrong.at(line.number) from None


def play_line(
    table: Table, line: RecordLine, memory: Memory | None = None
) -> Iterator[tuple[RecordEntry, Table]]:
    """Deal one line, giving the table after each entry. A say sees what the one before it did.

    ``memory`` is what players may repeat ("same bet"): kept by the caller, updated here.
    """
    memory = {} if memory is None else memory
    absent = _check_absent(table, line) if line.came else None
    for said in line.says or (line.text,):
        if absent is not None:
            yield _told(line, said, said, absent), table
            continue
        try:
            commands = _commands(table, line, said, memory)
        except UnplayableError as wrong:
            yield _told(line, said, said, wrong.refusal), table
            continue
        for command in commands:
            words = say_words(command) if line.player else happening_words(command)
            answer = decide(table, command)
            if not isinstance(answer, Refusal):
                for event in answer:
                    table = evolve(table, event)
                remember(memory, table, answer)
            yield _told(line, said, words, answer, command), table


def _check_absent(table: Table, line: RecordLine) -> Refusal | None:
    """Whose coming was refused is not at the table: what they say and do is refused too."""
    named = {line.player} if line.player else set(line.text.split())
    missing = [name for name in named & line.came if table.find(name) is None]
    if not missing or JOINS.match(line.text):
        return None
    return refuse("not-here", AWAY, player=min(missing))


def _told(
    line: RecordLine,
    said: str,
    words: str,
    answer: Answer,
    command: cmd.AnyCommand | None = None,
) -> RecordEntry:
    """An entry of a line: what was said, what it is in canonical words, and the table's answer."""
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
    """Deal lines as they come: each entry, and the table before and after it."""
    memory: Memory = {}
    for line in lines:
        for entry, after in play_line(table, line, memory):
            yield entry, table, after
            table = after


def deal_record(record: Record, house: House) -> Dealt:
    """Deal a record that was read, under a house."""
    table = opening = open_record(record, house)
    entries: list[RecordEntry] = []
    for entry, _, after in deal_lines(opening, record.lines):
        entries.append(entry)
        table = after
    return Dealt(record=record, opening=opening, entries=tuple(entries), table=table)


def deal_text(text: str, opener: Opener | None = None) -> Dealt:
    """Deal a record's text. A line that cannot be read raises RecordError.

    >>> deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3").table.win
    -1000
    """
    record = read_record(text)
    if opener is None:
        from passline.record.houses import house_of

        opener = house_of
    return deal_record(record, opener(record))
