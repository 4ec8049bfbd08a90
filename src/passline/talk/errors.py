"""A record that cannot be read: where, and what was expected."""

from __future__ import annotations


class RecordError(ValueError):
    """The line that cannot be read, and what was expected there."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def at(self, line: int) -> RecordError:
        """The same, with its line number."""
        return RecordError(self.message, self.line or line)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message
