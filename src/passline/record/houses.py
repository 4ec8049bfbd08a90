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
        raise RecordError(str(wrong), _line(record, wrong.key)) from None


def _line(record: Record, at_fault: str) -> int:
    """The header line of the election at fault, or of the table it stands in; else the house's."""
    if at_fault == "game" and record.game:
        return record.where["game"]
    for key in sorted((key for key, _ in record.elections), key=len, reverse=True):
        if at_fault == key or at_fault.startswith(f"{key}."):
            return record.where[f"house.{key}"]
    return record.where["house" if record.house else "rulebook"]
