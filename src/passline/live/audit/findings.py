"""What an audit reports: wrong entries, and notes that are not faults."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from passline.live.log_entries import LogError

Check = Literal["chain", "replay", "ledger", "dice", "receipt"]
#: The checks of the log itself, in the order of the report.
CHECKS: Final[tuple[Check, ...]] = ("chain", "replay", "ledger", "dice")

#: The most notes of a kind that are listed; the others are only counted.
MAX_NOTES: Final = 1000


class BadEntryError(LogError):
    """An entry of a log is wrong. The message says what."""


class NotALogError(LogError):
    """The input is not the log of a table. The message says why."""


class AuditFinding(Struct, frozen=True):
    """The first entry that a check of the audit found wrong: its number, and the reason."""

    check: Check
    entry: int
    why: str


class AuditNote(Struct, frozen=True):
    """Something about an entry that is worth knowing but not a fault."""

    entry: int
    why: str
