"""Export a table's log as a ``.craps`` record. Dealing the record gives the same table. Pure.

In the record a correction follows right after the throw that it corrects, and then come the lines
that still hold. So line bets that the machine repeated because of the wrong throw are not dealt
again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from passline.game.table import codec
from passline.game.table import events as ev
from passline.live.live_table import TakenLine, keep_taken, split_taken
from passline.live.log_entries import Entry

#: The longest line that is written; readers of records accept longer ones.
_MAX_LINE_LENGTH = 1000
#: Events after which the throw before them can no longer be corrected.
_FINAL_EVENTS = frozenset({"rolled", "no-roll", "dice-sent", "dice-released"})


class RecordExporter:
    """Writes a record entry by entry.

    The lines since the last throw are held back, because a correction of the throw may change them.
    """

    def __init__(self) -> None:
        self._since: list[TakenLine] = []

    def add_entry(self, entry: Entry) -> list[str]:
        """Take the log's next entry and return the lines that can be written now, perhaps none."""
        if entry.seq == 0:
            return list(_header_lines(entry))
        if "corrects" in entry.more:
            events = [codec.event_from_builtins(event) for event in entry.events]
            taken = [one for line in self._since for one in split_taken(line.role, line.line)]
            self._since = list(keep_taken(taken, entry, events))
            return [entry.line]
        if not entry.line:
            return []
        if any(event["event"] in _FINAL_EVENTS for event in entry.events):
            return [*self.end(), *_split_line(entry.line)]
        self._since.append(TakenLine(entry.role, entry.line))
        return []

    def end(self) -> list[str]:
        """Return the lines that are held back, and forget them. Call this after the last entry."""
        lines = [text for line in self._since for text in _split_line(line.line)]
        self._since = []
        return lines


def export_record_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of a record from a log's entries. Entries without a line are left out."""
    exporter = RecordExporter()
    for entry in entries:
        yield from exporter.add_entry(entry)
    yield from exporter.end()


def export_record(entries: Iterable[Entry]) -> str:
    """Return the game of a log as the text of a ``.craps`` record."""
    return "\n".join(export_record_lines(entries)) + "\n"


def _header_lines(entry: Entry) -> Iterator[str]:
    """Yield the header of a record from entry 0: rulebook, game and house settings."""
    opened = codec.event_from_builtins(entry.events[0])
    assert isinstance(opened, ev.Opened)
    house = opened.house
    yield f"rulebook: {house.rulebook}"
    yield f"game: {house.game}"
    for key, value in house.elections.items():
        yield f"house.{key}: {value}"
    yield ""


def _split_line(line: str) -> Iterator[str]:
    """Yield a line of commands, split into several lines if it is longer than 1,000 characters.

    Each part begins with the speaker's name, as the line does.
    """
    if len(line) <= _MAX_LINE_LENGTH or ": " not in line:
        yield line
        return
    lead, _, rest = line.partition(": ")
    part = ""
    for say in rest.split("; "):
        if part and len(part) + len(say) > _MAX_LINE_LENGTH:
            yield f"{lead}: {part}"
            part = ""
        part = f"{part}; {say}" if part else say
    yield f"{lead}: {part}"
