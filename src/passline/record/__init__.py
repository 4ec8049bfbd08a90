"""A game as text: table talk, ``.craps`` files, dealing and replaying them."""

from passline.record.deal import Dealt, RecordEntry, deal_record, deal_text
from passline.record.read import Record, read_record
from passline.record.write import write_record
from passline.talk.errors import RecordError

__all__ = [
    "Dealt",
    "Record",
    "RecordEntry",
    "RecordError",
    "deal_record",
    "deal_text",
    "read_record",
    "write_record",
]
