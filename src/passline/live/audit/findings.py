"""What an audit finds: entries that are wrong, and notes that are no fault."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Check = Literal["chain", "replay", "ledger", "dice"]
#: In the order in which they are told.
CHECKS: Final[tuple[Check, ...]] = ("chain", "replay", "ledger", "dice")

#: Notes of a kind that are kept word for word; the others are counted.
MAX_NOTES: Final = 1000


class BadEntryError(Exception):
    """What is wrong with an entry, in a sentence."""


class NotALogError(Exception):
    """What is no log of a table, and why."""


class AuditFinding(Struct, frozen=True):
    """The first entry that a check finds wrong, and why."""

    check: Check
    entry: int
    why: str


class AuditNote(Struct, frozen=True):
    """Something about an entry that is worth knowing, and no fault."""

    entry: int
    why: str
