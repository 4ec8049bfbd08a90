"""The house that a record's header names."""

from __future__ import annotations

from pathlib import Path

from passline.house import House
from passline.house.files import HouseError, house_for, read_house_file
from passline.record.read import Record
from passline.talk.errors import RecordError


def house_of(record: Record, base: Path | None = None) -> House:
    """The house of a header; a house file's path is relative to the record (``base``)."""
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
    except HouseError as wrong:
        raise RecordError(str(wrong), _line(record, str(wrong))) from None


def _line(record: Record, message: str) -> int:
    """The header line that a message is about: that of the election it names, or the house's."""
    for key, _ in sorted(record.elections, key=lambda given: -len(given[0])):
        if key in message:
            return record.where[f"house.{key}"]
    about = "game" if record.game and message.startswith(("game", record.game)) else ""
    return record.where.get(about or ("house" if record.house else "rulebook"), 1)
