"""Export a log as a ``.craps`` record. Dealing it gives the same table, to the cent. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from passline.game.table import codec
from passline.game.table import events as ev
from passline.live.entries import Entry

#: The longest line that is written; readers of records accept longer ones.
_MAX_LINE_LENGTH = 1000


def export_record_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of a record from a log's entries. Entries without a line are left out."""
    for entry in entries:
        if entry.seq == 0:
            yield from _header_lines(entry)
        elif entry.line:
            yield from _split_line(entry.line)


def export_record(entries: Iterable[Entry]) -> str:
    """Return the record of a log."""
    return "\n".join(export_record_lines(entries)) + "\n"


def _header_lines(entry: Entry) -> Iterator[str]:
    opened = codec.event_from_builtins(entry.events[0])
    assert isinstance(opened, ev.Opened)
    house = opened.house
    yield f"rulebook: {house.rulebook}"
    yield f"game: {house.game}"
    for key, value in house.elections.items():
        yield f"house.{key}: {value}"
    yield ""


def _split_line(line: str) -> Iterator[str]:
    """Split a long line of commands into several lines."""
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
