"""The error for a line of a record, or a player's words, that cannot be read."""

from __future__ import annotations


class RecordError(ValueError):
    """Raised for a line that cannot be read. The message says what was expected."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def with_line(self, line: int) -> RecordError:
        """Return the same error with a line number, unless it has one already."""
        return RecordError(self.message, self.line or line)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message
