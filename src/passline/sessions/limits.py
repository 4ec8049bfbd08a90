"""What an exact session would cost, and why it is not begun where that is too much."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Effort(NamedTuple):
    """About how many seconds a session takes to compute, and the bytes to keep."""

    seconds: float
    size: int


class Remedy(Enum):
    """What would help where a session is too much to compute; its value says it in words."""

    MEMORY = "allow more"
    ROLLS = "ask for fewer rolls"
    SAMPLE = "sample it"


class TooLong(ValueError):  # noqa: N818 - what is asked for is too long, and no error of ours
    """A session that cannot be computed within the memory or time allowed.

    ``why`` says what it would take; ``remedies`` what would help.

    >>> str(TooLong("it would take 9 hours", Remedy.ROLLS, Remedy.SAMPLE))
    'it would take 9 hours: ask for fewer rolls, or sample it'
    """

    def __init__(self, why: str, *remedies: Remedy) -> None:
        super().__init__(why, *remedies)
        self.why, self.remedies = why, remedies

    def __str__(self) -> str:
        """One line: why, and what would help."""
        return self.told({})

    def told(self, options: dict[Remedy, str]) -> str:
        """The same, with the option of a command after each remedy that has one."""
        ways = [
            f"{way.value} ({options[way]})" if way in options else way.value
            for way in self.remedies
        ]
        if not ways:
            return self.why
        *first, last = ways
        return f"{self.why}: {', '.join([*first, f'or {last}'] if first else [last])}"
